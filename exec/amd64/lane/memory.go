package lane

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A block of lanes between registers and memory, in the elements' own type.

// Load reads contiguous elements; mask, if any, restricts what is touched, and
// lanes outside become 0.
func (g *Memory) Load(d dtype.DType, at lir.Arg, mask *Lanes) Lanes {
	switch {
	case d.Size() >= 4:
		return g.loadWide(d, at, mask)
	case mask != nil && !g.EVEX:
		return loadMasked(g, d, at, mask)
	}
	z := Lanes{D: d}
	half := g.Bytes / 2
	k := g.MaskReg(mask)
	switch d {
	case dtype.Bool:
		return g.loadBools(at, k)
	case dtype.Float16:
		r := g.NewVec()
		z.R, z.Quiet = [2]lir.Reg{r, r}, true
		g.Def(asm.VCVTPH2PS, g.V(r), at.Sized(half)).ZeroMasked(k)
		return z
	case dtype.BFloat16:
		r := g.NewVec()
		g.Def(asm.VPMOVZXWD, g.V(r), at.Sized(half)).ZeroMasked(k)
		return g.Op1(asm.VPSLLD, d, Lanes{D: d, R: [2]lir.Reg{r, r}}, lir.Imm(16))
	}
	o := map[dtype.DType]asm.Op{
		dtype.Int8: asm.VPMOVSXBD, dtype.Uint8: asm.VPMOVZXBD, dtype.Int16: asm.VPMOVSXWD, dtype.Uint16: asm.VPMOVZXWD,
		dtype.Float8E4NV: asm.VPMOVZXBD, dtype.Float8E5: asm.VPMOVZXBD,
	}[d]
	r := g.NewVec()
	z.R = [2]lir.Reg{r, r}
	g.Def(o, g.V(r), at.Sized(g.Lanes*d.Size())).ZeroMasked(k)
	if d.IsFP8() {
		return g.fromFloat8(d, z)
	}
	return z
}

// loadWide is Load of elements of 4 or 8 bytes.
func (g *Memory) loadWide(d dtype.DType, at lir.Arg, mask *Lanes) Lanes {
	z := EachHalf(d, func(int) lir.Reg { return g.NewVec() })
	if !Wide(d) {
		z.R[1] = z.R[0]
	}
	switch {
	case wholeParts(g, mask, z.D.Size()):
		loadFirst(g, z, at, mask.First, mask)
		return z
	case mask == nil || g.EVEX:
		g.loadRegs(z, at, mask)
		return z
	}
	ifFirst(g.Vectors, mask, func(n int) { loadFirst(g, z, at, n, mask) }, func(lir.Reg) { g.loadRegs(z, at, mask) })
	return z
}

// loadRegs fills lanes by an instruction for each register.
func (g *Memory) loadRegs(z Lanes, at lir.Arg, mask *Lanes) {
	if bytes := g.masked(mask); !Wide(z.D) && bytes < g.Bytes {
		g.Def(asm.VMOVUPS, g.VW(z.R[0], bytes), at.Sized(bytes)).Masked(g.MaskReg(mask), true)
		return
	} else if !Wide(z.D) {
		g.LoadReg(z.R[0], at, 4, g.MaskReg(mask))
		return
	}
	var m [2]lir.Reg
	if mask != nil {
		m = g.MaskHalves(*mask, z.D)
	}
	g.LoadReg(z.R[0], at, 8, m[0])
	g.LoadReg(z.R[1], at.Plus(g.Bytes), 8, m[1])
}

// masked is how many bytes of a register of 4-byte lanes an access moves under a mask: as many as the mask may let
// through, not all of which is no faster but for loads of what was stored just now, which wait for any store that they
// overlap. Without EVEX it is all.
func (g *Memory) masked(mask *Lanes) int {
	bytes := g.Bytes
	for g.EVEX && mask != nil && mask.Most > 0 && 4*mask.Most <= bytes/2 && bytes > 16 {
		bytes /= 2
	}
	return bytes
}

