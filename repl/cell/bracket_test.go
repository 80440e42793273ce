package cell

import (
	"context"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/repl/cell/sugar"
)

// TestBrackets: what launches in brackets are in plain Go.
func TestBrackets(t *testing.T) {
	s := New(Options{})
	s.ImportUsual()
	for _, cell := range []string{
		"func mm(p *tl.Program, x tl.Ptr, n int, BLOCK tl.Const) { tl.Store(x+p.ID(0), n) }",
		"x, n, grid, sizes := tensor.Zeros(tl.Float32, 100), 100, exec.Grid{3}, []int{1, 2}",
		"k, args := exec.New(mm), []any{x, n, 16}",
		"func ofMeta(m exec.Meta) exec.Grid { return exec.Grid{m[`BLOCK`]} }",
		"func choose[K comparable, V any](k K, v V) V { return v }",
		"type pair[K, V any] struct { a K; b V }",
		"var table = map[string]*exec.Kernel{`k`: k}",
		"func number(n int) func(int) error { return nil }",
	} {
		if err := s.Eval(context.Background(), cell); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range []struct{ text, want string }{
		{"mm[4](x, n, 16)", "exec.New(mm).Launch(exec.Grid{4}, x, n, 16)"},
		{"mm[4, 4](x, n, 16)", "exec.New(mm).Launch(exec.Grid{4, 4}, x, n, 16)"},
		{"mm[n, n, n](x, n, 16)", "exec.New(mm).Launch(exec.Grid{n, n, n}, x, n, 16)"},
		{"mm[tl.Cdiv(n, 16)](x, n, 16)", "exec.New(mm).Launch(exec.Grid{tl.Cdiv(n, 16)}, x, n, 16)"},
		{"mm[tl.Cdiv(n, 16), 2*n-7](x, n, 16)", "exec.New(mm).Launch(exec.Grid{tl.Cdiv(n, 16), 2*n - 7}, x, n, 16)"},
		{"mm[len([]int{1, 2})](x, n, 16)", "exec.New(mm).Launch(exec.Grid{len([]int{1, 2})}, x, n, 16)"},
		{"mm[grid](x, n, 16)", "exec.New(mm).Launch(grid, x, n, 16)"},
		{"mm[exec.Grid{3, 4}](x, n, 16)", "exec.New(mm).Launch(exec.Grid{3, 4}, x, n, 16)"},
		{"mm[sizes](x, n, 16)", "exec.New(mm).Launch(exec.Grid(sizes), x, n, 16)"},
		{"mm[ofMeta](x, n, 16)", "exec.New(mm).Launch(exec.GridFn(ofMeta), x, n, 16)"},
		{"mm[exec.GridFn(ofMeta)](x, n, 16)", "exec.New(mm).Launch(exec.GridFn(ofMeta), x, n, 16)"},
		{"mm[4](args...)", "exec.New(mm).Launch(exec.Grid{4}, args...)"},
		{"mm[4, 2](args[:]...)", "exec.New(mm).Launch(exec.Grid{4, 2}, args[:]...)"},
		{"k[4, 4](x, n, 16)", "k.Launch(exec.Grid{4, 4}, x, n, 16)"},
		{"table[`k`][4, 4](x, n, 16)", "table[`k`].Launch(exec.Grid{4, 4}, x, n, 16)"},
		{"k.With(exec.Options{})[4](x, n, 16)", "k.With(exec.Options{}).Launch(exec.Grid{4}, x, n, 16)"},
		{"choose[int, error](1, mm[2, 2](x, n, 16))", "choose[int, error](1, exec.New(mm).Launch(exec.Grid{2, 2}, x, n, 16))"},
		{"choose(pair[int, error](pair[int, error]{1, nil}), k[2](x, (n), 16))", "choose(pair[int, error](pair[int, error]{1, nil}), k.Launch(exec.Grid{2}, x, (n), 16))"},
	} {
		err := s.Eval(context.Background(), "func run() error { return "+x.text+" }")
		d, _ := s.Def("run")
		if want := sugar.Formatted("func run() error { return " + x.want + " }"); err != nil || d.Go != want {
			t.Errorf("%s\ngot  %s %v\nwant %s", x.text, d.Go, err, want)
		}
	}
	for _, x := range []struct{ text, want string }{
		{"mm[4]", "1:1: cannot index mm (value of type func(p *tl.Program, x tl.Tile, n int, BLOCK int))\n\tfix: a launch also takes arguments: mm[grid](x, n, …)"},
		{"number[1, 2](3)", "1:1: invalid operation: cannot index number (of type func(n int) func(int) error)\n\tfix: only a kernel can be launched like this: a function without a result whose first parameter is p *tl.Program"},
		{"n[1, 2](3)", "1:1: invalid operation: cannot index n (of type int)"},
		{"nobody[1, 2](3)", "1:1: undefined: nobody"},
		{"mm[nobody](x, n, 3)", "1:4: undefined: nobody"},
		{"mm[4, 4](x, nobody, 3)", "1:13: undefined: nobody"},
		{"package main\n\nfunc mm() {}\n\nfunc main() { mm[4](1) }", "5:15: cannot index mm (value of type func())\n\tkernel[grid](arguments) is for cells; a file that begins with package main is plain Go\n\tfix: write exec.New(mm).Launch(exec.Grid{4}, …)"},
	} {
		var err error
		if scan.IsProgram(x.text) {
			err = s.RunFile(context.Background(), "cell", x.text)
		} else {
			err = s.EvalAt(context.Background(), "cell", 1, x.text)
		}
		if err == nil || !strings.HasPrefix(err.Error(), "cell:"+x.want) {
			t.Errorf("%s\ngot  %v\nwant %s", x.text, err, x.want)
		}
	}
}
