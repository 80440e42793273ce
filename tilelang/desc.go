package tilelang

import (
	"math"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/rule"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// A Desc describes a tensor in memory, and a block shape in which to read and
// write it. What of a block lies outside the tensor reads as 0 (or NaN) and is not
// written: no masks are needed.
type Desc struct{ d *desc }

type desc struct {
	base           *node
	shape, strides shape.Shape
	block          shape.Shape
	nan            bool
}

// MakeDesc describes the tensor of the given shape and strides (in elements) that
// begins at base, read and written in blocks.
func MakeDesc(base Ptr, shape, strides, block []int, o ...DescOption) Desc {
	const name = "tl.MakeDesc"
	d := &desc{base: scalarPointer(name, base)}
	must(name, rule.DescParts(len(shape), len(strides), len(block)))
	d.block = shapeArg(name, block)
	d.shape, d.strides = numbers(shape), numbers(strides)
	for _, o := range o {
		if _, ok := o.(padNaN); ok {
			d.nan = true
		}
	}
	d.refuseNaN(name)
	return Desc{d}
}

func (d *desc) refuseNaN(name string) {
	if d.nan && !d.base.dt.Elem().IsFloat() {
		fault(name, "PadNaN for %s, which has no NaN", d.base).Fix("remove it: elements outside are 0").raise()
	}
}

// scalarPointer is a pointer to one element: a tensor parameter, possibly moved.
func scalarPointer(name string, base Ptr) *node {
	p := pointer(name, base)
	if p.shape.N != 0 {
		must(name, rule.NoSingleBase(p.String()))
	}
	return p
}

// storeValue writes v to the lanes of a region.
func (a *access) storeValue(v any) {
	a.writes = true
	a.store(valueFor(a.name, a.ptr.dt.Elem(), v))
}

// region is the lanes of a block at a position, and which of them lie inside the
// tensor along the axes that are checked (nil: all).
func (d *desc) region(name string, at []int, check []bool) *access {
	must(name, rule.Coordinates(len(at), d.shape.N))
	d.base.base.poll()
	a := &access{name: name, ptr: d.pointers(name, at), shape: d.block}
	var lo, hi shape.Shape // the block's indices that lie inside
	all := true
	for k, n := range d.block.D[:d.block.N] {
		hi.D[k] = n
		if check == nil || check[k] {
			lo.D[k], hi.D[k] = inside(at[k], d.shape.D[k], n)
		}
		all = all && lo.D[k] == 0 && hi.D[k] == n
	}
	if !all {
		a.mask = box(name, d.block, lo, hi)
	}
	return a
}

// pointers is where the block's elements lie, or would.
func (d *desc) pointers(name string, at []int) *node {
	f := formula{int64(d.base.first()), d.strides}
	m := f.magnitude(d.block)
	for k, x := range at {
		m += math.Abs(float64(x)) * math.Abs(float64(d.strides.D[k]))
		f.start += int64(x) * int64(d.strides.D[k])
	}
	ptr := newAffine(d.base.dt, d.block, f.start, d.strides, d.base.base)
	if m <= exact {
		return ptr
	}
	// Far outside, where offsets wrap: index by index.
	z := newNode(name, d.base.dt, d.block)
	z.base = d.base.base
	ramp(z.buf, f.start, d.block, d.strides, 0)
	return z
}

// inside is the range of a block's indices along an axis that lie in a tensor of size
// elements, for a block of n elements at position at.
func inside(at, size, n int) (lo, hi int) {
	switch {
	case size <= 0 || at >= size || at <= -n:
		return 0, 0
	case at <= size-n:
		return max(0, -at), n
	}
	return max(0, -at), size - at
}

// box is the mask of the lanes with lo <= index < hi on every axis.
func box(name string, shape, lo, hi shape.Shape) *node {
	z := newNode(name, Bool, shape)
	on, last := dtype.View[uint8](z.buf), shape.N-1
	outer := shape
	outer.D[last] = 1
	width := shape.D[last]
rows:
	for r := range outer.Len() {
		at := outer.Place(r)
		for k, i := range at.D[:last] {
			if i < lo.D[k] || i >= hi.D[k] {
				continue rows
			}
		}
		setTrue(on[r*width+lo.D[last] : r*width+hi.D[last]])
	}
	return z
}

// padding is what lanes outside read as.
func (d *desc) padding(name string) *node {
	if d.nan {
		return literal(name, d.base.dt.Elem(), nan(), cast)
	}
	return newScalar(d.base.dt.Elem(), 0)
}

func (d Desc) desc(name string) *desc {
	if d.d == nil {
		fault(name, "an uninitialized Desc").Fix("make it with tl.MakeDesc").raise()
	}
	return d.d
}

// Load is the block at a position.
func (d Desc) Load(at ...int) Tile {
	const name = "Desc.Load"
	x := d.desc(name)
	return tile(x.region(name, at, nil).load(x.padding(name)))
}

// Store writes the block at a position; v is cast and broadcast as by tl.Store.
func (d Desc) Store(v any, at ...int) {
	const name = "Desc.Store"
	x := d.desc(name)
	x.region(name, at, nil).storeValue(v)
}

// Ptrs is the pointers of the block at a position and the mask of those inside, for
// operations that Desc has no method for, such as atomics:
// tl.AtomicAdd(ptrs, v, tl.Mask(mask)).
func (d Desc) Ptrs(at ...int) (ptrs Ptr, mask Tile) {
	const name = "Desc.Ptrs"
	a := d.desc(name).region(name, at, nil)
	return tile(a.ptr), tile(a.mask)
}

// A BlockPtr is a position in a tensor in memory: an older form of Desc, moved with
// Advance and told at each load and store which axes to check.
type BlockPtr struct {
	d  *desc
	at shape.Shape
}

// numbers is one number per axis, where the name of package shape means a parameter.
func numbers(ns []int) shape.Shape { return shape.Of(ns...) }

// MakeBlockPtr points to the block at offsets of the tensor of the given shape and
// strides that begins at base. order, the order of axes in memory, is a hint.
func MakeBlockPtr(base Ptr, shape, strides, offsets, block, order []int) BlockPtr {
	const name = "tl.MakeBlockPtr"
	b := scalarPointer(name, base)
	must(name, rule.BlockParts(len(shape), len(strides), len(offsets), len(block), len(order)))
	return BlockPtr{&desc{base: b, block: shapeArg(name, block), shape: numbers(shape), strides: numbers(strides)}, numbers(offsets)}
}

// Advance is the block pointer moved by off along each axis.
func (b BlockPtr) Advance(off ...int) BlockPtr {
	const name = "BlockPtr.Advance"
	b.desc(name)
	must(name, rule.Offsets(len(off), b.at.N))
	for i, o := range off {
		b.at.D[i] += o
	}
	return b
}

// Advance is b.Advance(off...) as a function.
func Advance(b BlockPtr, off ...int) BlockPtr { return b.Advance(off...) }

func (b BlockPtr) desc(name string) *desc {
	if b.d == nil {
		fault(name, "an uninitialized BlockPtr").Fix("make it with tl.MakeBlockPtr").raise()
	}
	return b.d
}

// region is the block's lanes; lanes outside along an axis that is not checked
// count as inside, and must be.
func (b BlockPtr) region(name string, o []BlockOption) (a *access, pad *node) {
	d := *b.desc(name)
	check := make([]bool, d.shape.N)
	zero := false
	for _, o := range o {
		switch o := o.(type) {
		case CheckOption:
			for _, axis := range o.axes {
				must(name, rule.CheckedAxis(axis, d.shape.N))
				check[axis] = true
			}
		case padNaN:
			d.nan = true
		case padZero:
			zero = true
		}
	}
	d.refuseNaN(name)
	if d.nan || zero {
		pad = d.padding(name)
	}
	return d.region(name, b.at.Dims(), check), pad
}

// Load is the block. Lanes outside along checked axes are 0 or, with PadNaN, NaN;
// without PadZero or PadNaN they count as undefined.
func (b BlockPtr) Load(o ...BlockOption) Tile {
	a, pad := b.region("BlockPtr.Load", o)
	return tile(a.load(pad))
}

// Store writes the block, but for lanes outside along checked axes.
func (b BlockPtr) Store(v any, o ...BlockOption) {
	const name = "BlockPtr.Store"
	a, _ := b.region(name, o)
	a.storeValue(v)
}
