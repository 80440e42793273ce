package tilelang

import (
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A Desc describes a tensor in memory, and a block shape in which to read and
// write it. What of a block lies outside the tensor reads as 0 (or NaN) and is not
// written: no masks are needed.
type Desc struct{ d *desc }

type desc struct {
	base           *node
	shape, strides dims
	block          dims
	nan            bool
}

// MakeDesc describes the tensor of the given shape and strides (in elements) that
// begins at base, read and written in blocks.
func MakeDesc(base Ptr, shape, strides, block []int, o ...DescOption) Desc {
	const name = "tl.MakeDesc"
	d := &desc{base: scalarPointer(name, base)}
	if len(shape) != len(strides) || len(shape) != len(block) {
		fail(name, "%d sizes, %d strides and a block of %d dimensions", len(shape), len(strides), len(block))
	}
	if len(shape) == 0 {
		fail(name, "no dimensions")
	}
	d.block = shapeArg(name, block)
	d.shape, d.strides = dimsOf(shape), dimsOf(strides)
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
		fail(name, "PadNaN for %s", d.base.dt.Elem())
	}
}

// scalarPointer is a pointer to one element: a tensor parameter, possibly moved.
func scalarPointer(name string, base Ptr) *node {
	p := pointer(name, base)
	if p.shape.n != 0 {
		fault(name, "the base is %s, want a single pointer", p).Fix("pass the tensor parameter itself").raise()
	}
	return p
}

// region is the lanes of a block at a position, and which of them lie inside the
// tensor along the axes that are checked (nil: all).
func (d *desc) region(name string, at []int, check []bool) *access {
	if len(at) != d.shape.n {
		fail(name, "%d coordinates for a tensor of %d dimensions", len(at), d.shape.n)
	}
	ptr := newNode(name, d.base.dt, d.block)
	ptr.base = d.base.base
	mask := newNode(name, Bool, d.block)
	offs, on := dtype.View[int64](ptr.buf), dtype.View[uint8](mask.buf)
	start := int64(d.base.first())
	var index [MaxRank]int
	for i := range offs {
		off, inside := start, uint8(1)
		for k := range d.shape.n {
			x := at[k] + index[k]
			off += int64(x) * int64(d.strides.d[k])
			if (check == nil || check[k]) && (x < 0 || x >= d.shape.d[k]) {
				inside = 0
			}
		}
		offs[i], on[i] = off, inside
		for k := d.shape.n - 1; k >= 0; k-- {
			index[k]++
			if index[k] < d.block.d[k] {
				break
			}
			index[k] = 0
		}
	}
	return &access{name: name, ptr: ptr, mask: mask, shape: d.block}
}

// padding is what lanes outside read as.
func (d *desc) padding(name string) *node {
	if d.nan {
		return literal(name, d.base.dt.Elem(), nan())
	}
	return literal(name, d.base.dt.Elem(), 0)
}

func (d Desc) desc(name string) *desc {
	if d.d == nil {
		fault(name, "a Desc that was never made").Fix("make it with tl.MakeDesc").raise()
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
	x.region(name, at, nil).store(valueFor(name, x.base.dt.Elem(), v))
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
	at dims
}

// MakeBlockPtr points to the block at offsets of the tensor of the given shape and
// strides that begins at base. order, the order of axes in memory, is a hint.
func MakeBlockPtr(base Ptr, shape, strides, offsets, block, order []int) BlockPtr {
	const name = "tl.MakeBlockPtr"
	b := scalarPointer(name, base)
	n := len(shape)
	if n == 0 || len(strides) != n || len(offsets) != n || len(block) != n || len(order) != n {
		fail(name, "shape, strides, offsets, block and order have %d, %d, %d, %d and %d numbers", n, len(strides), len(offsets), len(block), len(order))
	}
	return BlockPtr{&desc{base: b, block: shapeArg(name, block), shape: dimsOf(shape), strides: dimsOf(strides)}, dimsOf(offsets)}
}

// Advance is the block pointer moved by off along each axis.
func (b BlockPtr) Advance(off ...int) BlockPtr {
	const name = "BlockPtr.Advance"
	b.desc(name)
	if len(off) != b.at.n {
		fail(name, "%d offsets for %d dimensions", len(off), b.at.n)
	}
	for i, o := range off {
		b.at.d[i] += o
	}
	return b
}

// Advance is b.Advance(off...) as a function.
func Advance(b BlockPtr, off ...int) BlockPtr { return b.Advance(off...) }

func (b BlockPtr) desc(name string) *desc {
	if b.d == nil {
		fault(name, "a BlockPtr that was never made").Fix("make it with tl.MakeBlockPtr").raise()
	}
	return b.d
}

// region is the block's lanes; lanes outside along an axis that is not checked
// count as inside, and must be.
func (b BlockPtr) region(name string, o []BlockOption) (a *access, pad *node) {
	d := *b.desc(name)
	check := make([]bool, d.shape.n)
	zero := false
	for _, o := range o {
		switch o := o.(type) {
		case CheckOption:
			for _, axis := range o.axes {
				if axis < 0 || axis >= d.shape.n {
					fail(name, "BoundaryCheck of axis %d of %d", axis, d.shape.n)
				}
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
	return d.region(name, b.at.slice(), check), pad
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
	a.store(valueFor(name, b.d.base.dt.Elem(), v))
}
