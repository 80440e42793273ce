package tensor

import (
	"math"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor/stride"
)

// MaxRank is the largest number of dimensions.
const MaxRank = stride.MaxRank

// Tensor is a view of a Storage. It is made by Zeros, From and the other functions
// of this package, and not changed after that except for its elements.
//
// If n > 0, every off + Σ i[k]·strides[k] with i within shape is an element of st.
type Tensor struct {
	st      *Storage
	d       dtype.DType // as wide as the storage's elements
	shape   []int       // at most MaxRank dimensions, each >= 0
	strides []int       // elements between neighbours, >= 0; 0 repeats one element
	off     int         // storage index of the first element, 0 if there is none
	n       int         // product of shape

	foot atomic.Pointer[footprint] // what is known of the offsets, once somebody has asked
}

// DType is the type of the elements.
func (x *Tensor) DType() dtype.DType { return x.must("DType").d }

// Shape is the size of each dimension: a copy.
func (x *Tensor) Shape() []int { return slices.Clone(x.must("Shape").shape) }

// Strides is the distance in elements between neighbours along each dimension: a
// copy.
func (x *Tensor) Strides() []int { return slices.Clone(x.must("Strides").strides) }

// Rank is the number of dimensions; 0 means one element without any.
func (x *Tensor) Rank() int { return len(x.must("Rank").shape) }

// Len is the number of elements, counted with repetition where a stride is 0.
func (x *Tensor) Len() int { return x.must("Len").n }

// Dim is the size of dimension i; a negative i counts from the last.
func (x *Tensor) Dim(i int) int { return x.shape[x.dim("Dim", i)] }

// Stride is the stride of dimension i; a negative i counts from the last.
func (x *Tensor) Stride(i int) int { return x.strides[x.dim("Stride", i)] }

// Offset is the index in the Storage of the first element.
func (x *Tensor) Offset() int { return x.must("Offset").off }

// Storage is the memory that x is a view of. Tensors with the same Storage are views
// of the same memory; see Overlaps for whether they share elements.
func (x *Tensor) Storage() *Storage { return x.must("Storage").st }

// Buf is the memory from the first element of x to its last, Span elements long. In
// a view with gaps it holds elements that are not x's. Writing through it does not
// mark anything as defined: an executor says what it wrote with MarkDefined or
// MarkDefinedAt.
func (x *Tensor) Buf() dtype.Buf {
	return x.must("Buf").footprint().mem
}

// span is Buf, for reading.
func (x *Tensor) span() dtype.Buf { return x.real("Buf").footprint().mem }

// must is x, or a failure of the named function if x was not made by this package.
func (x *Tensor) must(op string) *Tensor {
	if !x.Made() {
		unmade(op)
	}
	return x
}

//go:noinline
func unmade(op string) { fail("%s of a nil tensor: make one with Zeros, From, Randn, …", op) }

// Made reports whether x was made by this package: of a nil or zero Tensor every other
// method fails.
func (x *Tensor) Made() bool { return x != nil && x.st != nil }

// dim is dimension i of x, counted from the last if negative.
func (x *Tensor) dim(op string, i int) int {
	x.must(op)
	if i < -len(x.shape) || i >= len(x.shape) {
		fail("%s: %s has no dimension %d", op, x.desc(), i)
	}
	if i < 0 {
		i += len(x.shape)
	}
	return i
}

// view is another view of x's storage.
func (x *Tensor) view(shape, strides []int, off int) *Tensor {
	n := stride.Len(shape)
	if n == 0 {
		off = 0
	}
	return &Tensor{st: x.st, d: x.d, shape: shape, strides: strides, off: off, n: n}
}

// checkShape fails if shape is none, or is too large to allocate in type d.
func checkShape(op string, d dtype.DType, shape []int) {
	if d.IsPointer() || !d.Valid() {
		fail("%s: %s is not an element type", op, d)
	}
	if e := stride.Check(shape); e != "" {
		fail("%s: shape %s has %s", op, dims(shape), e)
	}
	hi, lo := bits.Mul64(uint64(stride.Len(shape)), uint64(d.Size()))
	if hi != 0 || lo > min(stride.MaxBytes, math.MaxInt) {
		fail("%s: %s is too large for memory", op, Describe(d, shape))
	}
}
