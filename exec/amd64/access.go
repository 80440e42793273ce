package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
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
func (n *values) access(v *ir.Value, m affine.Axes) *access {
	key := laneKey{v: v, m: m}
	if a := n.loads[key]; a != nil {
		return a
	}
	turned := n.turned == v || readsColumns(n, v, m)
	a := &access{v: v, d: v.Memory().Ptr.Type.D.Elem(), turned: turned, rows: n.rowwiseOf(v, m)}
	n.loads[key] = a
	n.g.At(len(n.g.Enclosing)-1, func() { n.g.prepare(a) })
	return a
}

// readsColumns reports whether the nest's rows are columns of a matrix whose elements are contiguous.
func readsColumns(n *values, v *ir.Value, m affine.Axes) bool {
	s := v.Type.Shape
	if s.N != 2 || s.D[1] == 1 || int(m[0]) != n.inner() || m[0] < 0 {
		return false
	}
	f := n.g.Forms.Of(v.Memory().Ptr)
	return f.Ok && f.Coef[0] != nil && f.Coef[0].IsConst(1)
}

// prepare writes into the scope that is open, ahead of the nest.
func (g *nests) prepare(a *access) {
	ptr := a.v.Memory().Ptr
	shape := ptr.Type.Shape
	f := g.Forms.Of(ptr)
	a.apart = a.steps(f, shape)
	if a.direct = g.inside && f.Ok && f.Base >= 0; !a.direct {
		a.copy = g.Alloc(a.d.Size() * shape.Len() * max(a.apart, -a.apart))
	}
	a.base = g.NewReg(lir.GPR)
	dense, size := shape.Dense().D, int64(a.d.Size())
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
	g.Force(f)
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
				g.Move(a.stride[i].R, g.SymArg(g.Syms.Mul(c, g.Syms.Constant(size))))
			}
		}
	}
	if a.direct {
		g.checkAccess(a.v, f, g.Bail)
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
	if !f.Ok || f.Base < 0 || a.turned || a.rows != nil || f.MayGather() {
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

// inCold writes code that may be jumped over.
func (g *memory) inCold(f func()) {
	for _, v := range g.WhereCold(f) {
		delete(g.tiles, v)
	}
}

// checkAccess jumps to bad unless every active lane of v lies inside its tensor.
func (g *memory) checkAccess(v *ir.Value, f *affine.Form, bad int) {
	if !g.unchecked {
		g.CheckAccess(v, f, bad)
	}
}

// toTensor points a's loop to the tensor.
func (g *memory) toTensor(a *access, f *affine.Form) {
	g.Def(asm.MOV, g.R64(a.base), lir.Frame(scalar.ArgOffset(f.Base)))
	g.AddScaled(a.base, f.Start, int64(a.d.Size()))
}

// toCopy points a's loop to its copy; a load is carried out into it first.
func (g *nests) toCopy(a *access) {
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
func (g *nests) finish(a *access) {
	if a.direct {
		return
	}
	if a.copied == 0 {
		g.noteLanes(a)
		g.exact(a.v, a.copy, a.apart, a.turned)
		return
	}
	done := g.NewLabel()
	g.Use(asm.TEST, g.R64(a.copied), g.R64(a.copied))
	g.Jump(asm.JE, done)
	g.inCold(func() { g.exact(a.v, a.copy, a.apart, a.turned) })
	g.Bind(done)
}

// spill puts a tile or scalar into fresh memory, all of it.
func (g *nests) spill(v *ir.Value) *buffer {
	t := v.Type
	if t.D.IsPointer() {
		t.D = dtype.Int64
	}
	b := g.newBuffer(t)
	g.spillInto(b, v)
	return b
}

// spillInto puts a tile or scalar into given memory.
func (g *nests) spillInto(b *buffer, v *ir.Value) {
	n := g.newNest(b.shape)
	m := affine.Identity(b.shape)
	n.run(func() { n.write(b, m, n.eval(v, m).As(b.d)) })
}

// address is the memory of the block's lanes, for an op whose shape is read through
// m: contiguous lanes, or equal ones, or lanes a stride apart.
func (n *values) address(a *access, m affine.Axes) (at lir.Arg, step lane.Stride) {
	return addressUpTo(n, a, m, lastRows{})
}

// addressUpTo is address, but not behind the last rows.
func addressUpTo(n *values, a *access, m affine.Axes, last lastRows) (at lir.Arg, step lane.Stride) {
	size := a.d.Size()
	if a.rows != nil {
		return lir.MemIndex(n.rowStart(a, m), n.index[n.inner()], size, n.off*size), a.stride[a.rows.axis]
	}
	r := rowKey{base: a.base, last: last}
	for i := range a.v.Memory().Ptr.Type.Shape.N {
		if m[i] >= 0 && int(m[i]) == n.inner() {
			step = a.stride[i]
			continue
		}
		r.add(&n.cursor, m[i], a.stride[i])
	}
	return n.lanesAt(r, step, size), step
}

// lastRows is the last index of each outer dimension that a load's mask lets through, nil if that is the last of all.
// No row behind them is reached, not even without any lanes: processors take hundreds of cycles for a page that is not
// there.
type lastRows [ir.MaxRank]*affine.Sym

// lastOf is what a mask limits beside the domain.
func lastOf(n *values, mask *ir.Value, m affine.Axes) (last lastRows) {
	if mask == nil {
		return last
	}
	y := n.g.Syms
	for _, a := range n.maskLimits(mask, m) {
		size := y.Constant(int64(n.shape.D[a.Dim]))
		if a.Hi != nil && y.Min(a.Hi, size) != size && a.Dim != n.inner() && !affine.Has(n.atoms, a) {
			last[a.Dim] = y.Max(y.Constant(0), y.Add(a.Hi, y.Constant(-1)))
		}
	}
	return last
}

// load is the lanes of a Load in the block at hand.
func (n *values) load(v *ir.Value, m affine.Axes) lane.Lanes {
	g := n.g
	if b, to := crossed(n, v, m); b != nil {
		return n.read(b, to)
	}
	a := n.access(v, m)
	mem := v.Memory()
	at, step := addressUpTo(n, a, m, lastOf(n, mem.Mask, m))
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
func (n *values) loadMask(mask *ir.Value, m affine.Axes) (z lane.Lanes, partial bool) {
	all := lane.Const(dtype.Bool, 1)
	if mask == nil {
		return all, false
	}
	atoms, ok := n.maskAtoms(mask, m)
	if !ok {
		return n.eval(mask, m), true
	}
	key := keyOf(n, mask, m)
	if z, ok = n.masks[key]; !ok {
		z = n.inside(atoms)
		n.masks[key] = z
	}
	return z, !z.Known || z.Bits == 0
}

// withTail restricts a mask to the lanes of a partial block.
func (n *cursor) withTail(mask lane.Lanes) *lane.Lanes {
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
func (n *values) loadEqual(v *ir.Value, m affine.Axes, a *access, at lir.Arg) lane.Lanes {
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
