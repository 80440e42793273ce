package micro

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/gather"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// The code that copies operands of products: B into panels, by itself or on the way of the
// first strip of A, and strips of A that cannot be read as they lie.

// packingAhead is how many steps before it is packed B is prefetched.
const packingAhead = 8

// packing gives what takes the next step of a panel from B as it lies in memory, widened to d,
// and writes it to the panel.
func (g *writer) packing(from, d dtype.DType, t Tiling, panel lir.Reg) func(k int) []lir.Reg {
	src, ld := g.Word(WordFrom), g.Word(WordLdK)
	ahead := g.CopyInt(ld)
	g.RMW(asm.SHL, g.R64(ahead), lir.Imm(int64(lir.Log2(packingAhead))))
	g.RMW(asm.ADD, g.R64(ahead), g.R64(src))
	return func(k int) []lir.Reg {
		for off := 0; off < t.Cols*from.Size(); off += 64 {
			g.Use(asm.PREFETCHT0, lir.Mem(ahead, off).Sized(1))
		}
		row := make([]lir.Reg, t.Vecs)
		for v := range row {
			row[v] = g.LoadAs(d, from, lir.Mem(src, v*t.Lanes()*from.Size()))
			g.Use(asm.VMOVUPS, lir.Mem(panel, (k*t.Vecs+v)*g.Bytes), g.V(row[v]))
		}
		g.RMW(asm.ADD, g.R64(src), g.R64(ld))
		g.RMW(asm.ADD, g.R64(ahead), g.R64(ld))
		return row
	}
}

// packCode writes columns of B, as they lie side by side in memory, into panels:
// steps of K one after the other, each a row of the panel's columns, widened
// to the accumulators' type; a ragged last panel is filled up with zeros. It goes along rows
// of B, as they lie in memory, and prefetches the next. Float64 is moved as twice as many
// of half the size, of which a panel's row has whole registers of lanes.
func packCode(from, d dtype.DType, vecs int, tier *lir.Tier) *writer {
	if d == dtype.Float64 {
		from, d = dtype.Float32, dtype.Float32
	}
	g := newWriter(tier, false)
	t := TilingOf(tier, d).Of(vecs, tier)
	cols := g.Word(WordCount)
	src, dst, ld := g.Word(WordA), g.Word(WordB), g.Word(WordLdK)
	masks := make([]lane.Lanes, (t.Cols+g.Lanes-1)/g.Lanes)
	whole := g.Word(WordWhole)
	ragged := g.BinInt(asm.SUB, cols, g.R64(whole))
	for i := range masks {
		masks[i] = g.NewMask()
		g.SetFirstLanes(masks[i], g.AtLeastZero(ragged, i*g.Lanes))
	}
	g.repeat(WordK, []int{1}, func(int) {
		g.alongPanels(src, dst, whole, ragged, t.Cols*from.Size(), t.Cols, func(p, q lir.Reg) {
			for off := 0; off < t.Cols*from.Size(); off += 64 {
				g.Use(asm.PREFETCHT0, lir.MemIndex(p, ld, 4, off).Sized(1))
			}
			g.packRow(from, d, t, p, q, nil)
		}, func(p, q lir.Reg) { g.packRow(from, d, t, p, q, masks) })
		g.RMW(asm.ADD, g.R64(src), g.R64(ld))
		g.AddConst(dst, int64(t.Cols*t.Size))
	})
	g.Return(0)
	return g
}

// alongPanels goes along a row of B, bytes of it for each panel: whole ones, of so many columns
// together, then a ragged one if there is one.
func (g *writer) alongPanels(src, dst, whole, ragged lir.Reg, bytes, cols int, panel, last func(p, q lir.Reg)) {
	p, q, left := g.CopyInt(src), g.CopyInt(dst), g.CopyInt(whole)
	top, rest, end := g.NewLabel(), g.NewLabel(), g.NewLabel()
	g.Use(asm.TEST, g.R64(left), g.R64(left))
	g.Jump(asm.JE, rest)
	l := g.BeginLoop()
	g.Bind(top)
	panel(p, q)
	g.AddConst(p, int64(bytes))
	g.RMW(asm.ADD, g.R64(q), lir.Frame(WordStepB))
	g.RMW(asm.SUB, g.R64(left), lir.Imm(int64(cols)))
	g.Jump(asm.JNE, top)
	g.EndLoop(l)
	g.Bind(rest)
	g.Use(asm.TEST, g.R64(ragged), g.R64(ragged))
	g.Jump(asm.JE, end)
	last(p, q)
	g.Bind(end)
}

