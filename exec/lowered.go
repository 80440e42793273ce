package exec

import (
	"fmt"

	"github.com/tiler-go/tiler/exec/eager"
	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/promote"
	"github.com/tiler-go/tiler/exec/source"
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

	file string // the IR's
	run  *eager.Func
	spec *frontend.Spec
}

// From makes a kernel of IR. It runs, checks, promotes and traces as one of Go; interpreted,
// each value of the IR is a call of the language's function. What is wrong with the IR is
// Err, and the error of every call.
func From(l Lowered, o ...Option) *Kernel {
	k := &Kernel{name: "kernel", lowered: &l, shared: &shared{}}
	fn, err := l.Func()
	if err == nil {
		err = ir.Verify(fn)
	}
	if err != nil {
		k.err = err
	} else {
		k.name = fn.Name
		k.interpretedBy(fn)
	}
	for _, o := range o {
		if o != nil {
			o.apply(k)
		}
	}
	return k.limited()
}

// Lowered is the IR of a kernel that From made.
func (k *Kernel) Lowered() (*ir.Func, error) {
	if err := k.usable(); err != nil {
		return nil, err
	}
	if k.lowered == nil {
		return nil, fmt.Errorf("%s: a kernel of Go", k.name)
	}
	return k.lowered.Func()
}

// Stores says which parameters of a kernel that From made it may store into; nil if it cannot be
// told.
func (k *Kernel) Stores() []bool {
	fn, err := k.Lowered()
	if err != nil {
		return nil
	}
	return promote.FlowOf(fn).Stored
}

// Params is the names of the parameters after the program, "argument 1" and so on where they
// are not known.
func (k *Kernel) Params() (names []string) {
	if k.usable() != nil {
		return nil
	}
	for _, p := range k.parameters() {
		names = append(names, p.label())
	}
	return names
}

// interpretedBy makes a function of the IR, as if it were a kernel of Go.
func (k *Kernel) interpretedBy(fn *ir.Func) {
	f := eager.New(fn)
	k.fn = f.Go()
	k.src = Text{At: f.Place, File: k.lowered.Text}
	k.params = loweredParams(fn)
	k.paramsOnce.Do(func() {})
	k.lowered.file, k.lowered.run, k.lowered.spec = fn.File, f, &frontend.Spec{Params: specParams(fn), Fixed: make([]bool, len(fn.Params))}
}

func loweredParams(fn *ir.Func) (ps []param) {
	names := []string{"p"}
	for _, p := range fn.Params {
		names = append(names, p.Text)
	}
	for i, p := range fn.Params {
		z := param{kind: kindOfType(eager.GoType(p.Type.D)), i: i, names: func() []string { return names }}
		if p.Type.D.IsPointer() {
			z.elem = p.Type.D.Elem()
		}
		ps = append(ps, z)
	}
	return ps
}

func specParams(fn *ir.Func) (ps []frontend.Param) {
	kinds := map[paramKind]frontend.Kind{ptrParam: frontend.Ptr, intParam: frontend.Int, floatParam: frontend.Float, boolParam: frontend.Bool}
	for _, p := range fn.Params {
		ps = append(ps, frontend.Param{Name: p.Text, Kind: kinds[kindOfType(eager.GoType(p.Type.D))]})
	}
	return ps
}

// lower is the kernel's IR for arguments, and which of them are compiled in.
func (k *Kernel) lower(args []frontend.Arg) (fn *ir.Func, spec *frontend.Spec, text func() string, err error) {
	if l := k.lowered; l != nil {
		fn, err = l.Func()
		return fn, l.spec, func() string { return textOfLowered(l) }, err
	}
	file, name, err := k.sourceFile()
	if err != nil {
		return nil, nil, nil, err
	}
	fn, spec, err = file.Compile(name, args)
	return fn, spec, func() string { return textOf(file, name, args) }, err
}

// written is the kernel in its source, of which the parameters are known.
func (l *Lowered) written() *source.Written {
	w := &source.Written{File: l.file, Function: frontend.Function{File: l.file, Params: []frontend.Named{{Name: "p"}}}}
	if l.spec != nil {
		for _, p := range l.spec.Params {
			w.Function.Params = append(w.Function.Params, frontend.Named{Name: p.Name})
		}
	}
	return w
}

// textOfLowered is the IR before optimisation.
func textOfLowered(l *Lowered) string {
	fn, err := l.Func()
	if err != nil {
		return ""
	}
	return fn.String()
}

// spell puts a message into the words of the kernel's language.
func (k *Kernel) spell(d *diag.Diagnostic) {
	if k.lowered != nil && k.lowered.Spell != nil {
		k.lowered.Spell(d)
	} else if k.src.Spell != nil {
		k.src.Spell(d)
	}
}

// given reports whether the kernel's source was given, and is not that of the running program.
func (k *Kernel) given() bool { return k.src.Go != "" || k.lowered != nil }

// wants is what is wrong with a tensor's dtype where the kernel was lowered for another.
func (p *param) wants(d dtype.DType) string {
	if p.elem == dtype.Invalid || p.elem == d {
		return ""
	}
	return fmt.Sprintf("got a tensor of %s, want %s, for which the kernel was specialised", d, p.elem)
}
