package cut

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// held is tensors in memory.
type held struct {
	t    *testing.T
	p    *Program
	data []*tensor.Tensor
}

func (h *held) each(arg int, r Region, do func(tensorAt, memoryAt, n int)) {
	size := h.data[arg].DType().Size()
	for i := range r.Rows {
		do((r.Off+i*r.Stride)*size, i*r.Stride*size, r.Cols*size)
	}
}

func (h *held) Read(_ context.Context, arg int, r Region, into []byte) error {
	b := h.data[arg].Buf().Bytes()
	h.each(arg, r, func(at, to, n int) { copy(into[to:to+n], b[at:at+n]) })
	return nil
}

func (h *held) Write(_ context.Context, arg int, r Region, from []byte) error {
	b := h.data[arg].Buf().Bytes()
	h.each(arg, r, func(at, to, n int) { copy(b[at:at+n], from[to:to+n]) })
	return nil
}

// launch is a launch of a kernel of testdata; tensors get data, and what the kernel stores begins as zeros.
func launch(t *testing.T, kernel string, grid []int, args ...any) (*Program, []*tensor.Tensor) {
	t.Helper()
	p, data, err := compiled(t, kernel, grid, args...)
	if err != nil {
		t.Fatal(err)
	}
	return p, data
}

func compiled(t *testing.T, kernel string, grid []int, args ...any) (*Program, []*tensor.Tensor, error) {
	t.Helper()
	file := "kernels.go"
	if k, ok := strings.CutPrefix(kernel, "add.py:"); ok {
		file, kernel = "add.py", k
	}
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	l := &Launch{File: file, Text: string(text), Kernel: kernel, Grid: grid}
	data := make([]*tensor.Tensor, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case *tensor.Tensor:
			data[i] = a
			l.Args = append(l.Args, Arg{Tensor: &Tensor{DType: a.DType().String(), Shape: a.Shape()}})
		case int:
			n := int64(a)
			l.Args = append(l.Args, Arg{Int: &n})
		case float64:
			l.Args = append(l.Args, Arg{Float: &a})
		}
	}
	p, err := Compile(l)
	return p, data, err
}

// whole runs the launch on whole tensors, without anything of this package but the front end's part.
func whole(t *testing.T, p *Program, data []*tensor.Tensor) []*tensor.Tensor {
	t.Helper()
	out := make([]*tensor.Tensor, len(data))
	args := append([]any(nil), p.args...)
	for i, arg := range p.Tensors {
		if arg >= 0 {
			out[arg] = data[arg].Clone()
			args[i] = out[arg]
		}
	}
	k := exec.From(exec.Lowered{Func: p.lowered, Text: p.text}, exec.Options{Memory: "off"})
	k.Compile()
	if err := k.Launch(exec.Grid(p.grid[:]), args...); err != nil {
		t.Fatal(err)
	}
	return out
}

func clones(data []*tensor.Tensor) []*tensor.Tensor {
	z := make([]*tensor.Tensor, len(data))
	for i, x := range data {
		if x != nil {
			z[i] = x.Clone()
		}
	}
	return z
}

func same(x, y []*tensor.Tensor) bool {
	return slices.EqualFunc(x, y, func(a, b *tensor.Tensor) bool {
		return a == nil && b == nil || bytes.Equal(a.Buf().Bytes(), b.Buf().Bytes())
	})
}

// inPieces runs the launch in pieces of some memory, in any order.
func inPieces(t *testing.T, p *Program, data []*tensor.Tensor, memory int) (out []*tensor.Tensor, pieces []Piece) {
	t.Helper()
	pieces, err := p.Cut(memory, 1)
	if err != nil {
		t.Fatal(err)
	}
	h := &held{t: t, p: p, data: clones(data)}
	for _, i := range rand.Perm(len(pieces)) {
		if n := p.Bytes(pieces[i]); n > memory {
			t.Errorf("piece %d takes %d bytes, more than %d", i, n, memory)
		}
		if err := p.Run(t.Context(), pieces[i], h); err != nil {
			t.Fatalf("piece %+v: %v", pieces[i], err)
		}
	}
	return h.data, pieces
}

func f32(seed int, shape ...int) *tensor.Tensor { return tensor.Randn(seed, tensorFloat32, shape...) }

var tensorFloat32 = tensor.Zeros(tensor.From([]float32{0}).DType()).DType()

func zeros(shape ...int) *tensor.Tensor { return tensor.Zeros(tensorFloat32, shape...) }

