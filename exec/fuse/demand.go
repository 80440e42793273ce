package fuse

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Nobody sees of a tile what no store's mask lets through: neither of the tile that is stored, nor of those that it is
// made of. A row of a product takes the same row of its first operand and of what it is added to, a column the same
// column of the second one; a reduction leaves the other dimensions as they are, and so do shapes.

// A Bound is what a mask lets through along one of its dimensions.
type Bound struct {
	Mask *ir.Value
	Dim  int
	UpTo bool // and what is ahead of that
}

// demand is what is looked at along a dimension: indices that one of some bounds lets through, or all.
type demand struct {
	bounds []Bound
	all    bool
}

// mostBounds is how many bounds of a dimension are told apart.
const mostBounds = 4

// join is either of two demands. Which bounds have to be there for it decides known.
func (d *demand) join(x demand, known func(Bound) bool) (changed bool) {
	if d.all {
		return false
	}
	for _, b := range x.bounds {
		if slices.Contains(d.bounds, b) {
			continue
		}
		changed = true
		if len(d.bounds) == mostBounds || !known(b) {
			x.all = true
			break
		}
		d.bounds = append(d.bounds, b)
	}
	if x.all {
		*d = demand{all: true}
		return true
	}
	return changed
}

// demands is that of all dimensions of a tile.
type demands [ir.MaxRank]demand

var everything = func() (d demands) {
	for i := range d {
		d[i].all = true
	}
	return d
}()

// Demanded is, for each dimension of a tile, bounds of which one lets through whatever somebody looks at; none if that
// may be anything. What they are made of is there when control comes to v, and stays as it is in loops that carry on
// what is made of v.
func Demanded(p *Schedule, v *ir.Value) (bounds [ir.MaxRank][]Bound) {
	if p.demands == nil {
		p.demands = map[*ir.Value]*demands{}
		if masksStores(p) {
			(&demanding{Schedule: p, known: map[knowing]bool{}}).run()
		}
	}
	if d := p.demands[v]; d != nil {
		for i := range bounds {
			if !d[i].all {
				bounds[i] = d[i].bounds
			}
		}
	}
	return bounds
}

// masksStores reports whether any store leaves elements of a tile out.
func masksStores(p *Schedule) bool {
	return slices.ContainsFunc(p.writes, func(w *ir.Value) bool { return storedUnder(w) != nil })
}

// storedUnder is the mask of a store of a tile, nil if it has none, or is no store.
func storedUnder(w *ir.Value) *ir.Value {
	if w.Op != op.Store {
		return nil
	}
	mem := w.Memory()
	if mem.Mask == nil || !mem.Val.Type.IsTile() || mem.Mask.Type.Shape != mem.Val.Type.Shape {
		return nil
	}
	return mem.Mask
}

// demanding follows demands from stores backwards, until they do not change.
type demanding struct {
	*Schedule
	todo  []*ir.Value
	known map[knowing]bool
}

// knowing is whether a mask is there when control comes to a value.
type knowing struct{ mask, at *ir.Value }

func (d *demanding) run() {
	var all []*ir.Value
	d.f.Values(func(v *ir.Value) { all = append(all, v) })
	for _, v := range slices.Backward(all) {
		d.begin(v)
		d.spread()
	}
}

// spread hands on what changed.
func (d *demanding) spread() {
	for len(d.todo) > 0 {
		v := d.todo[len(d.todo)-1]
		d.todo = d.todo[:len(d.todo)-1]
		d.hand(v)
	}
}

// need says what is looked at of a tile.
func (d *demanding) need(x *ir.Value, z demands) {
	if !x.Type.IsTile() {
		return
	}
	at := d.demands[x]
	if at == nil {
		at = &demands{}
		d.demands[x] = at
	}
	changed := false
	for i := range x.Type.Shape.N {
		c := at[i].join(z[i], func(b Bound) bool { return d.there(b, x) })
		changed = changed || c
	}
	if changed {
		d.todo = append(d.todo, x)
	}
}

func (d *demanding) there(b Bound, v *ir.Value) bool {
	k := knowing{b.Mask, v}
	z, ok := d.known[k]
	if !ok {
		z = before(d.Schedule, b.Mask, v)
		d.known[k] = z
	}
	return z
}

