package nest

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/cursor"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/amd64/scan"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Scan scans in a nest, which puts the results into memory.
func (g *Nests) Scan(v *ir.Value) {
	x := v.Args[0].Type.Shape
	n, m, of := g.NewNest(x), affine.Identity(x), scanned
	if fuse.ColumnScan(v) {
		n.Descend(v)
		of = columns
	}
	n.Down(func(n *Nest) {
		for i, z := range of(&n.values, v, m) {
			if len(g.ResultValues(v, i)) > 0 {
				n.Write(g.ResultBuffer(v, i, v.Args[i].Type), m, z)
			}
		}
	})
}

// scanWithin is the lanes of v, a scan or a result of one, in the loop of the store that it is computed for. If that
// does not go through rows, or down rows, from their beginnings the scan is put into memory first.
func scanWithin(n *values, v *ir.Value, m affine.Axes) lane.Lanes {
	g, of := n.G, fuse.ScanOf(v)
	if fuse.ColumnScan(of) {
		if descends(n, of, v.Type.Shape, m) || v.Type.Shape.D[of.Axis] == 1 {
			return columns(n, of, m)[v.Index]
		}
		g.AheadInScopeOf(of, func() { g.Scan(of) })
		return n.kept(v, m)
	}
	lo, _ := n.Bounds(of.Axis)
	from, known := lo.IsImm()
	if n.down == nil && known && from == 0 && v.Type.Shape == n.Shape && m == affine.Identity(n.Shape) && n.start == nil {
		if n.scans[of] == nil {
			n.always = append(n.always, v)
		}
		if z := scanned(n, of, m); z != nil {
			return z[v.Index]
		}
		return lane.Lanes{}
	}
	g.AheadInScopeOf(of, func() { g.Scan(of) })
	return n.kept(v, m)
}

// scanned is the block at hand of a scan's results.
func scanned(n *values, v *ir.Value, m affine.Axes) []lane.Lanes {
	g, r := n.G, n.scans[v]
	if r == nil {
		needed, live := g.Plan.Streams(v)
		r = &scan.Row{Builder: g.Builder, Needed: needed, Combine: scalar.Combine(g.Scalars, v, live)}
		r.Free, r.Repeatable, r.Neutral = fuse.AnyOrder(v)
		for _, a := range v.Args {
			r.Types = append(r.Types, a.Type.D)
		}
		n.At(len(n.Dims)-1, r.Begin)
		n.scans[v] = r
	}
	x := make([]scan.Operand, len(v.Args))
	for i, a := range v.Args {
		if !r.Free && a.Type.D.Size() >= 4 {
			x[i].At = n.Elements(a, m)
		}
		if x[i].At == nil {
			x[i].Lanes = n.Eval(a, m)
		}
	}
	p := scan.Place{Index: n.Index[v.Axis], MayBeFirst: n.Off == 0, Tail: n.Tail}
	if a := n.ByElement; a != nil && !r.Free {
		to := elementsAt(n, a, m, cursor.Reach{})
		if n.Tail != nil || to.Step != (lane.Stride{N: int64(a.D.Size())}) {
			r.Stored, p.To = a.V.Memory().Val.Index, to
		}
	}
	return results(n, v, m, r.Block(x, p))
}

// results remembers the block at hand of all of a scan's results.
func results(n *values, v *ir.Value, m affine.Axes, z []lane.Lanes) []lane.Lanes {
	for i := range z {
		for _, u := range n.G.ResultValues(v, i) {
			n.memo[n.LevelOf(n.DependsOn(u, m))][n.KeyOf(u, m)] = z[i]
		}
	}
	return z
}

// Elements is where the block at hand of a load lies in a tensor, or its copy; nil if it does not, or if not all of the
// block is loaded.
func (n *values) Elements(v *ir.Value, m affine.Axes) *scan.Elements {
	if z, mask := elements(n, v, m); mask == nil {
		return z
	}
	return nil
}

// RowElements is Elements, also if rows are masked off, all of each: then mask holds in all lanes or in none.
func RowElements(n *Nest, v *ir.Value, m affine.Axes) (z *scan.Elements, mask *lane.Lanes) {
	z, mask = elements(&n.values, v, m)
	if mask == nil {
		return z, nil
	}
	atoms, ok := n.MaskAtoms(v.Memory().Mask, m)
	within := func(a affine.Atom) bool { return a.Dim == n.Inner() && !n.holds(a) }
	if !ok || mask.Known || slices.ContainsFunc(atoms, within) {
		return nil, nil
	}
	return z, mask
}

// elements is Elements with the part of the mask that the domain does not ensure, if there is any.
func elements(n *values, v *ir.Value, m affine.Axes) (z *scan.Elements, mask *lane.Lanes) {
	if v.Op != op.Load || n.G.InMemory(v) || !n.Varies(v, m) {
		return nil, nil
	}
	n.At(n.LevelOf(n.DependsOn(v, m)), func() { // where what is remembered of masks and places is there for others
		on := v.Memory().Mask
		z = elementsAt(n, n.Access(v, m), m, reachOf(n, on, m))
		if some, partial := n.LoadMask(on, m); partial {
			mask = &some
		}
	})
	return z, mask
}

// elementsAt is where the block at hand of an access lies.
func elementsAt(n *values, a *tiles.Access, m affine.Axes, reach cursor.Reach) *scan.Elements {
	if a.Rows != nil && a.Rows.Turns > 0 {
		return nil
	}
	at, step := addressWithin(n, a, m, reach)
	if step != (lane.Stride{N: int64(a.D.Size())}) {
		at = n.BlockStart(at, step)
	}
	return &scan.Elements{Arg: at, Step: step}
}
