package function

import (
	"fmt"

	"github.com/tiler-go/tiler/exec/eager"
	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/source"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A Lowered is a kernel that is no Go function: the IR that the front end of another
// language made of it, for some dtypes and compile-time values.
type Lowered struct {
	// Func makes the IR, anew each time it is asked. Its parameters are pointers, or
	// Int64, Float64 and Bool, which take int, float64 and bool.
	Func func() (*ir.Func, error)
	// Text is the text of a file that the IR's positions name.
	Text func(file string) string
	// Spell puts a message, which names the language's functions as Go does, into the words of
	// the kernel's language, in place. nil leaves it as it is.
	Spell func(d *diag.Diagnostic)
}

// From is the function of a kernel that is no Go function; what is wrong with the IR is Err.
func From(l Lowered) *Function {
	f := &Function{Name: "kernel", lowered: &l}
	fn, err := l.Func()
	if err == nil {
		err = ir.Verify(fn)
	}
	if err != nil {
		f.Err = err
		return f
	}
	f.Name, f.file = fn.Name, fn.File
	f.run = eager.New(fn)
	f.Go = f.run.Go()
	f.Text = Text{At: f.run.Place, File: l.Text}
	f.spec = &frontend.Spec{Params: specParams(fn), Fixed: make([]bool, len(fn.Params))}
	f.once.Do(func() { f.params = loweredParams(fn) })
	return f
}

// IR is the IR of a function that From made, anew each time it is asked.
func (f *Function) IR() (*ir.Func, error) {
	if f.lowered == nil {
		return nil, fmt.Errorf("%s: a kernel of Go", f.Name)
	}
	return f.lowered.Func()
}

// Declared is what IR has for parameters; nil for a function of Go.
func (f *Function) Declared() *frontend.Spec { return f.spec }

// Watch tells of each statement that program p carries out, as far as the IR has notes of them.
func (f *Function) Watch(p *tl.Program, tell func(eager.Statement)) {
	if f.run != nil {
		f.run.Watch(p, tell)
	}
}
func loweredParams(fn *ir.Func) (ps []Param) {
	names := []string{"p"}
	for _, p := range fn.Params {
		names = append(names, p.Text)
	}
	for i, p := range fn.Params {
		z := Param{Kind: kindOfType(eager.GoType(p.Type.D)), i: i, names: func() []string { return names }}
		if p.Type.D.IsPointer() {
			z.elem = p.Type.D.Elem()
		}
		ps = append(ps, z)
	}
	return ps
}

func specParams(fn *ir.Func) (ps []gofile.Param) {
	kinds := map[Kind]gofile.Kind{Ptr: gofile.Ptr, Int: gofile.Int, Float: gofile.Float, Bool: gofile.Bool}
	for _, p := range fn.Params {
		ps = append(ps, gofile.Param{Name: p.Text, Kind: kinds[kindOfType(eager.GoType(p.Type.D))]})
	}
	return ps
}

// Lower is the kernel's IR for arguments, which of them are compiled in, and what it means: the IR as text, made once
// more where it is asked for, because few ask.
func (f *Function) Lower(args []frontend.Arg) (fn *ir.Func, spec *frontend.Spec, text func() string, err error) {
	if f.lowered != nil {
		fn, err = f.lowered.Func()
		return fn, f.spec, textOf(f.lowered.Func), err
	}
	file, name, err := f.Source()
	if err != nil {
		return nil, nil, nil, err
	}
	fn, spec, err = frontend.Compile(file, name, args)
	return fn, spec, textOf(func() (*ir.Func, error) {
		fn, _, err := frontend.Compile(file, name, args)
		return fn, err
	}), err
}

// textOf is the text of IR, "" if it cannot be had.
func textOf(lower func() (*ir.Func, error)) func() string {
	return func() string {
		fn, err := lower()
		if err != nil {
			return ""
		}
		return fn.String()
	}
}

// written is the function in its source, of which the parameters are known.
func (f *Function) written() *source.Written {
	w := &source.Written{File: f.file, Function: gofile.Function{File: f.file, Params: []gofile.Named{{Name: "p"}}}}
	if f.spec != nil {
		for _, p := range f.spec.Params {
			w.Function.Params = append(w.Function.Params, gofile.Named{Name: p.Name})
		}
	}
	return w
}

// Spell puts a message into the words of the kernel's language.
func (f *Function) Spell(d *diag.Diagnostic) {
	if f.lowered != nil && f.lowered.Spell != nil {
		f.lowered.Spell(d)
	} else if f.Text.Spell != nil {
		f.Text.Spell(d)
	}
}

// Given reports whether the kernel's source was given, and is not that of the running program.
func (f *Function) Given() bool { return f.Text.Go != "" || f.lowered != nil }

// wants is what is wrong with a tensor's dtype where the kernel was lowered for another.
func (p *Param) wants(d dtype.DType) string {
	if p.elem == dtype.Invalid || p.elem == d {
		return ""
	}
	return fmt.Sprintf("got a tensor of %s, want %s, for which the kernel was specialised", d, p.elem)
}
