package nest

import (
	"math/bits"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Eval is v's lanes in the block at hand.
func (n *values) Eval(v *ir.Value, m affine.Axes) lane.Lanes {
	key := n.KeyOf(v, m)
	level := n.LevelOf(n.DependsOn(v, m))
	if x, ok := n.memo[level][key]; ok {
		return x
	}
	var x lane.Lanes
	atoms := n.Atoms
	if n.Rows && level < n.Body() { // of rows outside the domain, too
		n.Atoms = nil
	}
	n.At(level, func() { x = n.compute(v, m, level) })
	n.Atoms = atoms
	x.NotAbove0 = affine.NotAbove0(v)
	n.memo[level][key] = x
	return x
}

// compute writes the code for v's lanes at a level.
func (n *values) compute(v *ir.Value, m affine.Axes, level int) lane.Lanes {
	g := n.G
	switch {
	case !v.Type.IsTile():
		return g.Splat(v)
	case affine.RepeatedConst(v) != nil: // even if it lies in memory for others
		return g.Splat(affine.RepeatedConst(v))
	case v.Op == op.Load && !g.InMemory(v) && (g.Plan.Of(v).Once || !g.Plan.Gathers(v)):
		return n.Load(v, m)
	case g.Plan.Of(v).Within && !g.InMemory(v):
		return scanWithin(n, v, m)
	case g.Keeps(v) && !(n.Afresh && unkept(g, v)):
		return n.kept(v, m)
	}
	return n.ComputeFresh(v, m, level)
}

// unkept reports whether v is to be kept, but is not yet, and may be computed lane by lane.
func unkept(g *Nests, v *ir.Value) bool {
	return g.Tiles[v] == nil && (fuse.Lazy(v) && v.Op != op.Load || fuse.OnDemand(g.Plan, v))
}

// ComputeFresh is compute without looking whether v is kept.
func (n *values) ComputeFresh(v *ir.Value, m affine.Axes, level int) lane.Lanes {
	switch ir.Family(v.Op) {
	case op.Shape:
		return n.Eval(v.Args[0], affine.Through(v, m))
	case op.Create:
		return n.Arange(v, m, level)
	}
	switch v.Op {
	case op.Load:
		return n.Load(v, m)
	case ir.Swizzle:
		return swizzled(n, v, m)
	}
	if x, ok := n.oneOfFew(v, m); ok {
		return x
	}
	if x := decided(n, v, m); x != nil {
		return n.Eval(x, m)
	}
	if isMax, ok := scalar.Greater(v); ok && !n.G.Plan.Of(v.Args[0]).Keep {
		return n.G.GreaterOf(isMax, v.Type.D, n.Eval(v.Args[1], m), n.Eval(v.Args[2], m))
	}
	if n.divides(v, m) {
		by := n.reciprocalOf(v.Args[1], m, affine.Small(v.Args[0]))
		return n.G.Quotient(n.Eval(v.Args[0], m), by)
	}
	if scalar.DividesInt(n.G.Scalars, v) && n.Varies(v, m) && !n.Varies(v.Args[1], m) {
		return n.divideInt(v, m)
	}
	in := make([]lane.Lanes, len(v.Args))
	for i := range v.Args {
		if v.Op == op.Where { // the condition last: there are few mask registers, and chains are long
			i = (i + 1) % len(in)
		}
		in[i] = n.Eval(v.Args[i], m)
	}
	return n.G.Apply(v, in)
}

// mostFew is how many registers a nest has for that.
const mostFew = 4

// oneOfFew is the lanes of a value that is one of few, permuted from a register with these; blocks have to be many.
func (n *values) oneOfFew(v *ir.Value, m affine.Axes) (x lane.Lanes, ok bool) {
	if n.Shape.Len() < 8*n.G.Lanes || !n.Varies(v, m) {
		return x, false
	}
	f := scalar.FewOf(n.G.Scalars, v, m, n.G.Keeps)
	if f == nil || n.few[v] == 0 && len(n.few) == mostFew {
		return x, false
	}
	if n.few[v] == 0 {
		n.At(0, func() { n.few[v] = f.Values(n.G.Scalars) })
	}
	return f.Look(n.G.Scalars, n.Eval(f.Index, f.M), n.few[v]), true
}

// kept is a tile that lies in memory, or is put there first: by this nest on its way
// if it computes all of it anyway, else by one of its own.
func (n *values) kept(v *ir.Value, m affine.Axes) lane.Lanes {
	g := n.G
	if g.Tiles[v] == nil {
		if n.passes(v, m) && !g.Plan.Gathers(v) && !fuse.Chained(g.Plan, v) {
			return n.fill(v, m)
		}
		g.Materialize(v)
	}
	b := g.Tiles[v]
	if z, to := crossed(n, v, m); z != nil {
		return n.Read(z, to)
	}
	x := n.Read(b, m)
	if atoms, ok := affine.Mapped(b.Atoms, m); !ok || !affine.Subset(atoms, n.Atoms) { // lanes outside are its padding
		if !n.alongRows(v, m) {
			return g.Blend(n.inside(atoms), x, n.beyond(v, m))
		}
		return g.Blend(n.inside(atoms), x, n.padOnce(v, m))
	}
	return x
}

// alongRows reports whether the nest's rows are v's: only then is v's padding one value
// for each.
func (n *values) alongRows(v *ir.Value, m affine.Axes) bool {
	for i := v.Type.Shape.N - 1; i >= 0; i-- {
		if v.Type.Shape.D[i] > 1 {
			return int(m[i]) == n.Inner()
		}
	}
	return false
}

// beyond is v's lanes outside what memory holds of it, in a nest whose rows are not v's.
func (n *values) beyond(v *ir.Value, m affine.Axes) lane.Lanes {
	if v.Op != op.Load {
		return n.ComputeFresh(v, m, n.LevelOf(n.DependsOn(v, m)))
	}
	return n.otherOf(v, m)
}

// otherOf is the lanes of a load that its mask does not let through.
func (n *values) otherOf(v *ir.Value, m affine.Axes) lane.Lanes {
	if other := v.Memory().Other; other != nil {
		return n.Eval(other, m)
	}
	return lane.Const(v.Type.D, 0)
}

// passes reports whether the nest goes through all that is needed of v exactly once,
// in v's own scope. Masks that end where the nest does have a nest of their own: they would crowd its registers.
func (n *values) passes(v *ir.Value, m affine.Axes) bool {
	return m == affine.Identity(v.Type.Shape) && v.Type.Shape == n.Shape && n.G.DepthOf(v) == len(n.G.Enclosing)-1 &&
		n.down == nil && len(n.Only) == 0 && !n.G.Filling[v] && (len(n.Atoms) == 0 || !fuse.IsMask(v)) &&
		(affine.Subset(n.Atoms, n.limits(v, m)) || affine.Subset(n.Atoms, affine.Union(n.limits(v, m), n.G.Wanted(v))))
}

// fill computes v's lanes and leaves them in memory too.
func (n *values) fill(v *ir.Value, m affine.Axes) lane.Lanes {
	g := n.G
	if g.Pending[v] == nil {
		b := g.NewBuffer(v.Type)
		b.Atoms = affine.Intersect(n.Atoms, n.limits(v, m)) // nobody looks at what else is outside
		g.Pending[v] = b
		n.fills, n.always = append(n.fills, v), append(n.always, v)
	}
	x := n.ComputeFresh(v, m, n.Body())
	n.Write(g.Pending[v], m, x)
	return x
}

// keepUp computes in some blocks, ahead of anything that is stored there, what code of the inner loop that is written
// already computes: that at hand, which knows limits to hold, may not ask for it.
func (n *Nest) keepUp(first, blocks int) {
	pins := 1
	if n.Pinned.Dim != 0 {
		pins = n.Shape.D[bits.TrailingZeros(n.Pinned.Dim)]
	}
	at := n.Pinned.At
	for i := range len(n.always) * blocks * pins {
		n.Pinned.At = i % pins
		n.GoTo(first + i/pins%blocks)
		n.Eval(n.always[i/pins/blocks], affine.Identity(n.Shape))
	}
	n.Pinned.At = at
	n.GoTo(first)
}
