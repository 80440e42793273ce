package fuse

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Of a tile that is kept often few lanes are needed: those that the masks of all accesses let through which it is
// computed for, as where a block is taken run by run. The others may hold anything.

// Needed is conditions that hold in all lanes in which one of several tiles is needed. They are known where the first
// of these is computed. A load may fail in any lane, so tiles that are computed of what is loaded on the way have none.
func Needed(p *Schedule, vs ...*ir.Value) (all []*ir.Value) {
	for i, v := range vs {
		w := need{p, vs[0], map[*ir.Value][]*ir.Value{}}
		z := w.of(v)
		if i == 0 {
			all = z
		}
		all = slices.DeleteFunc(all, func(c *ir.Value) bool { return !slices.Contains(z, c) })
	}
	return all
}

// need finds conditions known where a tile is computed.
type need struct {
	*Schedule
	first *ir.Value
	memo  map[*ir.Value][]*ir.Value
}

// of is the conditions that hold where v is needed.
func (p *need) of(v *ir.Value) (all []*ir.Value) {
	if z, ok := p.memo[v]; ok {
		return z
	}
	if v.Type.Shape.N == 1 && v.Op != op.Load && !p.loads(v) {
		for i, u := range p.Of(v).Users {
			z := p.by(u, v)
			if i == 0 {
				all = slices.Clone(z)
			}
			all = slices.DeleteFunc(all, func(c *ir.Value) bool { return !slices.Contains(z, c) })
		}
	}
	p.memo[v] = all
	return all
}

// by is those that hold where u needs v.
func (p *need) by(u, v *ir.Value) []*ir.Value {
	if p.Of(u).Block != p.Of(v).Block {
		return nil
	}
	switch f := ir.Family(u.Op); {
	case u.Op == op.Store, u.Op == op.Load && v != u.Memory().Other:
		return p.conditions(u.Memory().Mask, nil)
	case u.CanFail() && v == u.Args[1]:
	case f == op.Elementwise, f == op.Change, u.Op == ir.PtrAdd:
		if u.Type.Shape == v.Type.Shape {
			return p.of(u)
		}
	}
	return nil
}

// conditions adds to those of a conjunction.
func (p *need) conditions(mask *ir.Value, to []*ir.Value) []*ir.Value {
	switch {
	case mask == nil:
		return to
	case mask.Op == op.And:
		return p.conditions(mask.Args[1], p.conditions(mask.Args[0], to))
	case p.Of(mask).order < p.Of(p.first).order:
		return append(to, mask)
	}
	return to
}

// loads reports whether a loop that computes v loads.
func (p *need) loads(v *ir.Value) bool {
	return leadsTo(p.Schedule, v, map[*ir.Value]bool{}, func(a *ir.Value) bool { return a.Op == op.Load && !p.Of(a).Keep })
}
