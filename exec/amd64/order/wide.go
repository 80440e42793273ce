package order

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Elements of 64 bits: their keys leave no room for an index.

// Lengths of rows of 64-bit elements.
const (
	mostRankedValues = 16  // ranked if values alone are wanted
	mostRanked       = 128 // ranked if indices are, too
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

// keepsTop reports whether the first are kept in registers: each lane sees as many as it keeps.
func (s *Sorter) keepsTop() bool {
	return s.Keep < s.N && s.Keep <= mostTop && s.N >= mostTop*s.lanesOf8()
}

// Sorts reports whether there is code for that.
func (s *Sorter) Sorts() bool {
	switch {
	case s.N < 2 || s.N > Longest:
		return false
	case lane.Wide(s.D):
		return !s.ranked() || s.N <= mostRanked
	}
	return true
}

// wideKey is key of elements of 64 bits.
func (s *Sorter) wideKey(x lane.Lanes) lane.Lanes {
	g := s.Builder
	d, xor := dtype.Int64, g.Logic(op.Xor, dtype.Int64)
	z := x.As(d)
	switch s.D {
	case dtype.Float64:
		sign := s.signs(z)
		rest := g.Op1(asm.VPSRLQ, d, sign, lir.Imm(1))
		z = g.Op2(asm.VPSUBQ, d, g.Op2(xor, d, z, rest), sign)
		z = lane.EachHalf(d, func(i int) lir.Reg {
			r := g.Reg(x, i)
			return s.blended(z.R[i], g.Reg(s.last(), i), s.unordered(r))
		})
	case dtype.Uint64:
		z = g.Op2(xor, d, z, lane.Const(d, 1<<63))
	}
	if s.Descending {
		z = g.Op2(xor, d, z, lane.Const(d, math.MaxUint64))
	}
	return z
}

// wideElement is element of keys of 64 bits.
func (s *Sorter) wideElement(z lane.Lanes) lane.Lanes {
	g := s.Builder
	d, xor := dtype.Int64, g.Logic(op.Xor, dtype.Int64)
	if s.Descending {
		z = g.Op2(xor, d, z, lane.Const(d, math.MaxUint64))
	}
	switch s.D {
	case dtype.Float64:
		sign := s.signs(z)
		z = g.Op2(xor, d, g.Op2(asm.VPADDQ, d, z, sign), g.Op1(asm.VPSRLQ, d, sign, lir.Imm(1)))
	case dtype.Uint64:
		z = g.Op2(xor, d, z, lane.Const(d, 1<<63))
	}
	return z.As(s.D)
}

// signs is all bits in lanes that are negative.
func (s *Sorter) signs(x lane.Lanes) lane.Lanes {
	g := s.Builder
	if g.EVEX {
		return g.Op1(asm.VPSRAQ, x.D, x, lir.Imm(63))
	}
	return g.Signs(x)
}

// pickWide copies element k of a row to a place in the results, and says where it came from.
func (s *Sorter) pickWide(k, place, from lir.Reg, off int) {
	g := s.Builder
	if s.Where >= 0 {
		g.Use(asm.MOV, lir.FrameIndex(place, 4, s.Where+4*off), g.R32(k))
	}
	at := g.NewReg(lir.GPR)
	g.Def(asm.LEA, g.R64(at), lir.MemIndex(from, k, 8, 0))
	g.CopyElement(8, g.NewReg(lir.GPR), lir.FrameIndex(place, 8, s.Out+8*off), lir.FrameIndex(at, 1, s.In))
}
