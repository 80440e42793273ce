package asm

import (
	"os"
	"sync"
)

// The systematic list of instructions: every row of the table at every length, with registers from each
// third of the register file in each place, memory operands at the boundaries of their encodings, and every
// decoration that the row allows.

// shapes are the memory operands whose encoding has a rule of its own: rsp and r12 need SIB, rbp and r13 need
// a displacement, r12 and r13 can be indexes, and so on.
var shapes = []struct {
	base, index Operand
	scale       int
}{
	{RAX, None, 1}, {RSP, None, 1}, {RBP, None, 1}, {R12, None, 1}, {R13, None, 1}, {R9, None, 1},
	{RDI, RCX, 1}, {RSI, R12, 4}, {R13, RBP, 8}, {RBP, R13, 2}, {R15, R9, 8}, {RSP, RDX, 4}, {R12, R14, 1},
	{None, RCX, 8},
}

// disps are displacements in units of the size by which EVEX scales them, and in bytes.
var disps = []struct{ units, bytes int }{
	{0, 0}, {1, 0}, {127, 0}, {128, 0}, {-128, 0}, {-129, 0}, {0, 1}, {0, -127}, {2, 3}, {0, 127}, {0, 128}, {0, -129}, {0, 0x12345678},
}

// sweeper builds the variants of one row at one length. Rotation counters spread shapes and displacements
// over the rows instead of multiplying them out.
type sweeper struct {
	f      *row
	row    int
	length uint8
	turn   int
	out    []Inst
}

var sweep = sync.OnceValue(func() []Inst {
	s := sweeper{}
	for i := range forms {
		s.f, s.row = &forms[i], i
		for l := range uint8(4) {
			if s.f.enc.lens()>>l&1 != 0 && s.f.lay != lRel {
				s.length = l
				s.one()
			}
		}
	}
	return s.out
})

// sample is a fifth of the list, with some of every row; all of it in long runs.
func sample() []Inst {
	if os.Getenv("TILER_LONG") != "" {
		return sweep()
	}
	var some []Inst
	for i := 0; i < len(sweep()); i += 5 {
		some = append(some, sweep()[i])
	}
	return some
}

// add keeps in if the encoder would use the row under test for it.
func (s *sweeper) add(in Inst) {
	row, _ := in.match()
	if _, why := choose(&in); row == s.row && why == "" {
		s.out = append(s.out, in)
	}
}

func (s *sweeper) one() {
	if s.canReg() {
		s.registers()
	}
	if m := s.memSlot(); m >= 0 {
		s.memories(m)
	}
}

func (s *sweeper) canReg() bool {
	for _, p := range s.f.pats {
		if r := &patRows[p]; p != pNone && r.reg == kNone && r.vec == 0 && !r.gpr && r.imm == nil && p != pI64 {
			return false
		}
	}
	return true
}

func (s *sweeper) memSlot() int {
	for i, p := range s.f.pats {
		if r := &patRows[p]; r.bytes != 0 || r.vecMem != 0 || r.gprMem || r.any || r.vsib != 0 {
			return i
		}
	}
	return -1
}

// register is register n for slot i, or an immediate.
func (s *sweeper) register(i, n int) Operand {
	r := &patRows[s.f.pats[i]]
	switch {
	case s.f.enc.is(firstA) && i == 0:
		n = 0
	case s.f.enc.is(lastCL) && i == 1:
		return CL
	}
	switch {
	case r.gpr:
		return GPR([]int{16, 32, 64, 8}[s.length], n&15)
	case r.vec != 0:
		return Vec(8*vecBytes(int(s.length), r.vec), n)
	case r.reg == kK:
		return K(n & 7)
	case r.reg == kT:
		return T(n & 7)
	case r.reg != kNone && r.reg <= kR64:
		return reg(r.reg, n&15, 16)
	case r.reg != kNone:
		return reg(r.reg, n, 32)
	}
	return s.imm(i)
}

func (s *sweeper) imm(i int) Operand {
	s.turn++
	switch s.f.pats[i] {
	case pI1:
		return Imm(1)
	case pI8:
		return Imm([]int64{1, 0, 7, 31, 0x7f, 0xff, -3}[s.turn%7])
	case pI8s:
		return Imm([]int64{1, -1, 127, -128}[s.turn%4])
	case pIz:
		return Imm([]int64{0x7fff, 200, 0x1234, -0x8000, 129}[s.turn%5] >> (s.length / 3 * 8))
	}
	return None
}

