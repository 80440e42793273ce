package portable

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/lanes"
	"github.com/tiler-go/tiler/exec/portable/run"
	"github.com/tiler-go/tiler/tilelang/op"
)

// lowerElementwise lowers an op on lanes: on registers, in the form of an index or a box
// where operands and op allow, else as part of a group.
func lowerElementwise(c *compiler, v *ir.Value) {
	switch {
	case allRegs(c, v):
		lowerScalar(c, v)
	case lowerIndex(c, v), lowerBox(c, v):
	case v.CanFail():
		c.define(v)
		c.elsewise(v, run.ZeroReg)
	default:
		c.fuse(v)
	}
	if v.Op == op.Where && v.Type.D.IsPointer() && c.place(v.Args[1]).Base != c.place(v.Args[2]).Base {
		c.refuse(v, "a choice between pointers into different tensors")
	}
}

// allRegs reports whether v is computed from scalars and copies of scalars only.
func allRegs(c *compiler, v *ir.Value) bool {
	return !slices.ContainsFunc(v.Args, func(a *ir.Value) bool { return c.place(a).Reg < 0 })
}

// baseReg is the register that says which parameter v points into, if it is a pointer. A
// result of v has that of an operand.
func (c *compiler) baseReg(v *ir.Value) int {
	switch {
	case !v.Type.D.IsPointer():
		return run.ZeroReg
	case v.Op == ir.Param:
		return c.ConstReg(uint64(v.Index))
	}
	for _, a := range v.Args {
		if a.Type.D.IsPointer() {
			return c.place(a).Base
		}
	}
	return c.Reg()
}

// exactly plans the step that computes all elements of v, and checks the divisor of an integer division.
func (c *compiler) exactly(v *ir.Value) *run.Sweep {
	s := c.sweep([]*ir.Value{v}, true)
	if !v.CanFail() {
		return s
	}
	s.V, s.Divisor = v, c.feed(c.place(v.Args[1]), v.Type.Shape)
	if !s.Divisor.Direct {
		s.Divisor.Slot = s.Lanes.Slots
		c.Lanes.AtLeast(s.Lanes.Slots + 1)
		s.Step = min(s.Step, lanes.Chunk)
	}
	return s
}
