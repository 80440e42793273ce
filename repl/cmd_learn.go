package repl

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/launch"
	"github.com/tiler-go/tiler/repl/learn"
	"github.com/tiler-go/tiler/repl/learn/puzzles"
	"github.com/tiler-go/tiler/repl/show"
	tl "github.com/tiler-go/tiler/tilelang"
)

// learning is how far the user is with the puzzles.
type learning struct {
	progress *learn.Progress
	puzzle   *learn.Puzzle  // the one being worked on; nil: nothing is judged as it is defined
	asked    *learn.Puzzle  // the one that a command named last
	judged   map[string]int // by kernel, the definition that was judged last
	verdicts []bool         // whether what was judged was right
	files    bool           // the user works in files, and not at the prompt
}

// forget is for when all definitions are forgotten.
func (l *learning) forget() { l.judged = map[string]int{} }

// current is the puzzle that a command is about: the one being worked on, or the next.
func (s *Session) current() *learn.Puzzle {
	for _, p := range []*learn.Puzzle{s.learning.asked, s.learning.puzzle, s.learning.progress.Next()} {
		if p != nil {
			return p
		}
	}
	return puzzles.Course.Puzzles[0]
}

// named is the puzzle or exercise that a command's argument names, or the current one.
func (s *Session) named(arg string) (*learn.Puzzle, error) {
	if arg == "" {
		return s.current(), nil
	}
	p, err := puzzles.Course.Named(arg)
	if err != nil {
		return nil, fmt.Errorf("%w\n\tfix: :puzzles lists them", err)
	}
	s.learning.asked = p
	return p, nil
}

func (s *Session) cmdPuzzles(context.Context, string) error {
	s.view.Say(s.learning.progress.Picture())
	return nil
}

// cmdPuzzle begins a puzzle, or goes on with it.
func (s *Session) cmdPuzzle(_ context.Context, arg string) error {
	p := s.current()
	switch next := s.learning.progress.Next(); {
	case arg != "":
		var err error
		if p, err = s.named(arg); err != nil {
			return err
		}
	case s.learning.progress.Has(p) && next == nil:
		s.view.Note("all puzzles are solved; :puzzle N shows one again, and :puzzles lists them")
		return nil
	case s.learning.progress.Has(p):
		p = next
	}
	s.study(p)
	s.view.Say(p.Picture())
	s.view.Note("\n%s", s.layOut(p))
	s.offer(p)
	return nil
}

// study makes a puzzle the one being worked on. What is defined by now is not judged.
func (s *Session) study(p *learn.Puzzle) {
	if s.learning.puzzle == nil {
		s.learning.forget()
		for _, q := range puzzles.Course.All() {
			if d, ok := s.cells.Def(q.Name); ok {
				s.learning.judged[q.Name] = d.Serial
			}
		}
	}
	s.learning.puzzle, s.learning.asked = p, nil
}

// layOut makes the arguments of the puzzle's first launch variables, and p its first program, so
// that the lines of the kernel can be tried. It says so.
func (s *Session) layOut(p *learn.Puzzle) string {
	c := p.Cases[0]
	num := launch.Sizes(c.Grid)
	var names []string
	set := func(name string, value any) {
		if s.cells.Set(name, value) == nil {
			names = append(names, name)
		}
	}
	set("p", tl.NewProgram([3]int{}, num, tl.NewOutput(s.view.Out())))
	for i, v := range c.Values() {
		set(p.Params()[i], v)
	}
	return fmt.Sprintf("%s are defined, so that you can try lines such as\n\t%s\nThe kernel is judged as soon as you define it; :hint helps.", strings.Join(names, ", "), p.Launch())
}

// offer gives the user the kernel as it is so far, or the skeleton.
func (s *Session) offer(p *learn.Puzzle) {
	text := learn.Sugar(p.Skeleton())
	if d, ok := s.cells.Def(p.Name); ok && d.Kernel {
		text = d.Source
	}
	if s.view.Editor() == nil {
		s.view.Say(show.Source(text))
		return
	}
	s.view.Note("↑ moves into the text; Enter on its last line submits it.\nPasted text replaces it. Ctrl-C drops it so that you can try lines first;\n:puzzle brings it back.")
	s.view.Editor().Preset(text)
}

func (s *Session) cmdHint(_ context.Context, arg string) error {
	p, err := s.named(arg)
	if err == nil {
		s.view.Say(s.learning.progress.Hint(p))
	}
	return err
}

func (s *Session) cmdSolution(_ context.Context, arg string) error {
	p, err := s.named(arg)
	if err == nil {
		s.view.Say(show.Source(learn.Sugar(p.Solution())))
	}
	return err
}

