package order

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A Sorter is the code of one sort of rows in the frame, of elements of 4 or 8 bytes.
type Sorter struct {
	Builder        *elementwise.Builder
	D              dtype.DType // of elements
	In, Out, Where int         // where rows are, results, and where they came from, -1 if that is not wanted
	N, Rows        int
	Keep           int // so many of N
	Width          int // of keys: 4 or 8 bytes
	Descending     bool
	Values         bool // keys alone are sorted, if they stay alone, and made elements again
}

// Longest is the longest row that is sorted by a network: its steps grow faster than those of a radix sort.
const Longest = 1 << 14

// Write writes the code.
func (s *Sorter) Write() {
	g := s.Builder
	switch {
	case s.ranked():
		r := s.ranks()
		g.UpTo(s.Rows, 1, r.row)
		return
	case lane.Wide(s.D) && s.Keep < s.N:
		g.UpTo(s.Rows, 1, s.topPairs)
		return
	case !lane.Wide(s.D) && s.Width == 8 && s.Keep <= mostTop:
		g.UpTo(s.Rows, 1, s.top)
		return
	}
	w := s.network()
	g.UpTo((s.Rows+w.together-1)/w.together, 1, w.batch)
}

// cells is where a row of a buffer begins, in bytes.
func (s *Sorter) cells(row lir.Reg, length int) lir.Reg {
	return s.Builder.BinInt(asm.IMUL, row, lir.Imm(int64(s.cell()*length)))
}

// cell is the bytes of an element.
func (s *Sorter) cell() int { return lane.CellSize(s.D) }

// overKeys runs f for the blocks of a row of the tile that begins at so many bytes: with its elements' keys, and the
// number of the first. Lanes behind the row's end have the greatest key. The first blocks have code of their own.
func (s *Sorter) overKeys(row lir.Reg, apart int, f func(x, key lane.Lanes, j lir.Reg)) {
	g := s.Builder
	block := func(j lir.Reg, count int) {
		at := g.NewReg(lir.GPR)
		g.Def(asm.LEA, g.R64(at), lir.MemIndex(row, j, s.cell(), 0))
		x := g.Load(s.D, lir.FrameIndex(at, 1, s.In), nil)
		key := s.key(x)
		if count < g.Lanes {
			mask := g.NewMask()
			g.SetFirstLanes(mask, g.NewInt(int64(count)))
			key = g.Blend(mask, key, s.last())
			x = g.Blend(mask, x, lane.Const(s.D, 0))
		}
		f(x, key, j)
	}
	full := s.N / g.Lanes * g.Lanes
	for i := range apart {
		block(g.NewInt(int64(i*g.Lanes)), g.Lanes)
	}
	if full > apart*g.Lanes {
		j := g.NewInt(int64(apart * g.Lanes))
		g.Onward(j, lir.Imm(int64(full)), g.Lanes, full/g.Lanes-apart, func(j lir.Reg) { block(j, g.Lanes) })
	}
	if s.N > full {
		block(g.NewInt(int64(full)), s.N-full)
	}
}

// last is the greatest key.
func (s *Sorter) last() lane.Lanes {
	if lane.Wide(s.D) {
		return lane.Const(dtype.Int64, math.MaxInt64)
	}
	return lane.Const(dtype.Int32, math.MaxInt32)
}

// key makes elements integers that order as they do, from the first to the last.
func (s *Sorter) key(x lane.Lanes) lane.Lanes {
	g := s.Builder
	if lane.Wide(s.D) {
		return s.wideKey(x)
	}
	d := dtype.Int32
	z := x.As(d)
	switch {
	case s.D.IsFloat(): // what is negative is minus its magnitude; NaNs come last
		sign, rest := s.shifted(asm.VPSRAD, z, 31), s.shifted(asm.VPSRLD, s.shifted(asm.VPSRAD, z, 31), 1)
		z = g.Prim(op.Sub, d, g.Prim(op.Xor, d, z, rest), sign)
		z = g.Blend(g.Compare(op.Ne, dtype.Float32, x, x), lane.Const(d, math.MaxInt32), z)
	case s.D == dtype.Uint32:
		z = g.Prim(op.Xor, d, z, lane.Const(d, 1<<31))
	}
	if s.Descending {
		z = g.Prim(op.Xor, d, z, lane.Const(d, math.MaxUint32))
	}
	return z
}

