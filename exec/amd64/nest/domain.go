package nest

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Most masked tiles are the same everywhere outside their mask: a load gives Other
// there, and what is computed from it alone is again one value per row. So the loops
// of a reduction, or of a tile put into memory, run over the mask's box only, and the
// lanes outside, the padding, are computed once.

// MaskAtoms is the atoms of a mask read through m, if it is a box.
func (n *values) MaskAtoms(mask *ir.Value, m affine.Axes) ([]affine.Atom, bool) {
	b := n.G.Boxes.Of(mask)
	if !b.Ok {
		return nil, false
	}
	atoms, ok := affine.Mapped(merged(n, b.Atoms, m))
	return atoms, ok && n.G.Require(b.Conds)
}

// MaskLimits is the atoms of a box around a mask read through m: outside of them it is false.
func (n *values) MaskLimits(mask *ir.Value, m affine.Axes) []affine.Atom {
	b := n.G.Boxes.Around(mask)
	if atoms, ok := affine.Mapped(merged(n, b.Atoms, m)); ok && n.G.Require(b.Conds) {
		return atoms
	}
	return nil
}

// limits is the atoms outside of which v is padding: the domain of a nest that
// computes v may be any part of them. A value without limits of its own, because it
// does not vary along the inner dimension, has nil.
func (n *values) limits(v *ir.Value, m affine.Axes) []affine.Atom {
	atoms, _ := n.CommonLimits([]*ir.Value{v}, m)
	return atoms
}

// Limit has a nest compute what of tiles is neither padding nor left alone by all who look at them, and gives limits
// outside of which all are padding.
func (n *Nest) Limit(vs ...*ir.Value) []affine.Atom {
	atoms, _ := n.CommonLimits(vs, affine.Identity(n.Shape))
	n.Atoms = affine.Union(atoms, n.G.Wanted(vs[0], vs[1:]...))
	return atoms
}

// CommonLimits is what the limits of several values have in common.
func (n *values) CommonLimits(vs []*ir.Value, m affine.Axes) (atoms []affine.Atom, free bool) {
	return fuse.CommonLimits(vs, m, n.Varies, n.MaskLimits)
}

// padding computes lanes outside a nest's domain.
type padding struct {
	*values
	known map[fuse.Read]lane.Lanes
}

// of is v's lanes outside: one value for the whole row.
func (n padding) of(v *ir.Value, m affine.Axes) lane.Lanes {
	z, ok := n.known[fuse.Read{V: v, M: m}]
	if !ok {
		z = n.pad(v, m)
		n.known[fuse.Read{V: v, M: m}] = z
	}
	return z
}

func (n padding) pad(v *ir.Value, m affine.Axes) lane.Lanes {
	if !n.Varies(v, m) {
		return n.Eval(v, m)
	}
	switch {
	case v.Op == op.Load:
		if other := v.Memory().Other; other != nil {
			return n.of(other, m)
		}
		return lane.Const(v.Type.D, 0)
	case ir.Family(v.Op) == op.Shape:
		return n.of(v.Args[0], affine.Through(v, m))
	case v.Op == op.Where && len(n.MaskLimits(v.Args[0], m)) > 0: // outside the box it is the last operand
		return n.of(v.Args[2], m)
	case n.limitsMask(v, m):
		return lane.Const(dtype.Bool, 0)
	}
	in := make([]lane.Lanes, len(v.Args))
	for i, a := range v.Args {
		in[i] = n.of(a, m)
	}
	return n.G.Apply(v, in)
}

// limitsMask reports whether v is conditions with a box around them: outside it is false.
func (n *values) limitsMask(v *ir.Value, m affine.Axes) bool {
	return fuse.IsMask(v) && len(n.MaskLimits(v, m)) > 0
}

// decided is the operand that v, a Where or two conditions, is wherever the nest computes lanes, nil if it is neither.
func decided(n *values, v *ir.Value, m affine.Axes) *ir.Value {
	switch {
	case v.Op == op.And && v.Type.D == dtype.Bool && len(n.Atoms) > 0:
		for i, a := range v.Args {
			if n.ensured(a, m) {
				return v.Args[1-i]
			}
		}
	case v.Op == op.Where && n.ensured(v.Args[0], m):
		return v.Args[1]
	case v.Op == op.Where && excluded(n, v.Args[0], m):
		return v.Args[2]
	}
	return nil
}

// ensured reports whether a mask holds wherever the nest computes lanes at all: it is a box
// that the domain lies in. One that does not vary along the inner dimension says as much of
// rows, whose padding is computed everywhere.
func (n *values) ensured(mask *ir.Value, m affine.Axes) bool {
	b := n.G.Boxes.Of(mask)
	a, ok := affine.Mapped(merged(n, b.Atoms, m))
	within := ok && b.Ok && n.Varies(mask, m) && affine.Subset(a, append(slices.Clip(n.sure), n.Atoms...))
	return within && n.G.Require(b.Conds)
}

// excluded reports whether a mask holds nowhere that the code at hand computes lanes.
func excluded(n *values, mask *ir.Value, m affine.Axes) bool {
	if len(n.sure) == 0 || !n.Varies(mask, m) {
		return false
	}
	a, ok := n.MaskAtoms(mask, m)
	return ok && slices.ContainsFunc(a, n.never)
}

