package exec_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// layerNorm normalises a row per program: loads, reductions, math, stores.
func layerNorm(p *tl.Program, x, out tl.Ptr, cols int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK)
	mask := tl.Mask(offs.Lt(cols))
	row := tl.Load(x.Add(p.ID(0)*cols).Add(offs), mask, tl.Other(0))
	mean := tl.Sum(row).Div(float64(cols))
	d := tl.Where(offs.Lt(cols), row.Sub(mean), 0)
	y := d.Mul(tl.Rsqrt(tl.Sum(d.Mul(d)).Div(float64(cols)).Add(1e-5)))
	tl.Store(out.Add(p.ID(0)*cols).Add(offs), y, mask)
}

// TestSameBits runs kernels with one worker and many, in any order: the bits do not
// change.
func TestSameBits(t *testing.T) {
	const rows, cols = 97, 200
	x, y := tensor.Randn(1, tl.Float32, rows, cols), tensor.Randn(2, tl.Float32, cols, 60)
	launches := map[string]func(o exec.Options) (*tensor.Tensor, error){
		"layerNorm": func(o exec.Options) (*tensor.Tensor, error) {
			out := tensor.Zeros(tl.Float32, rows, cols)
			return out, exec.New(layerNorm, o).Launch(exec.Grid{rows}, x, out, cols, 256)
		},
		"matmul": func(o exec.Options) (*tensor.Tensor, error) {
			out, yt := tensor.Zeros(tl.Float16, rows, 60), y
			padX, padY := tensor.Zeros(tl.Float32, 112, cols), tensor.Zeros(tl.Float32, 224, 64)
			padX.Slice(0, 0, rows).CopyFrom(x)
			padY.Slice(0, 0, cols).Slice(1, 0, 60).CopyFrom(yt)
			wide := tensor.Zeros(tl.Float16, 112, 64)
			err := exec.New(matmulBlocks, o).Launch(exec.Grid{7, 4}, padX, padY, wide, 112, cols, 224, 64, 16, 16, 32)
			out.CopyFrom(wide.Slice(0, 0, rows).Slice(1, 0, 60))
			return out, err
		},
	}
	for name, launch := range launches {
		want, err := launch(exec.Options{Workers: 1})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, o := range []exec.Options{{}, {Workers: 3}, {Workers: 64}, {Shuffle: 1}, {Shuffle: 2, Workers: 5}, {Shuffle: 3, Workers: 1}, {Engine: "interpreted", Workers: -1}} {
			got, err := launch(o)
			if err != nil || !tensor.Equal(got, want) {
				t.Errorf("%s with %+v: %v, the same bits: %v", name, o, err, err == nil && tensor.Equal(got, want))
			}
		}
	}
}

// TestEveryProgramOnce counts programs, in one, two and three dimensions, in order and
// shuffled.
func TestEveryProgramOnce(t *testing.T) {
	for _, g := range []exec.Grid{{1}, {2}, {7}, {100}, {3, 5}, {4, 3, 2}, {1, 1, 9}} {
		for _, o := range []exec.Options{{}, {Workers: 1}, {Shuffle: 7}, {Shuffle: 8, Workers: 4}} {
			num := [3]int{1, 1, 1}
			copy(num[:], g)
			x := tensor.Zeros(tl.Int32, num[2], num[1], num[0])
			k := exec.New(func(p *tl.Program, x tl.Ptr) {
				tl.AtomicAdd(x.Add((p.ID(2)*p.Num(1)+p.ID(1))*p.Num(0)+p.ID(0)), 1)
			}, o)
			if err := k.Launch(g, x); err != nil {
				t.Fatal(err)
			}
			for i, v := range x.Ints() {
				if v != 1 {
					t.Errorf("grid %v with %+v: program %d ran %d times", g, o, i, v)
				}
			}
		}
	}
}

// TestOrderOfManyPrograms is the shuffle of a grid too large for a list.
func TestOrderOfManyPrograms(t *testing.T) {
	var count, sum atomic.Int64
	const n = 1<<20 + 7
	if os.Getenv("TILER_LONG") == "" {
		t.Skip("a million programs: TILER_LONG=1 runs them")
	}
	k := exec.New(func(p *tl.Program) { count.Add(1); sum.Add(int64(p.ID(0))) }, exec.Options{Shuffle: 3})
	if err := k.Launch(exec.Grid{n}); err != nil {
		t.Fatal(err)
	}
	if count.Load() != n || sum.Load() != n*(n-1)/2 {
		t.Errorf("%d programs, sum of ids %d", count.Load(), sum.Load())
	}
}

