package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Loads and stores. Where the addresses are affine, or affine in each row, and, checked once, lie inside the
// tensor, the loop goes to the tensor itself. Otherwise the exact addresses of all
// lanes are put into memory, Go carries the access out lane by lane, and the loop
// goes to a copy: which of the two is one branch ahead of the loop that sets the same
// registers either way.

// An access is a load or store as a nest's loop sees it: memory from base on, with a
// stride in bytes for each dimension of the op's shape.
type access struct {
	v      *ir.Value
	d      dtype.DType // of the elements in memory
	base   lir.Reg
	stride [ir.MaxRank]lane.Stride
	copy   int  // frame offset of the copy
	direct bool // there is no copy: the loop always goes to the tensor
	turned bool // the copy is column after column
	apart  int  // elements from one of the copy to the next, -1 if it is kept backwards
	// copied says at run time that the loop goes to the copy; 0 if it always does, or
	// never.
	copied lir.Reg
	rows   *rowwise // addresses are one element apart in rows only
}

// access prepares v's access ahead of the nest.
func (n *nest) access(v *ir.Value, m affine.Axes) *access {
	key := laneKey{v, m}
	if a := n.loads[key]; a != nil {
		return a
	}
	a := &access{v: v, d: v.Memory().Ptr.Type.D.Elem(), turned: n.turned == v, rows: n.rowwiseOf(v, m)}
	n.loads[key] = a
	n.g.at(len(n.g.enclosing)-1, func() { n.g.prepare(a) })
	return a
}

// prepare writes into the scope that is open, ahead of the nest.
func (g *gen) prepare(a *access) {
	ptr := a.v.Memory().Ptr
	shape := ptr.Type.Shape
	f := g.forms.Of(ptr)
	a.apart = a.steps(f, shape)
	if a.direct = g.inside && f.Ok && f.Base >= 0; !a.direct {
		a.copy = g.Alloc(a.d.Size() * shape.Len() * max(a.apart, -a.apart))
	}
	a.base = g.NewReg(lir.GPR)
	dense, size := denseStrides(shape), int64(a.d.Size())
	for i := range dense {
		dense[i] *= a.apart
	}
	if a.turned {
		dense[0], dense[1] = 1, shape.D[0]
	}
	if a.rows != nil {
		g.prepareRows(a)
		return
	}
	if !f.Ok || f.Base < 0 {
		for i := range shape.N {
			a.stride[i] = lane.Stride{N: int64(dense[i]) * size}
		}
		g.toCopy(a)
		return
	}
	// All scalars first: what is computed between jumps is not there on every way.
	g.force(f)
	for i := range shape.N {
		switch c := f.Coef[i]; {
		case shape.D[i] == 1:
		case c != nil && c.IsConst(int64(dense[i])): // the same on both ways
			a.stride[i] = lane.Stride{N: int64(dense[i]) * size}
		default:
			a.stride[i].R = g.NewReg(lir.GPR)
			if c == nil {
				g.SetImm(a.stride[i].R, 0)
			} else {
				g.Move(a.stride[i].R, g.symArg(g.syms.Mul(c, g.syms.Constant(size))))
			}
		}
	}
	if a.direct {
		g.checkAccess(a.v, f, g.bail)
		g.toTensor(a, f)
		return
	}
	bad, done := g.NewLabel(), g.NewLabel()
	if a.v.Op == op.Store {
		a.copied = g.NewInt(0)
	}
	g.checkAccess(a.v, f, bad)
	g.toTensor(a, f)
	g.Jump(asm.JMP, done)
	g.Bind(bad)
	for i := range shape.N {
		if a.stride[i].R != 0 {
			g.SetImm(a.stride[i].R, int64(dense[i])*size)
		}
	}
	if a.copied != 0 {
		g.SetImm(a.copied, 1)
	}
	g.inCold(func() { g.toCopy(a) })
	g.Bind(done)
}

// steps is how many elements the copy's lie apart: as many as the tensor's in rows of a small constant stride, or in
// rows that are read or written backwards, so that code for that stride does for both.
func (a *access) steps(f *affine.Form, shape ir.Shape) int {
	const most = 4
	if !f.Ok || f.Base < 0 || a.turned || a.rows != nil || mayGather(f) {
		return 1
	}
	inner := shape.N - 1
	for inner > 0 && shape.D[inner] == 1 {
		inner--
	}
	if shape.N == 0 || f.Coef[inner] == nil || f.Coef[inner].Kind != affine.Const {
		return 1
	}
	if k := f.Coef[inner].N; k > 1 && k <= most || k == -1 {
		return int(k)
	}
	return 1
}

// force computes all scalars of a form and its conditions, which include those of their own forms.
func (g *scalars) force(f *affine.Form) {
	g.forceScalars(f)
	for _, c := range f.Conds {
		g.forceScalars(c.Form)
		if c.Below != nil {
			g.symReg(c.Below)
		}
	}
}