// begin is what is looked at because of v alone.
func (d *demanding) begin(v *ir.Value) {
	if mask := storedUnder(v); mask != nil {
		mem := v.Memory()
		var z demands
		for i := range mem.Val.Type.Shape.N {
			z[i].bounds = []Bound{{Mask: mask, Dim: i}}
		}
		d.need(mem.Val, z)
		d.need(mem.Ptr, everything)
		d.need(mask, everything)
		return
	}
	switch {
	case v.Op == op.Load:
		mem := v.Memory()
		d.need(mem.Ptr, everything)
		if mem.Mask != nil {
			d.need(mem.Mask, everything)
		}
	case v.Op == ir.For, v.Op == ir.Yield && d.joins(d.Parent[d.Of(v).Block]), handsOn(v):
	default:
		for _, a := range v.Args {
			d.need(a, everything)
		}
	}
}

// joins reports whether what becomes of values at the end of a block is known.
func (d *demanding) joins(owner *ir.Value) bool { return owner.Op == ir.For || owner.Op == ir.If }

// handsOn reports whether what is looked at of v's operands follows from what is of v.
func handsOn(v *ir.Value) bool {
	switch f := ir.Family(v.Op); {
	case !v.Type.IsTile():
		return false
	case f == op.Reducing:
		return len(v.Results) == 0
	case f == op.Shape:
		_, ok := affine.DimMap(v)
		return ok
	case f == op.DotProduct, v.Op == ir.Result:
		return true
	}
	return affine.LaneByLane(v) && (Lazy(v) || divides(v))
}

// hand passes on what is looked at of v.
func (d *demanding) hand(v *ir.Value) {
	z := *d.demands[v]
	switch owner := d.Parent[d.Of(v).Block]; {
	case v.Op == ir.Result:
		d.handResult(v.Args[0], v.Index, z)
	case v.Op == op.None && owner != nil && owner.Op == ir.For:
		if k := slices.Index(owner.Blocks[0].Args, v); k > 0 {
			d.handResult(owner, k-1, z)
		}
	case v.Op == op.Load:
		if other := v.Memory().Other; other != nil {
			d.need(other, z)
		}
	case ir.Family(v.Op) == op.DotProduct:
		d.handProduct(v, z)
	case !handsOn(v):
	case ir.Family(v.Op) == op.Reducing:
		x := everything
		copy(x[:v.Axis], z[:v.Axis])
		copy(x[v.Axis+1:], z[v.Axis:])
		d.need(v.Args[0], x)
	case ir.Family(v.Op) == op.Shape:
		x, to := everything, dimMap(v)
		for i := range v.Args[0].Type.Shape.N {
			if to[i] >= 0 {
				x[i] = z[to[i]]
			}
		}
		d.need(v.Args[0], x)
	default:
		for i, a := range v.Args {
			if i == 1 && divides(v) { // divisors are looked at everywhere
				d.need(a, everything)
				continue
			}
			d.need(a, z)
		}
	}
}

func dimMap(v *ir.Value) [ir.MaxRank]int {
	m, _ := affine.DimMap(v)
	return m
}

// handResult passes on what is looked at of value k that an If or a For gives, or carries on. A mask that is made in a
// loop is not there yet when a round begins: of what that is given all is looked at, as the next one has another mask.
func (d *demanding) handResult(owner *ir.Value, k int, z demands) {
	switch owner.Op {
	case ir.For:
		b := owner.Blocks[0]
		d.need(owner.Args[2+k], z)
		d.need(b.Args[1+k], z)
		d.need(b.Term().Args[k], z)
	case ir.If:
		for _, b := range owner.Blocks {
			if t := b.Term(); t.Op == ir.Yield {
				d.need(t.Args[k], z)
			}
		}
	}
}

// handProduct passes on what is looked at of a product.
func (d *demanding) handProduct(v *ir.Value, z demands) {
	n := v.Type.Shape.N
	a, b := z, z
	a[n-1] = demand{bounds: Summed(d.Schedule, v)}
	a[n-1].all = len(a[n-1].bounds) == 0
	b[n-2] = a[n-1]
	d.need(v.Args[0], a)
	d.need(v.Args[1], b)
	for _, acc := range v.Args[2:] {
		d.need(acc, z)
	}
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
