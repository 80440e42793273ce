package amd64

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Sorting in vectors. An element becomes a key, an integer that orders as the language orders elements; where
// it matters which of equal elements comes first, the key is the upper half of 64 bits whose lower half is the
// element's index, so that all are different and any network sorts them stably. Rows of keys are sorted in
// memory by a network (network.go), or if few of the first are wanted, kept in order in registers (top.go).
// Values come from the tile itself, by index. Sorting values alone takes keys of 32 bits and makes values of them again:
// zeros of both signs, and NaNs, have one key, and are written over in their order if there are any.

// A sorter is the code of one Sort, ArgSort or TopK.
type sorter struct {
	*gen
	d          dtype.DType // of cells
	in         *buffer
	out, where *buffer // where is nil if indices are not wanted
	n, rows    int
	keep       int // of n
	width      int // of keys: 4 or 8 bytes
	descending bool
}

// mostSorted is the longest row that is sorted by a network: its steps grow faster than those of a radix sort.
const mostSorted = 1 << 14

// sorterOf is nil if v is left to Go.
func (g *gen) sorterOf(v *ir.Value) *sorter {
	x := v.Args[0].Type
	n := x.Shape.D[x.Shape.N-1]
	if v.Op != op.Sort && v.Op != op.ArgSort && v.Op != op.TopK || lane.Wide(x.D) || x.D == dtype.Bool || n < 2 || n > mostSorted {
		return nil
	}
	s := &sorter{gen: g, d: lane.CellType(x.D), n: n, keep: n, rows: x.Shape.Len() / n, width: 8, descending: v.Op == op.TopK || v.Flags&ir.Descending != 0}
	switch v.Op {
	case op.Sort:
		s.width = 4
	case op.TopK:
		s.keep = v.Index
	}
	s.in = g.whole(v.Args[0])
	out := g.resultBuffers(v)
	if s.out = out[0]; len(out) > 1 {
		s.where = out[1]
	}
	return s
}

// write writes the code.
func (s *sorter) write() {
	if s.width == 8 && s.keep <= mostTop {
		s.UpTo(s.rows, 1, s.top)
		return
	}
	w := s.network()
	s.UpTo((s.rows+w.together-1)/w.together, 1, w.batch)
}

// cells is where a row of a buffer begins, in bytes.
func (s *sorter) cells(row lir.Reg, length int) lir.Reg {
	return s.BinInt(asm.IMUL, row, lir.Imm(int64(4*length)))
}

// overRow runs f for the blocks of a row of the tile that begins at so many bytes: with its elements' keys, and the
// number of the first. Lanes behind the row's end have the greatest key.
func (s *sorter) overKeys(row lir.Reg, f func(x, key lane.Lanes, j lir.Reg)) {
	block := func(j lir.Reg, count int) {
		at := s.NewReg(lir.GPR)
		s.Def(asm.LEA, s.R64(at), lir.MemIndex(row, j, 4, 0))
		x := s.Load(s.d, lir.FrameIndex(at, 1, s.in.off), nil)
		key := s.key(x)
		if count < s.Lanes {
			mask := s.NewMask()
			s.SetFirstLanes(mask, s.NewInt(int64(count)))
			key = s.Blend(mask, key, lane.Const(dtype.Int32, math.MaxInt32))
			x = s.Blend(mask, x, lane.Const(s.d, 0))
		}
		f(x, key, j)
	}
	full := s.n / s.Lanes * s.Lanes
	if full > 0 {
		s.UpTo(full, s.Lanes, func(j lir.Reg) { block(j, s.Lanes) })
	}
	if s.n > full {
		block(s.NewInt(int64(full)), s.n-full)
	}
}

// key makes elements integers that order as they do, from the first to the last.
func (s *sorter) key(x lane.Lanes) lane.Lanes {
	d := dtype.Int32
	z := x.As(d)
	switch {
	case s.d.IsFloat(): // what is negative is minus its magnitude; NaNs come last
		sign, rest := s.shifted(asm.VPSRAD, z, 31), s.shifted(asm.VPSRLD, s.shifted(asm.VPSRAD, z, 31), 1)
		z = s.Prim(op.Sub, d, s.Prim(op.Xor, d, z, rest), sign)
		z = s.Blend(s.Compare(op.Ne, dtype.Float32, x, x), lane.Const(d, math.MaxInt32), z)
	case s.d == dtype.Uint32:
		z = s.Prim(op.Xor, d, z, lane.Const(d, 1<<31))
	}
	if s.descending {
		z = s.Prim(op.Xor, d, z, lane.Const(d, math.MaxUint32))
	}
	return z
}

