package runs

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A block's numbers are below a limit where something is done: i.Lt(n) is part of every mask. Then the runs end with
// it, and none asks.

// limited is the masks with which runs end.
type limited struct {
	cuts  map[*ir.Value]bool // the comparisons
	yes   *ir.Value          // what they are in a run
	ahead []*ir.Value        // ahead of the loop: where the runs end, and what that is made of
	sound []*ir.Value        // divisors that must not be 0: lanes that no run has would fail
}

// ends finds where the runs end: with the block, or ahead of it.
func (w *runWriter) ends() {
	out := w.Out
	w.Out = nil
	w.end = w.number(int64(w.t.Shape.D[0]))
	w.cuts = everywhere(w)
	var last *ir.Value
	for _, v := range w.b.Values {
		if !w.cuts[v] {
			continue
		}
		line, limit, more, _ := below(v)
		at := w.Add(op.Sub, wide, mostOf(w, limit), w.startOf(line))
		if more != 0 {
			at = w.Add(op.Add, wide, at, w.number(more))
		}
		if last == nil {
			last = w.end
		}
		last = w.Add(op.Minimum, wide, last, at)
	}
	if last != nil {
		w.end = last
	}
	w.yes = w.Add(op.Const, flag)
	w.yes.Bits = 1
	w.ahead, w.Out = w.Out, out
	w.given[w.yes] = true
}

// below takes a comparison apart that the first of numbers of a block that ascend pass, as many as there are below a
// scalar, and so many more.
func below(v *ir.Value) (line, limit *ir.Value, more int64, ok bool) {
	o, i := v.Op, 0
	if o == op.Gt || o == op.Ge {
		o, i = mirrored[o], 1
	}
	if o != op.Lt && o != op.Le || len(v.Args) != 2 {
		return nil, nil, 0, false
	}
	line, limit = v.Args[i], v.Args[1-i]
	if _, ok := lineOf(line); !ok || limit.Op != op.Broadcast || limit.Args[0].Type.IsTile() || !counts(limit.Type.D) {
		return nil, nil, 0, false
	}
	return line, limit.Args[0], changes[o], true
}

// everywhere is the comparisons that are part of each mask, so that nothing is done where they do not hold: none, if
// something could fail there.
func everywhere(w *runWriter) map[*ir.Value]bool {
	var all map[*ir.Value]bool
	w.sound = nil
	for i, v := range w.b.Values[:w.last+1] {
		switch {
		case v.IsMemory() && (v.Writes() && i >= w.first || w.users[v] > 0 && w.copies(v)):
			have := map[*ir.Value]bool{}
			if m := v.Memory().Mask; m != nil {
				conjuncts(m, have)
			}
			for c := range have {
				_, here := w.place[c]
				if _, _, _, ok := below(c); !ok || !here || all != nil && !all[c] {
					delete(have, c)
				}
			}
			all = have
		case v.IsMemory() || !v.CanFail() || !w.copies(v):
		case (v.Op == op.FloorDiv || v.Op == op.Mod) && divisor(v) != nil && !divisor(v).Type.IsTile():
			w.sound = append(w.sound, divisor(v))
		default:
			return nil
		}
	}
	if len(all) == 0 {
		w.sound = nil
	}
	return all
}

// conjuncts adds what a mask is the conjunction of.
func conjuncts(m *ir.Value, to map[*ir.Value]bool) {
	if to[m] {
		return
	}
	to[m] = true
	if m.Op == op.And {
		conjuncts(m.Args[0], to)
		conjuncts(m.Args[1], to)
	}
}

// Ends says of a loop over runs, whose text is By, between which numbers each run begins and ends.
func Ends(loop *ir.Value, syms *affine.Syms) {
	body := loop.Blocks[0]
	lo, hi := body.Args[0], body.Term().Args[0]
	syms.Know(lo, 0, int64(loop.Index))
	if slices.Contains(body.Values, hi) {
		syms.Know(hi, 1, int64(loop.Index))
		syms.Order(lo, hi)
	}
}

// scalar is v of what is the same in all of a run: a load needs no mask with which runs end.
func (w *runWriter) scalar(v *ir.Value, args []*ir.Value) *ir.Value {
	switch {
	case v.Op == op.And && args[0] == w.yes:
		return args[1]
	case v.Op == op.And && args[1] == w.yes:
		return args[0]
	case v.Op == op.Load && v.Memory().Mask != nil && args[1] == w.yes:
		z := w.Clone(v, v.Type.Elem(), args[0])
		z.Flags &^= ir.Masked | ir.HasOther
		return z
	}
	return w.Clone(v, v.Type.Elem(), args...)
}
