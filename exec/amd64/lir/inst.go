package lir

import (
	"iter"

	"github.com/tiler-go/tiler/exec/amd64/asm"
)

// instKind separates machine instructions from marks.
type instKind uint8

const (
	machine   instKind = iota
	labelMark          // binds label n
	jump               // op to label n
	loopBegin          // n numbers the loop
	loopEnd
	callOut  // leaves to Go with exit code n and comes back
	divide   // args: quotient or remainder (n is 1), dividend, divisor; unsigned (n is 2) the dividend's upper half, too
	exchange // args: what is found, address, what is expected, what is put there if it is found; n: bytes
	end      // of the call for good, with exit code n
	dropped  // not needed
)

// An Inst is an instruction or a mark.
type Inst struct {
	kind  instKind
	op    asm.Op
	zero  bool // zeroing mask
	lock  bool
	cold  bool  // of a label: what comes behind it is rarely reached
	flags bool  // that it sets are read
	rare  bool  // it stands in a block that rarely runs
	def   uint8 // bit i: args[i] is written
	use   uint8 // bit i: args[i], a register, is read
	mask  Reg
	n     int
	tag   int32 // ID of the IR value this is part of
	args  [4]Arg
	next  *Inst // in its Seq
}

// A Seq is instructions in the making.
type Seq struct{ first, last *Inst }

// Empty reports whether there are none.
func (s *Seq) Empty() bool { return s.first == nil }

// all is the instructions by their place.
func (s *Seq) all() iter.Seq2[int, *Inst] {
	return func(yield func(int, *Inst) bool) {
		i := 0
		for in := s.first; in != nil; in = in.next {
			if !yield(i, in) {
				return
			}
			i++
		}
	}
}

// instructions is the code at hand.
func (l *list) instructions() []*Inst {
	n := 0
	for in := l.Cur.first; in != nil; in = in.next {
		n++
	}
	code := make([]*Inst, 0, n)
	for in := l.Cur.first; in != nil; in = in.next {
		code = append(code, in)
	}
	return code
}

// Def is an instruction that writes its first operand, RMW one that reads it, too, Use one that writes none.
func (l *list) Def(o asm.Op, args ...Arg) *Inst { return l.emit(o, 1, ^uint8(1), args) }
func (l *list) RMW(o asm.Op, args ...Arg) *Inst { return l.emit(o, 1, ^uint8(0), args) }
func (l *list) Use(o asm.Op, args ...Arg) *Inst { return l.emit(o, 0, ^uint8(0), args) }

func (l *list) emit(o asm.Op, def, use uint8, args []Arg) *Inst {
	i := Inst{op: o, def: def, use: use}
	copy(i.args[:], args)
	return l.add(i)
}

// Masked puts an instruction under a mask. Without zeroing, lanes that the mask
// excludes keep what the destination held, so it is read.
func (i *Inst) Masked(k Reg, zero bool) *Inst {
	i.mask, i.zero = k, zero
	if !zero {
		i.use |= i.def
	}
	return i
}

// Blended has a mask choose between the operands lane by lane.
func (i *Inst) Blended(k Reg) { i.mask = k }

// ZeroMasked puts a load under a mask, if there is one, on AVX-512.
func (i *Inst) ZeroMasked(k Reg) { i.mask, i.zero = k, k != 0 }

// Idiom is an instruction of a register with itself whose result does not depend on what it holds: zeros or ones.
func (l *list) Idiom(o asm.Op, r Arg) { l.Def(o, r, r, r).use = 0 }

// Divide64 is a signed quotient, or remainder if that is 1; the divisor is not 0.
func (l *list) Divide64(dst, x, y Reg, remainder int) {
	l.add(Inst{kind: divide, def: 1, use: 6, n: remainder, args: [4]Arg{l.R64(dst), l.R64(x), l.R64(y)}})
}

// DivideUnsigned is a quotient of 64 bits of x with 64 more bits above it, which are less than the divisor.
func (l *list) DivideUnsigned(dst, above, x, y Reg) {
	l.add(Inst{kind: divide, def: 1, use: 14, n: 2, args: [4]Arg{l.R64(dst), l.R64(x), l.R64(y), l.R64(above)}})
}

// ExchangeAdd adds x to memory, atomically, and makes it what was there.
func (l *list) ExchangeAdd(at, x Arg) {
	l.add(Inst{op: asm.XADD, lock: true, def: 2, use: 3, args: [4]Arg{at, x}})
}

// CompareExchange puts a register of so many bytes into memory, atomically, if what is expected is there; found is what
// is.
func (l *list) CompareExchange(found, at, expected, put Reg, bytes int) {
	l.add(Inst{kind: exchange, def: 1, use: 14, n: bytes, args: [4]Arg{l.R64(found), l.R64(at), l.R64(expected), l.R64(put)}})
}

// GatherInto fills r with elements of size bytes at at + index·size. What r held is read: it is another register than
// the index.
func (l *list) GatherInto(o asm.Op, r Reg, at Arg, index Reg, size int, mask Reg) {
	at.index, at.scale, at.width = index, uint8(size), uint8(l.Bytes)
	if l.EVEX {
		l.RMW(o, l.V(r), at).mask = mask
		return
	}
	l.RMW(o, l.V(r), at, l.V(mask)).def |= 4
}

// Bind puts a label here; Jump goes to one.
func (l *list) Bind(label int)           { l.add(Inst{kind: labelMark, n: label}) }
func (l *list) Jump(o asm.Op, label int) { l.add(Inst{kind: jump, op: o, n: label}) }

// BindCold puts a label here that is rarely jumped to: what comes behind it stands behind all other code.
func (l *list) BindCold(label int) { l.add(Inst{kind: labelMark, n: label, cold: true}) }

// BeginLoop and EndLoop mark a loop: what is live into it and used there lives to its end.
func (l *list) BeginLoop() int { l.loops++; l.add(Inst{kind: loopBegin, n: l.loops}); return l.loops }
func (l *list) EndLoop(n int)  { l.add(Inst{kind: loopEnd, n: n}) }

// CallOut leaves to Go with an exit code and comes back; Return ends the call.
func (l *list) CallOut(code int) { l.add(Inst{kind: callOut, n: code}) }
func (l *list) Return(code int)  { l.add(Inst{kind: end, n: code}) }
