package order

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// mostTop is how many of the first are kept in registers.
const mostTop = 8

// looks reports whether a row is long enough for it to pay to look first whether any element of a register comes in:
// halfway along the row, an eighth of the lanes or less have one that does.
func (s *Sorter) looks(held int) bool {
	return s.N >= 8*held*s.lanesOf8()*s.lanesOf8()
}

// top finds the first elements of a row: each lane of a few registers holds the first of what it has seen, in order, and
// in the end lanes are merged.
func (s *Sorter) top(number lir.Reg) {
	g := s.Builder
	w := &network{Sorter: s, lanes: g.Bytes / 8, masks: map[int]lir.Reg{}, orders: map[int]lir.Reg{}}
	held := 1
	for held < s.Keep {
		held *= 2
	}
	first := make([]lir.Reg, held)
	for i := range first {
		first[i] = g.NewVec()
		g.MoveVec(first[i], g.LoadConst(lane.Const(dtype.Int64, math.MaxInt64)))
	}
	row := s.cells(number, s.N)
	looks := s.looks(held)
	s.overKeys(row, 0, func(_, key lane.Lanes, j lir.Reg) {
		low, high := s.indexed(key, j)
		for _, x := range []lir.Reg{low, high} {
			none := g.NewLabel()
			if looks {
				s.unlessAny(s.more(first[held-1], x), none)
			}
			for i := range first {
				least, rest := w.ordered(first[i], x)
				g.MoveVec(first[i], least)
				x = rest
			}
			g.Bind(none)
		}
	})
	x := append([]lir.Reg(nil), first...)
	for d := 1; d < w.lanes; d *= 2 { // the first of two lists meet the last of each other
		z := make([]lir.Reg, held)
		for i := range z {
			z[i], _ = w.ordered(x[i], w.turned(x[held-1-i], d))
		}
		w.halve(z)
		x = z
	}
	to := s.cells(number, s.Keep)
	for i := range s.Keep {
		k := g.NewReg(lir.GPR)
		g.Def(asm.VMOVD, g.R32(k), g.VW(x[i], 16))
		s.pick(k, to, row, 4*i)
	}
}
