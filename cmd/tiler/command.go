package main

import (
	"fmt"
	"io"

	"github.com/tiler-go/tiler/tilelang/diag"
)

// A command is a row: help, usage and dispatch come from it.
type command struct {
	name  string
	args  string // as usage shows them
	short string
	run   func(e env, args []string) int
}

// env is the streams that a command works on.
type env struct {
	in       io.Reader
	out, err io.Writer
}

// fail prints an error as every command does, and is exit status 1.
func (e env) fail(err error) int {
	fmt.Fprintln(e.err, "tiler:", err)
	return 1
}

// usage prints how a command is called, and is exit status 2.
func (e env) usage(c string) int {
	for _, row := range commands() {
		if row.name == c {
			fmt.Fprintf(e.err, "usage: tiler %s %s\n", row.name, row.args)
		}
	}
	return 2
}

func commands() []command {
	return []command{
		{"", "", "start a prompt; without a terminal, evaluate what comes in", func(e env, _ []string) int { return runRepl(e) }},
		{"-norc", "", "the same, without the startup file: tiler/init.go in $XDG_CONFIG_HOME or ~/.config", runPlainRepl},
		{"run", "FILE.go [arguments]", "run a Go program, or a script of cells", runRun},
		{"check", checkArgs, "run a program with every launch checked, and report on each", runCheck},
		{"learn", learnArgs, "open the puzzles, write one into a file, or judge a file (exit status 1 if it is wrong)", runLearn},
		{"trace", traceArgs, "run a program, and write a page that steps through its program instances", runTrace},
		{"-e", "'code'", "evaluate a cell and print its value", runCode},
		{"golden", "[-engine E] [ZIP]", "check an engine against recorded answers of Triton", runGolden},
		{"ir", irArgs, "print a kernel's intermediate form after each pass", runIR},
		{"asm", asmArgs, "print a kernel's machine code beside its source", runAsm},
		{"bench", benchArgs, "measure compiled kernels beside the machine's limits and other libraries", runBench},
		{"jupyter", "ACTION [-user] [-prefix DIR] [-clone DIR]", "notebooks through gonb: install, uninstall, run or doctor", runJupyter},
		{"doctor", "", "say what this machine offers, and how to get what it lacks", runDoctor},
		{"help", "", "list the commands", runHelp},
	}
}

func run(args []string, in io.Reader, out, err io.Writer) int {
	e := env{in, out, err}
	if len(args) == 0 {
		return runRepl(e)
	}
	name := args[0]
	if name == "-h" || name == "-help" || name == "--help" {
		name = "help"
	}
	var names []string
	for _, c := range commands() {
		if c.name == name {
			return c.run(e, args[1:])
		}
		names = append(names, c.name)
	}
	fmt.Fprintf(err, "tiler: unknown command %q", name)
	if near := diag.Nearest(name, names); near != "" {
		fmt.Fprintf(err, " (did you mean %s?)", near)
	}
	fmt.Fprintln(err, "\nrun 'tiler help' for the list")
	return 2
}

func runHelp(e env, _ []string) int {
	fmt.Fprintln(e.out, "tiler runs tile kernels written in Go.\n\nusage: tiler [COMMAND [arguments]]")
	fmt.Fprintln(e.out)
	for _, c := range commands() {
		fmt.Fprintf(e.out, "  %-28s %s\n", c.name+" "+c.args, c.short)
	}
	return 0
}
