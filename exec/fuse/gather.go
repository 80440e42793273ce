package fuse

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A gather has a loop of its own, which leaves its elements in memory: there they are kept. A gather whose addresses
// come from other gathers would otherwise carry these out again, and they those before them.

// Gathers reports whether v is a load whose elements lie neither a stride apart nor in rows.
func (p *Schedule) Gathers(v *ir.Value) bool {
	if v.Op != op.Load || !v.Type.IsTile() {
		return false
	}
	f := p.allForms().Of(v.Memory().Ptr)
	return (!f.Ok || f.Base < 0) && !inRows(v.Memory().Ptr)
}

// inRuns reports whether v is a gather whose rows are runs of elements that lie side by side: it copies these, and
// needs to know only where rows begin.
func inRuns(p *Schedule, v *ir.Value) bool {
	forms, shape, mask := p.allForms(), v.Memory().Ptr.Type.Shape, v.Memory().Mask
	never := func(affine.Cond) bool { return false }
	if !p.Gathers(v) || shape.N < 1 || mask != nil && !affine.NewBoxes(forms, never).Of(mask).Ok {
		return false
	}
	row := affine.Identity(shape.With(shape.N-1, 1))
	var lies func(v *ir.Value, steps int) bool
	lies = func(v *ir.Value, steps int) bool {
		if forms.InRuns(v, shape.N-1, row) != nil {
			return true
		}
		part := func(a *ir.Value) bool { return a.Type.Shape == shape && lies(a, steps-1) }
		return steps > 0 && (v.Op == ir.PtrAdd || v.Op == op.Cast) && slices.ContainsFunc(v.Args, part)
	}
	return lies(v.Memory().Ptr, mostSums)
}

// mostSums is how many sums and casts of addresses are followed.
const mostSums = 6

// OnDemand reports whether a tile that is divided by one number is computed when it is asked for, behind a look at that
// number: if gathers in runs are what they should be, nobody asks for all of it.
func OnDemand(p *Schedule, v *ir.Value) bool { return p.rare[v] }

// numbersRunsOnly reports whether v is such: it is of use to addresses of gathers in runs alone, in its own block.
func numbersRunsOnly(p *Schedule, v *ir.Value) bool {
	return divides(v) && affine.Repeated(v.Args[1]) != nil && numbersRuns(p, v, map[*ir.Value]bool{})
}

// numbersRuns reports whether all that is made of v is such addresses, but for what has been seen.
func numbersRuns(p *Schedule, v *ir.Value, seen map[*ir.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	users := p.Of(v).Users
	return len(users) > 0 && !slices.ContainsFunc(users, func(u *ir.Value) bool {
		switch {
		case p.Of(u).Block != p.Of(v).Block:
			return true
		case u.Op == op.Load:
			m := u.Memory()
			return m.Ptr != v || m.Mask == v || m.Other == v || !inRuns(p, u)
		case ir.Family(u.Op) == op.Shape && Lazy(u) || affine.LaneByLane(u):
			return !numbersRuns(p, u, seen)
		}
		return true
	})
}

// mayGather reports whether v may become a gather: its elements lie a stride apart as long as a remainder leaves
// indices as they are.
func (p *Schedule) mayGather(v *ir.Value) bool {
	return slices.ContainsFunc(p.allForms().Of(v.Memory().Ptr).Conds, func(c affine.Cond) bool { return c.Below != nil })
}

// allForms is the forms of all addresses.
func (p *Schedule) allForms() *affine.Forms {
	if p.forms == nil {
		p.forms = affine.NewForms(affine.NewSyms(func(*ir.Value) int { return 0 }), p.f)
	}
	return p.forms
}

// inRows reports whether addresses are one element apart along the last of several axes, or those of several elements
// in turn are the same.
func inRows(ptr *ir.Value) bool {
	s := ptr.Type.Shape
	if s.N < 1 {
		return false
	}
	row := affine.Identity(s.With(s.N-1, 1))
	by, _, ok := Along(ptr, s.N-1, row)
	turns, _ := TurnsInRow(ptr)
	return ok && by == 1 && s.N > 1 || turns > 0
}

// TurnsInRow is Turns along the last axis of what is loaded, if all of a row falls into such turns.
func TurnsInRow(ptr *ir.Value) (turns int, widened []Read) {
	s := ptr.Type.Shape
	turns, widened = Turns(ptr, s.N-1, affine.Identity(s.With(s.N-1, 1)))
	if turns == 0 || s.D[s.N-1]%turns != 0 || ptr.Type.D.Elem().Size() > 4 || ptr.Type.D.Elem() == dtype.Bool {
		return 0, nil
	}
	return turns, widened
}

// Chained reports whether v's loop carries out a gather whose addresses lead to tiles that are kept. These should lie in
// memory by then: the gather needs them twice, the second time where it is left to Go.
func Chained(p *Schedule, v *ir.Value) bool {
	kept := func(u *ir.Value) bool { return p.Of(u).Keep }
	return leadsTo(p, v, map[*ir.Value]bool{}, func(u *ir.Value) bool {
		return p.Gathers(u) && leadsTo(p, u, map[*ir.Value]bool{}, kept)
	})
}

// leadsTo reports whether something holds for a tile that v's loop computes on its way to v, or reads.
func leadsTo(p *Schedule, v *ir.Value, seen map[*ir.Value]bool, is func(u *ir.Value) bool) bool {
	return slices.ContainsFunc(v.Args, func(a *ir.Value) bool {
		if !Lazy(a) || seen[a] {
			return false
		}
		seen[a] = true
		return is(a) || (!p.Of(a).Keep || p.Of(a).Once && p.Gathers(a)) && leadsTo(p, a, seen, is)
	})
}
