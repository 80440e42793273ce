// Package tensor holds the arrays that kernels work on: a dtype, a shape and
// strides over Go memory.
//
// A Tensor is a view: it names some elements of a Storage by an offset, a shape and
// one stride per dimension, counted in elements and never negative. Slices,
// transposes and broadcasts are new views of the same Storage, so writing through
// one shows in the others. A kernel that is given a view may touch the elements of
// that view and no others; Span, HasGaps, Contains, IndexOf and Overlaps answer the
// questions that this needs, exactly, for any strides.
//
//	x := tensor.Randn(42, dtype.Float32, 64, 32)    // seeded: the same everywhere
//	y := tensor.From([]float32{1, 2, 3, 4}, 2, 2)   // the slice's memory, not a copy
//	z := x.Slice(0, 8, 16).T()                      // rows 8 to 16, transposed: a view
//	fmt.Println(z.Float(0, 3), tensor.AllClose(x, y))
//
// There are two kinds of failure. A call that no program should make (an index out
// of range, a shape that does not match the data) panics with an Error whose text
// names the tensor, the way Go's slices do, so that an expression at a prompt has
// one result. What depends on the outside world (files) returns an error.
//
// The functions are safe for concurrent use as far as Go's slices are: reading in
// parallel is fine, writing needs the elements to be different ones.
package tensor
