package amd64

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Reductions keep 16 partial results: element i goes to partial i mod 16, and the
// partials combine at distances 8, 4, 2, 1. Along the inner dimension the partials
// are the lanes of one block (of two on AVX2); along another they are 16 rows in
// memory.

// A reducer is what a reduction does with elements: several streams at once where it
// reduces tuples or carries indices.
type reducer struct {
	v       *ir.Value
	in      []*ir.Value
	index   bool // a last stream holds the index along the axis
	types   []dtype.DType
	combine func(x, y []lanes) []lanes
	// identity is a value per stream that changes nothing, nil if there is none.
	identity []lanes
	// once says that combining with the same padding again changes nothing.
	once bool
	// free says that the order of combining does not show in the result.
	free bool
}

const partials = 16

// reduction translates a reduction.
func (g *gen) reduction(v *ir.Value) {
	r := g.reducerOf(v)
	x := v.Args[0].Type.Shape
	inner := x.D[v.Axis] > 1
	for i := v.Axis + 1; i < x.N; i++ {
		inner = inner && x.D[i] == 1
	}
	results := g.resultTypes(v)
	switch {
	case x.D[v.Axis] == 1:
		g.reduceNothing(r, results)
	case inner:
		g.reduceInner(r, results)
	default:
		g.reduceRows(r, results)
	}
}

// resultTypes is the types of v's results, the index stream's last.
func (g *gen) resultTypes(v *ir.Value) []ir.Type {
	switch {
	case len(v.Results) > 0:
		return v.Results
	case v.Op == op.ArgMax || v.Op == op.ArgMin:
		return []ir.Type{{D: v.Args[0].Type.D, Shape: v.Type.Shape}, v.Type}
	}
	return []ir.Type{v.Type}
}

func (g *gen) reducerOf(v *ir.Value) *reducer {
	d := v.Args[0].Type.D
	r := &reducer{v: v, in: v.Args}
	for _, a := range v.Args {
		r.types = append(r.types, a.Type.D)
	}
	switch v.Op {
	case op.Reduce:
		r.combine = func(x, y []lanes) []lanes {
			return g.lanesOfBlock(v.Blocks[0], append(append([]lanes(nil), x...), y...))
		}
	case op.MaxIndex, op.ArgMax, op.MinIndex, op.ArgMin:
		r.index = true
		r.types = append(r.types, dtype.Int32)
		better := op.Gt
		if v.Op == op.MinIndex || v.Op == op.ArgMin {
			better = op.Lt
		}
		r.combine = func(x, y []lanes) []lanes { return g.betterPair(better, d, x, y) }
		r.identity = []lanes{worst(d, better), g.constLanes(dtype.Int32, math.MaxInt32)}
		r.once = false
	default:
		o := v.Op.Row().Combine
		r.combine = func(x, y []lanes) []lanes { return []lanes{g.elementwise(o, d, x[0], y[0])} }
		r.identity, r.once = identityOf(o, d), o != op.Add && o != op.Xor
		r.free = !d.IsFloat() || o == op.Maximum || o == op.Minimum
	}
	return r
}

// worst is what loses against, or equals, everything.
func worst(d dtype.DType, better op.Op) lanes {
	switch {
	case d.IsFloat():
		return identityOf(op.Maximum, d)[0]
	case better == op.Gt:
		return identityOf(op.Maximum, d)[0]
	}
	return identityOf(op.Minimum, d)[0]
}

// identityOf is the value that changes nothing under an op: -0 for a sum of floats,
// NaN, which loses, for extrema.
func identityOf(o op.Op, d dtype.DType) []lanes {
	bits := uint64(0)
	switch {
	case d.IsFloat() && o == op.Add:
		bits = dtype.FromFloat(d, math.Copysign(0, -1))
	case d.IsFloat():
		bits = dtype.FromFloat(d, math.NaN())
	case o == op.Maximum:
		bits = dtype.FromInt(d, d.MinInt(), false)
	case o == op.Minimum:
		bits = d.MaxInt()
	}
	return []lanes{{d: d, known: true, bits: laneBits(d, bits)}}
}

