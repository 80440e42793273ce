package exec

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/engine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/run"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// double writes 2x.
func double(p *tl.Program, x, out tl.Ptr, n int) {
	o := tl.Arange(0, 16).Add(p.ID(0) * 16)
	m := o.Lt(n)
	tl.Store(out.Add(o), tl.Load(x.Add(o), tl.Mask(m)).Mul(2.0), tl.Mask(m))
}

// increment adds 1 in place.
func increment(p *tl.Program, x tl.Ptr) {
	o := tl.Arange(0, 16).Add(p.ID(0) * 16)
	tl.Store(x.Add(o), tl.Load(x.Add(o)).Add(1.0))
}

// total adds everything into one element, in whatever order programs run.
func total(p *tl.Program, x, out tl.Ptr) {
	o := tl.Arange(0, 16).Add(p.ID(0) * 16)
	tl.AtomicAdd(out, tl.Sum(tl.Load(x.Add(o)), tl.Axis(0)))
}

// A fakeCode runs the portable code, and then does what it is there to do wrong.
type fakeCode struct {
	engine.Code
	after func(l *engine.Launch, lo, hi int) *ir.Failure
}

type fakeWorker struct {
	engine.Worker
	l     *engine.Launch
	after func(l *engine.Launch, lo, hi int) *ir.Failure
}

func (c fakeCode) Begin(l *engine.Launch, workers int, single bool) engine.Job {
	j := c.Code.Begin(l, workers, single)
	return engine.Job{Tasks: j.Tasks, Worker: func() engine.Worker { return fakeWorker{j.Worker(), l, c.after} }}
}

func (w fakeWorker) Run(lo, hi int) *ir.Failure {
	if f := w.Worker.Run(lo, hi); f != nil {
		return f
	}
	return w.after(w.l, lo, hi)
}

// fake is an engine, faster than all others, that does something after each portion.
func fake(after func(l *engine.Launch, lo, hi int) *ir.Failure) []engine.Engine {
	e := engine.Engine{Name: "fake", Tier: cpu.Portable, Compile: func(f *engine.Func, _ bool) (engine.Code, error) {
		c, err := engine.Table()[0].Compile(f, false)
		return fakeCode{c, after}, err
	}}
	return []engine.Engine{engine.Table()[0], e}
}

func nothing(*engine.Launch, int, int) *ir.Failure { return nil }

func hang(l *engine.Launch, _, _ int) *ir.Failure {
	time.Sleep(time.Hour)
	return nil
}

func TestFakeEngines(t *testing.T) {
	t.Parallel() // it waits
	lies := func(l *engine.Launch, lo, hi int) *ir.Failure {
		if hi == l.Total {
			l.Args[1].Mem.SetBits(63, 0)
		}
		return nil
	}
	slow := func(l *engine.Launch, _, _ int) *ir.Failure { // until it is told to stop
		for !l.Stop.Load() {
			time.Sleep(time.Millisecond)
		}
		return nil
	}
	tests := []struct {
		name   string
		after  func(l *engine.Launch, lo, hi int) *ir.Failure
		engine string
		reason string
	}{
		{"honest", nothing, "fake", ""},
		{"lying", lies, interpreted, "fake: out[63] is 0 (0x0) compiled and 126 (0x42fc0000) interpreted"},
		{"panicking", func(*engine.Launch, int, int) *ir.Failure { panic("no such register") }, interpreted, "no such register"},
		{"failing", func(l *engine.Launch, lo, hi int) *ir.Failure {
			return &ir.Failure{Program: lo, Value: &ir.Value{}}
		}, interpreted, "it fails where the interpreter does not"},
		{"stalling", slow, interpreted, "much longer than the interpreter takes"},
		{"deaf", hang, interpreted, "much longer than the interpreter takes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			k := alone(double, Options{Memory: "off"}).promoteUnchecked()
			k.use.Table = fake(test.after)
			x, out := tensor.Arange(tl.Float32, 0, 64), tensor.Zeros(tl.Float32, 64)
			for range 2 {
				if err := k.Launch(Grid{4}, x, out, 64); err != nil {
					t.Fatal(err)
				}
				if got := out.At(63); got != float32(126) {
					t.Fatalf("out[63] = %v", got)
				}
				s := k.State()
				if s.Engine != test.engine || !strings.Contains(s.Reason, test.reason) {
					t.Fatalf("state: %v", s)
				}
			}
		})
	}
}

// A program that crashes after it was trusted.
func TestLateCrash(t *testing.T) {
	var bad atomic.Bool
	after := func(l *engine.Launch, lo, hi int) *ir.Failure {
		if bad.Load() {
			panic("broken since")
		}
		return nil
	}
	k := alone(double, Options{Memory: "off"}).promoteUnchecked()
	k.use.Table = fake(after)
	x, out := tensor.Arange(tl.Float32, 0, 64), tensor.Zeros(tl.Float32, 64)
	for i := range 3 {
		bad.Store(i > 0)
		out.Fill(0)
		if err := k.Launch(Grid{4}, x, out, 64); err != nil || out.At(63) != float32(126) {
			t.Fatalf("launch %d: %v, out[63] = %v", i, err, out.At(63))
		}
	}
	if s := k.State(); s.Engine != interpreted || !strings.Contains(s.Reason, "broken since") {
		t.Errorf("state: %v", s)
	}

	// What is changed in place cannot be done again: the launch says so.
	bad.Store(false)
	k = alone(increment, Options{Memory: "off"}).promoteUnchecked()
	k.use.Table = fake(after)
	if err := k.Launch(Grid{4}, x); err != nil {
		t.Fatal(err)
	}
	bad.Store(true)
	var crash *run.CrashError
	if err := k.Launch(Grid{4}, x); !errors.As(err, &crash) {
		t.Errorf("error %v, want a crash", err)
	}
	if err := k.Launch(Grid{4}, x); err != nil {
		t.Errorf("the launch after it: %v", err)
	}
}

