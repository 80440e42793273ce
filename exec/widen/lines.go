package widen

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A line is a number that grows from one program to the next by the same, modulo 2^64: by step, nil for 1.
type line struct{ first, step *ir.Value }

// lineOf is the line of an int64 scalar, if it is made of sums, differences and products of lines and of what all
// programs have in common.
func (w *widener) lineOf(v *ir.Value) (z line, ok bool) {
	if v.Type != ir.Scalar(dtype.Int64) || len(v.Args) != 2 {
		return line{}, false
	}
	x, y := v.Args[0], v.Args[1]
	if v.Op == op.Mul && w.vary.of(x) {
		x, y = y, x
	}
	a, inA := w.lines[x]
	b, inB := w.lines[y]
	if inA == w.vary.of(x) && inB == w.vary.of(y) {
		switch {
		case v.Op == op.Mul && !inA && inB:
			return line{w.number(op.Mul, w.made[x], b.first), w.number(op.Mul, w.made[x], w.stepOf(b))}, true
		case v.Op == op.Add && !inA && inB:
			return line{w.number(v.Op, w.made[x], b.first), b.step}, true
		case (v.Op == op.Add || v.Op == op.Sub) && inA && !inB:
			return line{w.number(v.Op, a.first, w.made[y]), a.step}, true
		case (v.Op == op.Add || v.Op == op.Sub) && inA && inB:
			return line{w.number(v.Op, a.first, b.first), w.number(v.Op, w.stepOf(a), w.stepOf(b))}, true
		}
	}
	return line{}, false
}

func (w *widener) number(o op.Op, x, y *ir.Value) *ir.Value { return w.Add(o, x.Type, x, y) }

func (w *widener) stepOf(z line) *ir.Value {
	if z.step == nil {
		return w.constant(dtype.Int64, 1)
	}
	return z.step
}

// fits is numbers that must all fit: those of a line do if the first, the last and the step do, as then nothing wraps.
func (w *widener) fits(v, x *ir.Value) *ir.Value {
	t := x.Type.As(v.Type.D)
	z, ok := w.lines[v.Args[0]]
	if !ok {
		for _, end := range []op.Op{op.Min, op.Max} {
			w.Clone(v, v.Type, w.Add(end, x.Type.Elem(), x))
		}
		return w.Add(op.Cast, t, x)
	}
	first, step := w.Clone(v, v.Type, z.first), (*ir.Value)(nil)
	w.Clone(v, v.Type, w.number(op.Add, z.first, w.number(op.Mul, w.stepOf(z), w.constant(dtype.Int64, w.vary.n-1))))
	if z.step != nil {
		step = w.Clone(v, v.Type, z.step)
	}
	return w.onwards(first, step)
}
