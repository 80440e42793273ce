package asm

import "encoding/binary"

// maxInst is the room that an emitter wants: 15 bytes by architecture, plus what le writes beyond.
const maxInst = 32

// encode appends in to the buffer, or records why it cannot.
func (a *Assembler) encode(in *Inst) {
	var e emitter
	if why := e.settle(in); why != "" {
		a.fail(in, why)
		return
	}
	if a.Only != 0 && e.features()&^a.Only != 0 {
		a.fail(in, "needs "+(e.features()&^a.Only).String())
		return
	}
	if e.lay == lRel {
		a.jump(in, &e.form)
		return
	}
	a.buf = grow(a.buf, maxInst)
	e.out = (*[maxInst]byte)(a.buf[len(a.buf) : len(a.buf)+maxInst])
	e.place(in)
	switch {
	case e.evex:
		e.putEVEX(in)
	case e.enc.is(vex):
		e.putVEX()
	default:
		e.putLegacy(in)
	}
	if !e.putImmediate(in) {
		a.fail(in, "immediate out of range")
		return
	}
	if e.ripAt != 0 {
		a.fixups = append(a.fixups, fixup{at: int32(len(a.buf) + e.ripAt), end: int32(len(a.buf) + e.n), target: e.m})
	}
	a.buf = a.buf[:len(a.buf)+e.n]
}

// grow returns b with room for n more bytes.
func grow(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b
	}
	nb := make([]byte, len(b), 2*cap(b)+1024)
	copy(nb, b)
	return nb
}

// emitter is one instruction on its way into the buffer.
type emitter struct {
	choice
	r, m, v Operand
	out     *[maxInst]byte
	n       int // bytes written
	ripAt   int // where a RIP-relative displacement lies; 0 = none
}

// place sorts the operands into the parts of the encoding.
func (e *emitter) place(in *Inst) {
	e.r, e.m, e.v = in.arg(e.at.r), in.arg(e.at.m), in.arg(e.at.v)
	if e.enc.hasExt() {
		e.r = Operand(e.enc.ext()) << 8
	}
}

func (e *emitter) b(x byte) {
	e.out[e.n&(maxInst-1)] = x
	e.n++
}

// bit is bit i of the number of register o.
func bit(o Operand, i uint) byte { return byte(o>>(8+i)) & 1 }

// indexBit is bit i of the index register of memory operand m; for registers it is bit 4 of their number when i is
// 3, which is where EVEX keeps it.
func indexBit(m Operand) byte {
	if m.IsMem() {
		return byte(m>>(16+3)) & 1
	}
	return bit(m, 4)
}

// putLegacy writes prefixes, opcode and ModRM of an instruction that is neither VEX nor EVEX.
func (e *emitter) putLegacy(in *Inst) {
	enc, op := e.enc, e.opcode
	if e.length == 0 {
		e.b(0x66)
	}
	if in.Lock {
		e.b(0xf0)
	}
	switch enc.pp() {
	case 2:
		e.b(0xf3)
	case 3:
		e.b(0xf2)
	}
	o := in.arg(e.at.o)
	rex := bit(e.r, 3)<<2 | rexXB(e.m) | bit(o, 3)
	if e.length == 2 {
		rex |= 8
	}
	if rex != 0 || needsREX(e.r) || needsREX(e.m) || needsREX(o) {
		e.b(0x40 | rex)
	}
	if m := enc.opcodeMap(); m != 0 {
		e.b(0x0f)
	}
	if enc.is(byteOp) && e.length == 3 {
		op &^= 1
	}
	e.b(op | o.num()&7)
	if e.m != None {
		e.putModRM(0)
	} else if e.lay == lFix {
		e.b(0xc0 | e.r.num()<<3)
	}
}

// rexXB is the X and B bits of a REX prefix for m.
func rexXB(m Operand) byte {
	if m.IsMem() {
		return indexBit(m)<<1 | bit(m, 3)
	}
	return bit(m, 3)
}

// needsREX reports whether o is spl, bpl, sil or dil, which exist only under a REX prefix.
func needsREX(o Operand) bool { return o.kind() == kR8 && o.num() >= 4 }

// putVEX writes the VEX prefix, opcode and ModRM.
func (e *emitter) putVEX() {
	enc, op := e.enc, e.opcode
	if enc.is(reverse) && e.m.IsReg() && bit(e.m, 3) > bit(e.r, 3) {
		e.r, e.m = e.m, e.r
		op, enc = e.reversed()
	}
	var w, l byte
	switch {
	case enc.is(wide):
		w = e.length >> 1
	default:
		l = e.length
	}
	if enc.is(vw1) {
		w = 1
	}
	if enc.is(vl1) {
		l = 1
	}
	r, b, x := bit(e.r, 3), bit(e.m, 3), byte(0)
	if e.m.IsMem() {
		x = indexBit(e.m)
	}
	low := ^e.v.num()&15<<3 | l<<2 | enc.pp()
	if enc.opcodeMap() == 1 && w|x|b == 0 {
		e.b(0xc5)
		e.b((r^1)<<7 | low)
	} else {
		e.b(0xc4)
		e.b((r^1)<<7 | (x^1)<<6 | (b^1)<<5 | enc.opcodeMap())
		e.b(w<<7 | low)
	}
	e.b(op)
	switch {
	case e.m != None:
		e.putModRM(0)
	case e.lay == lFix || e.lay == lR:
		e.b(0xc0 | e.r.num()&7<<3)
	}
}

