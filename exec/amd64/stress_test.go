package amd64_test

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"runtime/pprof"
	"runtime/trace"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// stressText is the source of the kernels below, for where this file is not found.
//
//go:embed stress_test.go
var stressText string

func stressAdd(p *tl.Program, x, y, out tl.Ptr, n int, BLOCK tl.Const) {
	at := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	m := tl.Mask(at.Lt(n))
	tl.Store(out.Add(at), tl.Load(x.Add(at), m).Add(tl.Load(y.Add(at), m)), m)
}

// stressBlocks is the tutorial's "better matmul", of any dtype whose products are summed
// in TYPE, by tiles if CHAIN says so.
func stressBlocks(p *tl.Program, x, y, out tl.Ptr, rows, inner, cols int, TYPE tl.DType, BX, BY, BK tl.Const, CHAIN string) {
	r, c, k := tl.Arange(0, BX).Add(p.ID(0)*BX), tl.Arange(0, BY).Add(p.ID(1)*BY), tl.Arange(0, BK)
	acc := tl.Zeros(TYPE, BX, BY)
	for i := range tl.Cdiv(inner, BK) {
		at := k.Add(i * BK)
		a := tl.Load(x.Add(r.Mul(inner).Col().Add(at.Row())), tl.Mask(r.Col().Lt(rows).And(at.Row().Lt(inner))), tl.Other(0))
		b := tl.Load(y.Add(at.Mul(cols).Col().Add(c.Row())), tl.Mask(at.Col().Lt(inner).And(c.Row().Lt(cols))), tl.Other(0))
		if CHAIN == "tiles" {
			acc = acc.Add(tl.Dot(a, b, tl.BF16Tiles))
		} else {
			acc = acc.Add(tl.Dot(a, b))
		}
	}
	tl.Store(out.Add(r.Mul(cols).Col().Add(c.Row())), acc, tl.Mask(r.Col().Lt(rows).And(c.Row().Lt(cols))))
}

func stressSoftmax(p *tl.Program, x, out tl.Ptr, cols int, BLOCK tl.Const) {
	at := tl.Arange(0, BLOCK)
	m := tl.Mask(at.Lt(cols))
	v := tl.Load(x.Add(p.ID(0)*cols).Add(at), m, tl.Other(math.Inf(-1)))
	e := tl.Exp(v.Sub(tl.Max(v, tl.Axis(0))))
	tl.Store(out.Add(p.ID(0)*cols).Add(at), e.Div(tl.Sum(e, tl.Axis(0))), m)
}

func stressAttention(p *tl.Program, q, k, v, out tl.Ptr, n int, HEAD, BM, BN tl.Const) {
	rows, dims := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, HEAD)
	at := rows.Col().Mul(HEAD).Add(dims.Row())
	here := tl.Mask(rows.Col().Lt(n))
	queries := tl.Load(q.Add(at), here, tl.Other(0))
	highest, total := tl.Full(tl.Float32, math.Inf(-1), BM), tl.Zeros(tl.Float32, BM)
	acc := tl.Zeros(tl.Float32, BM, HEAD)
	for start := 0; start < n; start += BN {
		keys := tl.Arange(0, BN).Add(start)
		keyT := tl.Load(k.Add(dims.Col().Add(keys.Row().Mul(HEAD))), tl.Mask(keys.Row().Lt(n)), tl.Other(0))
		scores := tl.Where(keys.Row().Lt(n), tl.Dot(queries, keyT).Mul(0.125), math.Inf(-1))
		before := highest
		highest = tl.Maximum(highest, tl.Max(scores, tl.Axis(1)))
		weights, shrink := tl.Exp(scores.Sub(highest.Col())), tl.Exp(before.Sub(highest))
		total = total.Mul(shrink).Add(tl.Sum(weights, tl.Axis(1)))
		values := tl.Load(v.Add(keys.Col().Mul(HEAD).Add(dims.Row())), tl.Mask(keys.Col().Lt(n)), tl.Other(0))
		acc = acc.Mul(shrink.Col()).Add(tl.Dot(weights, values))
	}
	tl.Store(out.Add(at), acc.Div(total.Col()), here)
}

// stressSort leaves machine code for Go's sort, and comes back.
func stressSort(p *tl.Program, x, out tl.Ptr, BLOCK tl.Const) {
	at := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	tl.Store(out.Add(at), tl.Sort(tl.Load(x.Add(at)).Mul(2)).Add(1))
}

