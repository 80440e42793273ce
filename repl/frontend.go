package repl

import (
	"context"

	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/explain"
	"github.com/tiler-go/tiler/repl/kernels"
	"github.com/tiler-go/tiler/repl/learn"
	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/repl/show"
	tl "github.com/tiler-go/tiler/tilelang"
)

// What a session offers to those who show it elsewhere than at a terminal.

// EvalAs evaluates a text as Eval does. Positions in errors begin with a name, such as
// In[3].
func (s *Session) EvalAs(ctx context.Context, name, text string) error {
	s.called = name
	defer func() { s.called = "" }()
	return s.Eval(ctx, text)
}

// Expression is what an expression's value looks like, which is not shown.
func (s *Session) Expression(ctx context.Context, expr string) (picture.Picture, error) {
	v, err := s.cells.Evaluate(ctx, expr)
	if err != nil {
		return picture.Picture{}, err
	}
	return s.view.Picture(v), nil
}

// Steps does one instance of a launch, such as add[4](x, out, 1000, 256), statement by
// statement: the one with the given number, in the order in which programs are numbered. It
// tells begin which, of how many, and step each statement with the pictures of the variables
// that it gave values to. An error of step ends it, and is the result.
func (s *Session) Steps(ctx context.Context, launch string, number int, begin func(p *tl.Program, of int), step func(st cell.Step, values []picture.Picture) error) error {
	return kernels.Steps(ctx, s.kernels, launch, number, begin, step)
}

// Study makes a puzzle the one being worked on: its kernel is judged when it is next
// defined, and the arguments of its first launch become variables.
func (s *Session) Study(p *learn.Puzzle) {
	s.lessons.Study(p)
	s.lessons.LayOut(p)
}

// Verdicts is whether what was judged so far was right, in order.
func (s *Session) Verdicts() []bool { return s.lessons.Verdicts() }

// Problem is an error of Eval as a picture; ok is false if the session has shown what is
// wrong already, or if nothing is.
func (s *Session) Problem(err error) (p picture.Picture, ok bool) {
	return s.view.Problem(err)
}

// Inspect says what the name at a place in a text means: the name that the place touches
// or, if that means nothing, a function in whose arguments it is. With source it is
// followed by how it was defined.
func (s *Session) Inspect(text string, pos int, source bool) (p picture.Picture, ok bool) {
	for _, name := range explain.At(text, pos) {
		p, err := s.names.Of(name)
		if err != nil {
			continue
		}
		if d, _ := s.cells.Def(name); source && d.Source != "" {
			p.Append(show.Text(""))
			p.Append(show.Source(d.Source))
		}
		return p, true
	}
	return p, false
}
