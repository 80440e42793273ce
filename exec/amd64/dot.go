package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A matrix product within one program: operands and accumulator lie in memory, and a
// register-blocked kernel runs the chains, k ascending, a few rows and vectors of
// columns at a time. All sizes are known, so the kernel has no edge that is not
// written out.

// A blockDot is one Dot.
type blockDot struct {
	g       *gen
	d       dtype.DType // of the chain
	m, n, k int
	batches int
	chain   dot.Chain
	// Operands have been made pairs of bfloat16, k of them.
	instruction bool
	a, b, c     *buffer
	fresh       bool // the chains begin with zeros, which are not in c
	rows, vecs  int  // of the register block
}

func (g *gen) dot(v *ir.Value) {
	a, b := v.Args[0], v.Args[1]
	s := a.Type.Shape
	p := &blockDot{g: g, d: v.Type.D.Compute(), chain: v.Chain, batches: 1}
	p.m, p.k, p.n = s.D[s.N-2], s.D[s.N-1], b.Type.Shape.D[s.N-1]
	if s.N == 3 {
		p.batches = s.D[0]
	}
	p.a, p.b = g.operand(a, p.d), g.operand(b, p.d)
	p.accumulate(v)
	p.block()
	switch {
	case p.chain == dot.Pairs && p.k%2 == 0 && g.o.pairs.ByInstruction(g.Tier):
		p.pairUp()
		p.write()
	case p.chain != dot.Ascending:
		g.Flushing(p.write)
	default:
		p.write()
	}
	if v.Type.D != p.d { // the chain is rounded once
		g.roundBuffer(p.c, v.Type.D)
	}
	g.tiles[v] = p.c
}

// operand is a Dot's operand in memory, dense. A transposed one is laid out in its own
// order first, then turned around block by block.
func (g *gen) operand(v *ir.Value, d dtype.DType) *buffer {
	if v.Type.D == dtype.Bool {
		b := g.newBuffer(v.Type.As(d))
		n := g.newNest(v.Type.Shape)
		m := affine.Identity(v.Type.Shape)
		n.run(func() { n.write(b, m, g.Cast(d, n.eval(v, m))) })
		return b
	}
	if g.fallingLoad(v) {
		return g.transposeOnce(v, v.Type, func() *buffer { return g.transposedLoad(v) })
	}
	if v.Op == op.Permute && v.Type.Shape.N == 2 && g.tiles[v] == nil && v.Axes[0] == 1 && lane.CellSize(v.Type.D) == 4 {
		return g.transposeOnce(v, v.Type, func() *buffer { return g.whole(v.Args[0]) })
	}
	return g.whole(v)
}

// accumulate finds the memory that the product is added to: that of the accumulator if
// nobody else needs it, else a copy. Where there is none nothing is in it yet.
func (p *blockDot) accumulate(v *ir.Value) {
	g := p.g
	t := v.Type.As(p.d)
	if v.Flags&ir.HasAcc == 0 {
		p.c = g.newBuffer(t)
		if p.fresh = p.chain != dot.Tiles; !p.fresh { // their sums are added to memory
			g.clearBuffer(p.c)
		}
		return
	}
	acc := v.Args[2]
	p.c = g.homeFor(v, acc)
	if p.c == nil {
		p.c = g.newBuffer(t)
	}
	if g.tiles[acc] == p.c {
		return
	}
	n := g.newNest(acc.Type.Shape)
	m := affine.Identity(acc.Type.Shape)
	n.run(func() { n.write(p.c, m, n.fresh(acc, m)) })
}

// homeFor is the memory of the loop-carried value that v becomes at the end of the
// round, if the accumulator is made of that value and nothing else reads it.
func (g *gen) homeFor(v, acc *ir.Value) *buffer {
	users := g.plan.Of(v).Users
	if len(users) != 1 || !users[0].IsTerm() || len(g.controls) == 0 {
		return nil
	}
	c := g.controls[len(g.controls)-1]
	homes := c.carried
	if c.v.Op == ir.If || users[0].Op != ir.Yield && users[0].Op != ir.Continue || g.plan.Of(users[0]).Block != g.plan.Of(v).Block {
		return nil
	}
	for i, a := range users[0].Args {
		if a != v || homes[i].buf == nil {
			continue
		}
		args := c.v.Blocks[0].Args
		arg := args[len(args)-len(homes)+i]
		if g.feedsOnly(arg, acc, v) && homes[i].buf.d == v.Type.D.Compute() {
			return homes[i].buf
		}
	}
	return nil
}