// stressLarge is one program whose tile takes long.
func stressLarge(p *tl.Program, x, out tl.Ptr, BLOCK tl.Const) {
	at := tl.Arange(0, BLOCK)
	v := tl.Load(x.Add(at))
	tl.Store(out.Add(at), tl.Erf(tl.Sin(v)).Add(tl.Atan2(v, tl.Cos(v))))
}

// stressEndless goes round n times.
func stressEndless(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) {
	at := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	v := tl.Load(x.Add(at))
	for range n {
		v = v.Mul(0.5).Add(1)
	}
	tl.Store(out.Add(at), v)
}

// A stressor is a promoted kernel with a launch of it. What it leaves is in the last of
// its tensors.
type stressor struct {
	name    string
	kernel  *exec.Kernel
	grid    exec.Grid
	args    []any
	endless []any // arguments with which it does not end
	want    []byte
}

// stressors is a launch of each of the kernels above, which it promotes for the types of each
// launch: none is left to be proved in the interpreter, where the race detector keeps the
// collector waiting.
func stressors(t *testing.T) (list []*stressor) {
	t.Helper()
	seed := 0
	f := func(d tl.DType, size ...int) *tensor.Tensor { seed++; return tensor.Rand(seed, d, size...) }
	bytes := func(size ...int) *tensor.Tensor { seed++; return tensor.RandInt(seed, tl.Int8, -128, 128, size...) }
	kernels := map[string]*exec.Kernel{}
	add := func(name string, fn any, grid exec.Grid, args ...any) *stressor {
		k := kernels[name]
		if k == nil {
			k = exec.New(fn, exec.Options{Memory: "off", Workers: 2}, exec.Source(stressText, name))
			kernels[name] = k
		}
		if _, err := k.Promote(grid, args...); err != nil {
			t.Fatal(err)
		}
		s := &stressor{name: name, kernel: k, grid: grid, args: args}
		if err := k.With(exec.Options{Engine: exec.Engines()[0]}).Launch(grid, args...); err != nil {
			t.Fatal(err)
		}
		s.want = slices.Clone(s.out().Buf().Bytes())
		list = append(list, s)
		return s
	}
	f32, zeros := tl.Float32, tensor.Zeros
	add("stressAdd", stressAdd, exec.Grid{98}, f(f32, 100_000), f(f32, 100_000), zeros(f32, 100_000), 100_000, 1024)
	add("stressBlocks", stressBlocks, exec.Grid{6, 5}, f(f32, 90, 130), f(f32, 130, 70), zeros(f32, 90, 70), 90, 130, 70, f32, 16, 16, 32, "")
	add("stressBlocks", stressBlocks, exec.Grid{6, 5}, f(tl.Float16, 90, 130), f(tl.Float16, 130, 70), zeros(f32, 90, 70), 90, 130, 70, f32, 16, 16, 32, "")
	add("stressBlocks", stressBlocks, exec.Grid{2, 2}, bytes(100, 200), bytes(200, 90), zeros(tl.Int32, 100, 90), 100, 200, 90, tl.Int32, 64, 64, 64, "")
	// Chains of several parts, and columns that do not fill panels of tiles.
	add("stressBlocks", stressBlocks, exec.Grid{2, 3}, bytes(40, 2100), bytes(2100, 48), zeros(tl.Int32, 40, 48), 40, 2100, 48, tl.Int32, 32, 16, 128, "")
	add("stressBlocks", stressBlocks, exec.Grid{1, 2}, f(tl.BFloat16, 31, 1030), f(tl.BFloat16, 1030, 63), zeros(f32, 31, 63), 31, 1030, 63, f32, 32, 32, 64, "tiles")
	add("stressSoftmax", stressSoftmax, exec.Grid{60}, f(f32, 60, 781), zeros(f32, 60, 781), 781, 1024)
	add("stressAttention", stressAttention, exec.Grid{3}, f(f32, 150, 64), f(f32, 150, 64), f(f32, 150, 64), zeros(f32, 150, 64), 150, 64, 64, 32)
	add("stressSort", stressSort, exec.Grid{8}, f(f32, 8*256), zeros(f32, 8*256), 256)
	add("stressLarge", stressLarge, exec.Grid{1}, f(f32, 1<<17), zeros(f32, 1<<17), 1<<17)
	s := add("stressEndless", stressEndless, exec.Grid{4}, f(f32, 4*512), zeros(f32, 4*512), 3, 512)
	s.endless = append(slices.Clone(s.args[:2]), math.MaxInt64, 512)
	return list
}

