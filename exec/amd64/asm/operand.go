package asm

import "math/bits"

// Operand is a register, a memory reference, an immediate or a label. It is one word, so
// registers are constants and operands travel in machine registers. The zero value is "no operand".
//
// Layout, from the low end:
//
//	bits 0-7    kind
//	bits 8-15   register number; for memory the base: 0-15, or noBase, baseConst, baseLabel
//	bits 16-23  memory: index register number, or noIndex
//	bits 24-25  memory: log2 of the scale
//	bits 26-28  memory: log2 of N in {1toN}; 0 = to be inferred
//	bit 29      memory: broadcast
//	bits 30-31  memory: log2 of the size of the element in a broadcast, less 1; 0 = not stated
//	bits 32-63  displacement, immediate, constant number or label number
type Operand uint64

// kind classifies an operand as far as choosing a form needs to know.
type kind uint8

const (
	kNone kind = iota
	kR8
	kR16
	kR32
	kR64
	kX
	kY
	kZ
	kK
	kT
	kImm1    // the immediate 1
	kImm8    // any other that fits a signed byte
	kImmU8   // 128..255
	kImm     // any other that fits a signed 32-bit word
	kMem     // memory of unstated size
	kMem1    // memory of 1 byte
	kMem2    // 2 bytes
	kMem4    // 4 bytes
	kMem8    // 8 bytes
	kMem16   // 16 bytes
	kMem32   // 32 bytes
	kMem64   // 64 bytes
	kBcast   // memory, one element repeated
	kVX      // memory, xmm index
	kVY      // memory, ymm index
	kVZ      // memory, zmm index
	kLabel   // jump target
	kInvalid // built from nonsense; no form takes it
	numKinds
)

// kindSlots is the size of tables indexed by kind; Operand.kind cannot exceed it.
const kindSlots = 32

const (
	noBase    = 32 // never has bit 4 set: that bit means "register 16-31"
	baseConst = 33 // RIP-relative, displacement field holds a constant's number
	baseLabel = 34 // RIP-relative, displacement field holds a label's number
	noIndex   = 32
	bcastBit  = 1 << 29

	bcastFields = 0xfc000000 // bits 26-31
)

// None is the absent operand: the base of an address that has only an index.
const None Operand = 0

const invalid = Operand(kInvalid)

func (o Operand) kind() kind { return kind(o) & (kindSlots - 1) }
func (o Operand) num() uint8 { return uint8(o >> 8) } // register number, or base
func (o Operand) index() uint8 {
	return uint8(o >> 16)
}
func (o Operand) scaleLog() uint8 { return uint8(o>>24) & 3 }
func (o Operand) bcastLog() uint8 { return uint8(o>>26) & 7 }
func (o Operand) elemLog() uint8  { return uint8(o>>30)&3 + 1 }
func (o Operand) val() int32      { return int32(o >> 32) }

// IsMem reports whether o is a memory reference.
func (o Operand) IsMem() bool { return o.kind() >= kMem && o.kind() <= kVZ }

// IsReg reports whether o is a register.
func (o Operand) IsReg() bool { return o.kind() >= kR8 && o.kind() <= kT }

// IsImm reports whether o is an immediate.
func (o Operand) IsImm() bool { return o.kind() >= kImm1 && o.kind() <= kImm }

func (o Operand) isVector() bool { return o.kind() >= kX && o.kind() <= kZ }
func (o Operand) isVSIB() bool   { return o.kind() >= kVX && o.kind() <= kVZ }

// isRIP reports whether o addresses the constant pool or a label.
func (o Operand) isRIP() bool { return o.num() == baseConst || o.num() == baseLabel }

// Num is the number of a register operand: 0-15, 0-31 or 0-7 by class.
func (o Operand) Num() int { return int(o.num()) }

// Bits is the width of a register operand; mask registers are 64 wide, tile registers
// 8192.
func (o Operand) Bits() int {
	if !o.IsReg() {
		return 0
	}
	return [...]int{8, 16, 32, 64, 128, 256, 512, 64, 8192}[o.kind()-kR8]
}

func reg(k kind, n, limit int) Operand {
	if uint(n) >= uint(limit) {
		return invalid
	}
	return Operand(k) | Operand(n)<<8
}

// X is the 128-bit vector register n, 0-31.
func X(n int) Operand { return reg(kX, n, 32) }

// Y is the 256-bit vector register n, 0-31.
func Y(n int) Operand { return reg(kY, n, 32) }

// Z is the 512-bit vector register n, 0-31.
func Z(n int) Operand { return reg(kZ, n, 32) }

// K is the mask register n, 0-7.
func K(n int) Operand { return reg(kK, n, 8) }

