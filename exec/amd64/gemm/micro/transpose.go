package micro

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/transpose"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Operands of products whose elements lie side by side along the other dimension than the
// one that the kernel wants: columns of B, and groups of A, are transposed in registers.

// Lanes is how many elements of the chain a register has.
func (t Tiling) Lanes() int { return t.Cols / t.Vecs }

// turnCode writes columns of B, each of which has its elements side by side, into a
// panel, as many as a register has lanes: WordK blocks of as many steps. They begin WordA bytes
// after the places at WordRows; WordStepB is the bytes from step to step in the panel.
func turnCode(from, d dtype.DType, tier *lir.Tier) *writer {
	g := newWriter(tier, false)
	off, dst, step := g.Word(WordA), g.Word(WordB), g.Word(WordStepB)
	g.repeat(WordK, []int{1}, func(int) {
		r := make([]lir.Reg, g.Bytes/d.Size())
		for i := range r {
			r[i] = g.LoadAs(d, from, lir.MemIndex(g.Word(WordRows+8*i), off, 1, 0))
		}
		for _, x := range transpose.Square(g.Unit, r, d.Size()) {
			g.Use(asm.VMOVUPS, lir.Mem(dst, 0), g.V(x))
			g.RMW(asm.ADD, g.R64(dst), g.R64(step))
		}
		g.AddConst(off, int64(len(r)*from.Size()))
	})
	g.Return(0)
	return g
}

// TurnedRows is how many rows of a turnGroupsCode turns at a time.
const TurnedRows = tileRows

// CanPermute reports whether the machine has the instruction that turnGroupsCode takes for
// elements of type d.
func CanPermute(d dtype.DType) bool {
	return d.Size() == 2 || cpu.Detected().Has(cpu.HasAVX512VBMI)
}

// turnGroupsCode writes rows of A that lie side by side to rows along K, of which a
// step is a group: TurnedRows of them, WordStepB bytes apart, WordK times TileBytes. Steps of
// the source are WordLdK bytes apart.
func turnGroupsCode(d dtype.DType) *writer {
	g := newWriter(lir.AVX512, false)
	size, permute, insert := d.Size(), asm.VPERMW, asm.VINSERTI64X4
	if size == 1 {
		permute, insert = asm.VPERMB, asm.VINSERTI32X4
	}
	group := GroupBytes / size
	var from [64]byte // elements of a group are turnedRows apart
	for i := range len(from) / size {
		from[i*size] = byte(i%group*TurnedRows + i/group)
	}
	index := g.NewVec()
	g.Def(asm.VMOVUPS, g.V(index), g.BytesConst(from[:]))
	src, dst, ld, row := g.Word(WordA), g.Word(WordB), g.Word(WordLdK), g.Word(WordStepB)
	g.repeat(WordK, []int{1}, func(int) {
		r := make([]lir.Reg, TileSteps)
		for i := range r {
			x := g.NewVec()
			g.Use(asm.PREFETCHT1, lir.Mem(src, TileBytes).Sized(1)) // of rows to come
			g.Def(asm.VMOVUPS, g.VW(x, TurnedRows*size), lir.Mem(src, 0))
			g.RMW(asm.ADD, g.R64(src), g.R64(ld))
			for k := 1; k < group; k++ {
				y := g.NewVec()
				g.Def(insert, g.V(y), g.V(x), lir.Mem(src, 0), lir.Imm(int64(k)))
				g.RMW(asm.ADD, g.R64(src), g.R64(ld))
				x = y
			}
			r[i] = g.NewVec()
			g.Def(permute, g.V(r[i]), g.V(index), g.V(x))
		}
		q := g.CopyInt(dst)
		for _, x := range transpose.Square(g.Unit, r, GroupBytes) {
			g.Use(asm.VMOVUPS, lir.Mem(q, 0), g.V(x))
			g.RMW(asm.ADD, g.R64(q), g.R64(row))
		}
		g.AddConst(dst, TileBytes)
	})
	g.Return(0)
	return g
}
