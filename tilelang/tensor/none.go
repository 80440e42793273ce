package tensor

import "github.com/tiler-go/tiler/tilelang/dtype"

var none = wrap(dtype.Alloc("no tensor", dtype.Float32, 0), []int{0})

// None stands for a tensor that a launch does without: what a kernel sees for an argument
// that is nil. It has no elements, so that no access to it is within bounds, and it is its
// own copy.
func None() *Tensor { return none }

// IsNone reports whether x is None.
func (x *Tensor) IsNone() bool { return x == none }
