package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/edit"
	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/repl/show"
	"github.com/tiler-go/tiler/repl/walk"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// cmdPid makes p a program instance.
func (s *Session) cmdPid(ctx context.Context, arg string) error {
	if arg == "" {
		if p := s.program(ctx); p != nil {
			s.view.Say(show.Program(p))
			return nil
		}
		return fmt.Errorf("p is not a program instance yet\n\tfix: :pid 0 0 of 2 2 makes it the first of a grid of 2 by 2")
	}
	place, grid, hasGrid := strings.Cut(" "+arg+" ", " of ")
	id, err := threeNumbers(place, 0)
	if err != nil {
		return err
	}
	var num [3]int
	if hasGrid {
		if num, err = threeNumbers(grid, 1); err != nil {
			return err
		}
	} else {
		num = s.likelyGrid(ctx, id)
	}
	for i := range id {
		if id[i] < 0 || num[i] < 1 || id[i] >= num[i] {
			return fmt.Errorf("program %s is not in a grid of %s\n\tfix: each number must be from 0 to one less than the grid's", show.Dims(id[:]), show.Dims(num[:]))
		}
	}
	p := tl.NewProgram(id, num, tl.NewOutput(s.view.Out()))
	if err := s.cells.Set("p", p); err != nil {
		return err
	}
	s.view.Say(show.Program(p))
	return nil
}

// threeNumbers reads one to three numbers; those that are missing are rest.
func threeNumbers(text string, rest int) (n [3]int, err error) {
	fields := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t,()[]", r) })
	if len(fields) == 0 || len(fields) > 3 {
		return n, usage(":pid")
	}
	n = [3]int{rest, rest, rest}
	for i, f := range fields {
		if n[i], err = strconv.Atoi(f); err != nil {
			return n, usage(":pid")
		}
	}
	return n, nil
}

// program is what p is, nil if it is no program instance.
func (s *Session) program(ctx context.Context) *tl.Program {
	if d, ok := s.cells.Def("p"); !ok || d.Type != "*tl.Program" {
		return nil
	}
	v, err := s.cells.Evaluate(ctx, "p")
	if err != nil {
		return nil
	}
	p, _ := v.V.(*tl.Program)
	return p
}

// likelyGrid is the grid that an instance without one is taken to be of: p's, that of
// the last launch, or the smallest.
func (s *Session) likelyGrid(ctx context.Context, id [3]int) (num [3]int) {
	within := func() bool { return id[0] < num[0] && id[1] < num[1] && id[2] < num[2] }
	if p := s.program(ctx); p != nil {
		if num = [3]int{p.Num(0), p.Num(1), p.Num(2)}; within() {
			return num
		}
	}
	if ls := s.launches.list(); len(ls) > 0 {
		if num = sizes(ls[len(ls)-1].Grid); within() {
			return num
		}
	}
	return [3]int{id[0] + 1, id[1] + 1, id[2] + 1}
}

// sizes is a grid's three sizes, none if it is a function.
func sizes(g exec.Space) (num [3]int) {
	grid, ok := g.(exec.Grid)
	if !ok {
		return num
	}
	num = [3]int{1, 1, 1}
	copy(num[:], grid)
	return num
}

func (s *Session) cmdBegin(context.Context, string) error {
	s.begun = s.cells.Mark()
	s.view.Note("type the lines of a kernel; :kernel NAME turns them into one")
	return nil
}

// cmdKernel makes a kernel of the statements since :begin.
func (s *Session) cmdKernel(ctx context.Context, arg string) error {
	if arg == "" {
		return usage(":kernel")
	}
	text, err := s.cells.KernelText(arg, s.begun)
	if err != nil {
		return err
	}
	s.view.Say(show.Source(text))
	return s.evalAt(ctx, "", 0, text)
}

// errEnough ends a walk.
var errEnough = errors.New("enough")

