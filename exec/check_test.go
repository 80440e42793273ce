package exec_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func doubled(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
	offs := tl.Arange(0, B).Add(p.ID(0) * B)
	m := offs.Lt(n)
	tl.Store(out.Add(offs), tl.Load(x.Add(offs), tl.Mask(m)).Mul(2), tl.Mask(m))
}

func doubledRef(x, out *tensor.Tensor, n, _ int) {
	for i := range n {
		out.Set(2*x.Float(i), i)
	}
}

func unmaskedDouble(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
	offs := tl.Arange(0, B).Add(p.ID(0) * B)
	tl.Store(out.Add(offs), tl.Load(x.Add(offs)).Mul(2), tl.Mask(offs.Lt(n)))
}

// The caller's tensors change when nothing is wrong, or when that is asked for.
func TestCheckCommits(t *testing.T) {
	for _, c := range []struct {
		name   string
		kernel any
		n      int
		commit exec.Commit
		want   bool
	}{
		{"clean", doubled, 20, exec.CommitClean, true},
		{"clean, never", doubled, 20, exec.CommitNever, false},
		{"failed", unmaskedDouble, 20, exec.CommitClean, false},
		{"failed, always", unmaskedDouble, 20, exec.CommitAlways, true},
		{"a warning", unmaskedDouble, 32, exec.CommitClean, true},
	} {
		x, out := tensor.Ones(tl.Float32, c.n), tensor.Empty(tl.Float32, c.n)
		r, err := exec.New(c.kernel, exec.Options{Check: exec.CheckOptions{Commit: c.commit}}).Check(exec.Grid{2}, x, out, c.n, 16)
		if r == nil || (err == nil) != r.OK {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := !out.Undefined(); got != c.want {
			t.Errorf("%s: committed %v, want %v\n%s", c.name, got, c.want, r)
		}
		if x.Float(3) != 1 {
			t.Errorf("%s: the input changed", c.name)
		}
	}
}

func TestCheckErrors(t *testing.T) {
	x, out := tensor.Ones(tl.Float32, 20), tensor.Zeros(tl.Float32, 20)
	r, err := exec.New(unmaskedDouble).Check(exec.Grid{2}, x, out, 20, 16)
	if err == nil || r == nil || r.OK || !strings.Contains(err.Error(), "unmaskedDouble: check failed: check_test.go:") || !strings.Contains(err.Error(), "out-of-bounds: tl.Load: lane [4] of [16] is x[20]") {
		t.Errorf("%v\n%s", err, r)
	}
	for _, c := range []struct {
		name string
		k    *exec.Kernel
		args []any
		want string
	}{
		{"arguments", exec.New(doubled), []any{x, out}, "got 2 arguments, want 4"},
		{"kernel", exec.New(3), nil, "got int, want a kernel"},
		{"reference", exec.New(doubled).Against(func(x *tensor.Tensor) {}), []any{x, out, 20, 16}, "Against: the reference is func(*tensor.Tensor)"},
		{"not a reference", exec.New(doubled).Against(7), []any{x, out, 20, 16}, "Against: got int, want a function"},
	} {
		if r, err := c.k.Check(exec.Grid{2}, c.args...); r != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v", c.name, r, err)
		}
	}
}

func TestCheckReference(t *testing.T) {
	x := tensor.Rand(1, tl.Float32, 20)
	if r, err := exec.New(doubled).Against(doubledRef).Check(exec.Grid{2}, x, tensor.Empty(tl.Float32, 20), 20, 16); err != nil || r.Times.Reference == 0 {
		t.Errorf("%v\n%s", err, r)
	}
	wide := exec.Options{Check: exec.CheckOptions{Tolerance: &tensor.Tolerance{Abs: 10}}}
	off := func(x, out *tensor.Tensor, n, b int) { doubledRef(x, out, n, b); out.Set(9, 3) }
	if _, err := exec.New(doubled, wide).Against(off).Check(exec.Grid{2}, x, tensor.Empty(tl.Float32, 20), 20, 16); err != nil {
		t.Error(err)
	}
	r, err := exec.New(doubled).Against(off).Check(exec.Grid{2}, x, tensor.Empty(tl.Float32, 20), 20, 16)
	if fs := r.Of(check.Reference); err == nil || len(fs) != 1 || !slices.Equal(fs[0].Index, []int{3}) || !slices.Equal(fs[0].PID, []int{0}) || fs[0].Pos.Line == 0 {
		t.Errorf("%v\n%s", err, r)
	}
	panics := func(x, out *tensor.Tensor, n, b int) { panic("no") }
	if _, err := exec.New(doubled).Against(panics).Check(exec.Grid{2}, x, tensor.Empty(tl.Float32, 20), 20, 16); err == nil || !strings.Contains(err.Error(), "the reference panicked: no") {
		t.Error(err)
	}
}