// element makes keys elements again, but for NaNs and the signs of zeros.
func (s *sorter) element(z lane.Lanes) lane.Lanes {
	d := dtype.Int32
	if s.descending {
		z = s.Prim(op.Xor, d, z, lane.Const(d, math.MaxUint32))
	}
	switch {
	case s.d.IsFloat():
		sign := s.shifted(asm.VPSRAD, z, 31)
		z = s.Prim(op.Xor, d, s.Prim(op.Add, d, z, sign), s.shifted(asm.VPSRLD, sign, 1))
	case s.d == dtype.Uint32:
		z = s.Prim(op.Xor, d, z, lane.Const(d, 1<<31))
	}
	return z.As(s.d)
}

func (s *sorter) shifted(o asm.Op, x lane.Lanes, by int) lane.Lanes {
	r := s.NewVec()
	s.Def(o, s.V(r), s.V(s.Reg(x, 0)), lir.Imm(int64(by)))
	return lane.Lanes{D: dtype.Int32, R: [2]lir.Reg{r, r}}
}

// indexed is keys with the numbers of their elements in two registers of 64 bit lanes, in order.
func (s *sorter) indexed(key lane.Lanes, j lir.Reg) (low, high lir.Reg) {
	index := s.Prim(op.Add, dtype.Int32, s.SplatInt(dtype.Int32, j), s.Iota(0))
	l, h := s.Interleaved(index, key)
	return l.R[0], h.R[0]
}

// special is a mask of the elements whose bits their key does not tell.
func (s *sorter) special(x lane.Lanes) lane.Lanes {
	d := dtype.Uint32
	twice := s.Prim(op.Add, d, x.As(d), x.As(d))
	nan := s.Compare(op.Gt, d, twice, lane.Const(d, 0xff000000))
	minus := s.Compare(op.Eq, d, x.As(d), lane.Const(d, 1<<31))
	return s.PrimBool(op.Or, []lane.Lanes{nan, minus})
}

// restore writes zeros and NaNs of a row over those that are in their place, in the order in which they come.
func (s *sorter) restore(row lir.Reg) {
	bits := func(b *buffer, i lir.Reg) (x, twice lir.Reg) {
		at := s.NewReg(lir.GPR)
		s.Def(asm.LEA, s.R64(at), lir.MemIndex(row, i, 4, 0))
		x, twice = s.NewReg(lir.GPR), s.NewReg(lir.GPR)
		s.Def(asm.MOV, s.R32(x), lir.FrameIndex(at, 1, b.off))
		s.Def(asm.LEA, s.R32(twice), lir.MemIndex(x, x, 1, 0))
		return x, twice
	}
	zero, nan := s.NewInt(0), s.NewInt(0) // where the first is
	infinite := s.NewInt(0xff000000)
	s.UpTo(s.n, 1, func(j lir.Reg) {
		i := s.NewInt(int64(s.n - 1))
		s.RMW(asm.SUB, s.R64(i), s.R64(j))
		_, twice := bits(s.out, i)
		s.Use(asm.TEST, s.R32(twice), s.R32(twice))
		s.RMW(asm.CMOVE, s.R64(zero), s.R64(i))
		s.Use(asm.CMP, s.R32(twice), s.R32(infinite))
		s.RMW(asm.CMOVA, s.R64(nan), s.R64(i))
	})
	s.UpTo(s.n, 1, func(j lir.Reg) {
		x, twice := bits(s.in, j)
		put := func(next lir.Reg) {
			at := s.NewReg(lir.GPR)
			s.Def(asm.LEA, s.R64(at), lir.MemIndex(row, next, 4, 0))
			s.Use(asm.MOV, lir.FrameIndex(at, 1, s.out.off), s.R32(x))
			s.RMW(asm.ADD, s.R64(next), lir.Imm(1))
		}
		other, done := s.NewLabel(), s.NewLabel()
		s.Use(asm.TEST, s.R32(twice), s.R32(twice))
		s.Jump(asm.JNE, other)
		put(zero)
		s.Jump(asm.JMP, done)
		s.Bind(other)
		s.Use(asm.CMP, s.R32(twice), s.R32(infinite))
		s.Jump(asm.JBE, done)
		put(nan)
		s.Bind(done)
	})
}
