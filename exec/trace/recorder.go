package trace

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Limits bound a record. What is 0 has its default.
type Limits struct {
	Instances int // of one launch: at most so many, chosen evenly, the first and the last among them
	Lanes     int // of all: lanes of accesses and elements of variables
}

// The defaults.
const (
	DefaultInstances = 64
	DefaultLanes     = 200_000
)

// stepCost is how many lanes a step counts as, whatever it does.
const stepCost = 4

// A Recorder records launches, one at a time.
type Recorder struct {
	limits     Limits
	busy       sync.Mutex // held during a launch, for what is about launches
	trace      Trace
	left       int // lanes that may still be recorded
	unrecorded int // launches for which there was no room
	blocks     int // of footprints

	mu sync.Mutex // guards what follows
	running

	beside, checked int // launches that were not recorded: others ran, or it was a check
}

// running is the launch that is being recorded, if any.
type running struct {
	launch  *Launch // nil: none runs
	args    []any
	chosen  map[int]bool // instances to keep, by number; nil before the first has ended
	now     *Instance    // nil: none runs
	print   Footprint    // of now
	cost    int          // of now, in lanes
	where   func() diag.Pos
	pending []Access // accesses of a statement that has not ended
}

// NewRecorder records a run of a program: the text of a file.
func NewRecorder(file, source string, l Limits) *Recorder {
	if l.Instances <= 0 {
		l.Instances = DefaultInstances
	}
	if l.Lanes <= 0 {
		l.Lanes = DefaultLanes
	}
	return &Recorder{limits: l, left: l.Lanes, trace: Trace{File: file, Source: source, Launches: []*Launch{}}}
}

// A Run is a launch that a program asks for.
type Run struct {
	Kernel  string
	Args    []any
	Observe func(exec.Observer) error // runs it before the eyes of an observer
	Plain   func() error              // runs it as it is
}

// Launch runs a launch and records it. Where there is no room left, and while another
// launch runs, it is not recorded.
func (r *Recorder) Launch(ctx context.Context, run Run) error {
	if !r.busy.TryLock() {
		r.mu.Lock()
		r.beside++
		r.mu.Unlock()
		return run.Plain()
	}
	defer r.busy.Unlock()
	l := &Launch{Kernel: run.Kernel, Instances: []*Instance{}, Prints: []Footprint{}}
	do := func() error { return r.observe(l, run) }
	full := r.left < r.limits.Lanes/100
	if full {
		r.unrecorded++
		do = run.Plain
	}
	err := do()
	switch {
	case err != nil && ctx.Err() != nil:
		l.interrupt(ctx.Err())
	case err != nil:
		l.fail(failure(err))
	}
	if !full || l.Failure != nil {
		r.trace.Launches = append(r.trace.Launches, l)
	}
	return err
}

// observe runs a launch before the recorder's eyes.
func (r *Recorder) observe(l *Launch, run Run) error {
	r.mu.Lock()
	r.launch, r.args, r.chosen = l, run.Args, nil
	r.mu.Unlock()
	err := run.Observe(r)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now != nil { // it was told to stop in the middle
		r.keep()
	}
	r.launch = nil
	return err
}

// Checked counts a check, which is not recorded.
func (r *Recorder) Checked() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.checked++
}

// failure is an error of a launch.
func failure(err error) *Failure {
	f := &Failure{Text: err.Error()}
	var e *exec.Error
	if errors.As(err, &e) {
		f.Program, f.Line = e.Program, e.Pos().Line
	}
	return f
}

// fail says what ended the launch; the instance that failed gets the same words.
func (l *Launch) fail(f *Failure) {
	l.Failure = f
	for _, i := range l.Instances {
		if i.Failure != nil {
			i.Failure = f
		}
	}
}

