package walk

import (
	"context"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/cell"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A Lowered is a launch of a kernel that is no Go, and where the text of its files is.
type Lowered struct {
	Kernel *exec.Kernel
	Args   []any
	Text   func(file string) string
}

// Steps runs the instance p, and calls step after each of its statements. An error of step ends the
// instance and is Steps's.
func (l Lowered) Steps(ctx context.Context, p *tl.Program, step func(cell.Step) error) error {
	grid := exec.Grid{p.Num(0), p.Num(1), p.Num(2)}
	for len(grid) > 1 && grid[len(grid)-1] == 1 {
		grid = grid[:len(grid)-1]
	}
	w := &watcher{text: l.Text, ctx: ctx, step: step}
	number := (p.ID(2)*p.Num(1)+p.ID(1))*p.Num(0) + p.ID(0)
	err := exec.ObserveOne(ctx, l.Kernel, w, number, grid, l.Args...)
	if w.err != nil {
		return w.err
	}
	return err
}

// A watcher tells of the statements of an instance.
type watcher struct {
	text func(file string) string
	ctx  context.Context
	step func(cell.Step) error
	err  error // of step
}

// Statement implements exec.Stepper.
func (w *watcher) Statement(s exec.Statement) {
	st := cell.Step{Pos: s.Pos}
	if lines := strings.Split(w.text(s.Pos.File), "\n"); s.Pos.Line >= 1 && s.Pos.Line <= len(lines) {
		st.Source = strings.TrimSpace(lines[s.Pos.Line-1])
	}
	for _, v := range s.Vars {
		st.Names = append(st.Names, v.Name)
		st.Values = append(st.Values, cell.Value{V: v.Value, Box: v.Value})
	}
	if w.err = w.step(st); w.err != nil || w.ctx.Err() != nil {
		panic(tl.Interrupt{})
	}
}

// Start implements exec.Observer.
func (w *watcher) Start([]string, []int) {}

// Begin implements exec.Observer.
func (w *watcher) Begin([]int, func() diag.Pos) {}

// End implements exec.Observer.
func (w *watcher) End(*exec.Error) {}

// Access implements tl.Observer.
func (w *watcher) Access(*tl.Access) {}

// Decide implements tl.Observer.
func (w *watcher) Decide(string, diag.Pos, tl.Mark, []*tl.Origin, tl.Sources) {}

// Notice implements tl.Observer.
func (w *watcher) Notice(tl.Notice) {}
