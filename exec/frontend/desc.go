package frontend

import (
	"go/token"
	"slices"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// A descriptor or block pointer is taken apart while compiling: what is left at run
// time is its base and the numbers that are not known. Its parts are the base, n
// sizes, n strides and, of a block pointer, n offsets.

func (v value) descBase() value      { return v.list[0] }
func (v value) descShape() []value   { return v.list[1 : 1+v.desc.n] }
func (v value) descStrides() []value { return v.list[1+v.desc.n : 1+2*v.desc.n] }
func (v value) descAt() []value      { return v.list[1+2*v.desc.n:] }

// scalarPointer reports a base that is not a pointer to one element.
func (c *call) scalarPointer(base value) bool {
	if !c.isPointer(base) {
		return false
	}
	if base.v.Type.IsTile() {
		return c.holds(rule.NoSingleBase(base.describe()))
	}
	return true
}

// lists reports whether arguments from i on are n lists.
func lists(c *call, i, n int) bool {
	for k := i; k < i+n; k++ {
		if c.args[k].kind == nilKind {
			c.args[k] = value{kind: listKind}
		}
		if c.args[k].kind != listKind {
			return false
		}
	}
	return true
}

func lowerMakeDesc(c *call) value {
	if !c.scalarPointer(c.args[0]) || !lists(c, 1, 3) {
		return bad
	}
	shape, strides, block := c.args[1].list, c.args[2].list, c.args[3].list
	if !c.holds(rule.DescParts(len(shape), len(strides), len(block))) {
		return bad
	}
	return makeDesc(c, descKind, block, c.options(4).has("PadNaN"), 3, shape, strides)
}

func makeDesc(c *call, k kind, block []value, nan bool, blockArg int, parts ...[]value) value {
	if len(block) == 0 {
		c.fail("no dimensions")
		return bad
	}
	s, ok := c.shapeArg(block, blockArg)
	if !ok {
		return bad
	}
	d := &layout{n: s.N, block: s.D, nan: nan}
	if !c.holds(d.padding(c.args[0])) {
		return bad
	}
	z := value{kind: k, desc: d, list: []value{c.args[0]}}
	for _, p := range parts {
		z.list = append(z.list, p...)
	}
	return z
}

// padding is what is wrong with NaN outside of a base's elements, nil if nothing is.
func (d *layout) padding(base value) *diag.Diagnostic {
	if e := base.v.Type.D.Elem(); d.nan && !e.IsFloat() {
		return &diag.Diagnostic{Msg: "PadNaN for " + e.String()}
	}
	return nil
}

func lowerMakeBlockPtr(c *call) value {
	if !c.scalarPointer(c.args[0]) || !lists(c, 1, 5) {
		return bad
	}
	of := func(i int) int { return len(c.args[i].list) }
	if !c.holds(rule.BlockParts(of(1), of(2), of(3), of(4), of(5))) {
		return bad
	}
	return makeDesc(c, blockPtrKind, c.args[4].list, false, 4, c.args[1].list, c.args[2].list, c.args[3].list)
}

// lowerAdvance is a block pointer moved by offsets.
func lowerAdvance(c *call, b value, off []value) value {
	if b.kind != blockPtrKind {
		return bad
	}
	if !c.holds(rule.Offsets(len(off), b.desc.n)) {
		return bad
	}
	z := b
	z.list = append([]value(nil), b.list...)
	for k, o := range off {
		z.descAt()[k] = c.scalarBinary(token.ADD, c.p, z.descAt()[k], o)
	}
	return z
}

// region is the pointers of a descriptor's block at a position, and the mask of those that
// lie inside along the axes that are checked; nil if none is.
func (d value) region(c *call, at []value, check []bool) (ptrs value, mask *ir.Value, ok bool) {
	if !c.holds(rule.Coordinates(len(at), d.desc.n)) {
		return bad, nil, false
	}
	base := d.descBase()
	shape := ir.ShapeOf(d.desc.block[:d.desc.n]...)
	if !c.checkSize(base.v.Type.D, shape) {
		return bad, nil, false
	}
	r := emit.Region{
		Base: base.v, Block: d.desc.block[:d.desc.n],
		At:   func(k int) *ir.Value { return c.scalarValue(at[k]) },
		Size: func(k int) *ir.Value { return c.scalarValue(d.descShape()[k]) },
		Stride: func(k int) *ir.Value {
			if s := d.descStrides()[k]; !s.isInt(1) {
				return c.scalarValue(s)
			}
			return nil
		},
	}
	ptr, mask := r.Addresses(c, check)
	return pointerTo(ptr, base.base), mask, true
}

// all is the axes of a descriptor, all of them checked.
func all(n int) []bool { return slices.Repeat([]bool{true}, n) }

func lowerDescLoad(c *call) value {
	if c.recv.kind != descKind {
		return bad
	}
	ptrs, mask, ok := c.recv.region(c, c.args, all(c.recv.desc.n))
	if !ok {
		return bad
	}
	return tileOf(emit.Load(c, c.name, ptrs.v, mask, emit.Padding(c, ptrs.v.Type, c.recv.desc.nan)))
}

func lowerDescStore(c *call) {
	if c.recv.kind != descKind {
		return
	}
	if ptrs, mask, ok := c.recv.region(c, c.args[1:], all(c.recv.desc.n)); ok {
		c.store(ptrs.v, mask, c.args[0])
	}
}

func lowerDescPtrs(c *call) []value {
	if c.recv.kind != descKind {
		return nil
	}
	ptrs, mask, ok := c.recv.region(c, c.args, all(c.recv.desc.n))
	if !ok {
		return nil
	}
	return []value{ptrs, tileOf(mask)}
}

// blockRegion is the lanes of a block pointer and what those outside read as, by the options
// of a call; pad is nil where they count as undefined.
func (b value) blockRegion(c *call, options []value) (ptrs value, mask, pad *ir.Value, ok bool) {
	if b.kind != blockPtrKind {
		return bad, nil, nil, false
	}
	d := *b.desc
	check, zero := make([]bool, d.n), false
	for _, o := range options {
		switch o.s {
		case "BoundaryCheck":
			for _, a := range o.list {
				axis, ok := c.staticInt(a, c.p, "an axis to check")
				if !ok {
					return bad, nil, nil, false
				}
				if !c.holds(rule.CheckedAxis(axis, d.n)) {
					return bad, nil, nil, false
				}
				check[axis] = true
			}
		case "PadNaN":
			d.nan = true
		case "PadZero":
			zero = true
		}
	}
	if !c.holds(d.padding(b.descBase())) {
		return bad, nil, nil, false
	}
	ptrs, mask, ok = b.region(c, b.descAt(), check)
	if ok && (d.nan || zero) {
		pad = emit.Padding(c, ptrs.v.Type, d.nan)
	}
	return ptrs, mask, pad, ok
}

func lowerBlockLoad(c *call) value {
	ptrs, mask, pad, ok := c.recv.blockRegion(c, c.args)
	if !ok {
		return bad
	}
	return tileOf(emit.Load(c, c.name, ptrs.v, mask, pad))
}

func lowerBlockStore(c *call) {
	if ptrs, mask, _, ok := c.recv.blockRegion(c, c.args[1:]); ok {
		c.store(ptrs.v, mask, c.args[0])
	}
}