// interrupt ends the launch early, and with it the instance that ran.
func (l *Launch) interrupt(why error) {
	l.Failure = &Failure{Text: fmt.Sprintf("ended early, after %d of %d programs: %v", l.Ran, l.Programs(), why)}
	for _, i := range l.Instances {
		if i.Failure != nil {
			i.Failure, i.Ended = nil, false
		}
	}
}

// Start implements exec.Observer.
func (r *Recorder) Start(params []string, grid []int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.launch.Grid = ints(grid)
	for i, name := range params {
		r.launch.Args = append(r.launch.Args, newArg(name, r.args[i]))
	}
}

func newArg(name string, v any) Arg {
	if x, ok := v.(*tensor.Tensor); ok {
		return Arg{Name: name, Type: x.DType().Short(), Tensor: true, Shape: ints(x.Shape()), Strides: ints(x.Strides())}
	}
	if d, ok := v.(tl.DType); ok {
		return Arg{Name: name, Type: "tl.DType", Value: d.String()}
	}
	return Arg{Name: name, Type: fmt.Sprintf("%T", v), Value: goValue(v)}
}

// Begin implements exec.Observer.
func (r *Recorder) Begin(id []int, where func() diag.Pos) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now, r.cost, r.where = &Instance{ID: slices.Clone(id), Steps: []Step{}}, 0, where
	r.print = Footprint{ID: r.now.ID, Touches: []Touch{}}
}

// End implements exec.Observer.
func (r *Recorder) End(err *exec.Error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	number := r.launch.Ran
	r.launch.Ran++
	r.now.Ended = true
	if err != nil {
		r.fail(failure(err))
	}
	r.flush(0)
	if r.blocks < maxBlocks {
		r.launch.Prints = append(r.launch.Prints, r.print)
	} else {
		r.launch.undrawn++
	}
	if r.chosen == nil {
		r.choose()
	}
	if r.chosen[number] || err != nil {
		r.keep()
	}
	r.now = nil
}

// fail ends the running instance at its failure.
func (r *Recorder) fail(f *Failure) {
	r.now.Failure = f
	if n := len(r.pending); n == 0 || r.pending[n-1].Line != f.Line {
		r.flush(0)
		r.add(Step{Line: f.Line})
		return
	}
	r.flush(f.Line)
	r.add(Step{Line: f.Line, Accesses: r.pending})
	r.pending = nil
}

// keep records the instance that ran.
func (r *Recorder) keep() {
	if r.now.LeftOut == 0 || len(r.now.Steps) > 0 {
		r.launch.Instances = append(r.launch.Instances, r.now)
	}
	r.left -= r.cost
	r.now, r.cost, r.pending = nil, 0, nil
}

// choose chooses the instances to keep, when the first has shown what one costs. A launch
// takes at most half of what is left, so that there is room for later ones.
func (r *Recorder) choose() {
	total := r.launch.Programs()
	n := min(total, r.limits.Instances, max(r.left/2/max(r.cost, 1), 2))
	r.chosen = map[int]bool{0: true}
	for i := range n - 1 {
		r.chosen[(i+1)*(total-1)/(n-1)] = true
	}
}

// room is how many lanes the running instance may still have.
func (r *Recorder) room() int { return r.left - r.cost }

// Step records a statement that the running instance has carried out.
func (r *Recorder) Step(line int, assigned []Assigned) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now == nil {
		return // a function that no launch of ours calls
	}
	r.flush(line)
	s := Step{Line: line, Accesses: r.pending}
	r.pending = nil
	if r.room() > 0 {
		for _, a := range assigned {
			v, n := variable(a)
			s.Vars = append(s.Vars, v)
			r.cost += n
		}
	}
	r.add(s)
}

// Statement implements exec.Stepper: a statement of a kernel of Python. Of those in other files than
// the trace's, lines would be others'.
func (r *Recorder) Statement(s exec.Statement) {
	if filepath.Base(s.Pos.File) != filepath.Base(r.trace.File) {
		return
	}
	assigned := make([]Assigned, len(s.Vars))
	for i, v := range s.Vars {
		assigned[i] = Assigned{Name: v.Name, Type: fmt.Sprintf("%T", v.Value), Value: v.Value}
	}
	r.Step(s.Pos.Line, assigned)
}

