package nest

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/cursor"
	"github.com/tiler-go/tiler/exec/amd64/gather"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Access prepares v's access ahead of the nest.
func (n *values) Access(v *ir.Value, m affine.Axes) *tiles.Access {
	key := cursor.Key{V: v, M: m}
	if a := n.loads[key]; a != nil {
		return a
	}
	turned := n.turned == v || readsColumns(n, v, m)
	a := &tiles.Access{V: v, D: v.Memory().Ptr.Type.D.Elem(), Turned: turned, Rows: rowsOf(n, v, m)}
	n.loads[key] = a
	n.G.At(len(n.G.Enclosing)-1, func() {
		n.G.Prepare(a)
		if a.Rows == nil {
			unlessAnyRow(n, a, m)
		}
	})
	return a
}

// unlessAnyRow has a load go to the frame if its mask ends ahead of the first row: there is no row then for those that
// are masked off to go to, see reachOf, and where the first one would be may be no memory. It does so, too, if the mask
// ends ahead of a row's first element, as that of one of several tensors that rows are taken from in turn.
func unlessAnyRow(n *values, a *tiles.Access, m affine.Axes) {
	g, mask := n.G, a.V.Memory().Mask
	if a.V.Op != op.Load || mask == nil {
		return
	}
	for _, l := range n.MaskLimits(mask, m) {
		if n.holds(l) || l.Hi == nil || l.Hi.Lo > 0 {
			continue
		}
		first := lir.Imm(0)
		if l.Dim == n.Inner() {
			k := slices.Index(m[:], int8(l.Dim))
			if k < 0 || a.Stride[k] != (lane.Stride{N: int64(a.D.Size())}) || !g.Boxes.Of(mask).Ok {
				continue
			}
			first, _ = n.Bounds(l.Dim)
		}
		frame := g.NewReg(lir.GPR)
		g.Def(asm.LEA, g.R64(frame), lir.Frame(0))
		g.Use(asm.CMP, g.R64(g.SymReg(l.Hi)), first)
		g.RMW(asm.CMOVLE, g.R64(a.Base), g.R64(frame))
	}
}

// readsColumns reports whether the nest's rows are columns of a matrix whose elements are contiguous.
func readsColumns(n *values, v *ir.Value, m affine.Axes) bool {
	s := v.Type.Shape
	if s.N != 2 || s.D[1] == 1 || int(m[0]) != n.Inner() || m[0] < 0 {
		return false
	}
	f := n.G.Forms.Of(v.Memory().Ptr)
	return f.Ok && f.Coef[0] != nil && f.Coef[0].IsConst(1)
}

// Prepare writes into the scope that is open, ahead of the nest.
func (g *Nests) Prepare(a *tiles.Access) {
	ptr := a.V.Memory().Ptr
	shape := ptr.Type.Shape
	f := g.Forms.Of(ptr)
	a.Apart = a.Steps(f, shape)
	if a.Direct = g.Inside && f.Ok && f.Base >= 0; !a.Direct {
		a.Copy = g.Alloc(a.D.Size() * shape.Len() * max(a.Apart, -a.Apart))
	}
	a.Base = g.NewReg(lir.GPR)
	dense, size := shape.Dense().D, int64(a.D.Size())
	for i := range dense {
		dense[i] *= a.Apart
	}
	if a.Turned {
		dense[0], dense[1] = 1, shape.D[0]
	}
	if a.Rows != nil {
		g.prepareRows(a)
		return
	}
	if !f.Ok || f.Base < 0 {
		for i := range shape.N {
			a.Stride[i] = lane.Stride{N: int64(dense[i]) * size}
		}
		g.toCopy(a)
		return
	}
	g.SetStrides(a, f, dense)
	if a.Direct {
		g.CheckInside(a.V, f, g.Bail)
		g.ToTensor(a, f)
		return
	}
	bad, done := g.NewLabel(), g.NewLabel()
	if a.V.Op == op.Store {
		a.Copied = g.NewInt(0)
	}
	g.CheckInside(a.V, f, bad)
	g.ToTensor(a, f)
	g.Jump(asm.JMP, done)
	g.BindCold(bad)
	g.StridesOfCopy(a, dense)
	g.InCold(func() { g.toCopy(a) })
	g.Bind(done)
}

// toCopy points a's loop to its copy; a load is carried out into it first.
func (g *Nests) toCopy(a *tiles.Access) {
	if a.V.Op == op.Load {
		g.NoteLanes(a)
		g.Exact(a.V, a.Copy, a.Apart, a.Turned)
	}
	first := a.Copy
	if a.Apart < 0 {
		first += (a.V.Memory().Ptr.Type.Shape.Len() - 1) * a.D.Size()
	}
	g.Def(asm.LEA, g.R64(a.Base), lir.Frame(first))
}

// Finish carries a store out whose lanes the loop has put into the copy.
func (g *Nests) Finish(a *tiles.Access) {
	if a.Direct {
		return
	}
	if a.Copied == 0 {
		g.NoteLanes(a)
		g.Exact(a.V, a.Copy, a.Apart, a.Turned)
		return
	}
	done := g.NewLabel()
	g.Use(asm.TEST, g.R64(a.Copied), g.R64(a.Copied))
	g.Jump(asm.JE, done)
	g.BindCold(g.NewLabel())
	g.InCold(func() { g.Exact(a.V, a.Copy, a.Apart, a.Turned) })
	g.Bind(done)
}

// Spill puts a tile or scalar into fresh memory, all of it.
func (g *Nests) Spill(v *ir.Value) *tiles.Buffer {
	t := v.Type
	if t.D.IsPointer() {
		t.D = dtype.Int64
	}
	b := g.NewBuffer(t)
	g.SpillInto(b, v)
	return b
}

