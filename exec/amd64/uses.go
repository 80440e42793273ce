package amd64

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Which tiles lie in memory. A tile that is computed lane by lane is by default
// computed again in the loop of each of its users. It is kept in scratch memory if
// several loops need it and it is not cheap, if it crosses a block, or if it reads
// tensors that are written before it is used.

// planner decides that for a Func, once, before code is written.
type planner struct {
	f       *ir.Func
	ordered bool // tensors may overlap: every load happens where it stands
	users   map[*ir.Value][]*ir.Value
	block   map[*ir.Value]*ir.Block
	order   map[*ir.Value]int // position in a walk of the Func
	parent  map[*ir.Block]*ir.Value
	writes  []*ir.Value
	keep    map[*ir.Value]bool // tiles that are kept in memory
	early   map[*ir.Value]bool // and computed where they stand
	sinks   map[*ir.Value]map[*ir.Value]bool
	sure    map[*ir.Value]bool // loads that are carried out whenever control passes them
	until   map[*ir.Value]int  // by when a tile that is kept, but not early, is computed at the latest
}

func plan(f *ir.Func, ordered bool) *planner {
	p := &planner{
		f: f, ordered: ordered,
		users: map[*ir.Value][]*ir.Value{}, block: map[*ir.Value]*ir.Block{}, order: map[*ir.Value]int{},
		parent: map[*ir.Block]*ir.Value{}, keep: map[*ir.Value]bool{}, early: map[*ir.Value]bool{},
		sinks: map[*ir.Value]map[*ir.Value]bool{}, sure: map[*ir.Value]bool{}, until: map[*ir.Value]int{},
	}
	var all []*ir.Value
	f.Walk(func(b *ir.Block) {
		for _, a := range b.Args {
			p.block[a] = b
			p.order[a] = len(all)
			all = append(all, a)
		}
		for _, v := range b.Values {
			p.block[v] = b
			for _, inner := range v.Blocks {
				p.parent[inner] = v
			}
		}
	})
	all = all[:0]
	p.number(f.Body, &all)
	for i := len(all) - 1; i >= 0; i-- {
		p.decide(all[i])
	}
	return p
}

// number puts values in program order and collects users and writers.
func (p *planner) number(b *ir.Block, all *[]*ir.Value) {
	add := func(v *ir.Value) {
		p.order[v] = len(*all)
		*all = append(*all, v)
	}
	for _, a := range b.Args {
		add(a)
	}
	for _, v := range b.Values {
		add(v)
		for _, a := range v.Args {
			p.users[a] = append(p.users[a], v)
		}
		if v.IsMemory() && v.Writes() {
			p.writes = append(p.writes, v)
		}
		for _, inner := range v.Blocks {
			p.number(inner, all)
		}
	}
}

// lazy reports whether v is computed lane by lane inside its users' loops.
func lazy(v *ir.Value) bool {
	if !v.Type.IsTile() || v.Op == op.None { // a block's argument
		return false
	}
	switch ir.Family(v.Op) {
	case op.Elementwise, op.Primitive, op.Change, op.Create:
		return !v.CanFail()
	case op.Shape:
		if v.Op == op.Broadcast || v.Op == op.Permute {
			return true
		}
		if v.Op == op.Reshape {
			_, ok := dimMap(v)
			return ok
		}
		return false
	}
	return v.Op == ir.PtrAdd || v.Op == op.Load
}