// cmdJudge judges a kernel as it is defined now.
func (s *Session) cmdJudge(ctx context.Context, arg string) error {
	p, err := s.named(arg)
	if err != nil {
		return err
	}
	d, ok := s.cells.Def(p.Name)
	if !ok || d.Kind != token.FUNC {
		return fmt.Errorf("there is no kernel %s to judge\n\tfix: define it: %s", p.Name, p.Signature())
	}
	if s.learning.judged == nil {
		s.learning.forget()
	}
	if d.Serial == s.learning.judged[p.Name] && s.learning.puzzle != nil {
		return nil // it was, as it was defined
	}
	s.learning.judged[p.Name] = d.Serial
	k, err := s.cells.Kernel(p.Name)
	if err != nil {
		return err
	}
	return s.judge(ctx, p, k)
}

// judgeNew judges the puzzles' kernels that were defined since it was called last.
func (s *Session) judgeNew(ctx context.Context) error {
	if s.learning.puzzle == nil {
		return nil
	}
	for _, p := range puzzles.Course.All() {
		d, ok := s.cells.Def(p.Name)
		if !ok || d.Kind != token.FUNC || d.Serial == s.learning.judged[p.Name] || d.Broken != nil {
			continue
		}
		s.learning.judged[p.Name] = d.Serial
		s.learning.puzzle = p
		k, err := s.cells.Kernel(p.Name)
		if err != nil {
			return err
		}
		if err := s.judge(ctx, p, k); err != nil {
			return err
		}
	}
	return nil
}

// judge says whether a kernel solves a puzzle.
func (s *Session) judge(ctx context.Context, p *learn.Puzzle, k *exec.Kernel) error {
	type judged struct {
		verdict *learn.Verdict
		err     error
	}
	ctx, stop := learn.Patience(ctx)
	defer stop()
	j, err := launch.Watched(ctx, s.kernels, "judging "+p.Name, func() (j judged) {
		j.verdict, j.err = p.Judge(ctx, k, s.view.Out())
		return j
	})
	switch {
	case err != nil:
		return err
	case j.err != nil:
		return j.err
	}
	first := p.Cases[0] // what :step, :check and others repeat
	s.kernels.Repeat(launch.Again{Kernel: k, Grid: first.Grid, Args: first.Values()})
	s.view.Say(j.verdict.Picture())
	s.learning.verdicts = append(s.learning.verdicts, j.verdict.Right())
	if j.verdict.Right() {
		s.learning.progress.Solve(p)
		if p.Notebook == "" {
			s.learning.goOn(s)
		}
	}
	return nil
}

// goOn says what comes next.
func (l *learning) goOn(s *Session) {
	next := l.progress.Next()
	switch {
	case next == nil:
		s.view.Note("all puzzles are solved")
	case l.files:
		s.view.Note("next: %s. tiler learn -o FILE.go %d writes a file for it", next.Heading(), next.Number())
	default:
		s.view.Note("next: %s. :puzzle opens it", next.Heading())
	}
}

// JudgeFile judges the puzzles' kernels that a file defines. It does not run the file's main. It is
// the process's exit status: 1 if a kernel is wrong.
func (s *Session) JudgeFile(ctx context.Context, name string) int {
	text, err := cell.ReadText(name)
	if err != nil {
		s.Report(err)
		return 1
	}
	s.study(s.current())
	s.learning.files = true
	if err := s.define(ctx, name, string(text)); err != nil {
		if ctx.Err() != nil {
			err = errInterrupted
		}
		s.Report(err)
		return 1
	}
	if len(s.learning.verdicts) == 0 {
		s.Report(fmt.Errorf("%s defines no kernel of a puzzle, such as %s\n\tfix: tiler learn lists them", name, s.current().Name))
		return 1
	}
	if slices.Contains(s.learning.verdicts, false) {
		return 1
	}
	return 0
}

// define makes the definitions of a file: of a program as Go does, without running its main; else
// cell by cell.
func (s *Session) define(ctx context.Context, name, text string) error {
	if cell.IsProgram(text) {
		if err := s.cells.RunFile(ctx, name, withoutMain(text)); err != nil {
			return err
		}
		return s.judgeNew(ctx)
	}
	for _, c := range cellsOf(text) {
		if err := s.evalAt(ctx, name, c.Line, c.Text); err != nil {
			return err
		}
	}
	return nil
}

// withoutMain is a program whose main does nothing. What it did is compiled all the same, so that
// its imports are used.
func withoutMain(text string) string {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return text // which says what is wrong with it
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == "main" && fn.Recv == nil {
			at := fset.Position(fn.Name.Pos()).Offset
			text = text[:at] + "_" + text[at+len("main"):]
		}
	}
	return text + "\nfunc main() {}\n"
}
