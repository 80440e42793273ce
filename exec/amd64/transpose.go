package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Transposed operands of Dots. They are read along the dimension that is contiguous, and
// transposed in registers: a block of as many rows as a vector has
// lanes and four columns becomes four vectors.

// fallingLoad reports whether v is a load whose first dimension is the contiguous one.
func (g *gen) fallingLoad(v *ir.Value) bool {
	s := v.Type.Shape
	if v.Op != op.Load || s.N != 2 || s.D[0] == 1 || s.D[1] == 1 || lane.CellSize(v.Type.D) != 4 || g.tiles[v] != nil {
		return false
	}
	f := g.Forms.Of(v.Memory().Ptr)
	return f.Ok && f.Coef[0] != nil && f.Coef[0].IsConst(1) && (f.Coef[1] == nil || !f.Coef[1].IsConst(1))
}

// transposedLoad is such a load in memory, in the order that it has in the tensor.
func (g *gen) transposedLoad(v *ir.Value) *buffer {
	t := v.Type
	t.Shape = ir.ShapeOf(t.Shape.D[1], t.Shape.D[0])
	b := g.newBuffer(t)
	n := g.newNest(t.Shape)
	n.turned = v
	n.run(func() { n.write(b, affine.Identity(t.Shape), n.load(v, affine.Axes{1, 0})) })
	return b
}

// transposeOnce is v in memory, made once in v's scope of what it is the transposition of.
func (g *gen) transposeOnce(v *ir.Value, of func() *buffer) *buffer {
	b := g.transposes[v]
	if b == nil {
		g.InScopeOf(v, func() { b = g.transposed(of(), v.Type) })
		if !g.IsCold() {
			g.transposes[v] = b
		}
	}
	return b
}

// transposed is a buffer of 4-byte cells with its two dimensions exchanged.
func (g *gen) transposed(b *buffer, t ir.Type) *buffer {
	z := g.newBuffer(t)
	if rows, cols := b.shape.D[0], b.shape.D[1]; rows%g.Lanes == 0 && cols%4 == 0 {
		g.transposeInto(z, b, rows, cols)
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

// transposeInto goes through b by bands of rows, one per lane, and through these by four columns.
func (g *gen) transposeInto(z, b *buffer, rows, cols int) {
	from, to := g.NewReg(lir.GPR), g.NewReg(lir.GPR)
	g.Def(asm.LEA, g.R64(from), lir.Frame(b.off))
	g.Def(asm.LEA, g.R64(to), lir.Frame(z.off))
	bands := g.NewInt(int64(rows / g.Lanes))
	band := g.NewLabel()
	outer := g.BeginLoop()
	g.Bind(band)
	p, q, left := g.CopyInt(from), g.CopyInt(to), g.NewInt(int64(cols/4))
	top := g.NewLabel()
	inner := g.BeginLoop()
	g.Bind(top)
	before := g.Here()
	for i, x := range g.TransposeBlock(func(row int) lir.Arg { return lir.Mem(p, row*4*cols) }) {
		g.Use(asm.VMOVUPS, lir.Mem(q, i*4*rows), g.V(x))
	}
	once := g.WorkSince(before)
	g.AddConst(p, 16)
	g.AddConst(q, int64(16*rows))
	g.RMW(asm.SUB, g.R64(left), lir.Imm(1))
	g.Jump(asm.JNE, top)
	g.EndLoop(inner)
	g.AddConst(from, int64(4*cols*g.Lanes))
	g.AddConst(to, int64(g.Bytes))
	later := g.SpendRound(once*cols/4, rows/g.Lanes)
	g.RMW(asm.SUB, g.R64(bands), lir.Imm(1))
	g.Jump(asm.JNE, band)
	g.EndLoop(outer)
	g.Spent(later)
}
