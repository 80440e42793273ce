package exec

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/function"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass"
	"github.com/tiler-go/tiler/exec/source"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
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

// Inspect compiles the kernel for arguments as a launch would. Without arguments it is
// for those of the last launch that was compiled.
func (k *Kernel) Inspect(args ...any) (*Inspection, error) {
	if err := k.usable(); err != nil {
		return nil, err
	}
	fa, err := k.inspected(args)
	if err != nil {
		return nil, err
	}
	fn, spec, _, err := k.fn.Lower(fa)
	if err != nil {
		return nil, err
	}
	i, err := inspect(fn, spec, fa, k.fn.Texts())
	if i != nil {
		i.named = k.fn.Text.File
	}
	return i, err
}

// inspected is what the compiler must know of args, or of the last variant.
func (k *Kernel) inspected(args []any) ([]frontend.Arg, error) {
	if len(args) > 0 || len(k.fn.Params()) == 0 {
		as, err := k.fn.Accept(args, nil)
		return function.Args(as), err
	}
	vs := k.variants.Load()
	if vs == nil {
		return nil, fmt.Errorf("%s: not compiled yet: launch it first, or give its arguments\n\tthe kernel is %s", k.fn.Name, k.fn.Signature())
	}
	return (*vs)[len(*vs)-1].args, nil
}

// inspect compiles a kernel step by step. text is that of files that are not to be read
// from disk.
func inspect(fn *ir.Func, spec *frontend.Spec, args []frontend.Arg, text map[string]string) (*Inspection, error) {
	i := &Inspection{Kernel: fn.Name, Fixed: spec.Fixed, fn: fn, lines: map[string][]string{}}
	for file, t := range text {
		i.lines[file] = strings.Split(t, "\n")
	}
	ones := factors(fn, spec)
	i.Args = describeArgs(spec, ones, args)
	i.add("lower", "the kernel as written")
	compileOnes(fn, ones, args)
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
		case p.Kind == frontend.Ptr && a.None:
			parts = append(parts, p.Name+" nil")
		case p.Kind == frontend.Ptr:
			parts = append(parts, p.Name+" "+a.DType.Short())
		case spec.Fixed[i] || ones[i] && a.Int == 1:
			parts = append(parts, p.Name+"="+argText(p.Kind, a))
		default:
			parts = append(parts, p.Name+" "+p.Kind.String())
		}
	}
	return strings.Join(parts, ", ")
}