// TestPieces: in pieces, a launch leaves the bits that it leaves on whole tensors.
func TestPieces(t *testing.T) {
	ints := func(n, hi int) *tensor.Tensor { return tensor.RandInt(3, tensor.From([]int32{0}).DType(), 0, hi, n) }
	for _, c := range []struct {
		name   string
		kernel string
		grid   []int
		args   []any
		memory int
		least  int // pieces
	}{
		{"element-wise", "add", []int{20}, []any{f32(1, 10007), f32(2, 10007), zeros(10007), 10007, 512}, 30000, 4},
		{"element-wise on rows that blocks do not fit", "add", []int{17},
			[]any{f32(1, 11, 781), f32(2, 11, 781), zeros(11, 781), 11 * 781, 512}, 30000, 3},
		{"Python", "add.py:add", []int{20}, []any{f32(1, 10007), f32(2, 10007), zeros(10007), 10007, 512}, 30000, 4},
		{"softmax", "softmax", []int{37}, []any{f32(1, 37, 781), zeros(37, 781), 781, 1024}, 40000, 5},
		{"layer norm", "layernorm", []int{37},
			[]any{f32(1, 37, 300), f32(2, 300), f32(3, 300), zeros(37, 300), zeros(37), 300, 1e-5, 512}, 20000, 5},
		{"cross entropy", "crossEntropy", []int{40},
			[]any{f32(1, 40, 100), ints(40, 100), zeros(40), 100, 128}, 4200, 4},
		{"product", "matmul", []int{7, 5},
			[]any{f32(1, 210, 100), f32(2, 100, 150), zeros(210, 150), 210, 150, 100, 32, 32, 32}, 100000, 4},
		{"product, columns of pages", "matmul", []int{2, 32},
			[]any{f32(1, 64, 64), f32(2, 64, 2048), zeros(64, 2048), 64, 2048, 64, 32, 64, 32}, 700000, 2},
		{"product in groups", "grouped", []int{35},
			[]any{f32(1, 210, 100), f32(2, 100, 150), zeros(210, 150), 210, 150, 100, 32, 32, 32, 2}, 160000, 2},
		{"Triton's product", "add.py:matmul", []int{24},
			[]any{f32(1, 192, 100), f32(2, 100, 128), zeros(192, 128), 192, 128, 100,
				100, 1, 128, 1, 128, 1, 32, 32, 32, 2}, 140000, 2},
		{"in place", "scale", []int{20}, []any{f32(1, 10007), 10007, 512}, 9000, 4},
		{"places in the grid", "numbered", []int{100}, []any{tensor.Zeros(ints(1, 2).DType(), 100)}, 64, 4},
		{"a table that fits", "gather", []int{64},
			[]any{f32(1, 50, 60), ints(64, 50), zeros(64, 60), 60, 64}, 18000, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, data := launch(t, c.kernel, c.grid, c.args...)
			want, unchanged := whole(t, p, data), clones(data)
			got, pieces := inPieces(t, p, data, c.memory)
			if len(pieces) < c.least {
				t.Errorf("%d pieces, want at least %d", len(pieces), c.least)
			}
			programs := 0
			for _, q := range pieces {
				programs += q.N[0] * q.N[1] * q.N[2]
			}
			if total := p.grid[0] * p.grid[1] * p.grid[2]; programs != total {
				t.Errorf("the pieces have %d programs of %d", programs, total)
			}
			for i, x := range want {
				if x != nil && !bytes.Equal(x.Buf().Bytes(), got[i].Buf().Bytes()) {
					t.Errorf("argument %d differs from that of a run on whole tensors", i)
				}
			}
			before := &held{t: t, p: p, data: data}
			task, err := p.Loader().Load(t.Context(), pieces[len(pieces)-1], before)
			if err != nil {
				t.Fatal(err)
			}
			if err := task.Try(t.Context()); err != nil {
				t.Error("Try:", err)
			}
			if err := task.Save(t.Context(), before); err != nil || !same(data, unchanged) {
				t.Errorf("a trial changes what it is made on: %v", err)
			}
		})
	}
}

