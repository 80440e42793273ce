package carried

import (
	"math"
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Masks that limit the elements of a tile alike in all rounds, or most in the first one.

// candidates is conditions that may limit what is computed of a tile: those of each mask, together and one by one.
func (l *loop) candidates(v *ir.Value, s ir.Shape) (list [][]*ir.Value) {
	seen := map[*ir.Value]bool{}
	var one [][]*ir.Value
	var visit func(v *ir.Value)
	visit = func(v *ir.Value) {
		if seen[v] || !l.inside[v] || v.Type.Shape != s {
			return
		}
		seen[v] = true
		var mask *ir.Value
		switch v.Op {
		case op.Load:
			mask = v.Memory().Mask
		case op.Where:
			mask = v.Args[0]
		}
		if mask != nil {
			some := slices.DeleteFunc(mask.Conjuncts(), func(c *ir.Value) bool { return l.earliest(c) == nil })
			if len(some) > 0 {
				list = append(list, some)
			}
			for _, c := range some {
				one = append(one, []*ir.Value{c})
			}
		}
		for _, a := range v.Args {
			visit(a)
		}
	}
	visit(v)
	return append(list, one...)
}

// mask is the conjunction of conditions, as it is ahead of the loop.
func (l *loop) mask(conditions []*ir.Value) (z *ir.Value) {
	for _, c := range conditions {
		m := l.earliest(c)()
		if z == nil {
			z = m
		} else {
			z = l.add(op.And, m.Type, z, m)
		}
	}
	return z
}

// add makes a value ahead of the loop.
func (l *loop) add(o op.Op, t ir.Type, args ...*ir.Value) *ir.Value {
	v := l.f.NewValue(o, t, l.v.Pos, args...)
	l.ahead = append(l.ahead, v)
	return v
}

func (l *loop) number(n int64) *ir.Value {
	v := l.add(op.Const, ir.Scalar(dtype.Int64))
	v.Bits = uint64(n)
	return v
}

// earliest makes, ahead of the loop, a condition that holds wherever a given one does in any round; nil if none is
// found. Of i + k < n, where k counts the loop's rounds, that is the one of the first round; of others that of all
// rounds. Where rows are long, whole blocks are let through: part of a block that is stored is not there at once when it
// is loaded.
func (l *loop) earliest(c *ir.Value) func() *ir.Value {
	less := c
	for less.Op == op.Broadcast || less.Op == op.Reshape {
		less = less.Args[0]
	}
	if less.Op != op.Lt || less.Args[0].Type.D != dtype.Int32 {
		return nil
	}
	n, i := repeated(less.Args[1]), &index{loop: l}
	from, ok := constant(l.v.Args[0])
	only := i.find(less.Args[0]) && i.line != nil && i.line.Index >= 0
	switch {
	case n == nil:
		return nil
	case !l.inside[c] && !(only && l.blocks(less, i.line)):
		if !ascends(less.Args[0]) {
			return nil
		}
		return func() *ir.Value { return c }
	case !only || i.counter != nil && (!ok || from < 0):
		return nil
	case n.Op == ir.Fits && !l.inside[n.Args[0]]:
		n = n.Args[0]
	case l.inside[n]:
		return nil
	}
	if i.counter == nil {
		from = 0
	}
	end := int64(i.line.Index) + int64(i.line.Type.Shape.D[0]) // i is below it
	if from+end > math.MaxInt32 {
		return nil
	}
	return func() *ir.Value {
		if m := l.early[c]; m != nil {
			return m
		}
		limit := l.limitOf(n, i.counter, from, math.MaxInt32-end+1, l.blocks(less, i.line))
		x, first := less.Args[0], map[*ir.Value]*ir.Value{}
		if i.counter != nil {
			first[i.counter] = l.add(op.Cast, ir.Scalar(dtype.Int32), l.number(from))
		}
		m := l.add(op.Lt, less.Type, l.copied(x, first), l.add(op.Broadcast, less.Args[1].Type, limit))
		l.early[c] = l.moved(c, less, m)
		return l.early[c]
	}
}

// blocks reports whether a condition on ascending numbers limits long rows.
func (l *loop) blocks(less, line *ir.Value) bool {
	s, length := less.Type.Shape, line.Type.Shape.D[0]
	return length >= minLen && s.D[s.N-1] == length && line.Index == 0
}

// block is how many elements are let through together: of a reduction's partials, and of vectors.
const block = 16

// limitOf is a limit n, or the greatest there is if the loop counts so far, beyond most, that an index may wrap; less
// what it counts from, in whole blocks or not. As indices are positive, no limit need be negative. If n is no int32 the
// loop fails in its first round, or has none.
func (l *loop) limitOf(n, counter *ir.Value, from, most int64, blocks bool) *ir.Value {
	long := ir.Scalar(dtype.Int64)
	zero, all := l.number(0), l.number(math.MaxInt32)
	if n.Type.D != dtype.Int64 {
		n = l.add(op.Cast, long, n)
	}
	n = l.add(op.Minimum, long, l.add(op.Maximum, long, n, zero), all)
	if counter != nil {
		beyond := l.add(op.Sub, long, l.v.Args[1], l.number(most))
		wraps := l.add(op.Minimum, long, l.add(op.Maximum, long, beyond, zero), l.number(1))
		n = l.add(op.Maximum, long, n, l.add(op.Mul, long, wraps, all))
	}
	if blocks {
		up := l.add(op.Add, long, n, l.number(block-1-from))
		n = l.add(op.Add, long, l.add(op.And, long, up, l.number(-block)), l.number(from))
	}
	return l.add(op.Cast, ir.Scalar(dtype.Int32), l.add(op.Minimum, long, n, all))
}

// moved is what makes a value of another, made of a third.
func (l *loop) moved(v, of, z *ir.Value) *ir.Value {
	if v == of {
		return z
	}
	return l.add(v.Op, v.Type, l.moved(v.Args[0], of, z))
}

// copied is a value ahead of the loop, in which others stand for some.
func (l *loop) copied(v *ir.Value, others map[*ir.Value]*ir.Value) *ir.Value {
	if z := others[v]; z != nil {
		return z
	}
	if !l.inside[v] {
		return v
	}
	z := l.f.NewValue(v.Op, v.Type, v.Pos)
	z.Attr = v.Attr
	for _, a := range v.Args {
		z.Args = append(z.Args, l.copied(a, others))
	}
	l.ahead = append(l.ahead, z)
	others[v] = z
	return z
}

// index is a sum of ascending numbers and the loop's counter.
type index struct {
	*loop
	line    *ir.Value // the Arange
	counter *ir.Value // as int32, nil if it is not in the sum
}

// find looks at a sum, and reports whether there is nothing else in it.
func (i *index) find(v *ir.Value) bool {
	switch {
	case v.Op == op.Broadcast || v.Op == op.Reshape:
		return i.find(v.Args[0])
	case v.Op == op.Add:
		return i.find(v.Args[0]) && i.find(v.Args[1])
	case v.Op == op.Arange && i.line == nil:
		i.line = v
		return true
	case (v.Op == ir.Fits || v.Op == op.Cast) && v.Args[0] == i.body.Args[0] && i.counter == nil:
		i.counter = v // an int32, as sums are
		return true
	}
	return false
}

// ascends reports whether a tile is a sum of ascending numbers and scalars.
func ascends(v *ir.Value) bool {
	switch v.Op {
	case op.Broadcast, op.Reshape:
		return !v.Type.IsTile() || ascends(v.Args[0])
	case op.Add:
		return ascends(v.Args[0]) && ascends(v.Args[1])
	}
	return v.Op == op.Arange || !v.Type.IsTile()
}

// repeated is the scalar that a tile repeats, nil if there is none.
func repeated(v *ir.Value) *ir.Value {
	for v.Op == op.Broadcast || v.Op == op.Reshape {
		v = v.Args[0]
	}
	if v.Type.IsTile() {
		return nil
	}
	return v
}

// constant is the number that a scalar is.
func constant(v *ir.Value) (n int64, ok bool) {
	return int64(v.Bits), v.Op == op.Const && v.Type.D == dtype.Int64
}
