package fuse

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Which tiles lie in memory. A tile that is computed lane by lane is by default
// computed again in the loop of each of its users. It is kept in scratch memory if
// several loops need it and it is not cheap, if it crosses a block, or if it reads
// tensors that are written before it is used.

// A Schedule says that for a Func, once, before code is written.
type Schedule struct {
	f       *ir.Func
	ordered bool        // tensors may overlap: every load happens where it stands
	about   []Placement // by ID
	Parent  map[*ir.Block]*ir.Value
	writes  []*ir.Value
	leavers []*ir.Value        // what a load that fails must not wait for: control flow that may leave, prints
	sinks   []sink             // of all values, one after the other
	forms   *affine.Forms      // of addresses, made when they are needed
	rare    map[*ir.Value]bool // see OnDemand
	demands map[*ir.Value]*demands
	Overlap Overlap
}

// A Placement is what is decided for a value.
type Placement struct {
	Users      []*ir.Value // in order
	Block      *ir.Block
	order      int  // position in a walk of the Func
	Keep       bool // the tile is kept in memory
	Within     bool // the scan, or its result, is computed by the loop of the store that uses it
	Once       bool // one loop alone needs the tile, and it is not that of a gather
	Early      bool // and computed where it stands
	InPlace    bool // the store's loop loads what lies where it stores
	Sure       bool // the load is carried out whenever control passes it
	until      int  // by when a tile that is kept, or its padding, is computed at the latest
	sinks      []sink
	mark       int        // the last value that the sink was found for
	slot       int        // and where it stands among sinks
	pass       *pass      // the last that it was counted in
	Prefetches []Prefetch // of the pass that ends with it
}

// A sink is a value in whose loop another is computed. It may need that for some lanes only, or for none: what a
// load's mask or a Where leaves out.
type sink struct {
	v    *ir.Value
	some bool
}

// Plan makes the schedule of f. If ordered, its tensors may overlap: every load happens where it stands.
func Plan(f *ir.Func, ordered bool) *Schedule {
	p := &Schedule{f: f, ordered: ordered, about: make([]Placement, f.NumIDs()), Parent: map[*ir.Block]*ir.Value{}}
	p.rare = map[*ir.Value]bool{}
	all := make([]*ir.Value, 0, f.NumIDs())
	p.number(f.Body, &all)
	p.collectUsers(all)
	for _, v := range slices.Backward(all) {
		p.decide(v)
	}
	p.Overlap = p.planOverlap()
	p.planPrefetches()
	return p
}

// Of is what is decided for v.
func (p *Schedule) Of(v *ir.Value) *Placement { return &p.about[v.ID] }

// Kept reports whether v lies in memory once it is computed.
func (p *Schedule) Kept(v *ir.Value) bool { return p.Of(v).Keep || !Lazy(v) && !p.Of(v).Within }

// number puts values in program order and collects writers.
func (p *Schedule) number(b *ir.Block, all *[]*ir.Value) {
	add := func(v *ir.Value) {
		at := p.Of(v)
		at.order, at.Block = len(*all), b
		*all = append(*all, v)
	}
	for _, a := range b.Args {
		add(a)
	}
	for _, v := range b.Values {
		add(v)
		if v.IsMemory() && v.Writes() {
			p.writes = append(p.writes, v)
		}
		if v.IsControl() && leaves(v, 0) || shows(v) {
			p.leavers = append(p.leavers, v)
		}
		for _, inner := range v.Blocks {
			p.Parent[inner] = v
			p.number(inner, all)
		}
	}
}

func (p *Schedule) collectUsers(all []*ir.Value) {
	uses, total := make([]int, len(p.about)), 0 // by ID
	for _, v := range all {
		for _, a := range v.Args {
			uses[a.ID]++
		}
		total += len(v.Args)
	}
	room := make([]*ir.Value, total)
	for id, n := range uses {
		p.about[id].Users, room = room[:0:n], room[n:]
	}
	for _, v := range all {
		for _, a := range v.Args {
			p.Of(a).Users = append(p.Of(a).Users, v)
		}
	}
}

// Lazy reports whether v is computed lane by lane inside its users' loops.
func Lazy(v *ir.Value) bool {
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
			_, ok := affine.DimMap(v)
			return ok
		}
		return false
	}
	return v.Op == ir.PtrAdd || v.Op == op.Load || v.Op == ir.Swizzle
}

// decide chooses for one value, its users being decided: which sinks need it, and
// whether it is kept.
func (p *Schedule) decide(v *ir.Value) {
	scan, rare := ScanOf(v), numbersRunsOnly(p, v)
	if !Lazy(v) && scan == nil && !rare {
		return
	}
	d := decision{Schedule: p, v: v, at: p.Of(v), scans: scan != nil}
	if rare {
		d.at.Keep, p.rare[v] = true, true
	}
	d.collect()
	if d.scans {
		p.decideScan(v, d.needs)
		return
	}
	at := d.at
	for _, s := range d.needs {
		at.Sure = at.Sure || !s.some && (at.Keep && v.Op != op.Load || p.Of(s.v).Block == at.Block) && p.reached(v, s.v)
	}
	at.Keep = at.Keep || d.keeps()
	at.Once = len(d.needs) == 1 && !p.Gathers(d.needs[0].v)
	d.settle()
}

