package lower

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/lower/builtin"
	"github.com/tiler-go/tiler/exec/triton/lower/flow"
	"github.com/tiler-go/tiler/exec/triton/lower/value"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// forLoop lowers a loop over range, tl.range or tl.static_range, or over a tuple.
func (l *lowering) forLoop(s *syntax.For) {
	if len(s.Else) > 0 {
		value.Fail(l.Refuse("else after a loop: not possible in a kernel"))
	}
	call, ok := s.Iter.(*syntax.Call)
	if !ok {
		l.unrolled(s, l.Elements(l.expr(s.Iter)))
		return
	}
	f := l.expr(call.Func)
	b, isBuiltin := f.(value.Builtin)
	switch {
	case isBuiltin && b.Name() == "static_range", isBuiltin && b.Name() == "range" && l.Frame.Plain:
		l.unrolled(s, l.bind(b.Row, call).Numbers())
	case isBuiltin && b.Name() == "range":
		l.countedLoop(s, l.bind(b.Row, call))
	default:
		l.unrolled(s, l.Elements(l.expr(s.Iter)))
	}
}

// round lowers the body of a loop, which goes on to the next round.
func (l *lowering) round(body []syntax.Stmt) {
	if l.list(body) == flow.Ended {
		value.Fail(l.Refuse("return within a loop: not possible in a kernel").
			Fix("guard the rest of the loop's body with if"))
	}
}

// unrolled lowers the body once for each element.
func (l *lowering) unrolled(s *syntax.For, list value.Tuple) {
	for _, v := range list {
		l.At = s.At
		assign(&l.Place, s.Target, v)
		l.note(s.At, s.Target)
		l.round(s.Body)
	}
}

// countedLoop lowers a loop over range. A step that is known only at run time is positive, as
// in Triton.
func (l *lowering) countedLoop(s *syntax.For, c *builtin.Call) {
	lo, hi, step := c.Range()
	from, to, by := l.Numeric("range", lo).IR, l.Numeric("range", hi).IR, l.Numeric("range", step).IR
	d := dtype.Int32
	for _, v := range []*ir.Value{from, to, by} {
		if !v.Type.D.IsInt() || v.Type.IsTile() {
			value.Fail(l.Refuse("range of %s: it counts in single integers", v.Type))
		}
		if v.Type.D.Bits() == 64 {
			d = v.Type.D
		}
	}
	from, to, by = l.Cast(from, dtype.Int64), l.Cast(to, dtype.Int64), l.Cast(by, dtype.Int64)
	n, fixed := value.Known(value.Tensor{IR: by})
	if fixed && n == int64(0) {
		value.Fail(l.Refuse("range: a step of 0"))
	}
	index := func(i *ir.Value) *ir.Value { return l.Cast(i, d) }
	lower, upper, stride := from, to, 1
	if fixed {
		stride = int(n.(int64))
	} else {
		lower, upper = l.Constant(dtype.Int64, 0), rounds(&l.Emitter, from, to, by)
		index = func(i *ir.Value) *ir.Value {
			t := ir.Scalar(dtype.Int64)
			return l.Cast(l.Emit(op.Add, t, from, l.Emit(op.Mul, t, i, by)), d)
		}
	}
	l.Count(s, lower, upper, stride, func(i *ir.Value) {
		l.loops++
		assign(&l.Place, s.Target, value.Tensor{IR: index(i)})
		l.note(s.At, s.Target)
		l.round(s.Body)
		l.loops--
	})
}

func (l *lowering) whileLoop(s *syntax.While) {
	if len(s.Else) > 0 {
		value.Fail(l.Refuse("else after a loop: not possible in a kernel"))
	}
	l.While(s, func() value.Value { return l.expr(s.Cond) }, func() {
		l.loops++
		l.round(s.Body)
		l.loops--
	})
}

// rounds is how often a loop from lo to hi goes around in steps that are known only at run
// time.
func rounds(l *value.Emitter, lo, hi, step *ir.Value) *ir.Value {
	t := ir.Scalar(dtype.Int64)
	span := l.Emit(op.Sub, t, hi, lo)
	up := l.Emit(op.Sub, t, l.Emit(op.Add, t, span, step), l.Constant(dtype.Int64, 1))
	q := l.Emit(op.FloorDiv, t, up, step)
	q.Text = "range"
	return q
}
