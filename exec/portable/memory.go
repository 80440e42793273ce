package portable

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/run"
)

// access plans v's addresses and mask.
func (c *compiler) access(v *ir.Value) *run.Access {
	m := v.Memory()
	ptr, mask := c.needed(m.Ptr), (*run.Form)(nil)
	if m.Mask != nil {
		mask = c.needed(m.Mask)
	}
	return c.Builder.Access(v, ptr, mask)
}

// lowerLoad reads what pointers point to. Lanes that the mask excludes are other, or 0.
func lowerLoad(c *compiler, v *ir.Value) {
	if !v.Type.IsTile() {
		lowerScalarLoad(c, v)
		return
	}
	a, other := c.access(v), (*run.Feed)(nil)
	if m := v.Memory(); m.Other != nil {
		other = c.feed(c.place(m.Other), v.Type.Shape)
	}
	z := c.define(v).Buf
	c.Store.Write(z, 0)
	c.Emit(a.Load(z, other))
}

func lowerScalarLoad(c *compiler, v *ir.Value) {
	m := v.Memory()
	mask, other := c.regOr(m.Mask, run.OneReg), c.regOr(m.Other, run.ZeroReg)
	c.Emit(run.LoadScalar(v, &c.place(m.Ptr).Form, mask, other, c.inReg(v).Reg))
}

// lowerStore writes a value through pointers, lanes in row-major order.
func lowerStore(c *compiler, v *ir.Value) {
	m := v.Memory()
	if !m.Ptr.Type.IsTile() {
		lowerScalarStore(c, v)
		return
	}
	a := c.access(v)
	val := c.place(m.Val)
	if val.IsSplat() { // one element, repeated
		t := val.Type
		val = c.copied(v, c.view(val, ir.Shape{}, [ir.MaxRank]int{}))
		val.Type = t
	} else {
		val = c.solid(v, val)
	}
	c.Emit(a.Store(&val.Form, c.slotted(val, m.Ptr.Type.Shape, 2)))
}

func lowerScalarStore(c *compiler, v *ir.Value) {
	m := v.Memory()
	c.Emit(run.StoreScalar(v, &c.place(m.Ptr).Form, c.regOr(m.Mask, run.OneReg), c.place(m.Val).Reg))
}

// regOr is the register of a scalar, or another where there is none.
func (c *compiler) regOr(v *ir.Value, none int) int {
	if v == nil {
		return none
	}
	return c.place(v).Reg
}
