package value

import (
	"go/token"
	"go/types"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// mathOps are the functions of package math that are operations of the language, bit for bit. The others are Go's.
var mathOps = map[string]func(l *Emitter, args []Value) Value{
	"Inf":         mathInf,
	"NaN":         func(*Emitter, []Value) Value { return Float(NotANumber) },
	"Sqrt":        mathOp(op.Sqrt),
	"Abs":         mathOp(op.Abs),
	"Floor":       mathOp(op.Floor),
	"Ceil":        mathOp(op.Ceil),
	"Trunc":       mathOp(op.Trunc),
	"Round":       mathOp(op.Round),
	"RoundToEven": mathOp(op.Rint),
	"FMA":         mathOp(op.FMA),
	"Max":         func(l *Emitter, args []Value) Value { return mathExtremum(l, op.MaximumNaN, Infinity, args) },
	"Min":         func(l *Emitter, args []Value) Value { return mathExtremum(l, op.MinimumNaN, -Infinity, args) },
	"IsNaN":       func(l *Emitter, args []Value) Value { return l.Apply(op.Ne, types.Bool, args[0], args[0]) },
	"IsInf":       mathIsInf,
}

// Math is a call of a function of package math with results of some types.
func (l *Emitter) Math(name string, p token.Pos, results *types.Tuple, args []Value) []Value {
	if name == "Dim" && (args[0].Unrounded || args[1].Unrounded) { // Go puts its difference where it is called
		return []Value{l.UnroundedSum(p, "math.Dim(float64(x*y), z)")}
	}
	if f := mathOps[name]; f != nil {
		return []Value{f(l, args)}
	}
	z := make([]Value, results.Len())
	for i := range z {
		b, _ := gofile.BasicOf(results.At(i).Type())
		z[i] = l.goMath(name, i, b, args)
		z[i].Unrounded = name == "Log10" && l.File.Fuses // and its product
	}
	return z
}

// goMath is result i of a function that is Go's own, called now if its arguments are known.
func (l *Emitter) goMath(name string, i int, b types.BasicKind, args []Value) Value {
	var in [2]uint64
	values, known := make([]*ir.Value, len(args)), true
	for k, x := range args {
		in[k], known = x.Bits, known && x.Known
	}
	if f, _ := ir.MathNamed(name); known {
		return Value{Kind: ScalarKind, Basic: b, Known: true, Bits: f.Result(i, in)}
	}
	for k, x := range args {
		values[k] = l.ScalarValue(x)
	}
	v := l.Emit(ir.GoMath, ir.Scalar(GoTypes[b]), values...)
	v.Text, v.Index = name, i
	return Runtime(b, v)
}

func mathOp(o op.Op) func(l *Emitter, args []Value) Value {
	return func(l *Emitter, args []Value) Value { return l.Apply(o, types.Float64, args...) }
}

// mathExtremum is the greater or the smaller number: unlike Go's own max and min an infinity, though the other is NaN.
func mathExtremum(l *Emitter, o op.Op, most float64, args []Value) Value {
	z := l.Apply(o, types.Float64, args...)
	for _, x := range args {
		z = l.choose(l.Apply(op.Eq, types.Bool, x, Float(most)), Float(most), z)
	}
	return z
}

func mathInf(l *Emitter, args []Value) Value {
	return l.choose(l.Apply(op.Ge, types.Bool, args[0], Int(0)), Float(Infinity), Float(-Infinity))
}

func mathIsInf(l *Emitter, args []Value) Value {
	x, sign := args[0], args[1]
	is := func(v float64) Value { return l.Apply(op.Eq, types.Bool, x, Float(v)) }
	holds := func(o op.Op) Value { return l.Apply(o, types.Bool, sign, Int(0)) }
	and := func(x, y Value) Value { return l.Apply(op.And, types.Bool, x, y) }
	return l.Apply(op.Or, types.Bool, and(holds(op.Ge), is(Infinity)), and(holds(op.Le), is(-Infinity)))
}