// betterPair keeps y where it is better than x, or equal with a lower index, or a
// number where x is NaN; of two NaNs the lower index stays.
func (g *gen) betterPair(better op.Op, d dtype.DType, x, y []lanes) []lanes {
	and := func(a, b lanes) lanes { return g.primBool(op.And, []lanes{a, b}) }
	or := func(a, b lanes) lanes { return g.primBool(op.Or, []lanes{a, b}) }
	f := d.Compute()
	lower := g.compare(op.Lt, dtype.Int32, y[1], x[1])
	take := or(g.compare(better, f, y[0].as(f), x[0].as(f)), and(g.compare(op.Eq, f, y[0].as(f), x[0].as(f)), lower))
	if d.IsFloat() {
		xNaN, yNaN := g.compareFloat(ne, f, x[0], x[0]), g.compareFloat(ne, f, y[0], y[0])
		notY := g.primBool(op.Not, []lanes{yNaN})
		take = or(take, and(xNaN, or(notY, lower)))
	}
	return []lanes{g.blend(take, y[0], x[0]), g.blend(take, y[1], x[1])}
}

// lanesOfBlock is a lane function of the kernel's own, written out.
func (g *gen) lanesOfBlock(b *ir.Block, in []lanes) []lanes {
	vals := map[*ir.Value]lanes{}
	for i, a := range b.Args {
		vals[a] = in[i]
	}
	get := func(v *ir.Value) lanes {
		if x, ok := vals[v]; ok {
			return x
		}
		return g.splat(v) // a scalar from outside, or a constant
	}
	for _, v := range b.Values {
		switch {
		case v.Op == ir.Yield:
			out := make([]lanes, len(v.Args))
			for i, a := range v.Args {
				out[i] = get(a)
			}
			return out
		case v.Op == op.Const:
			vals[v] = g.constLanes(v.Type.D, v.Bits)
		default:
			a := make([]lanes, len(v.Args))
			for i := range a {
				a[i] = get(v.Args[i])
			}
			vals[v] = g.apply(v, a)
		}
	}
	unsupported("a lane function that yields nothing")
	return nil
}

// An accumulator is registers that hold the partials of all streams, and which lanes
// of them hold any, if there is no identity.
type accumulator struct {
	streams []lanes
	valid   lanes
}

func (g *gen) newAccumulator(r *reducer) *accumulator {
	a := &accumulator{}
	for i, d := range r.types {
		z := lanes{d: d}
		for h := range halves(d) {
			z.r[h] = g.newVec()
		}
		if halves(d) == 1 {
			z.r[1] = z.r[0]
		}
		if d == dtype.Bool {
			z.r[0] = g.newMask().r[0]
		}
		init := lanes{d: d, known: true}
		if r.identity != nil {
			init = r.identity[i]
		}
		g.assign(z, init)
		a.streams = append(a.streams, z)
	}
	if r.identity == nil {
		a.valid = g.newMask()
		g.assign(a.valid, g.constLanes(dtype.Bool, 0))
	}
	return a
}

// assign copies lanes into the registers of others.
func (g *gen) assign(dst, src lanes) {
	if dst.d == dtype.Bool && g.avx512 {
		g.def(asm.KMOVW, g.k(dst.r[0]), g.k(g.vr(src, 0)))
		return
	}
	for h := range halves(dst.d) {
		g.moveVec(dst.r[h], g.vr(src, h))
	}
}

// take combines a block into the accumulator; on, if any, says which of its lanes
// exist.
func (g *gen) take(r *reducer, a *accumulator, x []lanes, on *lanes) {
	if r.identity != nil {
		if on != nil {
			for i := range x {
				x[i] = g.blend(*on, x[i], r.identity[i])
			}
		}
		for i, z := range r.combine(a.streams, x) {
			g.assign(a.streams[i], z)
		}
		return
	}
	z := r.combine(a.streams, x)
	for i := range z {
		z[i] = g.blend(a.valid, z[i], x[i])
		if on != nil {
			z[i] = g.blend(*on, z[i], a.streams[i])
		}
	}
	valid := g.constLanes(dtype.Bool, 1)
	if on != nil {
		valid = g.primBool(op.Or, []lanes{a.valid, *on})
	}
	for i := range z {
		g.assign(a.streams[i], z[i])
	}
	g.assign(a.valid, valid)
}

