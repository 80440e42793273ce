package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
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
	if rows, cols := b.shape.D[0], b.shape.D[1]; rows%g.step() == 0 && cols%4 == 0 {
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
	from, to := g.newReg(gpr), g.newReg(gpr)
	g.def(asm.LEA, g.r64(from), frameAt(b.off))
	g.def(asm.LEA, g.r64(to), frameAt(z.off))
	bands := g.newInt(int64(rows / g.step()))
	band := g.newLabel()
	outer := g.beginLoop()
	g.bind(band)
	p, q, left := g.copyInt(from), g.copyInt(to), g.newInt(int64(cols/4))
	top := g.newLabel()
	inner := g.beginLoop()
	g.bind(top)
	before := g.cur.last
	for i, x := range g.turnBlock(func(row int) arg { return mem(p, row*4*cols) }) {
		g.use(asm.VMOVUPS, mem(q, i*4*rows), g.v(x))
	}
	once := g.workSince(before)
	g.addConst(p, 16)
	g.addConst(q, int64(16*rows))
	g.rmw(asm.SUB, g.r64(left), imm(1))
	g.jump(asm.JNE, top)
	g.endLoop(inner)
	g.addConst(from, int64(4*cols*g.step()))
	g.addConst(to, int64(g.wide))
	later := g.spendRound(once*cols/4, rows/g.step())
	g.rmw(asm.SUB, g.r64(bands), imm(1))
	g.jump(asm.JNE, band)
	g.endLoop(outer)
	g.spent(later)
}

// turnBlock is four columns of a band, given by where its rows begin, as four vectors.
// Register a first holds, in its 128-bit lanes, rows a, a+4, ... of the block.
func (g *gen) turnBlock(row func(i int) arg) []reg {
	var r [4]reg
	for a := range r {
		r[a] = g.newVec()
		g.def(asm.VMOVUPS, g.vw(r[a], 16), row(a))
		for l := 1; l < int(g.wide)/16; l++ {
			x := g.newVec()
			if g.avx512 {
				g.def(asm.VINSERTF32X4, g.v(x), g.v(r[a]), row(a+4*l), imm(int64(l)))
			} else {
				g.def(asm.VINSERTF128, g.v(x), g.v(r[a]), row(a+4*l), imm(int64(l)))
			}
			r[a] = x
		}
	}
	return g.turnInLanes(r[:])
}

// turnInLanes turns a square in each 128-bit lane: of four registers of elements of 4 bytes,
// or two of 8 bytes.
func (g *gen) turnInLanes(r []reg) []reg {
	pair := func(o asm.Op, x, y reg) reg {
		z := g.newVec()
		g.def(o, g.v(z), g.v(x), g.v(y))
		return z
	}
	if len(r) == 2 {
		return []reg{pair(asm.VUNPCKLPD, r[0], r[1]), pair(asm.VUNPCKHPD, r[0], r[1])}
	}
	low, high := pair(asm.VUNPCKLPS, r[0], r[1]), pair(asm.VUNPCKHPS, r[0], r[1])
	low2, high2 := pair(asm.VUNPCKLPS, r[2], r[3]), pair(asm.VUNPCKHPS, r[2], r[3])
	return []reg{
		pair(asm.VUNPCKLPD, low, low2), pair(asm.VUNPCKHPD, low, low2),
		pair(asm.VUNPCKLPD, high, high2), pair(asm.VUNPCKHPD, high, high2),
	}
}

// turnLanes turns a square of 128-bit lanes.
func (g *gen) turnLanes(r []reg) []reg {
	pair := func(o asm.Op, x, y reg, lanes int64) reg {
		z := g.newVec()
		g.def(o, g.v(z), g.v(x), g.v(y), imm(lanes))
		return z
	}
	if len(r) == 2 {
		return []reg{pair(asm.VPERM2F128, r[0], r[1], 0x20), pair(asm.VPERM2F128, r[0], r[1], 0x31)}
	}
	const even, odd = 0x88, 0xdd // lanes of each
	shuffle := func(x, y reg, lanes int64) reg { return pair(asm.VSHUFF32X4, x, y, lanes) }
	low, low2 := shuffle(r[0], r[1], even), shuffle(r[0], r[1], odd)
	high, high2 := shuffle(r[2], r[3], even), shuffle(r[2], r[3], odd)
	return []reg{shuffle(low, high, even), shuffle(low2, high2, even), shuffle(low, high, odd), shuffle(low2, high2, odd)}
}

// turnSquare turns as many registers as each of them has elements of so many bytes.
func (g *gen) turnSquare(r []reg, size int) []reg {
	in := 16 / size // a lane
	var x []reg
	for i := 0; i < len(r); i += in {
		x = append(x, g.turnInLanes(r[i:i+in])...)
	}
	z := make([]reg, len(r))
	for c := range in {
		var column []reg
		for i := c; i < len(r); i += in {
			column = append(column, x[i])
		}
		for l, y := range g.turnLanes(column) {
			z[in*l+c] = y
		}
	}
	return z
}
