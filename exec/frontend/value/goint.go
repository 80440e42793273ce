package value

import (
	"go/token"
	"go/types"

	"github.com/tiler-go/tiler/exec/frontend/goint"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// goInt is the Go conversion of a float to an integer type.
func (l *Emitter) goInt(x Value, to types.BasicKind, p token.Pos) Value {
	d := GoTypes[to]
	x = l.Cast(x, types.Float64)
	constant := func(bits uint64) Value { return Value{Kind: ScalarKind, Basic: to, Known: true, Bits: bits} }
	if x.Known {
		return constant(goint.Convert(d, x.Float()))
	}
	r, ok := goint.For(d)
	if !ok {
		l.Error(p, "the compiler does not know how this processor converts a float to %s", d).Fix("convert a tile: tl.Full(tl.Float64, x).To(tl.Int64).Int()")
		return Bad
	}
	compare := func(o op.Op, bound float64) Value { return l.Apply(o, types.Bool, x, Float(bound)) }
	z := l.Cast(l.Cast(x, types.Int64), to)
	if r.Hi > 1<<63 {
		z = l.choose(compare(op.Lt, 1<<63), z, l.Cast(l.Cast(x, types.Uint64), to))
	}
	nan := constant(r.NaN[0])
	if r.NaN[0] != r.NaN[1] {
		sign := l.Emit(op.Bitcast, ir.Scalar(dtype.Int64), x.IR)
		nan = l.choose(l.Apply(op.Lt, types.Bool, Runtime(types.Int, sign), Int(0)), constant(r.NaN[1]), nan)
	}
	other := l.choose(compare(op.Le, r.Lo), constant(r.Below), l.choose(compare(op.Ge, r.Hi), constant(r.Above), nan))
	return l.choose(l.Apply(op.And, types.Bool, compare(op.Gt, r.Lo), compare(op.Lt, r.Hi)), z, other)
}

// choose is x if a condition holds and y if not; both are computed.
func (l *Emitter) choose(cond, x, y Value) Value {
	switch {
	case x.Known && y.Known && x.Bits == y.Bits, cond.Known && cond.Bool():
		return x
	case cond.Known:
		return y
	}
	return Runtime(x.Basic, l.Emit(op.Where, ir.Scalar(x.DType()), cond.IR, l.ScalarValue(x), l.ScalarValue(y)))
}