// reduceInner reduces along the inner dimension.
func (g *gen) reduceInner(r *reducer, results []ir.Type) {
	x := r.in[0].Type.Shape
	size := x.D[r.v.Axis]
	n := g.newNest(x)
	m := identity(x)
	n.unroll = partials / g.step()
	if r.free && halves(r.types[0]) == 1 { // more chains than partials need, to be faster
		n.unroll = max(n.unroll, min(4, size/g.step()))
	}
	n.rows = true
	n.atoms = n.reductionDomain(r, m)
	k := len(n.dims) - 1
	accs := make([]*accumulator, n.unroll)
	n.at(k, func() {
		for i := range accs {
			accs[i] = g.newAccumulator(r)
		}
	})
	var pads []lanes
	if len(n.atoms) > 0 {
		n.at(k, func() { pads = n.rowPads(r.in, m, size) })
	}
	n.after[k] = func() {
		if pads != nil {
			n.padding(r, accs, pads, size)
		}
		g.storeReduced(n, r, g.tree(r, accs), results)
	}
	n.run(func() {
		block := make([]lanes, 0, len(r.types))
		for _, v := range r.in {
			block = append(block, n.eval(v, m))
		}
		if r.index {
			block = append(block, n.indexLanes(r.v.Axis, n.body()))
		}
		on := n.tail
		if on != nil && pads != nil {
			for i := range pads {
				block[i] = g.blend(*on, block[i], pads[i])
			}
			on = n.existing(size)
		}
		g.take(r, accs[n.off/g.step()], block, on)
	})
}

// rowPads is the padding of a row, which is computed only in rows that have any.
func (n *nest) rowPads(vs []*ir.Value, m axisMap, size int) (pads []lanes) {
	g := n.g
	for _, v := range vs {
		n.padLeaves(v, m)
	}
	full := g.newLabel()
	_, hi := n.bounds(n.inner())
	g.use(asm.CMP, g.r64(g.inReg(n.rowEnd(hi))), imm(int64(size)))
	g.jump(asm.JGE, full)
	for _, v := range vs {
		x := n.pad(v, m)
		if !x.known {
			x = g.variable(x)
		}
		pads = append(pads, x)
	}
	g.bind(full)
	return pads
}

// inReg is an integer operand in a register.
func (g *gen) inReg(a arg) reg {
	if a.kind == regArg {
		return a.r
	}
	r := g.newReg(gpr)
	g.move(r, a)
	return r
}

// existing is the mask of the block's lanes below size, nil if all are.
func (n *nest) existing(size int) *lanes {
	g := n.g
	if size%(n.unroll*g.step()) == 0 {
		return nil
	}
	z := g.compare(op.Lt, dtype.Int32, n.indexLanes(n.inner(), n.body()), g.constLanes(dtype.Int32, uint64(size)))
	return &z
}

// reductionDomain is what a reduction's loops can be restricted to: boxes that begin
// at 0, because the partial of an element is its index's. Index streams go everywhere.
func (n *nest) reductionDomain(r *reducer, m axisMap) (atoms []atom) {
	if r.index {
		return nil
	}
	free := true
	for _, v := range r.in {
		a, f := n.limitsOf(v, m)
		switch {
		case f:
		case free:
			atoms, free = a, false
		default:
			atoms = intersect(atoms, a)
		}
	}
	var z []atom
	for _, a := range atoms {
		if a.hi != nil {
			z = append(z, a)
		}
	}
	return z
}

// padding combines the blocks behind the domain, all of them padding.
func (n *nest) padding(r *reducer, accs []*accumulator, pads []lanes, size int) {
	g := n.g
	round := n.unroll * g.step()
	whole := size / round * round
	end, top, rest := g.newLabel(), g.newLabel(), g.newLabel()
	// next is where the domain ends in this row, rounded up to whole rounds.
	_, hi := n.bounds(n.inner())
	bound, next := g.newReg(gpr), g.newReg(gpr)
	g.move(bound, n.rowEnd(hi))
	zero := g.newInt(0)
	g.use(asm.CMP, g.r64(bound), imm(0))
	g.rmw(asm.CMOVL, g.r64(bound), g.r64(zero))
	g.def(asm.LEA, g.r64(next), mem(bound, round-1))
	g.rmw(asm.AND, g.r64(next), imm(int64(-round)))
	limit := g.newInt(int64(whole))
	if r.once {
		g.limitTo(next, limit, round)
	} else if r.v.Op == op.Sum || r.v.Op == op.XorSum {
		g.onceIfZero(pads[0], next, limit, round)
	}
	g.use(asm.CMP, g.r64(next), g.r64(limit))
	g.jump(asm.JGE, rest)
	l := g.beginLoop()
	g.bind(top)
	for _, a := range accs {
		g.take(r, a, append([]lanes(nil), pads...), nil)
	}
	g.rmw(asm.ADD, g.r64(next), imm(int64(round)))
	g.use(asm.CMP, g.r64(next), g.r64(limit))
	g.jump(asm.JL, top)
	g.endLoop(l)
	g.bind(rest)
	if left := size - whole; left > 0 {
		g.use(asm.CMP, g.r64(bound), imm(int64(whole)))
		g.jump(asm.JG, end)
		for i, a := range accs {
			if c := left - i*g.step(); c > 0 {
				mask := g.newMask()
				g.setFirstLanes(mask, g.newInt(int64(c)))
				g.take(r, a, append([]lanes(nil), pads...), &mask)
			}
		}
	}
	g.bind(end)
}

