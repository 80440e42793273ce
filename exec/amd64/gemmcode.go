package amd64

import (
	"slices"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// The code of a whole-grid product: packing of b into panels, copying of strips of a
// where they cannot be read as they lie, the kernel that multiplies a strip by
// panels, and the epilogue, which is a Func of its own over a strip of sums.

// Words of the frame of these pieces of code.
const (
	gemmA        = 8 * iota // strip of a, or source
	gemmLdA                 // bytes from row to row
	gemmB                   // panels of b, or where packing writes
	gemmStepB               // bytes from panel to panel
	gemmC                   // sums
	gemmLdC                 // bytes from row to row
	gemmK                   // steps of the chain
	gemmCount               // panels; of packing, columns or rows
	gemmFresh               // 1: the sums begin as 0
	gemmLdK                 // of a source: bytes from step to step
	gemmNext                // where the strip comes from that is multiplied next
	gemmLdNext              // bytes from row to row there
	gemmRowsNext            // rows left of it
	gemmFirst               // what sums begin with: a row of them; 0 for zeros
	gemmOut                 // where the strip's results will go
	gemmLdOut               // bytes from row to row there
	gemmStepOut             // bytes to fetch there in four steps of the chain
	gemmFrame    = 18 * 8
)

// A tiling is the register block: rows of a times vecs registers of columns.
type tiling struct {
	rows, vecs, cols int
	size             int // bytes of an element of the chain
}

func (g *gen) tiling(d dtype.DType) tiling {
	t := tiling{rows: 8, vecs: 2, size: d.Size()}
	if !g.avx512 {
		t.rows = 6
	}
	t.cols = t.vecs * int(g.wide) / t.size
	return t
}

// bare is a unit without the loop over instances: code that is called with a frame
// of gemmFrame bytes and returns.
func bareGen(avx512, tight bool) *gen {
	g := newGen(&ir.Func{Body: &ir.Block{}}, avx512, false)
	g.frame = gemmFrame
	g.tight = tight
	s := &seq{}
	g.scopes = []*seq{s}
	g.cur = s
	return g
}

func (g *gen) word(off int) reg { return g.loadInt(frameAt(off)) }

// kernelCode multiplies a strip of rows by all panels of b and adds to the sums. While
// it does, it fetches the strip that comes next, whose elements are of type from.
func kernelCode(from, d dtype.DType, avx512 bool) *gen {
	g := bareGen(avx512, true)
	t := g.tiling(d)
	panels := g.word(gemmCount)
	b, c := g.word(gemmB), g.word(gemmC)
	top := g.newLabel()
	l := g.beginLoop()
	g.bind(top)
	g.panel(t, from, d, b, c)
	g.rmw(asm.ADD, g.r64(b), frameAt(gemmStepB))
	g.addConst(c, int64(t.cols*t.size))
	if d == dtype.Int32 {
		g.use(asm.ADD, frameAt(gemmFirst).sized(8), imm(int64(t.cols*t.size)))
	}
	g.rmw(asm.SUB, g.r64(panels), imm(1))
	g.jump(asm.JNE, top)
	g.endLoop(l)
	g.add(inst{kind: leave})
	return g
}

// panel is one register block: rows of a strip times one panel.
func (g *gen) panel(t tiling, from, d dtype.DType, b, c reg) {
	acc := make([][]reg, t.rows)
	for r := range acc {
		acc[r] = make([]reg, t.vecs)
		for v := range acc[r] {
			acc[r][v] = g.newVec()
		}
	}
	g.sums(acc, d, c, true)
	ld := g.word(gemmLdA)
	// Rows are reached from three bases, 0, ld and 2·ld away.
	bases := make([]reg, (t.rows+2)/3)
	bases[0] = g.word(gemmA)
	for i := 1; i < len(bases); i++ {
		bases[i] = g.newReg(gpr)
		g.def(asm.LEA, g.r64(bases[i]), memIndex(bases[i-1], ld, 2, 0))
		g.rmw(asm.ADD, g.r64(bases[i]), g.r64(ld))
	}
	at := func(r, k int) arg {
		if r%3 == 0 {
			return mem(bases[r/3], k*t.size)
		}
		return memIndex(bases[r/3], ld, r%3, k*t.size)
	}
	pb := g.copyInt(b)
	ahead, out := g.word(gemmNext), g.word(gemmOut)
	step := func(k int) {
		bs := make([]reg, t.vecs)
		for v := range bs {
			bs[v] = g.newVec()
			g.def(asm.VMOVUPS, g.v(bs[v]), mem(pb, (k*t.vecs+v)*int(g.wide)))
		}
		for r := range acc {
			x := g.newVec()
			g.def(bothOps{asm.VBROADCASTSS, asm.VBROADCASTSD}.of(d), g.v(x), at(r, k))
			for v := range bs {
				g.rmw(multiplyAdd(d), g.v(acc[r][v]), g.v(x), g.v(bs[v]))
			}
		}
	}
	advance := func(steps int) {
		for _, x := range bases {
			g.addConst(x, int64(steps*t.size))
		}
		g.addConst(pb, int64(steps*t.vecs*int(g.wide)))
	}
	g.repeat(gemmK, 4, func(n int) {
		for k := range n {
			step(k)
			if k == 0 {
				g.use(asm.PREFETCHT1, mem(ahead, 0).sized(1))
				g.use(asm.PREFETCHW, mem(out, 0).sized(1))
			}
		}
		g.rmw(asm.ADD, g.r64(out), frameAt(gemmStepOut))
		g.addConst(ahead, int64(n*from.Size()))
		advance(n)
	})
	g.nextRow()
	g.sums(acc, d, c, false)
}

// nextRow makes the next panel fetch the next row of the strip to come, if it has one,
// and of where this one's results go.
func (g *gen) nextRow() {
	end := g.newLabel()
	g.use(asm.SUB, frameAt(gemmRowsNext).sized(8), imm(1))
	g.jump(asm.JLE, end)
	next, out := g.word(gemmLdNext), g.word(gemmLdOut)
	g.use(asm.ADD, frameAt(gemmNext), g.r64(next))
	g.use(asm.ADD, frameAt(gemmOut), g.r64(out))
	g.bind(end)
}

// multiplyAdd is the instruction of one step of sums of type d.
func multiplyAdd(d dtype.DType) asm.Op {
	if d == dtype.Int32 {
		return asm.VPDPBUSD
	}
	return bothOps{asm.VFMADD231PS, asm.VFMADD231PD}.of(d)
}

// repeat runs f(n) for groups of n out of a count in the frame, then f(1) for the rest.
func (g *gen) repeat(count, n int, f func(n int)) {
	left := g.word(count)
	for _, m := range slices.Compact([]int{n, 1}) {
		top, end := g.newLabel(), g.newLabel()
		g.rmw(asm.SUB, g.r64(left), imm(int64(m)))
		g.jump(asm.JL, end)
		l := g.beginLoop()
		g.bind(top)
		f(m)
		g.rmw(asm.SUB, g.r64(left), imm(int64(m)))
		g.jump(asm.JGE, top)
		g.endLoop(l)
		g.bind(end)
		if m > 1 {
			g.rmw(asm.ADD, g.r64(left), imm(int64(m)))
		}
	}
}

// sums loads the sums of a register block, what they begin with in the first block of the chain, or
// stores them.
func (g *gen) sums(acc [][]reg, d dtype.DType, c reg, load bool) {
	row := g.copyInt(c)
	ld := g.word(gemmLdC)
	move := func() {
		for r := range acc {
			for v, x := range acc[r] {
				if load {
					g.def(asm.VMOVUPS, g.v(x), mem(row, v*int(g.wide)))
				} else {
					g.use(asm.VMOVUPS, mem(row, v*int(g.wide)), g.v(x))
				}
			}
			if r < len(acc)-1 {
				g.rmw(asm.ADD, g.r64(row), g.r64(ld))
			}
		}
	}
	if !load {
		move()
		return
	}
	fresh, done := g.newLabel(), g.newLabel()
	g.use(asm.CMP, frameAt(gemmFresh).sized(8), imm(0))
	g.jump(asm.JNE, fresh)
	move()
	g.jump(asm.JMP, done)
	g.bind(fresh)
	first := reg(0)
	if d == dtype.Int32 {
		first = g.word(gemmFirst)
	}
	for r := range acc {
		for v, x := range acc[r] {
			if first == 0 {
				g.zeroVec(x)
			} else {
				g.def(asm.VMOVUPS, g.v(x), mem(first, v*int(g.wide)))
			}
		}
	}
	g.bind(done)
}

// packCode writes columns of b, as they lie side by side in memory, into panels:
// steps of the chain one after the other, each a row of the panel's columns, widened
// to the chain's type; a ragged last panel is filled up with zeros. It goes along rows
// of b, as they lie in memory, and fetches those to come.
func packCode(from, d dtype.DType, avx512 bool) *gen {
	g := bareGen(avx512, false)
	t := g.tiling(d)
	cols := g.word(gemmCount)
	src, dst, ld := g.word(gemmA), g.word(gemmB), g.word(gemmLdK)
	masks := make([]lanes, (t.cols+g.step()-1)/g.step())
	whole := g.copyInt(cols)
	g.rmw(asm.AND, g.r64(whole), imm(int64(-t.cols)))
	ragged := g.binInt(asm.SUB, cols, g.r64(whole))
	for i := range masks {
		masks[i] = g.newMask()
		g.setFirstLanes(masks[i], g.atLeastZero(ragged, i*g.step()))
	}
	g.repeat(gemmK, 1, func(int) {
		p, q, left := g.copyInt(src), g.copyInt(dst), g.copyInt(whole)
		top, last, next := g.newLabel(), g.newLabel(), g.newLabel()
		g.use(asm.TEST, g.r64(left), g.r64(left))
		g.jump(asm.JE, last)
		l := g.beginLoop()
		g.bind(top)
		for off := 0; off < t.cols*from.Size(); off += 64 {
			g.use(asm.PREFETCHT0, memIndex(p, ld, 4, off).sized(1))
		}
		g.packRow(from, d, t, p, q, nil)
		g.addConst(p, int64(t.cols*from.Size()))
		g.rmw(asm.ADD, g.r64(q), frameAt(gemmStepB))
		g.rmw(asm.SUB, g.r64(left), imm(int64(t.cols)))
		g.jump(asm.JNE, top)
		g.endLoop(l)
		g.bind(last)
		g.use(asm.TEST, g.r64(ragged), g.r64(ragged))
		g.jump(asm.JE, next)
		g.packRow(from, d, t, p, q, masks)
		g.bind(next)
		g.rmw(asm.ADD, g.r64(src), g.r64(ld))
		g.addConst(dst, int64(t.cols*t.size))
	})
	g.add(inst{kind: leave})
	return g
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

// stripCode copies rows of a, contiguous along the chain, widened to the chain's type.
func stripCode(from, d dtype.DType, avx512 bool) *gen {
	g := bareGen(avx512, false)
	rows := g.word(gemmCount)
	src, dst := g.word(gemmA), g.word(gemmB)
	top := g.newLabel()
	l := g.beginLoop()
	g.bind(top)
	p, q, left := g.copyInt(src), g.copyInt(dst), g.word(gemmK)
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
	g.rmw(asm.ADD, g.r64(src), frameAt(gemmLdA))
	g.rmw(asm.ADD, g.r64(dst), frameAt(gemmStepB))
	g.rmw(asm.SUB, g.r64(rows), imm(1))
	g.jump(asm.JNE, top)
	g.endLoop(l)
	g.add(inst{kind: leave})
	return g
}

// gatherCode copies a rows × columns piece that lies anyhow, element by element, into
// rows of the chain's type: what operands come to that are contiguous neither way,
// or in the other one. gemmLdA and gemmLdK are the source's strides from row to row
// and along a row, gemmK the elements of a row, gemmCount the rows, gemmStepB the
// destination's bytes from row to row.
func gatherCode(from, d dtype.DType, avx512 bool) *gen {
	g := bareGen(avx512, false)
	rows := g.word(gemmCount)
	src, dst := g.word(gemmA), g.word(gemmB)
	top := g.newLabel()
	l := g.beginLoop()
	g.bind(top)
	p, q := g.copyInt(src), g.copyInt(dst)
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
	g.storeLanes(g.cast(d, x), mem(q, 0), nil)
	skip := g.copyInt(by)
	g.rmw(asm.SHL, g.r64(skip), imm(int64(log2(int64(g.step())))))
	g.rmw(asm.ADD, g.r64(p), g.r64(skip))
	g.addConst(q, int64(g.step()*d.Size()))
	g.addConst(left, int64(-g.step()))
	g.use(asm.CMP, g.r64(left), imm(0))
	g.jump(asm.JG, again)
	g.endLoop(inner)
	g.rmw(asm.ADD, g.r64(src), frameAt(gemmLdA))
	g.rmw(asm.ADD, g.r64(dst), frameAt(gemmStepB))
	g.rmw(asm.SUB, g.r64(rows), imm(1))
	g.jump(asm.JNE, top)
	g.endLoop(l)
	g.add(inst{kind: leave})
	return g
}

// The epilogue as a Func over a strip of rows × cols sums. Its parameters are the
// kernel's, tensors moved to the strip, and behind them: the sums, how many rows and
// columns there are, then row and column strides (in elements) of the sums, the
// result and each load.
func (m *gemm) epilogueFunc(rows, cols int, unit bool) *ir.Func {
	b := &epilogueBuilder{m: m, unit: unit, f: &ir.Func{Name: m.f.Name, File: m.f.File, Body: &ir.Block{}}, made: map[*ir.Value]*ir.Value{}}
	for _, p := range m.f.Params {
		q := b.f.NewValue(ir.Param, p.Type, p.Pos)
		q.Index, q.Text = p.Index, p.Text
		b.f.Params = append(b.f.Params, q)
		b.made[p] = q
	}
	sums := b.param(dtype.PointerTo(m.d))
	i64 := dtype.Int64
	limitRows, limitCols := b.param(i64), b.param(i64)
	shape := ir.ShapeOf(rows, cols)
	b.shape = shape
	b.i = b.index(rows, ir.ShapeOf(rows, 1))
	b.j = b.index(cols, ir.ShapeOf(1, cols))
	b.mask = b.add(op.And, ir.Type{D: dtype.Bool, Shape: shape}, b.below(b.i, limitRows), b.below(b.j, limitCols))
	acc := b.add(op.Load, ir.Type{D: m.d, Shape: shape}, b.pointers(sums, b.param(i64), one))
	// Steps of zeros that were not carried out make +0 of -0: they add zeros(+0 or -0).
	zero := b.param(m.d)
	acc = b.add(op.Add, acc.Type, acc, b.spread(zero))
	b.made[m.acc] = acc
	out := b.pointers(b.made[m.f.Params[m.out.base]], b.param(i64), b.colStride(m.out.coef[1]))
	for _, x := range m.extras {
		var row *ir.Value
		col := one
		if b.hasDim(x, 0) {
			row = b.param(i64)
		}
		if !b.hasDim(x, 1) {
			col = none
		} else {
			col = b.colStride(x.coefOf(1))
		}
		ptrs := b.pointers(b.made[m.f.Params[x.form.base]], row, col)
		load := b.add(op.Load, ir.Type{D: x.load.Type.D, Shape: shape}, ptrs, b.mask)
		load.Flags = ir.Masked
		b.made[x.load] = load
	}
	v := b.value(m.store.Memory().Val)
	s := b.add(op.Store, ir.Type{}, out, v, b.mask)
	s.Flags = ir.Masked
	b.add(ir.Return, ir.Type{})
	return b.f
}

type columnStride int

const (
	one   columnStride = iota // columns lie side by side
	none                      // all columns are the same element
	param                     // a parameter says
)

// coefOf is the coefficient of an epilogue's load along the result's rows (0) or
// columns (1).
func (x extra) coefOf(dim int8) *sym {
	for i, c := range x.form.coef {
		if c != nil && x.m[i] == dim {
			return c
		}
	}
	return nil
}

type epilogueBuilder struct {
	m     *gemm
	unit  bool // all columns lie side by side
	f     *ir.Func
	made  map[*ir.Value]*ir.Value
	shape ir.Shape
	i, j  *ir.Value // int64 indices, a column and a row
	mask  *ir.Value
}

func (b *epilogueBuilder) add(o op.Op, t ir.Type, args ...*ir.Value) *ir.Value {
	v := b.f.NewValue(o, t, diag.Pos{}, args...)
	b.f.Body.Values = append(b.f.Body.Values, v)
	return v
}

func (b *epilogueBuilder) param(d dtype.DType) *ir.Value {
	p := b.f.NewValue(ir.Param, ir.Scalar(d), diag.Pos{})
	p.Index = len(b.f.Params)
	b.f.Params = append(b.f.Params, p)
	return p
}

func (b *epilogueBuilder) spread(v *ir.Value) *ir.Value {
	return b.add(op.Broadcast, ir.Type{D: v.Type.D, Shape: b.shape}, v)
}

func (b *epilogueBuilder) index(n int, shape ir.Shape) *ir.Value {
	a := b.add(op.Arange, ir.Tile(dtype.Int32, n))
	w := b.add(op.Cast, ir.Tile(dtype.Int64, n), a)
	r := b.add(op.Reshape, ir.Type{D: dtype.Int64, Shape: shape}, w)
	return b.spread(r)
}

func (b *epilogueBuilder) below(x, limit *ir.Value) *ir.Value {
	return b.add(op.Lt, ir.Type{D: dtype.Bool, Shape: b.shape}, x, b.spread(limit))
}

// pointers are base + i·row + j·col; a nil row is 0.
func (b *epilogueBuilder) pointers(base, row *ir.Value, col columnStride) *ir.Value {
	t := ir.Type{D: dtype.Int64, Shape: b.shape}
	p := b.add(op.Broadcast, t.As(base.Type.D), base)
	if row != nil {
		p = b.add(ir.PtrAdd, p.Type, p, b.add(op.Mul, t, b.i, b.spread(row)))
	}
	switch col {
	case one:
		p = b.add(ir.PtrAdd, p.Type, p, b.j)
	case param:
		p = b.add(ir.PtrAdd, p.Type, p, b.add(op.Mul, t, b.j, b.spread(b.param(dtype.Int64))))
	}
	return p
}

func (b *epilogueBuilder) colStride(c *sym) columnStride {
	if b.unit || c != nil && c.isConst(1) {
		return one
	}
	return param
}

func (b *epilogueBuilder) hasDim(x extra, dim int8) bool { return x.coefOf(dim) != nil }

// value copies what is stored into the Func.
func (b *epilogueBuilder) value(v *ir.Value) *ir.Value {
	if w := b.made[v]; w != nil {
		return w
	}
	var w *ir.Value
	switch {
	case v.Type.IsTile() && ir.Family(v.Op) == op.Shape:
		x := b.value(v.Args[0])
		w = x
		if !x.Type.IsTile() {
			w = b.spread(x)
		}
	default:
		in := make([]*ir.Value, len(v.Args))
		for i, a := range v.Args {
			in[i] = b.value(a)
		}
		t := v.Type
		if t.IsTile() {
			t.Shape = b.shape
			for i, a := range in {
				if !a.Type.IsTile() {
					in[i] = b.spread(a)
				}
			}
		}
		w = b.add(v.Op, t, in...)
		w.Attr = v.Attr
	}
	b.made[v] = w
	return w
}
