package micro

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/transpose"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// ThinSteps is how many rows of B code goes along at a time, thinAhead how far ahead in a column it prefetches, in
// bytes.
const ThinSteps, thinAhead = 8, 256

// thinCode adds rows of a copied strip times rows of B, of type from, to sums of type d.
func thinCode(rows int, from, d dtype.DType, tier *lir.Tier) *writer {
	g := newWriter(tier, true)
	t := TilingOf(tier, d)
	ld := g.Word(WordLdK)
	most := min(8, 16/rows) // registers of columns
	if !tier.EVEX {
		most = max(1, 8/rows)
	}
	g.repeat(WordK, []int{ThinSteps, 1}, func(steps int) {
		src, sums, left := g.Word(WordFrom), g.Word(WordC), g.Word(WordCount)
		for _, vecs := range []int{most, 1} {
			top, end := g.NewLabel(), g.NewLabel()
			g.RMW(asm.SUB, g.R64(left), lir.Imm(int64(vecs)))
			g.Jump(asm.JL, end)
			l := g.BeginLoop()
			g.Bind(top)
			g.thinColumns(t, from, d, g.NewBlock(rows, vecs), steps, src, sums, ld)
			g.AddConst(src, int64(vecs*t.Lanes()*from.Size()))
			g.AddConst(sums, int64(vecs*g.Bytes))
			g.RMW(asm.SUB, g.R64(left), lir.Imm(int64(vecs)))
			g.Jump(asm.JGE, top)
			g.EndLoop(l)
			g.Bind(end)
			g.AddConst(left, int64(vecs))
		}
		g.Use(asm.MOV, lir.Frame(WordFresh).Sized(8), lir.Imm(0))
		g.Use(asm.ADD, lir.Frame(WordA).Sized(8), lir.Imm(int64(steps*t.Size)))
		next := g.Word(WordFrom)
		for range steps {
			g.RMW(asm.ADD, g.R64(next), g.R64(ld))
		}
		g.Use(asm.MOV, lir.Frame(WordFrom), g.R64(next))
	})
	g.Return(0)
	return g
}

// thinColumns adds some steps to the sums of some registers of columns.
func (g *writer) thinColumns(t Tiling, from, d dtype.DType, acc [][]lir.Reg, steps int, src, sums, ld lir.Reg) {
	g.sumsAt(g.CopyInt(sums), acc, d, true)
	a, row := g.Word(WordA), g.CopyInt(src)
	for k := range steps {
		xs := make([]lir.Arg, len(acc))
		for r := range xs {
			at := lir.Mem(a, r*StripRow(t)+k*t.Size)
			if len(acc[r]) > 1 {
				xs[r] = g.V(g.broadcast(d, at))
			} else {
				xs[r] = g.toAll(d, at)
			}
		}
		for v := range acc[0] {
			b := g.LoadAs(d, from, lir.Mem(row, v*t.Lanes()*from.Size()))
			for r := range acc {
				g.RMW(multiplyAdd(d), g.V(acc[r][v]), g.V(b), xs[r])
			}
		}
		g.RMW(asm.ADD, g.R64(row), g.R64(ld))
	}
	g.sumsAt(g.CopyInt(sums), acc, d, false)
}

// thinTurnedCode is thinCode for columns of B that have their elements side by side: squares of
// them are transposed in registers.
func thinTurnedCode(rows int, from, d dtype.DType, tier *lir.Tier) *writer {
	g := newWriter(tier, true)
	t := TilingOf(tier, d)
	n, ld := t.Lanes(), g.Word(WordLdK)
	top := g.NewLabel()
	l := g.BeginLoop()
	g.Bind(top)
	acc := g.NewBlock(rows, 1)
	g.sums(acc, d, true)
	a, src := g.Word(WordA), g.Word(WordFrom)
	g.repeat(WordK, []int{1}, func(int) {
		column := g.CopyInt(src)
		square := make([]lir.Reg, n)
		for i := range square {
			square[i] = g.LoadAs(d, from, lir.Mem(column, 0))
			g.Use(asm.PREFETCHT0, lir.Mem(column, thinAhead).Sized(1))
			g.RMW(asm.ADD, g.R64(column), g.R64(ld))
		}
		for k, b := range transpose.Square(g.Unit, square, t.Size) {
			for r := range acc {
				g.RMW(multiplyAdd(d), g.V(acc[r][0]), g.V(b), g.toAll(d, lir.Mem(a, r*StripRow(t)+k*t.Size)))
			}
		}
		g.AddConst(a, int64(n*t.Size))
		g.AddConst(src, int64(n*from.Size()))
	})
	g.sums(acc, d, false)
	next := g.CopyInt(ld)
	g.RMW(asm.SHL, g.R64(next), lir.Imm(int64(lir.Log2(int64(n)))))
	g.Use(asm.ADD, lir.Frame(WordFrom), g.R64(next))
	g.Use(asm.ADD, lir.Frame(WordC).Sized(8), lir.Imm(int64(g.Bytes)))
	g.Use(asm.SUB, lir.Frame(WordCount).Sized(8), lir.Imm(1))
	g.Jump(asm.JNE, top)
	g.EndLoop(l)
	g.Return(0)
	return g
}

// toAll is an element in memory in all lanes: an operand, or a register where it cannot be one.
func (g *writer) toAll(d dtype.DType, at lir.Arg) lir.Arg {
	if g.EVEX {
		return at.ToAll(d.Size())
	}
	return g.V(g.broadcast(d, at))
}
