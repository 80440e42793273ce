package nest

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/amd64/transpose"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Transposed operands of Dots. They are read along the dimension that is contiguous, and
// transposed in registers: a block of as many rows as a vector has
// lanes and four columns becomes four vectors.

// TransposedLoad is such a load in memory, in the order that it has in the tensor.
func (g *Nests) TransposedLoad(v *ir.Value) *tiles.Buffer {
	t := v.Type
	t.Shape = ir.ShapeOf(t.Shape.D[1], t.Shape.D[0])
	b := g.NewBuffer(t)
	n := g.NewNest(t.Shape)
	n.turned = v
	n.Run(func() { n.Write(b, affine.Identity(t.Shape), n.Load(v, affine.Axes{1, 0})) })
	return b
}

// TransposeOnce is a tile of a type in memory, made once in v's scope of what it is the transposition of.
func (g *Nests) TransposeOnce(v *ir.Value, t ir.Type, of func() *tiles.Buffer) *tiles.Buffer {
	b := g.Transposes[v]
	if b == nil {
		g.AheadInScopeOf(v, func() { b = g.transposed(of(), t) })
		if !g.IsCold() {
			g.Transposes[v] = b
		}
	}
	return b
}

// crossLimit is the elements of tiles that are transposed where they are read across: beyond, they leave the cache.
const crossLimit = 1 << 14

// crossed is a load in memory, and how to read it there, for a nest whose rows cross those in which it lies in
// the tensor: element by element, a row of the nest would need as many cache lines as it has elements. It is nil
// if it is not so, or if the tile is too small or too large.
func crossed(n *values, v *ir.Value, m affine.Axes) (*tiles.Buffer, affine.Axes) {
	g, s := n.G, v.Type.Shape
	if s.N != 2 || m[0] < 0 || m[1] < 0 || n.turned == v || lane.CellSize(v.Type.D) != 4 || s.Len() > crossLimit {
		return nil, m
	}
	t, from, rows, cols, ok := v.Type, g.TransposedLoad, s.D[1], s.D[0], g.FallingLoad(v)
	if int(m[1]) != n.Inner() {
		rows, cols, ok = cols, rows, g.InRows(v)
		t.Shape, from, m = ir.ShapeOf(cols, rows), g.Whole, affine.Axes{m[1], m[0]}
	}
	if !ok || rows%g.Lanes != 0 || cols%4 != 0 && (v.Op != op.Load || g.Forms.Of(v.Memory().Ptr).Ok) {
		return nil, m
	}
	return g.TransposeOnce(v, t, func() *tiles.Buffer { return from(v) }), m
}

// transposed is a buffer of 4-byte cells with its two dimensions exchanged.
func (g *Nests) transposed(b *tiles.Buffer, t ir.Type) *tiles.Buffer {
	z := g.NewBuffer(t)
	if rows, cols := b.Shape.D[0], b.Shape.D[1]; rows%g.Lanes == 0 && cols%4 == 0 {
		transpose.Frame(g.Unit, z.Off, b.Off, rows, cols)
		return z
	}
	n := g.NewNest(t.Shape)
	m := affine.Axes{1, 0}
	for i, d := range t.Shape.D[:2] {
		if d == 1 {
			m[1-i] = -1
		}
	}
	n.Run(func() { n.Write(z, affine.Identity(t.Shape), n.Read(b, m)) })
	return z
}
