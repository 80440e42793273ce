package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A block of lanes between registers and memory, in the elements' own type.

// loadLanes reads contiguous elements; mask, if any, restricts what is touched, and
// lanes outside become 0.
func (g *gen) loadLanes(d dtype.DType, at arg, mask *lanes) lanes {
	if mask != nil && !g.avx512 && d.Size() < 4 {
		return g.loadOneByOne(d, at, int64(d.Size()), stride{n: int64(d.Size())}, mask)
	}
	z := lanes{d: d}
	half := int(g.wide) / 2
	k := g.maskReg(mask)
	switch d {
	case dtype.Float64, dtype.Int64, dtype.Uint64:
		z.r[0], z.r[1] = g.newVec(), g.newVec()
		var m [2]reg
		if mask != nil {
			m = g.maskHalves(*mask, d)
		}
		g.loadReg(z.r[0], at, 8, m[0])
		g.loadReg(z.r[1], at.plus(int(g.wide)), 8, m[1])
		return z
	case dtype.Float32, dtype.Int32, dtype.Uint32:
		r := g.newVec()
		g.loadReg(r, at, 4, k)
		z.r = [2]reg{r, r}
		return z
	case dtype.Bool:
		return g.loadBools(at, k)
	case dtype.Float16:
		r := g.newVec()
		z.r, z.quiet = [2]reg{r, r}, true
		g.def(asm.VCVTPH2PS, g.v(r), at.sized(half)).zeroMasked(k)
		return z
	case dtype.BFloat16:
		r := g.newVec()
		g.def(asm.VPMOVZXWD, g.v(r), at.sized(half)).zeroMasked(k)
		return g.op1(asm.VPSLLD, d, lanes{d: d, r: [2]reg{r, r}}, imm(16))
	}
	o := map[dtype.DType]asm.Op{
		dtype.Int8: asm.VPMOVSXBD, dtype.Uint8: asm.VPMOVZXBD, dtype.Int16: asm.VPMOVSXWD, dtype.Uint16: asm.VPMOVZXWD,
		dtype.Float8E4NV: asm.VPMOVZXBD, dtype.Float8E5: asm.VPMOVZXBD,
	}[d]
	r := g.newVec()
	z.r = [2]reg{r, r}
	g.def(o, g.v(r), at.sized(g.step()*d.Size())).zeroMasked(k)
	if d.IsFP8() {
		return g.fromFloat8(d, z)
	}
	return z
}

// plus is memory further on.
func (a arg) plus(bytes int) arg { a.n += int64(bytes); return a }

// maskReg is the register of a mask that may be absent.
func (g *gen) maskReg(mask *lanes) reg {
	if mask == nil {
		return 0
	}
	return g.vr(*mask, 0)
}

// zeroMasked puts a load under a mask, if there is one, on AVX-512.
func (i *inst) zeroMasked(k reg) { i.mask, i.zero = k, k != 0 }

// loadReg fills a vector register with elements of 4 or 8 bytes.
func (g *gen) loadReg(r reg, at arg, size int, mask reg) {
	switch {
	case mask == 0:
		g.def(asm.VMOVUPS, g.v(r), at)
	case g.avx512 && size == 8:
		g.def(asm.VMOVUPD, g.v(r), at).masked(mask, true)
	case g.avx512:
		g.def(asm.VMOVUPS, g.v(r), at).masked(mask, true)
	case size == 8:
		g.def(asm.VMASKMOVPD, g.v(r), g.v(mask), at)
	default:
		g.def(asm.VMASKMOVPS, g.v(r), g.v(mask), at)
	}
}

// loadBools makes a mask of bytes that are not 0.
func (g *gen) loadBools(at arg, mask reg) lanes {
	t := g.newVec()
	if g.avx512 {
		g.def(asm.VMOVDQU8, g.vw(t, 16), at).zeroMasked(mask)
		k := g.newReg(kmask)
		g.def(asm.VPTESTMB, g.k(k), g.vw(t, 16), g.vw(t, 16))
		return lanes{d: dtype.Bool, r: [2]reg{k}}
	}
	g.def(asm.VPMOVZXBD, g.v(t), at.sized(8))
	zero, r := g.newVec(), g.newVec()
	g.zeroVec(zero)
	g.def(asm.VPCMPGTD, g.v(r), g.v(t), g.v(zero))
	return lanes{d: dtype.Bool, r: [2]reg{r}}
}