// What is recognised as a size, and what of it is tried, is in the report.
func TestCheckSizes(t *testing.T) {
	ones := func(n ...int) *tensor.Tensor { return tensor.Ones(tl.Float32, n...) }
	cdiv := exec.GridFn(func(m exec.Meta) exec.Grid { return exec.Grid{tl.Cdiv(m["n"], m["B"])} })
	for _, c := range []struct {
		name   string
		kernel any
		opts   exec.CheckOptions
		grid   exec.Space
		args   []any
		want   string
	}{
		{"a literal grid", doubled, exec.CheckOptions{}, exec.Grid{2}, []any{ones(20), ones(20), 20, 16}, "n: 20 → 19; n: 20 → 21; n: 20 → 15; n: 20 → 17; n: 20 → 1"},
		{"a grid function", doubled, exec.CheckOptions{}, cdiv, []any{ones(20), ones(20), 20, 16}, "n: 20 → 19; n: 20 → 21; n: 20 → 15; n: 20 → 17; n: 20 → 1"},
		{"a grid function of the host's own", doubled, exec.CheckOptions{}, exec.GridFn(func(exec.Meta) exec.Grid { return exec.Grid{2} }), []any{ones(20), ones(20), 20, 16}, "n: 20 → 19; n: 20 → 21; n: 20 → 15; n: 20 → 17; n: 20 → 1"},
		{"none", doubled, exec.CheckOptions{}, exec.Grid{1}, []any{ones(20), ones(20), 10, 16}, ""},
		{"kept by name", doubled, exec.CheckOptions{Sizes: map[string]string{"n": ""}}, exec.Grid{2}, []any{ones(20), ones(20), 20, 16}, ""},
		{"given by name", doubled, exec.CheckOptions{Sizes: map[string]string{"n": "x.Dim(0)"}}, exec.Grid{2}, []any{ones(20), ones(21), 20, 16}, "n: 20 → 19; n: 20 → 21; n: 20 → 17"},
		{"a dimension with the block's value", doubled, exec.CheckOptions{}, exec.Grid{1}, []any{ones(16, 2), ones(16, 2), 16, 16}, "n: 16 → 15; n: 16 → 1"},
		{"the length of a matrix", doubled, exec.CheckOptions{Sizes: nil}, exec.Grid{2}, []any{ones(5, 4), ones(5, 4), 20, 16}, ""},
	} {
		r, err := exec.New(c.kernel, exec.Options{Check: c.opts}).Check(c.grid, c.args...)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := strings.Join(r.Varied.Tried, "; "); got != c.want {
			t.Errorf("%s: tried %q, want %q\n%s", c.name, got, c.want, r)
		}
		if c.want == "" && r.Varied.Why == "" {
			t.Errorf("%s: the report does not say why nothing was tried", c.name)
		}
	}
}

// The tutorial's product in blocks is right for its sizes, and wrong for others.
func TestCheckVariesOobMatmul(t *testing.T) {
	x, y := tensor.Rand(1, tl.Float16, 32, 64), tensor.Rand(2, tl.Float16, 64, 48)
	ref := func(x, y, out *tensor.Tensor, _, _, _, _, _, _, _ int) { matmulInto(x, y, out) }
	loose := &tensor.Tolerance{Rel: 1e-3, Abs: 1e-3}
	grid := exec.GridFn(func(m exec.Meta) exec.Grid {
		return exec.Grid{tl.Cdiv(m["x_rows"], m["BLOCK_SIZE_X"]), tl.Cdiv(m["y_cols"], m["BLOCK_SIZE_Y"])}
	})
	r, err := exec.New(blockMatmul, exec.Options{Check: exec.CheckOptions{Tolerance: loose}}).Against(ref).
		Check(grid, x, y, tensor.Zeros(tl.Float32, 32, 48), 32, 64, 64, 48, 16, 16, 32)
	if err != nil || !r.OK || !r.Failed() {
		t.Fatalf("%v\n%s", err, r)
	}
	warned := map[string]bool{}
	for _, f := range r.Findings {
		if f.Severity == check.Warning {
			warned[string(f.Kind)+" "+f.Tensor] = true
		}
	}
	if !warned["out-of-bounds x_ptr"] || !warned["out-of-bounds y_ptr"] || len(warned) != 2 {
		t.Errorf("warned of %v\n%s", warned, r)
	}
}

