package nest

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Gathers and scatters: accesses whose addresses are not affine. They are compared with the tensor's bounds in vectors,
// and elements are copied one by one between the tensor and the access's copy: of a gather block by block, of a scatter
// when all addresses are known to be inside. Where a lane is outside, Go begins again and finds the first one. An
// affine access comes here only if something is wrong with it, and is left to Go: the code would be larger than
// that of the kernel.

// Exact carries v's access out between the tensor and the copy, lane by lane. What may be a gather or a scatter has a
// dense copy.
func (g *Nests) Exact(v *ir.Value, copy, apart int, turned bool) {
	x := tiles.Exact(v, copy)
	x.Apart, x.Turned = apart, turned
	if turned || !g.Forms.Of(v.Memory().Ptr).MayGather() && (apart != 1 || tiles.Boxed(&g.Memory, v.Memory().Mask)) {
		g.inGo(&x)
		return
	}
	carry := g.Scatter
	if v.Op == op.Load {
		carry = g.Gather
	}
	g.OrInGo(&x, func(other int) { carry(&x, other) }, func() {})
}

// OrInGo writes code that carries an access out, or goes to a label: there Go does all of it, behind what first does.
func (g *Nests) OrInGo(x *tiles.ExactAccess, carry func(other int), first func()) {
	other, done := g.NewLabel(), g.NewLabel()
	carry(other)
	g.Jump(asm.JMP, done)
	g.BindCold(other)
	g.InCold(func() {
		first()
		g.inGo(x)
	})
	g.Bind(done)
}

// inGo puts the offsets and the mask of all lanes into memory, and leaves the access to Go.
func (g *Nests) inGo(x *tiles.ExactAccess) {
	mem := x.V.Memory()
	x.Offsets = g.Spill(mem.Ptr).Off
	if mem.Mask != nil {
		x.Mask = g.Spill(mem.Mask).Off
	}
	g.CallOut(g.Helper(x.Run))
}

// Gathered is the box around a gather's mask, outside of which its copy holds anything.
func (n *values) Gathered(v *ir.Value) []affine.Atom {
	if mask := v.Memory().Mask; mask != nil {
		return n.MaskLimits(mask, affine.Identity(n.Shape))
	}
	return nil
}
