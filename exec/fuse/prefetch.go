package fuse

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Prefetches: the loops over a tile's elements that a block makes, its passes, prefetch what
// will be needed, the lines that a later store of this instance writes and what the next
// instance, or the next round of a loop, loads. Each is prefetched by a pass that computes for
// as long as a line takes to come, and few by one pass.

// A pass is a reduction or a store, with what is computed in its loops.
type pass struct {
	v     *ir.Value
	time  int // half cycles for a block of lanes, about, less what waiting for memory takes
	loads []*ir.Value
	// waits says that it is a sum in which each addition waits for the one before, with little
	// else to do, in an instance that overlaps with the next: there it runs beside other passes,
	// and is slower by far if it prefetches.
	waits bool
}

// A Prefetch is of a store's lines, or of those that a load touches so many turns later. A store that no
// pass is ahead of prefetches for itself, further along its row.
type Prefetch struct {
	V     *ir.Value
	Turns int
	When  When
	Busy  bool // of a store that prefetches for itself: it may prefetch a line more than once
}

// When limits a Prefetch to launches in which the store at the end of an overlapped
// instance is not a non-temporal one, or is.
type When uint8

const (
	Always When = iota
	WhenCached
	WhenStreamed
)

// lineTime is how long a line of memory takes to come, one after the other.
const lineTime = 16

// addTime is how long the addition of a block takes that the next one waits for.
const addTime = 10

// planPrefetches says which loads and stores a pass prefetches for.
func (p *Schedule) planPrefetches() {
	p.f.Walk(func(b *ir.Block) {
		passes := p.passes(b)
		for i, at := range passes {
			if at.v.Op == op.Store {
				before := slices.Clone(passes[:i])
				slices.Reverse(before)
				if !p.prefetch(at.v, before) {
					p.give(at.v, Prefetch{V: at.v, Busy: at.time >= lineTime/2})
				}
			}
		}
		done := map[*ir.Value]bool{}
		for i, first := range passes {
			for _, load := range first.loads {
				switch {
				case done[load] || withinLine(load):
				case p.inHead(load):
					p.prefetchForHead(load, passes)
				case !p.prefetch(load, passes[i:]):
					p.give(first.v, Prefetch{V: load, Turns: 1})
				}
				done[load] = true
			}
		}
	})
}

// withinLine reports whether a load is of less than a line of memory: addresses and prefetches take longer than the rest.
func withinLine(load *ir.Value) bool {
	const line = 64
	return load.Type.Shape.Len()*load.Type.D.Size() < line
}

// prefetchForHead gives a head's load to the pass that stores or, if that store is non-temporal
// and memory is busy, to the one ahead of it that has most time.
func (p *Schedule) prefetchForHead(load *ir.Value, passes []*pass) {
	var best *pass
	for _, q := range passes {
		if q.v == p.Overlap.Gap {
			break
		}
		if !q.waits && (best == nil || q.time > best.time) && q.v.Args[0].Type.Shape == load.Type.Shape {
			best = q
		}
	}
	if best == nil {
		p.give(p.Overlap.Gap, Prefetch{V: load, Turns: headsAhead})
		return
	}
	p.give(p.Overlap.Gap, Prefetch{V: load, Turns: headsAhead, When: WhenCached})
	p.give(best.v, Prefetch{V: load, Turns: headsAhead, When: WhenStreamed})
}

// give has the pass that ends with v prefetch.
func (p *Schedule) give(v *ir.Value, a Prefetch) {
	at := p.Of(v)
	at.Prefetches = append(at.Prefetches, a)
}

// prefetch gives v to the first pass over tiles of its shape that has time for it, or to the
// one that has most; false if there is none.
func (p *Schedule) prefetch(v *ir.Value, passes []*pass) bool {
	var best *pass
	for _, q := range passes {
		if q.waits || q.v.Args[0].Type.Shape != v.Args[0].Type.Shape {
			continue
		}
		if best == nil || q.time > best.time {
			best = q
		}
		if q.time >= lineTime/2 {
			break
		}
	}
	if best != nil {
		best.time -= lineTime
		p.give(best.v, Prefetch{V: v, Turns: 1})
	}
	return best != nil
}

// passes is a block's passes in order.
func (p *Schedule) passes(b *ir.Block) (list []*pass) {
	filled := map[*ir.Value]bool{}
	for _, v := range b.Values {
		switch {
		case v.Op == op.Store && v.Args[0].Type.IsTile():
			q := &pass{v: v}
			q.add(p, v.Memory().Val, filled)
			list = append(list, q)
		case ir.Family(v.Op) == op.Reducing:
			q := &pass{v: v}
			for _, a := range v.Args {
				q.add(p, a, filled)
			}
			if v.Op == op.Sum && v.Type.D.IsFloat() {
				q.waits = p.Overlap.Last != nil && q.time < addTime
				q.time += addTime
			}
			list = append(list, q)
		}
	}
	return list
}

// add counts what v takes in the pass, which fills tiles that are kept on its way.
func (q *pass) add(p *Schedule, v *ir.Value, filled map[*ir.Value]bool) {
	at := p.Of(v)
	if !Lazy(v) || at.Early || filled[v] || at.pass == q {
		return
	}
	at.pass = q
	if v.Op == op.Load {
		q.loads = append(q.loads, v)
		q.time += loadCost
		return
	}
	if at.Keep {
		filled[v] = true
	}
	q.time += ownCost(v)
	for _, a := range v.Args {
		q.add(p, a, filled)
	}
}
