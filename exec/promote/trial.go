// Package promote decides whether compiled code may be used: a Trial runs it and the interpreter on private copies of a
// launch's tensors and compares what they leave; a Flow says what a function does with its tensors, so that the trial
// knows what to copy; a Memory says for later processes what was proved. It knows neither kernels nor engines.
package promote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A Trial runs a program and the interpreter on private copies of a launch's tensors
// and compares what they leave.
//
// The interpreter runs some instances, or all. The program runs the whole launch, as
// it would in earnest, and is compared where the interpreter changed something; only
// kernels with atomics, whose instances see each other, run the same instances one by
// one in the same order. What is stored to and never read is filled with a pattern
// first, so that a store left out shows, too.
type Trial struct {
	Flow    *Flow
	Grid    [3]int
	Full    bool // all instances, and every element
	Args    []any
	Workers int // instances that are interpreted at a time
	// Interpret runs instances interpreted, those of kernels with atomics in order; an error but the context's is the
	// launch's own fault.
	Interpret func(ctx context.Context, args []any, instances []int) error
	// Launch runs the program: the whole launch, or, unless they are nil, some instances one by one.
	Launch func(ctx context.Context, args []any, instances []int) error
	// Fault is what an error of Launch says of the program: ErrUndecided, or an error to give it up for.
	Fault func(err error) error
	Label func(arg int) string // of an argument, in messages

	Interpreted, Compiled time.Duration // how long the two took

	copies
	ran []int // instances, in the order they were interpreted in
}

// copies are the tensors that a trial works on.
type copies struct {
	which []int // of the arguments
	start []*tensor.Tensor
	ours  []*tensor.Tensor // after the interpreter
	their []*tensor.Tensor // after the program
}

// total is how many instances the launch has.
func (t *Trial) total() int { return t.Grid[0] * t.Grid[1] * t.Grid[2] }

const (
	sampleCount  = 16
	sampleBudget = 100 * time.Millisecond // of interpretation, after the first two
	poison       = 0x5A
)

// ErrUndecided is a trial that says nothing about the program, because the launch
// itself is at fault.
var ErrUndecided = errors.New("the launch fails")

// A Mismatch is a program that does not do what the interpreter does.
type Mismatch struct {
	Text   string
	Tensor string // and the element's index, if it is about one
	Index  []int
}

func (e *Mismatch) Error() string { return e.Text }

// copy makes the copies.
func (t *Trial) copy() {
	var touched []*tensor.Tensor
	for i, a := range t.Args {
		if x, ok := a.(*tensor.Tensor); ok && t.Flow.reaches(t.Args, i) {
			t.which, touched = append(t.which, i), append(touched, x)
		}
	}
	t.start = tensor.Copies(touched...)
	mixed := t.Flow.Mixed(t.Args)
	for i, x := range t.start {
		if at := t.which[i]; t.Flow.Stored[at] && !slices.Contains(mixed, at) && !x.HasGaps() {
			fill(x.Buf().Bytes(), poison)
		}
	}
	t.ours, t.their = tensor.Copies(t.start...), tensor.Copies(t.start...)
}

func fill(b []byte, v byte) {
	for i := range b {
		b[i] = v
	}
}

// with is the arguments with copies in place of tensors.
func (t *Trial) with(copies []*tensor.Tensor) []any {
	args := slices.Clone(t.Args)
	for i, at := range t.which {
		args[at] = copies[i]
	}
	return args
}

// Run makes the trial: nil if the program does what the interpreter does, a
// *Mismatch, a stall or what Fault says if not, else ErrUndecided or the context's.
func (t *Trial) Run(ctx context.Context) error {
	t.copy()
	if err := t.interpret(ctx); err != nil {
		return err
	}
	if err := t.compile(ctx); err != nil {
		return err
	}
	return t.compare()
}

func (t *Trial) interpret(ctx context.Context) error {
	list, step := t.instances(), t.Workers
	if t.Flow.Atomics {
		step = 1
		slices.Sort(list)
	}
	if t.Full {
		step = len(list)
	}
	args := t.with(t.ours)
	for start := time.Now(); len(t.ran) < len(list); {
		batch := list[len(t.ran):min(len(list), len(t.ran)+step)]
		if err := t.some(ctx, args, batch); err != nil {
			return err
		}
		t.ran = append(t.ran, batch...)
		if t.Interpreted = time.Since(start); len(t.ran) >= 2 && t.Interpreted > sampleBudget && !t.Full {
			break
		}
	}
	return nil
}

// some interprets some instances. One that is run alone and waits for another in a loop would never end.
func (t *Trial) some(ctx context.Context, args []any, instances []int) error {
	inner, cancel := context.WithCancel(ctx)
	if t.Flow.Atomics && t.total() > 1 {
		inner, cancel = context.WithTimeout(ctx, waiting)
	}
	defer cancel()
	err := t.Interpret(inner, args, instances)
	switch {
	case err == nil || ctx.Err() != nil:
		return ctx.Err()
	case inner.Err() != nil:
		return &waitError{}
	}
	return ErrUndecided
}

// waiting is how long instances of a kernel with atomics may take by themselves.
const waiting = 2 * time.Second

// A waitError is instances that do not end by themselves.
type waitError struct{}

func (*waitError) Error() string {
	return fmt.Sprintf("its programs may wait for one another: after %v some had not ended by themselves", waiting)
}

// instances is those to interpret: all, or corners, the middle, and some at random,
// the most telling first.
func (t *Trial) instances() (list []int) {
	if t.Full || t.total() <= sampleCount {
		for i := range t.total() {
			list = append(list, i)
		}
		return list
	}
	n := t.Grid
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
	rng := rand.New(rand.NewPCG(uint64(t.total()), 1))
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
func (t *Trial) compile(ctx context.Context) error {
	instances := t.ran
	if !t.Flow.Atomics {
		instances = nil
	}
	patience := time.Second + 2*t.Interpreted*time.Duration(t.total())/time.Duration(len(t.ran))
	inner, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	ended := make(chan error, 1)
	start := time.Now()
	go func() { ended <- t.Launch(inner, t.with(t.their), instances) }()
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
	t.Compiled = time.Since(start)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case inner.Err() != nil:
		return &stallError{patience}
	}
	return t.Fault(err)
}

// Again times the program once more: the first launch of code is slower than those
// after it.
func (t *Trial) Again(ctx context.Context) {
	if t.Compiled > time.Second || t.Flow.Atomics {
		return
	}
	start := time.Now()
	if t.Launch(ctx, t.with(t.their), nil) == nil { // in place, on what the first launch left: a failure proves nothing
		t.Compiled = min(t.Compiled, time.Since(start))
	}
}

// compare finds the first element that differs.
func (t *Trial) compare() error {
	all := t.Full || t.Flow.Atomics
	for i, x := range t.ours {
		at := t.which[i]
		if !t.Flow.Stored[at] {
			continue
		}
		off := differ(x.Buf(), t.their[i].Buf(), t.start[i].Buf(), all)
		if off >= 0 {
			d := x.DType()
			name, index := t.Label(at), x.IndexOf(off)
			return &Mismatch{Tensor: name, Index: index, Text: fmt.Sprintf("%s%v is %s compiled and %s interpreted", name, index,
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

// Evidence is what the trial was, in words.
func (t *Trial) Evidence() string {
	if t.Full {
		return fmt.Sprintf("bit-identical to the interpreter in all %d programs", t.total())
	}
	return fmt.Sprintf("bit-identical to the interpreter in %d of %d programs", len(t.ran), t.total())
}
