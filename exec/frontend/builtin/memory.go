package builtin

import (
	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// isPointer reports what is not a pointer tile where one is wanted.
func (c *Call) isPointer(x value.Value) bool {
	return x.Kind == value.TileKind && c.holds(x.IR.Type.IsPointer())
}

// valueFor is a tile or Go scalar, cast to elements of type d.
func (c *Call) valueFor(d dtype.DType, v value.Value) *ir.Value {
	if !c.operand(v) {
		return nil
	}
	if v.Kind == value.ScalarKind {
		return c.element(d, v)
	}
	if !c.notPointer(v) {
		return nil
	}
	return emit.Cast(&c.Emitter, v.IR, d)
}

// options are those among arguments.
type options []value.Value

// options are those among the arguments from i on.
func (c *Call) options(i int) options { return c.Args[i:] }

// last is what the last option of a name says.
func (os options) last(name string) (v value.Value, ok bool) {
	for _, o := range os {
		if o.Kind == value.OptionKind && o.Str == name {
			v, ok = o, true
		}
	}
	if ok && len(v.List) > 0 {
		return v.List[0], true
	}
	return v, ok
}

// has reports whether there is an option of a name.
func (os options) has(name string) bool {
	_, ok := os.last(name)
	return ok
}

// flag sets a flag of v if there is an option of a name.
func (os options) flag(v *ir.Value, name string, f ir.Flags) {
	if os.has(name) {
		v.Flags |= f
	}
}

func lowerLoad(c *Call) value.Value {
	p := c.Args[0]
	if !c.isPointer(p) {
		return value.Bad
	}
	xs := []*ir.Value{p.IR}
	mask, masked := c.options(1).last("Mask")
	other, filled := c.options(1).last("Other")
	if filled && !masked {
		c.holds(rule.OtherAlone(p.IR.Type))
		return value.Bad
	}
	if masked {
		m := c.condition("mask", mask)
		if m == nil {
			return value.Bad
		}
		xs = append(xs, m)
	}
	if filled {
		fill := c.valueFor(p.IR.Type.D.Elem(), other)
		if fill == nil {
			return value.Bad
		}
		xs = append(xs, fill)
	}
	shape, ok := c.shapeOf(xs...)
	if !ok {
		return value.Bad
	}
	for i, x := range xs {
		xs[i] = emit.Broadcast(&c.Emitter, x, shape)
	}
	return value.Tile(emit.Load(&c.Emitter, c.Name, xs[0], at(xs, 1), at(xs, 2)))
}

func at(xs []*ir.Value, i int) *ir.Value {
	if i < len(xs) {
		return xs[i]
	}
	return nil
}

// spread is a value or mask in the shape of what it goes with, which it must not
// enlarge.
func (c *Call) spread(what string, x, ptr *ir.Value) *ir.Value {
	if !c.holds(x.Type.GoesTo(what, ptr.Type)) {
		return nil
	}
	return emit.Broadcast(&c.Emitter, x, ptr.Type.Shape)
}

// maskFor is the Mask option in the shape of pointers; ok is false if it is wrong.
func (c *Call) maskFor(ptr *ir.Value, first int) (mask *ir.Value, ok bool) {
	m, given := c.options(first).last("Mask")
	if !given {
		return nil, true
	}
	mask = c.condition("mask", m)
	if mask == nil {
		return nil, false
	}
	mask = c.spread("mask", mask, ptr)
	return mask, mask != nil
}

func lowerStore(c *Call) {
	if p := c.Args[0]; c.isPointer(p) {
		if mask, ok := c.maskFor(p.IR, 2); ok {
			c.store(p.IR, mask, c.Args[1])
		}
	}
}

// store writes v through pointers.
func (c *Call) store(ptr, mask *ir.Value, v value.Value) {
	if x := c.stored(ptr, v); x != nil {
		emit.Store(&c.Emitter, c.Name, ptr, mask, x)
	}
}

// stored is a value for each pointer.
func (c *Call) stored(ptr *ir.Value, v value.Value) *ir.Value {
	x := c.valueFor(ptr.Type.D.Elem(), v)
	if x == nil {
		return nil
	}
	return c.spread("value", x, ptr)
}

func lowerAtomic(c *Call, o op.Op) value.Value {
	p := c.Args[0]
	if !c.isPointer(p) || !c.holds(rule.AtomicOn(o, p.IR.Type)) {
		return value.Bad
	}
	mask, ok := c.maskFor(p.IR, 2)
	x := c.stored(p.IR, c.Args[1])
	if !ok || x == nil {
		return value.Bad
	}
	return value.Tile(emit.Atomic(&c.Emitter, o, c.Name, p.IR, mask, x))
}

func lowerAtomicCAS(c *Call) value.Value {
	p := c.Args[0]
	if !c.isPointer(p) || !c.holds(rule.AtomicOn(op.AtomicCAS, p.IR.Type)) {
		return value.Bad
	}
	cmp, x := c.stored(p.IR, c.Args[1]), c.stored(p.IR, c.Args[2])
	if cmp == nil || x == nil {
		return value.Bad
	}
	return value.Tile(emit.Atomic(&c.Emitter, op.AtomicCAS, c.Name, p.IR, nil, cmp, x))
}
