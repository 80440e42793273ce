package inspect

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/source"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A MissingError is arguments that have no usual value: those whose value decides what
// is compiled.
type MissingError struct {
	Kernel string
	Params []gofile.Param
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
		if p.Kind == gofile.Const {
			consts++
		}
	}
	for _, p := range e.Params {
		v := "16"
		switch {
		case p.Kind == gofile.DType:
			v = "f32"
		case p.Kind == gofile.String:
			v = ""
		case p.Kind == gofile.Bool:
			v = "true"
		case p.Kind == gofile.Float:
			v = "1.0"
		case consts == 1 && p.Kind == gofile.Const:
			v = "1024"
		}
		args = append(args, p.Name+"="+v)
	}
	return args
}

// File compiles a kernel of a file for arguments by name, each NAME=VALUE.
// Tensors that are not named are of float32, and other values unknown; a value that
// must be known, and has not been given, is a *MissingError. An empty kernel name means
// the only one of the file.
func File(name, text, kernel string, args ...string) (*Inspection, error) {
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
		if !given[i] && (p.Kind == gofile.Const || p.Kind == gofile.DType || p.Kind == gofile.String) {
			missing.Params = append(missing.Params, p)
		}
	}
	if missing.Params != nil {
		return nil, missing
	}
	fn, spec, err := frontend.Compile(file, kernel, fa)
	if err != nil {
		suggestIntegers(err, file, kernel, fa, params, args)
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
	return New(fn, spec, fa, map[string]string{name: text}, nil)
}

func onlyKernel(file *gofile.File, name, kernel string) (string, error) {
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
func namedArgs(kernel string, params []gofile.Param, args []string) (fa []frontend.Arg, given []bool, err error) {
	fa, given = make([]frontend.Arg, len(params)), make([]bool, len(params))
	names := make([]string, len(params))
	for i, p := range params {
		names[i] = p.Name
		switch p.Kind {
		case gofile.Ptr:
			fa[i].DType, given[i] = dtype.Float32, true
		case gofile.Int:
			fa[i].Int = unknownInt
		}
	}
	for _, arg := range args {
		name, value, ok := strings.Cut(arg, "=")
		if !ok {
			return nil, nil, fmt.Errorf("got the argument %q, want NAME=VALUE", arg)
		}
		i := slices.Index(names, name)
		if i < 0 {
			return nil, nil, fmt.Errorf("%s has no parameter %s%s", kernel, name, Nearest(name, names))
		}
		if fa[i], err = parseArg(params[i].Kind, value); err != nil {
			return nil, nil, fmt.Errorf("%s: %s is a %s: %w", kernel, name, params[i].Kind, err)
		}
		given[i] = true
	}
	return fa, given, nil
}

// Nearest says of a name that is unknown which is meant, or which there are.
func Nearest(name string, names []string) string {
	if near := diag.Nearest(name, names); near != "" {
		return fmt.Sprintf(" (did you mean %s?)", near)
	}
	return "; there is " + strings.Join(names, ", ")
}

// parseArg reads a value as a parameter of a kind takes it.
func parseArg(kind gofile.Kind, text string) (a frontend.Arg, err error) {
	switch kind {
	case gofile.Ptr, gofile.DType:
		a.DType, err = dtype.Parse(text)
	case gofile.Int, gofile.Const:
		a.Int, err = strconv.ParseInt(text, 0, 64)
	case gofile.Float:
		a.Float, err = strconv.ParseFloat(text, 64)
	case gofile.Bool:
		a.Bool, err = strconv.ParseBool(text)
	case gofile.String:
		a.Str = text
	}
	if err != nil {
		if e := (*strconv.NumError)(nil); errors.As(err, &e) {
			err = fmt.Errorf("got %q", text)
		}
	}
	return a, err
}
