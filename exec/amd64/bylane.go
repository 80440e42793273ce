package amd64

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Gathers and scatters: accesses whose addresses are not affine. The addresses and the mask of all
// lanes are put into memory, where nothing else can change them, and are compared with the tensor's
// bounds on the way. Then elements are copied one by one between the tensor and the access's copy.
// Where a lane lies outside, Go finds the first one. An affine access comes here only if something
// is wrong with it, and is left to Go: the code would be larger than that of the kernel.

// exact carries v's access out between the tensor and the copy, lane by lane.
func (g *gen) exact(v *ir.Value, copy int, turned bool) {
	mem := v.Memory()
	x := exactAccess{v: v, copy: copy, turned: turned, mask: -1, shape: mem.Ptr.Type.Shape, d: mem.Ptr.Type.D.Elem(), tensor: fuse.TensorOf(mem.Ptr)}
	if x.tensor < 0 {
		unsupported("a pointer that may point into several tensors")
	}
	if turned || !mayGather(g.forms.Of(mem.Ptr)) {
		x.offsets = g.spill(mem.Ptr).off
		if mem.Mask != nil {
			x.mask = g.spill(mem.Mask).off
		}
		g.CallOut(g.helper(x.run))
		return
	}
	outside := g.addresses(&x)
	inside, inGo, done := g.NewLabel(), g.NewLabel(), g.NewLabel()
	g.SkipUnlessAny(outside, inside)
	g.Bind(inGo)
	g.CallOut(g.helper(x.run))
	g.Jump(asm.JMP, done)
	g.Bind(inside)
	if v.Writes() { // a view with gaps needs the test of each element
		g.Use(asm.CMP, lir.Frame(argOffset(x.tensor)+argGaps).Sized(8), lir.Imm(0))
		g.Jump(asm.JNE, inGo)
	}
	g.copyLanes(&x)
	g.Bind(done)
}

// mayGather reports whether addresses are no form, or only as long as a remainder leaves them as they are.
func mayGather(f *affine.Form) bool {
	return !f.Ok || f.Base < 0 || slices.ContainsFunc(f.Conds, func(c affine.Cond) bool { return c.Below != nil })
}

// addresses puts the offsets and the mask of all lanes into memory. The mask that it gives holds in
// some lane if there is an active lane outside of the tensor.
func (g *gen) addresses(x *exactAccess) lane.Lanes {
	mem := x.v.Memory()
	offsets := g.newBuffer(ir.Type{D: dtype.Int64, Shape: x.shape})
	x.offsets = offsets.off
	var mask *buffer
	if mem.Mask != nil {
		mask = g.newBuffer(mem.Mask.Type)
		x.mask = mask.off
	}
	d := dtype.Int64
	last := g.LoadInt(lir.Frame(argOffset(x.tensor) + argSpan))
	g.RMW(asm.SUB, g.R64(last), lir.Imm(1))
	greatest := g.SplatInt(d, last)
	// An offset outside, or how far one is from the last, is negative: signs are collected.
	signs := g.Variable(lane.Const(d, 0))
	n, m := g.newNest(x.shape), affine.Identity(x.shape)
	n.run(func() {
		off := n.eval(mem.Ptr, m).As(d)
		n.write(offsets, m, off)
		on := lane.Const(dtype.Bool, 1)
		if mask != nil {
			on = n.eval(mem.Mask, m)
			n.write(mask, m, on)
		}
		sign := g.Prim(op.Or, d, off, g.Prim(op.Sub, d, greatest, off))
		if active := n.withTail(on); active != nil {
			sign = g.Blend(*active, sign, lane.Const(d, 0))
		}
		g.Assign(signs, g.Prim(op.Or, d, signs, sign))
	})
	return g.Compare(op.Lt, d, signs, lane.Const(d, 0))
}

// copyLanes copies the elements of active lanes, all of them inside, in order. Where a lane is masked
// off, a load gives 0: its element comes from, or goes to, a cell of the frame.
func (g *gen) copyLanes(x *exactAccess) {
	g.whereAll(x, func(all bool) {
		nowhere := g.NewReg(lir.GPR)
		if !all {
			cell := g.Alloc(8)
			g.Use(asm.MOV, lir.Frame(cell).Sized(8), lir.Imm(0))
			g.Def(asm.LEA, g.R64(nowhere), lir.Frame(cell))
		}
		size := x.d.Size()
		tensor := g.LoadInt(lir.Frame(argOffset(x.tensor)))
		g.eachLane(x.shape.Len(), func(l lanePlace) {
			from := g.LoadInt(l.of(8, x.offsets))
			at := lir.MemIndex(tensor, from, size, 0)
			if !all {
				r := g.NewReg(lir.GPR)
				g.Def(asm.LEA, g.R64(r), at)
				g.Use(asm.CMP, l.of(1, x.mask).Sized(1), lir.Imm(0))
				g.RMW(asm.CMOVE, g.R64(r), g.R64(nowhere))
				at = lir.Mem(r, 0)
			}
			to, r := l.of(size, x.copy), g.NewReg(lir.GPR)
			if x.v.Op == op.Store {
				at, to = to, at
			}
			g.CopyElement(size, r, to, at)
		})
	})
}

// A lanePlace is a lane: so many behind one whose number is in a register.
type lanePlace struct {
	from lir.Reg
	plus int
}

// of is where its cell is in memory of the frame.
func (l lanePlace) of(cell, off int) lir.Arg { return lir.FrameIndex(l.from, cell, off+l.plus*cell) }

// eachLane writes a loop over n lanes, several in a round.
func (g *gen) eachLane(n int, body func(l lanePlace)) {
	unroll := 1
	for unroll < 8 && n%(2*unroll) == 0 {
		unroll *= 2
	}
	g.UpTo(n, unroll, func(j lir.Reg) {
		for i := range unroll {
			body(lanePlace{j, i})
		}
	})
}

// whereAll writes code twice where a mask is a box: for when it lets all lanes through, and for when it does not.
func (g *gen) whereAll(x *exactAccess, f func(all bool)) {
	if x.mask < 0 {
		f(true)
		return
	}
	b := g.boxes.Of(x.v.Memory().Mask)
	if !b.Ok || !g.require(b.Conds) {
		f(false)
		return
	}
	some, done := g.NewLabel(), g.NewLabel()
	for _, a := range b.Atoms { // their scalars are on every way
		for _, limit := range []*affine.Sym{a.Lo, a.Hi} {
			if limit != nil {
				g.symReg(limit)
			}
		}
	}
	for _, a := range b.Atoms {
		if a.Hi != nil {
			g.Use(asm.CMP, g.R64(g.symReg(a.Hi)), lir.Imm(int64(x.shape.D[a.Dim])))
			g.Jump(asm.JL, some)
		}
		if a.Lo != nil {
			g.Use(asm.CMP, g.R64(g.symReg(a.Lo)), lir.Imm(0))
			g.Jump(asm.JG, some)
		}
	}
	f(true)
	g.Jump(asm.JMP, done)
	g.Bind(some)
	f(false)
	g.Bind(done)
}