func TestCheckSamples(t *testing.T) {
	const n = 1 << 16
	x, out := tensor.Ones(tl.Float32, n), tensor.Zeros(tl.Float32, n)
	o := exec.Options{Check: exec.CheckOptions{Programs: 10, NoVariations: true}}
	r, err := exec.New(doubled, o).Check(exec.Grid{n / 16}, x, out, n, 16)
	if err != nil || r.Ran != 10 || r.Programs != n/16 {
		t.Errorf("%v, ran %d of %d", err, r.Ran, r.Programs)
	}
	// The last program is among them.
	r, err = exec.New(unmaskedDouble, o).Check(exec.Grid{n/16 + 1}, x, out, n, 16)
	if fs := r.Of(check.OutOfBounds); err == nil || len(fs) != 1 || fs[0].PID[0] != n/16 {
		t.Errorf("%v\n%s", err, r)
	}
	// So are those that are asked for.
	o.Check = exec.CheckOptions{At: [][]int{{5}, {n / 16}}}
	r, err = exec.New(unmaskedDouble, o).Check(exec.Grid{n/16 + 1}, x, out, n, 16)
	if fs := r.Of(check.OutOfBounds); err == nil || r.Ran != 2 || len(fs) != 1 || fs[0].PID[0] != n/16 {
		t.Errorf("%v\n%s", err, r)
	}
	if r, err = exec.New(doubled, o).Check(exec.Grid{n / 16}, x, out, n, 16); r != nil || err == nil || !strings.Contains(err.Error(), "no program (4096) in grid (4096)") {
		t.Errorf("a place outside: %v", err)
	}
	o.Check = exec.CheckOptions{Budget: time.Nanosecond}
	if r, err = exec.New(doubled, o).Check(exec.Grid{n / 16}, x, out, n, 16); err != nil || r.Ran == 0 || r.Ran == r.Programs || r.Varied.Why == "" {
		t.Errorf("%v, ran %d of %d", err, r.Ran, r.Programs)
	}
}

func TestCheckEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	x, out := tensor.Ones(tl.Float32, 20), tensor.Zeros(tl.Float32, 20)
	r, err := exec.New(doubled).CheckContext(ctx, exec.Grid{2}, x, out, 20, 16)
	if r == nil || r.OK || err == nil || !strings.Contains(err.Error(), "canceled") {
		t.Errorf("%v\n%s", err, r)
	}
	forever := func(p *tl.Program, x tl.Ptr) {
		for tl.Load(x).Float() > 0 {
		}
	}
	_, err = exec.New(forever, exec.Options{Timeout: 20 * time.Millisecond}).Check(exec.Grid{1}, x)
	if err == nil || !strings.Contains(err.Error(), "deadline") {
		t.Error(err)
	}
}

// A program that does not come to memory is stopped by its interpreter; the others are not
// begun.
func TestCheckStops(t *testing.T) {
	for name, c := range map[string]struct {
		opts    exec.Options
		endless int
		want    string
	}{
		"over the budget": {exec.Options{Check: exec.CheckOptions{Budget: 1}}, 1, "endless: the program does not end"},
		"over the time":   {exec.Options{Timeout: 10 * time.Millisecond, Check: exec.CheckOptions{Budget: time.Second}}, 0, "deadline"},
	} {
		var stop, resumed atomic.Bool
		spins := func(p *tl.Program, x tl.Ptr) {
			for p.Line = 7; !stop.Load(); {
			}
		}
		text := exec.Text{Stop: func() func() {
			stop.Store(true)
			return func() { resumed.Store(true) }
		}}
		r, err := exec.New(spins, c.opts, text).Check(exec.Grid{3}, tensor.Ones(tl.Float32, 4))
		if err == nil || !strings.Contains(err.Error(), c.want) || r.Ran != c.endless || !resumed.Load() {
			t.Errorf("%s: %v, resumed %v\n%s", name, err, resumed.Load(), r)
			continue
		}
		if fs := r.Of(check.Endless); len(fs) != c.endless || len(fs) > 0 && fs[0].Pos.Line != 7 {
			t.Errorf("%s: %+v", name, fs)
		}
	}
}

// Tensors without memory: the corners of a grid of 10^8 programs.
func TestCheckVirtual(t *testing.T) {
	const n = 160000
	kernel := func(p *tl.Program, x tl.Ptr, cols int, B tl.Const) {
		i, j := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, B).Add(p.ID(1)*B)
		tl.Store(x.Add(i.Col().Mul(cols).Add(j.Row())), 1.0)
	}
	x := tensor.Virtual(tl.Float32, n, n)
	k := exec.New(kernel)
	r, err := k.Check(exec.Grid{n / 16, n / 16}, x, n, 16)
	fs := r.Of(check.Overflow)
	if err == nil || len(fs) != 1 || r.Count(check.Error) != 1 || r.Ran != 25 || r.Programs != n/16*n/16 {
		t.Errorf("%v\n%s", err, r)
	}
	for _, run := range []func() error{
		func() error { return k.Launch(exec.Grid{1}, x, n, 16) },
		func() error { _, err := k.Promote(exec.Grid{1}, x, n, 16); return err },
	} {
		if err := run(); err == nil || !strings.Contains(err.Error(), "is virtual: it has a shape but no memory") {
			t.Error(err)
		}
	}
}

