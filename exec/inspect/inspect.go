package inspect

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass"
	"github.com/tiler-go/tiler/exec/variant"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// An Inspection is what the compiler makes of a kernel for some arguments, to be read.
type Inspection struct {
	Kernel string
	Args   string  // what it is compiled for: "x f32, n int, BLOCK=1024"
	Fixed  []bool  // by parameter: its value decides what is compiled, a shape or an axis
	Stages []Stage // in order: as lowered, then after each pass

	fn    *ir.Func
	lines map[string][]string      // of source files
	named func(name string) string // the text of a file that has only a name, such as a cell
}

// A Stage is a kernel's IR after one of the compiler's steps.
type Stage struct {
	Name string // "lower", or the pass
	Doc  string // what it does
	Text string // the IR; each value ends with @line:column of the source
	Same bool   // it changed nothing
}

// New compiles a kernel step by step. text is that of files that are not to be read from disk, named that of files that
// have only a name.
func New(fn *ir.Func, spec *frontend.Spec, args []frontend.Arg, text map[string]string,
	named func(name string) string) (*Inspection, error) {
	i := &Inspection{Kernel: fn.Name, Fixed: spec.Fixed, fn: fn, lines: map[string][]string{}, named: named}
	for file, t := range text {
		i.lines[file] = strings.Split(t, "\n")
	}
	ones := variant.Factors(fn, spec)
	i.Args = describeArgs(spec, ones, args)
	i.add("lower", "the kernel as written")
	variant.FixOnes(fn, ones, args)
	err := pass.Run(fn, pass.Options{Verify: true, Trace: func(name string, _ *ir.Func) {
		i.add(name, pass.Table[len(i.Stages)-1].Doc)
	}})
	return i, err
}

func (i *Inspection) add(name, doc string) {
	text := i.fn.String()
	n := len(i.Stages)
	i.Stages = append(i.Stages, Stage{name, doc, text, n > 0 && i.Stages[n-1].Text == text})
}

// describeArgs is what a specialisation is for.
func describeArgs(spec *frontend.Spec, ones []bool, args []frontend.Arg) string {
	var parts []string
	for i, p := range spec.Params {
		a := args[i]
		switch {
		case p.Kind == gofile.Ptr && a.None:
			parts = append(parts, p.Name+" nil")
		case p.Kind == gofile.Ptr:
			parts = append(parts, p.Name+" "+a.DType.Short())
		case spec.Fixed[i] || ones[i] && a.Int == 1:
			parts = append(parts, p.Name+"="+argText(p.Kind, a))
		default:
			parts = append(parts, p.Name+" "+p.Kind.String())
		}
	}
	return strings.Join(parts, ", ")
}

func argText(kind gofile.Kind, a frontend.Arg) string {
	switch kind {
	case gofile.Float:
		return strconv.FormatFloat(a.Float, 'g', -1, 64)
	case gofile.Bool:
		return strconv.FormatBool(a.Bool)
	case gofile.DType:
		return a.DType.Short()
	case gofile.String:
		return strconv.Quote(a.Str)
	}
	return strconv.FormatInt(a.Int, 10)
}

// Code is the machine code of a tier of instructions as text: each instruction below the
// line of source and the IR value that it belongs to. cpu.Auto is the best tier of this
// machine; the others can be read where they cannot be run.
func (i *Inspection) Code(tier cpu.Tier) (string, error) {
	if tier == cpu.Auto {
		tier = cpu.Best()
	}
	if tier == cpu.Portable {
		return "", errors.New("the portable engine makes no machine code: its program is the IR after the last pass")
	}
	var b strings.Builder
	if err := listMachineCode(&b, i.fn, tier, i.sourceLine); err != nil {
		return "", fmt.Errorf("%s: %w", i.Kernel, err)
	}
	return b.String(), nil
}

// sourceLine is the place and text of a value's line.
func (i *Inspection) sourceLine(v *ir.Value) string {
	if !v.Pos.IsValid() {
		return ""
	}
	s := fmt.Sprintf("%s:%d", diag.ShortPath(v.Pos.File), v.Pos.Line)
	if text := i.lineText(v.Pos); text != "" {
		s += "  " + text
	}
	return s
}

// lineText is the text of a line of source, "" if it cannot be had.
func (i *Inspection) lineText(p diag.Pos) string {
	lines, ok := i.lines[p.File]
	if !ok {
		if text, err := os.ReadFile(p.File); err == nil {
			lines = strings.Split(string(text), "\n")
		} else if i.named != nil {
			lines = strings.Split(i.named(p.File), "\n")
		}
		i.lines[p.File] = lines
	}
	if p.Line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[p.Line-1])
}
