package kernels

import (
	"cmp"
	"context"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/launch"
	"github.com/tiler-go/tiler/repl/screen"
	"github.com/tiler-go/tiler/repl/show"
)

// Usage is the error of a command, which it names, that was not told what it needs.
type Usage string

func (u Usage) Error() string { return "usage of " + string(u) }

// Check runs a launch with every sanitizer on.
func Check(ctx context.Context, k *launch.Kernels, arg string) error {
	return checked(ctx, k, "checking", arg, (*exec.Kernel).CheckContext)
}

// Promote checks a launch, compiles the kernel and compares.
func Promote(ctx context.Context, k *launch.Kernels, arg string) error {
	return checked(ctx, k, "promoting", arg, (*exec.Kernel).PromoteContext)
}

// checked runs a check or a promotion, and shows its report.
func checked(ctx context.Context, k *launch.Kernels, what, arg string,
	run func(*exec.Kernel, context.Context, exec.Space, ...any) (*exec.Report, error)) error {
	a, err := k.Target(ctx, arg)
	if err != nil {
		return err
	}
	type outcome struct {
		rep *exec.Report
		err error
	}
	o, err := launch.Watched(ctx, k, what+" "+a.Kernel.Name(), func() (o outcome) {
		o.rep, o.err = run(a.Kernel, ctx, a.Grid, a.Args...)
		return o
	})
	if err != nil || o.rep == nil {
		return cmp.Or(err, o.err)
	}
	k.Repeat(a)
	rep, err := o.rep, o.err
	k.Say(show.Report(rep))
	if err == nil || launch.Said(rep, err) {
		if !rep.OK {
			return screen.ErrSaid
		}
		return nil
	}
	return err
}

// Why says which engine runs a kernel, and why not a faster one.
func Why(ctx context.Context, k *launch.Kernels, arg string) error {
	name := arg
	if name == "" {
		var err error
		if name, err = k.Only(); err != nil {
			return err
		}
	}
	a, err := k.Find(ctx, name)
	if err != nil {
		return err
	}
	k.Say(show.Text(a.Kernel.State().String()))
	if !a.Kernel.State().Promoted {
		k.Note("a kernel is compiled when it is promoted: :promote %s", a.Kernel.Name())
		return nil
	}
	if i, err := a.Kernel.Inspect(); err == nil {
		if costs, err := i.Costs(cpu.Auto); err == nil {
			k.Say(show.Text(exec.CostText(costs)))
		}
	}
	return nil
}

// List lists the kernels and their state.
func List(_ context.Context, k *launch.Kernels, _ string) error {
	grids := map[string]string{}
	for _, l := range k.Log.Launches() {
		grids[l.Name()] = launch.GridText(l.Grid)
	}
	var rows [][]string
	for _, name := range k.Cells.Kernels() {
		kernel, err := k.Cells.Kernel(name)
		if err != nil {
			return err
		}
		state := kernel.State()
		how := "interpreted"
		if state.Promoted {
			how = strings.TrimSuffix("promoted, "+state.Engine, ", ")
		}
		rows = append(rows, []string{name, how, grids[name], signature(k.Cells, name)})
	}
	if len(rows) == 0 {
		k.Note("there are no kernels; func add(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) { … } is one")
		return nil
	}
	k.Say(show.Table([]string{"kernel", "runs", "last grid", ""}, rows))
	return nil
}

// signature is a function's parameters.
func signature(cells *cell.Session, name string) string {
	doc, _ := cells.Doc(name)
	return strings.Join(strings.Fields(strings.TrimPrefix(doc.Decl, "func "+name)), " ")
}
