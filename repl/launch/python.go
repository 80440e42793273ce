//go:build !tiler_page

package launch

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/triton"
	"github.com/tiler-go/tiler/repl/call"
	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/show"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A launcher is what a kernel of a Python file is called by.
type launcher = func(exec.Grid, ...any) error

// Load reads the kernels of a Python file: each becomes a function that launches it, and
// commands take it as they take a kernel of Go.
func (k *Kernels) Load(file string) error {
	f, err := triton.Load(file)
	if err != nil {
		return readable(f, err)
	}
	names := f.Kernels()
	if len(names) == 0 {
		return fmt.Errorf("%s: no kernel: no function has @triton.jit", file)
	}
	for _, name := range names {
		kernel, err := f.Kernel(name)
		if err != nil {
			return readable(f, err)
		}
		launch := launcher(func(g exec.Grid, args ...any) error {
			a, err := specialized(f, kernel, g, args)
			if err != nil {
				return err
			}
			return k.launch(a)
		})
		if err := k.Cells.Set(name, launch); err != nil {
			return err
		}
		k.scripts[name] = script{f, kernel}
		var params []string
		for _, p := range kernel.Params() {
			params = append(params, p.Name)
		}
		k.Note("%s(exec.Grid{…}, %s) is a kernel of %s", name, strings.Join(params, ", "), filepath.Base(file))
	}
	return nil
}

// launch makes a launch, and notes it as one of a kernel of Go.
func (k *Kernels) launch(a Again) error {
	l := &cell.Launch{Op: "Launch", Kernel: a.Kernel, Grid: a.Grid, Args: a.Args}
	start := time.Now()
	err := a.Kernel.With(exec.Options{Output: k.Out()}).Launch(a.Grid, a.Args...)
	k.Log.note(l, err)
	if err == nil {
		k.Log.did(traced(l, time.Since(start), nil), nil)
	}
	return err
}

// Lines does a cell in which a line is a launch as Python writes it, add[2](x, out, n=8), of a kernel of a Python
// file; done is false if none is. eval evaluates the lines in between, the first of which is line from of the cell.
func (k *Kernels) Lines(ctx context.Context, text string, eval func(from int, text string) error) (done bool, err error) {
	lines, from := strings.Split(text, "\n"), 0
	for i := 0; i <= len(lines) && err == nil; i++ {
		var kernel, grid, args string
		if i < len(lines) {
			var ok bool
			if kernel, grid, args, ok = call.Line(lines[i]); !ok {
				continue
			}
			if _, ok := k.script(kernel); !ok {
				continue
			}
		} else if !done {
			return false, nil
		}
		done = true
		if err = eval(from, strings.Join(lines[from:i], "\n")); err == nil && kernel != "" {
			err = k.launchLine(ctx, kernel, grid, args)
		}
		from = i + 1
	}
	return done, err
}

func (k *Kernels) launchLine(ctx context.Context, name, grid, args string) error {
	s, _ := k.script(name)
	var params []string
	for _, p := range s.kernel.Params() {
		params = append(params, p.Name)
	}
	args, err := call.Positional(args, params)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	a, err := k.scriptTarget(ctx, s, name, grid, args)
	if err == nil {
		err = k.launch(a)
	}
	if err == nil {
		k.Say(show.Aside(k.Log.last()))
	}
	return err
}

// A script is a kernel of a Python file.
type script struct {
	file   *triton.File
	kernel *triton.Kernel
}

// Text is what finds the text of the Python file of a kernel; ok is false if it is of none.
func (k *Kernels) Text(name string) (text func(file string) string, ok bool) {
	if s, ok := k.script(name); ok {
		return s.file.Text, true
	}
	return nil, false
}

// script is the kernel of a Python file that a name stands for; ok is false if it stands for
// something else, or does so again.
func (k *Kernels) script(name string) (s script, ok bool) {
	d, known := k.Cells.Def(name)
	s, ok = k.scripts[name]
	return s, ok && known && strings.HasPrefix(d.Type, "func(exec.Grid, ...")
}

// specialized is a launch of a kernel of a Python file.
func specialized(f *triton.File, k *triton.Kernel, g exec.Space, args []any) (Again, error) {
	for i, x := range args {
		if b, ok := x.(cell.Box); ok {
			args[i] = b.V
		}
	}
	z, rest, err := k.Specialize(args...)
	return Again{z, g, rest}, readable(f, err)
}

// readable is an error with the line of the file that it is about.
func readable(f *triton.File, err error) error {
	var d *diag.Diagnostic
	if f == nil || !errors.As(err, &d) {
		return err
	}
	return errors.New(diag.Render(d, f.Text))
}

// scriptTarget is what a command works on: see Target.
func (k *Kernels) scriptTarget(ctx context.Context, s script, name, grid, args string) (a Again, err error) {
	for _, l := range k.Log.Launches() {
		if l.Name() == name {
			a = Again{l.Kernel, l.Grid, l.Args}
		}
	}
	if grid == "" && args == "" && a.Grid == nil {
		return a, errNoLaunch(name)
	}
	if err := k.given(ctx, name, grid, args, &a); err != nil || args == "" {
		return a, err
	}
	return specialized(s.file, s.kernel, a.Grid, a.Args)
}