// TestRandomSizes: the same for sizes that fit no block, and any memory.
func TestRandomSizes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 25 {
		m, n, k := 1+rng.IntN(150), 1+rng.IntN(150), 1+rng.IntN(90)
		bm, bn, bk := 16<<rng.IntN(2), 16<<rng.IntN(2), 16<<rng.IntN(2)
		rows, cols := (m+bm-1)/bm, (n+bn-1)/bn
		kernel, grid, args := "matmul", []int{rows, cols}, []any{f32(1, m, k), f32(2, k, n), zeros(m, n), m, n, k, bm, bn, bk}
		switch rng.IntN(4) {
		case 0:
			kernel, grid, args = "grouped", []int{rows * cols}, append(args, 1+rng.IntN(3))
		case 1:
			kernel, grid = "add", []int{(m*n + 63) / 64}
			args = []any{f32(1, m, n), f32(2, m, n), zeros(m, n), m * n, 64}
		}
		p, data := launch(t, kernel, grid, args...)
		want := whole(t, p, data)
		for _, memory := range []int{1 << 30, 4*(m*k+k*n+m*n)/2 + 1000} {
			if _, err := p.Cut(memory, 1); err != nil {
				t.Logf("%s of %d %d %d: %v", kernel, m, n, k, err)
				continue
			}
			got, _ := inPieces(t, p, data, memory)
			for i, x := range want {
				if x != nil && !bytes.Equal(x.Buf().Bytes(), got[i].Buf().Bytes()) {
					t.Errorf("%s of %d %d %d by %d %d %d: argument %d differs", kernel, m, n, k, bm, bn, bk, i)
				}
			}
		}
	}
}

// TestRefused: what cannot be cut is refused with its line and a reason, but only if it must be cut.
func TestRefused(t *testing.T) {
	i32 := tensor.From([]int32{0}).DType()
	for _, c := range []struct {
		name   string
		kernel string
		grid   []int
		args   []any
		memory int
		want   []string
	}{
		{"a table that is too large", "gather", []int{64},
			[]any{f32(1, 500, 60), tensor.Zeros(i32, 64), zeros(64, 60), 60, 64}, 20000,
			[]string{"kernels.go:", "tl.Load of gather", "all of table", "data"}},
		{"stores where data says", "scatter", []int{64}, []any{f32(1, 64), tensor.Zeros(i32, 64), zeros(64)}, 300,
			[]string{"kernels.go:", "tl.Store of scatter", "which elements of out", "data"}},
		{"atomics", "total", []int{64},
			[]any{f32(1, 4096), zeros(1), 64}, 4000, []string{"kernels.go:", "tl.AtomicAdd of total", "combine these with add"}},
		{"rows of others", "shift", []int{64},
			[]any{f32(1, 4160), 64}, 4000, []string{"kernels.go:", "tl.Store of shift", "another piece load"}},
		{"one program is too large", "softmax", []int{4},
			[]any{f32(1, 4, 4096), zeros(4, 4096), 4096, 4096}, 4096, []string{"one program needs 32 KiB", "4 KiB"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, data := launch(t, c.kernel, c.grid, c.args...)
			_, err := p.Cut(c.memory, 1)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v, want an *Error", err)
			}
			for _, w := range c.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("no %q in: %v", w, err)
				}
			}
			if _, pieces := inPieces(t, p, data, 1<<30); len(pieces) != 1 {
				t.Errorf("%d pieces where one has memory enough", len(pieces))
			}
		})
	}
}

// TestBounded: a piece's tensors end where they end, and the error names the program by its place in the whole grid.
func TestBounded(t *testing.T) {
	p, data := launch(t, "past", []int{64}, f32(1, 4096), zeros(4096), 64)
	pieces, err := p.Cut(9000, 1)
	if err != nil {
		t.Fatal(err)
	}
	last := pieces[len(pieces)-1]
	if len(pieces) < 4 {
		t.Fatal(pieces)
	}
	err = p.Run(t.Context(), last, &held{t: t, p: p, data: data})
	var e *exec.Error
	if !errors.As(err, &e) || e.Program[0] != 63 || len(e.Program) != 1 || e.Kernel != "past" {
		t.Errorf("got %v, want the last program of past to fail", err)
	}
}

// TestCheck: the sanitizers see a program of a piece as it is in the whole launch.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		kernel string
		grid   []int
		args   []any
	}{
		{"softmax", []int{37}, []any{f32(1, 37, 781), zeros(37, 781), 781, 1024}},
		{"matmul", []int{7, 5}, []any{f32(1, 210, 100), f32(2, 100, 150), zeros(210, 150), 210, 150, 100, 32, 32, 32}},
	} {
		p, data := launch(t, c.kernel, c.grid, c.args...)
		pieces, err := p.Cut(100000, 1)
		if err != nil {
			t.Fatal(err)
		}
		task, err := p.Loader().Load(t.Context(), pieces[len(pieces)-1], &held{t: t, p: p, data: data})
		if err != nil {
			t.Fatal(err)
		}
		if err := task.Check(t.Context()); err != nil {
			t.Errorf("%s: %v", c.kernel, err)
		}
	}
}