func argText(kind frontend.Kind, a frontend.Arg) string {
	switch kind {
	case frontend.Float:
		return strconv.FormatFloat(a.Float, 'g', -1, 64)
	case frontend.Bool:
		return strconv.FormatBool(a.Bool)
	case frontend.DType:
		return a.DType.Short()
	case frontend.String:
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

// A MissingError is arguments that have no usual value: those whose value decides what
// is compiled.
type MissingError struct {
	Kernel string
	Params []frontend.Param
}

func (e *MissingError) Error() string {
	parts := make([]string, len(e.Params))
	for i, p := range e.Params {
		parts[i] = fmt.Sprintf("%s (%s)", p.Name, p.Kind)
	}
	verb := "decides"
	if len(parts) > 1 {
		verb = "decide"
	}
	return fmt.Sprintf("%s: the value of %s %s what is compiled: pass it as NAME=VALUE", e.Kernel, strings.Join(parts, ", "), verb)
}

// Examples is values that could be given: NAME=VALUE for each.
func (e *MissingError) Examples() (args []string) {
	consts := 0
	for _, p := range e.Params {
		if p.Kind == frontend.Const {
			consts++
		}
	}
	for _, p := range e.Params {
		v := "16"
		switch {
		case p.Kind == frontend.DType:
			v = "f32"
		case p.Kind == frontend.String:
			v = ""
		case p.Kind == frontend.Bool:
			v = "true"
		case p.Kind == frontend.Float:
			v = "1.0"
		case consts == 1 && p.Kind == frontend.Const:
			v = "1024"
		}
		args = append(args, p.Name+"="+v)
	}
	return args
}

// InspectFile compiles a kernel of a file for arguments by name, each NAME=VALUE.
// Tensors that are not named are of float32, and other values unknown; a value that
// must be known, and has not been given, is a *MissingError. An empty kernel name means
// the only one of the file.
func InspectFile(name, text, kernel string, args ...string) (*Inspection, error) {
	file, err := source.Load(name, text, nil)
	if err != nil {
		return nil, err
	}
	if kernel, err = onlyKernel(file, name, kernel); err != nil {
		return nil, err
	}
	params, err := file.Params(kernel)
	if err != nil {
		return nil, err
	}
	fa, given, err := namedArgs(kernel, params, args)
	if err != nil {
		return nil, err
	}
	missing := &MissingError{Kernel: kernel}
	for i, p := range params {
		if !given[i] && (p.Kind == frontend.Const || p.Kind == frontend.DType || p.Kind == frontend.String) {
			missing.Params = append(missing.Params, p)
		}
	}
	if missing.Params != nil {
		return nil, missing
	}
	fn, spec, err := file.Compile(kernel, fa)
	if err != nil {
		return nil, err
	}
	for i, p := range params {
		if spec.Fixed[i] && !given[i] {
			missing.Params = append(missing.Params, p)
		}
	}
	if missing.Params != nil {
		return nil, missing
	}
	return inspect(fn, spec, fa, map[string]string{name: text})
}

func onlyKernel(file *frontend.File, name, kernel string) (string, error) {
	names := file.Kernels()
	switch {
	case kernel != "":
		return kernel, nil
	case len(names) == 0:
		return "", fmt.Errorf("%s: no kernel: no function takes p *tl.Program first and has no result", diag.ShortPath(name))
	case len(names) > 1:
		return "", fmt.Errorf("%s: which kernel? it has %s: name one after the file, as in %s:%s", diag.ShortPath(name), strings.Join(names, ", "), filepath.Base(name), names[0])
	}
	return names[0], nil
}

// unknownInt stands for an int that is not given. It is compiled in only if it decides
// a shape, and then it is missing.
const unknownInt = 16

// namedArgs are arguments that are given by name, and which of them were.
func namedArgs(kernel string, params []frontend.Param, args []string) (fa []frontend.Arg, given []bool, err error) {
	fa, given = make([]frontend.Arg, len(params)), make([]bool, len(params))
	names := make([]string, len(params))
	for i, p := range params {
		names[i] = p.Name
		switch p.Kind {
		case frontend.Ptr:
			fa[i].DType, given[i] = dtype.Float32, true
		case frontend.Int:
			fa[i].Int = unknownInt
		}
	}
	for _, arg := range args {
		name, value, ok := strings.Cut(arg, "=")
		if !ok {
			return nil, nil, fmt.Errorf("got the argument %q, want NAME=VALUE", arg)
		}
		i := indexOf(names, name)
		if i < 0 {
			return nil, nil, fmt.Errorf("%s has no parameter %s%s", kernel, name, nearest(name, names))
		}
		if fa[i], err = parseArg(params[i].Kind, value); err != nil {
			return nil, nil, fmt.Errorf("%s: %s is a %s: %w", kernel, name, params[i].Kind, err)
		}
		given[i] = true
	}
	return fa, given, nil
}

func indexOf(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	return -1
}

func nearest(name string, names []string) string {
	if near := diag.Nearest(name, names); near != "" {
		return fmt.Sprintf(" (did you mean %s?)", near)
	}
	return "; there is " + strings.Join(names, ", ")
}

// parseArg reads a value as a parameter of a kind takes it.
func parseArg(kind frontend.Kind, text string) (a frontend.Arg, err error) {
	switch kind {
	case frontend.Ptr, frontend.DType:
		a.DType, err = dtype.Parse(text)
	case frontend.Int, frontend.Const:
		a.Int, err = strconv.ParseInt(text, 0, 64)
	case frontend.Float:
		a.Float, err = strconv.ParseFloat(text, 64)
	case frontend.Bool:
		a.Bool, err = strconv.ParseBool(text)
	case frontend.String:
		a.Str = text
	}
	if err != nil {
		if e := (*strconv.NumError)(nil); errors.As(err, &e) {
			err = fmt.Errorf("got %q", text)
		}
	}
	return a, err
}