// LoadSplat is a scalar of type d in memory, in all lanes.
func (g *Memory) LoadSplat(d dtype.DType, a lir.Arg) Lanes {
	r := g.NewVec()
	z := Lanes{D: d, R: [2]lir.Reg{r, r}}
	switch d {
	case dtype.Float64, dtype.Int64, dtype.Uint64:
		g.Def(asm.VPBROADCASTQ, g.V(r), a)
	case dtype.Float32, dtype.Int32, dtype.Uint32:
		g.Def(asm.VPBROADCASTD, g.V(r), a)
	case dtype.Float16:
		t := g.NewVec()
		g.Def(asm.VPBROADCASTW, g.VW(t, g.Bytes/2), a)
		g.Def(asm.VCVTPH2PS, g.V(r), g.VW(t, g.Bytes/2))
		z.Quiet = true
	case dtype.BFloat16:
		t := g.NewVec()
		g.Def(asm.VPBROADCASTW, g.V(t), a)
		g.Def(asm.VPSLLD, g.V(r), g.V(t), lir.Imm(16))
	case dtype.Float8E4NV, dtype.Float8E5:
		bits := g.SplatInt(dtype.Uint32, g.LoadScalar(dtype.Uint8, a))
		return g.fromFloat8(d, bits)
	default: // bytes and int16 by way of a general register
		return g.SplatInt(d, g.LoadScalar(d, a))
	}
	return z
}

