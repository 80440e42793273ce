package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A block of lanes between registers and memory, in the elements' own type.

// loadLanes reads contiguous elements; mask, if any, restricts what is touched, and
// lanes outside become 0.
func (g *gen) loadLanes(d dtype.DType, at lir.Arg, mask *lanes) lanes {
	if mask != nil && !g.EVEX && d.Size() < 4 {
		return g.loadOneByOne(d, at, int64(d.Size()), stride{n: int64(d.Size())}, mask)
	}
	z := lanes{d: d}
	half := g.Bytes / 2
	k := g.maskReg(mask)
	switch d {
	case dtype.Float64, dtype.Int64, dtype.Uint64:
		z.r[0], z.r[1] = g.NewVec(), g.NewVec()
		var m [2]lir.Reg
		if mask != nil {
			m = g.maskHalves(*mask, d)
		}
		g.loadReg(z.r[0], at, 8, m[0])
		g.loadReg(z.r[1], at.Plus(g.Bytes), 8, m[1])
		return z
	case dtype.Float32, dtype.Int32, dtype.Uint32:
		r := g.NewVec()
		g.loadReg(r, at, 4, k)
		z.r = [2]lir.Reg{r, r}
		return z
	case dtype.Bool:
		return g.loadBools(at, k)
	case dtype.Float16:
		r := g.NewVec()
		z.r, z.quiet = [2]lir.Reg{r, r}, true
		g.Def(asm.VCVTPH2PS, g.V(r), at.Sized(half)).ZeroMasked(k)
		return z
	case dtype.BFloat16:
		r := g.NewVec()
		g.Def(asm.VPMOVZXWD, g.V(r), at.Sized(half)).ZeroMasked(k)
		return g.op1(asm.VPSLLD, d, lanes{d: d, r: [2]lir.Reg{r, r}}, lir.Imm(16))
	}
	o := map[dtype.DType]asm.Op{
		dtype.Int8: asm.VPMOVSXBD, dtype.Uint8: asm.VPMOVZXBD, dtype.Int16: asm.VPMOVSXWD, dtype.Uint16: asm.VPMOVZXWD,
		dtype.Float8E4NV: asm.VPMOVZXBD, dtype.Float8E5: asm.VPMOVZXBD,
	}[d]
	r := g.NewVec()
	z.r = [2]lir.Reg{r, r}
	g.Def(o, g.V(r), at.Sized(g.Lanes*d.Size())).ZeroMasked(k)
	if d.IsFP8() {
		return g.fromFloat8(d, z)
	}
	return z
}

// maskReg is the register of a mask that may be absent.
func (g *gen) maskReg(mask *lanes) lir.Reg {
	if mask == nil {
		return 0
	}
	return g.vr(*mask, 0)
}

// loadReg fills a vector register with elements of 4 or 8 bytes.
func (g *gen) loadReg(r lir.Reg, at lir.Arg, size int, mask lir.Reg) {
	switch {
	case mask == 0:
		g.Def(asm.VMOVUPS, g.V(r), at)
	case g.EVEX && size == 8:
		g.Def(asm.VMOVUPD, g.V(r), at).Masked(mask, true)
	case g.EVEX:
		g.Def(asm.VMOVUPS, g.V(r), at).Masked(mask, true)
	case size == 8:
		g.Def(asm.VMASKMOVPD, g.V(r), g.V(mask), at)
	default:
		g.Def(asm.VMASKMOVPS, g.V(r), g.V(mask), at)
	}
}

// loadBools makes a mask of bytes that are not 0.
func (g *gen) loadBools(at lir.Arg, mask lir.Reg) lanes {
	t := g.NewVec()
	if g.EVEX {
		g.Def(asm.VMOVDQU8, g.VW(t, 16), at).ZeroMasked(mask)
		k := g.NewReg(lir.Mask)
		g.Def(asm.VPTESTMB, g.K(k), g.VW(t, 16), g.VW(t, 16))
		return lanes{d: dtype.Bool, r: [2]lir.Reg{k}}
	}
	g.Def(asm.VPMOVZXBD, g.V(t), at.Sized(8))
	zero, r := g.NewVec(), g.NewVec()
	g.ZeroVec(zero)
	g.Def(asm.VPCMPGTD, g.V(r), g.V(t), g.V(zero))
	return lanes{d: dtype.Bool, r: [2]lir.Reg{r}}
}