func (g *scalars) forceScalars(f *affine.Form) {
	g.symReg(f.Start)
	for _, c := range f.Coef {
		if c != nil && c.Kind != affine.Const {
			g.symReg(c)
		}
	}
}

// inCold writes code that may be jumped over.
func (g *gen) inCold(f func()) {
	outer := g.cold
	g.cold = &coldCode{}
	f()
	for _, x := range g.cold.syms {
		g.symRegs.hold(x, 0)
	}
	for _, v := range g.cold.tiles {
		delete(g.tiles, v)
	}
	for _, c := range g.cold.conds {
		delete(g.required, c)
	}
	g.cold = outer
}

// addScaled adds x·size to r.
func (g *scalars) addScaled(r lir.Reg, x *affine.Sym, size int64) {
	if x.Kind == affine.Const {
		g.AddConst(r, x.N*size)
		return
	}
	g.Def(asm.LEA, g.R64(r), lir.MemIndex(r, g.symReg(x), int(size), 0))
}

func denseStrides(s ir.Shape) (st [ir.MaxRank]int) {
	n := 1
	for i := s.N - 1; i >= 0; i-- {
		st[i] = n
		n *= s.D[i]
	}
	return st
}

// checkAccess jumps to bad unless every active lane of v lies inside its tensor.
func (g *gen) checkAccess(v *ir.Value, f *affine.Form, bad int) {
	if g.o.Unchecked {
		return
	}
	mem := v.Memory()
	shape := mem.Ptr.Type.Shape
	var reach *extent
	empty := g.NewLabel()
	if mem.Mask != nil {
		reach = g.reach(mem.Mask, shape, empty)
	}
	for _, c := range f.Conds {
		if !g.required[c.Key()] { // else it has been checked
			g.checkCond(c, bad, g.symReg)
		}
	}
	last := g.NewReg(lir.GPR)
	g.Def(asm.MOV, g.R64(last), lir.Frame(argOffset(f.Base)+argSpan))
	g.RMW(asm.SUB, g.R64(last), lir.Imm(1))
	g.checkRange(f, shape, reach, lir.Imm(0), g.R64(last), bad, g.symReg)
	if v.Writes() { // a view with gaps needs the test of each element
		g.Use(asm.CMP, lir.Frame(argOffset(f.Base)+argGaps).Sized(8), lir.Imm(0))
		g.Jump(asm.JNE, bad)
	}
	g.Bind(empty)
}

// reach is the box around the indices that a mask lets through; it jumps to empty where there are none.
func (g *scalars) reach(mask *ir.Value, shape ir.Shape, empty int) *extent {
	b := g.boxes.Around(mask)
	if len(b.Atoms) == 0 || !g.require(b.Conds) {
		return nil
	}
	var e extent
	zero := g.syms.Constant(0)
	for i := range shape.N {
		size := g.syms.Constant(int64(shape.D[i]))
		first, end := zero, size
		for _, a := range b.Atoms {
			if a.Dim == i && a.Hi != nil {
				end = g.syms.Min(end, a.Hi)
			}
			if a.Dim == i && a.Lo != nil {
				first = g.syms.Max(first, a.Lo)
			}
		}
		if end != size {
			e.end[i] = g.symReg(end)
		}
		if first != zero {
			e.from[i] = g.symReg(first)
		}
	}
	for i := range shape.N {
		switch first, end := e.from[i], e.end[i]; {
		case first != 0 && end != 0:
			g.Use(asm.CMP, g.R64(end), g.R64(first))
			g.Jump(asm.JLE, empty)
		case first != 0:
			g.Use(asm.CMP, g.R64(first), lir.Imm(int64(shape.D[i])))
			g.Jump(asm.JGE, empty)
		case end != 0:
			g.Use(asm.TEST, g.R64(end), g.R64(end))
			g.Jump(asm.JLE, empty)
		}
	}
	return &e
}

// toTensor points a's loop to the tensor.
func (g *gen) toTensor(a *access, f *affine.Form) {
	g.Def(asm.MOV, g.R64(a.base), lir.Frame(argOffset(f.Base)))
	g.addScaled(a.base, f.Start, int64(a.d.Size()))
}

// toCopy points a's loop to its copy; a load is carried out into it first.
func (g *gen) toCopy(a *access) {
	if a.v.Op == op.Load {
		g.noteLanes(a)
		g.exact(a.v, a.copy, a.apart, a.turned)
	}
	first := a.copy
	if a.apart < 0 {
		first += (a.v.Memory().Ptr.Type.Shape.Len() - 1) * a.d.Size()
	}
	g.Def(asm.LEA, g.R64(a.base), lir.Frame(first))
}

// finish carries a store out whose lanes the loop has put into the copy.
func (g *gen) finish(a *access) {
	if a.direct {
		return
	}
	if a.copied == 0 {
		g.noteLanes(a)
		g.exact(a.v, a.copy, a.apart, false)
		return
	}
	done := g.NewLabel()
	g.Use(asm.TEST, g.R64(a.copied), g.R64(a.copied))
	g.Jump(asm.JE, done)
	g.inCold(func() { g.exact(a.v, a.copy, a.apart, false) })
	g.Bind(done)
}