// TestLowestFailure: the error is that of the lowest failing program id among those
// that ran, whichever failed first.
func TestLowestFailure(t *testing.T) {
	var gate sync.WaitGroup
	gate.Add(2)
	k := exec.New(func(p *tl.Program) {
		if id := p.ID(0); id < 2 { // both fail, after both have begun
			gate.Done()
			gate.Wait()
			time.Sleep(time.Duration(1-id) * 20 * time.Millisecond) // 1 first
			panic(fmt.Sprint("program ", id))
		}
	}, exec.Options{Workers: 2})
	err := k.Launch(exec.Grid{100})
	var e *exec.Error
	if !errors.As(err, &e) || e.Program[0] != 0 || !strings.Contains(err.Error(), "program 0") {
		t.Errorf("got %v, want the failure of program 0", err)
	}
	var ran atomic.Int64
	err = exec.New(func(p *tl.Program) {
		ran.Add(1)
		if p.ID(0) == 3 {
			panic("stop")
		}
	}, exec.Options{Workers: 1}).Launch(exec.Grid{1 << 30})
	if !errors.As(err, &e) || e.Program[0] != 3 || ran.Load() != 4 {
		t.Errorf("%d programs ran, %v", ran.Load(), err)
	}
}

func TestContexts(t *testing.T) {
	wait := exec.New(func(p *tl.Program, x tl.Ptr) {
		for tl.Load(x).Int() == 0 { // for ever
		}
	})
	x := tensor.Zeros(tl.Int32, 1)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	err := wait.LaunchContext(cancelled, exec.Grid{5}, x)
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "launch ended early, 0 of 5 programs done") {
		t.Errorf("cancelled before: %v", err)
	}
	later, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if err := wait.LaunchContext(later, exec.Grid{5}, x); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("deadline: %v", err)
	}
	for _, workers := range []int{1, 3} {
		k := wait.With(exec.Options{Timeout: 20 * time.Millisecond, Workers: workers})
		if err := k.Launch(exec.Grid{5}, x); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Options.Timeout with %d workers: %v", workers, err)
		}
	}
	var none context.Context
	if err := exec.New(layerNorm).LaunchContext(none, exec.Grid{1}, tensor.Zeros(tl.Float32, 8), tensor.Zeros(tl.Float32, 8), 8, 8); err != nil {
		t.Errorf("a nil context: %v", err)
	}
	if err := wait.With(exec.Options{Timeout: time.Hour}).Launch(exec.Grid{0}, x); err != nil {
		t.Errorf("an empty grid: %v", err)
	}
}

