package exec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A trial runs a program and the interpreter on private copies of a launch's tensors
// and compares what they leave.
//
// The interpreter runs some instances, or all. The program runs the whole launch, as
// it would in earnest, and is compared where the interpreter changed something; only
// kernels with atomics, whose instances see each other, run the same instances one by
// one in the same order. What is stored to and never read is filled with a pattern
// first, so that a store left out shows, too.
type trial struct {
	k     *Kernel // quiet
	v     *variant
	p     *program
	e     extent
	full  bool // all instances, and every element
	args  []any
	which []int // of args: the tensors that are copied
	start []*tensor.Tensor
	ours  []*tensor.Tensor // after the interpreter
	their []*tensor.Tensor // after the program

	ran         []int // instances, in the order they were interpreted in
	interpreted time.Duration
	compiled    time.Duration
}

const (
	sampleCount  = 16
	sampleBudget = 100 * time.Millisecond // of interpretation, after the first two
	poison       = 0x5A
)

// errUndecided is a trial that says nothing about the program, because the launch
// itself is at fault.
var errUndecided = errors.New("the launch fails")

// A mismatchError is a program that does not do what the interpreter does.
type mismatchError struct {
	text   string
	tensor string // and the element's index, if it is about one
	index  []int
}

func (e *mismatchError) Error() string { return e.text }

func (k *Kernel) newTrial(v *variant, p *program, e extent, args []any, full bool) *trial {
	quiet := k.With(Options{Workers: k.opts.Workers, Output: io.Discard})
	t := &trial{k: quiet, v: v, p: p, e: e, full: full, args: args}
	xs, at := tensors(args)
	var touched []*tensor.Tensor
	for i, x := range xs {
		if v.reaches(args, at[i]) {
			t.which, touched = append(t.which, at[i]), append(touched, x)
		}
	}
	t.start = tensor.Copies(touched...)
	mixed := v.mixed(args)
	for i, x := range t.start {
		if at := t.which[i]; v.flow.stored[at] && !slices.Contains(mixed, at) && !x.HasGaps() {
			fill(x.Buf().Bytes(), poison)
		}
	}
	t.ours, t.their = tensor.Copies(t.start...), tensor.Copies(t.start...)
	return t
}

func fill(b []byte, v byte) {
	for i := range b {
		b[i] = v
	}
}

// reaches reports whether the kernel may write to memory of argument i.
func (v *variant) reaches(args []any, i int) bool {
	x := args[i].(*tensor.Tensor)
	for j, a := range args {
		if y, ok := a.(*tensor.Tensor); ok && v.flow.stored[j] && (i == j || x.Overlaps(y)) {
			return true
		}
	}
	return false
}

// mixed are the arguments that are written, and read or of common memory with another.
func (v *variant) mixed(args []any) (list []int) {
	for i, a := range args {
		x, ok := a.(*tensor.Tensor)
		if !ok || !v.flow.stored[i] {
			continue
		}
		shared := v.flow.loaded[i]
		for j, b := range args {
			y, ok := b.(*tensor.Tensor)
			shared = shared || ok && i != j && x.Overlaps(y)
		}
		if shared {
			list = append(list, i)
		}
	}
	return list
}

// define marks what a compiled launch stores to as written.
func (v *variant) define(args []any) {
	for i, a := range args {
		if x, ok := a.(*tensor.Tensor); ok && v.flow.stored[i] {
			x.MarkDefined()
		}
	}
}

// with is the arguments with copies in place of tensors.
func (t *trial) with(copies []*tensor.Tensor) []any {
	args := slices.Clone(t.args)
	for i, at := range t.which {
		args[at] = copies[i]
	}
	return args
}

// run makes the trial: nil if the program does what the interpreter does, a
// *mismatchError, *crashError or *stallError if not, else errUndecided or the context's.
func (t *trial) run(ctx context.Context) error {
	if err := t.interpret(ctx); err != nil {
		return err
	}
	if err := t.compile(ctx); err != nil {
		return err
	}
	return t.compare()
}

