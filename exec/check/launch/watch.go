package launch

import (
	"context"
	"errors"
	"io"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tiler-go/tiler/exec/check/sanitizer"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// watched is an interpreted launch on private copies, one program after the other, with
// a checker that sees every access.
type watched struct {
	k        *Kernel
	ctx      context.Context
	grid     Grid
	c        *sanitizer.Checker
	original []any
	copies   []*tensor.Tensor // by argument; nil for others
	args     []reflect.Value  // the first is a place for the program
	ptrs     []tl.Ptr         // by argument
	out      *tl.Output

	limited
	turns     chan *parked // from the program that runs: it waits, or has ended
	waiting   []*parked
	next, ran int
	took      time.Duration
}

// limited is the program that runs, and what became of its time.
type limited struct {
	cancelled atomic.Bool  // end it, at its next access to memory
	began     atomic.Int64 // when it was started, in nanoseconds; 0: none runs
	stalled   atomic.Bool  // it was ended because it took too long
	stopped   atomic.Bool  // its interpreter was stopped, because it went on all the same
	blamed    bool         // a program was reported that does not end
}

// watch prepares a launch. Output of programs goes to out, or standard output if nil.
func (k *Kernel) watch(ctx context.Context, g Grid, args []any, out io.Writer) *watched {
	w := &watched{k: k, ctx: ctx, grid: g, original: args, copies: Copies(args), ptrs: make([]tl.Ptr, len(args))}
	if out != nil {
		w.out = tl.NewOutput(out)
	}
	w.c = sanitizer.New(sanitizer.Setup{
		ID:     func(i int) []int { id := g.ID(i); return id[:g.Axes:g.Axes] },
		At:     k.At,
		Source: k.Source,
		Size:   w.sizeName,
		Wait:   w.wait,
	})
	w.args = k.values(args, func(i int) tl.Ptr {
		w.ptrs[i] = w.c.Pointer(w.copies[i], k.Labels[i], &w.cancelled)
		return w.ptrs[i]
	})
	return w
}

// sizeName is the int parameter that has a value, "" if there is none.
func (w *watched) sizeName(n int) string {
	for i, a := range w.original {
		if v, ok := a.(int); ok && v == n {
			return w.k.Labels[i]
		}
	}
	return ""
}

func (w *watched) close() { w.c.Close() }

// written reports whether the kernel has written to an argument.
func (w *watched) written(i int) bool { return w.c.Written(w.ptrs[i]) }

// Copies is the tensors among arguments, copied, by argument.
func Copies(args []any) []*tensor.Tensor {
	xs, at := tensors(args)
	out := make([]*tensor.Tensor, len(args))
	for i, y := range tensor.Copies(xs...) {
		out[at[i]] = y
	}
	return out
}

// tensors are the tensors among arguments, with their places.
func tensors(args []any) (xs []*tensor.Tensor, at []int) {
	for i, a := range args {
		if x, ok := a.(*tensor.Tensor); ok {
			xs, at = append(xs, x), append(at, i)
		}
	}
	return xs, at
}

// run runs the programs, or as many as the options and their budget allow. They run on a
// goroutine of their own, because a kernel may end its goroutine.
func (w *watched) run() {
	defer context.AfterFunc(w.ctx, func() { w.cancelled.Store(true) })()
	virtual := false
	for _, x := range w.copies {
		virtual = virtual || x != nil && x.IsVirtual()
	}
	o := w.k.order(w.grid, virtual)
	if w.k.Shuffle != 0 && o.count == w.grid.Total {
		o.at = w.k.Host.Order(o.count, w.k.Shuffle)
	}
	w.runSome(o, w.k.Options.Time())
}

func (w *watched) runSome(o order, budget time.Duration) {
	start := time.Now()
	defer w.watchdog(budget)()
	w.takeTurns(o, budget, func() bool { return w.cancelled.Load() || w.next > 0 && time.Since(start) > budget })
	w.took = time.Since(start)
}

// err is why the launch did not come to an end, if no finding says so.
func (w *watched) err() error {
	if w.stalled.Load() {
		return nil
	}
	return w.ctx.Err()
}

// program runs one instance.
func (w *watched) program(i int) {
	p := tl.NewProgram(w.grid.ID(i), w.grid.Num, w.out)
	w.c.Begin(i, p)
	returned := false
	w.began.Store(time.Now().UnixNano())
	defer func() {
		v := recover()
		w.began.Store(0)
		ended := w.stopped.Load() || v == tl.Interrupt{}
		if ended && !w.stalled.Load() || ended && w.blamed {
			return
		}
		w.ran++
		switch {
		case ended:
			w.blamed = true
			w.c.Endless(w.k.Host.Where())
			return
		case returned:
			w.c.End()
			return
		case v == nil:
			v = w.k.Host.Exit
		}
		f := p.Recover(v, w.k.File)
		if p.Line > 0 {
			f.Diag.Pos = w.k.At(p.Line)
		}
		if f.Op == "panic" && !f.Diag.Pos.IsValid() {
			f.Diag.Pos = w.k.Host.Where()
		}
		w.c.Fail(f, dividesByZero(v))
	}()
	w.args[0] = reflect.ValueOf(p)
	w.k.Fn.Call(w.args)
	returned = true
}

// patience is how long a program may take in any case.
const patience = 500 * time.Millisecond

// ticks is in how many steps the watchdog counts a program's time. It counts its own steps and reads no clock: on a
// machine that is too busy to run the program it has no time either.
const ticks = 8

// watchdog ends a program that alone takes longer than all may; stop ends it. A program
// that is told to end, and goes on because it does not come to memory, is stopped by its
// interpreter.
func (w *watched) watchdog(limit time.Duration) (stop func()) {
	limit = max(limit, patience)
	done, ended, resume := make(chan struct{}), make(chan struct{}), func() {}
	go func() {
		defer close(ended)
		tick := time.NewTicker(limit / ticks)
		defer tick.Stop()
		turn, seen := int64(0), 0
		for told := false; ; {
			select {
			case <-done:
				return
			case <-tick.C:
				if told && w.began.Load() != 0 && w.k.Host.Stop != nil {
					w.stopped.Store(true)
					resume = w.k.Host.Stop()
					return
				}
				if now := w.began.Load(); now != turn {
					turn, seen = now, 0
				}
				seen++
				told = w.tell(seen > ticks)
			}
		}
	}()
	return func() {
		close(done)
		<-ended
		resume()
	}
}

// tell tells a program to end that has run too long, and reports whether one that runs has been told.
func (w *watched) tell(long bool) bool {
	runs := w.began.Load() != 0
	if runs && long && !w.cancelled.Load() {
		w.stalled.Store(true)
		w.cancelled.Store(true)
	}
	return runs && w.cancelled.Load()
}

// dividesByZero reports whether a panic is Go's own of an integer division.
func dividesByZero(v any) bool {
	err, ok := v.(error)
	var re runtime.Error
	return ok && errors.As(err, &re) && strings.Contains(re.Error(), "divide by zero")
}