// A decision is that for one value.
type decision struct {
	*Schedule
	v     *ir.Value
	at    *Placement
	scans bool   // v is a scan, or its result, for which decideScan chooses whether it is kept
	needs []sink // each once
}

// collect finds the sinks. What users need in another block, which may run often or not at all, is kept, if it is not
// cheap.
func (d *decision) collect() {
	v, at, first := d.v, d.at, len(d.sinks)
	for _, u := range at.Users {
		user := d.Of(u)
		itself := !Lazy(u) && !user.Within || user.Keep // a sink, not computed in another's loop
		if !d.scans && user.Block != at.Block && !widens(v) && !d.cheap(v) {
			at.Keep, itself = true, true
		}
		if itself {
			d.need(sink{u, leavesOut(u, v)})
		} else {
			at.Keep = at.Keep || !d.scans && widenedAcross(d.Schedule, u) && !d.cheap(v)
			for _, s := range user.sinks {
				d.need(sink{s.v, s.some || leavesOut(u, v)})
			}
		}
		at.Keep = at.Keep || !d.scans && u.IsTerm() && v.Type.IsTile()
	}
	d.needs = d.sinks[first:len(d.sinks):len(d.sinks)]
}

// need notes a sink, or that it needs v for more lanes than was known.
func (d *decision) need(z sink) {
	s := d.Of(z.v)
	if s.mark != d.v.ID {
		s.mark, s.slot = d.v.ID, len(d.sinks)
		d.sinks = append(d.sinks, z)
	}
	d.sinks[s.slot].some = d.sinks[s.slot].some && z.some
}

// keeps reports whether v is kept whichever block needs it: for several loops, or by how it is computed.
func (d *decision) keeps() bool {
	v := d.v
	shared := len(d.needs) > 1 && !widens(v) && !d.cheap(v) && !onlyPacks(d.Schedule, v, d.needs)
	parts := v.Op == ir.Swizzle && slices.ContainsFunc(d.needs, notWhole)
	return shared || parts || d.repeated(v) || d.column(v) || d.Gathers(v)
}

// settle notes in which loops v is computed, or, of what is kept, until when. A load that would be stale there is
// carried out where it stands.
func (d *decision) settle() {
	v, at := d.v, d.at
	if slices.ContainsFunc(d.needs, func(s sink) bool { return d.stale(v, s.v) }) {
		at.Keep, at.Early = true, true
	}
	if !at.Keep {
		for _, s := range d.needs {
			to := d.Of(s.v)
			to.InPlace = to.InPlace || d.inPlace(v, s.v)
		}
		at.sinks = d.needs
		return
	}
	at.sinks = []sink{{v: v}}
	for _, s := range d.needs { // where it is used its padding is computed, also of what is computed where it stands
		at.until = max(at.until, d.Of(s.v).order, d.Of(s.v).until)
	}
}

// notWhole reports whether a sink's loop may leave elements of its tile out, which a Swizzle may not.
func notWhole(s sink) bool {
	return s.some || s.v.Op == op.Where || s.v.Op == op.Load || s.v.Op == op.Store && s.v.Memory().Mask != nil
}

// widenedAcross reports whether u widens numbers that are needed in another block.
func widenedAcross(p *Schedule, u *ir.Value) bool {
	across := func(w *ir.Value) bool { return p.Of(w).Block != p.Of(u).Block }
	return widens(u) && slices.ContainsFunc(p.Of(u).Users, across)
}

// widens reports whether v is a tile of numbers of 32 bits as numbers of 64: what it is made of is kept in its place.
func widens(v *ir.Value) bool {
	return v.Op == op.Cast && v.Type.D == dtype.Int64 && v.Type.IsTile() && v.Args[0].Type.D == dtype.Int32
}

// shows reports whether others see that control came to v, which it must not if a load before it fails: a print.
// (Of two operations that fail, either may be met first: which one is reported, running the instance again decides.)
func shows(v *ir.Value) bool { return v.Op == op.Print }

// leaves reports whether control flow, inside of so many Loops, may leave them all, or shows something.
func leaves(v *ir.Value, loops int) bool {
	if v.Op == ir.Loop {
		loops++
	}
	for _, b := range v.Blocks {
		for _, w := range b.Values {
			switch {
			case shows(w), w.Op == ir.Return, (w.Op == ir.Break || w.Op == ir.Continue) && w.Index >= loops:
				return true
			case w.IsControl() && leaves(w, loops):
				return true
			}
		}
	}
	return false
}

