package amd64

import (
	"iter"

	"github.com/tiler-go/tiler/exec/amd64/asm"
)

// The low-level form between tile IR and machine code: x86 instructions over virtual
// registers. It is a straight list with labels; loops are marked, so that a register
// that is live into a loop and used there stays live to its end. A virtual register
// may be written more than once: that is how values meet after branches and go round
// loops.

// reg is a virtual register; 0 is none.
type reg int32

// class is which register file a virtual register lives in.
type class uint8

const (
	gpr   class = iota // 64-bit general
	vec                // vector, of the tier's width
	kmask              // mask, AVX-512 only
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

// arg is an operand: compact, copied freely.
type arg struct {
	kind  argKind
	width uint8 // of a register, in units of 8 bits: 1, 2, 4, 8, 16, 32, 64
	size  uint8 // of memory, in bytes, where it must be stated
	scale uint8
	bcast bool
	r     reg // register, or base
	index reg
	n     int64 // displacement, immediate, or pool index
}

// instKind separates machine instructions from marks.
type instKind uint8

const (
	machine   instKind = iota
	labelMark          // binds label n
	jump               // op to label n
	loopBegin          // n numbers the loop
	loopEnd
	helper   // leaves to Go with exit code n and comes back
	divide   // args: quotient or remainder, dividend, divisor; see emitDivide
	exchange // args: what is found, address, what is expected, what is put there if it is found; n: bytes
	leave    // ends the call for good
)

type inst struct {
	kind  instKind
	op    asm.Op
	zero  bool // zeroing mask
	lock  bool
	round asm.Rounding
	def   uint8 // bit i: args[i] is written
	use   uint8 // bit i: args[i], a register, is read
	mask  reg
	n     int
	tag   int32 // ID of the IR value this is part of
	args  [4]arg
	next  *inst // in its seq
}

// A seq is instructions in the making.
type seq struct{ first, last *inst }

// all is the instructions by their place.
func (s *seq) all() iter.Seq2[int, *inst] {
	return func(yield func(int, *inst) bool) {
		i := 0
		for in := s.first; in != nil; in = in.next {
			if !yield(i, in) {
				return
			}
			i++
		}
	}
}

// A unit is the code of one Func in the making.
type unit struct {
	classes []class // by reg
	labels  int
	loops   int
	tag     int32
	cur     *seq
	room    []inst // for those to come
	pool    []poolConst
	wide    uint8 // width of a vector register in bytes: 64 or 32
	// streaming says that some stores bypass the caches; leaving waits for them.
	streaming bool
	// tight gives up scratch registers for spills: for code that needs all registers
	// and is known to need no more.
	tight bool
}

type poolConst struct {
	data [64]byte
	size int
}

func newUnit(wide int) *unit {
	return &unit{classes: make([]class, 1, 256), cur: &seq{}, wide: uint8(wide)}
}

func (u *unit) newReg(c class) reg {
	u.classes = append(u.classes, c)
	return reg(len(u.classes) - 1)
}

func (u *unit) newLabel() int { u.labels++; return u.labels - 1 }

// into makes code go to another sequence while f runs.
func (u *unit) into(s *seq, f func()) {
	saved := u.cur
	u.cur = s
	f()
	u.cur = saved
}

// append moves the instructions of s, which is empty then.
func (u *unit) append(s *seq) {
	u.cur.link(s.first, s.last)
	*s = seq{}
}

func (s *seq) link(first, last *inst) {
	switch {
	case first == nil:
		return
	case s.last == nil:
		s.first = first
	default:
		s.last.next = first
	}
	s.last = last
}

func (u *unit) add(i inst) *inst {
	if len(u.room) == 0 {
		u.room = make([]inst, 56) // 8 KiB
	}
	in := &u.room[0]
	u.room = u.room[1:]
	*in = i
	in.tag = u.tag
	u.cur.link(in, in)
	return in
}

// Operand constructors.

func (u *unit) r64(r reg) arg { return arg{kind: regArg, width: 8, r: r} }
func (u *unit) r32(r reg) arg { return arg{kind: regArg, width: 4, r: r} }
func (u *unit) r16(r reg) arg { return arg{kind: regArg, width: 2, r: r} }
func (u *unit) r8(r reg) arg  { return arg{kind: regArg, width: 1, r: r} }

// v is a vector register at full width; vw at a given width in bytes.
func (u *unit) v(r reg) arg         { return arg{kind: regArg, width: u.wide, r: r} }
func (u *unit) vw(r reg, w int) arg { return arg{kind: regArg, width: uint8(w), r: r} }
func (u *unit) k(r reg) arg         { return arg{kind: regArg, width: 2, r: r} }

func imm(n int64) arg { return arg{kind: immArg, n: n} }

func mem(base reg, disp int) arg { return arg{kind: memArg, r: base, scale: 1, n: int64(disp)} }

func memIndex(base, index reg, scale, disp int) arg {
	return arg{kind: memArg, r: base, index: index, scale: uint8(scale), n: int64(disp)}
}

// frame is memory in the frame, at a fixed offset, with an optional index.
func frameAt(disp int) arg { return arg{kind: frameArg, n: int64(disp), scale: 1} }

func frameIndex(index reg, scale, disp int) arg {
	return arg{kind: frameArg, index: index, scale: uint8(scale), n: int64(disp)}
}

func (a arg) sized(bytes int) arg { a.size = uint8(bytes); return a }

// toAll is one element in memory, of so many bytes, for all lanes.
func (a arg) toAll(bytes int) arg { a.bcast = true; return a.sized(bytes) }

// const32 and const64 are a constant repeated over a vector: an embedded broadcast
// where the tier has it, a whole vector in the pool where it has not.
func (u *unit) const32(bits uint32) arg {
	if u.wide == 64 {
		a := u.constant(uint64(bits), 4)
		a.bcast = true
		return a
	}
	return u.splatConst(uint64(bits)|uint64(bits)<<32, 32)
}

func (u *unit) const64(bits uint64) arg {
	if u.wide == 64 {
		a := u.constant(bits, 8)
		a.bcast = true
		return a
	}
	return u.splatConst(bits, 32)
}

// constant is size bytes of a little-endian number in the pool.
func (u *unit) constant(bits uint64, size int) arg {
	var c poolConst
	for i := range size {
		c.data[i] = byte(bits >> (8 * i))
	}
	c.size = size
	return u.pooled(c)
}

// splatConst is 8 bytes repeated over size bytes.
func (u *unit) splatConst(bits uint64, size int) arg {
	var c poolConst
	for i := range size {
		c.data[i] = byte(bits >> (8 * (i % 8)))
	}
	c.size = size
	return u.pooled(c)
}

// bytesConst is a vector constant given in full.
func (u *unit) bytesConst(b []byte) arg {
	var c poolConst
	c.size = copy(c.data[:], b)
	return u.pooled(c)
}

func (u *unit) pooled(c poolConst) arg {
	for i, have := range u.pool {
		if have == c {
			return arg{kind: constArg, n: int64(i)}
		}
	}
	u.pool = append(u.pool, c)
	return arg{kind: constArg, n: int64(len(u.pool) - 1)}
}

// Instruction constructors. In def the first operand is written; in rmw it is read
// too; in use nothing is written.

func (u *unit) def(o asm.Op, args ...arg) *inst { return u.emit(o, 1, ^uint8(1), args) }
func (u *unit) rmw(o asm.Op, args ...arg) *inst { return u.emit(o, 1, ^uint8(0), args) }
func (u *unit) use(o asm.Op, args ...arg) *inst { return u.emit(o, 0, ^uint8(0), args) }

func (u *unit) emit(o asm.Op, def, use uint8, args []arg) *inst {
	i := inst{op: o, def: def, use: use}
	copy(i.args[:], args)
	return u.add(i)
}

// masked puts an instruction under a mask. Without zeroing, lanes that the mask
// excludes keep what the destination held, so it is read.
func (i *inst) masked(k reg, zero bool) *inst {
	i.mask, i.zero = k, zero
	if !zero {
		i.use |= i.def
	}
	return i
}

func (u *unit) bind(label int)           { u.add(inst{kind: labelMark, n: label}) }
func (u *unit) jump(o asm.Op, label int) { u.add(inst{kind: jump, op: o, n: label}) }
func (u *unit) beginLoop() int           { u.loops++; u.add(inst{kind: loopBegin, n: u.loops}); return u.loops }
func (u *unit) endLoop(n int)            { u.add(inst{kind: loopEnd, n: n}) }
func (u *unit) move64(dst, src reg)      { u.def(asm.MOV, u.r64(dst), u.r64(src)) }
func (u *unit) setImm(dst reg, n int64)  { u.def(asm.MOV, u.r64(dst), imm(n)) }
func (u *unit) exit(code int)            { u.add(inst{kind: helper, n: code}) }
func (u *unit) newInt(n int64) reg       { r := u.newReg(gpr); u.setImm(r, n); return r }
func (u *unit) copyInt(src reg) reg      { r := u.newReg(gpr); u.move64(r, src); return r }
func (u *unit) binInt(o asm.Op, x reg, y arg) reg {
	if o == asm.IMUL && y.kind == immArg {
		r := u.newReg(gpr)
		u.def(o, u.r64(r), u.r64(x), y)
		return r
	}
	r := u.copyInt(x)
	u.rmw(o, u.r64(r), y)
	return r
}