// storeLanes writes contiguous elements; mask, if any, restricts what is touched.
func (g *gen) storeLanes(x lanes, at lir.Arg, mask *lanes) {
	d := x.d
	if mask != nil && !g.EVEX && d.Size() < 4 {
		g.storeOneByOne(x, at, stride{n: int64(d.Size())}, mask)
		return
	}
	half := g.Bytes / 2
	switch d {
	case dtype.Float64, dtype.Int64, dtype.Uint64:
		var m [2]lir.Reg
		if mask != nil {
			m = g.maskHalves(*mask, d)
		}
		g.storeReg(at, g.vr(x, 0), 8, m[0])
		g.storeReg(at.Plus(g.Bytes), g.vr(x, 1), 8, m[1])
	case dtype.Float32, dtype.Int32, dtype.Uint32:
		g.storeReg(at, g.vr(x, 0), 4, g.maskReg(mask))
	case dtype.Bool:
		g.storeBools(x, at, mask)
	case dtype.Float16:
		k, r := g.maskReg(mask), g.vr(x, 0)
		g.Use(asm.VCVTPS2PH, at.Sized(half), g.V(r), lir.Imm(0)).Masked(k, false)
	default:
		bits := g.pattern(x)
		k := g.maskReg(mask)
		switch {
		case g.EVEX && d.Size() == 1:
			g.Use(asm.VPMOVDB, at.Sized(16), g.V(g.vr(bits, 0))).Masked(k, false)
		case g.EVEX:
			g.Use(asm.VPMOVDW, at.Sized(32), g.V(g.vr(bits, 0))).Masked(k, false)
		default:
			w := g.NewVec()
			g.packWords(w, g.vr(bits, 0))
			if d.Size() == 2 {
				g.Use(asm.VMOVUPS, at.Sized(16), g.VW(w, 16))
				return
			}
			b := g.NewVec()
			g.Def(asm.VPACKUSWB, g.VW(b, 16), g.VW(w, 16), g.VW(w, 16))
			g.Use(asm.VMOVQ, at.Sized(8), g.VW(b, 16))
		}
	}
}

func (g *gen) storeReg(at lir.Arg, r lir.Reg, size int, mask lir.Reg) {
	switch {
	case mask == 0:
		g.Use(asm.VMOVUPS, at, g.V(r))
	case g.EVEX && size == 8:
		g.Use(asm.VMOVUPD, at, g.V(r)).Masked(mask, false)
	case g.EVEX:
		g.Use(asm.VMOVUPS, at, g.V(r)).Masked(mask, false)
	case size == 8:
		g.Use(asm.VMASKMOVPD, at, g.V(mask), g.V(r))
	default:
		g.Use(asm.VMASKMOVPS, at, g.V(mask), g.V(r))
	}
}

func (g *gen) storeBools(x lanes, at lir.Arg, mask *lanes) {
	k := g.vr(x, 0)
	if g.EVEX {
		r := g.NewVec()
		one := g.NewVec()
		g.Def(asm.VMOVDQU8, g.VW(one, 16), g.SplatConst(0x0101010101010101, 16))
		g.Def(asm.VMOVDQU8, g.VW(r, 16), g.VW(one, 16)).Masked(k, true)
		to := g.maskReg(mask)
		g.Use(asm.VMOVDQU8, at, g.VW(r, 16)).Masked(to, false)
		return
	}
	one := g.op1(asm.VPSRLD, dtype.Uint32, lanes{d: dtype.Uint32, r: [2]lir.Reg{k, k}}, lir.Imm(31))
	w, b := g.NewVec(), g.NewVec()
	g.packWords(w, one.r[0])
	g.Def(asm.VPACKUSWB, g.VW(b, 16), g.VW(w, 16), g.VW(w, 16))
	g.Use(asm.VMOVQ, at.Sized(8), g.VW(b, 16))
}

// laneBitsOf is a mask as bits in a general register.
func (g *gen) laneBitsOf(mask *lanes) lir.Reg {
	if mask == nil {
		return g.NewInt(1<<g.Lanes - 1)
	}
	r := g.NewReg(lir.GPR)
	if g.EVEX {
		g.Def(asm.KMOVW, g.R32(r), g.K(g.vr(*mask, 0)))
	} else {
		g.Def(asm.VMOVMSKPS, g.R32(r), g.V(g.vr(*mask, 0)))
	}
	return r
}

