package exec

import (
	"errors"
	"fmt"

	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/source"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// file is the file that the kernel's function is in, as the compiler recorded it.
func (k *Kernel) file() string {
	switch {
	case k.lowered != nil:
		return k.lowered.file
	case k.src.Go != "":
		return k.src.Name + ".go"
	}
	file, _ := k.position()
	return file
}

// at is where a line is that an interpreter has put into Program.Line.
func (k *Kernel) at(line int) diag.Pos {
	if k.src.At != nil {
		return k.src.At(line)
	}
	return diag.Pos{File: k.file(), Line: line}
}

// position is the file and line of the function, as the compiler recorded them.
func (k *Kernel) position() (file string, line int) {
	return source.Position(k.fn.Pointer())
}

// written is the kernel's function in its source.
func (k *Kernel) written() *source.Written {
	switch {
	case k.lowered != nil:
		return k.lowered.written()
	case k.src.Go != "":
		return source.Given(k.src.Name, k.src.Go)
	}
	return source.Of(k.fn.Pointer(), k.fn.Type().NumIn())
}

// sourceFile is the source of the kernel's function and its name there.
func (k *Kernel) sourceFile() (f *frontend.File, name string, err error) {
	if k.lowered != nil {
		return nil, "", fmt.Errorf("%s: it is no Go function", k.name)
	}
	if k.src.Go != "" {
		f, err = source.Load(k.src.Name+".go", k.src.Go, nil)
		return f, k.src.Name, err
	}
	f, name, err = k.written().Kernel()
	return f, name, k.named(err)
}

// named is an error that begins with the kernel's name, unless it begins with a position or there is none.
func (k *Kernel) named(err error) error {
	var list diag.List
	var one *diag.Diagnostic
	if err == nil || errors.As(err, &list) || errors.As(err, &one) {
		return err
	}
	return fmt.Errorf("%s: %w", k.name, err)
}

// paramNames is the names of the function's parameters, nil if its source is not
// found.
func (k *Kernel) paramNames() (names []string) {
	for _, p := range k.written().Function.Params {
		names = append(names, p.Name)
	}
	return names
}
