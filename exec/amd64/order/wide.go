package order

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Elements of 64 bits, in AVX2: their keys leave no room for an index.

// Lengths of rows of 64-bit elements.
const (
	mostRankedValues = 16  // ranked if values alone are wanted
	mostRanked       = 128 // ranked if indices are, too
	leastTop         = 32  // so that each lane of what holds the first ones sees as many
)

// ranked reports whether elements are put in their places by counting those ahead.
func (s *Sorter) ranked() bool {
	switch {
	case !lane.Wide(s.D):
		return false
	case s.Values:
		return s.N <= mostRankedValues
	}
	return !s.keepsTop()
}

// keepsTop reports whether the first are kept in registers.
func (s *Sorter) keepsTop() bool { return s.Keep < s.N && s.Keep <= mostTop && s.N >= leastTop }

// Sorts reports whether there is code for that.
func (s *Sorter) Sorts() bool {
	switch {
	case s.N < 2 || s.N > Longest:
		return false
	case lane.Wide(s.D):
		return !s.EVEX && (!s.ranked() || s.N <= mostRanked)
	}
	return true
}

// wideKey is key of elements of 64 bits.
func (s *Sorter) wideKey(x lane.Lanes) lane.Lanes {
	d := dtype.Int64
	z := x.As(d)
	switch s.D {
	case dtype.Float64:
		sign := s.Signs(z)
		rest := s.Op1(asm.VPSRLQ, d, sign, lir.Imm(1))
		z = s.Op2(asm.VPSUBQ, d, s.Op2(asm.VPXOR, d, z, rest), sign)
		z = lane.EachHalf(d, func(i int) lir.Reg {
			nan, r := s.NewVec(), s.NewVec()
			s.Def(asm.VCMPPD, s.V(nan), s.V(s.Reg(x, i)), s.V(s.Reg(x, i)), lir.Imm(lane.Unordered))
			s.Def(asm.VBLENDVPD, s.V(r), s.V(z.R[i]), s.Src(s.last(), i), s.V(nan))
			return r
		})
	case dtype.Uint64:
		z = s.Op2(asm.VPXOR, d, z, lane.Const(d, 1<<63))
	}
	if s.Descending {
		z = s.Op2(asm.VPXOR, d, z, lane.Const(d, math.MaxUint64))
	}
	return z
}

// wideElement is element of keys of 64 bits.
func (s *Sorter) wideElement(z lane.Lanes) lane.Lanes {
	d := dtype.Int64
	if s.Descending {
		z = s.Op2(asm.VPXOR, d, z, lane.Const(d, math.MaxUint64))
	}
	switch s.D {
	case dtype.Float64:
		sign := s.Signs(z)
		z = s.Op2(asm.VPXOR, d, s.Op2(asm.VPADDQ, d, z, sign), s.Op1(asm.VPSRLQ, d, sign, lir.Imm(1)))
	case dtype.Uint64:
		z = s.Op2(asm.VPXOR, d, z, lane.Const(d, 1<<63))
	}
	return z.As(s.D)
}

// pickWide copies element k of a row to a place in the results, and says where it came from.
func (s *Sorter) pickWide(k, place, from lir.Reg, off int) {
	if s.Where >= 0 {
		s.Use(asm.MOV, lir.FrameIndex(place, 4, s.Where+4*off), s.R32(k))
	}
	at := s.NewReg(lir.GPR)
	s.Def(asm.LEA, s.R64(at), lir.MemIndex(from, k, 8, 0))
	s.CopyElement(8, s.NewReg(lir.GPR), lir.FrameIndex(place, 8, s.Out+8*off), lir.FrameIndex(at, 1, s.In))
}
