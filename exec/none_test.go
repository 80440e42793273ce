package exec

import (
	"strings"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// biased adds a bias where the launch has one.
func biased(p *tl.Program, x, bias, out tl.Ptr, n int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	y := tl.Load(x.Add(offs), tl.Mask(offs.Lt(n)), tl.Other(0))
	if !bias.IsNil() {
		y = y.Add(tl.Load(bias.Add(offs), tl.Mask(offs.Lt(n)), tl.Other(0)))
	}
	tl.Store(out.Add(offs), y, tl.Mask(offs.Lt(n)))
}

func biasedRef(x, bias, out *tensor.Tensor, n, BLOCK int) {
	for i := range n {
		v := x.At(i).(float32)
		if bias != nil {
			v += bias.At(i).(float32)
		}
		out.Set(v, i)
	}
}

// TestNil: an argument that is nil is a tensor that the kernel does without. Kernels with and
// without are compiled apart, in every engine.
func TestNil(t *testing.T) {
	const n = 100
	x, bias := tensor.Rand(1, tl.Float32, n), tensor.Rand(2, tl.Float32, n)
	for _, engine := range append([]string{""}, Engines()...) {
		k := New(biased, Options{Memory: "off", Engine: engine}).Against(biasedRef)
		for _, b := range []any{nil, bias, (*tensor.Tensor)(nil), bias} {
			out, want := tensor.Empty(tl.Float32, n), tensor.Empty(tl.Float32, n)
			rep, err := k.Promote(Grid{2}, x, b, out, n, 64)
			if err != nil || !rep.OK {
				t.Fatalf("%s: %v\n%v", engine, err, rep)
			}
			given, _ := b.(*tensor.Tensor)
			biasedRef(x, given, want, n, 64)
			if err := k.Launch(Grid{2}, x, b, out, n, 64); err != nil || !tensor.Equal(out, want) {
				t.Errorf("%s, bias %v: %v, %v", engine, b, err, out)
			}
		}
		if state := k.State().String(); !strings.Contains(state, "bias nil") || !strings.Contains(state, "bias float32") {
			t.Errorf("%s: the state does not tell both: %s", engine, state)
		}
	}
}

func biasedAlways(p *tl.Program, x, bias, out tl.Ptr, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK)
	tl.Store(out.Add(offs), tl.Load(x.Add(offs)).Add(tl.Load(bias.Add(offs))))
}

// TestNilUsed: an access to what is not there is the same error in every engine.
func TestNilUsed(t *testing.T) {
	x, out := tensor.Rand(1, tl.Float32, 8), tensor.Empty(tl.Float32, 8)
	for _, engine := range append([]string{""}, Engines()...) {
		err := New(biasedAlways, Options{Memory: "off", Engine: engine}).Launch(Grid{1}, x, nil, out, 8)
		for _, want := range []string{"element 0 of bias, which is nil", "bias is nil: the launch has no such tensor", "if !bias.IsNil()"} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want %q", engine, err, want)
			}
		}
	}
}

func asksNumber(p *tl.Program, x tl.Ptr) {
	if tl.Load(x).IsNil() {
		tl.Store(x, 1.0)
	}
}

func TestNilOfNumbers(t *testing.T) {
	x := tensor.Zeros(tl.Float32, 1)
	for _, engine := range append([]string{""}, Engines()...) {
		err := New(asksNumber, Options{Memory: "off", Engine: engine}).Launch(Grid{1}, x)
		if err == nil || !strings.Contains(err.Error(), "is no pointer") {
			t.Errorf("%s: %v", engine, err)
		}
	}
}
