package exec

import (
	"strings"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func twice(p *tl.Program, x, out tl.Ptr, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK)
	tl.Store(out.Add(offs), tl.Load(x.Add(offs)).Mul(2.0))
}

func TestInspectKernel(t *testing.T) {
	k := New(twice, Options{Engine: "portable"})
	if _, err := k.Inspect(); err == nil || !strings.Contains(err.Error(), "twice: not compiled yet") {
		t.Errorf("a kernel that was never launched: %v", err)
	}
	x, out := tensor.Zeros(tl.Float16, 32), tensor.Zeros(tl.Float16, 32)
	if err := k.Launch(Grid{1}, x, out, 32); err != nil {
		t.Fatal(err)
	}
	i, err := k.Inspect()
	if err != nil || i.Args != "x f16, out f16, BLOCK=32" {
		t.Errorf("the last launch: %+v, error %v", i, err)
	}
	if i, err = k.Inspect(x, tensor.Zeros(tl.Float32, 16), 16); err != nil || i.Args != "x f16, out f32, BLOCK=16" {
		t.Errorf("given arguments: %+v, error %v", i, err)
	}
	if _, err := k.Inspect(x); err == nil || !strings.Contains(err.Error(), "got 1 arguments, want 3") {
		t.Errorf("too few arguments: %v", err)
	}
	if _, err := New(3).Inspect(); err == nil {
		t.Error("what is no kernel cannot be inspected")
	}
}

// TestNamesBesideMethod: a kernel's parameters keep their names where a method has its name.
func TestNamesBesideMethod(t *testing.T) {
	const text = "package p\n\nfunc scaled(p *tl.Program, x tl.Ptr, n int) {}\n\ntype norm struct{}\n\nfunc (norm) scaled() {}\n"
	k := New(func(p *tl.Program, x tl.Ptr, n int) {}, Source(text, "scaled"))
	if err := k.Launch(Grid{1}, 1, 2); err == nil || !strings.Contains(err.Error(), "x: got the int 1") {
		t.Error(err)
	}
}
