// Package under makes simpler what accesses do under their masks.
package under

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass/write"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Run reports whether it has changed f. A block whose lanes all load one element loads it once. In an address, what is
// chosen by a condition that the access's mask implies is what is chosen where it holds: other lanes have no address.
func Run(f *ir.Func) bool {
	w := &writer{Writer: write.Writer{Fn: f}, subst: map[*ir.Value]*ir.Value{}, numbers: addressed(f)}
	w.block(f.Body)
	f.Replace(w.subst)
	return w.changed
}

// A writer rewrites a Func, block by block, in order.
type writer struct {
	write.Writer
	subst   map[*ir.Value]*ir.Value
	numbers map[*ir.Value]bool // what becomes part of addresses
	changed bool

	known map[place]bool      // conditions that the access at hand has in its mask
	made  map[place]*ir.Value // of its address
}

// A place is a value with its axes in an access.
type place struct {
	v *ir.Value
	m affine.Axes
}

// addressed is the tiles that addresses are computed of, lane by lane.
func addressed(f *ir.Func) map[*ir.Value]bool {
	set := map[*ir.Value]bool{}
	var visit func(v *ir.Value)
	visit = func(v *ir.Value) {
		if !v.Type.IsTile() || set[v] {
			return
		}
		set[v] = true
		if affine.LaneByLane(v) || ir.Family(v.Op) == op.Shape {
			for _, a := range v.Args {
				visit(a)
			}
		}
	}
	f.Values(func(v *ir.Value) {
		if v.IsMemory() {
			visit(v.Memory().Ptr)
		}
	})
	return set
}

func (w *writer) block(b *ir.Block) {
	outer := w.Out
	w.Out = make([]*ir.Value, 0, len(b.Values))
	for _, v := range b.Values {
		for i, a := range v.Args {
			if z := w.subst[a]; z != nil {
				v.Args[i] = z
			}
		}
		for _, inner := range v.Blocks {
			w.block(inner)
		}
		if v.IsMemory() && v.Type.IsTile() || v.Op == op.Store {
			w.Pos = v.Pos
			w.address(v)
			if z := w.single(v); z != nil {
				w.subst[v], w.changed = z, true
				continue
			}
		}
		w.Out = append(w.Out, v)
	}
	b.Values = w.Out
	w.Out = outer
}

// address makes the address of an access what it is under the mask, if that is computed of no element of memory: else
// it would be computed beside what others use, and lanes would be looked up one by one all the same.
func (w *writer) address(v *ir.Value) {
	mask := v.Memory().Mask
	if mask == nil || !mask.Type.IsTile() {
		return
	}
	w.known, w.made = map[place]bool{}, map[place]*ir.Value{}
	m := affine.Identity(mask.Type.Shape)
	w.learn(mask, m)
	before := len(w.Out)
	switch ptr := w.chosen(v.Memory().Ptr, m); {
	case ptr == v.Args[0]:
	case plain(ptr, map[*ir.Value]bool{}):
		v.Args[0], w.changed = ptr, true
	default:
		w.Out = w.Out[:before]
	}
}

// plain reports whether a tile is computed of scalars and numbers that ascend.
func plain(v *ir.Value, seen map[*ir.Value]bool) bool {
	if !v.Type.IsTile() || v.Op == op.Arange || seen[v] {
		return true
	}
	seen[v] = true
	if !affine.LaneByLane(v) && ir.Family(v.Op) != op.Shape {
		return false
	}
	for _, a := range v.Args {
		if !plain(a, seen) {
			return false
		}
	}
	return true
}

// learn notes a condition, and those that it is the conjunction of.
func (w *writer) learn(c *ir.Value, m affine.Axes) {
	c, m = affine.Unshaped(c, m)
	known := w.known[place{c, m}]
	w.known[place{c, m}] = true
	if c.Op == op.And && !known {
		w.learn(c.Args[0], m)
		w.learn(c.Args[1], m)
	}
}

// holds reports whether a condition holds in all lanes of the access.
func (w *writer) holds(c *ir.Value, m affine.Axes) bool {
	c, m = affine.Unshaped(c, m)
	if !w.known[place{c, m}] && c.Op == op.And && w.holds(c.Args[0], m) && w.holds(c.Args[1], m) {
		w.known[place{c, m}] = true
	}
	return w.known[place{c, m}]
}

// chosen is a part of the address, v itself if nothing in it is chosen by what holds.
func (w *writer) chosen(v *ir.Value, m affine.Axes) *ir.Value {
	if !v.Type.IsTile() || !affine.LaneByLane(v) && ir.Family(v.Op) != op.Shape || v.CanFail() {
		return v
	}
	at := place{v, m}
	if z := w.made[at]; z != nil {
		return z
	}
	w.made[at] = v
	switch {
	case v.Op == op.Where && w.holds(v.Args[0], m):
		w.made[at] = w.chosen(v.Args[1], m)
		return w.made[at]
	case v.Op == op.FloorDiv && w.divides(v, m):
		w.made[at] = w.quotient(v)
		return w.made[at]
	case ir.Family(v.Op) == op.Shape:
		if _, ok := affine.DimMap(v); !ok {
			return v
		}
		m = affine.Through(v, m)
	}
	args, other := make([]*ir.Value, len(v.Args)), false
	for i, a := range v.Args {
		args[i] = w.chosen(a, m)
		other = other || args[i] != a
	}
	if other {
		w.made[at] = w.Clone(v, v.Type, args...)
	}
	return w.made[at]
}
