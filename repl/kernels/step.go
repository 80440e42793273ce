package kernels

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
	"github.com/tiler-go/tiler/repl/launch"
	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/repl/show"
	"github.com/tiler-go/tiler/repl/walk"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// errEnough ends a walk.
var errEnough = errors.New("enough")

// Step walks through one instance of a launch.
func Step(ctx context.Context, k *launch.Kernels, arg string) error {
	w := &walking{k: k}
	return steps(ctx, k, arg, program(ctx, k), w.begin, w.step)
}

// steps does an instance of a launch statement by statement; p is the instance, the first if it
// is nil. begin is told of the instance and the kernel's arguments.
func steps(ctx context.Context, k *launch.Kernels, target string, p *tl.Program,
	begin func(p *tl.Program, a launch.Again), step func(cell.Step) error) error {
	a, err := k.Target(ctx, target)
	if err != nil {
		return err
	}
	if err := a.Fits(); err != nil {
		return err
	}
	k.Repeat(a)
	if p == nil {
		num := launch.Sizes(a.Grid)
		if num == [3]int{} {
			return fmt.Errorf("the grid is a function\n\tfix: choose an instance first: :pid 0 of 4")
		}
		p = tl.NewProgram([3]int{}, num, tl.NewOutput(k.Out()))
	}
	begin(p, a)
	if text, ok := k.Text(a.Kernel.Name()); ok {
		kernel := a.Kernel.With(exec.Options{Output: k.Out()})
		err = walk.Lowered{Kernel: kernel, Args: a.Args, Text: text}.Steps(ctx, p, step)
	} else {
		err = k.Cells.Step(ctx, a.Kernel.Name(), p, a.Args, step)
	}
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// A walking shows the steps of a kernel, and waits for the user after each if there is
// one.
type walking struct {
	k     *launch.Kernels
	going bool           // without waiting
	names map[string]any // the kernel's variables
}

// begin says which instance it is, and takes the kernel's arguments.
func (w *walking) begin(p *tl.Program, a launch.Again) {
	w.k.Say(show.Program(p))
	w.names = map[string]any{"p": p}
	for i, name := range a.Kernel.Params() {
		w.names[name] = a.Args[i]
		if x, ok := a.Args[i].(*tensor.Tensor); ok {
			w.names[name] = tl.PointerTo(x, name, nil)
		}
	}
}

func (w *walking) step(st cell.Step) error {
	var p picture.Picture
	p.Add(picture.Head, strconv.Itoa(st.Pos.Line), picture.Code, "  "+strings.TrimSpace(st.Source))
	for i, name := range st.Names {
		w.names[name] = st.Values[i].V
		q := w.k.Picture(st.Values[i])
		if len(q.Blocks) == 1 && q.Blocks[0].Line != nil {
			line := append(picture.Line{{Text: "    " + name + " = ", Style: picture.Head}}, q.Blocks[0].Line...)
			p.Blocks = append(p.Blocks, picture.Block{Line: line})
			continue
		}
		p.Append(show.Aside("    " + name + " ="))
		p.Append(q)
	}
	w.k.Say(p)
	return w.wait()
}

// stepKeys is what can be answered between the steps.
const stepKeys = "Enter does the next statement, c goes on to the end, q stops; so does Ctrl-C.\nAnything else is an expression: of the variables that the kernel has so far, and of packages."

// wait waits for the user, who may ask for the values of expressions.
func (w *walking) wait() error {
	for w.k.Editor() != nil && !w.going {
		answer, err := w.k.Editor().Ask("next (Enter), to the end (c), stop (q), help (?)> ")
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
			w.k.Note(stepKeys)
		default:
			w.k.Report(w.look(answer))
		}
	}
	return nil
}

// look shows the value of an expression of the kernel's variables.
func (w *walking) look(expr string) error {
	v, err := walk.Look(w.names, expr)
	if err == nil {
		w.k.Say(w.k.Picture(v))
	}
	return err
}

// Steps does an instance of a launch, the one with a number, statement by statement. It tells begin which, of how many,
// and step each statement with the pictures of the variables that it gave values to.
func Steps(ctx context.Context, k *launch.Kernels, target string, number int,
	begin func(p *tl.Program, of int), step func(st cell.Step, values []picture.Picture) error) error {
	a, err := k.Target(ctx, target)
	if err != nil {
		return err
	}
	num, of := launch.Sizes(a.Grid), 1
	for _, n := range num {
		of *= n
	}
	var p *tl.Program
	if of > 0 { // else steps says what is wrong with the grid
		at := min(max(number, 0), of-1)
		id := [3]int{at % num[0], at / num[0] % num[1], at / num[0] / num[1]}
		p = tl.NewProgram(id, num, tl.NewOutput(k.Out()))
	}
	return steps(ctx, k, target, p, func(p *tl.Program, _ launch.Again) { begin(p, of) }, func(st cell.Step) error {
		pictures := make([]picture.Picture, len(st.Values))
		for i, v := range st.Values {
			pictures[i] = k.Picture(v)
		}
		return step(st, pictures)
	})
}
