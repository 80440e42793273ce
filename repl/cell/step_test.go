package cell

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func TestStep(t *testing.T) {
	c := newConsole(t)
	c.mustEval(t, `func sums(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) {
	offs := p.ID(0)*BLOCK + tl.Arange(0, BLOCK)
	acc := tl.Zeros(tl.Float32, BLOCK)
	for i := range n {
		acc += tl.Load(x + offs)
		if i > 0 {
			acc *= 2
		}
	}
	var last, none = tl.Sum(acc), 0
	none++
	tl.Store(out + p.ID(0), last)
}`)
	x, out := tensor.Arange(tl.Float32, 0, 4), tensor.Zeros(tl.Float32, 2)
	p := tl.NewProgram([3]int{1, 0, 0}, [3]int{2, 1, 1}, nil)
	var got strings.Builder
	step := func(st Step) error {
		fmt.Fprintf(&got, "%d %s", st.Pos.Line, st.Source)
		for i, n := range st.Names {
			fmt.Fprintf(&got, " | %s=%v", n, st.Values[i].Box)
		}
		got.WriteString("\n")
		return nil
	}
	if err := c.Step(context.Background(), "sums", p, []any{x, out, 2, 2}, step); err != nil {
		t.Fatal(err)
	}
	want := `2 offs := p.ID(0)*BLOCK + tl.Arange(0, BLOCK) | offs=tile([2, 3])
3 acc := tl.Zeros(tl.Float32, BLOCK) | acc=tile([0., 0.])
4 for i := range n { | i=0
5 acc += tl.Load(x + offs) | acc=tile([2., 3.])
4 for i := range n { | i=1
5 acc += tl.Load(x + offs) | acc=tile([4., 6.])
7 acc *= 2 | acc=tile([ 8., 12.])
10 var last, none = tl.Sum(acc), 0 | last=tile(20.) | none=0
11 none++ | none=1
12 tl.Store(out + p.ID(0), last)
`
	if got.String() != want {
		t.Errorf("got\n%s", got.String())
	}
	if out.Float(1) != 20 {
		t.Errorf("out is %v", out)
	}
	enough := errors.New("enough")
	if err := c.Step(context.Background(), "sums", p, []any{x, out, 2, 2}, func(Step) error { return enough }); err != enough {
		t.Errorf("got %v", err)
	}
	if got := c.eval("exec.New(sums).Launch(exec.Grid{2}, tensor.Ones(tl.Float32, 4), tensor.Zeros(tl.Float32, 2), 1, 2)"); got != "nil" {
		t.Errorf("after a walk: %s", got)
	}
	if err := c.Step(context.Background(), "sums", p, []any{out, out, 2, 4}, func(Step) error { return nil }); err == nil || !strings.Contains(err.Error(), "cell 2:5: tl.Load: out of bounds") {
		t.Errorf("got %v", err)
	}
	for name, args := range map[string][]any{"nothing": nil, "sums": {x}} {
		if err := c.Step(context.Background(), name, p, args, step); err == nil {
			t.Errorf("%s with %d arguments", name, len(args))
		}
	}
}

func TestKernelText(t *testing.T) {
	c := newConsole(t)
	c.mustEval(t, "x, out := tensor.Arange(tl.Float32, 0, 8), tensor.Zeros(tl.Float32, 8)\nBLOCK, n, scale := 4, 8, 0.5\nbad := tl.Arange(0, 3)")
	c.Set("p", tl.NewProgram([3]int{1, 0, 0}, [3]int{2, 1, 1}, nil))
	mark := c.Mark()
	for _, src := range []string{
		"offs := p.ID(0)*BLOCK + tl.Arange(0, BLOCK)", "offs", "mask := offs < n", "offs[:, None] + 1",
		"a := tl.Load(x + offs, tl.Mask(mask))", "tl.Sum(a)", "unused := a + 1", "wrong := nothing", "a := a * scale",
		"for i := range 2 {\n\ta += i\n}", "tl.Store(out + offs, a, tl.Mask(mask))",
	} {
		c.eval(src)
	}
	text, err := c.KernelText("k", mark)
	want := `func k(p *tl.Program, x, out tl.Ptr, n int, scale float64, BLOCK tl.Const) {
	offs := p.ID(0)*BLOCK + tl.Arange(0, BLOCK)
	mask := offs < n
	a := tl.Load(x + offs, tl.Mask(mask))
	a = a * scale
	for i := range 2 {
		a += i
	}
	tl.Store(out + offs, a, tl.Mask(mask))
}`
	if err != nil || text != want {
		t.Fatalf("%v, got\n%s", err, text)
	}
	c.mustEval(t, text)
	c.mustEval(t, "exec.New(k).Launch(exec.Grid{2}, x, out, n, scale, BLOCK)")
	if got := c.eval("out"); got != "tensor([1.0000, 1.5000, 2.0000, 2.5000, 3.0000, 3.5000, 4.0000, 4.5000])" {
		t.Error(got)
	}
	c.eval("y := bad + 1\nq := tl.Max(y)\ntl.Store(out + q, q)")
	if _, err := c.KernelText("k", c.Mark()-1); err == nil || !strings.Contains(err.Error(), "bad was defined before the kernel and") {
		t.Error(err)
	}
	for _, bad := range []func() (string, error){
		func() (string, error) { return c.KernelText("k", c.Mark()) },
		func() (string, error) { return c.KernelText("1k", mark) },
	} {
		if text, err := bad(); err == nil {
			t.Errorf("got %s", text)
		}
	}
}