// T is the tile register n, 0-7.
func T(n int) Operand { return reg(kT, n, 8) }

// Vec is the vector register n of the given width: 128, 256 or 512 bits.
func Vec(width, n int) Operand {
	switch width {
	case 128:
		return X(n)
	case 256:
		return Y(n)
	case 512:
		return Z(n)
	}
	return invalid
}

// GPR is the general register n, 0-15, of the given width: 8, 16, 32 or 64 bits.
// The high byte registers (ah, bh, ch, dh) do not exist here.
func GPR(width, n int) Operand {
	switch width {
	case 8:
		return reg(kR8, n, 16)
	case 16:
		return reg(kR16, n, 16)
	case 32:
		return reg(kR32, n, 16)
	case 64:
		return reg(kR64, n, 16)
	}
	return invalid
}

// Width is register o seen at another width: RAX.Width(32) is EAX, Z(3).Width(128) is X(3).
func (o Operand) Width(width int) Operand {
	switch {
	case o.kind() >= kR8 && o.kind() <= kR64:
		return GPR(width, o.Num())
	case o.isVector():
		return Vec(width, o.Num())
	}
	return invalid
}

// Imm is an immediate. Values beyond 32 signed bits need [Assembler.MovImm].
func Imm(v int64) Operand {
	k := kImm
	switch {
	case v == 1:
		k = kImm1
	case v >= -128 && v <= 127:
		k = kImm8
	case v >= 128 && v <= 255:
		k = kImmU8
	case v != int64(int32(v)):
		return invalid
	}
	return Operand(k) | Operand(uint32(v))<<32
}

// Mem is the memory at base+disp; base is a 64-bit general register.
func Mem(base Operand, disp int) Operand { return Idx(base, None, 1, disp) }

// Idx is the memory at base+index*scale+disp. Base is a 64-bit general register or None. Index is
// a 64-bit general register other than RSP, None, or for gathers and scatters a vector register.
// Absolute addresses, with neither, do not exist here.
func Idx(base, index Operand, scale, disp int) Operand {
	if disp != int(int32(disp)) || scale&(scale-1) != 0 || uint(scale-1) > 7 {
		return invalid
	}
	b, x, k := Operand(noBase), Operand(noIndex), kMem
	switch base.kind() {
	case kR64:
		b = base >> 8 & 0xff
	case kNone:
	default:
		return invalid
	}
	switch index.kind() {
	case kR64:
		if index == RSP {
			return invalid
		}
		x = index >> 8 & 0xff
	case kX, kY, kZ:
		x = index >> 8 & 0xff
		k = kVX + (index.kind() - kX)
	case kNone:
		if base == None {
			return invalid
		}
		scale = 1
	default:
		return invalid
	}
	return Operand(k) | b<<8 | x<<16 | Operand(bits.TrailingZeros(uint(scale)))<<24 | Operand(uint32(disp))<<32
}

func (o Operand) withKind(k kind) Operand { return o&^(0xff|bcastFields) | Operand(k) }

// Size states how many bytes a memory operand covers: 1, 2, 4 ... 64. It is needed only where no
// register tells (inc dword ptr [rax]), and checked everywhere else.
func (o Operand) Size(bytes int) Operand {
	if !o.IsMem() || o.isVSIB() || bytes&(bytes-1) != 0 || uint(bytes-1) > 63 {
		return invalid
	}
	return o.withKind(kMem1 + kind(bits.TrailingZeros(uint(bytes))))
}

// Bcast makes a memory operand one element that is repeated over the vector. If the operand has a
// size, it must be that of the element.
func (o Operand) Bcast() Operand {
	elem := Operand(0)
	switch o.kind() {
	case kMem4:
		elem = 1
	case kMem8:
		elem = 2
	case kMem:
	case kBcast:
		return o
	default:
		return invalid
	}
	return o.withKind(kBcast) | bcastBit | elem<<30
}

// BcastTo is Bcast with the number of copies, for narrowing conversions to xmm, whose
// source may be 128 or 256 bits wide.
func (o Operand) BcastTo(n int) Operand {
	if n&(n-1) != 0 || n < 2 || n > 32 {
		return invalid
	}
	return o.Bcast()&^(7<<26) | Operand(bits.TrailingZeros(uint(n)))<<26
}

// Label is a position in the code; see [Assembler.NewLabel].
type Label int32

// To is a label as the target of a jump.
func To(l Label) Operand { return Operand(kLabel) | Operand(uint32(l))<<32 }

// At is the memory at a label, addressed from RIP.
func At(l Label) Operand {
	return Operand(kMem) | baseLabel<<8 | noIndex<<16 | Operand(uint32(l))<<32
}
