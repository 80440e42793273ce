package amd64

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// The code that copies operands of products: b into panels, by itself or on the way of the
// first strip of a, and strips of a that cannot be read as they lie.

// packingAhead is how many steps before it is packed b is asked for.
const packingAhead = 8

// packing gives what takes the next step of a panel from b as it lies in memory, widened to d,
// and writes it to the panel.
func (g *gen) packing(from, d dtype.DType, t tiling, panel reg) func(k int) []reg {
	src, ld := g.word(gemmFrom), g.word(gemmLdK)
	ahead := g.copyInt(ld)
	g.rmw(asm.SHL, g.r64(ahead), imm(int64(log2(packingAhead))))
	g.rmw(asm.ADD, g.r64(ahead), g.r64(src))
	return func(k int) []reg {
		for off := 0; off < t.cols*from.Size(); off += 64 {
			g.use(asm.PREFETCHT0, mem(ahead, off).sized(1))
		}
		row := make([]reg, t.vecs)
		for v := range row {
			row[v] = g.loadAs(d, from, mem(src, v*t.lanes()*from.Size()))
			g.use(asm.VMOVUPS, mem(panel, (k*t.vecs+v)*int(g.wide)), g.v(row[v]))
		}
		g.rmw(asm.ADD, g.r64(src), g.r64(ld))
		g.rmw(asm.ADD, g.r64(ahead), g.r64(ld))
		return row
	}
}

// packCode writes columns of b, as they lie side by side in memory, into panels:
// steps of the chain one after the other, each a row of the panel's columns, widened
// to the chain's type; a ragged last panel is filled up with zeros. It goes along rows
// of b, as they lie in memory, and fetches those to come. Float64 is moved as twice as many
// of half the size, of which a panel's row has whole registers of lanes.
func packCode(from, d dtype.DType, vecs int, avx512 bool) *gen {
	if d == dtype.Float64 {
		from, d = dtype.Float32, dtype.Float32
	}
	g := bareGen(avx512, false)
	t := g.tiling(d).of(vecs, g)
	cols := g.word(gemmCount)
	src, dst, ld := g.word(gemmA), g.word(gemmB), g.word(gemmLdK)
	masks := make([]lanes, (t.cols+g.step()-1)/g.step())
	whole := g.word(gemmWhole)
	ragged := g.binInt(asm.SUB, cols, g.r64(whole))
	for i := range masks {
		masks[i] = g.newMask()
		g.setFirstLanes(masks[i], g.atLeastZero(ragged, i*g.step()))
	}
	g.repeat(gemmK, []int{1}, func(int) {
		g.alongPanels(src, dst, whole, ragged, t.cols*from.Size(), t.cols, func(p, q reg) {
			for off := 0; off < t.cols*from.Size(); off += 64 {
				g.use(asm.PREFETCHT0, memIndex(p, ld, 4, off).sized(1))
			}
			g.packRow(from, d, t, p, q, nil)
		}, func(p, q reg) { g.packRow(from, d, t, p, q, masks) })
		g.rmw(asm.ADD, g.r64(src), g.r64(ld))
		g.addConst(dst, int64(t.cols*t.size))
	})
	g.add(inst{kind: leave})
	return g
}

// alongPanels goes along a row of b, bytes of it for each panel: whole ones, of so many columns
// together, then a ragged one if there is one.
func (g *gen) alongPanels(src, dst, whole, ragged reg, bytes, cols int, panel, last func(p, q reg)) {
	p, q, left := g.copyInt(src), g.copyInt(dst), g.copyInt(whole)
	top, rest, end := g.newLabel(), g.newLabel(), g.newLabel()
	g.use(asm.TEST, g.r64(left), g.r64(left))
	g.jump(asm.JE, rest)
	l := g.beginLoop()
	g.bind(top)
	panel(p, q)
	g.addConst(p, int64(bytes))
	g.rmw(asm.ADD, g.r64(q), frameAt(gemmStepB))
	g.rmw(asm.SUB, g.r64(left), imm(int64(cols)))
	g.jump(asm.JNE, top)
	g.endLoop(l)
	g.bind(rest)
	g.use(asm.TEST, g.r64(ragged), g.r64(ragged))
	g.jump(asm.JE, end)
	last(p, q)
	g.bind(end)
}