// SpillInto puts a tile or scalar into given memory.
func (g *Nests) SpillInto(b *tiles.Buffer, v *ir.Value) {
	n := g.NewNest(b.Shape)
	m := affine.Identity(b.Shape)
	n.Run(func() { n.Write(b, m, n.Eval(v, m).As(b.D)) })
}

// Address is the memory of the block's lanes, for an op whose shape is read through
// m: contiguous lanes, or equal ones, or lanes a stride apart.
func (n *values) Address(a *tiles.Access, m affine.Axes) (at lir.Arg, step lane.Stride) {
	return addressWithin(n, a, m, cursor.Reach{})
}

// addressWithin is address, but of the nearest row within reach.
func addressWithin(n *values, a *tiles.Access, m affine.Axes, reach cursor.Reach) (at lir.Arg, step lane.Stride) {
	size := a.D.Size()
	if a.Rows != nil {
		return lir.MemIndex(n.RowStart(a, m, 0), n.Index[n.Inner()], size, n.Off*size), a.Stride[a.Rows.Axis]
	}
	r := cursor.Row{Base: a.Base, Reach: reach}
	for i := range a.V.Memory().Ptr.Type.Shape.N {
		if m[i] >= 0 && int(m[i]) == n.Inner() {
			step = a.Stride[i]
			continue
		}
		r.Add(&n.Cursor, m[i], a.Stride[i])
	}
	return n.LanesAt(r, step, size), step
}

// reachOf is what a mask limits beside the domain.
func reachOf(n *values, mask *ir.Value, m affine.Axes) (r cursor.Reach) {
	if mask == nil {
		return r
	}
	y := n.G.Syms
	for _, a := range n.MaskLimits(mask, m) {
		if a.Dim == n.Inner() || n.holds(a) {
			continue
		}
		zero, size := y.Constant(0), int64(n.Shape.D[a.Dim])
		if a.Hi != nil && y.Min(a.Hi, y.Constant(size)) != y.Constant(size) {
			last := y.Max(zero, y.Add(a.Hi, y.Constant(-1)))
			if r.Last[a.Dim] != nil {
				last = y.Min(r.Last[a.Dim], last)
			}
			r.Last[a.Dim] = last
		}
		if a.Lo != nil && y.Max(a.Lo, zero) != zero {
			first := y.Min(y.Constant(size-1), a.Lo)
			if r.First[a.Dim] != nil {
				first = y.Max(r.First[a.Dim], first)
			}
			r.First[a.Dim] = first
		}
	}
	return r
}

// Load is the lanes of a Load in the block at hand.
func (n *values) Load(v *ir.Value, m affine.Axes) lane.Lanes {
	g := n.G
	if b, to := crossed(n, v, m); b != nil {
		return n.Read(b, to)
	}
	a := n.Access(v, m)
	mem := v.Memory()
	at, step := addressWithin(n, a, m, reachOf(n, mem.Mask, m))
	if !n.Varies(v, m) {
		return n.loadEqual(v, m, a, at)
	}
	mask, partial := n.LoadMask(mem.Mask, m)
	var x lane.Lanes
	if mask.Known && mask.Bits == 0 {
		return n.otherOf(v, m)
	}
	if a.Rows != nil && a.Rows.Turns > 0 {
		x = loadTurns(n, a, m, n.WithTail(mask))
	} else if step.R == 0 && step.N == int64(a.D.Size()) {
		n.prefetchRow(a, m)
		x = g.Load(a.D, at, n.WithTail(mask))
	} else {
		b := gather.Block{D: a.D, At: n.BlockStart(at, step), Step: step}
		x = gather.Strided(g.Builder, b, n.WithTail(mask), n.Tail != nil)
	}
	if partial && mem.Other != nil && !affine.IsZeros(mem.Other) { // it is zeros already
		x = g.Blend(mask, x, n.Eval(mem.Other, m))
	}
	return x
}

// LoadMask is the part of a mask that the domain does not ensure; partial reports whether there is any.
func (n *values) LoadMask(mask *ir.Value, m affine.Axes) (z lane.Lanes, partial bool) {
	if mask == nil {
		return lane.Const(dtype.Bool, 1), false
	}
	atoms, ok := n.MaskAtoms(mask, m)
	if !ok {
		return n.Eval(mask, m), true
	}
	key := n.KeyOf(mask, m)
	if z, ok = n.masks[key]; !ok {
		var dims uint
		for _, a := range atoms {
			dims |= 1 << a.Dim
		}
		n.At(n.LevelOf(dims), func() { z = n.inside(atoms) }) // ahead of whatever asks for it again
		n.masks[key] = z
	}
	return z, !z.Known || z.Bits == 0
}

// loadEqual is a load that gives the same element to all lanes of a block. Where it
// is masked off it does not touch memory.
func (n *values) loadEqual(v *ir.Value, m affine.Axes, a *tiles.Access, at lir.Arg) lane.Lanes {
	g := n.G
	mask, partial := n.LoadMask(v.Memory().Mask, m)
	if !partial {
		return g.LoadSplat(a.D, at)
	}
	other := lane.Const(a.D, 0)
	if o := v.Memory().Other; o != nil {
		other = n.Eval(o, m)
	}
	if a.D == dtype.Bool {
		return g.LoadEqualBool(mask, other, at)
	}
	z := lane.Lanes{D: a.D}
	r := g.NewVec()
	z.R = [2]lir.Reg{r, r}
	g.MoveVec(r, g.Reg(other, 0))
	skip := g.NewLabel()
	g.SkipUnlessAny(mask, skip)
	g.MoveVec(r, g.LoadSplat(a.D, at).R[0])
	g.Bind(skip)
	return z
}
