package builtin

import (
	"go/types"

	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// mathFuncs are the functions of package math whose results every processor agrees
// on.
var mathFuncs = map[string]func(l *value.Emitter, args []value.Value) value.Value{
	"Inf":         mathInf,
	"NaN":         func(*value.Emitter, []value.Value) value.Value { return value.Float(value.NotANumber) },
	"Sqrt":        mathOp(op.Sqrt),
	"Abs":         mathOp(op.Abs),
	"Floor":       mathOp(op.Floor),
	"Ceil":        mathOp(op.Ceil),
	"Trunc":       mathOp(op.Trunc),
	"Round":       mathOp(op.Round),
	"RoundToEven": mathOp(op.Rint),
	"FMA":         mathOp(op.FMA),
	"IsNaN": func(l *value.Emitter, args []value.Value) value.Value {
		return l.Apply(op.Ne, types.Bool, args[0], args[0])
	},
	"IsInf": mathIsInf,
}

// Math is a function of package math.
func Math(name string) (f func(l *value.Emitter, args []value.Value) value.Value, ok bool) {
	f, ok = mathFuncs[name]
	return f, ok
}

func mathOp(o op.Op) func(l *value.Emitter, args []value.Value) value.Value {
	return func(l *value.Emitter, args []value.Value) value.Value { return l.Apply(o, types.Float64, args...) }
}

func mathInf(l *value.Emitter, args []value.Value) value.Value {
	if sign := args[0]; sign.Known {
		if sign.Int() >= 0 {
			return value.Float(value.Infinity)
		}
		return value.Float(-value.Infinity)
	}
	positive := l.Apply(op.Ge, types.Bool, args[0], value.Int(0))
	f64 := ir.Scalar(dtype.Float64)
	return value.Runtime(types.Float64, l.Emit(op.Where, f64, positive.IR, l.ScalarValue(value.Float(value.Infinity)), l.ScalarValue(value.Float(-value.Infinity))))
}

func mathIsInf(l *value.Emitter, args []value.Value) value.Value {
	x, sign := args[0], args[1]
	is := func(v float64) value.Value { return l.Apply(op.Eq, types.Bool, x, value.Float(v)) }
	holds := func(o op.Op) value.Value { return l.Apply(o, types.Bool, sign, value.Int(0)) }
	and := func(x, y value.Value) value.Value { return l.Apply(op.And, types.Bool, x, y) }
	return l.Apply(op.Or, types.Bool, and(holds(op.Ge), is(value.Infinity)), and(holds(op.Le), is(-value.Infinity)))
}