// reversed is the opcode with the roles of reg and rm exchanged: the store form of a move, which saves a
// byte of VEX prefix when only the source is above 7.
func (f *form) reversed() (byte, encoding) {
	switch {
	case f.opcode == 0x6f:
		return 0x7f, f.enc
	case f.opcode == 0x7e: // vmovq
		return 0xd6, f.enc&^3 | p66
	}
	return f.opcode ^ 1, f.enc
}

// putEVEX writes the EVEX prefix, opcode and ModRM.
func (e *emitter) putEVEX(in *Inst) {
	enc := e.enc
	ll, b := e.length, byte(0)
	if e.bcast {
		b = 1
	}
	if in.Round != NoRounding {
		b = 1
		ll = byte(in.Round-RNE) & 3 // SAE comes out as 0
	}
	var w, z byte
	if enc.is(ew1) {
		w = 1
	}
	if in.Zeroing {
		z = 1
	}
	vHigh := bit(e.v, 4)
	if e.m.isVSIB() {
		vHigh = e.m.index() >> 4 & 1
	}
	p0 := (bit(e.r, 3)^1)<<7 | (indexBit(e.m)^1)<<6 | (bit(e.m, 3)^1)<<5 | (bit(e.r, 4)^1)<<4 | enc.opcodeMap()
	p1 := w<<7 | ^e.v.num()&15<<3 | 4 | enc.pp()
	p2 := z<<7 | ll<<5 | b<<4 | (vHigh^1)<<3 | in.Mask&7
	binary.LittleEndian.PutUint32(e.out[0:4], uint32(p2)<<24|uint32(p1)<<16|uint32(p0)<<8|0x62)
	e.out[4] = e.opcode
	e.n = 5
	unit := e.unit[e.length&3]
	if e.bcast {
		unit = e.bunit
	}
	e.putModRM(unit)
}

// putModRM writes ModRM, SIB and displacement; unit is the log2 of the scale of an 8-bit displacement.
func (e *emitter) putModRM(unit uint8) {
	r := e.r.num() & 7 << 3
	if !e.m.IsMem() {
		e.b(0xc0 | r | e.m.num()&7)
		return
	}
	base, disp := e.m.num(), e.m.val()
	mod, size := byte(0x80), 4
	switch {
	case base == noBase:
		mod = 0
	case base > noBase:
		e.b(r | 5)
		e.ripAt = e.n
		e.n += 4
		return
	case disp == 0 && base&7 != 5:
		mod, size = 0, 0
	case disp&(1<<unit-1) == 0 && disp>>unit == int32(int8(disp>>unit)):
		disp >>= unit
		mod, size = 0x40, 1
	}
	if e.m.index() == noIndex && base&7 != 4 && base != noBase && e.deco&dSIB == 0 {
		e.b(mod | r | base&7)
	} else {
		e.b(mod | r | 4)
		e.b(e.sib(base))
	}
	e.le(uint64(uint32(disp)), size)
}

func (e *emitter) sib(base byte) byte {
	x := byte(4)
	if e.m.index() != noIndex {
		x = e.m.index() & 7
	}
	if base == noBase {
		base = 5
	}
	return e.m.scaleLog()<<6 | x<<3 | base&7
}

// le writes the low size bytes of v; the rest of its eight bytes falls into the room behind and is overwritten.
func (e *emitter) le(v uint64, size int) {
	binary.LittleEndian.PutUint64(e.out[e.n&15:], v)
	e.n += size
}

// putImmediate writes the immediate, if the form has one, and reports whether it fits.
func (e *emitter) putImmediate(in *Inst) bool {
	if e.at.i == absent {
		return true
	}
	o := in.arg(e.at.i)
	if e.lay == lRVM4 {
		e.b(o.num() << 4)
		return true
	}
	v := o.val()
	switch e.pats[e.at.i&3] {
	case pIz:
		switch e.length {
		case 3:
			e.b(byte(v))
			return v >= -128 && v <= 255
		case 0:
			e.le(uint64(v), 2)
			return v >= -1<<15 && v < 1<<16
		}
		e.le(uint64(uint32(v)), 4)
	case pI64:
		e.le(in.Imm64, 8)
	default:
		e.b(byte(v))
	}
	return true
}