// storeLanes writes contiguous elements; mask, if any, restricts what is touched.
func (g *gen) storeLanes(x lanes, at arg, mask *lanes) {
	d := x.d
	if mask != nil && !g.avx512 && d.Size() < 4 {
		g.storeOneByOne(x, at, stride{n: int64(d.Size())}, mask)
		return
	}
	half := int(g.wide) / 2
	switch d {
	case dtype.Float64, dtype.Int64, dtype.Uint64:
		var m [2]reg
		if mask != nil {
			m = g.maskHalves(*mask, d)
		}
		g.storeReg(at, g.vr(x, 0), 8, m[0])
		g.storeReg(at.plus(int(g.wide)), g.vr(x, 1), 8, m[1])
	case dtype.Float32, dtype.Int32, dtype.Uint32:
		g.storeReg(at, g.vr(x, 0), 4, g.maskReg(mask))
	case dtype.Bool:
		g.storeBools(x, at, mask)
	case dtype.Float16:
		k, r := g.maskReg(mask), g.vr(x, 0)
		g.use(asm.VCVTPS2PH, at.sized(half), g.v(r), imm(0)).mask = k
	default:
		bits := g.pattern(x)
		k := g.maskReg(mask)
		switch {
		case g.avx512 && d.Size() == 1:
			g.use(asm.VPMOVDB, at.sized(16), g.v(g.vr(bits, 0))).mask = k
		case g.avx512:
			g.use(asm.VPMOVDW, at.sized(32), g.v(g.vr(bits, 0))).mask = k
		default:
			w := g.newVec()
			g.packWords(w, g.vr(bits, 0))
			if d.Size() == 2 {
				g.use(asm.VMOVUPS, at.sized(16), g.vw(w, 16))
				return
			}
			b := g.newVec()
			g.def(asm.VPACKUSWB, g.vw(b, 16), g.vw(w, 16), g.vw(w, 16))
			g.use(asm.VMOVQ, at.sized(8), g.vw(b, 16))
		}
	}
}

func (g *gen) storeReg(at arg, r reg, size int, mask reg) {
	switch {
	case mask == 0:
		g.use(asm.VMOVUPS, at, g.v(r))
	case g.avx512 && size == 8:
		g.use(asm.VMOVUPD, at, g.v(r)).mask = mask
	case g.avx512:
		g.use(asm.VMOVUPS, at, g.v(r)).mask = mask
	case size == 8:
		g.use(asm.VMASKMOVPD, at, g.v(mask), g.v(r))
	default:
		g.use(asm.VMASKMOVPS, at, g.v(mask), g.v(r))
	}
}

func (g *gen) storeBools(x lanes, at arg, mask *lanes) {
	k := g.vr(x, 0)
	if g.avx512 {
		r := g.newVec()
		one := g.newVec()
		g.def(asm.VMOVDQU8, g.vw(one, 16), g.splatConst(0x0101010101010101, 16))
		i := g.def(asm.VMOVDQU8, g.vw(r, 16), g.vw(one, 16))
		i.mask, i.zero = k, true
		to := g.maskReg(mask)
		g.use(asm.VMOVDQU8, at, g.vw(r, 16)).mask = to
		return
	}
	one := g.op1(asm.VPSRLD, dtype.Uint32, lanes{d: dtype.Uint32, r: [2]reg{k, k}}, imm(31))
	w, b := g.newVec(), g.newVec()
	g.packWords(w, one.r[0])
	g.def(asm.VPACKUSWB, g.vw(b, 16), g.vw(w, 16), g.vw(w, 16))
	g.use(asm.VMOVQ, at.sized(8), g.vw(b, 16))
}

// laneBitsOf is a mask as bits in a general register.
func (g *gen) laneBitsOf(mask *lanes) reg {
	if mask == nil {
		return g.newInt(1<<g.step() - 1)
	}
	r := g.newReg(gpr)
	if g.avx512 {
		g.def(asm.KMOVW, g.r32(r), g.k(g.vr(*mask, 0)))
	} else {
		g.def(asm.VMOVMSKPS, g.r32(r), g.v(g.vr(*mask, 0)))
	}
	return r
}

// eachLane runs f for every lane whose bit is set: lane is its number, at its place
// in memory, from base on, step apart.
func (g *gen) eachLane(mask *lanes, base arg, step stride, f func(lane, at reg)) {
	bits := g.copyInt(g.laneBitsOf(mask))
	origin, by := g.newReg(gpr), g.newReg(gpr)
	g.def(asm.LEA, g.r64(origin), base)
	if step.r != 0 {
		g.move64(by, step.r)
	} else {
		g.setImm(by, step.n)
	}
	top, end := g.newLabel(), g.newLabel()
	g.use(asm.TEST, g.r64(bits), g.r64(bits))
	g.jump(asm.JE, end)
	l := g.beginLoop()
	g.bind(top)
	lane, at := g.newReg(gpr), g.newReg(gpr)
	g.def(asm.TZCNT, g.r64(lane), g.r64(bits))
	g.move64(at, lane)
	g.rmw(asm.IMUL, g.r64(at), g.r64(by))
	g.rmw(asm.ADD, g.r64(at), g.r64(origin))
	f(lane, at)
	less := g.newReg(gpr)
	g.def(asm.LEA, g.r64(less), mem(bits, -1))
	g.rmw(asm.AND, g.r64(bits), g.r64(less))
	g.jump(asm.JNE, top)
	g.endLoop(l)
	g.bind(end)
}

