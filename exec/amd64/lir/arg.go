package lir

import (
	"encoding/binary"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/regalloc"
)

// Reg is a virtual register; 0 is none.
type Reg = regalloc.Reg

// Classes of registers.
const (
	GPR  regalloc.Class = iota // 64-bit general
	Vec                        // vector, of the tier's width
	Mask                       // mask, AVX-512 only
	numClasses
)

// argKind is what an instruction operand is.
type argKind uint8

const (
	noArg argKind = iota
	regArg
	memArg   // base + index*scale + disp
	frameArg // the frame + disp
	immArg
	constArg // an entry of the constant pool
	tileArg  // tile register n
)

// Arg is an operand: compact, copied freely.
type Arg struct {
	kind  argKind
	width uint8 // of a register, in units of 8 bits: 1, 2, 4, 8, 16, 32, 64
	size  uint8 // of memory, in bytes, where it must be stated
	scale uint8
	bcast bool
	r     Reg // register, or base
	index Reg
	n     int64 // displacement, immediate, or pool index
}

// R64, R32, R16 and R8 are a general register's low bits.
func (t *Tier) R64(r Reg) Arg { return t.VW(r, 8) }
func (t *Tier) R32(r Reg) Arg { return t.VW(r, 4) }
func (t *Tier) R16(r Reg) Arg { return t.VW(r, 2) }
func (t *Tier) R8(r Reg) Arg  { return t.VW(r, 1) }

// V is a vector register at full width; VW any register at a given width in bytes; K a mask.
func (t *Tier) V(r Reg) Arg         { return Arg{kind: regArg, width: uint8(t.Bytes), r: r} }
func (t *Tier) VW(r Reg, w int) Arg { return Arg{kind: regArg, width: uint8(w), r: r} }
func (t *Tier) K(r Reg) Arg         { return t.VW(r, 2) }

// Tile is tile register n.
func Tile(n int) Arg { return Arg{kind: tileArg, n: int64(n)} }

// Base is the register that an address begins with.
func (a Arg) Base() Reg { return a.r }

// Indexed reports whether an address has an index.
func (a Arg) Indexed() bool { return a.index != 0 }

// isReg is the register that an operand is.
func (a Arg) isReg() (r Reg, ok bool) { return a.r, a.kind == regArg }

// IsImm is the number that an operand is.
func (a Arg) IsImm() (n int64, ok bool) { return a.n, a.kind == immArg }

// Imm is a constant.
func Imm(n int64) Arg { return Arg{kind: immArg, n: n} }

// Mem is memory at base + disp, MemIndex at base + index·scale + disp.
func Mem(base Reg, disp int) Arg { return Arg{kind: memArg, r: base, scale: 1, n: int64(disp)} }

func MemIndex(base, index Reg, scale, disp int) Arg {
	return Arg{kind: memArg, r: base, index: index, scale: uint8(scale), n: int64(disp)}
}

// Frame is memory in the frame at a fixed offset, FrameIndex with an index.
func Frame(disp int) Arg { return Arg{kind: frameArg, n: int64(disp), scale: 1} }

func FrameIndex(index Reg, scale, disp int) Arg {
	return Arg{kind: frameArg, index: index, scale: uint8(scale), n: int64(disp)}
}

// Plus is memory further on.
func (a Arg) Plus(bytes int) Arg { a.n += int64(bytes); return a }

// Sized says how many bytes memory is.
func (a Arg) Sized(bytes int) Arg { a.size = uint8(bytes); return a }

// ToAll is one element in memory, of so many bytes, for all lanes.
func (a Arg) ToAll(bytes int) Arg { a.bcast = true; return a.Sized(bytes) }

// A pool makes operands: registers at the tier's widths, and constants, which it keeps.
type pool struct {
	*Tier
	consts []poolConst
}

// Const32 and Const64 are a constant repeated over a vector: an embedded broadcast
// where the tier has it, a whole vector in the pool where it has not.
func (p *pool) Const32(bits uint32) Arg {
	if p.EVEX {
		a := p.Constant(uint64(bits), 4)
		a.bcast = true
		return a
	}
	return p.SplatConst(uint64(bits)|uint64(bits)<<32, 32)
}

func (p *pool) Const64(bits uint64) Arg {
	if p.EVEX {
		a := p.Constant(bits, 8)
		a.bcast = true
		return a
	}
	return p.SplatConst(bits, 32)
}

// Constant is size bytes of a little-endian number in the pool.
func (p *pool) Constant(bits uint64, size int) Arg {
	var c poolConst
	for i := range size {
		c.data[i] = byte(bits >> (8 * i))
	}
	c.size = size
	return p.pooled(c)
}

// SplatConst is 8 bytes repeated over size bytes.
func (p *pool) SplatConst(bits uint64, size int) Arg {
	var c poolConst
	for i := range size {
		c.data[i] = byte(bits >> (8 * (i % 8)))
	}
	c.size = size
	return p.pooled(c)
}

// BytesConst is a vector constant given in full.
func (p *pool) BytesConst(b []byte) Arg {
	var c poolConst
	c.size = copy(c.data[:], b)
	return p.pooled(c)
}

// Words is a register of 4-byte constants, by lane.
func Words(u *Unit, of func(i int) int) Reg {
	b, r := make([]byte, u.Bytes), u.NewReg(Vec)
	for i := range u.Bytes / 4 {
		binary.LittleEndian.PutUint32(b[4*i:], uint32(of(i)))
	}
	u.Def(asm.VMOVUPS, u.V(r), u.BytesConst(b))
	return r
}

func (p *pool) pooled(c poolConst) Arg {
	for i, have := range p.consts {
		if have == c {
			return Arg{kind: constArg, n: int64(i)}
		}
	}
	p.consts = append(p.consts, c)
	return Arg{kind: constArg, n: int64(len(p.consts) - 1)}
}

type poolConst struct {
	data [64]byte
	size int
}
