package exec

import (
	"context"
	"errors"
	"io"
	"os"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tiler-go/tiler/exec/check"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// watched is an interpreted launch on private copies, one program after the other, with
// a checker that sees every access.
type watched struct {
	k        *Kernel
	ctx      context.Context
	extent   extent
	c        *check.Checker
	original []any
	copies   []*tensor.Tensor // by argument; nil for others
	args     []reflect.Value  // the first is a place for the program
	ptrs     []tl.Ptr         // by argument
	out      *tl.Output

	cancelled atomic.Bool  // end the program that runs, at its next access to memory
	began     atomic.Int64 // when that was started, in nanoseconds; 0: none runs
	stalled   atomic.Bool  // it was ended because it took too long
	stopped   atomic.Bool  // its interpreter was stopped, because it went on all the same
	next, ran int
	took      time.Duration
}

// watch prepares a launch. Output of programs goes to out, or standard output if nil.
func (k *Kernel) watch(ctx context.Context, e extent, args []any, out io.Writer) *watched {
	w := &watched{k: k, ctx: ctx, extent: e, original: args, copies: privateCopies(args), ptrs: make([]tl.Ptr, len(args))}
	if out != nil {
		w.out = tl.NewOutput(out)
	}
	w.c = check.New(check.Setup{
		ID:     func(i int) []int { id := e.id(i); return id[:e.axes:e.axes] },
		At:     k.at,
		Source: k.sourceLine,
	})
	w.args = k.valuesOf(args, func(i int, _ *tensor.Tensor) tl.Ptr {
		w.ptrs[i] = w.c.Pointer(w.copies[i], k.params[i].label(), &w.cancelled)
		return w.ptrs[i]
	})
	return w
}

func (w *watched) close() { w.c.Close() }

// written reports whether the kernel has written to an argument.
func (w *watched) written(i int) bool { return w.c.Written(w.ptrs[i]) }

// privateCopies is the tensors among arguments, copied, by argument.
func privateCopies(args []any) []*tensor.Tensor {
	xs, at := tensors(args)
	out := make([]*tensor.Tensor, len(args))
	for i, y := range tensor.Copies(xs...) {
		out[at[i]] = y
	}
	return out
}

// valuesOf is arguments as the function takes them, after a place for the program.
func (k *Kernel) valuesOf(args []any, pointer func(i int, x *tensor.Tensor) tl.Ptr) []reflect.Value {
	vs := make([]reflect.Value, len(args)+1)
	for i, a := range args {
		if x, ok := a.(*tensor.Tensor); ok {
			a = pointer(i, x)
		}
		vs[i+1] = reflect.ValueOf(a)
		if want := k.fn.Type().In(i + 1); vs[i+1].Type() != want {
			vs[i+1] = vs[i+1].Convert(want)
		}
	}
	return vs
}

// run runs the programs, or as many as the options and their budget allow. They run on a
// goroutine of their own, because a kernel may end its goroutine.
func (w *watched) run(o CheckOptions) {
	defer context.AfterFunc(w.ctx, func() { w.cancelled.Store(true) })()
	virtual := false
	for _, x := range w.copies {
		virtual = virtual || x != nil && x.IsVirtual()
	}
	count, order := o.order(w.extent, virtual)
	if w.k.opts.Shuffle != 0 && count == w.extent.total {
		order = shuffled(count, w.k.opts.Shuffle)
	}
	w.runSome(count, order, o.budget())
}

func (w *watched) runSome(count int, order func(i int) int, budget time.Duration) {
	start := time.Now()
	defer w.watchdog(budget)()
	over := func() bool { return w.cancelled.Load() || w.next > 0 && time.Since(start) > budget }
	for w.next < count && !over() {
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			faultsPanic()
			for w.next < count && !over() {
				i := order(w.next)
				w.next++
				w.program(i)
			}
		}()
		<-ended
	}
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
	p := tl.NewProgram(w.extent.id(i), w.extent.num, w.out)
	w.c.Begin(i, p)
	returned := false
	w.began.Store(time.Now().UnixNano())
	defer func() {
		v := recover()
		w.began.Store(0)
		ended := w.stopped.Load() || v == tl.Interrupt{}
		if ended && !w.stalled.Load() {
			return
		}
		w.ran++
		switch {
		case ended:
			w.c.Endless(panicPos())
			return
		case returned:
			w.c.End()
			return
		case v == nil:
			v = errGoexit
		}
		f := p.Recover(v, w.k.file())
		if p.Line > 0 {
			f.Diag.Pos = w.k.at(p.Line)
		}
		if f.Op == "panic" && !f.Diag.Pos.IsValid() {
			f.Diag.Pos = panicPos()
		}
		w.c.Fail(f, dividesByZero(v))
	}()
	w.args[0] = reflect.ValueOf(p)
	w.k.fn.Call(w.args)
	returned = true
}

// patience is how long a program may take in any case.
const patience = 500 * time.Millisecond

// watchdog ends a program that alone takes longer than all may; stop ends it. A program
// that is told to end, and goes on because it does not come to memory, is stopped by its
// interpreter.
func (w *watched) watchdog(limit time.Duration) (stop func()) {
	limit = max(limit, patience)
	done, ended, resume := make(chan struct{}), make(chan struct{}), func() {}
	go func() {
		defer close(ended)
		tick := time.NewTicker(limit / 8)
		defer tick.Stop()
		for told := false; ; {
			select {
			case <-done:
				return
			case now := <-tick.C:
				if told && w.began.Load() != 0 && w.k.src.Stop != nil {
					w.stopped.Store(true)
					resume = w.k.src.Stop()
					return
				}
				told = w.tell(now, limit)
			}
		}
	}()
	return func() {
		close(done)
		<-ended
		resume()
	}
}

// tell tells a program to end that has run longer than limit, and reports whether one
// that runs has been told.
func (w *watched) tell(now time.Time, limit time.Duration) bool {
	began := w.began.Load()
	if began != 0 && now.UnixNano()-began > int64(limit) && !w.cancelled.Load() {
		w.stalled.Store(true)
		w.cancelled.Store(true)
	}
	return began != 0 && w.cancelled.Load()
}

// dividesByZero reports whether a panic is Go's own of an integer division.
func dividesByZero(v any) bool {
	err, ok := v.(error)
	var re runtime.Error
	return ok && errors.As(err, &re) && strings.Contains(re.Error(), "divide by zero")
}

// sourceLine is a line of the kernel's source, or of another file.
func (k *Kernel) sourceLine(file string, line int) string {
	text := k.src.Go
	if k.src.File != nil {
		text = k.src.File(file)
	} else if file != k.file() || text == "" {
		b, err := os.ReadFile(file)
		if err != nil {
			return ""
		}
		text = string(b)
	}
	for n := 1; text != ""; n++ {
		var s string
		s, text, _ = strings.Cut(text, "\n")
		if n == line {
			return strings.TrimSpace(s)
		}
	}
	return ""
}