// feedsOnly reports whether arg is read by nothing but the computation, lane by lane,
// of acc for v.
func (g *gen) feedsOnly(arg, acc, v *ir.Value) bool {
	for _, u := range g.plan.Of(arg).Users {
		switch {
		case u == v && arg == acc:
		case fuse.Lazy(u) && !g.plan.Of(u).Keep && ir.Family(u.Op) != op.Shape && g.feedsOnly(u, acc, v):
		default:
			return false
		}
	}
	return len(g.plan.Of(arg).Users) > 0 && (arg == acc || fuse.Lazy(arg) || arg.Op == op.None)
}

func (g *gen) clearBuffer(b *buffer) {
	zero := g.NewVec()
	g.ZeroVec(zero)
	g.overBuffer(b, func(at lir.Arg) { g.Use(asm.VMOVUPS, at, g.V(zero)) })
}

// overBuffer runs f for every vector of a buffer's memory.
func (g *gen) overBuffer(b *buffer, f func(at lir.Arg)) {
	g.UpTo(b.cell*b.shape.Len(), g.Bytes, func(j lir.Reg) { f(lir.FrameIndex(j, 1, b.off)) })
}

// roundBuffer makes float32 cells values of a narrow type.
func (g *gen) roundBuffer(b *buffer, d dtype.DType) {
	g.overBuffer(b, func(at lir.Arg) {
		x := g.Load(dtype.Float32, at, nil)
		g.Store(g.Normalize(d, x).As(dtype.Float32), at, nil)
	})
	b.d = d
}

// block chooses the register block: with two loads of b per step and one broadcast per
// row, the more rows the better, as far as registers go.
func (p *blockDot) block() {
	lanesPerReg := p.g.Bytes / lane.CellSize(p.d)
	p.vecs = min(2, (p.n+lanesPerReg-1)/lanesPerReg)
	p.rows = 8
	switch {
	case p.vecs == 1 && p.g.EVEX:
		p.rows = 12
	case !p.g.EVEX && p.vecs == 2:
		p.rows = 4
	}
	switch {
	case !p.d.IsFloat():
		p.rows = min(p.rows, 4)
	case p.chain == dot.Tiles: // two chains in place of one
		p.rows = p.rows * 3 / 4
	}
}

// write runs over column blocks, and in each over row blocks.
func (p *blockDot) write() {
	g := p.g
	cell := lane.CellSize(p.d)
	perReg := g.Bytes / cell
	width := p.vecs * perReg
	batch := g.NewInt(0)
	var top int
	l := 0
	if p.batches > 1 {
		top = g.NewLabel()
		l = g.BeginLoop()
		g.Bind(top)
	}
	for col := 0; col < p.n; col += width {
		p.column(batch, col, min(width, p.n-col))
	}
	if p.batches > 1 {
		g.RMW(asm.ADD, g.R64(batch), lir.Imm(1))
		g.Use(asm.CMP, g.R64(batch), lir.Imm(int64(p.batches)))
		g.Jump(asm.JL, top)
		g.EndLoop(l)
	}
}

// column is all rows of one block of columns.
func (p *blockDot) column(batch lir.Reg, col, width int) {
	g := p.g
	cell := lane.CellSize(p.d)
	a, b, c := g.NewReg(lir.GPR), g.NewReg(lir.GPR), g.NewReg(lir.GPR)
	at := func(r lir.Reg, buf *buffer, elements, first int) {
		g.Def(asm.IMUL, g.R64(r), g.R64(batch), lir.Imm(int64(elements*cell)))
		g.Def(asm.LEA, g.R64(r), lir.FrameIndex(r, 1, buf.off+first*cell))
	}
	at(a, p.a, p.m*p.k, 0)
	at(b, p.b, p.k*p.n, col)
	at(c, p.c, p.m*p.n, col)
	masks := p.masks(width)
	if full := p.m / p.rows; full > 0 {
		left := g.NewInt(int64(full))
		top := g.NewLabel()
		l := g.BeginLoop()
		g.Bind(top)
		once := p.kernel(a, b, c, p.rows, masks)
		g.AddConst(a, int64(p.rows*p.k*cell))
		g.AddConst(c, int64(p.rows*p.n*cell))
		later := g.SpendRound(once, full)
		g.RMW(asm.SUB, g.R64(left), lir.Imm(1))
		g.Jump(asm.JNE, top)
		g.EndLoop(l)
		g.Spent(later)
	}
	if rest := p.m % p.rows; rest > 0 {
		g.Spent(p.kernel(a, b, c, rest, masks))
	}
}

// masks is, for each vector of a block of columns, the mask of its columns, nil for a
// full one; as many as there are vectors.
func (p *blockDot) masks(width int) []*lane.Lanes {
	g := p.g
	perReg := g.Bytes / lane.CellSize(p.d)
	var ms []*lane.Lanes
	for w := width; w > 0; w -= perReg {
		if w >= perReg {
			ms = append(ms, nil)
			continue
		}
		m := p.maskOf(w)
		ms = append(ms, &m)
	}
	return ms
}