// padLeaves computes what v's padding is made of, as far as it is not padding itself and was not seen before.
func (n *values) padLeaves(v *ir.Value, m affine.Axes, seen map[fuse.Read]bool) {
	if seen[fuse.Read{V: v, M: m}] {
		return
	}
	seen[fuse.Read{V: v, M: m}] = true
	switch {
	case !n.Varies(v, m):
		n.Eval(v, m)
	case v.Op == op.Load:
		if other := v.Memory().Other; other != nil {
			n.padLeaves(other, m, seen)
		}
	case ir.Family(v.Op) == op.Shape:
		n.padLeaves(v.Args[0], affine.Through(v, m), seen)
	case v.Op == op.Where && len(n.MaskLimits(v.Args[0], m)) > 0: // outside the box it is the last operand
		n.padLeaves(v.Args[2], m, seen)
	case n.limitsMask(v, m):
	default:
		for _, a := range v.Args {
			n.padLeaves(a, m, seen)
		}
	}
}

// padOnce is pad, computed where it does not change any more.
func (n *values) padOnce(v *ir.Value, m affine.Axes) lane.Lanes {
	key := n.KeyOf(v, m)
	if x, ok := n.pads[key]; ok {
		return x
	}
	var x lane.Lanes
	n.At(n.LevelOf(n.DependsOn(v, m)&^(1<<n.Inner())), func() { x = padding{n, map[fuse.Read]lane.Lanes{}}.of(v, m) })
	n.pads[key] = x
	return x
}

// holds reports whether an atom holds wherever the code at hand computes lanes.
func (d *domain) holds(a affine.Atom) bool { return affine.Has(d.Atoms, a) || affine.Has(d.sure, a) }

// inside is the mask of the lanes where atoms, in the nest's dimensions, hold, those
// that the domain ensures left out. What is the same in a whole row is put together ahead of it.
func (n *values) inside(atoms []affine.Atom) lane.Lanes {
	rows, here, deps := lane.Const(dtype.Bool, 1), lane.Const(dtype.Bool, 1), uint(0)
	for _, a := range atoms {
		switch {
		case n.never(a):
			return lane.Const(dtype.Bool, 0)
		case n.holds(a):
		case a.Dim == n.Inner():
			n.meet(a)
			here = n.G.Both(here, n.atomLanes(a))
		default:
			x := n.atomLanes(a)
			deps |= 1 << a.Dim
			n.At(n.LevelOf(deps), func() { rows = n.G.Both(rows, x) })
		}
	}
	return n.G.Both(rows, here)
}

// atomLanes is the mask of one atom: equal in all lanes for an outer dimension.
func (n *values) atomLanes(a affine.Atom) lane.Lanes {
	g := n.G
	size, zero := g.Syms.Constant(int64(n.Shape.D[a.Dim])), g.Syms.Constant(0)
	z, ok := n.atomMasks[atomKey{a, n.Off}]
	if !ok && n.Pinned.Dim == 0 {
		z, ok = n.rowMasks[a]
	}
	if ok {
		return z
	}
	n.At(n.LevelOf(1<<a.Dim), func() {
		limit, lower, o, cc := a.Hi, false, op.Lt, asm.SETL
		if limit == nil {
			limit, lower, o, cc = a.Lo, true, op.Ge, asm.SETGE
		}
		limit = g.Syms.Max(zero, g.Syms.Min(size, limit))
		if a.Dim != n.Inner() {
			z = g.SplatBool(g.SetIf(cc, n.IndexOf(a.Dim), g.SymArg(limit)))
			n.rowMasks[a] = z
			return
		}
		x := n.IndexLanes(a.Dim, n.Body())
		z = g.Compare(o, dtype.Int32, x, g.SplatInt(dtype.Int32, g.SymReg(limit)))
		z.Leading = !lower
		if !lower && limit.Kind == affine.Const {
			n.likely(&z, int(limit.N))
		}
		n.atomMasks[atomKey{a, n.Off}] = z
	})
	return z
}

// likely notes how many first lanes of the block at hand a mask lets through that ends at an index, if it is known which
// block that is.
func (n *values) likely(mask *lane.Lanes, end int) {
	lo, _ := n.Bounds(n.Inner())
	from, _ := lo.IsImm()
	if lanes := min(end-int(from)-n.Off, n.G.Lanes); n.Still && n.down == nil && lanes > 0 {
		mask.First, mask.Surely = lanes, true
	}
}

// RowPads is the padding of a row, which is computed only in rows that have any.
func (n *Nest) RowPads(vs []*ir.Value, m affine.Axes, size int) (pads []lane.Lanes) {
	g := n.G
	seen, rows := map[fuse.Read]bool{}, padding{&n.values, map[fuse.Read]lane.Lanes{}}
	for _, v := range vs {
		n.padLeaves(v, m, seen)
	}
	full := g.NewLabel()
	_, hi := n.Bounds(n.Inner())
	g.Use(asm.CMP, g.R64(g.InReg(n.RowEnd(hi))), lir.Imm(int64(size)))
	g.Jump(asm.JGE, full)
	for _, v := range vs {
		x := rows.of(v, m)
		if !x.Known {
			x = g.Variable(x)
		}
		pads = append(pads, x)
	}
	g.Bind(full)
	return pads
}

// merged makes limits of merged rows limits of their elements.
func merged(n *values, atoms []affine.Atom, m affine.Axes) ([]affine.Atom, affine.Axes) {
	return n.G.Syms.Merged(atoms, m, n.Inner(), n.Shape, n.Merged)
}
