// Package either writes straight code twice over where loads are masked off by a flag that is the same for all of a
// tile: on either side of a branch on it. What is not loaded is not computed with, and masks say less, or nothing.
package either

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass/write"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// least is how many elements a load has at least: shorter ones take as long as a branch that is not foreseen.
const least = 16

// deepest is how many branches are inside another at most, and most how many values are written more than once.
const (
	deepest = 3
	most    = 200
)

// Of is f, or a Func with such branches. Code of loops that are marked by a text has branches of its own.
func Of(f *ir.Func, marked string) *ir.Func {
	if !wanted(f) {
		return f
	}
	w := &writer{Writer: write.Writer{Fn: f.Clone()}, left: most, marked: marked}
	if w.block(w.Fn.Body, deepest); w.left == most {
		return f
	}
	return w.Fn
}

// wanted reports whether there is a load with a flag.
func wanted(f *ir.Func) (some bool) {
	f.Values(func(v *ir.Value) { some = some || flagOf(v) != nil })
	return some
}

// flagOf is a flag that masks a load of a tile off, nil if there is none.
func flagOf(v *ir.Value) *ir.Value {
	if v.Op != op.Load || v.Type.Shape.Len() < least || v.Memory().Mask == nil {
		return nil
	}
	for _, f := range flags(v.Memory().Mask) {
		if f.on.Op != op.Const {
			return f.on
		}
	}
	return nil
}

// A flag is a scalar that is part of a mask: where it is false, or true if Not is taken of it, so is all of the mask.
type flag struct {
	on  *ir.Value
	not bool
}

// flags is those of a mask.
func flags(m *ir.Value) (z []flag) {
	seen := map[*ir.Value]bool{}
	var visit func(m *ir.Value, not bool)
	visit = func(m *ir.Value, not bool) {
		switch {
		case m.Op == op.Not && (!m.Type.IsTile() || m.Args[0].Op == op.Broadcast):
			visit(m.Args[0], !not)
		case !m.Type.IsTile():
			z = append(z, flag{m, not})
		case m.Op == op.And && !not && !seen[m]:
			seen[m] = true
			visit(m.Args[0], false)
			visit(m.Args[1], false)
		case ir.Family(m.Op) == op.Shape && len(m.Args) == 1:
			visit(m.Args[0], not)
		}
	}
	visit(m, false)
	return z
}

// A writer writes code on either side of a branch.
type writer struct {
	write.Writer
	left   int    // how many values may be written more
	marked string // the text of loops that stay as they are
	made   map[*ir.Value]*ir.Value
	known  map[*ir.Value]bool // flags
}

// block takes loads with flags in a block and those inside it.
func (w *writer) block(b *ir.Block, depth int) {
	for i := 0; i < len(b.Values); i++ {
		v := b.Values[i]
		for _, in := range v.Blocks {
			if v.Text != w.marked {
				w.block(in, depth)
			}
		}
		on := flagOf(v)
		if on == nil || depth == 0 {
			continue
		}
		p := piece{on: on, all: straight(b.Values[i:])}
		if len(p.all) == 0 || len(p.all) > w.left || !p.apart(w.Fn) {
			continue
		}
		branch := w.branch(p)
		b.Values = slices.Concat(b.Values[:i], p.ahead, []*ir.Value{branch}, b.Values[i+len(p.all):])
		i += len(p.ahead)
		for _, in := range branch.Blocks {
			w.block(in, depth-1)
		}
	}
}

// straight is values up to the last store that no other effect and no control flow comes before, none without stores.
func straight(vs []*ir.Value) []*ir.Value {
	end := 0
	for i, v := range vs {
		if v.Op == op.Store {
			end = i + 1
		} else if v.Op != op.Load && !v.Pure() && v.Op != ir.Fits {
			break
		}
	}
	return vs[:end:end]
}

// A piece is straight code that is to be written on either side of a branch.
type piece struct {
	on         *ir.Value // the flag
	all        []*ir.Value
	ahead, own []*ir.Value // all is what others need, too, and the rest
}