// out is the last of the tensors.
func (s *stressor) out() *tensor.Tensor { return s.args[s.outAt()].(*tensor.Tensor) }

func (s *stressor) outAt() (at int) {
	for i, a := range s.args {
		if _, ok := a.(*tensor.Tensor); ok {
			at = i
		}
	}
	return at
}

// own is the same launch into a tensor of its own.
func (s *stressor) own() *stressor {
	z, i := *s, s.outAt()
	out := tensor.Zeros(s.out().DType(), s.out().Shape()...)
	z.args = slices.Clone(s.args)
	z.args[i] = out
	if s.endless != nil {
		z.endless = slices.Clone(s.endless)
		z.endless[i] = out
	}
	return &z
}

// dirt is what tensors are filled with before launches.
var dirt = bytes.Repeat([]byte{0xa5}, 4096)

// soil fills b a piece at a time: the race detector's own code keeps the collector waiting, once for
// each byte of a loop.
func soil(b []byte) {
	for len(b) > 0 {
		b = b[copy(b, dirt):]
	}
}

// differ is the first byte in which a and b, of the same length, differ, or -1. It compares piece
// by piece, as soil fills.
func differ(a, b []byte) int {
	for lo := 0; lo < len(a); lo += len(dirt) {
		hi := min(lo+len(dirt), len(a))
		if bytes.Equal(a[lo:hi], b[lo:hi]) {
			continue
		}
		for i := range a[lo:hi] {
			if a[lo+i] != b[lo+i] {
				return lo + i
			}
		}
	}
	return -1
}

// launch does it once, the n-th time.
func (s *stressor) launch(n int) error {
	out := s.out().Buf().Bytes()
	soil(out)
	if s.endless != nil && n%2 == 1 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(n%7)*time.Millisecond)
		defer cancel()
		if err := s.kernel.LaunchContext(ctx, s.grid, s.endless...); !errors.Is(err, context.DeadlineExceeded) {
			return fmt.Errorf("%s: ended with %v", s.name, err)
		}
		return nil
	}
	if err := s.kernel.Launch(s.grid, s.args...); err != nil {
		return err
	}
	if i := differ(out, s.want); i >= 0 {
		return fmt.Errorf("%s: byte %d of %d differs in launch %d", s.name, i, len(out), n)
	}
	if state := s.kernel.State(); state.Reason != "" {
		return fmt.Errorf("%s: %v", s.name, state)
	}
	return nil
}

// plain does in Go, which stops at any instruction, about as much as a launch does, and gives
// way as often.
func (s *stressor) plain() {
	out := s.out().Buf().Bytes()
	soil(out)
	for range 20 {
		churn(out)
		runtime.Gosched()
	}
	differ(out, s.want)
}

// churn turns b over. The race detector does not look on: its code would keep the collector
// waiting.
//
//go:norace
func churn(b []byte) {
	for i := range b {
		b[i] ^= 0x5a
	}
}

// TestStress launches promoted kernels from 50 goroutines while garbage is collected all
// the time, a profile is taken and execution traced: no bit is ever wrong, and no call of machine code
// keeps the collector waiting. TILER_STRESS says for how long, as in 10m.
//
// The machine and the runtime make pauses too. What they make shows in a control, the same
// goroutines with loops in Go in the place of launches: it takes turns with the launches,
// a second after every three, so that both meet with the same machine.
func TestStress(t *testing.T) {
	if len(exec.Engines()) < 3 {
		t.Skip("no engine of machine code here")
	}
	duration, turn := 200*time.Millisecond, 70*time.Millisecond
	if text, long := os.LookupEnv("TILER_STRESS"); long {
		var err error
		if duration, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
		turn = min(time.Second, duration/3)
	}
	c := &crowd{t: t}
	list := stressors(t)
	for i := range c.sets {
		for _, s := range list {
			c.sets[i] = append(c.sets[i], s.own())
		}
	}
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	if err := pprof.StartCPUProfile(io.Discard); err == nil {
		defer pprof.StopCPUProfile()
	}
	if err := trace.Start(io.Discard); err == nil {
		defer trace.Stop()
	}
	c.start()
	defer c.stop()
	launches, control := newTally(), newTally()
	for launches.took < duration && !t.Failed() {
		c.work(launches, false, 3*turn)
		c.work(control, true, turn)
	}
	t.Logf("launches, %v", launches)
	t.Logf("without machine code, %v", control)
	for _, name := range pauseNames {
		p, q := launches.pauses(name), control.pauses(name)
		if turn < time.Second || q.n == 0 {
			continue // too few to compare
		}
		if p.p99 > max(time.Millisecond, 2*q.p99) {
			t.Errorf("%s: 99 of 100 pauses are under %v, without machine code under %v", name, p.p99, q.p99)
		}
		if alike := q.over * p.n / q.n; p.over > 2*alike+10 {
			t.Errorf("%s: %d pauses are over 1ms, and %d would be without machine code", name, p.over, alike)
		}
	}
}

