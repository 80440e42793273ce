package exec_test

import (
	"math"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// toBFloat rounds to bfloat16 as it stores.
func toBFloat(p *tl.Program, x, z tl.Ptr, n int, BLOCK tl.Const) {
	o := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	m := tl.Mask(o.Lt(n))
	tl.Store(z.Add(o), tl.Load(x.Add(o), m).To(tl.BFloat16), m)
}

// TestToBFloat: blocks of all kinds of numbers, some with subnormal ones among them, are rounded alike by all engines.
func TestToBFloat(t *testing.T) {
	x := make([]float32, 1<<16+5)
	for i := range x {
		switch h := uint32(i) * 2654435761; {
		case i>>6%3 == 0: // of all exponents
			x[i] = math.Float32frombits(h)
		case i>>6%3 == 1: // in the middle between two, and next to it
			x[i] = math.Float32frombits(h&0xffff0000 + 0x8000 + h>>7%3 - 1)
		case i%16 == i>>10%16: // one subnormal among others, or a zero
			x[i] = math.Float32frombits(h & 0x807fffff >> (h >> 3 % 30))
		default:
			x[i] = float32(int32(h)) * 0x1p-20
		}
	}
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Copysign(0, -1), math.MaxFloat32, 0x1p-126, 0x1.fffp-127} {
		x = append(x, float32(f), -float32(f))
	}
	x = append(x, math.Float32frombits(0x7f800001), math.Float32frombits(0xff80ffff), math.Float32frombits(0x7f7f8000))
	want := tensor.Zeros(tl.BFloat16, len(x))
	for i, engine := range exec.Engines() {
		got := tensor.Zeros(tl.BFloat16, len(x))
		k := exec.New(toBFloat, exec.Options{Engine: engine})
		if err := k.Launch(exec.Grid{tl.Cdiv(len(x), 1024)}, tensor.From(x), got, len(x), 1024); err != nil {
			t.Fatal(engine, err)
		}
		if i == 0 {
			want = got
		}
		for j := range x {
			g, w := got.Buf().Bits(j), want.Buf().Bits(j)
			if g != w && (x[j] == x[j] || g&0x7fff <= 0x7f80) { // which number is none is not said
				t.Fatalf("%s: %x is %x, want %x", engine, math.Float32bits(x[j]), g, w)
			}
		}
	}
}
