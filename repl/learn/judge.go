package learn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A Verdict is what the judge says of a kernel.
type Verdict struct {
	Puzzle *Puzzle

	// Of a kernel that is right: how often it was launched, and what compiling it gave.
	Launches, Programs    int
	Engine                string // "" if it runs interpreted, which is not the kernel's fault
	Interpreted, Compiled time.Duration

	// Of one that is wrong: the launch, and what was found there or why it could not be made.
	Case       *Case
	Finding    *exec.Finding
	Others     []exec.Finding // what else was found
	Got, Want  *tensor.Tensor // the output that differs from the reference's
	Impossible error
}

// Right reports whether the kernel solves the puzzle.
func (v *Verdict) Right() bool { return v.Finding == nil && v.Impossible == nil }

// budget is how long a launch may take, and patience the judging of all: most launches take
// a thousandth of that.
const (
	budget   = 2 * time.Second
	patience = 15 * time.Second
)

// errEndless is why judging was ended.
var errEndless = errors.New("the kernel does not end: does a loop forget to advance?")

// Patience is a context for judging: it ends when ctx does, or when it takes too long.
func Patience(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, patience, errEndless)
}

// Judge launches a kernel on each of the puzzle's cases. What its programs print in the first one
// goes to out. The error is why ctx ended.
func (p *Puzzle) Judge(ctx context.Context, k *exec.Kernel, out io.Writer) (*Verdict, error) {
	v := &Verdict{Puzzle: p}
	for i := range p.Cases {
		v.launch(ctx, k, i, out)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if !v.Right() {
			v.Case = &p.Cases[i]
			break
		}
		out = io.Discard
	}
	return v, nil
}

// launch checks the kernel on one case, and promotes it on the last.
func (v *Verdict) launch(ctx context.Context, k *exec.Kernel, i int, out io.Writer) {
	p, c := v.Puzzle, v.Puzzle.Cases[i]
	args := c.Values()
	last := i == len(p.Cases)-1 // it is large: its sizes are not varied as those before are
	k = k.With(exec.Options{Memory: "off", Output: out, Check: exec.CheckOptions{
		Budget: budget, Commit: exec.CommitAlways, Sizes: p.Sizes, NoVariations: last,
	}}).Against(p.Reference)
	run := k.CheckContext
	if last {
		run = k.PromoteContext
	}
	r, err := run(ctx, c.Grid, args...)
	switch {
	case ctx.Err() != nil:
		return
	case r == nil:
		v.Impossible = fmt.Errorf("%w\n\tfix: keep the parameters as they are: %s", err, p.Signature())
		return
	}
	v.Launches++
	v.Programs += r.Ran
	v.Engine, v.Interpreted, v.Compiled = "", 0, 0
	if r.Promoted && r.Times.Compiled > 0 {
		v.Engine, v.Interpreted, v.Compiled = r.Engine, r.Times.Interpreted, r.Times.Compiled
	}
	if r.Ran < r.Programs && r.OK {
		v.Impossible = fmt.Errorf("only %d of %d programs finished within %v", r.Ran, r.Programs, budget)
		return
	}
	v.find(r, append(rules(ctx, p, k, r, c), r.Findings...))
	if f := v.Finding; f != nil && f.Kind == check.Reference && f.Variation == "" {
		v.compare(c, args)
	}
}

// find chooses the finding to show: the first of the most telling kind.
func (v *Verdict) find(r *exec.Report, fs []exec.Finding) {
	fs = slices.Clone(fs)
	for i := range fs {
		if fs[i].Kind == check.Race { // in a puzzle each element is one program's, whatever it stores
			fs[i].Severity = check.Error
		}
	}
	fs = slices.DeleteFunc(fs, func(f exec.Finding) bool {
		return f.Severity == check.Note && (f.Kind != check.DeadLanes || r.OK) || f.Kind == check.EngineMismatch
	})
	slices.SortStableFunc(fs, func(f, g exec.Finding) int { return telling(f) - telling(g) })
	if len(fs) > 0 && fs[0].Severity != check.Note {
		v.Finding = &fs[0]
		v.Others = slices.DeleteFunc(fs[1:], func(f exec.Finding) bool { return f.Kind == check.Reference }) // a consequence
	}
}

// kinds is the kinds of findings, the most telling first: what a program does to memory explains
// wrong results, and not the other way round; who leaves a row leaves the tensor in the last one.
var kinds = []check.Kind{check.Endless, check.Fault, check.DivByZero, check.WrongRow, check.OutOfBounds, check.Overflow, check.Undefined, check.Race, check.DuplicateStore, check.NotPortable, check.Unwritten, check.Reference}

// lesson is what a finding means for the puzzle. Of an element that is not written it is
// what a wrong one means, unless the puzzle knows better.
func (p *Puzzle) lesson(k check.Kind) string {
	if s := p.Lessons[k]; s != "" || k != check.Unwritten {
		return s
	}
	return p.Lessons[check.Reference]
}

func telling(f exec.Finding) int {
	i := slices.Index(kinds, f.Kind)
	if i < 0 || f.Severity == check.Note {
		i = len(kinds)
	}
	return i
}

// compare keeps the output that differs, and what it should have been.
func (v *Verdict) compare(c Case, args []any) {
	i := slices.Index(v.Puzzle.Params(), v.Finding.Tensor)
	if i < 0 {
		return // the parameter has another name now
	}
	want := c.Values()
	call(v.Puzzle.Reference, want)
	v.Got, v.Want = args[i].(*tensor.Tensor), want[i].(*tensor.Tensor)
}