// packRow copies a panel's columns of one row of B; masks, if any, say which exist.
func (g *writer) packRow(from, d dtype.DType, t Tiling, p, q lir.Reg, masks []lane.Lanes) {
	for v := 0; v < t.Cols; v += g.Lanes {
		var m *lane.Lanes
		if masks != nil {
			m = &masks[v/g.Lanes]
		}
		x := g.Cast(d, g.Load(from, lir.Mem(p, v*from.Size()), m))
		g.Store(x, lir.Mem(q, v*t.Size), nil)
	}
}

// rowsCode does something with WordCount rows: cursors to where one comes from and goes to.
func rowsCode(tier *lir.Tier, row func(g *writer, p, q lir.Reg)) *writer {
	g := newWriter(tier, false)
	src, dst := g.Word(WordA), g.Word(WordB)
	g.repeat(WordCount, []int{1}, func(int) {
		row(g, g.CopyInt(src), g.CopyInt(dst))
		g.RMW(asm.ADD, g.R64(src), lir.Frame(WordLdA))
		g.RMW(asm.ADD, g.R64(dst), lir.Frame(WordStepB))
	})
	g.Return(0)
	return g
}

// stripCode copies rows of A, contiguous along K, widened to the accumulators' type.
func stripCode(from, d dtype.DType, tier *lir.Tier) *writer {
	return rowsCode(tier, func(g *writer, p, q lir.Reg) {
		left := g.Word(WordK)
		full, rest, done := g.NewLabel(), g.NewLabel(), g.NewLabel()
		g.Use(asm.CMP, g.R64(left), lir.Imm(int64(g.Lanes)))
		g.Jump(asm.JL, rest)
		inner := g.BeginLoop()
		g.Bind(full)
		g.Store(g.Cast(d, g.Load(from, lir.Mem(p, 0), nil)), lir.Mem(q, 0), nil)
		g.AddConst(p, int64(g.Lanes*from.Size()))
		g.AddConst(q, int64(g.Lanes*d.Size()))
		g.AddConst(left, int64(-g.Lanes))
		g.Use(asm.CMP, g.R64(left), lir.Imm(int64(g.Lanes)))
		g.Jump(asm.JGE, full)
		g.EndLoop(inner)
		g.Bind(rest)
		g.Use(asm.CMP, g.R64(left), lir.Imm(0))
		g.Jump(asm.JLE, done)
		mask := g.NewMask()
		g.SetFirstLanes(mask, left)
		// The destination has room for a whole block.
		g.Store(g.Cast(d, g.Load(from, lir.Mem(p, 0), &mask)), lir.Mem(q, 0), nil)
		g.Bind(done)
	})
}

// gatherCode copies a rows × columns piece that lies anyhow, element by element, into
// rows of the accumulators' type: what operands come to that are contiguous neither way,
// or in the other one. WordLdA and WordLdK are the source's strides from row to row
// and along a row, WordK the elements of a row, WordCount the rows, WordStepB the
// destination's bytes from row to row.
func gatherCode(from, d dtype.DType, tier *lir.Tier) *writer {
	return rowsCode(tier, func(g *writer, p, q lir.Reg) {
		left, by := g.Word(WordK), g.Word(WordLdK)
		again := g.NewLabel()
		inner := g.BeginLoop()
		g.Bind(again)
		count := g.CopyInt(left)
		limit := g.NewInt(int64(g.Lanes))
		g.Use(asm.CMP, g.R64(count), lir.Imm(int64(g.Lanes)))
		g.RMW(asm.CMOVG, g.R64(count), g.R64(limit))
		mask := g.NewMask()
		g.SetFirstLanes(mask, count)
		x := gather.Strided(g.Builder, gather.Block{D: from, At: lir.Mem(p, 0), Step: lane.Stride{R: by}}, &mask, false)
		g.Store(g.Cast(d, x), lir.Mem(q, 0), &mask)
		skip := g.CopyInt(by)
		g.RMW(asm.SHL, g.R64(skip), lir.Imm(int64(lir.Log2(int64(g.Lanes)))))
		g.RMW(asm.ADD, g.R64(p), g.R64(skip))
		g.AddConst(q, int64(g.Lanes*d.Size()))
		g.AddConst(left, int64(-g.Lanes))
		g.Use(asm.CMP, g.R64(left), lir.Imm(0))
		g.Jump(asm.JG, again)
		g.EndLoop(inner)
	})
}