func (t *trial) interpret(ctx context.Context) error {
	list := t.instances()
	step := t.k.opts.Workers
	if step <= 0 {
		step = runtime.GOMAXPROCS(0)
	}
	if t.v.flow.atomics {
		t.k.opts.Workers, step = 1, 1
		slices.Sort(list)
	}
	if t.full {
		step = len(list)
	}
	args := t.with(t.ours)
	for start := time.Now(); len(t.ran) < len(list); {
		batch := list[len(t.ran):min(len(list), len(t.ran)+step)]
		r := t.k.interpretation(t.e, args).print()
		r.count, r.order = len(batch), func(i int) int { return batch[i] }
		if err := r.run(ctx); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return errUndecided
		}
		t.ran = append(t.ran, batch...)
		if t.interpreted = time.Since(start); len(t.ran) >= 2 && t.interpreted > sampleBudget && !t.full {
			break
		}
	}
	return nil
}

// instances is those to interpret: all, or corners, the middle, and some at random,
// the most telling first.
func (t *trial) instances() (list []int) {
	if t.full || t.e.total <= sampleCount {
		for i := range t.e.total {
			list = append(list, i)
		}
		return list
	}
	n := t.e.num
	add := func(x, y, z int) {
		if i := x + n[0]*(y+n[1]*z); !slices.Contains(list, i) {
			list = append(list, i)
		}
	}
	add(n[0]-1, n[1]-1, n[2]-1)
	add(n[0]/2, n[1]/2, n[2]/2)
	for corner := range 7 {
		add((n[0]-1)*(corner&1), (n[1]-1)*(corner>>1&1), (n[2]-1)*(corner>>2))
	}
	rng := rand.New(rand.NewPCG(uint64(t.e.total), 1))
	for len(list) < sampleCount {
		add(rng.IntN(n[0]), rng.IntN(n[1]), rng.IntN(n[2]))
	}
	return list
}

// A stallError is a program that takes much longer than the interpreter.
type stallError struct{ after time.Duration }

func (e *stallError) Error() string {
	return fmt.Sprintf("its compiled code had not ended after %v, much longer than the interpreter takes", e.after.Round(time.Millisecond))
}

// compile runs the program, for as long as it takes within reason.
func (t *trial) compile(ctx context.Context) error {
	instances := t.ran
	if !t.v.flow.atomics {
		instances = nil
	}
	patience := time.Second + 2*t.interpreted*time.Duration(t.e.total)/time.Duration(len(t.ran))
	inner, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	ended := make(chan error, 1)
	start := time.Now()
	go func() { ended <- t.launch(inner, instances) }()
	var err error
	select {
	case err = <-ended:
	case <-inner.Done():
		select { // it may end when it is asked to
		case err = <-ended:
		case <-time.After(100 * time.Millisecond):
			err = inner.Err()
		}
	}
	t.compiled = time.Since(start)
	var failure *Error
	var crash *crashError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case inner.Err() != nil:
		return &stallError{patience}
	case errors.As(err, &failure):
		return errUndecided
	case errors.As(err, new(*breachError)):
		return err
	case errors.As(err, &crash):
		if t.k.lost(t.args, crash.what, t.k.name) != nil {
			return errUndecided
		}
		return err
	}
	return &mismatchError{text: "it fails where the interpreter does not: " + err.Error()}
}

// launch runs the whole launch, or some instances one by one.
func (t *trial) launch(ctx context.Context, instances []int) error {
	args := t.with(t.their)
	l := t.k.newLaunch()
	l.extent = t.e
	l.take(args)
	if instances == nil {
		return l.run(ctx, t.p)
	}
	if err := l.begin(t.p, 1, true); err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { l.stop.Store(true) })()
	r := l.runner(0)
	defer r.Release()
	for _, i := range instances {
		if !l.stop.Load() {
			r.Run(i, i+1)
		}
	}
	return l.result(ctx, l.job.tasks)
}

