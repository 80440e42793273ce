package lower

import (
	"sync"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/lower/flow"
	"github.com/tiler-go/tiler/exec/triton/lower/value"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/dtype"
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
	l := &lowering{Control: flow.NewControl(value.Emitter{
		Guessing: guessing,
		Func:     &ir.Func{Name: def.Name, File: f.Name(), Body: &ir.Block{}},
	})}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case value.Refusal:
			fn, err = nil, r.Diag
		default:
			panic(r)
		}
	}()
	l.kernel(f, def, args)
	l.Finish()
	return l.Func, nil
}

// A lowering is one run over a kernel: it lowers statements and expressions by their syntax.
type lowering struct {
	flow.Control
	loops int // loops around
	depth int // of calls
}

// maxCalls bounds how deep functions call each other.
const maxCalls = 64

// kernel lowers a function as a kernel.
func (l *lowering) kernel(f *File, def *syntax.FuncDef, args []Arg) {
	l.Block, l.At = l.Func.Body, def.At
	l.Frame = &value.Frame{Scope: f, Def: def, Vars: map[string]value.Value{}}
	if len(args) != len(def.Params) {
		value.Fail(l.Refuse("kernel %s: got %d arguments, want %d", def.Name, len(args), len(def.Params)))
	}
	l.Live.Add(def)
	for i, p := range def.Params {
		l.At = p.At
		if p.Stars > 0 {
			value.Fail(l.Refuse("%s: a kernel has a fixed list of parameters", p.Name))
		}
		l.Frame.Vars[p.Name] = argument(&l.Emitter, p, args[i])
	}
	if l.list(def.Body) == flow.Falls {
		l.At = def.End
		l.Emit(ir.Return, ir.Type{})
	}
}

// argument is what a kernel's parameter holds.
func argument(l *value.Emitter, p syntax.Param, a Arg) value.Value {
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
	v := l.Func.NewValue(ir.Param, ir.Scalar(d), l.Frame.Pos(p.At))
	v.Index, v.Text = len(l.Func.Params), p.Name
	l.Func.Params = append(l.Func.Params, v)
	if a.Type == dtype.Int32 && d == dtype.Int64 {
		z := l.Emit(ir.Fits, ir.Scalar(a.Type), v)
		z.Text = p.Name
		return value.Tensor{IR: z}
	}
	if len(a.Desc.Block) > 0 {
		return described(&l.Place, value.Tensor{IR: v}, a.Desc)
	}
	return value.Tensor{IR: l.Cast(v, a.Type)}
}

// constant is a compile-time argument as a value.
func constant(c any) value.Value {
	switch c := c.(type) {
	case dtype.DType:
		return value.Type{D: c}
	case []any:
		t := value.Tuple{}
		for _, e := range c {
			t = append(t, constant(e))
		}
		return t
	case int:
		return int64(c)
	case Function:
		return value.Function{Scope: c.File, Def: c.Def}
	case Member:
		return c.value()
	case map[string]any:
		n := value.Namespace{}
		for name, e := range c {
			n[name] = constant(e)
		}
		return n
	}
	return c
}

// described is a descriptor that the host made.
func described(l *value.Place, base value.Tensor, d Descriptor) value.Value {
	s := l.Sizes(value.Ints(d.Block), "a tensor descriptor")
	if len(d.Shape) != s.N || len(d.Strides) != s.N {
		value.Fail(l.Refuse("a tensor descriptor: shape, strides and block_shape have %d, %d and %d numbers",
			len(d.Shape), len(d.Strides), s.N))
	}
	return &value.Region{
		Desc: true, Base: base, Block: s.Dims(), NaN: d.NaN,
		Shape: value.Ints(d.Shape), Strides: value.Ints(d.Strides),
	}
}
