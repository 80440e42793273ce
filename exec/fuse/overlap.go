package fuse

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Software pipelining: between the passes of an instance the processor waits, for the last
// elements' results, for the tree that combines partials, for what is computed of that. An instance that
// begins with a reduction lends this time to the next one: its head, the code up to the
// end of that reduction, is written a second time, ahead of the pass that stores. There it
// works on the next instance, in registers of its own, and is abandoned where it would
// leave the code or write to memory. The next instance begins behind its head if that has
// been done.

// An Overlap says where the head of an instance ends and where the next one's is done.
type Overlap struct {
	Last *ir.Value // of the head
	Gap  *ir.Value // the head of the next instance is done ahead of it
}

// mostOverlapped is the bytes of a tile up to which this is worth it: a longer one waits
// little in proportion, and two of them take too much of the first-level cache.
const mostOverlapped = 8 << 10

// headsAhead is how many instances ahead what a head loads is prefetched: when an instance
// ends, the next one's head has been done, and the one after that is to come soon.
const headsAhead = 3

// planOverlap gives none if instances do not begin with a reduction of what they load.
func (p *Schedule) planOverlap() (none Overlap) {
	passes := p.passes(p.f.Body)
	if len(passes) == 0 {
		return none
	}
	last := passes[0].v
	x := last.Args[0].Type
	if last.Op == op.Store || last.Type.IsTile() || len(last.Results) > 0 || x.D.Size()*x.Shape.Len() > mostOverlapped {
		return none
	}
	for _, v := range p.f.Body.Values {
		behind := p.Of(v).order - p.Of(last).order
		switch {
		case behind < 0 && !p.repeatable(v), v.IsControl(), v.IsTerm():
			return none
		case behind > 0 && v.Op == op.Store && v.Args[0].Type.IsTile():
			return Overlap{last, v}
		}
	}
	return none
}

// repeatable reports whether v may be part of a head: it has no effect, does not lie in
// memory, and does not depend on what instances write.
func (p *Schedule) repeatable(v *ir.Value) bool {
	if v.Op == op.Load && slices.ContainsFunc(p.writes, func(w *ir.Value) bool { return p.mayAlias(v, w) }) {
		return false
	}
	if v.Type.IsTile() {
		return Lazy(v) && !p.Of(v).Keep
	}
	switch v.Op {
	case op.Const, op.ProgramID, op.NumPrograms, op.Load, ir.PtrAdd, ir.Fits:
		return true
	}
	switch ir.Family(v.Op) {
	case op.Elementwise, op.Primitive, op.Change, op.Shape:
		return true
	}
	return false
}

// inHead reports whether a load is part of the head of an instance.
func (p *Schedule) inHead(v *ir.Value) bool {
	return p.Overlap.Last != nil && p.Of(v).Block == p.f.Body && p.Of(v).order < p.Of(p.Overlap.Last).order
}
