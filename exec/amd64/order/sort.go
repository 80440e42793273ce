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
	*elementwise.Builder
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
	switch {
	case s.ranked():
		r := s.ranks()
		s.UpTo(s.Rows, 1, r.row)
		return
	case lane.Wide(s.D) && s.Keep < s.N:
		s.UpTo(s.Rows, 1, s.topPairs)
		return
	case !lane.Wide(s.D) && s.Width == 8 && s.Keep <= mostTop:
		s.UpTo(s.Rows, 1, s.top)
		return
	}
	w := s.network()
	s.UpTo((s.Rows+w.together-1)/w.together, 1, w.batch)
}

// cells is where a row of a buffer begins, in bytes.
func (s *Sorter) cells(row lir.Reg, length int) lir.Reg {
	return s.BinInt(asm.IMUL, row, lir.Imm(int64(s.cell()*length)))
}

// cell is the bytes of an element.
func (s *Sorter) cell() int { return lane.CellSize(s.D) }

// overKeys runs f for the blocks of a row of the tile that begins at so many bytes: with its elements' keys, and the
// number of the first. Lanes behind the row's end have the greatest key. The first blocks have code of their own.
func (s *Sorter) overKeys(row lir.Reg, apart int, f func(x, key lane.Lanes, j lir.Reg)) {
	block := func(j lir.Reg, count int) {
		at := s.NewReg(lir.GPR)
		s.Def(asm.LEA, s.R64(at), lir.MemIndex(row, j, s.cell(), 0))
		x := s.Load(s.D, lir.FrameIndex(at, 1, s.In), nil)
		key := s.key(x)
		if count < s.Lanes {
			mask := s.NewMask()
			s.SetFirstLanes(mask, s.NewInt(int64(count)))
			key = s.Blend(mask, key, s.last())
			x = s.Blend(mask, x, lane.Const(s.D, 0))
		}
		f(x, key, j)
	}
	full := s.N / s.Lanes * s.Lanes
	for i := range apart {
		block(s.NewInt(int64(i*s.Lanes)), s.Lanes)
	}
	if full > apart*s.Lanes {
		j := s.NewInt(int64(apart * s.Lanes))
		s.Onward(j, lir.Imm(int64(full)), s.Lanes, full/s.Lanes-apart, func(j lir.Reg) { block(j, s.Lanes) })
	}
	if s.N > full {
		block(s.NewInt(int64(full)), s.N-full)
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
	if lane.Wide(s.D) {
		return s.wideKey(x)
	}
	d := dtype.Int32
	z := x.As(d)
	switch {
	case s.D.IsFloat(): // what is negative is minus its magnitude; NaNs come last
		sign, rest := s.shifted(asm.VPSRAD, z, 31), s.shifted(asm.VPSRLD, s.shifted(asm.VPSRAD, z, 31), 1)
		z = s.Prim(op.Sub, d, s.Prim(op.Xor, d, z, rest), sign)
		z = s.Blend(s.Compare(op.Ne, dtype.Float32, x, x), lane.Const(d, math.MaxInt32), z)
	case s.D == dtype.Uint32:
		z = s.Prim(op.Xor, d, z, lane.Const(d, 1<<31))
	}
	if s.Descending {
		z = s.Prim(op.Xor, d, z, lane.Const(d, math.MaxUint32))
	}
	return z
}

// element makes keys elements again, but for NaNs and the signs of zeros.
func (s *Sorter) element(z lane.Lanes) lane.Lanes {
	if lane.Wide(s.D) {
		return s.wideElement(z)
	}
	d := dtype.Int32
	if s.Descending {
		z = s.Prim(op.Xor, d, z, lane.Const(d, math.MaxUint32))
	}
	switch {
	case s.D.IsFloat():
		sign := s.shifted(asm.VPSRAD, z, 31)
		z = s.Prim(op.Xor, d, s.Prim(op.Add, d, z, sign), s.shifted(asm.VPSRLD, sign, 1))
	case s.D == dtype.Uint32:
		z = s.Prim(op.Xor, d, z, lane.Const(d, 1<<31))
	}
	return z.As(s.D)
}

func (s *Sorter) shifted(o asm.Op, x lane.Lanes, by int) lane.Lanes {
	r := s.NewVec()
	s.Def(o, s.V(r), s.V(s.Reg(x, 0)), lir.Imm(int64(by)))
	return lane.Lanes{D: dtype.Int32, R: [2]lir.Reg{r, r}}
}

// indexed is keys with the numbers of their elements in two registers of 64 bit lanes, in order.
func (s *Sorter) indexed(key lane.Lanes, j lir.Reg) (low, high lir.Reg) {
	index := s.Prim(op.Add, dtype.Int32, s.SplatInt(dtype.Int32, j), s.Iota(0))
	l, h := s.Interleaved(index, key)
	return l.R[0], h.R[0]
}

// special is a mask of the elements whose bits their key does not tell.
func (s *Sorter) special(x lane.Lanes) lane.Lanes {
	x = x.RawInt()
	twice := s.Prim(op.Add, x.D, x, x)
	nan := s.Compare(op.Gt, x.D, twice, lane.Const(x.D, s.infinite()))
	minus := s.Compare(op.Eq, x.D, x, lane.Const(x.D, 1<<(8*s.cell()-1)))
	return s.PrimBool(op.Or, []lane.Lanes{nan, minus})
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
	word := func(r lir.Reg) lir.Arg { return s.VW(r, s.cell()) }
	bits := func(off int, i lir.Reg) (x, twice lir.Reg) {
		at := s.NewReg(lir.GPR)
		s.Def(asm.LEA, s.R64(at), lir.MemIndex(row, i, s.cell(), 0))
		x, twice = s.NewReg(lir.GPR), s.NewReg(lir.GPR)
		s.Def(asm.MOV, word(x), lir.FrameIndex(at, 1, off))
		s.Def(asm.LEA, word(twice), lir.MemIndex(x, x, 1, 0))
		return x, twice
	}
	zero, nan := s.NewInt(0), s.NewInt(0) // where the first is
	infinite := s.NewInt(int64(s.infinite()))
	s.UpTo(s.N, 1, func(j lir.Reg) {
		i := s.NewInt(int64(s.N - 1))
		s.RMW(asm.SUB, s.R64(i), s.R64(j))
		_, twice := bits(s.Out, i)
		s.Use(asm.TEST, word(twice), word(twice))
		s.RMW(asm.CMOVE, s.R64(zero), s.R64(i))
		s.Use(asm.CMP, word(twice), word(infinite))
		s.RMW(asm.CMOVA, s.R64(nan), s.R64(i))
	})
	s.UpTo(s.N, 1, func(j lir.Reg) {
		x, twice := bits(s.In, j)
		put := func(next lir.Reg) {
			at := s.NewReg(lir.GPR)
			s.Def(asm.LEA, s.R64(at), lir.MemIndex(row, next, s.cell(), 0))
			s.Use(asm.MOV, lir.FrameIndex(at, 1, s.Out).Sized(s.cell()), word(x))
			s.RMW(asm.ADD, s.R64(next), lir.Imm(1))
		}
		other, done := s.NewLabel(), s.NewLabel()
		s.Use(asm.TEST, word(twice), word(twice))
		s.Jump(asm.JNE, other)
		put(zero)
		s.Jump(asm.JMP, done)
		s.Bind(other)
		s.Use(asm.CMP, word(twice), word(infinite))
		s.Jump(asm.JBE, done)
		put(nan)
		s.Bind(done)
	})
}
