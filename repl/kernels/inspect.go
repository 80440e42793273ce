package kernels

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/launch"
	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/repl/show"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// inspect is what the compiler makes of a kernel for the arguments of a launch.
func inspect(ctx context.Context, k *launch.Kernels, arg string) (*exec.Inspection, error) {
	a, err := k.Target(ctx, arg)
	if err != nil {
		return nil, err
	}
	i, err := a.Kernel.Inspect(a.Args...)
	if err == nil {
		k.Repeat(a)
	}
	return i, err
}

// cutWord is a target and the word after it, which is none of the target's.
func cutWord(arg string) (target, word string) {
	i := strings.LastIndexAny(arg, " \t)")
	if i < 0 || strings.TrimSpace(arg[i+1:]) == "" {
		return arg, ""
	}
	if arg[i] == ')' {
		i++
	}
	return strings.TrimSpace(arg[:i]), strings.TrimSpace(arg[i:])
}

// IR prints a kernel's IR: after the last pass, after one, or after all.
func IR(ctx context.Context, k *launch.Kernels, arg string) error {
	target, pass := cutWord(arg)
	i, err := inspect(ctx, k, target)
	if err != nil {
		return err
	}
	switch pass {
	case "all":
		var p picture.Picture
		for _, st := range i.Stages {
			p.Append(stage(i, st, st.Same))
		}
		k.Say(p)
		return nil
	case "":
		k.Say(stage(i, i.Stages[len(i.Stages)-1], false))
		return nil
	}
	var names []string
	var found *exec.Stage
	for n := range i.Stages {
		st := &i.Stages[n]
		if st.Name == pass {
			found = st
		}
		if !slices.Contains(names, st.Name) {
			names = append(names, st.Name)
		}
	}
	if found == nil {
		return fmt.Errorf("no pass %s; there is %s, all", pass, strings.Join(names, ", "))
	}
	k.Say(stage(i, *found, false))
	return nil
}

// stage is the IR after a pass, or that it is still the same.
func stage(i *exec.Inspection, st exec.Stage, same bool) picture.Picture {
	p := show.Aside(fmt.Sprintf("%s(%s) after %s: %s", i.Kernel, i.Args, st.Name, st.Doc))
	if same {
		p.Append(show.Aside("no change"))
	} else {
		p.Append(show.Source(st.Text))
	}
	return p
}

// cellLine is where a listing names a line of a cell.
var cellLine = regexp.MustCompile(`(?m)^; cell \d+:\d+$`)

// withSource adds the line itself to the name of a line of a cell: ; cell 3:7.
func withSource(cells *cell.Session, comment string) string {
	name, number, _ := strings.Cut(strings.TrimPrefix(comment, "; "), ":")
	line, err := strconv.Atoi(number)
	if err != nil {
		return comment
	}
	_, source, _ := strings.Cut(cells.Render(diag.List{diag.At(diag.Pos{File: name, Line: line}, "x")}), "\n")
	return comment + "  " + strings.TrimSpace(source)
}

// Asm prints a kernel's machine code.
func Asm(ctx context.Context, k *launch.Kernels, arg string) error {
	target, name := cutWord(arg)
	tier := cpu.Auto
	if name != "" {
		var err error
		if tier, err = cpu.Parse(name); err != nil {
			return err
		}
	}
	i, err := inspect(ctx, k, target)
	if err != nil {
		return err
	}
	code, err := i.Code(tier)
	if err != nil {
		return err
	}
	p := show.Aside(fmt.Sprintf("%s(%s)", i.Kernel, i.Args))
	p.Append(show.Source(cellLine.ReplaceAllStringFunc(code, func(c string) string { return withSource(k.Cells, c) })))
	k.Say(p)
	return nil
}
