package cell

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/cell/sugar"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

const addCell = `// add adds two vectors.
func add(p *tl.Program, x, y, out tl.Ptr, n int, BLOCK tl.Const) {
	offs := p.ID(0)*BLOCK + tl.Arange(0, BLOCK)
	m := offs < n
	tl.Store(out + offs, tl.Load(x + offs, tl.Mask(m)) + tl.Load(y + offs, tl.Mask(m)), tl.Mask(m))
}`

const addPlain = `func add(p *tl.Program, x, y, out tl.Ptr, n int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	m := offs.Lt(n)
	tl.Store(out.Add(offs), tl.Load(x.Add(offs), tl.Mask(m)).Add(tl.Load(y.Add(offs), tl.Mask(m))), tl.Mask(m))
}`

func TestDefs(t *testing.T) {
	c := newConsole(t)
	c.mustEval(t, addCell)
	c.mustEval(t, "type pair struct{ a, b int }\nfunc (p pair) sum() int { return p.a + p.b }\nconst width = 4 * 2")
	c.mustEval(t, "v := pair{1, 2}\nw := 2.5")
	d, ok := c.Def("add")
	if !ok || !d.Kernel || d.Kind != token.FUNC || d.Go != addPlain || !strings.HasPrefix(d.Source, "func add(") || !strings.Contains(d.Source, "p.ID(0)*BLOCK + tl.Arange") {
		t.Errorf("got %+v", d)
	}
	for _, x := range []struct{ name, kind, typ, plain string }{
		{"pair", "type", "struct{a int; b int}", "type pair struct{ a, b int }"},
		{"pair.sum", "func", "func() int", "func (p pair) sum() int { return p.a + p.b }"},
		{"width", "const", "untyped int", "const width = 8"},
		{"v", "var", "pair", "var v pair"},
		{"w", "var", "float64", "var w float64"},
		{"tl", "import", sugar.PathTilelang, `import tl "github.com/tiler-go/tiler/tilelang"`},
	} {
		d, ok := c.Def(x.name)
		if !ok || d.Kind.String() != x.kind || d.Type != x.typ || d.Go != x.plain {
			t.Errorf("%s: got %+v", x.name, d)
		}
	}
	if _, ok := c.Def("nothing"); ok {
		t.Error("a definition of nothing")
	}
	if got := c.Kernels(); len(got) != 1 || got[0] != "add" {
		t.Errorf("kernels %v", got)
	}
	if n := len(c.Defs()); n != 5+6 {
		t.Errorf("%d definitions", n)
	}
}

func TestEvaluate(t *testing.T) {
	c := newConsole(t)
	c.mustEval(t, "x := 20\nfunc void() {}\noffs := tl.Arange(0, 3)")
	ctx := context.Background()
	for _, x := range []struct{ expr, want, typ string }{
		{"x + 1", "21", "int"},
		{"offs*2", "tile([0, 2, 4])", sugar.PathTilelang + ".Tile"},
		{"offs[:, None]", "tile([[0],\n      [1],\n      [2]])", sugar.PathTilelang + ".Tile"},
		{"x +", "x + is not an expression", ""},
		{"x; x", "x; x is not an expression", ""},
		{"void()", "void() has no value", ""},
		{"nope", "undefined: nope", ""},
		{"[]int{1}[x]", "index out of range", ""},
	} {
		v, err := c.Evaluate(ctx, x.expr)
		if got := fmt.Sprint(v.Box, err); !strings.Contains(got, x.want) {
			t.Errorf("%s: got %s, want %s", x.expr, got, x.want)
		}
		if x.typ != "" && (v.Type == nil || v.Type.String() != x.typ || c.TypeOf(x.expr).String() != x.typ) {
			t.Errorf("%s: type %v and %v, want %s", x.expr, v.Type, c.TypeOf(x.expr), x.typ)
		}
	}
	if c.out.Len() > 0 {
		t.Errorf("shown: %s", c.out.String())
	}
	if got := c.eval("x"); got != "20" {
		t.Errorf("values are no longer shown: %s", got)
	}
	if got := c.eval("y := nope"); !strings.HasPrefix(got, "error: cell 4:1:6") {
		t.Errorf("cells are not counted right: %s", got)
	}
}