// A report says the same each time, whatever else runs.
func TestCheckDeterministic(t *testing.T) {
	texts := make([]string, 4)
	var wg sync.WaitGroup
	for i := range texts {
		wg.Go(func() {
			x, y := tensor.Rand(1, tl.Float16, 33, 40), tensor.Rand(2, tl.Float16, 40, 21)
			r, _ := exec.New(blockMatmul, exec.Options{Output: io.Discard}).Check(exec.Grid{3, 2}, x, y, tensor.Zeros(tl.Float32, 33, 21), 33, 40, 40, 21, 16, 16, 32)
			r.Times = check.Times{}
			text, err := json.Marshal(r)
			if err != nil {
				t.Error(err)
			}
			texts[i] = string(text)
		})
	}
	wg.Wait()
	for _, s := range texts[1:] {
		if s != texts[0] {
			t.Errorf("two reports differ:\n%s\n%s", texts[0], s)
		}
	}
}

// A kernel that ends its goroutine, or panics, fails; the other programs are checked all
// the same.
func TestCheckGoesOn(t *testing.T) {
	cause := errors.New("cause")
	kernel := func(p *tl.Program, out tl.Ptr) {
		if p.ID(0) == 1 {
			panic(cause)
		}
		tl.Store(out.Add(p.ID(0)), 1.0)
	}
	r, err := exec.New(kernel).Check(exec.Grid{4}, tensor.Zeros(tl.Float32, 3))
	if err == nil || r.Ran != 4 || len(r.Of(check.Fault)) != 1 || r.Of(check.Fault)[0].Pos.Line == 0 || len(r.Of(check.OutOfBounds)) != 1 {
		t.Errorf("%v\n%s", err, r)
	}
}

// Sizes that have a block's value are varied all the same, where that can be told from
// what it is to the kernel.
func TestCheckSizesLikeBlocks(t *testing.T) {
	heads := func(p *tl.Program, q, out tl.Ptr, n, stride int, B, D tl.Const) {
		i, d := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, D)
		m := i.Col().Lt(n)
		offs := i.Col().Mul(stride).Add(d.Row())
		tl.Store(out.Add(offs), tl.Load(q.Add(offs), tl.Mask(m)), tl.Mask(m))
	}
	ones := func(n ...int) *tensor.Tensor { return tensor.Ones(tl.Float32, n...) }
	for _, c := range []struct {
		name     string
		kernel   any
		grid     exec.Grid
		args     []any
		tried    string
		warnings int
	}{
		{"a stride is no size", heads, exec.Grid{3}, []any{ones(40, 32), ones(40, 32), 40, 32, 16, 32}, "n: 40 → 39; n: 40 → 41; n: 40 → 15; n: 40 → 17; n: 40 → 31; n: 40 → 33", 0},
		{"a size and a block in one tensor", heads, exec.Grid{2}, []any{ones(32, 32), ones(32, 32), 32, 32, 16, 32}, "n: 32 → 31; n: 32 → 17", 0},
		{"sizes of a product in blocks", blockMatmul, exec.Grid{2, 2}, []any{ones(32, 64), ones(64, 32), ones(32, 32), 32, 64, 64, 32, 16, 16, 32},
			"x_rows = y_cols: 32 → 31; x_rows = y_cols: 32 → 17; x_cols = y_rows: 64 → 63; x_cols = y_rows: 64 → 33", 2},
		{"blocks of a product in blocks", blockMatmul, exec.Grid{1, 1}, []any{ones(16, 32), ones(32, 16), ones(16, 16), 16, 32, 32, 16, 16, 16, 32},
			"x_rows = y_cols: 16 → 15; x_rows = y_cols: 16 → 1; x_cols = y_rows: 32 → 31; x_cols = y_rows: 32 → 15; x_cols = y_rows: 32 → 17; x_cols = y_rows: 32 → 1", 2},
	} {
		r, err := exec.New(c.kernel).Check(c.grid, c.args...)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := strings.Join(r.Varied.Tried, "; "); got != c.tried || r.Count(check.Warning) != c.warnings {
			t.Errorf("%s: tried %q, %d warnings; want %q, %d\n%s", c.name, got, r.Count(check.Warning), c.tried, c.warnings, r)
		}
	}
}