// leavesOut reports whether u may be computed without v, its operand: a load's other value, and a Where's second
// one, which are not needed where the mask holds.
func leavesOut(u, v *ir.Value) bool {
	switch u.Op {
	case op.Load:
		m := u.Memory()
		return v == m.Other && v != m.Ptr && v != m.Mask
	case op.Where:
		return v == u.Args[2] && v != u.Args[0] && v != u.Args[1]
	}
	return false
}

// reached reports whether control that passes v comes to where the sink is carried out, or
// to the control flow in v's block that holds it.
func (p *Schedule) reached(v, sink *ir.Value) bool {
	if to := p.Of(sink); Lazy(sink) && !to.Early && !to.Sure {
		return false
	}
	return !slices.ContainsFunc(p.leavers, func(c *ir.Value) bool {
		between := p.Of(c).order > p.Of(v).order && p.Of(c).order < p.Of(sink).order
		holds := func(b *ir.Block) bool { return p.inside(sink, b) }
		return between && p.Of(c).Block == p.Of(v).Block && !slices.ContainsFunc(c.Blocks, holds)
	})
}

// stale reports whether a load could give something else when it is carried out in
// the loop of the sink instead of where it stands.
func (p *Schedule) stale(v, sink *ir.Value) bool {
	if v.Op != op.Load {
		return false
	}
	for _, w := range p.writes {
		if !p.mayAlias(v, w) {
			continue
		}
		if w == sink && p.inPlace(v, w) {
			continue
		}
		order := p.Of(w).order
		if order > p.Of(v).order && order <= max(p.Of(sink).order, p.Of(sink).until) || p.inLoopWith(w, v, sink) {
			return true
		}
	}
	return false
}

// inLoopWith reports whether w stands in a loop that also holds the sink but not v.
func (p *Schedule) inLoopWith(w, v, sink *ir.Value) bool {
	for b := p.Of(w).Block; b != nil && p.Parent[b] != nil; b = p.Of(p.Parent[b]).Block {
		owner := p.Parent[b]
		if owner.Op == ir.If {
			continue
		}
		if p.inside(sink, b) && !p.inside(v, b) {
			return true
		}
	}
	return false
}

func (p *Schedule) inside(v *ir.Value, b *ir.Block) bool {
	for c := p.Of(v).Block; c != nil; {
		if c == b {
			return true
		}
		outer := p.Parent[c]
		if outer == nil {
			return false
		}
		c = p.Of(outer).Block
	}
	return false
}

// mayAlias reports whether two memory ops may touch the same element.
func (p *Schedule) mayAlias(a, b *ir.Value) bool {
	s, t := TensorOf(a.Args[0]), TensorOf(b.Args[0])
	return p.ordered || s == t || s < 0 || t < 0
}

// TensorOf is the parameter that a pointer comes from, -1 if several may be.
func TensorOf(v *ir.Value) int {
	switch {
	case v.Op == ir.Param:
		return v.Index
	case len(v.Args) > 0 && v.Type.D.IsPointer():
		t := TensorOf(v.Args[0])
		if v.Op == op.Where {
			t = TensorOf(v.Args[1])
		}
		return t
	}
	return -1
}

// cheap reports whether computing v again costs about as much as reading it from
// memory: index arithmetic, masks, a few operations on what is in memory anyway.
func (p *Schedule) cheap(v *ir.Value) bool { return p.cost(v, 8) <= 8 }

func (p *Schedule) cost(v *ir.Value, limit int) int {
	if !Lazy(v) || p.Of(v).Keep || limit < 0 {
		return 1
	}
	if v.Op == op.Load {
		if p.mayGather(v) {
			return gatherCost
		}
		return loadCost
	}
	n := ownCost(v)
	for _, a := range v.Args {
		if a.Type.IsTile() {
			n += p.cost(a, limit-n)
		}
	}
	return n
}

const loadCost, gatherCost = 2, 20

// ownCost is what an operation costs, about, beside its operands.
func ownCost(v *ir.Value) int {
	switch {
	case ir.Family(v.Op) == op.Shape:
		return 0
	case isProgram(v), v.Op == op.Div, v.Op == op.Sqrt:
		return 20
	case ir.Family(v.Op) == op.Elementwise && v.Type.D.IsNarrow():
		return 3
	case (v.Op == op.FloorDiv || v.Op == op.Mod) && v.Type.D.IsInt():
		return 6
	}
	return 1
}

// isProgram reports whether v takes many instructions. Programs are found by what they are of: random numbers, of
// integers.
func isProgram(v *ir.Value) bool {
	if v.Op >= op.NumOps || len(v.Args) == 0 {
		return false
	}
	d := v.Args[0].Type.D
	return !d.IsPointer() && v.Op.Row().Progs[d.Compute()] != nil
}
