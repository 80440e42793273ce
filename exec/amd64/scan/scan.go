// Package scan writes the loops of scans over tiles in the frame, and what scans rows in loops of others. It knows no
// IR.
package scan

import (
	"math/bits"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A Tile is one in the frame, dense, with elements of a type from an offset on.
type Tile struct {
	D   dtype.DType
	Off int
}

func (t Tile) cell() int { return lane.CellSize(t.D) }

// place is that of an element.
func (t Tile) place(i int) lir.Arg { return lir.Frame(t.Off + i*t.cell()) }

// A Scan is the loops over outer blocks, each of size rows of length elements: each row of the result is what the one
// before and the operands' row are combined to.
type Scan struct {
	*elementwise.Builder
	In, Out             []Tile
	Combine             func(prev, cur []lane.Lanes) []lane.Lanes
	Reverse             bool
	Outer, Size, Length int
	// End, if it is a register, is how many rows of a result are looked at, Size at most: rows of one element from there
	// on may be anything if the scan is not reversed.
	End  lir.Reg
	rows int // of one element, scanned together: their chains do not wait for each other
}

// mostRows is how many rows of one element are scanned together at most.
const mostRows = 4

// Write writes the code.
func (s *Scan) Write() {
	s.rows = 1
	for s.Length == 1 && s.rows < mostRows && s.Outer%(2*s.rows) == 0 {
		s.rows *= 2
	}
	block := s.rows * s.Size * s.Length
	s.UpTo(s.Outer*s.Size*s.Length, block, s.block)
}

// block scans one outer block, which begins at element o, or as many as are scanned together.
func (s *Scan) block(o lir.Reg) {
	first, step := 0, s.Length
	if s.Reverse {
		first, step = (s.Size-1)*s.Length, -s.Length
	}
	at := s.NewReg(lir.GPR)
	s.Def(asm.LEA, s.R64(at), lir.Mem(o, first))
	if s.Length == 1 {
		s.chain(at, step)
		return
	}
	s.row(at, func(j lir.Reg) []lane.Lanes { return s.load(s.In, at, j) })
	if s.Size > 1 {
		prev := s.NewReg(lir.GPR)
		s.rounds(s.Size-1, 0, func() {
			s.Move64(prev, at)
			s.RMW(asm.ADD, s.R64(at), lir.Imm(int64(step)))
			s.row(at, func(j lir.Reg) []lane.Lanes { return s.Combine(s.load(s.Out, prev, j), s.load(s.In, at, j)) })
		})
	}
}

// unroll is how many elements of a chain a round has: what is carried from one round to the next costs a move.
const unroll = 4

// chain scans rows of one element, the first of which is at: what comes before stays in
// registers, because waiting for memory takes longer.
func (s *Scan) chain(at lir.Reg, step int) {
	place := func(t Tile, row int) lir.Arg { return lir.FrameIndex(at, t.cell(), t.Off+row*s.Size*t.cell()) }
	load := func(row int) (x []lane.Lanes) {
		for _, t := range s.In {
			x = append(x, s.LoadCell(t.D, place(t, row)))
		}
		return x
	}
	store := func(row int, x []lane.Lanes) {
		for i, t := range s.Out {
			s.StoreCell(x[i], place(t, row))
		}
	}
	prev := make([][]lane.Lanes, s.rows)
	for r := range prev {
		prev[r] = load(r)
		store(r, prev[r])
	}
	next := func() {
		s.RMW(asm.ADD, s.R64(at), lir.Imm(int64(step)))
		for r := range prev {
			prev[r] = s.Combine(prev[r], load(r))
			store(r, prev[r])
		}
	}
	singles := (s.Size - 1) % unroll
	for range singles {
		next()
	}
	if s.Size > unroll {
		carried := make([][]lane.Lanes, s.rows)
		for r := range prev {
			for _, x := range prev[r] {
				carried[r] = append(carried[r], s.Variable(x))
			}
		}
		s.rounds((s.Size-1)/unroll, s.roundsTo(1+singles, unroll), func() {
			copy(prev, carried)
			for range unroll {
				next()
			}
			for r := range carried {
				for i := range carried[r] {
					s.Assign(carried[r][i], prev[r][i])
				}
			}
		})
	}
}

// roundsTo is how many rounds, each of so many elements, come to the end behind the first elements, 0 if that is not
// known.
func (s *Scan) roundsTo(first, round int) lir.Reg {
	if s.End == 0 || s.Reverse {
		return 0
	}
	left := s.CopyInt(s.End)
	s.RMW(asm.ADD, s.R64(left), lir.Imm(int64(round-1-first)))
	s.RMW(asm.SAR, s.R64(left), lir.Imm(int64(bits.TrailingZeros(uint(round)))))
	return left
}

// rounds is a loop of so many rounds at most, fewer if left says so.
func (s *Scan) rounds(most int, left lir.Reg, body func()) {
	again, end := s.NewLabel(), s.NewLabel()
	if left == 0 {
		left = s.NewInt(int64(most))
	} else {
		s.Use(asm.TEST, s.R64(left), s.R64(left))
		s.Jump(asm.JLE, end)
	}
	l := s.BeginLoop()
	s.Bind(again)
	before := s.Here()
	body()
	later := s.SpendRound(s.WorkSince(before), most)
	s.RMW(asm.SUB, s.R64(left), lir.Imm(1))
	s.Jump(asm.JNE, again)
	s.EndLoop(l)
	s.Bind(end)
	s.Spent(later)
}

// row writes the elements of one row, block by block; the last block is masked, for
// the rows that follow in memory may have been written.
func (s *Scan) row(at lir.Reg, compute func(j lir.Reg) []lane.Lanes) {
	store := func(j lir.Reg, mask *lane.Lanes) {
		for i, z := range compute(j) {
			s.Store(z.As(lane.CellType(s.Out[i].D)), s.place(s.Out[i], at, j), mask)
		}
	}
	full := s.Length / s.Lanes * s.Lanes
	if full > 0 {
		s.UpTo(full, s.Lanes, func(j lir.Reg) { store(j, nil) })
	}
	if left := s.Length - full; left > 0 {
		mask := lane.FirstLanes(s.Vectors, left)
		store(s.NewInt(int64(full)), &mask)
	}
}

func (s *Scan) load(from []Tile, at, j lir.Reg) (z []lane.Lanes) {
	for _, t := range from {
		z = append(z, s.Builder.Load(lane.CellType(t.D), s.place(t, at, j), nil).As(t.D))
	}
	return z
}

// place is element at+j of a tile.
func (s *Scan) place(t Tile, at, j lir.Reg) lir.Arg {
	base := s.NewReg(lir.GPR)
	s.Def(asm.LEA, s.R64(base), lir.FrameIndex(at, t.cell(), t.Off))
	return lir.MemIndex(base, j, t.cell(), 0)
}
