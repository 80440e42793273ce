package fuse

import (
	"cmp"
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A tile that is stored where it was loaded is computed in place, lane by lane, by the loop of the store. That needs
// that no two lanes have the same address: one would load what the other has stored. What a plan cannot be sure of is
// checked when the kernel runs; where that is not possible either, the loaded tile is kept.

// inPlace reports whether a load may be carried out by the loop of a store of the same addresses.
func (p *Schedule) inPlace(load, store *ir.Value) bool {
	if load.Op != op.Load || store.Op != op.Store || load.Args[0] != store.Args[0] {
		return false
	}
	if p.Of(load).Block != p.Of(store).Block || p.turned(load) {
		return false
	}
	fs := p.allForms()
	late := func(c affine.Cond) bool { return !c.Entry() }
	return Distinct(affine.NewBoxes(fs, late), store, func(conds []affine.Cond) bool {
		return !slices.ContainsFunc(conds, func(c affine.Cond) bool { return late(c) || c.Fails() })
	})
}

// turned reports whether v's lanes are others in what is made of it, lane by lane.
func (p *Schedule) turned(v *ir.Value) bool {
	return slices.ContainsFunc(p.Of(v).Users, func(u *ir.Value) bool {
		return Lazy(u) && (ir.Family(u.Op) == op.Shape || p.turned(u))
	})
}

// Distinct reports whether conditions can be checked with which no two lanes of a store have the same address: those
// that its mask lets through, or all.
func Distinct(bs *affine.Boxes, store *ir.Value, check func(conds []affine.Cond) bool) bool {
	mem := store.Memory()
	if f := bs.Forms.Of(mem.Ptr); f.MayGather() {
		return false
	}
	if mem.Mask != nil {
		b := bs.Around(mem.Mask)
		if conds, ok := distinct(bs.Forms, mem.Ptr, b.Atoms); ok && len(b.Atoms) > 0 && check(b.Conds) && check(conds) {
			return true
		}
	}
	conds, ok := distinct(bs.Forms, mem.Ptr, nil)
	return ok && check(conds)
}

// An axis is a dimension of addresses: how many indices there are at most, and how far apart.
type axis struct{ step, reach *affine.Sym }

// distinct orders dimensions by their steps, and has each step be no less than all that lies inside of it.
func distinct(fs *affine.Forms, ptr *ir.Value, atoms []affine.Atom) (conds []affine.Cond, ok bool) {
	f, s := fs.Of(ptr), ptr.Type.Shape
	var axes []axis
	for i := s.N - 1; i >= 0; i-- {
		if s.D[i] == 1 {
			continue
		}
		if f.Coef[i] == nil {
			return nil, false
		}
		a := axis{f.Coef[i], fs.Constant(int64(s.D[i]))}
		for _, atom := range atoms {
			if atom.Dim == i && atom.Hi != nil && !atom.All {
				a.reach = fs.Min(a.reach, atom.Hi)
			}
		}
		axes = append(axes, a)
	}
	if len(axes) == 1 && axes[0].step.Kind == affine.Const {
		return nil, true
	}
	known := func(a axis) int64 {
		if a.step.Kind == affine.Const {
			return a.step.N
		}
		return affine.CoefLimit
	}
	slices.SortStableFunc(axes, func(a, b axis) int { return cmp.Compare(known(a), known(b)) })
	span := fs.Constant(1)
	for i, a := range axes {
		conds = append(conds, fs.NotLess(a.step, span)...)
		if i == len(axes)-2 && a.step.Kind != affine.Const { // either of the last two may be inside
			b := axes[i+1]
			apart := fs.Max(fs.Sub(b.step, fs.Mul(a.reach, a.step)), fs.Sub(a.step, fs.Mul(b.reach, b.step)))
			return append(append(conds, fs.NotLess(b.step, span)...), fs.NotLess(apart, fs.Constant(0))...), true
		}
		span = fs.Mul(a.reach, a.step)
	}
	return conds, true
}
