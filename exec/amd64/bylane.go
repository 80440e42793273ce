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
	n, size := x.shape.Len(), x.d.Size()
	tensor := g.LoadInt(lir.Frame(argOffset(x.tensor)))
	nowhere := g.NewReg(lir.GPR)
	if x.mask >= 0 {
		cell := g.Alloc(8)
		g.Use(asm.MOV, lir.Frame(cell).Sized(8), lir.Imm(0))
		g.Def(asm.LEA, g.R64(nowhere), lir.Frame(cell))
	}
	unroll := 1
	for unroll < 8 && n%(2*unroll) == 0 {
		unroll *= 2
	}
	g.UpTo(n, unroll, func(j lir.Reg) {
		for i := range unroll {
			at := g.LoadInt(lir.FrameIndex(j, 8, x.offsets+8*i))
			g.Def(asm.LEA, g.R64(at), lir.MemIndex(tensor, at, size, 0))
			if x.mask >= 0 {
				g.Use(asm.CMP, lir.FrameIndex(j, 1, x.mask+i).Sized(1), lir.Imm(0))
				g.RMW(asm.CMOVE, g.R64(at), g.R64(nowhere))
			}
			r, cell := g.NewReg(lir.GPR), lir.FrameIndex(j, size, x.copy+i*size)
			if x.v.Op == op.Store {
				g.CopyElement(size, r, lir.Mem(at, 0), cell)
			} else {
				g.CopyElement(size, r, cell, lir.Mem(at, 0))
			}
		}
	})
}
