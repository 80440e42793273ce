package repl_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/tiler-go/tiler/repl"
)

// BenchmarkCell is a cell of one expression, from its text to its picture.
func BenchmarkCell(b *testing.B) {
	for _, x := range []struct{ name, text string }{
		{"number", "1 + 2"},
		{"grid", "a[:, None]*8 + a"},
		{"pointers", "x + (a[:, None]*8 + a)"},
		{"tensor", "big"},
	} {
		b.Run(x.name, func(b *testing.B) {
			s := newScreen(repl.Options{})
			s.input("a := tl.Arange(0, 4)\nx, big := tensor.Zeros(tl.Float32, 8, 8), tensor.Rand(1, tl.Float32, 1000, 1000)")
			for b.Loop() {
				s.input(x.text)
			}
		})
	}
}

// BenchmarkStart is a session being made.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		repl.New(repl.Options{})
	}
}

// TestRedefinitions: a kernel defined and launched again and again on tensors of 1 MB
// leaves next to nothing behind.
func TestRedefinitions(t *testing.T) {
	n := 100
	if testing.Short() {
		n = 20
	}
	s := newScreen(repl.Options{})
	held := func() int {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	var first int
	for i := range n {
		if i == 10 {
			first = held()
		}
		if err := s.Eval(context.Background(), "func k(p *tl.Program, x tl.Ptr) { tl.Store(x+p.ID(0), p.ID(0)) }\nx := tensor.Zeros(tl.Float32, 1<<18)\nexec.New(k).Launch(exec.Grid{2}, x)"); err != nil {
			t.Fatal(err)
		}
		s.out.Reset()
	}
	each := (held() - first) / max(n-10, 1)
	t.Logf("%d kB for each redefinition", each>>10)
	if each > 190<<10 {
		t.Errorf("each redefinition leaves %d kB, so that 1000 leave over 190 MB", each>>10)
	}
}
