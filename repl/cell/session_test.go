package cell

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
)

// A console is a session with what it printed.
type console struct {
	*Session
	out bytes.Buffer
}

func newConsole(t testing.TB) *console {
	t.Helper()
	c := &console{}
	c.Session = New(Options{
		Out: &c.out,
		Show: func(v Value) {
			if v.Box == nil {
				fmt.Fprintln(&c.out, "nil")
				return
			}
			fmt.Fprintf(&c.out, "%v\n", v.Box)
		},
		Note: func(text string) { fmt.Fprintln(&c.out, "note:", text) },
	})
	c.mustEval(t, `import ("fmt"; "math"; tl "github.com/tiler-go/tiler/tilelang"; "github.com/tiler-go/tiler/tilelang/tensor"; "github.com/tiler-go/tiler/exec")`)
	c.out.Reset()
	return c
}

func (c *console) mustEval(t testing.TB, src string) {
	t.Helper()
	if err := c.Eval(context.Background(), src); err != nil {
		t.Fatalf("%s\n%v", src, err)
	}
}

// eval is what a cell prints, then its error.
func (c *console) eval(src string) string {
	c.out.Reset()
	err := c.Eval(context.Background(), src)
	text := c.out.String()
	if err != nil {
		text += "error: " + err.Error() + "\n"
	}
	return strings.TrimSuffix(text, "\n")
}

func TestEval(t *testing.T) {
	c := newConsole(t)
	for _, x := range []struct{ src, want string }{
		{"1+2", "3"},
		{"x := 5", ""},
		{"x * 2", "10"},
		{"func f(n int) int { return n + x }", ""},
		{"f(3)", "8"},
		{"x = 10", ""},
		{"f(3)", "13"},
		{"a := tl.Arange(0, 4)\na + 1", "tile([1, 2, 3, 4])"},
		{"a[:, None]*8 + a[None, :]", "tile([[ 0,  1,  2,  3],\n      [ 8,  9, 10, 11],\n      [16, 17, 18, 19],\n      [24, 25, 26, 27]])"},
		{"2*a - 1", "tile([-1,  1,  3,  5])"},
		{"y := undefinedThing", "error: cell 12:1:6: undefined: undefinedThing"},
		{`fmt.Println("hi"); x`, "hi\n10"},
		{`"s"`, "s"},
	} {
		if got := c.eval(x.src); got != x.want {
			t.Errorf("%s\ngot  %s\nwant %s", x.src, got, x.want)
		}
	}
}

// TestEarlierCells: what a cell makes of types, generic functions and variables of others.
func TestEarlierCells(t *testing.T) {
	c := newConsole(t)
	for _, x := range []struct{ src, want string }{
		{"type node struct{ n int }", ""},
		{"func same[T any](x T) T { return x }", ""},
		{"func one() int { x := node{n: 1}; return same(x).n + same(2) }", ""},
		{"one()", "3"},
		{"same(node{n: 4}).n", "4"},
		{"type pair[A, B any] struct{ a A; b B }", ""},
		{"func swap[A, B any](p pair[A, B]) pair[B, A] { return pair[B, A]{p.b, p.a} }", ""},
		{"swap(pair[node, string]{node{5}, \"s\"}).b.n", "5"},
		{"v := node{n: 1}", ""},
		{"func read() int { return v.n }", ""},
		{"lit := func() int { return v.n }", ""},
		{"v = node{n: 2}", ""},
		{"read() + lit()", "4"},
		{"func() { v = node{n: 3} }()", ""},
		{"read() + lit() + v.n", "9"},
	} {
		if got := c.eval(x.src); got != x.want {
			t.Errorf("%s\ngot  %s\nwant %s", x.src, got, x.want)
		}
	}
}

// TestSpreadBuiltins: builtins whose arguments are the results of one call, which go vet
// cannot read.
func TestSpreadBuiltins(t *testing.T) {
	c := newConsole(t)
	c.mustEval(t, "func f() ([]byte, string) { return make([]byte, 2), \"abc\" }\nvar m = map[int]int{1: 2}\nfunc g() (map[int]int, int) { return m, 1 }")
	if got := c.eval("copy(f())"); got != "2" {
		t.Error(got)
	}
	if got := c.eval("delete(g())\nlen(m)"); got != "0" {
		t.Error(got)
	}
}
