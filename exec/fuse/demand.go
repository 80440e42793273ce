package fuse

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// StoredUnder is the mask of the stores that a tile is for, if it is for nothing else: what is stored is computed from
// it lane by lane, maybe added up in a loop first. Where the mask does not hold nobody sees what the tile is, nor what
// else of its shape is asked about with it. It is nil if there is no such mask, or if there are several: one computed
// in a loop that carries the tile on is another in each of its rounds.
func StoredUnder(p *Schedule, v *ir.Value, more ...*ir.Value) (mask *ir.Value) {
	carrier := v // or the outermost loop around it that carries it on
	seen := map[*ir.Value]bool{v: true}
	for _, x := range more {
		seen[x] = true
	}
	for todo := append(more[:len(more):len(more)], v); len(todo) > 0; {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, u := range p.Of(x).Users {
			to, ok := laneOf(p, u, x)
			in := p.Parent[p.Of(u).Block]
			if u.Op == ir.Yield && in.Op == ir.For && p.inside(carrier, in.Blocks[0]) {
				carrier = in
			}
			switch {
			case u.Op == op.Store && !ok:
				mem := u.Memory()
				if x == mem.Ptr || x == mem.Mask || mem.Mask == nil || mask != nil && mask != mem.Mask {
					return nil
				}
				mask = mem.Mask
			case !ok:
				return nil
			}
			for _, y := range to {
				if y.Type.Shape != v.Type.Shape {
					return nil
				}
				if !seen[y] {
					seen[y], todo = true, append(todo, y)
				}
			}
		}
	}
	for _, x := range append(more[:len(more):len(more)], carrier) {
		if mask == nil || !before(p, mask, x) {
			return nil
		}
	}
	return mask
}

// laneOf is the tiles whose lanes are made of x's, one of one, by its user u.
func laneOf(p *Schedule, u, x *ir.Value) (to []*ir.Value, ok bool) {
	switch owner := p.Parent[p.Of(u).Block]; {
	case u.Op == ir.Yield && (owner.Op == ir.For || owner.Op == ir.If):
		for i, a := range u.Args {
			if a == x {
				to = append(to, carried(p, owner, i)...)
			}
		}
		return to, true
	case u.Op == ir.For:
		for i, a := range u.Args {
			if a == x {
				to = append(to, carried(p, u, i-(len(u.Args)-len(u.Results)))...)
			}
		}
		return to, true
	}
	if affine.LaneByLane(u) && (Lazy(u) || divides(u) && u.Args[1] != x) { // divisors are looked at everywhere
		return []*ir.Value{u}, true
	}
	return nil, false
}

// carried is what value i that a For or an If gives is known as: in the For's next round, and behind it.
func carried(p *Schedule, owner *ir.Value, i int) (to []*ir.Value) {
	if owner.Op == ir.For {
		to = append(to, owner.Blocks[0].Args[1+i])
	}
	for _, r := range p.Of(owner).Users {
		if r.Op == ir.Result && r.Index == i {
			to = append(to, r)
		}
	}
	return to
}

// before reports whether all scalars that a mask is made of are there when control comes to v.
func before(p *Schedule, mask, v *ir.Value) bool {
	seen := map[*ir.Value]bool{}
	var there func(x *ir.Value) bool
	there = func(x *ir.Value) bool {
		if !x.Type.IsTile() {
			if x.Op == ir.Fits && p.inside(v, p.Of(x).Block) && x.Args[0].Op == ir.Param {
				return true // what fits is the parameter
			}
			return x.Op == ir.Param || p.Of(x).order < p.Of(v).order && p.inside(v, p.Of(x).Block)
		}
		known := seen[x]
		seen[x] = true
		return known || Lazy(x) && !slices.ContainsFunc(x.Args, func(a *ir.Value) bool { return !there(a) })
	}
	return there(mask)
}