// element makes keys elements again, but for NaNs and the signs of zeros.
func (s *Sorter) element(z lane.Lanes) lane.Lanes {
	g := s.Builder
	if lane.Wide(s.D) {
		return s.wideElement(z)
	}
	d := dtype.Int32
	if s.Descending {
		z = g.Prim(op.Xor, d, z, lane.Const(d, math.MaxUint32))
	}
	switch {
	case s.D.IsFloat():
		sign := s.shifted(asm.VPSRAD, z, 31)
		z = g.Prim(op.Xor, d, g.Prim(op.Add, d, z, sign), s.shifted(asm.VPSRLD, sign, 1))
	case s.D == dtype.Uint32:
		z = g.Prim(op.Xor, d, z, lane.Const(d, 1<<31))
	}
	return z.As(s.D)
}

func (s *Sorter) shifted(o asm.Op, x lane.Lanes, by int) lane.Lanes {
	g := s.Builder
	r := g.NewVec()
	g.Def(o, g.V(r), g.V(g.Reg(x, 0)), lir.Imm(int64(by)))
	return lane.Lanes{D: dtype.Int32, R: [2]lir.Reg{r, r}}
}

// indexed is keys with the numbers of their elements in two registers of 64 bit lanes, in order.
func (s *Sorter) indexed(key lane.Lanes, j lir.Reg) (low, high lir.Reg) {
	g := s.Builder
	index := g.Prim(op.Add, dtype.Int32, g.SplatInt(dtype.Int32, j), g.Iota(0))
	l, h := g.Interleaved(index, key)
	return l.R[0], h.R[0]
}

// special is a mask of the elements whose bits their key does not tell.
func (s *Sorter) special(x lane.Lanes) lane.Lanes {
	g := s.Builder
	x = x.RawInt()
	twice := g.Prim(op.Add, x.D, x, x)
	nan := g.Compare(op.Gt, x.D, twice, lane.Const(x.D, s.infinite()))
	minus := g.Compare(op.Eq, x.D, x, lane.Const(x.D, 1<<(8*s.cell()-1)))
	return g.PrimBool(op.Or, []lane.Lanes{nan, minus})
}

// infinite is the bits of infinity without its sign, moved up.
func (s *Sorter) infinite() uint64 {
	if lane.Wide(s.D) {
		return math.Float64bits(math.Inf(1)) << 1
	}
	return uint64(math.Float32bits(float32(math.Inf(1))) << 1)
}

// restore writes zeros and NaNs of a row over those that are in their place, in the order in which they come.
func (s *Sorter) restore(row lir.Reg) {
	g := s.Builder
	word := func(r lir.Reg) lir.Arg { return g.VW(r, s.cell()) }
	bits := func(off int, i lir.Reg) (x, twice lir.Reg) {
		at := g.NewReg(lir.GPR)
		g.Def(asm.LEA, g.R64(at), lir.MemIndex(row, i, s.cell(), 0))
		x, twice = g.NewReg(lir.GPR), g.NewReg(lir.GPR)
		g.Def(asm.MOV, word(x), lir.FrameIndex(at, 1, off))
		g.Def(asm.LEA, word(twice), lir.MemIndex(x, x, 1, 0))
		return x, twice
	}
	zero, nan := g.NewInt(0), g.NewInt(0) // where the first is
	infinite := g.NewInt(int64(s.infinite()))
	g.UpTo(s.N, 1, func(j lir.Reg) {
		i := g.NewInt(int64(s.N - 1))
		g.RMW(asm.SUB, g.R64(i), g.R64(j))
		_, twice := bits(s.Out, i)
		g.Use(asm.TEST, word(twice), word(twice))
		g.RMW(asm.CMOVE, g.R64(zero), g.R64(i))
		g.Use(asm.CMP, word(twice), word(infinite))
		g.RMW(asm.CMOVA, g.R64(nan), g.R64(i))
	})
	g.UpTo(s.N, 1, func(j lir.Reg) {
		x, twice := bits(s.In, j)
		put := func(next lir.Reg) {
			at := g.NewReg(lir.GPR)
			g.Def(asm.LEA, g.R64(at), lir.MemIndex(row, next, s.cell(), 0))
			g.Use(asm.MOV, lir.FrameIndex(at, 1, s.Out).Sized(s.cell()), word(x))
			g.RMW(asm.ADD, g.R64(next), lir.Imm(1))
		}
		other, done := g.NewLabel(), g.NewLabel()
		g.Use(asm.TEST, word(twice), word(twice))
		g.Jump(asm.JNE, other)
		put(zero)
		g.Jump(asm.JMP, done)
		g.Bind(other)
		g.Use(asm.CMP, word(twice), word(infinite))
		g.Jump(asm.JBE, done)
		put(nan)
		g.Bind(done)
	})
}
