package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/cmd/tiler/cli"
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/triton"
	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/tilelang/diag"
)

func setupIR(flags *flag.FlagSet) cli.Action {
	only := flags.String("pass", "", "print what there is after this pass alone: `NAME` is lower, one of the passes, or final")
	return func(e cli.Env, args []string) int {
		if len(args) == 0 {
			return e.Usage()
		}
		return printIR(e, *only, args)
	}
}

func printIR(e cli.Env, only string, args []string) int {
	i, err := inspectKernel("ir", args)
	if err != nil {
		return e.Fail(err)
	}
	if only != "" {
		return printPass(e, i, only)
	}
	fmt.Fprintf(e.Out, "%s(%s)\n", i.Kernel, i.Args)
	for _, s := range i.Stages {
		fmt.Fprintf(e.Out, "\n-- %s: %s --\n", s.Name, s.Doc)
		if s.Same {
			fmt.Fprintln(e.Out, "(no change)")
		} else {
			fmt.Fprint(e.Out, s.Text)
		}
	}
	return 0
}

// printPass prints the IR after the last pass of a name.
func printPass(e cli.Env, i *exec.Inspection, name string) int {
	var names []string
	if name == "final" {
		name = i.Stages[len(i.Stages)-1].Name
	}
	for n := len(i.Stages) - 1; n >= 0; n-- {
		s := i.Stages[n]
		if s.Name == name {
			fmt.Fprint(e.Out, s.Text)
			return 0
		}
		if !slices.Contains(names, s.Name) {
			names = append(names, s.Name)
		}
	}
	slices.Reverse(names)
	return e.Fail(fmt.Errorf("no pass %q; there is %s, final", name, strings.Join(names, ", ")))
}

// inspectKernel compiles what FILE.go:KERNEL and NAME=VALUE... name. cmd is the
// command, for advice.
func inspectKernel(cmd string, args []string) (*exec.Inspection, error) {
	path, kernel, _ := cutKernel(args[0])
	if strings.HasSuffix(path, ".py") {
		return inspectPython(cmd, path, kernel, args[1:])
	}
	text, err := scan.ReadText(path)
	if err != nil {
		return nil, err
	}
	name, err := filepath.Abs(path) // the other files of the package are found by it
	if err != nil {
		return nil, err
	}
	i, err := exec.InspectFile(name, text, kernel, args[1:]...)
	var missing *exec.MissingError
	var wrong diag.List
	switch {
	case errors.As(err, &missing):
		line := append([]string{"tiler", cmd, path + ":" + missing.Kernel}, args[1:]...)
		return nil, fmt.Errorf("%w\n\t%s", err, strings.Join(append(line, missing.Examples()...), " "))
	case errors.As(err, &wrong):
		return nil, errors.New(strings.ReplaceAll(rendered(wrong), name, path))
	}
	return i, err
}

// inspectPython is inspectKernel of a Python file.
func inspectPython(cmd, path, kernel string, args []string) (*exec.Inspection, error) {
	f, err := triton.Load(path)
	var i *exec.Inspection
	if err == nil {
		i, err = f.Inspect(kernel, args...)
	}
	var missing *triton.MissingError
	var wrong *diag.Diagnostic
	switch {
	case errors.As(err, &missing):
		line := append([]string{"tiler", cmd, path + ":" + missing.Kernel}, args...)
		return nil, fmt.Errorf("%w\n\t%s", err, strings.Join(append(line, missing.Examples()...), " "))
	case errors.As(err, &wrong):
		return nil, errors.New(rendered(diag.List{wrong}))
	}
	return i, err
}

// cutKernel cuts FILE.go:KERNEL or FILE.py:KERNEL; a colon before that is the file's.
func cutKernel(arg string) (path, kernel string, found bool) {
	at := max(strings.LastIndex(arg, ".go:"), strings.LastIndex(arg, ".py:"))
	if at < 0 {
		return arg, "", false
	}
	return arg[:at+3], arg[at+4:], true
}

// rendered is diagnostics with the lines that they are about.
func rendered(list diag.List) string {
	parts := make([]string, len(list))
	for i, d := range list {
		parts[i] = diag.Render(d, func(file string) string {
			text, err := os.ReadFile(file)
			if err != nil {
				return ""
			}
			return string(text)
		})
	}
	return strings.Join(parts, "\n")
}