// loadOneByOne gathers elements through general registers: on machines of today
// about as fast as gather instructions, for elements of any size, and it touches
// nothing but them.
func (g *gen) loadOneByOne(d dtype.DType, base arg, size int64, step stride, mask *lanes) lanes {
	tmp := g.alloc(g.step() * int(size))
	zero := g.newVec()
	g.zeroVec(zero)
	for off := 0; off < g.step()*int(size); off += int(g.wide) {
		g.use(asm.VMOVUPS, frameAt(tmp+off), g.v(zero))
	}
	g.eachLane(mask, base, step, func(lane, at reg) {
		r := g.newReg(gpr)
		g.copyElement(int(size), r, frameIndex(lane, int(size), tmp), mem(at, 0))
	})
	return g.loadLanes(d, frameAt(tmp), nil)
}

// storeOneByOne scatters elements, in ascending order.
func (g *gen) storeOneByOne(x lanes, base arg, step stride, mask *lanes) {
	size := x.d.Size()
	tmp := g.alloc(g.step() * size)
	g.storeLanes(x, frameAt(tmp), nil)
	g.eachLane(mask, base, step, func(lane, at reg) {
		r := g.newReg(gpr)
		g.copyElement(size, r, mem(at, 0), frameIndex(lane, size, tmp))
	})
}

// copyElement moves one element through r.
func (g *gen) copyElement(size int, r reg, to, from arg) {
	switch size {
	case 1:
		g.def(asm.MOVZX, g.r32(r), from.sized(1))
		g.use(asm.MOV, to, g.r8(r))
	case 2:
		g.def(asm.MOVZX, g.r32(r), from.sized(2))
		g.use(asm.MOV, to, g.r16(r))
	case 4:
		g.def(asm.MOV, g.r32(r), from)
		g.use(asm.MOV, to, g.r32(r))
	default:
		g.def(asm.MOV, g.r64(r), from)
		g.use(asm.MOV, to, g.r64(r))
	}
}

// loadStrided is a load whose lanes lie a stride apart, which is not one element.
func (n *nest) loadStrided(a *access, row arg, step stride, mask *lanes) lanes {
	return n.g.loadOneByOne(a.d, n.blockStart(row, step), int64(a.d.Size()), step, mask)
}

// blockStart is where the block at hand begins.
func (n *nest) blockStart(row arg, step stride) arg {
	g := n.g
	j := n.index[n.inner()]
	if n.off != 0 {
		j = g.binInt(asm.ADD, j, imm(int64(n.off)))
	}
	return mem(g.plusStride(row.r, j, step), 0)
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
func (g *gen) loadBackwards(d dtype.DType, at arg) lanes {
	at = at.plus(-(g.step() - 1) * cellSize(d))
	if d == dtype.Bool {
		return g.cast(d, g.reversed(g.loadLanes(dtype.Uint8, at, nil)))
	}
	return g.reversed(g.loadLanes(d, at, nil))
}

// reversed is lanes in the opposite order.
func (g *gen) reversed(x lanes) lanes {
	size := 4 * halves(x.d)
	order := make([]byte, g.wide)
	for i := 0; i < len(order); i += 4 {
		from := len(order) - size - i + 2*(i%size)
		order[i] = byte(from / 4)
	}
	index := g.newVec()
	g.loadReg(index, g.bytesConst(order), 4, 0)
	turn := func(r reg) reg {
		z := g.newVec()
		g.def(asm.VPERMD, g.v(z), g.v(index), g.v(r))
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
func (g *gen) loadCell(d dtype.DType, at arg) lanes {
	return g.loadSplat(cellType(d), at).as(d)
}

// place is where a kept tile's lanes lie, and how far apart.
func (n *nest) place(b *buffer, m affine.Axes) (at arg, step stride) {
	g, st := n.g, &b.stride
	var row reg
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
		row = g.newReg(gpr)
		g.def(asm.LEA, g.r64(row), frameAt(b.off))
		for i := range b.shape.N {
			if m[i] >= 0 && int(m[i]) != n.inner() {
				row = g.plusStride(row, n.index[m[i]], stride{n: int64(st[i] * b.cell)})
			}
		}
	})
	if step.n == int64(b.cell) {
		return memIndex(row, n.index[n.inner()], b.cell, n.off*b.cell), step
	}
	return mem(row, 0), step
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