// cmdStep walks through one instance of a launch.
func (s *Session) cmdStep(ctx context.Context, arg string) error {
	w := &walking{s: s}
	return s.steps(ctx, arg, s.program(ctx), w.begin, w.step)
}

// steps does an instance of a launch statement by statement; p is the instance, the first if it
// is nil. begin is told of the instance and the kernel's arguments.
func (s *Session) steps(ctx context.Context, target string, p *tl.Program, begin func(p *tl.Program, a again), step func(cell.Step) error) error {
	a, err := s.target(ctx, target)
	if err != nil {
		return err
	}
	if err := a.fits(); err != nil {
		return err
	}
	s.repeatable(a)
	if p == nil {
		num := sizes(a.grid)
		if num == [3]int{} {
			return fmt.Errorf("the grid is a function\n\tfix: choose an instance first: :pid 0 of 4")
		}
		p = tl.NewProgram([3]int{}, num, tl.NewOutput(s.view.Out()))
	}
	begin(p, a)
	if k, ok := s.script(a.kernel.Name()); ok {
		kernel := a.kernel.With(exec.Options{Output: s.view.Out()})
		err = walk.Lowered{Kernel: kernel, Args: a.args, Text: k.text}.Steps(ctx, p, step)
	} else {
		err = s.cells.Step(ctx, a.kernel.Name(), p, a.args, step)
	}
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// A walking shows the steps of a kernel, and waits for the user after each if there is
// one.
type walking struct {
	s     *Session
	going bool           // without waiting
	names map[string]any // the kernel's variables
}

// begin says which instance it is, and takes the kernel's arguments.
func (w *walking) begin(p *tl.Program, a again) {
	w.s.view.Say(show.Program(p))
	w.names = map[string]any{"p": p}
	for i, name := range a.kernel.Params() {
		w.names[name] = a.args[i]
		if x, ok := a.args[i].(*tensor.Tensor); ok {
			w.names[name] = tl.PointerTo(x, name, nil)
		}
	}
}

func (w *walking) step(st cell.Step) error {
	var p picture.Picture
	p.Add(picture.Head, strconv.Itoa(st.Pos.Line), picture.Code, "  "+strings.TrimSpace(st.Source))
	for i, name := range st.Names {
		w.names[name] = st.Values[i].V
		q := w.s.view.Picture(st.Values[i])
		if len(q.Blocks) == 1 && q.Blocks[0].Line != nil {
			p.Blocks = append(p.Blocks, picture.Block{Line: append(picture.Line{{Text: "    " + name + " = ", Style: picture.Head}}, q.Blocks[0].Line...)})
			continue
		}
		p.Append(show.Aside("    " + name + " ="))
		p.Append(q)
	}
	w.s.view.Say(p)
	return w.wait()
}

// stepKeys is what can be answered between the steps.
const stepKeys = "Enter does the next statement, c goes on to the end, q stops; so does Ctrl-C.\nAnything else is an expression: of the variables that the kernel has so far, and of packages."

// wait waits for the user, who may ask for the values of expressions.
func (w *walking) wait() error {
	for w.s.view.Editor() != nil && !w.going {
		answer, err := w.s.view.Editor().Ask("next (Enter), to the end (c), stop (q), help (?)> ")
		switch answer = strings.TrimSpace(answer); {
		case errors.Is(err, edit.ErrInterrupt), errors.Is(err, io.EOF), answer == "q":
			return errEnough
		case err != nil:
			return err
		case answer == "":
			return nil
		case answer == "c":
			w.going = true
		case answer == "?":
			w.s.view.Note(stepKeys)
		default:
			w.s.Report(w.look(answer))
		}
	}
	return nil
}

// look shows the value of an expression of the kernel's variables.
func (w *walking) look(expr string) error {
	v, err := walk.Look(w.names, expr)
	if err == nil {
		w.s.view.Say(w.s.view.Picture(v))
	}
	return err
}