// limitTo lowers limit so that at most one round follows next.
func (g *gen) limitTo(next, limit reg, round int) {
	t := g.newReg(gpr)
	g.def(asm.LEA, g.r64(t), mem(next, round))
	g.use(asm.CMP, g.r64(t), g.r64(limit))
	g.rmw(asm.CMOVL, g.r64(limit), g.r64(t))
}

// onceIfZero does so if the padding is a zero, of either sign.
func (g *gen) onceIfZero(pad lanes, next, limit reg, round int) {
	skip := g.newLabel()
	bits := g.firstInt(pad.rawInt())
	if pad.d.IsFloat() {
		if wide(pad.d) {
			g.rmw(asm.ADD, g.r64(bits), g.r64(bits))
		} else {
			g.rmw(asm.ADD, g.r32(bits), g.r32(bits))
		}
	}
	g.use(asm.TEST, g.r64(bits), g.r64(bits))
	g.jump(asm.JNE, skip)
	g.limitTo(next, limit, round)
	g.bind(skip)
}

// rawInt is lanes' bits as unsigned integers.
func (x lanes) rawInt() lanes {
	if wide(x.d) {
		x.d = dtype.Uint64
	} else {
		x.d = dtype.Uint32
	}
	return x
}

// tree combines the partials and leaves the result in lane 0.
func (g *gen) tree(r *reducer, accs []*accumulator) []lanes {
	a := accs[0]
	for _, b := range accs[1:] {
		g.fold(r, a, b.streams, b.valid)
	}
	for d := g.step() / 2; d > 0; d /= 2 {
		var down []lanes
		for _, x := range a.streams {
			down = append(down, g.shiftDown(x, d))
		}
		valid := a.valid
		if r.identity == nil {
			valid = g.shiftDown(a.valid, d)
		}
		g.fold(r, a, down, valid)
	}
	return a.streams
}

// fold combines partials into others, where there are any.
func (g *gen) fold(r *reducer, a *accumulator, y []lanes, valid lanes) {
	if r.identity != nil {
		g.take(r, a, y, nil)
		return
	}
	g.take(r, a, y, &valid)
}

// shiftDown is lane i+d in lane i; the upper lanes are anything.
func (g *gen) shiftDown(x lanes, d int) lanes {
	switch {
	case x.d == dtype.Bool && g.avx512:
		k := g.newReg(kmask)
		g.def(asm.KSHIFTRW, g.k(k), g.k(g.vr(x, 0)), imm(int64(d)))
		return lanes{d: x.d, r: [2]reg{k}}
	case wide(x.d):
		half := g.step() / 2
		if d == half {
			return lanes{d: x.d, r: [2]reg{x.r[1], x.r[1]}}
		}
		return g.shiftReg(x, 2*d)
	}
	return g.shiftReg(x, d)
}

// shiftReg moves the first register down by d 32-bit lanes, and is in both halves.
func (g *gen) shiftReg(x lanes, d int) lanes {
	r := g.newVec()
	src := g.vr(x, 0)
	if g.avx512 {
		g.def(asm.VALIGND, g.v(r), g.v(src), g.v(src), imm(int64(d)))
	} else {
		b := make([]byte, 32)
		for i := range 8 {
			b[4*i] = byte((i + d) % 8)
		}
		idx := g.newVec()
		g.def(asm.VMOVDQU, g.v(idx), g.bytesConst(b))
		g.def(asm.VPERMD, g.v(r), g.v(idx), g.v(src))
	}
	return lanes{d: x.d, r: [2]reg{r, r}}
}

// storeReduced puts results where users look for them: a scalar into registers, a
// tile into memory, one cell per row.
func (g *gen) storeReduced(n *nest, r *reducer, z []lanes, results []ir.Type) {
	for i, t := range results {
		if r.v.Op == op.ArgMax || r.v.Op == op.ArgMin {
			if i == 0 {
				continue
			}
		}
		x := g.broadcastFirst(z[i])
		if !t.IsTile() {
			g.setScalar(r.v, i, x)
			continue
		}
		b := g.resultBuffer(r.v, i, t)
		m := n.dropped(r.v.Axis)
		one := g.newMask()
		g.setFirstLanes(one, g.newInt(1))
		g.storeCell(x, n.cellOf(b, m), &one)
	}
}

