package frontend

import (
	"go/token"
	"go/types"

	"github.com/tiler-go/tiler/exec/frontend/goint"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// goInt is the Go conversion of a float to an integer type.
func (l *emitter) goInt(x value, to types.BasicKind, p token.Pos) value {
	d := goTypes[to]
	x = l.cast(x, types.Float64)
	constant := func(bits uint64) value { return value{kind: scalarKind, basic: to, known: true, bits: bits} }
	if x.known {
		return constant(goint.Convert(d, x.float()))
	}
	r, ok := goint.For(d)
	if !ok {
		l.error(p, "the compiler does not know how this processor converts a float to %s", d).Fix("convert a tile: tl.Full(tl.Float64, x).To(tl.Int64).Int()")
		return bad
	}
	compare := func(o op.Op, bound float64) value { return l.apply(o, types.Bool, x, floatValue(bound)) }
	z := l.cast(l.cast(x, types.Int64), to)
	if r.Hi > 1<<63 {
		z = l.choose(compare(op.Lt, 1<<63), z, l.cast(l.cast(x, types.Uint64), to))
	}
	nan := constant(r.NaN[0])
	if r.NaN[0] != r.NaN[1] {
		sign := l.Emit(op.Bitcast, ir.Scalar(dtype.Int64), x.v)
		nan = l.choose(l.apply(op.Lt, types.Bool, runtime(types.Int, sign), intValue(0)), constant(r.NaN[1]), nan)
	}
	other := l.choose(compare(op.Le, r.Lo), constant(r.Below), l.choose(compare(op.Ge, r.Hi), constant(r.Above), nan))
	return l.choose(l.apply(op.And, types.Bool, compare(op.Gt, r.Lo), compare(op.Lt, r.Hi)), z, other)
}

// choose is x if a condition holds and y if not; both are computed.
func (l *emitter) choose(cond, x, y value) value {
	if x.known && y.known && x.bits == y.bits {
		return x
	}
	return runtime(x.basic, l.Emit(op.Where, ir.Scalar(x.dtype()), cond.v, l.scalarValue(x), l.scalarValue(y)))
}