// compare finds the first element that differs.
func (t *trial) compare() error {
	all := t.full || t.v.flow.atomics
	for i, x := range t.ours {
		at := t.which[i]
		if !t.v.flow.stored[at] {
			continue
		}
		off := differ(x.Buf(), t.their[i].Buf(), t.start[i].Buf(), all)
		if off >= 0 {
			d := x.DType()
			name, index := t.k.parameters()[at].label(), x.IndexOf(off)
			return &mismatchError{tensor: name, index: index, text: fmt.Sprintf("%s%v is %s compiled and %s interpreted", name, index,
				element(d, t.their[i].Buf().Bits(off)), element(d, x.Buf().Bits(off)))}
		}
	}
	return nil
}

// differ is the first element in which a and b differ, of those in which a differs
// from start, or of all; -1 if there is none. NaNs are equal.
func differ(a, b, start dtype.Buf, all bool) int {
	const chunk = 512
	for lo := 0; lo < a.Len(); lo += chunk {
		hi := min(lo+chunk, a.Len())
		if bytes.Equal(a.Slice(lo, hi).Bytes(), b.Slice(lo, hi).Bytes()) {
			continue
		}
		for i := lo; i < hi; i++ {
			x, y := a.Bits(i), b.Bits(i)
			if (all || x != start.Bits(i)) && !dtype.SameBits(a.DType(), x, y) {
				return i
			}
		}
	}
	return -1
}

// element is an element as a message shows it: two floats that print alike may differ.
func element(d dtype.DType, bits uint64) string {
	if d.IsFloat() {
		return fmt.Sprintf("%v (%#x)", dtype.ToFloat(d, bits), bits)
	}
	return fmt.Sprint(dtype.ToInt(d, bits))
}

// evidence is what the trial was, in words.
func (t *trial) evidence() string {
	if t.full {
		return fmt.Sprintf("bit-identical to the interpreter in all %d programs", t.e.total)
	}
	return fmt.Sprintf("bit-identical to the interpreter in %d of %d programs", len(t.ran), t.e.total)
}

// earn reports whether the program may do the launch. If it has not been tried yet, or
// every launch is a trial, it is tried now.
func (k *Kernel) earn(ctx context.Context, v *variant, p *program, e extent, args []any) (ok bool, err error) {
	trust := p.trust.Load()
	switch {
	case e.total == 0 || k.opts.Verify == Never && trust != refused:
		return true, nil
	case trust == refused || trust == trusted && k.opts.Verify != Always:
		return trust == trusted, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if trust = p.trust.Load(); trust == refused || trust == trusted && k.opts.Verify != Always {
		return trust == trusted, nil
	}
	defer k.guard(args, &err)()
	start := time.Now()
	t := k.newTrial(v, p, e, slices.Clone(args), false) // what stalls in it may outlast the launch
	err = t.run(ctx)
	return k.verdict(ctx, t, err, time.Since(start))
}

// verdict settles a program by the outcome of its trial.
func (k *Kernel) verdict(ctx context.Context, t *trial, err error, took time.Duration) (bool, error) {
	p := t.p
	switch {
	case err == nil:
		if p.trust.Load() != trusted {
			p.settle(trusted, t.evidence())
			k.trace("trial", took, "%s: %s", p.engine, t.evidence())
			k.remember(t.v, p)
		}
		return true, nil
	case ctx.Err() != nil:
		return false, k.ended(ctx, 0, t.e.total)
	case errors.As(err, new(*breachError)):
		return false, err
	case err == errUndecided:
		k.state.set(interpreted, "the launch fails; the interpreter reports it")
		return false, nil
	}
	p.settle(refused, err.Error())
	k.trace("refused", took, "%s: %v", p.engine, err)
	k.state.set(interpreted, p.engine+": "+err.Error())
	return false, nil
}