// broadcastFirst is lane 0 in all lanes.
func (g *gen) broadcastFirst(x lanes) lanes {
	if x.d == dtype.Bool {
		return g.splatBool(g.firstInt(x))
	}
	r := g.newVec()
	o := bothOps{asm.VPBROADCASTD, asm.VPBROADCASTQ}.of(x.d)
	g.def(o, g.v(r), g.vw(g.vr(x, 0), 16))
	return lanes{d: x.d, r: [2]reg{r, r}}
}

// setScalar makes lanes the value of v, or of its result i.
func (g *gen) setScalar(v *ir.Value, i int, x lanes) {
	for _, t := range g.resultValues(v, i) {
		if x.d.IsFloat() {
			g.floats[t] = x
		} else {
			if g.ints[t] == 0 {
				g.ints[t] = g.newReg(gpr)
			}
			g.move64(g.ints[t], g.firstInt(x))
		}
	}
}

// resultValues is the values that stand for v's result i: v itself, or Results of it.
func (g *gen) resultValues(v *ir.Value, i int) (vs []*ir.Value) {
	if len(v.Results) == 0 {
		return []*ir.Value{v}
	}
	for _, u := range g.plan.users[v] {
		if u.Op == ir.Result && u.Index == i {
			vs = append(vs, u)
		}
	}
	return vs
}

// resultBuffer is the memory of v's result i.
func (g *gen) resultBuffer(v *ir.Value, i int, t ir.Type) *buffer {
	key := resultKey{v, i}
	b := g.results[key]
	if b == nil {
		b = g.newBuffer(t)
		g.results[key] = b
	}
	for _, u := range g.resultValues(v, i) {
		g.tiles[u] = b
	}
	return b
}

type resultKey struct {
	v *ir.Value
	i int
}

// dropped maps the dimensions of a reduction's result to the nest's.
func (n *nest) dropped(axis int) (m axisMap) {
	j := 0
	for i := range n.shape.N {
		if i == axis {
			continue
		}
		m[j] = int8(i)
		if n.shape.D[i] == 1 {
			m[j] = -1
		}
		j++
	}
	return m
}

// cellOf is the memory of the cell at the outer loops' indices.
func (n *nest) cellOf(b *buffer, m axisMap) arg {
	g := n.g
	st := denseStrides(b.shape)
	row := g.newReg(gpr)
	g.def(asm.LEA, g.r64(row), frameAt(b.off))
	for i := range b.shape.N {
		if m[i] >= 0 {
			row = g.plusStride(row, n.index[m[i]], stride{n: int64(st[i] * b.cell)})
		}
	}
	return mem(row, 0)
}

func (g *gen) storeCell(x lanes, at arg, one *lanes) {
	if x.d == dtype.Bool {
		r := g.firstInt(x)
		g.use(asm.MOV, at, g.r8(r))
		return
	}
	g.storeLanes(x.as(cellType(x.d)), at, one)
}

// reduceNothing is a reduction along an axis of one element: the element itself, with
// index 0.
func (g *gen) reduceNothing(r *reducer, results []ir.Type) {
	x := r.in[0].Type.Shape
	n := g.newNest(x)
	m := identity(x)
	if len(n.dims) == 0 {
		n.run(func() {
			var z []lanes
			for _, v := range r.in {
				z = append(z, n.eval(v, m))
			}
			if r.index {
				z = append(z, g.constLanes(dtype.Int32, 0))
			}
			g.storeReduced(n, r, z, results)
		})
		return
	}
	bufs := make([]*buffer, len(results))
	for i, t := range results {
		bufs[i] = g.newBuffer(t)
	}
	n.run(func() {
		for i := range results {
			z := g.constLanes(dtype.Int32, 0)
			if i < len(r.in) {
				z = n.eval(r.in[i], m)
			}
			n.write(bufs[i], n.dropped(r.v.Axis), z)
		}
	})
	for i := range results {
		if len(r.v.Results) == 0 && r.index && i == 0 {
			continue
		}
		for _, u := range g.resultValues(r.v, i) {
			g.tiles[u] = bufs[i]
		}
	}
}
