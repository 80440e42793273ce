package value

import (
	"go/ast"
	"go/token"
	"go/types"
	"math"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// mathOps are the functions of package math that are operations of the language, bit for bit, or a few of them. The
// others are Go's.
var mathOps = []struct {
	name string
	op   op.Op
}{
	{"Sqrt", op.Sqrt}, {"Abs", op.Abs}, {"Floor", op.Floor}, {"Ceil", op.Ceil}, {"Trunc", op.Trunc}, {"Round", op.Round},
	{"RoundToEven", op.Rint}, {"FMA", op.FMA}, {"Max", op.MaximumNaN}, {"Min", op.MinimumNaN}, {"Inf", op.Where},
	{"NaN", op.Const}, {"IsNaN", op.Ne}, {"IsInf", op.Eq},
}

// visible are the functions that show the sign or the payload of a NaN, which differs between engines, and what to
// write instead.
var visible = []struct{ name, fix string }{
	{"Float64bits", "uint64(tl.Full(tl.Float64, x).Bitcast(tl.Int64).Int())"},
	{"Float32bits", "uint32(tl.Full(tl.Float32, float64(x)).Bitcast(tl.Int32).Int())"},
	{"Signbit", "tl.Full(tl.Float64, x).Bitcast(tl.Int64).Lt(0).Bool()"},
}

// Math is a call of a function of package math with results of some types.
func (l *Emitter) Math(name string, p token.Pos, results *types.Tuple, args []Value) []Value {
	if name == "Dim" && (args[0].Unrounded || args[1].Unrounded) { // Go puts its difference where it is called
		return []Value{l.UnroundedSum(p, "math.Dim(float64(x*y), z)")}
	}
	for _, row := range mathOps {
		if row.name == name {
			return []Value{l.mathOp(name, row.op, args)}
		}
	}
	for _, row := range visible {
		if x := args[0]; row.name == name && !(x.Known && !math.IsNaN(x.Float())) {
			return []Value{l.Refuse(p, "math."+name, "the sign and payload of a NaN differ between engines", row.fix)}
		}
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
	x, y := args[0], args[len(args)-1]
	if x.Known && y.Known {
		return Value{Kind: ScalarKind, Basic: b, Known: true, Bits: ir.MathNamed(name).Result(i, x.Bits, y.Bits)}
	}
	in := []*ir.Value{l.ScalarValue(x), l.ScalarValue(y)}
	v := l.Emit(ir.GoMath, ir.Scalar(GoTypes[b]), in[:len(args)]...)
	v.Text, v.Index = name, i
	return Runtime(b, v)
}

// mathOp is a function that is an operation, or a few.
func (l *Emitter) mathOp(name string, o op.Op, args []Value) Value {
	switch name {
	case "NaN":
		return Float(NotANumber)
	case "Inf":
		return l.choose(l.Apply(op.Ge, types.Bool, args[0], Int(0)), Float(Infinity), Float(-Infinity))
	case "IsNaN":
		return l.Apply(o, types.Bool, args[0], args[0])
	case "IsInf":
		return l.Apply(op.Or, types.Bool, l.isInf(args, op.Ge, Infinity), l.isInf(args, op.Le, -Infinity))
	case "Max":
		return l.extremum(o, Infinity, args)
	case "Min":
		return l.extremum(o, -Infinity, args)
	}
	return l.Apply(o, types.Float64, args...)
}

// isInf reports whether a number is an infinity whose sign is asked for.
func (l *Emitter) isInf(args []Value, sign op.Op, inf float64) Value {
	is := l.Apply(op.Eq, types.Bool, args[0], Float(inf))
	return l.Apply(op.And, types.Bool, l.Apply(sign, types.Bool, args[1], Int(0)), is)
}

// extremum is the greater or the smaller number: unlike Go's own max and min an infinity, though the other is NaN.
func (l *Emitter) extremum(o op.Op, most float64, args []Value) Value {
	z := l.Apply(o, types.Float64, args...)
	for _, x := range args {
		z = l.choose(l.Apply(op.Eq, types.Bool, x, Float(most)), Float(most), z)
	}
	return z
}

// Extremum is min or max of Go numbers; of floats, NaN if one is.
func Extremum(l *Run, e *ast.CallExpr, greatest bool, args []Value) Value {
	z := args[0]
	for i, x := range args {
		if x.Kind != ScalarKind {
			return l.Refuse(e.Args[i].Pos(), "min or max of "+x.Describe(), "", "for tiles, use tl.Minimum and tl.Maximum")
		}
		if i == 0 {
			continue
		}
		o := op.Minimum
		switch float := x.DType().IsFloat(); {
		case greatest && float:
			o = op.MaximumNaN
		case float:
			o = op.MinimumNaN
		case greatest:
			o = op.Maximum
		}
		z = l.Apply(o, z.Basic, z, x)
	}
	return z
}