// The order of instances decides what the sum is, so both engines run in one.
func TestTrialOfAtomics(t *testing.T) {
	x, out := tensor.Randn(1, tl.Float32, 64*16), tensor.Zeros(tl.Float32, 1)
	for _, e := range Engines()[1:] {
		k := alone(total, Options{Memory: "off", Verify: Always}).promoteUnchecked()
		eng := engineNamed(e)
		k = k.With(Options{Memory: "off", Verify: Always, CPU: eng.Tier})
		for range 3 {
			if err := k.Launch(Grid{64}, x, out); err != nil {
				t.Fatal(err)
			}
		}
		if s := k.State(); s.Engine != e || s.Reason != "" {
			t.Errorf("%s: %v", e, s)
		}
	}
}

// A launch that fails says so as the interpreter does, and nothing about the code.
func TestTrialOfFailingLaunch(t *testing.T) {
	k := alone(double, Options{Memory: "off"}).promoteUnchecked()
	x, out := tensor.Zeros(tl.Float32, 64), tensor.Zeros(tl.Float32, 60)
	want := alone(double).Launch(Grid{4}, x, out, 64)
	for range 2 {
		if err := k.Launch(Grid{4}, x, out, 64); err == nil || err.Error() != want.Error() {
			t.Errorf("error %v\nwant %v", err, want)
		}
	}
	if err := k.Launch(Grid{4}, x, out, 60); err != nil {
		t.Fatal(err)
	}
	if s := k.State(); s.Engine == interpreted {
		t.Errorf("state: %v", s)
	}
	if err := k.Launch(Grid{4}, x, out, 64); err == nil || err.Error() != want.Error() {
		t.Errorf("compiled: error %v\nwant %v", err, want)
	}
}

// A variant that cannot be compiled leaves the kernel interpreted, with the reason.
func TestNotCompiled(t *testing.T) {
	k := New(func(p *tl.Program, out tl.Ptr) {
		values := map[int]int{0: 1}
		tl.Store(out, values[0])
	}, Options{Memory: "off"}).promoteUnchecked()
	out := tensor.Zeros(tl.Int32, 1)
	if err := k.Launch(Grid{1}, out); err != nil {
		t.Fatal(err)
	}
	if s := k.State(); s.Engine != interpreted || !strings.Contains(s.Reason, "trial_test.go") {
		t.Errorf("state: %v", s)
	}
}

// Launches of one kernel from many goroutines, the first of which try its code.
func TestConcurrentLaunches(t *testing.T) {
	k := alone(double, Options{Memory: "off"}).promoteUnchecked()
	x := tensor.Arange(tl.Float32, 0, 4096)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			out := tensor.Empty(tl.Float32, 4096)
			for range 20 {
				out.Fill(0)
				if err := k.Launch(Grid{256}, x, out, 4096); err != nil || out.At(4095) != float32(8190) {
					t.Errorf("%v, out[4095] = %v", err, out.At(4095))
					return
				}
			}
		})
	}
	wg.Wait()
}

// A launch that is cancelled ends soon, also in the middle of a trial.
func TestCancelTrial(t *testing.T) {
	k := alone(double, Options{Memory: "off"}).promoteUnchecked()
	k.use.Table = fake(hang)
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	x, out := tensor.Zeros(tl.Float32, 64), tensor.Zeros(tl.Float32, 64)
	if err := k.LaunchContext(ctx, Grid{4}, x, out, 64); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if s := k.State(); s.Specialisations[len(s.Specialisations)-1].Trusted {
		t.Errorf("state: %v", s)
	}
}

// What one process found is found again by the next, here a kernel made anew.
func TestMemory(t *testing.T) {
	dir := t.TempDir()
	x, out := tensor.Arange(tl.Float32, 0, 64), tensor.Zeros(tl.Float32, 64)
	launch := func(k *Kernel) State {
		t.Helper()
		if err := k.Launch(Grid{4}, x, out, 64); err != nil {
			t.Fatal(err)
		}
		return k.State()
	}
	if s := launch(alone(double, Options{Memory: dir})); s.Promoted {
		t.Errorf("promoted without a check: %v", s)
	}
	launch(alone(double, Options{Memory: dir}).promoteUnchecked())
	if s := launch(alone(double, Options{Memory: dir})); !s.Promoted || s.Engine == interpreted {
		t.Errorf("not saved: %v", s)
	}
	if s := launch(alone(double, Options{Memory: t.TempDir()})); s.Promoted {
		t.Errorf("remembered elsewhere: %v", s)
	}
	if s := launch(alone(double, Options{Memory: dir, CPU: cpu.Portable})); s.Promoted && s.Engine != "portable" {
		t.Errorf("an engine above the cap: %v", s)
	}
}