// eachLane runs f for every lane whose bit is set: lane is its number, at its place
// in memory, from base on, step apart.
func (g *gen) eachLane(mask *lanes, base lir.Arg, step stride, f func(lane, at lir.Reg)) {
	bits := g.CopyInt(g.laneBitsOf(mask))
	origin, by := g.NewReg(lir.GPR), g.NewReg(lir.GPR)
	g.Def(asm.LEA, g.R64(origin), base)
	if step.r != 0 {
		g.Move64(by, step.r)
	} else {
		g.SetImm(by, step.n)
	}
	top, end := g.NewLabel(), g.NewLabel()
	g.Use(asm.TEST, g.R64(bits), g.R64(bits))
	g.Jump(asm.JE, end)
	l := g.BeginLoop()
	g.Bind(top)
	lane, at := g.NewReg(lir.GPR), g.NewReg(lir.GPR)
	g.Def(asm.TZCNT, g.R64(lane), g.R64(bits))
	g.Move64(at, lane)
	g.RMW(asm.IMUL, g.R64(at), g.R64(by))
	g.RMW(asm.ADD, g.R64(at), g.R64(origin))
	f(lane, at)
	less := g.NewReg(lir.GPR)
	g.Def(asm.LEA, g.R64(less), lir.Mem(bits, -1))
	g.RMW(asm.AND, g.R64(bits), g.R64(less))
	g.Jump(asm.JNE, top)
	g.EndLoop(l)
	g.Bind(end)
}

// loadOneByOne gathers elements through general registers: on machines of today
// about as fast as gather instructions, for elements of any size, and it touches
// nothing but them.
func (g *gen) loadOneByOne(d dtype.DType, base lir.Arg, size int64, step stride, mask *lanes) lanes {
	tmp := g.Alloc(g.Lanes * int(size))
	zero := g.NewVec()
	g.ZeroVec(zero)
	for off := 0; off < g.Lanes*int(size); off += g.Bytes {
		g.Use(asm.VMOVUPS, lir.Frame(tmp+off), g.V(zero))
	}
	g.eachLane(mask, base, step, func(lane, at lir.Reg) {
		r := g.NewReg(lir.GPR)
		g.copyElement(int(size), r, lir.FrameIndex(lane, int(size), tmp), lir.Mem(at, 0))
	})
	return g.loadLanes(d, lir.Frame(tmp), nil)
}

// storeOneByOne scatters elements, in ascending order.
func (g *gen) storeOneByOne(x lanes, base lir.Arg, step stride, mask *lanes) {
	size := x.d.Size()
	tmp := g.Alloc(g.Lanes * size)
	g.storeLanes(x, lir.Frame(tmp), nil)
	g.eachLane(mask, base, step, func(lane, at lir.Reg) {
		r := g.NewReg(lir.GPR)
		g.copyElement(size, r, lir.Mem(at, 0), lir.FrameIndex(lane, size, tmp))
	})
}

// copyElement moves one element through r.
func (g *gen) copyElement(size int, r lir.Reg, to, from lir.Arg) {
	switch size {
	case 1:
		g.Def(asm.MOVZX, g.R32(r), from.Sized(1))
		g.Use(asm.MOV, to, g.R8(r))
	case 2:
		g.Def(asm.MOVZX, g.R32(r), from.Sized(2))
		g.Use(asm.MOV, to, g.R16(r))
	case 4:
		g.Def(asm.MOV, g.R32(r), from)
		g.Use(asm.MOV, to, g.R32(r))
	default:
		g.Def(asm.MOV, g.R64(r), from)
		g.Use(asm.MOV, to, g.R64(r))
	}
}

// loadStrided is a load whose lanes lie a stride apart, which is not one element.
func (n *nest) loadStrided(a *access, row lir.Arg, step stride, mask *lanes) lanes {
	return n.g.loadOneByOne(a.d, n.blockStart(row, step), int64(a.d.Size()), step, mask)
}

// blockStart is where the block at hand begins.
func (n *nest) blockStart(row lir.Arg, step stride) lir.Arg {
	g := n.g
	j := n.index[n.inner()]
	if n.off != 0 {
		j = g.BinInt(asm.ADD, j, lir.Imm(int64(n.off)))
	}
	return lir.Mem(g.plusStride(row.Base(), j, step), 0)
}

