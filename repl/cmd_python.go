//go:build !tiler_page

package repl

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

// loadPython reads the kernels of a Python file: each becomes a function that launches it, and
// commands take it as they take a kernel of Go.
func (s *Session) loadPython(file string) error {
	f, err := triton.Load(file)
	if err != nil {
		return readable(f, err)
	}
	names := f.Kernels()
	if len(names) == 0 {
		return fmt.Errorf("%s: no kernel: no function has @triton.jit", file)
	}
	for _, name := range names {
		k, err := f.Kernel(name)
		if err != nil {
			return readable(f, err)
		}
		launch := launcher(func(g exec.Grid, args ...any) error {
			a, err := specialized(f, k, g, args)
			if err != nil {
				return err
			}
			return s.launchPython(a)
		})
		if err := s.cells.Set(name, launch); err != nil {
			return err
		}
		s.scripts[name] = script{f, k}
		var params []string
		for _, p := range k.Params() {
			params = append(params, p.Name)
		}
		s.view.Note("%s(exec.Grid{…}, %s) is a kernel of %s", name, strings.Join(params, ", "), filepath.Base(file))
	}
	return nil
}

// launchPython makes a launch, and notes it as one of a kernel of Go.
func (s *Session) launchPython(a again) error {
	l := &cell.Launch{Op: "Launch", Kernel: a.kernel, Grid: a.grid, Args: a.args}
	start := time.Now()
	err := a.kernel.With(exec.Options{Output: s.view.Out()}).Launch(a.grid, a.args...)
	s.launches.note(l, err)
	if err == nil {
		s.launches.did(traced(l, time.Since(start), nil), nil)
	}
	return err
}

// pythonLaunches evaluates a cell in which a line is a launch as Python writes it, add[2](x, out, n=8),
// of a kernel of a Python file; done is false if none is.
func pythonLaunches(ctx context.Context, s *Session, name string, line int, text string) (done bool, err error) {
	lines := strings.Split(text, "\n")
	defer func(line int) { s.line = line }(s.line)
	first, from := s.line, 0
	for i := 0; i <= len(lines) && err == nil; i++ {
		var kernel, grid, args string
		if i < len(lines) {
			var ok bool
			if kernel, grid, args, ok = call.Line(lines[i]); !ok {
				continue
			}
			if _, ok := s.script(kernel); !ok {
				continue
			}
		} else if !done {
			return false, nil
		}
		done, s.line = true, first+from
		if err = s.evalAt(ctx, name, line+from, strings.Join(lines[from:i], "\n")); err == nil && kernel != "" {
			err = pythonLaunch(ctx, s, kernel, grid, args)
		}
		from = i + 1
	}
	return done, err
}

func pythonLaunch(ctx context.Context, s *Session, name, grid, args string) error {
	k, _ := s.script(name)
	var params []string
	for _, p := range k.kernel.Params() {
		params = append(params, p.Name)
	}
	args, err := call.Positional(args, params)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	a, err := s.scriptTarget(ctx, k, name, grid, args)
	if err == nil {
		err = s.launchPython(a)
	}
	if err == nil {
		s.view.Say(show.Aside(s.launches.last()))
	}
	return err
}

// A script is a kernel of a Python file.
type script struct {
	file   *triton.File
	kernel *triton.Kernel
}

func (k script) text(file string) string { return k.file.Text(file) }

// script is the kernel of a Python file that a name stands for; ok is false if it stands for
// something else, or does so again.
func (s *Session) script(name string) (k script, ok bool) {
	d, known := s.cells.Def(name)
	k, ok = s.scripts[name]
	return k, ok && known && strings.HasPrefix(d.Type, "func(exec.Grid, ...")
}

// specialized is a launch of a kernel of a Python file.
func specialized(f *triton.File, k *triton.Kernel, g exec.Space, args []any) (again, error) {
	for i, x := range args {
		if b, ok := x.(cell.Box); ok {
			args[i] = b.V
		}
	}
	z, rest, err := k.Specialize(args...)
	return again{z, g, rest}, readable(f, err)
}

// readable is an error with the line of the file that it is about.
func readable(f *triton.File, err error) error {
	var d *diag.Diagnostic
	if f == nil || !errors.As(err, &d) {
		return err
	}
	return errors.New(diag.Render(d, f.Text))
}

// scriptTarget is what a command works on: see target.
func (s *Session) scriptTarget(ctx context.Context, k script, name, grid, args string) (a again, err error) {
	for _, l := range s.launches.list() {
		if l.Name() == name {
			a = again{l.Kernel, l.Grid, l.Args}
		}
	}
	if grid == "" && args == "" && a.grid == nil {
		return a, errNoLaunch(name)
	}
	if err := s.given(ctx, name, grid, args, &a); err != nil || args == "" {
		return a, err
	}
	return specialized(k.file, k.kernel, a.grid, a.args)
}
