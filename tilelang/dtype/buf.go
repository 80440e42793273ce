package dtype

import (
	"fmt"
	"unsafe"
)

// Elem is any Go type whose slice can be the memory of a tile or tensor. Narrow
// floats are held as their bit patterns (uint8, uint16), Bool as a uint8 of 0 or 1.
type Elem interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Buf is n elements of one type in memory. The zero value is empty.
//
// A Buf keeps its memory alive: p points into a Go allocation (or memory whose
// owner outlives it), always at an element, and holds no pointers itself. The
// accessors below are the only way in, and each checks its range.
type Buf struct {
	p unsafe.Pointer
	n int
	d DType
}

// Align is the alignment of memory that NewBuf returns: one cache line, one
// 512-bit vector.
const Align = 64

// large is the least number of bytes that are worth large pages.
const large = 1 << 20

// NewBuf allocates n zeroed elements of type d for a short while.
func NewBuf(d DType, n int) Buf { return Alloc("a temporary", d, n) }

// Alloc allocates n zeroed elements of type d, aligned to Align if there are enough of them to
// care. All memory that kernels write to comes from here, whichever engine runs them; what says
// whose it is where a fence is touched (see Fence, with which buffers are aligned to their
// elements only).
func Alloc(what string, d DType, n int) Buf {
	size := d.Size()
	if n < 0 || size == 0 {
		panic(fmt.Sprintf("dtype.Alloc(%s, %s, %d)", what, d, n))
	}
	if n == 0 {
		return Buf{d: d}
	}
	bytes := n * size
	if mode := Fenced(); mode != NoFence {
		return Buf{allocFenced(what, bytes, mode), n, d}
	}
	if bytes < Align {
		b := make([]uint64, (bytes+7)/8)
		return Buf{unsafe.Pointer(unsafe.SliceData(b)), n, d}
	}
	b := make([]byte, (bytes+Align-1)&^(Align-1)) // Go aligns such a size well, as a rule
	p := unsafe.Pointer(unsafe.SliceData(b))
	if uintptr(p)&(Align-1) != 0 {
		b = make([]byte, bytes+Align-8) // aligned to 8 at least
		p = unsafe.Pointer(unsafe.SliceData(b))
		p = unsafe.Add(p, -uintptr(p)&(Align-1)) // within b: at most Align-8 are skipped
	}
	if bytes >= large {
		inLargePages(uintptr(p), bytes)
	}
	return Buf{p, n, d}
}

// BufOf is the memory of s, not copied, as elements of type d, whose size must be
// that of T.
func BufOf[T Elem](d DType, s []T) Buf {
	var zero T
	if int(unsafe.Sizeof(zero)) != d.Size() {
		panic(fmt.Sprintf("dtype.BufOf: %d-byte slice elements as %s", unsafe.Sizeof(zero), d))
	}
	return Buf{unsafe.Pointer(unsafe.SliceData(s)), len(s), d}
}

// BoolBuf is the memory of s, not copied. Go's bool is one byte, 0 or 1.
func BoolBuf(s []bool) Buf { return Buf{unsafe.Pointer(unsafe.SliceData(s)), len(s), Bool} }

// BytesBuf is the memory of b, not copied, as elements of type d, of which it must hold a whole
// number, the first one aligned to its size.
func BytesBuf(d DType, b []byte) Buf {
	p := unsafe.Pointer(unsafe.SliceData(b))
	if size := d.Size(); size == 0 || len(b)%size != 0 || uintptr(p)%uintptr(size) != 0 {
		panic(fmt.Sprintf("dtype.BytesBuf: %d bytes at %p as %s", len(b), p, d))
	}
	return Buf{p, len(b) / d.Size(), d}
}

// RawBuf is n elements of type d at address p, which the caller keeps alive and
// inside its allocation.
func RawBuf(d DType, p unsafe.Pointer, n int) Buf { return Buf{p, n, d} }

// View is b's elements as a Go slice over the same memory. T must be as wide as
// b's elements: float32 for Float32, uint16 for Float16.
func View[T Elem](b Buf) []T {
	var zero T
	if int(unsafe.Sizeof(zero)) != b.d.Size() {
		panic(fmt.Sprintf("dtype.View: %s as %d-byte elements", b.d, unsafe.Sizeof(zero)))
	}
	return unsafe.Slice((*T)(b.p), b.n)
}

// Len is the number of elements, DType their type.
func (b Buf) Len() int { return b.n }

// DType is the type of the elements.
func (b Buf) DType() DType { return b.d }

// Pointer is the address of the first element, for machine code and alias tests.
func (b Buf) Pointer() unsafe.Pointer { return b.p }

// Bytes is b's memory as bytes.
func (b Buf) Bytes() []byte { return unsafe.Slice((*byte)(b.p), b.n*b.d.Size()) }

// Slice is elements lo to hi of b, over the same memory.
func (b Buf) Slice(lo, hi int) Buf {
	if lo < 0 || hi < lo || hi > b.n {
		panic(fmt.Sprintf("dtype.Buf.Slice: [%d:%d] of %d elements", lo, hi, b.n))
	}
	if lo == hi {
		return Buf{d: b.d}
	}
	return Buf{unsafe.Add(b.p, lo*b.d.Size()), hi - lo, b.d}
}

// As is the same memory seen as another type of the same size.
func (b Buf) As(d DType) Buf {
	if d.Size() != b.d.Size() {
		panic(fmt.Sprintf("dtype.Buf.As: %s as %s", b.d, d))
	}
	b.d = d
	return b
}

// Bits is the bit pattern of element i.
func (b Buf) Bits(i int) uint64 {
	switch b.d.Size() {
	case 1:
		return uint64(View[uint8](b)[i])
	case 2:
		return uint64(View[uint16](b)[i])
	case 4:
		return uint64(View[uint32](b)[i])
	}
	return View[uint64](b)[i]
}

// SetBits stores a bit pattern into element i.
func (b Buf) SetBits(i int, v uint64) {
	switch b.d.Size() {
	case 1:
		View[uint8](b)[i] = uint8(v)
	case 2:
		View[uint16](b)[i] = uint16(v)
	case 4:
		View[uint32](b)[i] = uint32(v)
	default:
		View[uint64](b)[i] = v
	}
}

// Fill stores one bit pattern into every element.
func (b Buf) Fill(v uint64) {
	switch b.d.Size() {
	case 1:
		fill(View[uint8](b), uint8(v))
	case 2:
		fill(View[uint16](b), uint16(v))
	case 4:
		fill(View[uint32](b), uint32(v))
	default:
		fill(View[uint64](b), v)
	}
}

func fill[T Elem](s []T, v T) {
	for i := range s {
		s[i] = v
	}
}