func TestSet(t *testing.T) {
	c := newConsole(t)
	p := tl.NewProgram([3]int{1, 0, 0}, [3]int{4, 1, 1}, nil)
	for _, x := range []struct {
		name string
		v    any
		src  string
		want string
	}{
		{"p", p, "p.ID(0) * 10 + p.Num(0)", "14"},
		{"p", tl.NewProgram([3]int{2, 0, 0}, [3]int{4, 1, 1}, nil), "p.ID(0)", "2"},
		{"n", 7, "n + 1", "8"},
		{"n", "seven", "n + \"!\"", "seven!"},
		{"x", tensor.Arange(tl.Float32, 0, 3), "x", "tensor([0., 1., 2.])"},
	} {
		if err := c.Set(x.name, x.v); err != nil {
			t.Fatal(err)
		}
		if got := c.eval(x.src); got != x.want {
			t.Errorf("%s: got %s, want %s", x.src, got, x.want)
		}
	}
	c.mustEval(t, "func who() int { return p.ID(0) }")
	if err := c.Set("p", p); err != nil || c.eval("who()") != "1" {
		t.Errorf("who() is %s, %v", c.eval("who()"), err)
	}
	for _, bad := range []struct {
		name string
		v    any
	}{{"1x", 1}, {"p", 3}, {"q", nil}} {
		if err := c.Set(bad.name, bad.v); err == nil {
			t.Errorf("%s was set to %v", bad.name, bad.v)
		}
	}
	var names []string
	for _, v := range c.Vars() {
		names = append(names, v.Name+" "+v.Type+" "+fmt.Sprint(v.Value.Box))
	}
	if got := strings.Join(names, "; "); got != "p *tl.Program (1,0,0); n string seven; x *tensor.Tensor tensor([0., 1., 2.])" {
		t.Errorf("got %s", got)
	}
	c.Reset()
	if len(c.Vars()) != 0 || c.eval("1 + tl.Cdiv(5, 2)") != "4" || !strings.Contains(c.eval("n"), "undefined") {
		t.Error("not reset")
	}
}

func TestLaunches(t *testing.T) {
	c := newConsole(t)
	c.mustEval(t, addCell)
	c.mustEval(t, `x, y, out := tensor.Arange(tl.Float32, 0, 6), tensor.Ones(tl.Float32, 6), tensor.Zeros(tl.Float32, 6)`)
	k, err := c.Kernel("add")
	if err != nil || k.Name() != "add" {
		t.Fatal(k, err)
	}
	c.mustEval(t, "k := exec.New(add)\nk.Launch(exec.Grid{2}, x, y, out, 6, 4)")
	if got := c.eval("out"); got != "tensor([1., 2., 3., 4., 5., 6.])" {
		t.Error(got)
	}
	ls := c.Launches()
	if len(ls) != 1 || ls[0].Name() != "add" || ls[0].Op != "Launch" || len(ls[0].Args) != 5 {
		t.Fatalf("got %+v", ls)
	}
	if k, _ := c.Kernel("add"); k != ls[0].Kernel {
		t.Error("not the kernel that was launched")
	}
	// What the session has is launched again from outside, compiled.
	x := ls[0].Args[0].(*tensor.Tensor)
	for _, e := range []string{"interpreted", "portable"} {
		err := ls[0].Kernel.With(exec.Options{Engine: e}).Launch(exec.Grid{2}, x, x, x, 7, 4)
		var fail *exec.Error
		if !errors.As(err, &fail) || fail.Pos().File != "cell 2" || fail.Pos().Line != 5 {
			t.Errorf("%s: %v", e, err)
		}
	}
	for name, want := range map[string]string{"x": "x is not a kernel", "nothing": "there is no function nothing"} {
		if _, err := c.Kernel(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestIntercept(t *testing.T) {
	var seen []string
	s := New(Options{Launch: func(l *Launch) error {
		err := l.Run()
		seen = append(seen, fmt.Sprint(l.Op, " ", l.Name(), l.Grid, len(l.Args), " ", err == nil))
		return errors.Join(err, errors.New("and more"))
	}})
	err := s.RunFile(context.Background(), "a.go", `package main

import (
	"fmt"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
)

func hello(p *tl.Program, n int) {}

func main() {
	if err := exec.New(hello).Launch(exec.Grid{3}, 1); err != nil {
		fmt.Println(err)
		panic(err)
	}
}
`)
	if len(seen) != 1 || seen[0] != "Launch hello[3] 1 true" || err == nil || err.Error() != "a.go:15: panic: and more" {
		t.Errorf("got %q, %v", seen, err)
	}
}

func TestDoc(t *testing.T) {
	c := newConsole(t)
	c.mustEval(t, addCell)
	c.mustEval(t, "offs := tl.Arange(0, 4)")
	for _, x := range []struct{ name, decl, text string }{
		{"tl.Cdiv", "func Cdiv(x, d int) int", "Cdiv is"},
		{"tl.Tile.Add", "func (x Tile) Add(", ""},
		{"offs.Add", "func (x Tile) Add(", ""},
		{"Tile.Add", "func (x Tile) Add(", ""},
		{"tensor.Zeros", "func Zeros(", ""},
		{"Cdiv", "func Cdiv(", ""},
		{"add", "func add(p *tl.Program, x, y, out tl.Ptr, n int, BLOCK tl.Const)", "add adds two vectors."},
	} {
		d, ok := c.Doc(x.name)
		if !ok || !strings.HasPrefix(d.Decl, x.decl) || !strings.HasPrefix(d.Text, x.text) {
			t.Errorf("%s: got %v %+v", x.name, ok, d)
		}
	}
	for _, name := range []string{"nothing", "tl.Nothing", "offs.Nothing", "no.Thing"} {
		if d, ok := c.Doc(name); ok {
			t.Errorf("%s: got %+v", name, d)
		}
	}
}