// packRow copies a panel's columns of one row of b; masks, if any, say which exist.
func (g *gen) packRow(from, d dtype.DType, t tiling, p, q reg, masks []lanes) {
	for v := 0; v < t.cols; v += g.step() {
		var m *lanes
		if masks != nil {
			m = &masks[v/g.step()]
		}
		x := g.cast(d, g.loadLanes(from, mem(p, v*from.Size()), m))
		g.storeLanes(x, mem(q, v*t.size), nil)
	}
}

// atLeastZero is max(0, x - n).
func (g *gen) atLeastZero(x reg, n int) reg {
	r := g.binInt(asm.SUB, x, imm(int64(n)))
	zero := g.newInt(0)
	g.use(asm.CMP, g.r64(r), imm(0))
	g.rmw(asm.CMOVL, g.r64(r), g.r64(zero))
	return r
}

// rowsCode does something with gemmCount rows: cursors to where one comes from and goes to.
func rowsCode(avx512 bool, row func(g *gen, p, q reg)) *gen {
	g := bareGen(avx512, false)
	src, dst := g.word(gemmA), g.word(gemmB)
	g.repeat(gemmCount, []int{1}, func(int) {
		row(g, g.copyInt(src), g.copyInt(dst))
		g.rmw(asm.ADD, g.r64(src), frameAt(gemmLdA))
		g.rmw(asm.ADD, g.r64(dst), frameAt(gemmStepB))
	})
	g.add(inst{kind: leave})
	return g
}

// stripCode copies rows of a, contiguous along the chain, widened to the chain's type.
func stripCode(from, d dtype.DType, avx512 bool) *gen {
	return rowsCode(avx512, func(g *gen, p, q reg) {
		left := g.word(gemmK)
		full, rest, done := g.newLabel(), g.newLabel(), g.newLabel()
		g.use(asm.CMP, g.r64(left), imm(int64(g.step())))
		g.jump(asm.JL, rest)
		inner := g.beginLoop()
		g.bind(full)
		g.storeLanes(g.cast(d, g.loadLanes(from, mem(p, 0), nil)), mem(q, 0), nil)
		g.addConst(p, int64(g.step()*from.Size()))
		g.addConst(q, int64(g.step()*d.Size()))
		g.addConst(left, int64(-g.step()))
		g.use(asm.CMP, g.r64(left), imm(int64(g.step())))
		g.jump(asm.JGE, full)
		g.endLoop(inner)
		g.bind(rest)
		g.use(asm.CMP, g.r64(left), imm(0))
		g.jump(asm.JLE, done)
		mask := g.newMask()
		g.setFirstLanes(mask, left)
		// The destination has room for a whole block.
		g.storeLanes(g.cast(d, g.loadLanes(from, mem(p, 0), &mask)), mem(q, 0), nil)
		g.bind(done)
	})
}

// gatherCode copies a rows × columns piece that lies anyhow, element by element, into
// rows of the chain's type: what operands come to that are contiguous neither way,
// or in the other one. gemmLdA and gemmLdK are the source's strides from row to row
// and along a row, gemmK the elements of a row, gemmCount the rows, gemmStepB the
// destination's bytes from row to row.
func gatherCode(from, d dtype.DType, avx512 bool) *gen {
	return rowsCode(avx512, func(g *gen, p, q reg) {
		left, by := g.word(gemmK), g.word(gemmLdK)
		again := g.newLabel()
		inner := g.beginLoop()
		g.bind(again)
		count := g.copyInt(left)
		limit := g.newInt(int64(g.step()))
		g.use(asm.CMP, g.r64(count), imm(int64(g.step())))
		g.rmw(asm.CMOVG, g.r64(count), g.r64(limit))
		mask := g.newMask()
		g.setFirstLanes(mask, count)
		x := g.loadOneByOne(from, mem(p, 0), int64(from.Size()), stride{r: by}, &mask)
		g.storeLanes(g.cast(d, x), mem(q, 0), &mask)
		skip := g.copyInt(by)
		g.rmw(asm.SHL, g.r64(skip), imm(int64(log2(int64(g.step())))))
		g.rmw(asm.ADD, g.r64(p), g.r64(skip))
		g.addConst(q, int64(g.step()*d.Size()))
		g.addConst(left, int64(-g.step()))
		g.use(asm.CMP, g.r64(left), imm(0))
		g.jump(asm.JG, again)
		g.endLoop(inner)
	})
}
