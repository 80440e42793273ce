package frontend

import (
	"go/types"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// mathFuncs are the functions of package math whose results every processor agrees
// on.
var mathFuncs = map[string]func(l *emitter, args []value) value{
	"Inf":         mathInf,
	"NaN":         func(*emitter, []value) value { return floatValue(notANumber) },
	"Sqrt":        mathOp(op.Sqrt),
	"Abs":         mathOp(op.Abs),
	"Floor":       mathOp(op.Floor),
	"Ceil":        mathOp(op.Ceil),
	"Trunc":       mathOp(op.Trunc),
	"Round":       mathOp(op.Round),
	"RoundToEven": mathOp(op.Rint),
	"FMA":         mathOp(op.FMA),
	"IsNaN":       func(l *emitter, args []value) value { return l.apply(op.Ne, types.Bool, args[0], args[0]) },
	"IsInf":       mathIsInf,
}

// mathFunc is a function of package math.
func mathFunc(name string) (f func(l *emitter, args []value) value, ok bool) {
	f, ok = mathFuncs[name]
	return f, ok
}

func mathOp(o op.Op) func(l *emitter, args []value) value {
	return func(l *emitter, args []value) value { return l.apply(o, types.Float64, args...) }
}

func mathInf(l *emitter, args []value) value {
	if sign := args[0]; sign.known {
		if sign.int() >= 0 {
			return floatValue(infinity)
		}
		return floatValue(-infinity)
	}
	positive := l.apply(op.Ge, types.Bool, args[0], intValue(0))
	f64 := ir.Scalar(dtype.Float64)
	return runtime(types.Float64, l.Emit(op.Where, f64, positive.v, l.scalarValue(floatValue(infinity)), l.scalarValue(floatValue(-infinity))))
}

func mathIsInf(l *emitter, args []value) value {
	x, sign := args[0], args[1]
	is := func(v float64) value { return l.apply(op.Eq, types.Bool, x, floatValue(v)) }
	holds := func(o op.Op) value { return l.apply(o, types.Bool, sign, intValue(0)) }
	and := func(x, y value) value { return l.apply(op.And, types.Bool, x, y) }
	return l.apply(op.Or, types.Bool, and(holds(op.Ge), is(infinity)), and(holds(op.Le), is(-infinity)))
}
