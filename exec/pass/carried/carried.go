// Package carried finds tiles that a loop carries and of which masks let only a part change, as the sums of a row that
// is shorter than the block: elsewhere such a tile is what it was before the loop. Who reads it is told so.
package carried

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// minLen is how many elements such a tile has at least: of fewer all are computed as fast.
const minLen = 256

// Run is f, if no loop carries such a tile, or a Func in which each of them, in the loop, behind it and as it is passed
// on, is a Where of a mask that is the same in all rounds, the tile, and what it was before the loop. No element is
// other than before, whatever lies where the mask does not hold.
func Run(f *ir.Func) *ir.Func {
	if len(loopsOf(f)) == 0 {
		return f
	}
	c, changed := f.Clone(), false
	for _, v := range loopsOf(c) {
		l := newLoop(c, v)
		for k := range v.Results {
			changed = l.limit(k) || changed
		}
	}
	if !changed {
		return f
	}
	return c
}

// loopsOf is the loops that count up.
func loopsOf(f *ir.Func) (loops []*ir.Value) {
	f.Values(func(v *ir.Value) {
		if v.Op == ir.For && v.Index > 0 {
			loops = append(loops, v)
		}
	})
	return loops
}

// A loop is a For, whose tiles are looked at one by one.
type loop struct {
	f      *ir.Func
	v      *ir.Value
	body   *ir.Block
	inside map[*ir.Value]bool
	ahead  []*ir.Value // new values that go ahead of it
	early  map[*ir.Value]*ir.Value
}

func newLoop(f *ir.Func, v *ir.Value) *loop {
	l := &loop{f: f, v: v, body: v.Blocks[0], inside: map[*ir.Value]bool{}, early: map[*ir.Value]*ir.Value{}}
	var visit func(b *ir.Block)
	visit = func(b *ir.Block) {
		for _, w := range slices.Concat(b.Args, b.Values) {
			l.inside[w] = true
			for _, inner := range w.Blocks {
				visit(inner)
			}
		}
	}
	visit(l.body)
	return l
}

// limit rewrites carried value k, if it is such a tile.
func (l *loop) limit(k int) bool {
	t, before, next := l.v.Results[k], l.v.Args[2+k], l.body.Term().Args[k]
	first := constantOf(before)
	if t.Shape.Len() < minLen || first == nil || dtype.IsNaN(first.Type.D, first.Bits) {
		return false
	}
	for _, conditions := range l.candidates(next, t.Shape) {
		memo := map[*ir.Value]known{}
		o := &outside{loop: l, tile: l.body.Args[1+k], first: first.Bits, conditions: conditions, memo: memo}
		if z := o.value(next); z.ok && z.bits == first.Bits {
			l.rewrite(k, l.mask(conditions))
			return true
		}
	}
	return false
}

// rewrite makes carried value k a Where in which a mask holds.
func (l *loop) rewrite(k int, mask *ir.Value) {
	t, before, tile := l.v.Results[k], l.v.Args[2+k], l.body.Args[1+k]
	where := func(x *ir.Value) *ir.Value { return l.f.NewValue(op.Where, t, x.Pos, mask, x, before) }
	in := where(tile)
	l.f.Replace(map[*ir.Value]*ir.Value{tile: in})
	in.Args[1] = tile
	term := l.body.Term()
	out := where(term.Args[k])
	term.Args[k] = out
	n := len(l.body.Values) - 1
	l.body.Values = slices.Concat([]*ir.Value{in}, l.body.Values[:n], []*ir.Value{out, term})
	l.f.Walk(func(b *ir.Block) {
		var values []*ir.Value
		for _, v := range b.Values {
			if v == l.v {
				values = append(values, l.ahead...)
				l.ahead = nil
			}
			values = append(values, v)
			if v.Op == ir.Result && v.Args[0] == l.v && v.Index == k {
				behind := where(v)
				l.f.Replace(map[*ir.Value]*ir.Value{v: behind})
				behind.Args[1] = v
				values = append(values, behind)
			}
		}
		b.Values = values
	})
}

// constantOf is the constant that a tile repeats, nil if it is another tile.
func constantOf(v *ir.Value) *ir.Value {
	if v.Op == op.Broadcast && v.Args[0].Op == op.Const && !v.Type.D.IsPointer() {
		return v.Args[0]
	}
	return nil
}

// known is what an element is, if it is one constant.
type known struct {
	bits uint64
	ok   bool
}

// outside is what elements are where one of some conditions does not hold.
type outside struct {
	*loop
	tile       *ir.Value // which is first there
	first      uint64
	conditions []*ir.Value
	memo       map[*ir.Value]known
}

func (o *outside) value(v *ir.Value) known {
	z, ok := o.memo[v]
	if !ok {
		z = o.find(v)
		o.memo[v] = z
	}
	return z
}

func (o *outside) find(v *ir.Value) known {
	switch c := constantOf(v); {
	case v == o.tile:
		return known{o.first, true}
	case c != nil:
		return known{c.Bits, true}
	case v.Type.Shape != o.tile.Type.Shape || v.Type.D.IsPointer():
		return known{}
	case v.Op == op.Load:
		m := v.Memory()
		switch {
		case m.Mask == nil || !o.excludes(m.Mask):
			return known{}
		case m.Other == nil:
			return known{0, true}
		}
		return o.value(m.Other)
	case v.Op == op.Where && o.excludes(v.Args[0]):
		return o.value(v.Args[2])
	case v.Op == op.Where:
		x, y := o.value(v.Args[1]), o.value(v.Args[2])
		return known{x.bits, x.ok && x == y}
	}
	return o.compute(v)
}

// compute is find for what is computed of known elements.
func (o *outside) compute(v *ir.Value) (z known) {
	if f := ir.Family(v.Op); v.Op == op.None || f != op.Elementwise && v.Op != op.Cast || v.CanFail() {
		return z
	}
	in := make([]uint64, len(v.Args))
	for i, a := range v.Args {
		x := o.value(a)
		if !x.ok {
			return z
		}
		in[i] = x.bits
	}
	if t := v.Args[len(v.Args)-1].Type.D; v.Op == op.Cast {
		z.bits = dtype.Convert(v.Type.D, t, in[0], false)
	} else {
		z.bits = op.Scalar(v.Op, t, in...)
	}
	z.ok = !dtype.IsNaN(v.Type.D, z.bits)
	return z
}

// excludes reports whether a mask is false wherever one of the conditions is.
func (o *outside) excludes(mask *ir.Value) bool {
	all := mask.Conjuncts()
	return !slices.ContainsFunc(o.conditions, func(c *ir.Value) bool { return !slices.Contains(all, c) })
}
