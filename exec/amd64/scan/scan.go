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

// A Scan is the loops over rows of size elements: each of the result is what the one before and the operand's are
// combined to.
type Scan struct {
	Builder    *elementwise.Builder
	In, Out    []Tile
	Combine    func(prev, cur []lane.Lanes) []lane.Lanes
	Reverse    bool
	Rows, Size int
	// End, if it is a register, is how many elements of a row are looked at, Size at most: those from there on may be
	// anything if the scan is not reversed.
	End  lir.Reg
	rows int // scanned together: their chains do not wait for each other
}

// mostRows is how many rows are scanned together at most.
const mostRows = 4

// Write writes the code.
func (s *Scan) Write() {
	s.rows = 1
	for s.rows < mostRows && s.Rows%(2*s.rows) == 0 {
		s.rows *= 2
	}
	s.Builder.UpTo(s.Rows*s.Size, s.rows*s.Size, s.chain)
}

// unroll is how many elements of a chain a round has: what is carried from one round to the next costs a move.
const unroll = 4

// chain scans rows together that begin with element o: what comes before stays in registers, because waiting for
// memory takes longer.
func (s *Scan) chain(o lir.Reg) {
	g := s.Builder
	first, step := 0, 1
	if s.Reverse {
		first, step = s.Size-1, -1
	}
	at := g.NewReg(lir.GPR)
	g.Def(asm.LEA, g.R64(at), lir.Mem(o, first))
	place := func(t Tile, row int) lir.Arg { return lir.FrameIndex(at, t.cell(), t.Off+row*s.Size*t.cell()) }
	load := func(row int) (x []lane.Lanes) {
		for _, t := range s.In {
			x = append(x, g.LoadCell(t.D, place(t, row)))
		}
		return x
	}
	store := func(row int, x []lane.Lanes) {
		for i, t := range s.Out {
			g.StoreCell(x[i], place(t, row))
		}
	}
	prev := make([][]lane.Lanes, s.rows)
	for r := range prev {
		prev[r] = load(r)
		store(r, prev[r])
	}
	next := func() {
		g.RMW(asm.ADD, g.R64(at), lir.Imm(int64(step)))
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
				carried[r] = append(carried[r], g.Variable(x))
			}
		}
		s.rounds((s.Size-1)/unroll, s.roundsTo(1+singles, unroll), func() {
			copy(prev, carried)
			for range unroll {
				next()
			}
			for r := range carried {
				for i := range carried[r] {
					g.Assign(carried[r][i], prev[r][i])
				}
			}
		})
	}
}

// roundsTo is how many rounds, each of so many elements, come to the end behind the first elements, 0 if that is not
// known.
func (s *Scan) roundsTo(first, round int) lir.Reg {
	g := s.Builder
	if s.End == 0 || s.Reverse {
		return 0
	}
	left := g.CopyInt(s.End)
	g.RMW(asm.ADD, g.R64(left), lir.Imm(int64(round-1-first)))
	g.RMW(asm.SAR, g.R64(left), lir.Imm(int64(bits.TrailingZeros(uint(round)))))
	return left
}

// rounds is a loop of so many rounds at most, fewer if left says so.
func (s *Scan) rounds(most int, left lir.Reg, body func()) {
	g := s.Builder
	again, end := g.NewLabel(), g.NewLabel()
	if left == 0 {
		left = g.NewInt(int64(most))
	} else {
		g.Use(asm.TEST, g.R64(left), g.R64(left))
		g.Jump(asm.JLE, end)
	}
	l := g.BeginLoop()
	g.Bind(again)
	before := g.Here()
	body()
	later := g.SpendRound(g.WorkSince(before), most)
	g.RMW(asm.SUB, g.R64(left), lir.Imm(1))
	g.Jump(asm.JNE, again)
	g.EndLoop(l)
	g.Bind(end)
	g.Spent(later)
}