// TestSpinsAreCancelled: a kernel that waits for ever for another program (a spin lock,
// a flag that nobody sets) ends when its launch does, through every kind of access.
func TestSpinsAreCancelled(t *testing.T) {
	for name, kernel := range map[string]func(p *tl.Program, x tl.Ptr){
		"lock": func(p *tl.Program, x tl.Ptr) {
			for tl.AtomicCAS(x, 0, 1).Int() != 2 {
			}
		},
		"store": func(p *tl.Program, x tl.Ptr) {
			for {
				tl.Store(x.Add(p.ID(0)), 1)
			}
		},
		"descriptor": func(p *tl.Program, x tl.Ptr) {
			for d := tl.MakeDesc(x, []int{1}, []int{1}, []int{4}); ; {
				d.Load(0)
			}
		},
		"one that recovers": func(p *tl.Program, x tl.Ptr) {
			defer func() { recover(); tl.Load(x) }()
			for {
				tl.Load(x)
			}
		},
	} {
		k := exec.New(kernel, exec.Options{Workers: 2, Timeout: 20 * time.Millisecond})
		err := k.Launch(exec.Grid{1 << 30}, tensor.Zeros(tl.Int32, 8))
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestProgress(t *testing.T) {
	var last, calls int
	k := exec.New(func(p *tl.Program) {}, exec.Options{Progress: func(done, total int) {
		calls++ // from one goroutine at a time
		if total != 1000 || done > total {
			t.Errorf("%d of %d", done, total)
		}
		last = max(last, done)
	}})
	if err := k.Launch(exec.Grid{10, 100}); err != nil {
		t.Fatal(err)
	}
	if last != 1000 || calls > 100 {
		t.Errorf("%d calls, the last at %d", calls, last)
	}
}

// TestViews: a kernel can reach the view it is given and nothing beside it.
func TestViews(t *testing.T) {
	fill := exec.New(func(p *tl.Program, x tl.Ptr, n, stride int) {
		tl.Store(x.Add(tl.Arange(0, 8).Mul(stride)), 7, tl.Mask(tl.Arange(0, 8).Lt(n)))
	})
	x := tensor.Zeros(tl.Int32, 4, 6)
	if err := fill.Launch(exec.Grid{1}, x.Slice(0, 1, 2), 6, 1); err != nil {
		t.Error(err)
	}
	if err := fill.Launch(exec.Grid{1}, x.Slice(1, 2, 3), 4, 6); err != nil {
		t.Error(err)
	}
	if err := fill.Launch(exec.Grid{1}, x.Slice(0, 1, 2), 7, 1); err == nil || !strings.Contains(err.Error(), "x[0,6], 1 element past the end of x") && !strings.Contains(err.Error(), "x[1,0]") {
		t.Errorf("beyond a row: %v", err)
	}
	if err := fill.Launch(exec.Grid{1}, x.Slice(1, 2, 3), 3, 1); err == nil || !strings.Contains(err.Error(), "between the elements of this view") {
		t.Errorf("between the elements of a column: %v", err)
	}
	want := []int{0, 0, 7, 0, 0, 0, 7, 7, 7, 7, 7, 7, 0, 0, 7, 0, 0, 0, 0, 0, 7, 0, 0, 0}
	if got := x.Ints(); fmt.Sprint(got[:6], got[12:]) != fmt.Sprint(want[:6], want[12:]) {
		t.Errorf("got %v, want %v", got, want)
	}
	repeated := tensor.Zeros(tl.Int32, 1).Expand(8) // every element the same memory
	if err := fill.Launch(exec.Grid{1}, repeated, 8, 0); err != nil {
		t.Errorf("a repeated element: %v", err)
	}
	if err := fill.Launch(exec.Grid{1}, tensor.Zeros(tl.Int32, 0), 1, 1); err == nil || !strings.Contains(err.Error(), "x[0], 1 element past the end of x") {
		t.Errorf("an empty tensor: %v", err)
	}
	if err := fill.Launch(exec.Grid{1}, tensor.Zeros(tl.Int32, 0), 0, 1); err != nil {
		t.Errorf("an empty tensor, masked: %v", err)
	}
	if err := fill.Launch(exec.Grid{1}, tensor.Zeros(tl.Int32), 1, 1); err != nil {
		t.Errorf("a tensor of rank 0: %v", err)
	}
}

// TestLaunchesDefine: what a launch stored counts as written.
func TestLaunchesDefine(t *testing.T) {
	out := tensor.Empty(tl.Float32, 98)
	x := tensor.Rand(1, tl.Float32, 98)
	if err := exec.New(addVectors).Launch(exec.Grid{2}, x, x, out, 90, 64); err != nil {
		t.Fatal(err)
	}
	if out.Slice(0, 0, 90).Undefined() || !out.Slice(0, 90, 91).Undefined() {
		t.Error("the elements that were stored, and no others, should count as written")
	}
}

// TestKernelsTogether launches one kernel from many goroutines.
func TestKernelsTogether(t *testing.T) {
	k := exec.New(addVectors)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			x, y := tensor.Randn(i, tl.Float32, 500), tensor.Randn(i+100, tl.Float32, 500)
			out := tensor.Zeros(tl.Float32, 500)
			if err := k.Launch(exec.GridFn(func(m exec.Meta) exec.Grid { return exec.Grid{tl.Cdiv(m["n"], m["BLOCK"])} }), x, y, out, 500, 64); err != nil {
				t.Error(err)
			}
			for j := range 500 {
				if got, want := float32(out.Float(j)), float32(x.Float(j))+float32(y.Float(j)); got != want {
					t.Errorf("launch %d element %d: %v, want %v", i, j, got, want)
					return
				}
			}
		})
	}
	wg.Wait()
}

// TestHugeGrid is a grid that would run for years: it ends when its context does.
func TestHugeGrid(t *testing.T) {
	for _, o := range []exec.Options{{}, {Shuffle: 1}} {
		o.Timeout = 10 * time.Millisecond
		err := exec.New(func(p *tl.Program) {}, o).Launch(exec.Grid{1<<31 - 1, 1<<31 - 1})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	}
}
