package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Operands of Dots that lie the other way round. They are read along the dimension
// that is contiguous, and turned in registers: a block of as many rows as a vector has
// lanes and four columns becomes four vectors.

// fallingLoad reports whether v is a load whose first dimension is the contiguous one.
func (g *gen) fallingLoad(v *ir.Value) bool {
	s := v.Type.Shape
	if v.Op != op.Load || s.N != 2 || s.D[0] == 1 || s.D[1] == 1 || cellSize(v.Type.D) != 4 || g.tiles[v] != nil {
		return false
	}
	f := g.forms.Of(v.Memory().Ptr)
	return f.Ok && f.Coef[0] != nil && f.Coef[0].IsConst(1) && (f.Coef[1] == nil || !f.Coef[1].IsConst(1))
}

// turnedLoad is such a load in memory, in the order that it has in the tensor.
func (g *gen) turnedLoad(v *ir.Value) *buffer {
	t := v.Type
	t.Shape = ir.ShapeOf(t.Shape.D[1], t.Shape.D[0])
	b := g.newBuffer(t)
	n := g.newNest(t.Shape)
	n.turned = v
	n.run(func() { n.write(b, affine.Identity(t.Shape), n.load(v, affine.Axes{1, 0})) })
	return b
}

// turned is v in memory, made once in v's scope of what it is the transposition of.
func (g *gen) turned(v *ir.Value, of func() *buffer) *buffer {
	b := g.turnings[v]
	if b == nil {
		g.inScopeOf(v, func() { b = g.transposed(of(), v.Type) })
		if g.cold == nil {
			g.turnings[v] = b
		}
	}
	return b
}

// transposed is a buffer of 4-byte cells with its two dimensions exchanged.
func (g *gen) transposed(b *buffer, t ir.Type) *buffer {
	z := g.newBuffer(t)
	if rows, cols := b.shape.D[0], b.shape.D[1]; rows%g.Lanes == 0 && cols%4 == 0 {
		g.turn(z, b, rows, cols)
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

// turn goes through b by bands of rows, one per lane, and through these by four columns.
func (g *gen) turn(z, b *buffer, rows, cols int) {
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
	for i, x := range g.turnBlock(func(row int) lir.Arg { return lir.Mem(p, row*4*cols) }) {
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

// turnBlock is four columns of a band, given by where its rows begin, as four vectors.
// Register a first holds, in its 128-bit lanes, rows a, a+4, ... of the block.
func (g *gen) turnBlock(row func(i int) lir.Arg) []lir.Reg {
	var r [4]lir.Reg
	for a := range r {
		r[a] = g.NewVec()
		g.Def(asm.VMOVUPS, g.VW(r[a], 16), row(a))
		for l := 1; l < g.Bytes/16; l++ {
			x := g.NewVec()
			if g.EVEX {
				g.Def(asm.VINSERTF32X4, g.V(x), g.V(r[a]), row(a+4*l), lir.Imm(int64(l)))
			} else {
				g.Def(asm.VINSERTF128, g.V(x), g.V(r[a]), row(a+4*l), lir.Imm(int64(l)))
			}
			r[a] = x
		}
	}
	return g.turnInLanes(r[:])
}

// turnInLanes turns a square in each 128-bit lane: of four registers of elements of 4 bytes,
// or two of 8 bytes.
func (g *gen) turnInLanes(r []lir.Reg) []lir.Reg {
	pair := func(o asm.Op, x, y lir.Reg) lir.Reg {
		z := g.NewVec()
		g.Def(o, g.V(z), g.V(x), g.V(y))
		return z
	}
	if len(r) == 2 {
		return []lir.Reg{pair(asm.VUNPCKLPD, r[0], r[1]), pair(asm.VUNPCKHPD, r[0], r[1])}
	}
	low, high := pair(asm.VUNPCKLPS, r[0], r[1]), pair(asm.VUNPCKHPS, r[0], r[1])
	low2, high2 := pair(asm.VUNPCKLPS, r[2], r[3]), pair(asm.VUNPCKHPS, r[2], r[3])
	return []lir.Reg{
		pair(asm.VUNPCKLPD, low, low2), pair(asm.VUNPCKHPD, low, low2),
		pair(asm.VUNPCKLPD, high, high2), pair(asm.VUNPCKHPD, high, high2),
	}
}

// turnLanes turns a square of 128-bit lanes.
func (g *gen) turnLanes(r []lir.Reg) []lir.Reg {
	pair := func(o asm.Op, x, y lir.Reg, lanes int64) lir.Reg {
		z := g.NewVec()
		g.Def(o, g.V(z), g.V(x), g.V(y), lir.Imm(lanes))
		return z
	}
	if len(r) == 2 {
		return []lir.Reg{pair(asm.VPERM2F128, r[0], r[1], 0x20), pair(asm.VPERM2F128, r[0], r[1], 0x31)}
	}
	const even, odd = 0x88, 0xdd // lanes of each
	shuffle := func(x, y lir.Reg, lanes int64) lir.Reg { return pair(asm.VSHUFF32X4, x, y, lanes) }
	low, low2 := shuffle(r[0], r[1], even), shuffle(r[0], r[1], odd)
	high, high2 := shuffle(r[2], r[3], even), shuffle(r[2], r[3], odd)
	return []lir.Reg{shuffle(low, high, even), shuffle(low2, high2, even), shuffle(low, high, odd), shuffle(low2, high2, odd)}
}

// turnSquare turns as many registers as each of them has elements of so many bytes.
func (g *gen) turnSquare(r []lir.Reg, size int) []lir.Reg {
	in := 16 / size // a lane
	var x []lir.Reg
	for i := 0; i < len(r); i += in {
		x = append(x, g.turnInLanes(r[i:i+in])...)
	}
	z := make([]lir.Reg, len(r))
	for c := range in {
		var column []lir.Reg
		for i := c; i < len(r); i += in {
			column = append(column, x[i])
		}
		for l, y := range g.turnLanes(column) {
			z[in*l+c] = y
		}
	}
	return z
}
