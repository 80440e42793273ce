package exec_test

import (
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/cpu"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// fewValues computes what has few values, from integers of which there are 16 or 8.
func fewValues(p *tl.Program, x, y, z tl.Ptr, n, by int, BLOCK tl.Const) {
	o := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	m := tl.Mask(o.Lt(n))
	b := tl.Load(x.Add(o), m, tl.Other(9))
	w := tl.Load(y.Add(o), m, tl.Other(-7))
	v, high, three := w.Shr(o.Mod(8).Mul(4)).And(15), b.Shr(4), w.And(7)
	f := v.Sub(8).To(tl.Float32)
	f = f.Mul(tl.Exp(high.To(tl.Float32).Mul(0.25).Sub(3)))
	f = f.Add(tl.Where(v.Gt(7), 1.0, tl.Sqrt(v.To(tl.Float32).Sub(2)))) // some are no numbers
	f = f.Add(tl.Div(3.0, three.Sub(4).To(tl.Float32)))                 // or infinite
	f = f.Sub(three.Mul(by).To(tl.Float32)).Add(b.And(15).To(tl.Int8).Sub(9).Mul(31).To(tl.Float32))
	f = f.Add(v.Gt(7).To(tl.Float32).Mul(3).Add(1).Mul(7).Sub(3)) // true and false are no numbers of values
	tl.Store(z.Add(o), f, m)
	signed := tl.Where(v.Gt(7), v.Sub(16), v)
	tl.Store(z.Add(o.Add(n)), signed.Mul(three.FloorDiv(3).Add(1)).Add(high.To(tl.Int32).Xor(5).Mul(1<<27)), m)
}

// TestFewValues: values of which there are few are the same where they are permuted, which they are.
func TestFewValues(t *testing.T) {
	for _, n := range []int{1, 16, 255, 1000} {
		b, w := make([]uint8, n), make([]int32, n)
		for i := range b {
			b[i], w[i] = uint8(i), int32(uint32(i)*2654435761)
		}
		want := tensor.Zeros(tl.Float32, 2*n)
		for _, engine := range exec.Engines() {
			for _, block := range []int{64, 256, 1000} {
				got := tensor.Zeros(tl.Float32, 2*n)
				args := []any{tensor.From(b), tensor.From(w), got, n, 7, block}
				k := exec.New(fewValues, exec.Options{Engine: engine})
				if err := k.Launch(exec.Grid{tl.Cdiv(n, block)}, args...); err != nil {
					t.Fatal(engine, err)
				}
				if engine == exec.Engines()[0] {
					want = got
				} else if !tensor.Equal(got, want) {
					t.Errorf("%s, %d elements in blocks of %d: %v, want %v", engine, n, block, got, want)
				}
			}
		}
	}
	permuted(t, cpu.AVX512, 256, 5)
	permuted(t, cpu.AVX2, 256, 1)
	permuted(t, cpu.AVX512, 64, 0)
}

// permuted: a tile of so many elements is computed with at least so many permutations, or none.
func permuted(t *testing.T, tier cpu.Tier, block, least int) {
	x, y, z := tensor.Zeros(tl.Uint8, 1), tensor.Zeros(tl.Int32, 1), tensor.Zeros(tl.Float32, 2)
	in, err := exec.New(fewValues).Inspect(x, y, z, 1, 7, block)
	if err != nil {
		t.Fatal(err)
	}
	code, err := in.Code(tier)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(code, "vpermd"); n < least || least == 0 && n > 0 {
		t.Errorf("%v, %d elements: %d permutations", tier, block, n)
	}
}