// decide chooses for one value, its users being decided: which sinks need it, and
// whether it is kept.
func (p *planner) decide(v *ir.Value) {
	if !lazy(v) {
		return
	}
	needs := map[*ir.Value]bool{}
	for _, u := range p.users[v] {
		switch {
		case p.block[u] != p.block[v] && !p.cheap(v):
			// Needed in another block, which may run often or not at all.
			p.keep[v] = true
			needs[u] = true
		case !lazy(u) || p.keep[u]:
			needs[u] = true
		default:
			for s := range p.sinks[u] {
				needs[s] = true
			}
		}
		if u.IsTerm() {
			p.keep[v] = p.keep[v] || v.Type.IsTile()
		}
	}
	p.sinks[v] = needs
	for s := range needs {
		p.sure[v] = p.sure[v] || p.keep[v] || p.block[s] == p.block[v]
	}
	if len(needs) > 1 && !p.cheap(v) {
		p.keep[v] = true
	}
	for s := range needs {
		if p.stale(v, s) {
			p.keep[v], p.early[v] = true, true
		}
	}
	if p.keep[v] {
		p.sinks[v] = map[*ir.Value]bool{v: true}
	}
	if p.keep[v] && !p.early[v] {
		for s := range needs {
			p.until[v] = max(p.until[v], p.order[s], p.until[s])
		}
	}
}

// stale reports whether a load could give something else when it is carried out in
// the loop of the sink instead of where it stands.
func (p *planner) stale(v, sink *ir.Value) bool {
	if v.Op != op.Load {
		return false
	}
	for _, w := range p.writes {
		if !p.mayAlias(v, w) {
			continue
		}
		if w == sink && p.block[v] == p.block[w] && v.Args[0] == w.Args[0] {
			continue // read and written at the same place, lane by lane
		}
		if p.order[w] > p.order[v] && p.order[w] <= max(p.order[sink], p.until[sink]) || p.inLoopWith(w, v, sink) {
			return true
		}
	}
	return false
}

// inLoopWith reports whether w stands in a loop that also holds the sink but not v.
func (p *planner) inLoopWith(w, v, sink *ir.Value) bool {
	for b := p.block[w]; b != nil && p.parent[b] != nil; b = p.block[p.parent[b]] {
		owner := p.parent[b]
		if owner.Op == ir.If {
			continue
		}
		if p.inside(sink, b) && !p.inside(v, b) {
			return true
		}
	}
	return false
}

func (p *planner) inside(v *ir.Value, b *ir.Block) bool {
	for c := p.block[v]; c != nil; c = p.block[p.parent[c]] {
		if c == b {
			return true
		}
		if p.parent[c] == nil {
			return false
		}
	}
	return false
}

// mayAlias reports whether two memory ops may touch the same element.
func (p *planner) mayAlias(a, b *ir.Value) bool {
	s, t := tensorOf(a.Args[0]), tensorOf(b.Args[0])
	return p.ordered || s == t || s < 0 || t < 0
}

// tensorOf is the parameter that a pointer comes from, -1 if several may be.
func tensorOf(v *ir.Value) int {
	switch {
	case v.Op == ir.Param:
		return v.Index
	case len(v.Args) > 0 && v.Type.D.IsPointer():
		t := tensorOf(v.Args[0])
		if v.Op == op.Where {
			t = tensorOf(v.Args[1])
		}
		return t
	}
	return -1
}

// cheap reports whether computing v again costs about as much as reading it from
// memory: index arithmetic, masks, a few operations on what is in memory anyway.
func (p *planner) cheap(v *ir.Value) bool { return p.cost(v, 8) <= 8 }

func (p *planner) cost(v *ir.Value, limit int) int {
	if !lazy(v) || p.keep[v] || limit < 0 {
		return 1
	}
	n := 0
	switch {
	case v.Op == op.Load:
		return 2
	case ir.Family(v.Op) == op.Shape:
	case v.Op < op.NumOps && v.Op.Row().Progs[v.Type.D.Compute()] != nil, v.Op == op.Div, v.Op == op.Sqrt:
		n = 20
	case ir.Family(v.Op) == op.Elementwise && v.Type.D.IsNarrow():
		n = 3
	default:
		n = 1
	}
	for _, a := range v.Args {
		if a.Type.IsTile() {
			n += p.cost(a, limit-n)
		}
	}
	return n
}
