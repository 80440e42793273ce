package exec

import (
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/engine"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A compiler that panics ends in the next engine, or the interpreter, never in the
// program that launches the kernel.
func TestCompilerPanics(t *testing.T) {
	broken := engine.Engine{Name: "broken", Tier: cpu.Portable, Compile: func(*engine.Func, bool) (engine.Code, error) {
		panic("no rule for that")
	}}
	x, out := tensor.Arange(tl.Float32, 0, 64), tensor.Zeros(tl.Float32, 64)
	k := alone(double, Options{Memory: "off"})
	k.use.Table = []engine.Engine{broken}
	k = k.With(Options{Memory: "off", Engine: "broken"})
	if err := k.Launch(Grid{4}, x, out, 64); err == nil || !strings.Contains(err.Error(), "a bug in the compiler, not in the kernel: no rule for that") {
		t.Errorf("forced: %v", err)
	}
	for _, with := range []struct {
		engines []engine.Engine
		ran     string
	}{{[]engine.Engine{broken}, interpreted}, {[]engine.Engine{engine.Table()[0], broken}, "portable"}} {
		k := alone(double, Options{Memory: "off"}).promoteUnchecked()
		k.use.Table = with.engines
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
	k = alone(double, Options{Memory: "off"})
	k.use.Table = []engine.Engine{engine.Table()[0], broken}
	rep, err := k.Promote(Grid{4}, x, out, 64)
	if err != nil || rep.Engine != "portable" || !strings.Contains(rep.String(), "no code for a faster engine, broken: ") {
		t.Errorf("promoted: %v, %v", err, rep)
	}
	k = alone(double, Options{Memory: "off"})
	k.use.Table = []engine.Engine{broken, engine.Table()[0]} // that a slower one has none is no news
	if err := k.With(Options{Memory: "off", Engine: "broken"}).Launch(Grid{4}, x, out, 64); err == nil {
		t.Error("it ran in an engine that has no code")
	}
	if rep, err := k.Promote(Grid{4}, x, out, 64); err != nil || strings.Contains(rep.String(), "broken") {
		t.Errorf("promoted: %v, %v", err, rep)
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
