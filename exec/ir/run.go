package ir

import (
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/lattice"
)

// An Arg is the value of a Func's parameter for one launch.
type Arg struct {
	Bits uint64 // of a scalar, in the parameter's type

	// Of a pointer: the memory it points into, from its first element over its span,
	// and, where some offsets of the span are not the tensor's, those that are.
	Mem  dtype.Buf
	Only *lattice.Set
}

// A Failure is why a program instance ended: the value that failed, and for an
// access out of bounds the lane and the offset it had.
type Failure struct {
	Program int // number of the instance, the first axis running fastest
	Value   *Value
	Lane    int
	Offset  int64
}

// A Printed is an operand of a Print, as engines hand it out: elements in row-major
// order.
type Printed struct {
	Type     Type
	Elems    dtype.Buf
	GoScalar bool // a Go int, float64 or bool rather than a tile of rank 0
}