// apart takes out what others need: nothing that is made of the piece's loads, or may fail behind a store. It reports
// whether that can be.
func (p *piece) apart(f *ir.Func) bool {
	in, needed := map[*ir.Value]bool{}, map[*ir.Value]bool{p.on: true}
	for _, v := range p.all {
		in[v] = true
	}
	f.Values(func(v *ir.Value) {
		if !in[v] {
			for _, a := range v.Args {
				needed[a] = true
			}
		}
	})
	store := slices.IndexFunc(p.all, func(v *ir.Value) bool { return v.Op == op.Store })
	for i, v := range slices.Backward(p.all) {
		if !needed[v] {
			p.own = append(p.own, v)
			continue
		}
		if v.IsMemory() || v.CanFail() && i > store {
			return false
		}
		p.ahead = append(p.ahead, v)
		for _, a := range v.Args {
			needed[a] = true
		}
	}
	slices.Reverse(p.ahead)
	slices.Reverse(p.own)
	return true
}

// branch writes a piece on either side of a branch.
func (w *writer) branch(p piece) *ir.Value {
	w.Pos = p.all[0].Pos
	z := w.Fn.NewValue(ir.If, ir.Type{}, w.Pos, p.on)
	for _, is := range []bool{true, false} {
		w.Out, w.made, w.known = nil, map[*ir.Value]*ir.Value{}, map[*ir.Value]bool{}
		w.learn(p, is)
		for _, v := range p.own {
			w.value(v)
		}
		w.Add(ir.Yield, ir.Type{})
		z.Blocks = append(z.Blocks, &ir.Block{Values: w.Out})
	}
	w.left -= len(p.own)
	return z
}

// learn notes what flags are: p's, and comparisons of the number that is equal to another one with others.
func (w *writer) learn(p piece, is bool) {
	w.know(p.on, is)
	if !is || !equals(p.on) {
		return
	}
	w.Fn.Values(func(v *ir.Value) {
		if v != p.on && equals(v) && v.Args[0] == p.on.Args[0] && v.Args[1].Bits != p.on.Args[1].Bits {
			w.know(v, false)
		}
	})
}

// equals reports whether v is whether an integer is a constant.
func equals(v *ir.Value) bool {
	return v.Op == op.Eq && !v.Type.IsTile() && v.Args[1].Op == op.Const && v.Args[0].Type.D.IsInt()
}

// know notes what a flag is.
func (w *writer) know(on *ir.Value, is bool) {
	c := w.Add(op.Const, ir.Scalar(dtype.Bool))
	if is {
		c.Bits = 1
	}
	w.made[on], w.known[on] = c, is
}

// value writes v as it is here.
func (w *writer) value(v *ir.Value) {
	if w.made[v] != nil {
		return
	}
	w.Pos = v.Pos
	if v.IsMemory() && w.off(v.Memory().Mask) {
		switch other := v.Memory().Other; {
		case v.Op == op.Store:
		case other != nil:
			w.made[v] = w.now(other)
		default:
			w.made[v] = w.Add(op.Broadcast, v.Type, w.Add(op.Const, v.Type.Elem()))
		}
		return
	}
	if x := w.picked(v); x != nil {
		w.made[v] = w.now(x)
		return
	}
	w.again(v)
}

// picked is what a flag that is known picks of a Where's values, nil if none does.
func (w *writer) picked(v *ir.Value) *ir.Value {
	if v.Op != op.Where || v.Type != v.Args[1].Type || v.Type != v.Args[2].Type {
		return nil
	}
	on, not := v.Args[0], false
	for on.Op == op.Broadcast || on.Op == op.Not {
		not = not != (on.Op == op.Not)
		on = on.Args[0]
	}
	switch is, ok := w.known[on]; {
	case !ok:
		return nil
	case is != not:
		return v.Args[1]
	}
	return v.Args[2]
}

// again writes v of what its operands are here.
func (w *writer) again(v *ir.Value) *ir.Value {
	args := slices.Clone(v.Args)
	for i, a := range args {
		args[i] = w.now(a)
	}
	z := w.Clone(v, v.Type, args...)
	z.Results, w.made[v] = v.Results, z
	return z
}

// now is what a value is here: a mask from outside of which a flag is part is written again.
func (w *writer) now(v *ir.Value) *ir.Value {
	if z := w.made[v]; z != nil {
		return z
	}
	knows := func(f flag) bool { _, ok := w.known[f.on]; return ok }
	if v.Type.D == dtype.Bool && slices.ContainsFunc(flags(v), knows) {
		return w.again(v)
	}
	return v
}

// off reports whether a mask is known to let no lane through.
func (w *writer) off(m *ir.Value) bool {
	return m != nil && slices.ContainsFunc(flags(m), func(f flag) bool {
		is, ok := w.known[f.on]
		return ok && is == f.not
	})
}