// flush makes steps of the accesses at other lines than the given one.
func (r *Recorder) flush(line int) {
	for len(r.pending) > 0 && (line == 0 || slices.ContainsFunc(r.pending, func(a Access) bool { return a.Line != line })) {
		r.add(Step{Line: r.pending[0].Line, Accesses: r.pending[:1:1]})
		r.pending = r.pending[1:]
	}
}

// add adds a step, if there is room.
func (r *Recorder) add(s Step) {
	failed := r.now.Failure != nil
	if r.room() <= 0 && !failed {
		r.now.LeftOut++
		return
	}
	r.cost += stepCost
	r.now.Steps = append(r.now.Steps, s)
}

// Access implements tl.Observer.
func (r *Recorder) Access(a *tl.Access) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now == nil {
		return
	}
	s := laneStates(a)
	z := newAccess(a, r.argument(a.Base.Name), s)
	if r.blocks < maxBlocks {
		r.blocks += r.print.touch(z.Arg, z.Kind, blocks(elements(a, s)))
	}
	if z.Line = a.Pos.Line; r.where().IsValid() {
		z.Line = r.where().Line
	}
	if len(s) <= r.room() {
		z.lanes(a, s)
		r.cost += len(s)
	}
	r.pending = append(r.pending, z)
}

func (r *Recorder) argument(name string) int {
	return slices.IndexFunc(r.launch.Args, func(a Arg) bool { return a.Name == name })
}

// Decide implements tl.Observer.
func (r *Recorder) Decide(string, diag.Pos, tl.Mark, []*tl.Origin, tl.Sources) {}

// Notice implements tl.Observer.
func (r *Recorder) Notice(tl.Notice) {}

// Trace is the record, with what is not in it. Nothing is to be recorded afterwards.
func (r *Recorder) Trace() *Trace {
	notes := []string{}
	for _, l := range r.trace.Launches {
		if len(l.Instances) < l.Ran {
			notes = append(notes, fmt.Sprintf("%s: %d of %d instances are recorded (at most %d, and %d lanes in all; change with -instances, -lanes)",
				l.Kernel, len(l.Instances), l.Ran, r.limits.Instances, r.limits.Lanes))
		}
		notes = append(notes, l.shortened(r.limits)...)
		if l.undrawn > 0 {
			notes = append(notes, fmt.Sprintf("%s: what %d programs touch is not drawn: it is scattered over more than %d blocks", l.Kernel, l.undrawn, maxBlocks))
		}
	}
	for _, n := range []struct {
		count int
		why   string
	}{
		{r.unrecorded, fmt.Sprintf("beyond %d lanes in all (-lanes)", r.limits.Lanes)},
		{r.beside, "that began while another ran"},
		{r.checked, "of Check and Promote, which work on copies"},
	} {
		if n.count > 0 {
			notes = append(notes, fmt.Sprintf("launches %s are not recorded: %d", n.why, n.count))
		}
	}
	r.trace.Notes = notes
	return &r.trace
}

// shortened is what is missing of the instances that are recorded.
func (l *Launch) shortened(limits Limits) (notes []string) {
	steps, accesses := 0, 0
	for _, i := range l.Instances {
		steps += i.LeftOut
		for _, s := range i.Steps {
			for _, a := range s.Accesses {
				if a.States == "" && a.Lanes > 0 {
					accesses++
				}
			}
		}
	}
	for _, n := range []struct {
		what  string
		count int
	}{{"steps left out", steps}, {"accesses without their lanes", accesses}} {
		if n.count > 0 {
			notes = append(notes, fmt.Sprintf("%s: %s, beyond %d lanes in all (-lanes): %d", l.Kernel, n.what, limits.Lanes, n.count))
		}
	}
	return notes
}