// maskOf is the mask of the first w elements of one register.
func (p *blockDot) maskOf(w int) lane.Lanes {
	g := p.g
	m := g.NewMask()
	g.SetFirstLanes(m, g.NewInt(int64(w)))
	if !g.EVEX && lane.Wide(p.d) {
		h := g.MaskHalves(m, p.d)
		m.R[0] = h[0]
	}
	return m
}

// kernel adds k steps to rows × len(masks) registers of c. It returns the work of that.
func (p *blockDot) kernel(a, b, c lir.Reg, rows int, masks []*lane.Lanes) (once int) {
	g := p.g
	acc := g.NewBlock(rows, len(masks))
	pa, pb := g.CopyInt(a), g.CopyInt(b)
	if p.chain == dot.Tiles {
		return p.tileChain(acc, pa, pb, c, masks)
	}
	if p.fresh {
		g.ZeroBlock(acc)
	} else {
		p.eachSum(acc, c, masks, g.LoadReg)
	}
	if p.chain == dot.Pairs && !p.instruction {
		once = p.pairSteps(acc, pa, pb)
	} else {
		once = p.steps(pa, pb, p.k, 1, func() { p.stepAll(acc, pa, pb, 0) })
	}
	p.eachSum(acc, c, masks, g.storeSum)
	return once
}

// eachSum runs f for every register of sums, where it lies in c, and the mask of its columns.
func (p *blockDot) eachSum(acc [][]lir.Reg, c lir.Reg, masks []*lane.Lanes, f func(x lir.Reg, at lir.Arg, size int, mask lir.Reg)) {
	cell := lane.CellSize(p.d)
	for r := range acc {
		for v, m := range masks {
			f(acc[r][v], lir.Mem(c, r*p.n*cell+v*p.g.Bytes), cell, p.g.MaskReg(m))
		}
	}
}

func (g *gen) storeSum(x lir.Reg, at lir.Arg, size int, mask lir.Reg) { g.StoreReg(at, x, size, mask) }

// steps runs f for groups of n of k elements of the chain, and moves on by each. It
// returns the work of that.
func (p *blockDot) steps(pa, pb lir.Reg, k, n int, f func()) int {
	g := p.g
	cell := lane.CellSize(p.d)
	end := g.NewReg(lir.GPR)
	g.Def(asm.LEA, g.R64(end), lir.Mem(pa, k*cell))
	top := g.NewLabel()
	l := g.BeginLoop()
	g.Bind(top)
	before := g.Here()
	f()
	once := g.WorkSince(before)
	g.RMW(asm.ADD, g.R64(pa), lir.Imm(int64(n*cell)))
	g.AddConst(pb, int64(n*p.n*cell))
	g.Use(asm.CMP, g.R64(pa), g.R64(end))
	g.Jump(asm.JL, top)
	g.EndLoop(l)
	return once * k / n
}

// stepAll is the step of all rows for the element that lies k after those pointed to.
func (p *blockDot) stepAll(acc [][]lir.Reg, pa, pb lir.Reg, k int) {
	g := p.g
	cell := lane.CellSize(p.d)
	bs := make([]lir.Reg, len(acc[0]))
	for v := range bs {
		bs[v] = g.NewVec()
		g.Def(asm.VMOVUPS, g.V(bs[v]), lir.Mem(pb, k*p.n*cell+v*g.Bytes))
	}
	for r := range acc {
		p.step(acc[r], bs, lir.Mem(pa, (r*p.k+k)*cell))
	}
}

// step adds one element of a, times a vector of b each, to a row of registers.
func (p *blockDot) step(acc, bs []lir.Reg, at lir.Arg) {
	g := p.g
	x := g.NewVec()
	g.Def(lane.ByWidth(p.d, asm.VPBROADCASTD, asm.VPBROADCASTQ), g.V(x), at)
	for v := range acc {
		switch {
		case p.instruction:
			g.RMW(asm.VDPBF16PS, g.V(acc[v]), g.V(x), g.V(bs[v]))
		case p.d.IsFloat():
			g.RMW(lane.ByWidth(p.d, asm.VFMADD231PS, asm.VFMADD231PD), g.V(acc[v]), g.V(x), g.V(bs[v]))
		case !lane.Wide(p.d):
			t := g.NewVec()
			g.Def(asm.VPMULLD, g.V(t), g.V(x), g.V(bs[v]))
			g.RMW(asm.VPADDD, g.V(acc[v]), g.V(acc[v]), g.V(t))
		default:
			xs, ys := lane.Lanes{D: p.d, R: [2]lir.Reg{x, x}}, lane.Lanes{D: p.d, R: [2]lir.Reg{bs[v], bs[v]}}
			t := g.MulInt(p.d, xs, ys)
			g.RMW(asm.VPADDQ, g.V(acc[v]), g.V(acc[v]), g.V(t.R[0]))
		}
	}
}
