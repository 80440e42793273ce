package lower

import (
	"sync"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/live"
	"github.com/tiler-go/tiler/exec/triton/spell"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// An Arg is what a kernel is specialised for in one parameter.
type Arg struct {
	// Type is a run-time argument's: a pointer, Bool, an integer or a float. Invalid is an
	// argument that is known: Const.
	Type dtype.DType
	// Const is a compile-time value: nil for None, bool, int64, float64, string, dtype.DType,
	// a Function, or []any of these.
	Const any
	// Desc is a tensor descriptor that the host made of the pointer; of no axes: it is none.
	Desc Descriptor
}

// A Descriptor is what a tensor descriptor knows before the kernel runs.
type Descriptor struct {
	Shape, Strides, Block []int
	NaN                   bool // what lies outside is NaN
}

// looking is held while names of files are looked up, what they import among them.
var looking sync.Mutex

// Lower specialises a function for arguments, one for each parameter in order. Each run-time
// argument is a Param of the Func: a pointer, or an Int64, Float64 or Bool, which the Func
// brings to the argument's own type. The error is a *diag.Diagnostic.
func (f *File) Lower(def *syntax.FuncDef, args []Arg) (*ir.Func, error) {
	return f.lower(def, args, false)
}

func (f *File) lower(def *syntax.FuncDef, args []Arg, guessing bool) (fn *ir.Func, err error) {
	looking.Lock()
	defer looking.Unlock()
	l := &lowering{emitter: emitter{
		guessing: guessing,
		fn:       &ir.Func{Name: def.Name, File: f.Name(), Body: &ir.Block{}},
		put:      map[*ir.Value]*ir.Value{},
	}}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case refusal:
			fn, err = nil, r.d
		default:
			panic(r)
		}
	}()
	l.kernel(f, def, args)
	l.fn.Replace(l.put)
	l.fn.Renumber()
	return l.fn, nil
}

// A lowering is one run over a kernel: it lowers statements and expressions by their syntax.
type lowering struct {
	emitter
	live  live.Reads // what is read after a statement, in the functions lowered so far
	loops int        // counted loops around
	depth int
}

// An emitter appends values to the kernel's Func: it computes with values, and evaluates no syntax.
type emitter struct {
	place
	fn       *ir.Func // nil where constants of a file are evaluated
	block    *ir.Block
	put      map[*ir.Value]*ir.Value // arguments of loops that turned out not to change
	lanes    *lanes                  // of a combining function
	guessing bool                    // which integers are pointers
	size     int
}

// place is where a run is: in which function, which has the variables, and at what of its file.
type place struct {
	at    syntax.Pos // of what is lowered next, in frame's file
	frame *frame
}

// A frame is a function being lowered.
type frame struct {
	file   *File
	def    *syntax.FuncDef
	vars   map[string]value
	outer  *frame     // its caller
	call   syntax.Pos // where that calls it
	nested bool       // it is inlined: a return is a value
	plain  bool       // it computes as Python does, before the kernel runs
	result value
}

// refuse ends the lowering with a message about the current place.
func (l *place) refuse(format string, args ...any) *diag.Diagnostic {
	d := diag.At(l.here(), format, args...)
	for f := l.frame; f.outer != nil; f = f.outer {
		if f.def != nil && !f.file.isPrelude() {
			d.NoteAt(f.outer.file.syntax.At(f.call), "%s is called at %s", f.def.Name, diag.Here)
		}
	}
	return d
}

// here is the current place; of what the prelude says, where it is called.
func (l *place) here() diag.Pos {
	f, at := l.frame, l.at
	for f.outer != nil && f.file.isPrelude() {
		f, at = f.outer, f.call
	}
	return f.file.syntax.At(at)
}

// fail panics with a message.
func fail(d *diag.Diagnostic) { panic(refusal{d}) }

// holds ends the lowering if a rule of package op does not hold; what is what broke it.
func (l *place) holds(what string, d *diag.Diagnostic) {
	if d == nil {
		return
	}
	spell.Diagnostic(d)
	z := l.refuse("%s: %s", what, d.Msg)
	z.Notes, z.Fixes = append(d.Notes, z.Notes...), d.Fixes
	fail(z)
}

// maxValues bounds a kernel: more are a loop unrolled or functions inlined beyond all reason.
const maxValues = 100_000

// maxCalls bounds how deep functions call each other.
const maxCalls = 64

// Emit appends a value to the current block.
func (l *emitter) Emit(o op.Op, t ir.Type, args ...*ir.Value) *ir.Value {
	if l.fn == nil {
		fail(l.refuse("a constant of the file is not known before the kernel runs"))
	}
	if l.size++; l.size > maxValues {
		fail(l.refuse("the kernel grows beyond %d operations", maxValues).
			Note("functions are inlined and tl.static_range is unrolled").Fix("loop with range instead"))
	}
	v := l.fn.NewValue(o, t, l.here(), args...)
	l.lanes.add(l, v)
	return v
}

// Constant is a scalar constant.
func (l *emitter) Constant(d dtype.DType, bits uint64) *ir.Value {
	v := l.Emit(op.Const, ir.Scalar(d))
	v.Bits = bits
	return v
}

// kernel lowers a function as a kernel.
func (l *lowering) kernel(f *File, def *syntax.FuncDef, args []Arg) {
	l.block, l.at = l.fn.Body, def.At
	l.frame = &frame{file: f, def: def, vars: map[string]value{}}
	if len(args) != len(def.Params) {
		fail(l.refuse("kernel %s: got %d arguments, want %d", def.Name, len(args), len(def.Params)))
	}
	l.live.Add(def)
	for i, p := range def.Params {
		l.at = p.At
		if p.Stars > 0 {
			fail(l.refuse("%s: a kernel has a fixed list of parameters", p.Name))
		}
		l.frame.vars[p.Name] = l.parameter(p, args[i])
	}
	if l.list(def.Body) == falls {
		l.at = def.End
		l.Emit(ir.Return, ir.Type{})
	}
}

func (l *emitter) parameter(p syntax.Param, a Arg) value {
	if a.Type == dtype.Invalid {
		return constant(a.Const)
	}
	d := a.Type
	switch {
	case d.IsPointer(), d == dtype.Bool:
	case d.IsFloat():
		d = dtype.Float64
	default:
		d = dtype.Int64
	}
	v := l.fn.NewValue(ir.Param, ir.Scalar(d), l.frame.file.syntax.At(p.At))
	v.Index, v.Text = len(l.fn.Params), p.Name
	l.fn.Params = append(l.fn.Params, v)
	if a.Type == dtype.Int32 && d == dtype.Int64 {
		z := l.Emit(ir.Fits, ir.Scalar(a.Type), v)
		z.Text = p.Name
		return tensor{v: z}
	}
	if len(a.Desc.Block) > 0 {
		return l.described(tensor{v: v}, a.Desc)
	}
	return tensor{v: l.cast(v, a.Type)}
}

// constant is a compile-time argument as a value.
func constant(c any) value {
	switch c := c.(type) {
	case dtype.DType:
		return typeOf{d: c}
	case []any:
		t := tuple{}
		for _, e := range c {
			t = append(t, constant(e))
		}
		return t
	case int:
		return int64(c)
	case Function:
		return function{c.File, c.Def}
	case Member:
		return c.value()
	case map[string]any:
		n := namespace{}
		for name, e := range c {
			n[name] = constant(e)
		}
		return n
	}
	return c
}
