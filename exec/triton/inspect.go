package triton

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/triton/gogen"
	"github.com/tiler-go/tiler/exec/triton/lower"
	"github.com/tiler-go/tiler/exec/triton/spell"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A MissingError is compile-time values that were not given.
type MissingError struct {
	Kernel string
	Params []string
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("%s: the value of %s decides what is compiled: pass it as NAME=VALUE", e.Kernel, strings.Join(e.Params, ", "))
}

// Examples is values that could be given: NAME=VALUE for each.
func (e *MissingError) Examples() (args []string) {
	for _, p := range e.Params {
		args = append(args, p+"=16")
	}
	return args
}

// Inspect compiles a kernel for arguments by name, each NAME=VALUE: a dtype for a tensor, a number,
// True, False, None or a string. What is not named is a tensor of float32 where the kernel uses it
// as a pointer, or an int32; a tl.constexpr without a default that is not named is a *MissingError.
// An empty name means the only kernel of the file.
func (f *File) Inspect(kernel string, args ...string) (*exec.Inspection, error) {
	k, err := f.only(kernel)
	if err != nil {
		return nil, err
	}
	values, err := k.named(args)
	if err != nil {
		return nil, err
	}
	z, rest, err := k.Specialize(values...)
	if err != nil {
		return nil, err
	}
	return z.Inspect(rest...)
}

// only is the kernel of a name, or the only one if the name is empty.
func (f *File) only(kernel string) (*Kernel, error) {
	names := f.Kernels()
	if kernel == "" {
		switch len(names) {
		case 0:
			return nil, fmt.Errorf("%s: no kernel: no function has @triton.jit", f.lower.Name())
		case 1:
			kernel = names[0]
		default:
			return nil, fmt.Errorf("%s: which kernel? it has %s: name one after the file, as in %s:%s",
				f.lower.Name(), strings.Join(names, ", "), filepath.Base(f.lower.Name()), names[0])
		}
	}
	return f.Kernel(kernel)
}

// Translate is Go of a kernel of the file at path.
func Translate(path, kernel, pkg string, args ...string) (string, error) {
	if filepath.Ext(path) != ".py" {
		return "", fmt.Errorf("%s: want a Python file with a kernel of Triton's, FILE.py:KERNEL", path)
	}
	f, err := Load(path)
	if err != nil {
		return "", err
	}
	return f.Go(kernel, pkg, args...)
}

// Go prints a kernel, and the functions that it calls, as a file of Go of package pkg. args are
// NAME=VALUE, as of Inspect: they tell what parameters are whose use does not tell it. What has
// no counterpart in Go is a *diag.Diagnostic at its line.
func (f *File) Go(kernel, pkg string, args ...string) (string, error) {
	k, err := f.only(kernel)
	if err != nil {
		return "", err
	}
	values, given, err := k.given(args)
	if err != nil {
		return "", err
	}
	said := map[string]any{}
	for i, p := range k.def.Params {
		if x, ok := values[i].(*tensor.Tensor); ok {
			values[i] = dtype.PointerTo(x.DType())
		}
		if given[i] {
			said[p.Name] = values[i]
		}
	}
	return gogen.Print(f.lower, k.def, pkg, said)
}

// named is arguments that are given by name, and others as the kernel uses them.
func (k *Kernel) named(args []string) ([]any, error) {
	values, given, err := k.given(args)
	if err != nil {
		return nil, err
	}
	missing := &MissingError{Kernel: k.Name()}
	as := make([]lower.Arg, len(values))
	for i, p := range k.def.Params {
		if !given[i] {
			c, ok := k.file.lower.Default(p)
			switch {
			case ok:
				values[i] = c
			case isConst(p):
				missing.Params = append(missing.Params, p.Name)
			default:
				values[i] = unknown
			}
		}
		if as[i], _, err = k.argument(p, values[i]); err != nil {
			return nil, err
		}
	}
	if missing.Params != nil {
		return nil, missing
	}
	if as, err = k.file.lower.Guess(k.def, as); err != nil {
		return nil, err
	}
	for i, a := range as {
		if _, is := values[i].(*tensor.Tensor); a.Type.IsPointer() && !is {
			values[i] = tensor.Zeros(a.Type.Elem(), 1)
		}
	}
	return values, nil
}

// unknown stands for an int that is not given.
const unknown = 16

func (k *Kernel) given(args []string) (values []any, given []bool, err error) {
	values, given = make([]any, len(k.def.Params)), make([]bool, len(k.def.Params))
	var names []string
	for _, p := range k.def.Params {
		names = append(names, p.Name)
	}
next:
	for _, arg := range args {
		name, text, ok := strings.Cut(arg, "=")
		if !ok {
			return nil, nil, fmt.Errorf("got the argument %q, want NAME=VALUE", arg)
		}
		for i, p := range k.def.Params {
			if p.Name == name {
				values[i], given[i] = valueOf(text, isConst(p)), true
				continue next
			}
		}
		d := fmt.Sprintf("%s has no parameter %s", k.Name(), name)
		if near := diag.Nearest(name, names); near != "" {
			return nil, nil, fmt.Errorf("%s (did you mean %s?)", d, near)
		}
		return nil, nil, fmt.Errorf("%s; there is %s", d, strings.Join(names, ", "))
	}
	return values, given, nil
}

// valueOf is an argument as it is written.
func valueOf(text string, constant bool) any {
	if n, err := strconv.ParseInt(text, 0, 64); err == nil {
		return int(n)
	}
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return x
	}
	switch text {
	case "True", "true":
		return true
	case "False", "false":
		return false
	case "None", "nil":
		return nil
	}
	d, ok := spell.Type(strings.TrimPrefix(text, "tl."))
	if !ok {
		var err error
		d, err = dtype.Parse(text)
		ok = err == nil
	}
	switch {
	case ok && constant:
		return d
	case ok:
		return tensor.Zeros(d, 1)
	}
	return text
}
