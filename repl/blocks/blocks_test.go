package blocks_test

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/blocks"
	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/repl/show"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// add is masked at its end.
func add(p *tl.Program, x, y, out tl.Ptr, n int, BLOCK tl.Const) {
	i := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	mask := tl.Mask(i.Lt(n))
	tl.Store(out.Add(i), tl.Load(x.Add(i), mask).Add(tl.Load(y.Add(i), mask)), mask)
}

// matmul multiplies blocks of a and b, K by K.
func matmul(p *tl.Program, a, b, c tl.Ptr, M, N, K int, BM, BN, BK tl.Const) {
	i, j, k := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, BN).Add(p.ID(1)*BN), tl.Arange(0, BK)
	acc := tl.Zeros(tl.Float32, BM, BN)
	for at := 0; at < K; at += BK {
		x := tl.Load(a.Add(i.Mul(K).Col().Add(k.Add(at).Row())), tl.Mask(i.Col().Lt(M).And(k.Add(at).Row().Lt(K))), tl.Other(0))
		y := tl.Load(b.Add(k.Add(at).Mul(N).Col().Add(j.Row())), tl.Mask(k.Add(at).Col().Lt(K).And(j.Row().Lt(N))), tl.Other(0))
		acc = acc.Add(tl.Dot(x, y))
	}
	tl.Store(c.Add(i.Mul(N).Col().Add(j.Row())), acc, tl.Mask(i.Col().Lt(M).And(j.Row().Lt(N))))
}

// stray forgets the mask of its columns and runs into the next row; scale updates in place.
func stray(p *tl.Program, x tl.Ptr, cols int) {
	i, j := tl.Arange(0, 4).Add(p.ID(0)*4), tl.Arange(0, 4).Add(p.ID(1)*4)
	at := x.Add(i.Mul(cols).Col().Add(j.Row()))
	tl.Store(at, tl.Load(at).Mul(2))
}

// sums adds up the rows of a matrix in one place.
func sums(p *tl.Program, x, out tl.Ptr, cols int, BLOCK tl.Const) {
	s := tl.Zeros(tl.Float32, BLOCK)
	for at := 0; at < cols; at += BLOCK {
		s = s.Add(tl.Load(x.Add(p.ID(0)*cols + at).Add(tl.Arange(0, BLOCK))))
	}
	tl.AtomicAdd(out, tl.Sum(s, tl.Axis(0)))
}

func of(t *testing.T, fn any, program []int, grid exec.Grid, args ...any) picture.Picture {
	t.Helper()
	p, err := blocks.Of(context.Background(), exec.New(fn), program, grid, args, show.Options{Width: 110})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

type named struct {
	name string
	p    picture.Picture
}

func pictures(t *testing.T) []named {
	f := func(shape ...int) *tensor.Tensor { return tensor.Rand(1, tl.Float32, shape...) }
	return []named{
		{"add, the first program", of(t, add, nil, exec.Grid{4}, f(30), f(30), f(30), 30, 8)},
		{"add, the last", of(t, add, []int{3}, exec.Grid{4}, f(30), f(30), f(30), 30, 8)},
		{"matmul", of(t, matmul, []int{1, 0}, exec.Grid{2, 2}, f(8, 12), f(12, 8), f(8, 8), 8, 8, 12, 4, 4, 4)},
		{"matmul, masked", of(t, matmul, []int{1, 1}, exec.Grid{2, 2}, f(7, 10), f(10, 6), f(7, 6), 7, 6, 10, 4, 4, 4)},
		{"matmul, large", of(t, matmul, []int{2, 3}, exec.Grid{4, 4}, f(256, 256), f(256, 256), f(256, 256), 256, 256, 256, 64, 64, 32)},
		{"sums", of(t, sums, []int{1}, exec.Grid{3}, f(3, 16), f(1), 16, 4)},
	}
}

// TestText: blocks as the prompt shows them.
func TestText(t *testing.T) {
	var b strings.Builder
	for _, x := range pictures(t) {
		b.WriteString("-- " + x.name + " --\n")
		for l := range strings.SplitSeq(x.p.String(), "\n") {
			b.WriteString(strings.TrimRight(l, " ") + "\n")
		}
	}
	const file = "testdata/blocks.txt"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || b.String() != string(want) {
		t.Errorf("%s differs (%v); refresh it with UPDATE=1 and read the difference. got:\n%s", file, err, b.String())
	}
}

// TestDrawing: drawings are XML, and say in words what they show.
func TestDrawing(t *testing.T) {
	for _, x := range pictures(t) {
		f := x.p.Blocks[0].Figure
		d := xml.NewDecoder(strings.NewReader(f.Drawing))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", x.name, err)
			}
		}
		for _, part := range []string{"usemap=\"#tiler-", "<area shape=\"rect\"", "alt=\"", "not touched"} {
			if page := x.p.HTML(); !strings.Contains(page, part) {
				t.Errorf("%s: no %s in %s", x.name, part, page)
			}
		}
	}
	want := "matmul, program (1,0) of (2,2): reads a[4:8,0:4], [4:8,4:8], [4:8,8:12]; reads b[0:4,0:4], [4:8,0:4], [8:12,0:4]; writes c[4:8,0:4]"
	if got := pictures(t)[2].p.Blocks[0].Figure.Label; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestWrong: lanes in the wrong row and outside are told apart, the arguments are left alone,
// and a program that fails is drawn with what it did before.
func TestWrong(t *testing.T) {
	x := tensor.Zeros(tl.Float32, 8, 6)
	p := of(t, stray, []int{0, 1}, exec.Grid{2, 2}, x, 6)
	for _, part := range []string{"» in", "16 lanes", "■", "reads", "writes"} {
		if !strings.Contains(p.String(), part) {
			t.Errorf("no %s in\n%s", part, p)
		}
	}
	p, err := blocks.Of(context.Background(), exec.New(stray), []int{1, 1}, exec.Grid{2, 2}, []any{x, 6}, show.Options{})
	if err == nil || !strings.Contains(p.String(), "× outside the tensor: 2 lanes") {
		t.Errorf("%v\n%s", err, p)
	}
	for _, v := range x.Floats() {
		if v != 0 {
			t.Fatal("the argument was written")
		}
	}
	for _, program := range [][]int{{2, 0}, {0, 0, 1}, {-1}} {
		if _, err := blocks.Of(context.Background(), exec.New(stray), program, exec.Grid{2, 2}, []any{x, 6}, show.Options{}); err == nil || !strings.Contains(err.Error(), "there is no program") {
			t.Errorf("%v: %v", program, err)
		}
	}
}
