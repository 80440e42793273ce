package lane

import (
	"testing"

	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// TestLoad: what a block of elements under a mask is loaded by, by type and tier.
func TestLoad(t *testing.T) {
	for _, tt := range []struct {
		d    dtype.DType
		tier *lir.Tier
		want string
	}{
		{dtype.Float32, lir.AVX512, "v2 = vmovups {k1}{z} [frame]\n"},
		{dtype.Float32, lir.AVX2, "r3:4 = vmovmskps v1\ncmp r3, 255\njne L0\nv2 = vmovups [frame]\njmp L1\n" +
			"L0:\nv2 = vmaskmovps v1, [frame]\nL1:\n"},
		{dtype.Float16, lir.AVX512, "v2 = vcvtph2ps {k1}{z} [frame]\n"},
	} {
		g := New(tt.tier)
		mask := g.NewMask()
		g.Load(tt.d, lir.Frame(0), &mask)
		if got := g.String(); got != tt.want {
			t.Errorf("%v in %s:\n%swant:\n%s", tt.d, tt.tier.Name, got, tt.want)
		}
	}
}

// TestBools: every elementwise operation that takes bools has its instructions for masks, of each tier.
func TestBools(t *testing.T) {
	apart := map[op.Op]bool{op.Neg: true, op.Abs: true, op.Not: true, op.FloorDiv: true, op.Mod: true, op.Where: true}
	for o := range op.NumOps {
		r := o.Row()
		if r.Family != op.Elementwise || !r.In.Has(dtype.Bool) || o.IsCompare() || apart[o] {
			continue
		}
		if table[o].mask == 0 || table[o].vex == 0 {
			t.Errorf("%v of bools has no instruction", o)
		}
	}
}