// read is the lanes of a kept tile in the block at hand; lanes outside what it holds
// are anything.
func (n *nest) read(b *buffer, m affine.Axes) lanes {
	g := n.g
	at, step := n.place(b, m)
	d := b.d
	switch step.n {
	case 0: // the same element in all lanes
		return g.loadCell(d, at)
	case int64(b.cell):
		return g.loadLanes(cellType(d), at, nil).as(d)
	case -int64(b.cell):
		return g.loadBackwards(cellType(d), n.blockStart(at, step)).as(d)
	}
	if n.tail == nil {
		return g.gatherCells(d, g.multiples(int(step.n)/b.cell), n.blockStart(at, step))
	}
	return g.loadOneByOne(cellType(d), n.blockStart(at, step), int64(b.cell), step, n.tail).as(d)
}

// loadBackwards reads contiguous elements of kept tiles, the first of which comes last in
// memory. At the end of a row lanes lie ahead of what is read: in the frame all the same,
// whose first words are no tile's.
func (g *gen) loadBackwards(d dtype.DType, at lir.Arg) lanes {
	at = at.Plus(-(g.Lanes - 1) * cellSize(d))
	if d == dtype.Bool {
		return g.cast(d, g.reversed(g.loadLanes(dtype.Uint8, at, nil)))
	}
	return g.reversed(g.loadLanes(d, at, nil))
}

// reversed is lanes in the opposite order.
func (g *gen) reversed(x lanes) lanes {
	size := 4 * halves(x.d)
	order := make([]byte, g.Bytes)
	for i := 0; i < len(order); i += 4 {
		from := len(order) - size - i + 2*(i%size)
		order[i] = byte(from / 4)
	}
	index := g.NewVec()
	g.loadReg(index, g.BytesConst(order), 4, 0)
	turn := func(r lir.Reg) lir.Reg {
		z := g.NewVec()
		g.Def(asm.VPERMD, g.V(z), g.V(index), g.V(r))
		return z
	}
	z := x
	z.r[0] = turn(x.r[halves(x.d)-1])
	z.r[1] = z.r[0]
	if wide(x.d) {
		z.r[1] = turn(x.r[0])
	}
	return z
}

// cellType is the dtype that a kept tile's memory has: that of its lanes.
func cellType(d dtype.DType) dtype.DType {
	switch {
	case d.IsPointer():
		return dtype.Int64
	case d.IsNarrow():
		return dtype.Float32
	case d.IsInt() && d != dtype.Bool && d.Bits() < 32:
		return dtype.Int32
	}
	return d
}

// loadCell is one element of a kept tile in all lanes.
func (g *gen) loadCell(d dtype.DType, at lir.Arg) lanes {
	return g.loadSplat(cellType(d), at).as(d)
}

// place is where a kept tile's lanes lie, and how far apart.
func (n *nest) place(b *buffer, m affine.Axes) (at lir.Arg, step stride) {
	g, st := n.g, &b.stride
	var row lir.Reg
	var deps uint
	for i := range b.shape.N {
		if m[i] >= 0 && int(m[i]) != n.inner() {
			deps |= 1 << m[i]
		}
	}
	for i := range b.shape.N {
		if m[i] >= 0 && int(m[i]) == n.inner() {
			step.n = int64(st[i] * b.cell)
		}
	}
	n.at(n.levelOf(deps), func() {
		row = g.NewReg(lir.GPR)
		g.Def(asm.LEA, g.R64(row), lir.Frame(b.off))
		for i := range b.shape.N {
			if m[i] >= 0 && int(m[i]) != n.inner() {
				row = g.plusStride(row, n.index[m[i]], stride{n: int64(st[i] * b.cell)})
			}
		}
	})
	if step.n == int64(b.cell) {
		return lir.MemIndex(row, n.index[n.inner()], b.cell, n.off*b.cell), step
	}
	return lir.Mem(row, 0), step
}

// write puts the lanes of the block at hand into a kept tile's memory.
func (n *nest) write(b *buffer, m affine.Axes, x lanes) {
	g := n.g
	at, step := n.place(b, m)
	x.d = cellType(b.d)
	if step.n == int64(b.cell) || len(n.dims) == 0 {
		g.storeLanes(x, at, n.tail)
		return
	}
	g.storeOneByOne(x, n.blockStart(at, step), step, n.tail)
}
