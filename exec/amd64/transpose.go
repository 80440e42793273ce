package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/transpose"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Transposed operands of Dots. They are read along the dimension that is contiguous, and
// transposed in registers: a block of as many rows as a vector has
// lanes and four columns becomes four vectors.

// fallingLoad reports whether v is a load whose first dimension is the contiguous one.
func (g *memory) fallingLoad(v *ir.Value) bool {
	s := v.Type.Shape
	if v.Op != op.Load || s.N != 2 || s.D[0] == 1 || s.D[1] == 1 || lane.CellSize(v.Type.D) != 4 || g.tiles[v] != nil {
		return false
	}
	f := g.Forms.Of(v.Memory().Ptr)
	return f.Ok && f.Coef[0] != nil && f.Coef[0].IsConst(1) && (f.Coef[1] == nil || !f.Coef[1].IsConst(1))
}

// transposedLoad is such a load in memory, in the order that it has in the tensor.
func (g *nests) transposedLoad(v *ir.Value) *buffer {
	t := v.Type
	t.Shape = ir.ShapeOf(t.Shape.D[1], t.Shape.D[0])
	b := g.newBuffer(t)
	n := g.newNest(t.Shape)
	n.turned = v
	n.run(func() { n.write(b, affine.Identity(t.Shape), n.load(v, affine.Axes{1, 0})) })
	return b
}

// transposeOnce is a tile of a type in memory, made once in v's scope of what it is the transposition of.
func (g *nests) transposeOnce(v *ir.Value, t ir.Type, of func() *buffer) *buffer {
	b := g.transposes[v]
	if b == nil {
		g.AheadInScopeOf(v, func() { b = g.transposed(of(), t) })
		if !g.IsCold() {
			g.transposes[v] = b
		}
	}
	return b
}

// crossLimit is the elements of tiles that are transposed where they are read across: beyond, they leave the cache.
const crossLimit = 1 << 14

// crossed is a load in memory, and how to read it there, for a nest whose rows cross those in which it lies in
// the tensor: element by element, a row of the nest would need as many cache lines as it has elements. It is nil
// if it is not so, or if the tile is too small or too large.
func crossed(n *values, v *ir.Value, m affine.Axes) (*buffer, affine.Axes) {
	g, s := n.g, v.Type.Shape
	if s.N != 2 || m[0] < 0 || m[1] < 0 || n.turned == v || lane.CellSize(v.Type.D) != 4 || s.Len() > crossLimit {
		return nil, m
	}
	t, from, rows, cols, ok := v.Type, g.transposedLoad, s.D[1], s.D[0], g.fallingLoad(v)
	if int(m[1]) != n.inner() {
		rows, cols, ok = cols, rows, g.inRows(v)
		t.Shape, from, m = ir.ShapeOf(cols, rows), g.whole, affine.Axes{m[1], m[0]}
	}
	if !ok || rows%g.Lanes != 0 || cols%4 != 0 && (v.Op != op.Load || g.Forms.Of(v.Memory().Ptr).Ok) {
		return nil, m
	}
	return g.transposeOnce(v, t, func() *buffer { return from(v) }), m
}

// inRows reports whether v lies in memory row after row, or is loaded from such memory.
func (g *memory) inRows(v *ir.Value) bool {
	if v.Op == op.Load {
		f := g.Forms.Of(v.Memory().Ptr)
		by, _, ok := fuse.Along(v.Memory().Ptr, 1, affine.Identity(v.Type.Shape))
		return f.Rises() || !f.Ok && ok && by == 1
	}
	b := g.tiles[v]
	return b != nil && len(b.atoms) == 0 && b.dense()
}

// transposed is a buffer of 4-byte cells with its two dimensions exchanged.
func (g *nests) transposed(b *buffer, t ir.Type) *buffer {
	z := g.newBuffer(t)
	if rows, cols := b.shape.D[0], b.shape.D[1]; rows%g.Lanes == 0 && cols%4 == 0 {
		transpose.Frame(g.Builder, z.off, b.off, rows, cols)
		return z
	}
	n := g.newNest(t.Shape)
	m := affine.Axes{1, 0}
	for i, d := range t.Shape.D[:2] {
		if d == 1 {
			m[1-i] = -1
		}
	}
	n.run(func() { n.write(z, affine.Identity(t.Shape), n.read(b, m)) })
	return z
}
