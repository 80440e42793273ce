package emit

import (
	"math"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Load is a load through pointers; mask and other may be nil. name is the function that a
// message about an access names.
func Load(b Builder, name string, ptr, mask, other *ir.Value) *ir.Value {
	v := access(b, op.Load, name, ptr.Type.As(ptr.Type.D.Elem()), mask, ptr)
	if other != nil && v.Flags&ir.Masked != 0 {
		v.Args = append(v.Args, other)
		v.Flags |= ir.HasOther
	}
	return v
}

// Store writes x, which has the shape of the pointers.
func Store(b Builder, name string, ptr, mask, x *ir.Value) {
	access(b, op.Store, name, ir.Type{}, mask, ptr, x)
}

// Atomic is an atomic operation, whose operands have the shape of the pointers.
func Atomic(b Builder, o op.Op, name string, ptr, mask *ir.Value, xs ...*ir.Value) *ir.Value {
	return access(b, o, name, ptr.Type.As(ptr.Type.D.Elem()), mask, append([]*ir.Value{ptr}, xs...)...)
}

func access(b Builder, o op.Op, name string, t ir.Type, mask *ir.Value, xs ...*ir.Value) *ir.Value {
	v := b.Emit(o, t, xs...)
	v.Text = name
	Mask(v, mask)
	return v
}

// Mask gives a value its mask, which may be nil. One that is always true is none.
func Mask(v, mask *ir.Value) {
	if mask != nil && !IsTrue(mask) {
		v.Args = append(v.Args, mask)
		v.Flags |= ir.Masked
	}
}

// IsTrue reports whether a mask is known to be true everywhere.
func IsTrue(mask *ir.Value) bool {
	if mask.Op == op.Broadcast {
		mask = mask.Args[0]
	}
	return mask.Op == op.Const && mask.Bits != 0
}

// A Region is a block of a tensor, which a block pointer or a descriptor names.
type Region struct {
	Base  *ir.Value // a single pointer
	Block []int     // the block's sizes

	// Where the block begins along an axis, and the tensor's stride and size, as int64
	// scalars. They are asked for where they are needed; a stride of nil is 1.
	At, Stride, Size func(axis int) *ir.Value
}

// Addresses is the pointers of a block, and the mask of those that lie inside along the axes
// that are checked; nil if none is.
func (r Region) Addresses(b Builder, check []bool) (ptr, mask *ir.Value) {
	s := ir.ShapeOf(r.Block...)
	ptr = Broadcast(b, r.Base, s)
	for k := range r.Block {
		at := r.At(k)
		along := r.along(b, k)
		index := b.Emit(op.Add, along.Type, along, Broadcast(b, at, along.Type.Shape))
		offset := index
		if stride := r.Stride(k); stride != nil {
			offset = b.Emit(op.Mul, index.Type, index, Broadcast(b, stride, index.Type.Shape))
		}
		ptr = b.Emit(ir.PtrAdd, ptr.Type, ptr, Broadcast(b, offset, s))
		if check[k] {
			inside := Broadcast(b, inside(b, index, r.Size(k)), s)
			if mask != nil {
				inside = b.Emit(op.And, inside.Type, mask, inside)
			}
			mask = inside
		}
	}
	return ptr, mask
}

// along is the indices of a block along an axis, as int64 of the block's rank.
func (r Region) along(b Builder, k int) *ir.Value {
	var s ir.Shape
	s.N = len(r.Block)
	for i := range s.N {
		s.D[i] = 1
	}
	s.D[k] = r.Block[k]
	v := b.Emit(op.Arange, ir.Tile(dtype.Int32, r.Block[k]))
	return Reshape(b, Cast(b, v, dtype.Int64), s)
}

// inside is 0 <= index && index < size.
func inside(b Builder, index, size *ir.Value) *ir.Value {
	s := index.Type.Shape
	low := Compare(b, op.Ge, index, Broadcast(b, b.Constant(dtype.Int64, 0), s))
	high := Compare(b, op.Lt, index, Broadcast(b, size, s))
	return b.Emit(op.And, low.Type, low, high)
}

// Padding is what lanes outside a block of pointers read as: 0, or NaN in floats.
func Padding(b Builder, ptr ir.Type, nan bool) *ir.Value {
	d, bits := ptr.D.Elem(), uint64(0)
	if nan && d.IsFloat() {
		bits = dtype.FromFloat(d, math.NaN())
	}
	return Broadcast(b, b.Constant(d, bits), ptr.Shape)
}
