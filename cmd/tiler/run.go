package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/show"
)

// runRun runs a file as go run does, without a compiler: a program, or a script of
// cells.
func runRun(e env, args []string) int {
	if len(args) == 0 {
		return e.usage("run")
	}
	if isPython(args[0]) {
		return runPython(e, args)
	}
	bar := &progress{w: e.err, began: time.Now()}
	defer bar.wipe()
	o := cell.Options{}
	if isTerminal(e.err) {
		o.Out, o.Err, o.Progress = above{e.out, bar}, above{e.err, bar}, bar.show
	}
	return runFile(e, o, args[0], args[1:])
}

// runFile runs a file in a session with the given options, on the streams of e. The file - is
// what comes in; nothing is left of that for the program to read.
func runFile(e env, o cell.Options, name string, args []string) int {
	text, err := e.readFile(name)
	if err != nil {
		return e.fail(err)
	}
	o.Args = append([]string{name}, args...)
	if name == "-" {
		name, o.In = "standard input", strings.NewReader("")
	}
	return e.runText(o, name, text)
}

func (e env) readFile(name string) (string, error) {
	if name == "-" {
		return cell.TextOf("standard input", e.in)
	}
	return cell.ReadText(name)
}

// runCode evaluates its argument.
func runCode(e env, args []string) int {
	if len(args) != 1 {
		return e.usage("-e")
	}
	s := e.session(cell.Options{Args: []string{"tiler"}})
	return e.exit(s, s.EvalAt(context.Background(), "-e", 1, args[0]))
}

// runInput evaluates what comes in: a program, or cells.
func runInput(e env) int {
	if isTerminal(e.in) {
		return runHelp(e, nil)
	}
	text, err := cell.TextOf("standard input", e.in)
	if err != nil {
		return e.fail(err)
	}
	return e.runText(cell.Options{In: strings.NewReader(""), Args: []string{"tiler"}}, "standard input", text)
}

// session is a session with the packages of a prompt, on the streams of e.
func (e env) session(o cell.Options) *cell.Session {
	if o.In == nil {
		o.In = e.in
	}
	if o.Out == nil {
		o.Out = e.out
	}
	if o.Err == nil {
		o.Err = e.err
	}
	if o.Show == nil {
		o.Show = func(v cell.Value) { fmt.Fprintln(written{o.Out, e.lost}, show.Value(v.Box, show.Options{})) }
	}
	s := cell.New(o)
	s.ImportUsual()
	return s
}

func (e env) runText(o cell.Options, name, text string) int {
	s := e.session(o)
	return e.exit(s, s.RunFile(context.Background(), name, text))
}

// exit prints what became of a run, and is its exit status: as that of a program
// made by Go, 2 after a panic.
func (e env) exit(s *cell.Session, err error) int {
	var code cell.ExitError
	var failure *cell.Failure
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &failure):
		fmt.Fprintln(e.err, fitted(e.err, s.Render(err)))
		return 2
	}
	fmt.Fprintln(e.err, fitted(e.err, s.Render(err)))
	return 1
}
