package function

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/source"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// File is the file that the kernel's function is in, as the compiler recorded it.
func (f *Function) File() string {
	switch {
	case f.lowered != nil:
		return f.file
	case f.Text.Go != "":
		return f.Text.Name + ".go"
	}
	file, _ := f.Position()
	return file
}

// At is where a line is that an interpreter has put into Program.Line.
func (f *Function) At(line int) diag.Pos {
	if f.Text.At != nil {
		return f.Text.At(line)
	}
	return diag.Pos{File: f.File(), Line: line}
}

// Position is the file and line of the function, as the compiler recorded them.
func (f *Function) Position() (file string, line int) {
	return source.Position(f.Go.Pointer())
}

// Written is the kernel's function in its source.
func (f *Function) Written() *source.Written {
	switch {
	case f.lowered != nil:
		return f.written()
	case f.Text.Go != "":
		return source.Given(f.Text.Name, f.Text.Go)
	}
	return source.Of(f.Go.Pointer(), f.Go.Type().NumIn())
}

// Source is the source of the kernel's function and its name there.
func (f *Function) Source() (file *gofile.File, name string, err error) {
	if f.lowered != nil {
		return nil, "", fmt.Errorf("%s: it is no Go function", f.Name)
	}
	if f.Text.Go != "" {
		file, err = source.Load(f.Text.Name+".go", f.Text.Go, nil)
		return file, f.Text.Name, err
	}
	file, name, err = f.Written().Kernel()
	return file, name, f.Named(err)
}

// Named is an error that begins with the kernel's name, unless it begins with a position or there is none.
func (f *Function) Named(err error) error {
	var list diag.List
	var one *diag.Diagnostic
	if err == nil || errors.As(err, &list) || errors.As(err, &one) {
		return err
	}
	return fmt.Errorf("%s: %w", f.Name, err)
}

// names is the names of the function's parameters, nil if its source is not
// found.
func (f *Function) names() (names []string) {
	for _, p := range f.Written().Function.Params {
		names = append(names, p.Name)
	}
	return names
}

// Texts is the text of the function's file, by its name, if it was given.
func (f *Function) Texts() map[string]string {
	switch {
	case f.lowered != nil:
		return map[string]string{f.file: f.lowered.Text(f.file)}
	case f.Text.Go != "":
		return map[string]string{f.File(): f.Text.Go}
	}
	return nil
}

// Line is a line of the kernel's source, or of another file.
func (f *Function) Line(file string, line int) string {
	text := f.Text.Go
	if f.Text.File != nil {
		text = f.Text.File(file)
	} else if file != f.File() || text == "" {
		b, err := os.ReadFile(file)
		if err != nil {
			return ""
		}
		text = string(b)
	}
	for n := 1; text != ""; n++ {
		var s string
		s, text, _ = strings.Cut(text, "\n")
		if n == line {
			return strings.TrimSpace(s)
		}
	}
	return ""
}

// Place is the file, of which no line is known.
func (f *Function) Place() diag.Pos { return diag.Pos{File: f.File()} }

// Nameless is why the parameters have no names, "" if they have.
func (f *Function) Nameless() string {
	if err := f.Written().Err; err != nil {
		return fmt.Sprintf("\n\tno name is known: %v", err)
	}
	return ""
}