// spill puts a tile or scalar into fresh memory, all of it.
func (g *gen) spill(v *ir.Value) *buffer {
	t := v.Type
	if t.D.IsPointer() {
		t.D = dtype.Int64
	}
	b := g.newBuffer(t)
	g.spillInto(b, v)
	return b
}

// spillInto puts a tile or scalar into given memory.
func (g *gen) spillInto(b *buffer, v *ir.Value) {
	n := g.newNest(b.shape)
	m := affine.Identity(b.shape)
	n.run(func() { n.write(b, m, n.eval(v, m).As(b.d)) })
}

// address is the memory of the block's lanes, for an op whose shape is read through
// m: contiguous lanes, or equal ones, or lanes a stride apart.
func (n *nest) address(a *access, m affine.Axes) (at lir.Arg, step lane.Stride) {
	g := n.g
	row := a.base
	shape := a.v.Memory().Ptr.Type.Shape
	var deps uint
	for i := range shape.N {
		if m[i] >= 0 && int(m[i]) != n.inner() {
			deps |= 1 << m[i]
		}
	}
	if a.rows != nil {
		return lir.MemIndex(n.rowStart(a, m, deps), n.index[n.inner()], a.d.Size(), n.off*a.d.Size()), a.stride[a.rows.axis]
	}
	inner := -1
	n.at(n.levelOf(deps), func() {
		for i := range shape.N {
			switch {
			case m[i] < 0:
			case int(m[i]) == n.inner():
				inner = i
			default:
				row = g.PlusStride(row, n.index[m[i]], a.stride[i])
			}
		}
	})
	if inner < 0 {
		return lir.Mem(row, 0), lane.Stride{}
	}
	step = a.stride[inner]
	size := a.d.Size()
	if step.R == 0 && step.N == int64(size) {
		return lir.MemIndex(row, n.index[n.inner()], size, n.off*size), step
	}
	return lir.Mem(row, 0), step
}

// load is the lanes of a Load in the block at hand.
func (n *nest) load(v *ir.Value, m affine.Axes) lane.Lanes {
	g := n.g
	a := n.access(v, m)
	mem := v.Memory()
	at, step := n.address(a, m)
	if !n.varies(v, m) {
		return n.loadEqual(v, m, a, at)
	}
	mask, partial := n.loadMask(mem.Mask, m)
	var x lane.Lanes
	if step.R == 0 && step.N == int64(a.d.Size()) {
		x = g.Load(a.d, at, n.withTail(mask))
	} else {
		x = n.loadStrided(a, at, step, n.withTail(mask))
	}
	if partial && mem.Other != nil && !affine.IsZeros(mem.Other) { // it is zeros already
		x = g.Blend(mask, x, n.eval(mem.Other, m))
	}
	return x
}

// loadMask is the part of a mask that the domain does not ensure; partial reports whether there is any.
func (n *nest) loadMask(mask *ir.Value, m affine.Axes) (z lane.Lanes, partial bool) {
	all := lane.Const(dtype.Bool, 1)
	if mask == nil {
		return all, false
	}
	if atoms, ok := n.maskAtoms(mask, m); ok {
		z = n.inside(atoms)
		return z, !z.Known || z.Bits == 0
	}
	return n.eval(mask, m), true
}

// withTail restricts a mask to the lanes of a partial block.
func (n *nest) withTail(mask lane.Lanes) *lane.Lanes {
	all := mask.Known && mask.Bits != 0
	switch {
	case n.tail == nil && all:
		return nil
	case n.tail == nil || mask.Known && !all:
		return &mask
	case all:
		return n.tail
	}
	z := n.g.PrimBool(op.And, []lane.Lanes{mask, *n.tail})
	return &z
}

// loadEqual is a load that gives the same element to all lanes of a block. Where it
// is masked off it does not touch memory.
func (n *nest) loadEqual(v *ir.Value, m affine.Axes, a *access, at lir.Arg) lane.Lanes {
	g := n.g
	mask, partial := n.loadMask(v.Memory().Mask, m)
	if !partial {
		return g.LoadSplat(a.d, at)
	}
	other := lane.Const(a.d, 0)
	if o := v.Memory().Other; o != nil {
		other = n.eval(o, m)
	}
	if a.d == dtype.Bool {
		return g.LoadEqualBool(mask, other, at)
	}
	z := lane.Lanes{D: a.d}
	r := g.NewVec()
	z.R = [2]lir.Reg{r, r}
	g.MoveVec(r, g.Reg(other, 0))
	skip := g.NewLabel()
	g.SkipUnlessAny(mask, skip)
	g.MoveVec(r, g.LoadSplat(a.d, at).R[0])
	g.Bind(skip)
	return z
}
