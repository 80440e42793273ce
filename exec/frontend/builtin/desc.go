package builtin

import (
	"go/token"
	"slices"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// scalarPointer reports a base that is not a pointer to one element.
func (c *Call) scalarPointer(base value.Value) bool {
	if !c.isPointer(base) {
		return false
	}
	if base.IR.Type.IsTile() {
		return c.holds(rule.NoSingleBase(base.Describe()))
	}
	return true
}

// lists reports whether arguments from i on are n lists.
func lists(c *Call, i, n int) bool {
	for k := i; k < i+n; k++ {
		if c.Args[k].Kind == value.NilKind {
			c.Args[k] = value.Value{Kind: value.ListKind}
		}
		if c.Args[k].Kind != value.ListKind {
			return false
		}
	}
	return true
}

func lowerMakeDesc(c *Call) value.Value {
	if !c.scalarPointer(c.Args[0]) || !lists(c, 1, 3) {
		return value.Bad
	}
	shape, strides, block := c.Args[1].List, c.Args[2].List, c.Args[3].List
	if !c.holds(rule.DescParts(len(shape), len(strides), len(block))) {
		return value.Bad
	}
	return makeDesc(c, value.DescKind, block, c.options(4).has("PadNaN"), 3, shape, strides)
}

func makeDesc(c *Call, k value.Kind, block []value.Value, nan bool, blockArg int, parts ...[]value.Value) value.Value {
	if len(block) == 0 {
		c.fail("no dimensions")
		return value.Bad
	}
	s, ok := c.shapeArg(block, blockArg)
	if !ok {
		return value.Bad
	}
	d := &value.Layout{N: s.N, Block: s.D, Nan: nan}
	if !c.holds(padding(d, c.Args[0])) {
		return value.Bad
	}
	z := value.Value{Kind: k, Desc: d, List: []value.Value{c.Args[0]}}
	for _, p := range parts {
		z.List = append(z.List, p...)
	}
	return z
}

// padding is what is wrong with NaN outside of a base's elements, nil if nothing is.
func padding(d *value.Layout, base value.Value) *diag.Diagnostic {
	if e := base.IR.Type.D.Elem(); d.Nan && !e.IsFloat() {
		return &diag.Diagnostic{Msg: "PadNaN for " + e.String()}
	}
	return nil
}

func lowerMakeBlockPtr(c *Call) value.Value {
	if !c.scalarPointer(c.Args[0]) || !lists(c, 1, 5) {
		return value.Bad
	}
	of := func(i int) int { return len(c.Args[i].List) }
	if !c.holds(rule.BlockParts(of(1), of(2), of(3), of(4), of(5))) {
		return value.Bad
	}
	return makeDesc(c, value.BlockPtrKind, c.Args[4].List, false, 4, c.Args[1].List, c.Args[2].List, c.Args[3].List)
}

// lowerAdvance is a block pointer moved by offsets.
func lowerAdvance(c *Call, b value.Value, off []value.Value) value.Value {
	if b.Kind != value.BlockPtrKind {
		return value.Bad
	}
	if !c.holds(rule.Offsets(len(off), b.Desc.N)) {
		return value.Bad
	}
	z := b
	z.List = append([]value.Value(nil), b.List...)
	for k, o := range off {
		z.DescAt()[k] = c.ScalarBinary(token.ADD, c.Where, z.DescAt()[k], o)
	}
	return z
}

// region is the pointers of a descriptor's block at a position, and the mask of those that
// lie inside along the axes that are checked; nil if none is.
func (c *Call) region(d value.Value, at []value.Value, check []bool) (ptrs value.Value, mask *ir.Value, ok bool) {
	if !c.holds(rule.Coordinates(len(at), d.Desc.N)) {
		return value.Bad, nil, false
	}
	base := d.DescBase()
	shape := ir.ShapeOf(d.Desc.Block[:d.Desc.N]...)
	if !c.checkSize(base.IR.Type.D, shape) {
		return value.Bad, nil, false
	}
	r := emit.Region{
		Base: base.IR, Block: d.Desc.Block[:d.Desc.N],
		At:   func(k int) *ir.Value { return c.ScalarValue(at[k]) },
		Size: func(k int) *ir.Value { return c.ScalarValue(d.DescShape()[k]) },
		Stride: func(k int) *ir.Value {
			if s := d.DescStrides()[k]; !s.IsInt(1) {
				return c.ScalarValue(s)
			}
			return nil
		},
	}
	ptr, mask := r.Addresses(c, check)
	return value.Pointer(ptr, base.Base), mask, true
}

// all is the axes of a descriptor, all of them checked.
func all(n int) []bool { return slices.Repeat([]bool{true}, n) }

func lowerDescLoad(c *Call) value.Value {
	if c.Recv.Kind != value.DescKind {
		return value.Bad
	}
	ptrs, mask, ok := c.region(c.Recv, c.Args, all(c.Recv.Desc.N))
	if !ok {
		return value.Bad
	}
	pad := emit.Padding(&c.Emitter, ptrs.IR.Type, c.Recv.Desc.Nan)
	return value.Tile(emit.Load(&c.Emitter, c.Name, ptrs.IR, mask, pad))
}

func lowerDescStore(c *Call) {
	if c.Recv.Kind != value.DescKind {
		return
	}
	if ptrs, mask, ok := c.region(c.Recv, c.Args[1:], all(c.Recv.Desc.N)); ok {
		c.store(ptrs.IR, mask, c.Args[0])
	}
}

func lowerDescPtrs(c *Call) []value.Value {
	if c.Recv.Kind != value.DescKind {
		return nil
	}
	ptrs, mask, ok := c.region(c.Recv, c.Args, all(c.Recv.Desc.N))
	if !ok {
		return nil
	}
	return []value.Value{ptrs, value.Tile(mask)}
}

// blockRegion is the lanes of a block pointer and what those outside read as, by the options
// of a call; pad is nil where they count as undefined.
func (c *Call) blockRegion(b value.Value, options []value.Value) (ptrs value.Value, mask, pad *ir.Value, ok bool) {
	if b.Kind != value.BlockPtrKind {
		return value.Bad, nil, nil, false
	}
	d := *b.Desc
	check, zero := make([]bool, d.N), false
	for _, o := range options {
		switch o.Str {
		case "BoundaryCheck":
			for _, a := range o.List {
				axis, ok := c.StaticInt(a, c.Where, "an axis to check")
				if !ok {
					return value.Bad, nil, nil, false
				}
				if !c.holds(rule.CheckedAxis(axis, d.N)) {
					return value.Bad, nil, nil, false
				}
				check[axis] = true
			}
		case "PadNaN":
			d.Nan = true
		case "PadZero":
			zero = true
		}
	}
	if !c.holds(padding(&d, b.DescBase())) {
		return value.Bad, nil, nil, false
	}
	ptrs, mask, ok = c.region(b, b.DescAt(), check)
	if ok && (d.Nan || zero) {
		pad = emit.Padding(&c.Emitter, ptrs.IR.Type, d.Nan)
	}
	return ptrs, mask, pad, ok
}

func lowerBlockLoad(c *Call) value.Value {
	ptrs, mask, pad, ok := c.blockRegion(c.Recv, c.Args)
	if !ok {
		return value.Bad
	}
	return value.Tile(emit.Load(&c.Emitter, c.Name, ptrs.IR, mask, pad))
}

func lowerBlockStore(c *Call) {
	if ptrs, mask, _, ok := c.blockRegion(c.Recv, c.Args[1:]); ok {
		c.store(ptrs.IR, mask, c.Args[0])
	}
}