// LoadReg fills a vector register with elements of 4 or 8 bytes.
func (g *Memory) LoadReg(r lir.Reg, at lir.Arg, size int, mask lir.Reg) {
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
func (g *Memory) loadBools(at lir.Arg, mask lir.Reg) Lanes {
	t := g.NewVec()
	if g.EVEX {
		g.Def(asm.VMOVDQU8, g.VW(t, 16), at).ZeroMasked(mask)
		k := g.NewReg(lir.Mask)
		g.Def(asm.VPTESTMB, g.K(k), g.VW(t, 16), g.VW(t, 16))
		return Lanes{D: dtype.Bool, R: [2]lir.Reg{k}}
	}
	g.Def(asm.VPMOVZXBD, g.V(t), at.Sized(8))
	zero, r := g.NewVec(), g.NewVec()
	g.ZeroVec(zero)
	g.Def(asm.VPCMPGTD, g.V(r), g.V(t), g.V(zero))
	return Lanes{D: dtype.Bool, R: [2]lir.Reg{r}}
}

// Store writes contiguous elements; mask, if any, restricts what is touched.
func (g *Memory) Store(x Lanes, at lir.Arg, mask *Lanes) {
	d := x.D
	switch {
	case d.Size() >= 4 && wholeParts(g, mask, d.Size()):
		storeFirst(g, x, at, mask.First)
		return
	case mask == nil || g.EVEX:
	case d.Size() < 4:
		storeMasked(g, x, at, mask)
		return
	default:
		storeWhere(g, x, at, mask)
		return
	}
	g.storeRegs(x, at, mask)
}

// storeRegs is Store by an instruction for each register.
func (g *Memory) storeRegs(x Lanes, at lir.Arg, mask *Lanes) {
	d, half := x.D, g.Bytes/2
	switch d {
	case dtype.Float64, dtype.Int64, dtype.Uint64:
		var m [2]lir.Reg
		if mask != nil {
			m = g.MaskHalves(*mask, d)
		}
		g.StoreReg(at, g.Reg(x, 0), 8, m[0])
		g.StoreReg(at.Plus(g.Bytes), g.Reg(x, 1), 8, m[1])
	case dtype.Float32, dtype.Int32, dtype.Uint32:
		if bytes := g.masked(mask); bytes < g.Bytes {
			g.Use(asm.VMOVUPS, at.Sized(bytes), g.VW(g.Reg(x, 0), bytes)).Masked(g.MaskReg(mask), false)
			return
		}
		g.StoreReg(at, g.Reg(x, 0), 4, g.MaskReg(mask))
	case dtype.Bool:
		g.storeBools(x, at, mask)
	case dtype.Float16:
		k, r := g.MaskReg(mask), g.Reg(x, 0)
		g.Use(asm.VCVTPS2PH, at.Sized(half), g.V(r), lir.Imm(0)).Masked(k, false)
	default:
		g.storePattern(d, g.pattern(x), at, mask)
	}
}

// storePattern writes narrow elements that are held as bit patterns.
func (g *Memory) storePattern(d dtype.DType, bits Lanes, at lir.Arg, mask *Lanes) {
	k := g.MaskReg(mask)
	switch {
	case g.EVEX && d.Size() == 1:
		g.Use(asm.VPMOVDB, at.Sized(16), g.V(g.Reg(bits, 0))).Masked(k, false)
	case g.EVEX:
		g.Use(asm.VPMOVDW, at.Sized(32), g.V(g.Reg(bits, 0))).Masked(k, false)
	default:
		storeStart(g, at, packed(g, d.Size(), bits), g.Lanes*d.Size())
	}
}

// RoundsStored reports whether float32 lanes may be rounded to d as they are stored.
func RoundsStored(d dtype.DType) bool { return d == dtype.Float16 || d == dtype.BFloat16 }

// StoreAs is Store of elements of type d. Float32 lanes are rounded to float16 or bfloat16 as they are written: on the
// way they are not made float32 again.
func (g *Memory) StoreAs(d dtype.DType, x Lanes, at lir.Arg, mask *Lanes) {
	switch {
	case x.D == d:
		g.Store(x, at, mask)
	case x.Known:
		g.Store(ConvertConst(d, x), at, mask)
	case mask != nil && !g.EVEX:
		storeMasked(g, g.Normalize(d, x), at, mask)
	case d == dtype.Float16:
		g.Store(x.As(d), at, mask)
	case g.roundsBFloat():
		g.Use(asm.VMOVDQU16, at.Sized(g.Bytes/2), g.VW(g.bfloats(x), g.Bytes/2)).Masked(g.MaskReg(mask), false)
	default:
		g.storePattern(d, highWords(g.Values, x), at, mask)
	}
}

// roundsBFloat reports whether there is an instruction that rounds to bfloat16.
func (g *Memory) roundsBFloat() bool { return g.EVEX && cpu.Detected().Has(cpu.HasAVX512BF16) }

// bfloats is half a register of float32 lanes as that instruction rounds them. It takes subnormal numbers for zeros: a
// block that has any is rounded as on other processors.
func (g *Memory) bfloats(x Lanes) lir.Reg {
	z, half, done := g.NewVec(), g.Bytes/2, g.NewLabel()
	subnormal, r := g.NewMask(), g.Reg(x, 0)
	g.Def(asm.VFPCLASSPS, g.K(g.Reg(subnormal, 0)), g.V(r), lir.Imm(0x20))
	g.Def(asm.VCVTNEPS2BF16, g.VW(z, half), g.V(r))
	g.SkipUnlessAny(subnormal, done)
	g.Def(asm.VPMOVDW, g.VW(z, half), g.V(g.Reg(highWords(g.Values, x), 0)))
	g.Bind(done)
	return z
}

// highWords is float32 lanes as bit patterns of bfloat16.
func highWords(g *Values, x Lanes) Lanes {
	return g.Op1(asm.VPSRLD, dtype.Uint32, halfUp(g, x, false), lir.Imm(16))
}

// StreamAs is StoreAs by non-temporal stores of a full block, which lies at a multiple of a register's size.
func (g *Memory) StreamAs(d dtype.DType, x Lanes, at lir.Arg) {
	if x.D == d {
		for h := range Halves(d) {
			g.Use(asm.VMOVNTPS, at.Plus(h*g.Bytes), g.V(g.Reg(x, h)))
		}
		return
	}
	half := g.Bytes / 2
	r := g.NewVec()
	switch {
	case d == dtype.Float16:
		g.Def(asm.VCVTPS2PH, g.VW(r, half), g.V(g.Reg(x, 0)), lir.Imm(0))
	case g.roundsBFloat():
		r = g.bfloats(x)
	case g.EVEX:
		g.Def(asm.VPMOVDW, g.VW(r, half), g.V(g.Reg(highWords(g.Values, x), 0)))
	default:
		g.packWords(r, g.Reg(highWords(g.Values, x), 0))
	}
	g.Use(asm.VMOVNTPS, at.Sized(half), g.VW(r, half))
}

// StoreReg writes elements of 4 or 8 bytes, those that a mask lets through if there is one.
func (g *Memory) StoreReg(at lir.Arg, r lir.Reg, size int, mask lir.Reg) {
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

func (g *Memory) storeBools(x Lanes, at lir.Arg, mask *Lanes) {
	if g.EVEX {
		k, r := g.Reg(x, 0), g.NewVec()
		one := g.NewVec()
		g.Def(asm.VMOVDQU8, g.VW(one, 16), g.SplatConst(0x0101010101010101, 16))
		g.Def(asm.VMOVDQU8, g.VW(r, 16), g.VW(one, 16)).Masked(k, true)
		to := g.MaskReg(mask)
		g.Use(asm.VMOVDQU8, at, g.VW(r, 16)).Masked(to, false)
		return
	}
	storeStart(g, at, elements(g, x), g.Lanes)
}

// eachLane runs f for every lane whose bit is set: lane is its number, at its place
// in memory, from base on, step apart.
func (g *Memory) eachLane(mask *Lanes, base lir.Arg, step Stride, f func(lane, at lir.Reg)) {
	bits := g.CopyInt(g.MaskBits(mask))
	origin, by := g.NewReg(lir.GPR), g.NewReg(lir.GPR)
	g.Def(asm.LEA, g.R64(origin), base)
	if step.R != 0 {
		g.Move64(by, step.R)
	} else {
		g.SetImm(by, step.N)
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

// AllLanes writes f for every lane, whose place in memory is so many steps from base on.
func AllLanes(g *lir.Unit, base lir.Arg, step Stride, f func(lane int, at lir.Arg)) {
	someLanes(g, g.Lanes, base, step, f)
}

// someLanes is AllLanes for so many first ones.
func someLanes(g *lir.Unit, n int, base lir.Arg, step Stride, f func(lane int, at lir.Arg)) {
	by := step.R
	if by == 0 && step.N != int64(int32(step.N*int64(g.Lanes))/int32(g.Lanes)) {
		by = g.NewInt(step.N)
	}
	at := g.NewReg(lir.GPR)
	g.Def(asm.LEA, g.R64(at), base)
	for i := range n {
		switch {
		case by == 0:
			f(i, lir.Mem(at, i*int(step.N)))
		case i%2 == 0:
			f(i, lir.Mem(at, 0))
		default:
			f(i, lir.MemIndex(at, by, 1, 0))
			next := g.NewReg(lir.GPR)
			g.Def(asm.LEA, g.R64(next), lir.MemIndex(at, by, 2, 0))
			at = next
		}
	}
}

// LoadOneByOne gathers elements of any size that a mask lets through, and touches nothing but them; others are 0.
func (g *Memory) LoadOneByOne(d dtype.DType, base lir.Arg, size int64, step Stride, mask *Lanes) Lanes {
	if g.EVEX {
		return loadLanes(g, d, base, step, mask)
	}
	tmp := g.Alloc(g.Lanes * int(size))
	if size >= 4 || mask == nil {
		copyMasked(g, tmp, base, int(size), step, mask)
		return g.Load(d, lir.Frame(tmp), nil)
	}
	x := g.NewVec()
	ifFirst(g.Vectors, mask, func(n int) {
		var places []lir.Arg
		someLanes(g.Unit, n, base, step, func(_ int, at lir.Arg) { places = append(places, at.Sized(int(size))) })
		together(g, x, int(size), n, func(i int) lir.Arg { return places[i] })
	}, func(lir.Reg) {
		copyMasked(g, tmp, base, int(size), step, mask)
		loadStart(g, x, lir.Frame(tmp), g.Lanes*int(size))
	})
	return g.Load(d, g.VW(x, 16), nil)
}

// loadLanes is LoadOneByOne by loads to all lanes under masks of a single one.
func loadLanes(g *Memory, d dtype.DType, base lir.Arg, step Stride, mask *Lanes) Lanes {
	o := map[int]asm.Op{1: asm.VPBROADCASTB, 2: asm.VPBROADCASTW, 4: asm.VPBROADCASTD, 8: asm.VPBROADCASTQ}[d.Size()]
	z := EachHalf(d, func(int) lir.Reg {
		r := g.NewVec()
		g.ZeroVec(r)
		return r
	})
	one, width := g.NewInt(1), min(g.Lanes*d.Size(), g.Bytes)
	g.eachLane(mask, base, step, func(lane, at lir.Reg) {
		bit, k := g.NewReg(lir.GPR), g.NewReg(lir.Mask)
		g.Def(asm.SHLX, g.R64(bit), g.R64(one), g.R64(lane))
		g.Def(asm.KMOVW, g.K(k), g.R32(bit))
		there := g.MaskHalves(Lanes{D: dtype.Bool, R: [2]lir.Reg{k}}, d)
		for i := range Halves(d) {
			g.Def(o, g.VW(z.R[i], width), lir.Mem(at, 0).Sized(d.Size())).Masked(there[i], false)
		}
	})
	switch d.Size() {
	case 4:
		z.R[1] = z.R[0]
	case 1, 2:
		return g.Load(d, g.VW(z.R[0], width), nil)
	}
	return z
}

// copyMasked copies the elements of lanes that a mask lets through into the frame, and zeros for the others.
func copyMasked(g *Memory, tmp int, base lir.Arg, size int, step Stride, mask *Lanes) {
	zero := g.NewVec()
	g.ZeroVec(zero)
	for off := 0; off < g.Lanes*size; off += g.Bytes {
		g.Use(asm.VMOVUPS, lir.Frame(tmp+off), g.V(zero))
	}
	g.eachLane(mask, base, step, func(lane, at lir.Reg) {
		g.CopyElement(size, g.NewReg(lir.GPR), lir.FrameIndex(lane, size, tmp), lir.Mem(at, 0))
	})
}

// StoreOneByOne scatters elements, in ascending order.
func (g *Memory) StoreOneByOne(x Lanes, base lir.Arg, step Stride, mask *Lanes) {
	size := x.D.Size()
	tmp := g.Alloc(g.Lanes * size)
	g.Store(x, lir.Frame(tmp), nil)
	first := func(n int) {
		var word lir.Reg
		someLanes(g.Unit, n, base, step, func(i int, at lir.Arg) {
			if off := i * size; off%8 == 0 {
				word = g.LoadInt(lir.Frame(tmp + off))
			} else {
				g.RMW(asm.SHR, g.R64(word), lir.Imm(int64(8*size)))
			}
			g.StoreInt(size, at, word)
		})
	}
	some := func(lir.Reg) {
		g.eachLane(mask, base, step, func(lane, at lir.Reg) {
			r := g.NewReg(lir.GPR)
			g.CopyElement(size, r, lir.Mem(at, 0), lir.FrameIndex(lane, size, tmp))
		})
	}
	switch {
	case mask == nil:
		first(g.Lanes)
	case g.EVEX:
		some(0)
	default:
		ifFirst(g.Vectors, mask, first, some)
	}
}

// StoreFirst stores the first lane as an element of a type.
func (g *Memory) StoreFirst(d dtype.DType, x Lanes, at lir.Arg) {
	if d.Size() >= 4 && x.D == d {
		g.StoreCell(x, at)
		return
	}
	tmp := g.Alloc(g.Lanes * d.Size())
	g.StoreAs(d, x, lir.Frame(tmp), nil)
	g.CopyElement(d.Size(), g.NewReg(lir.GPR), at, lir.Frame(tmp))
}

// StoreInt stores the lowest bytes of a general register.
func (g *Memory) StoreInt(size int, at lir.Arg, r lir.Reg) {
	g.Use(asm.MOV, at, map[int]lir.Arg{1: g.R8(r), 2: g.R16(r), 4: g.R32(r), 8: g.R64(r)}[size])
}

// CopyElement moves one element through r.
func (g *Memory) CopyElement(size int, r lir.Reg, to, from lir.Arg) {
	switch size {
	case 1:
		g.Def(asm.MOVZX, g.R32(r), from.Sized(1))
	case 2:
		g.Def(asm.MOVZX, g.R32(r), from.Sized(2))
	case 4:
		g.Def(asm.MOV, g.R32(r), from)
	default:
		g.Def(asm.MOV, g.R64(r), from)
	}
	g.StoreInt(size, to, r)
}

// LoadBackwards reads contiguous elements of size bytes, the first of which comes last in memory. Without a mask all
// lanes are read: at the end of a row of a kept tile some lie ahead of it, in the frame all the same, whose first words
// are no tile's.
func (g *Memory) LoadBackwards(d dtype.DType, size int, at lir.Arg, mask *Lanes) Lanes {
	at = at.Plus(-(g.Lanes - 1) * size)
	if mask != nil {
		turned := g.reversed(*mask)
		mask = &turned
	}
	if d == dtype.Bool {
		u := dtype.Uint8
		return g.Compare(op.Ne, u, g.reversed(g.Load(u, at, mask)), Const(u, 0))
	}
	return g.reversed(g.Load(d, at, mask))
}

// StoreBackwards writes contiguous elements, the first of which comes last in memory.
func (g *Memory) StoreBackwards(x Lanes, at lir.Arg, mask *Lanes) {
	if mask != nil {
		turned := g.reversed(*mask)
		mask = &turned
	}
	g.Store(g.reversed(x), at.Plus(-(g.Lanes-1)*x.D.Size()), mask)
}

// LoadCell is one element of a kept tile in all lanes.
func (g *Memory) LoadCell(d dtype.DType, at lir.Arg) Lanes {
	return g.LoadSplat(CellType(d), at).As(d)
}

// LoadEqualBool is a bool in memory in all lanes, or what other is in all lanes if no
// lane is let through.
func (g *Memory) LoadEqualBool(mask, other Lanes, at lir.Arg) Lanes {
	bits := g.CopyInt(g.MaskBits(&other))
	g.RMW(asm.AND, g.R64(bits), lir.Imm(1))
	skip := g.NewLabel()
	g.SkipUnlessAny(mask, skip)
	g.Def(asm.MOVZX, g.R32(bits), at.Sized(1))
	g.Bind(skip)
	return g.SplatBool(g.SetIf(asm.SETNE, bits, lir.Imm(0)))
}

// StoreCell writes the first lane of a kept tile's element.
func (g *Memory) StoreCell(x Lanes, at lir.Arg) {
	if x.D == dtype.Bool {
		r := g.FirstInt(x)
		g.Use(asm.MOV, at, g.R8(r))
		return
	}
	g.Use(bothOps{asm.VMOVSS, asm.VMOVSD}.of(x.D), at, g.VW(g.Reg(x, 0), 16))
}

// PlusStride is base + index·stride.
func (g *Memory) PlusStride(base, index lir.Reg, s Stride) lir.Reg {
	if s.R == 0 && s.N == 0 {
		return base
	}
	t, by := g.NewReg(lir.GPR), s.R
	if by == 0 && s.N != int64(int32(s.N)) {
		by = g.NewInt(s.N)
	}
	if by != 0 {
		g.Move64(t, index)
		g.RMW(asm.IMUL, g.R64(t), g.R64(by))
	} else {
		g.Def(asm.IMUL, g.R64(t), g.R64(index), lir.Imm(s.N))
	}
	g.RMW(asm.ADD, g.R64(t), g.R64(base))
	return t
}

// A Stride is a constant, or a register.
type Stride struct {
	N int64
	R lir.Reg
}
