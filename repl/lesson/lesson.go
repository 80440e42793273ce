package lesson

import (
	"context"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/launch"
	"github.com/tiler-go/tiler/repl/learn"
	"github.com/tiler-go/tiler/repl/learn/puzzles"
	"github.com/tiler-go/tiler/repl/show"
	tl "github.com/tiler-go/tiler/tilelang"
)

// Lessons is how far the user of a session is with the puzzles.
type Lessons struct {
	*launch.Kernels
	progress *learn.Progress
	puzzle   *learn.Puzzle  // the one being worked on; nil: nothing is judged as it is defined
	asked    *learn.Puzzle  // the one that a command named last
	judged   map[string]int // by kernel, the definition that was judged last
	verdicts []bool         // whether what was judged was right
	files    bool           // the user works in files, and not at the prompt
}

// New is the lessons of a session, with a file of what puzzles are solved.
func New(k *launch.Kernels, learned string) *Lessons {
	return &Lessons{Kernels: k, progress: puzzles.Course.Progress(learned)}
}

// Verdicts is whether what was judged so far was right, in order.
func (l *Lessons) Verdicts() []bool { return slices.Clone(l.verdicts) }

// Forget is for when all definitions are forgotten.
func (l *Lessons) Forget() { l.judged = map[string]int{} }

// Current is the puzzle that a command is about: the one being worked on, or the next.
func (l *Lessons) Current() *learn.Puzzle {
	for _, p := range []*learn.Puzzle{l.asked, l.puzzle, l.progress.Next()} {
		if p != nil {
			return p
		}
	}
	return puzzles.Course.Puzzles[0]
}

// named is the puzzle or exercise that a command's argument names, or the current one.
func (l *Lessons) named(arg string) (*learn.Puzzle, error) {
	if arg == "" {
		return l.Current(), nil
	}
	p, err := puzzles.Course.Named(arg)
	if err != nil {
		return nil, fmt.Errorf("%w\n\tfix: :puzzles lists them", err)
	}
	l.asked = p
	return p, nil
}

// Puzzles lists the puzzles, and which are solved.
func (l *Lessons) Puzzles(context.Context, string) error {
	l.Say(l.progress.Picture())
	return nil
}

// Puzzle begins a puzzle, or goes on with it.
func (l *Lessons) Puzzle(_ context.Context, arg string) error {
	p := l.Current()
	switch next := l.progress.Next(); {
	case arg != "":
		var err error
		if p, err = l.named(arg); err != nil {
			return err
		}
	case l.progress.Has(p) && next == nil:
		l.Note("all puzzles are solved; :puzzle N shows one again, and :puzzles lists them")
		return nil
	case l.progress.Has(p):
		p = next
	}
	l.Study(p)
	l.Say(p.Picture())
	l.Note("\n%s", l.LayOut(p))
	l.offer(p)
	return nil
}

// Study makes a puzzle the one being worked on. What is defined by now is not judged.
func (l *Lessons) Study(p *learn.Puzzle) {
	if l.puzzle == nil {
		l.Forget()
		for _, q := range puzzles.Course.All() {
			if d, ok := l.Cells.Def(q.Name); ok {
				l.judged[q.Name] = d.Serial
			}
		}
	}
	l.puzzle, l.asked = p, nil
}

// LayOut makes the arguments of the puzzle's first launch variables, and p its first program, so
// that the lines of the kernel can be tried. It says so.
func (l *Lessons) LayOut(p *learn.Puzzle) string {
	c := p.Cases[0]
	num := launch.Sizes(c.Grid)
	var names []string
	set := func(name string, value any) {
		if l.Cells.Set(name, value) == nil {
			names = append(names, name)
		}
	}
	set("p", tl.NewProgram([3]int{}, num, tl.NewOutput(l.Out())))
	for i, v := range c.Values() {
		set(p.Params()[i], v)
	}
	return fmt.Sprintf("%s are defined, so that you can try lines such as\n\t%s\nThe kernel is judged as soon as you define it; :hint helps.", strings.Join(names, ", "), p.Launch())
}

