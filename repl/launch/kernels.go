package launch

import (
	"context"
	"errors"
	"fmt"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/call"
	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/screen"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// Again is a kernel with the grid and arguments of a launch.
type Again struct {
	Kernel *exec.Kernel
	Grid   exec.Space
	Args   []any
}

// Fits is what is wrong with the arguments: what a launch says that may not run.
func (a Again) Fits() error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := a.Kernel.LaunchContext(ctx, a.Grid, a.Args...); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// errNoLaunch is the error of a command that needs a grid and arguments.
func errNoLaunch(name string) error {
	return fmt.Errorf("%s has not been launched yet\n\tfix: launch it, or say on what: %s[grid](arguments), as in %s[4](x, out, 1000, 256)", name, name, name)
}

// Kernels is the kernels that commands call by a name.
type Kernels struct {
	*screen.View
	Log     *Log
	scripts map[string]script // of Python files
}

// New is the kernels of a session.
func New(v *screen.View, l *Log) *Kernels { return &Kernels{v, l, map[string]script{}} }

// Target is what a command such as :check works on: NAME, with the grid and arguments
// of its last launch, or NAME[grid](arguments).
func (k *Kernels) Target(ctx context.Context, arg string) (a Again, err error) {
	name, grid, args, err := call.Cut(arg)
	if err != nil {
		return a, err
	}
	if name == "" {
		if name, err = k.Only(); err != nil {
			return a, err
		}
	}
	if s, ok := k.script(name); ok {
		return k.scriptTarget(ctx, s, name, grid, args)
	}
	if a, err = k.Find(ctx, name); err != nil {
		return a, err
	}
	if args != "" || grid != "" {
		err = k.given(ctx, name, grid, args, &a)
		return a, err
	}
	if a.Grid == nil {
		return a, errNoLaunch(name)
	}
	return a, nil
}

// Repeat makes a launch that a command was given the kernel's last one.
func (k *Kernels) Repeat(a Again) {
	k.Log.note(&cell.Launch{Op: "Launch", Kernel: a.Kernel, Grid: a.Grid, Args: a.Args}, nil)
}

// Only is the kernel that was launched last, or else defined last.
func (k *Kernels) Only() (string, error) {
	if ls := k.Log.Launches(); len(ls) > 0 {
		return ls[len(ls)-1].Name(), nil
	}
	if names := k.Cells.Kernels(); len(names) > 0 {
		return names[len(names)-1], nil
	}
	return "", errors.New("there is no kernel yet\n\tfix: define one: func add(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) { … }")
}

// Find looks for a kernel by the name of its function or of a variable that holds it,
// and for its last launch.
func (k *Kernels) Find(ctx context.Context, name string) (a Again, err error) {
	if d, ok := k.Cells.Def(name); ok && !d.Kernel && d.Type == "*exec.Kernel" {
		v, err := k.Cells.Evaluate(ctx, name)
		if err != nil {
			return a, err
		}
		held, ok := v.V.(*exec.Kernel)
		if !ok || held == nil {
			return a, fmt.Errorf("%s holds no kernel", name)
		}
		a.Kernel, name = held, held.Name()
	}
	for _, l := range k.Log.Launches() {
		if l.Name() == name {
			a.Grid, a.Args = l.Grid, l.Args
			if a.Kernel == nil {
				a.Kernel = l.Kernel
			}
		}
	}
	if d, ok := k.Cells.Def(name); ok && d.Kernel {
		defined, err := k.Cells.Kernel(name)
		if err != nil {
			return a, err
		}
		if a.Kernel == nil || a.Kernel.Name() == defined.Name() {
			a.Kernel = defined
		}
	}
	if _, ok := k.script(name); ok && a.Kernel == nil {
		return a, errNoLaunch(name)
	}
	if a.Kernel == nil {
		return a, Unknown(k.Cells, name, "kernel: that is a function without a result whose first parameter is p *tl.Program")
	}
	return a, nil
}

// given evaluates the grid and arguments that a command was given.
func (k *Kernels) given(ctx context.Context, name, grid, args string, a *Again) error {
	if grid != "" {
		v, err := k.Cells.Evaluate(ctx, "exec.Grid{"+grid+"}")
		if err != nil {
			return err
		}
		a.Grid = v.V.(exec.Grid)
	}
	if a.Grid == nil {
		return errNoLaunch(name)
	}
	if args == "" {
		if a.Args == nil {
			return errNoLaunch(name)
		}
		return nil
	}
	v, err := k.Cells.Evaluate(ctx, "[]any{"+args+"}")
	if err != nil {
		return err
	}
	list := v.V.([]any)
	a.Args = make([]any, len(list))
	for i, x := range list {
		if b, ok := x.(cell.Box); ok {
			x = b.V
		}
		a.Args[i] = x
	}
	return nil
}

// Unknown is the error of a name that stands for nothing, or not for what is wanted.
func Unknown(cells *cell.Session, name, want string) error {
	var names []string
	for _, d := range cells.Defs() {
		if d.Name == name {
			return fmt.Errorf("%s is no %s", name, want)
		}
		names = append(names, d.Name)
	}
	if near := diag.Nearest(name, names); near != "" {
		return fmt.Errorf("there is no %s (did you mean %s?)", name, near)
	}
	return fmt.Errorf("there is no %s", name)
}

// Sizes is a grid's three sizes, none if it is a function.
func Sizes(g exec.Space) (num [3]int) {
	grid, ok := g.(exec.Grid)
	if !ok {
		return num
	}
	num = [3]int{1, 1, 1}
	copy(num[:], grid)
	return num
}

// Watched patiently runs something that calls functions of the session's cells. What does not end
// when it is told to is left behind, without a result.
func Watched[T any](ctx context.Context, k *Kernels, what string, run func() T) (result T, err error) {
	err = k.Log.Patiently(what, func() error {
		done := make(chan T, 1)
		if err := k.Cells.Do(ctx, func() { done <- run() }); err != nil {
			return err
		}
		result = <-done
		return nil
	})
	return result, err
}
