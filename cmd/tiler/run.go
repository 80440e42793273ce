package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tiler-go/tiler/cmd/tiler/cli"
	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/repl/show"
)

// runRun runs a file as go run does, without a compiler: a program, or a script of
// cells.
func runRun(e cli.Env, args []string) int {
	if len(args) == 0 {
		return e.Usage()
	}
	if isPython(args[0]) {
		return runPython(e, args)
	}
	bar := cli.NewBar(e.Err)
	defer bar.Wipe()
	o := cell.Options{}
	if cli.IsTerminal(e.Err) {
		o.Out, o.Err, o.Progress = bar.Above(e.Out), bar.Above(e.Err), bar.Show
	}
	return runFile(e, o, args[0], args[1:])
}

// runFile runs a file in a session with the given options, on the streams of e. The file - is
// what comes in; nothing is left of that for the program to read.
func runFile(e cli.Env, o cell.Options, name string, args []string) int {
	text, err := readFile(e, name)
	if err != nil {
		return e.Fail(err)
	}
	o.Args = append([]string{name}, args...)
	if name == "-" {
		name, o.In = "standard input", strings.NewReader("")
	}
	return runText(e, o, name, text)
}

func readFile(e cli.Env, name string) (string, error) {
	if name == "-" {
		return scan.TextOf("standard input", e.In)
	}
	return scan.ReadText(name)
}

// runCode evaluates its argument.
func runCode(e cli.Env, args []string) int {
	if len(args) != 1 {
		return e.Usage()
	}
	s := newSession(e, cell.Options{Args: []string{"tiler"}})
	return exit(e, s, s.EvalAt(context.Background(), "-e", 1, args[0]))
}

// runInput evaluates what comes in: a program, or cells.
func runInput(e cli.Env) int {
	if cli.IsTerminal(e.In) {
		return cli.Help(e, nil)
	}
	text, err := scan.TextOf("standard input", e.In)
	if err != nil {
		return e.Fail(err)
	}
	return runText(e, cell.Options{In: strings.NewReader(""), Args: []string{"tiler"}}, "standard input", text)
}

// session is a session with the packages of a prompt, on the streams of e.
func newSession(e cli.Env, o cell.Options) *cell.Session {
	if o.In == nil {
		o.In = e.In
	}
	if o.Out == nil {
		o.Out = e.Out
	}
	if o.Err == nil {
		o.Err = e.Err
	}
	if o.Show == nil {
		o.Show = func(v cell.Value) { fmt.Fprintln(e.Noting(o.Out), show.Value(v.Box, show.Options{})) }
	}
	s := cell.New(o)
	s.ImportUsual()
	return s
}

func runText(e cli.Env, o cell.Options, name, text string) int {
	s := newSession(e, o)
	return exit(e, s, s.RunFile(context.Background(), name, text))
}

// exit prints what became of a run, and is its exit status: as that of a program
// made by Go, 2 after a panic.
func exit(e cli.Env, s *cell.Session, err error) int {
	var code cell.ExitError
	var failure *cell.Failure
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &failure):
		fmt.Fprintln(e.Err, cli.Fitted(e.Err, s.Render(err)))
		return 2
	}
	fmt.Fprintln(e.Err, cli.Fitted(e.Err, s.Render(err)))
	return 1
}