// plain fills all slots with low registers, of different numbers.
func (s *sweeper) plain() Inst {
	in := Inst{Op: s.f.op}
	for i, p := range s.f.pats {
		if p != pNone {
			in.Args[i] = s.register(i, i+1)
		}
	}
	if s.f.pats[1] == pI64 {
		in.Imm64 = 0x123456789abcdef0
	}
	return in
}

func (s *sweeper) registers() {
	in := s.plain()
	s.add(in)
	all := in
	for i := range in.Args {
		if !in.Args[i].IsReg() {
			continue
		}
		for _, n := range []int{6, 9 + i, 17 + 3*i, 31} {
			v := in
			v.Args[i] = s.register(i, n)
			s.add(v)
		}
		all.Args[i] = s.register(i, []int{11, 12, 13, 14}[i])
	}
	s.add(all)
	s.decorate(in, all)
	s.rounded(in, all)
}

func (s *sweeper) rounded(low, high Inst) {
	for r := RNE; r < numRoundings; r++ {
		s.add(low.WithRounding(r))
		s.add(high.WithRounding(r).WithMask(K(3)).WithZeroing())
	}
}

// decorate adds masks and forced encodings.
func (s *sweeper) decorate(low, high Inst) {
	s.add(low.WithMask(K(1)))
	s.add(high.WithMask(K(7)).WithZeroing())
	s.add(low.WithLock())
	if s.f.enc&(vex|evex) == vex|evex {
		s.add(low.WithEncoding(ForceEVEX))
		if s.f.enc.is(later) {
			s.add(low.WithEncoding(ForceVEX))
			s.add(high.WithEncoding(ForceVEX))
		}
	}
}

// mem is the next memory operand for slot i, whose displacement is counted in units.
func (s *sweeper) mem(i, unit int) Operand {
	s.turn++
	sh := shapes[s.turn%len(shapes)]
	d := disps[s.turn*7%len(disps)]
	row := &patRows[s.f.pats[i]]
	index := sh.index
	if row.vsib != 0 {
		index = Vec(8*vecBytes(int(s.length), row.vsib), []int{4, 12, 20, 29}[s.turn%4])
		if s.f.enc.is(vex) {
			index = Vec(index.Bits(), index.Num()&15)
		}
		sh.scale = 1 << (s.turn % 4)
	}
	m := Idx(sh.base, index, sh.scale, d.units*unit+d.bytes)
	if row.vsib != 0 || row.any {
		return m
	}
	return m.Size(1 << memLog[s.f.pats[i]][s.length])
}

func (s *sweeper) memories(slot int) {
	unit := s.unit(false)
	for n := range 8 {
		in := s.plain()
		if s.f.deco&dMust != 0 {
			in.Mask = uint8(1 + n%7)
		}
		for i := range in.Args {
			if in.Args[i].IsReg() && i != slot {
				in.Args[i] = s.register(i, []int{1, 9, 2, 22, 3, 10, 7, 31}[n]+i*(1-n/7))
			}
		}
		in.Args[slot] = s.mem(slot, unit)
		s.add(in)
		if n < 2 {
			high := in
			high.Args[slot] = s.mem(slot, unit)
			s.decorate(in, high)
		}
	}
	if s.f.deco.elem() == 0 {
		return
	}
	for range 4 {
		in := s.plain()
		m := s.mem(slot, s.unit(true))
		in.Args[slot] = m.Size(s.f.deco.elem()).BcastTo(1 << memLog[s.f.pats[slot]][s.length] / s.f.deco.elem())
		s.add(in)
		s.add(in.WithMask(K(2)).WithZeroing())
	}
}

func (s *sweeper) unit(bcast bool) int {
	switch {
	case !s.f.enc.is(evex):
		return 1 << memLog[s.f.pats[s.memSlot()]][s.length]
	case bcast:
		return 1 << s.f.bunit
	}
	return 1 << s.f.unit[s.length]
}

// WithZeroing is in with zeroing-masking.
func (in Inst) WithZeroing() Inst {
	in.Zeroing = true
	return in
}

// WithRounding is in with embedded rounding.
func (in Inst) WithRounding(r Rounding) Inst {
	in.Round = r
	return in
}

// WithLock is in with the lock prefix.
func (in Inst) WithLock() Inst {
	in.Lock = true
	return in
}

// WithEncoding is in with the encoding forced.
func (in Inst) WithEncoding(e Encoding) Inst {
	in.Encoding = e
	return in
}
