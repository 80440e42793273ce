package exec

import (
	"slices"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/function"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A compiler that panics ends in the next engine, or the interpreter, never in the
// program that launches the kernel.
func TestCompilerPanics(t *testing.T) {
	broken := engine{"broken", cpu.Portable, func(*variant, bool) (code, error) { panic("no rule for that") }}
	x, out := tensor.Arange(tl.Float32, 0, 64), tensor.Zeros(tl.Float32, 64)
	k := alone(double, Options{Memory: "off"})
	k.engines = []engine{broken}
	k = k.With(Options{Memory: "off", Engine: "broken"})
	if err := k.Launch(Grid{4}, x, out, 64); err == nil || !strings.Contains(err.Error(), "a bug in the compiler, not in the kernel: no rule for that") {
		t.Errorf("forced: %v", err)
	}
	for _, with := range []struct {
		engines []engine
		ran     string
	}{{[]engine{broken}, interpreted}, {[]engine{engines[0], broken}, "portable"}} {
		k := alone(double, Options{Memory: "off"}).promoteUnchecked()
		k.engines = with.engines
		if err := k.Launch(Grid{4}, x, out, 64); err != nil {
			t.Error(err)
		}
		if s := k.State(); s.Engine != with.ran {
			t.Errorf("it ran in %s, want %s: %v", s.Engine, with.ran, s)
		}
		if out.Float(63) != 126 {
			t.Errorf("the last element is %v, want 126", out.Float(63))
		}
	}
}

func sumOf(p *tl.Program, x, y, out tl.Ptr, BLOCK tl.Const) {
	i := tl.Arange(0, BLOCK).Add(p.ID(0) * int(BLOCK))
	tl.Store(out.Add(i), tl.Load(x.Add(i)).Add(tl.Load(y.Add(i))))
}

// TestShared: loads keep their place behind stores where a tensor that is stored to shares memory
// with another one; that two share memory that is only read matters to nothing.
func TestShared(t *testing.T) {
	x, y, z := tensor.Arange(tl.Float32, 0, 64), tensor.Full(tl.Float32, 2, 64), tensor.Zeros(tl.Float32, 64)
	for _, c := range []struct {
		x, y, out *tensor.Tensor
		ordered   bool
	}{{x, y, z, false}, {x, x, z, false}, {y, x, y, true}, {y, y, y, true}} {
		k := alone(sumOf, Options{Memory: "off"}).promoteUnchecked()
		want := c.x.Float(63) + c.y.Float(63)
		if err := k.Launch(Grid{4}, c.x, c.y, c.out, 16); err != nil {
			t.Fatal(err)
		}
		if got := c.out.Float(63); got != want {
			t.Errorf("the last element is %v, want %v", got, want)
		}
		if all := k.State().Specialisations; len(all) != 1 || all[0].Ordered != c.ordered {
			t.Errorf("compiled for %+v, want Ordered %v", all, c.ordered)
		}
	}
}

// TestServes: code serves arguments with the same dtypes and the same values where these are
// compiled in; of an int that is a factor it matters only whether it is 1.
func TestServes(t *testing.T) {
	f32 := tensor.Zeros(tl.Float32, 4)
	args := []any{f32, 9, 3, 2.0, false, 16, tl.Float16, "relu"}
	v := &variant{
		spec: &frontend.Spec{Fixed: []bool{false, false, false, false, false, true, true, true}},
		args: function.Args(args),
		ones: []bool{false, false, true, false, false, false, false, false},
	}
	refused := &variant{args: function.Args(args)} // no code for it: any other value may have some
	for _, c := range []struct {
		param int
		arg   any
		same  bool
	}{
		{0, tensor.Zeros(tl.Float32, 9), true}, {0, tensor.Zeros(tl.Float16, 4), false}, {1, 1, true}, {2, 7, true}, {2, 1, false},
		{3, 3.0, true}, {4, true, true}, {5, 17, false}, {6, tl.Float32, false}, {7, "", false},
	} {
		other := slices.Clone(args)
		other[c.param] = c.arg
		if got := v.serves(other); got != c.same {
			t.Errorf("argument %d as %v: serves is %v", c.param, c.arg, got)
		}
		if got := refused.serves(other); got != (c.param == 0 && c.same) {
			t.Errorf("not compiled, argument %d as %v: serves is %v", c.param, c.arg, got)
		}
	}
	one := &variant{spec: v.spec, args: slices.Clone(v.args), ones: v.ones}
	one.args[2].Int = 1
	if one.serves(args) {
		t.Error("code for a factor of 1 serves 3")
	}
	if !v.serves(args) || !refused.serves(args) {
		t.Error("code does not serve the arguments it was compiled for")
	}
}