// offer gives the user the kernel as it is so far, or the skeleton.
func (l *Lessons) offer(p *learn.Puzzle) {
	text := learn.Sugar(p.Skeleton())
	if d, ok := l.Cells.Def(p.Name); ok && d.Kernel {
		text = d.Source
	}
	if l.Editor() == nil {
		l.Say(show.Source(text))
		return
	}
	l.Note("↑ moves into the text; Enter on its last line submits it.\nPasted text replaces it. Ctrl-C drops it so that you can try lines first;\n:puzzle brings it back.")
	l.Editor().Preset(text)
}

// Hint gives a hint.
func (l *Lessons) Hint(_ context.Context, arg string) error {
	p, err := l.named(arg)
	if err == nil {
		l.Say(l.progress.Hint(p))
	}
	return err
}

// Solution shows a kernel that solves a puzzle.
func (l *Lessons) Solution(_ context.Context, arg string) error {
	p, err := l.named(arg)
	if err == nil {
		l.Say(show.Source(learn.Sugar(p.Solution())))
	}
	return err
}

// Judge judges a kernel as it is defined now.
func (l *Lessons) Judge(ctx context.Context, arg string) error {
	p, err := l.named(arg)
	if err != nil {
		return err
	}
	d, ok := l.Cells.Def(p.Name)
	if !ok || d.Kind != token.FUNC {
		return fmt.Errorf("there is no kernel %s to judge\n\tfix: define it: %s", p.Name, p.Signature())
	}
	if l.judged == nil {
		l.Forget()
	}
	if d.Serial == l.judged[p.Name] && l.puzzle != nil {
		return nil // it was, as it was defined
	}
	l.judged[p.Name] = d.Serial
	k, err := l.Cells.Kernel(p.Name)
	if err != nil {
		return err
	}
	return l.judge(ctx, p, k)
}

// JudgeNew judges the puzzles' kernels that were defined since it was called last.
func (l *Lessons) JudgeNew(ctx context.Context) error {
	if l.puzzle == nil {
		return nil
	}
	for _, p := range puzzles.Course.All() {
		d, ok := l.Cells.Def(p.Name)
		if !ok || d.Kind != token.FUNC || d.Serial == l.judged[p.Name] || d.Broken != nil {
			continue
		}
		l.judged[p.Name] = d.Serial
		l.puzzle = p
		k, err := l.Cells.Kernel(p.Name)
		if err != nil {
			return err
		}
		if err := l.judge(ctx, p, k); err != nil {
			return err
		}
	}
	return nil
}

// judge says whether a kernel solves a puzzle.
func (l *Lessons) judge(ctx context.Context, p *learn.Puzzle, k *exec.Kernel) error {
	type judged struct {
		verdict *learn.Verdict
		err     error
	}
	ctx, stop := learn.Patience(ctx)
	defer stop()
	j, err := launch.Watched(ctx, l.Kernels, "judging "+p.Name, func() (j judged) {
		j.verdict, j.err = p.Judge(ctx, k, l.Out())
		return j
	})
	switch {
	case err != nil:
		return err
	case j.err != nil:
		return j.err
	}
	first := p.Cases[0] // what :step, :check and others repeat
	l.Repeat(launch.Again{Kernel: k, Grid: first.Grid, Args: first.Values()})
	l.Say(j.verdict.Picture())
	l.verdicts = append(l.verdicts, j.verdict.Right())
	if j.verdict.Right() {
		l.progress.Solve(p)
		if p.Notebook == "" {
			l.goOn()
		}
	}
	return nil
}

// InFiles says that the user works in files, and judges all kernels from now on.
func (l *Lessons) InFiles() {
	l.Study(l.Current())
	l.files = true
}

// goOn says what comes next.
func (l *Lessons) goOn() {
	next := l.progress.Next()
	switch {
	case next == nil:
		l.Note("all puzzles are solved")
	case l.files:
		l.Note("next: %s. tiler learn -o FILE.go %d writes a file for it", next.Heading(), next.Number())
	default:
		l.Note("next: %s. :puzzle opens it", next.Heading())
	}
}