// A crowd is goroutines that launch, or do without machine code, and one that collects garbage.
type crowd struct {
	t                 *testing.T
	sets              [50][]*stressor // for each goroutine
	plain, over       atomic.Bool
	done, collections atomic.Int64
	wg                sync.WaitGroup
}

func (c *crowd) start() {
	for i, list := range c.sets {
		c.wg.Go(func() {
			for n := i; !c.over.Load(); n++ {
				s := list[n%len(list)]
				if c.plain.Load() {
					s.plain()
				} else if err := s.launch(n / len(list)); err != nil {
					c.t.Error(err)
					return
				}
				c.done.Add(1)
			}
		})
	}
	c.wg.Go(func() {
		for !c.over.Load() {
			runtime.GC()
			c.collections.Add(1)
		}
	})
}

func (c *crowd) stop() {
	c.over.Store(true)
	c.wg.Wait()
}

// work adds what happens in a time to into.
func (c *crowd) work(into *tally, plain bool, d time.Duration) {
	c.plain.Store(plain)
	time.Sleep(20 * time.Millisecond) // what was begun before ends
	done, collections, before := c.done.Load(), c.collections.Load(), readPauses()
	time.Sleep(d)
	after := readPauses()
	into.took += d
	into.done += c.done.Load() - done
	into.collections += c.collections.Load() - collections
	for name, h := range after {
		into.add(name, before[name], h)
	}
}

// A tally is what happened in turns of one kind.
type tally struct {
	took              time.Duration
	done, collections int64
	stops             map[string]*metrics.Float64Histogram
}

func newTally() *tally { return &tally{stops: map[string]*metrics.Float64Histogram{}} }

func (s *tally) add(name string, before, after *metrics.Float64Histogram) {
	sum := s.stops[name]
	if sum == nil {
		sum = &metrics.Float64Histogram{Counts: make([]uint64, len(after.Counts)), Buckets: after.Buckets}
		s.stops[name] = sum
	}
	for i := range sum.Counts {
		sum.Counts[i] += after.Counts[i] - before.Counts[i]
	}
}

func (s *tally) String() string {
	text := fmt.Sprintf("%v: %d done, %d collections", s.took, s.done, s.collections)
	for _, name := range pauseNames {
		text += fmt.Sprintf("\n  %-42s %v", name, s.pauses(name))
	}
	return text
}

// pauseNames is the times that the world stands still, and of these those until all
// goroutines have stopped.
var pauseNames = []string{"/sched/pauses/total/gc:seconds", "/sched/pauses/stopping/gc:seconds", "/sched/pauses/total/other:seconds", "/sched/pauses/stopping/other:seconds"}

func readPauses() map[string]*metrics.Float64Histogram {
	samples := make([]metrics.Sample, len(pauseNames))
	for i, name := range pauseNames {
		samples[i].Name = name
	}
	metrics.Read(samples)
	all := map[string]*metrics.Float64Histogram{}
	for _, s := range samples {
		all[s.Name] = s.Value.Float64Histogram()
	}
	return all
}

// pauses is how long they were: upper bounds of the histogram's buckets.
type pauses struct {
	n              uint64
	p50, p99, most time.Duration
	over           uint64 // a millisecond
}

func (p pauses) String() string {
	return fmt.Sprintf("%d: half under %v, 99 of 100 under %v, all under %v; %d over 1ms", p.n, p.p50, p.p99, p.most, p.over)
}

func (s *tally) pauses(name string) (p pauses) {
	h := s.stops[name]
	for _, c := range h.Counts {
		p.n += c
	}
	seen := uint64(0)
	for i, c := range h.Counts {
		if c == 0 {
			continue
		}
		seen += c
		top := time.Duration(h.Buckets[i+1] * 1e9)
		if seen-c < (p.n+1)/2 {
			p.p50 = top
		}
		if seen-c < p.n-p.n/100 {
			p.p99 = top
		}
		p.most = top
		if h.Buckets[i] >= 0.001 {
			p.over += c
		}
	}
	return p
}
