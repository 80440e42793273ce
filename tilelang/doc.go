// Package tilelang is the tile language: kernels are plain Go functions over tiles.
//
// A kernel is a function with no result whose first parameter is a *Program:
//
//	func add(p *tl.Program, x, y, out tl.Ptr, n int, BLOCK tl.Const) {
//		offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
//		mask := offs.Lt(n)
//		a := tl.Load(x.Add(offs), tl.Mask(mask))
//		b := tl.Load(y.Add(offs), tl.Mask(mask))
//		tl.Store(out.Add(offs), a.Add(b), tl.Mask(mask))
//	}
//
// The model is Triton's. A launch runs the function once per program instance of a
// grid; the instance's place in the grid, p.ID(axis), decides which part of the
// tensors it works on. Instances run in any order, on any core, and share nothing
// but the tensors.
//
// A Tile is a block of elements: a dtype, a shape, immutable. Operations work on
// whole tiles, lane by lane; shapes broadcast as in NumPy and dtypes promote as in
// Triton. A scalar is a tile of rank 0. Scalar control is plain Go: int, float64
// and bool variables, for, if, switch, calls of other functions. A Go number beside
// a tile takes the tile's dtype where its kind is not above the tile's.
//
// A pointer is a tile whose elements point into a tensor. Adding integers moves it
// by elements: x.Add(offs) is a tile of pointers, and Load and Store go through
// them, lane by lane. There is no other access to memory, and every access is
// checked against the tensor, or view of one, that was passed to the launch: a
// kernel cannot touch anything else.
//
// A mask is a bool tile. Where it is false, Load does not read (the lane is
// Other's value, or 0) and Store does not write: that is how the ragged end of a
// tensor is left alone.
//
// The functions here are the kernel language and at the same time its
// interpreter: called, they compute at once, on the CPU, with the meaning that
// package op defines. Compiled engines reproduce the same bits. What goes wrong in
// a kernel (shapes that do not broadcast, an address outside its tensor) stops the
// program instance with a Fault; whoever launched it gets it as an error.
package tilelang

import "github.com/tiler-go/tiler/tilelang/dtype"

// DType is an element type.
type DType = dtype.DType

// The element types.
const (
	Bool       = dtype.Bool // Triton's int1
	Int8       = dtype.Int8
	Int16      = dtype.Int16
	Int32      = dtype.Int32
	Int64      = dtype.Int64
	Uint8      = dtype.Uint8
	Uint16     = dtype.Uint16
	Uint32     = dtype.Uint32
	Uint64     = dtype.Uint64
	Float16    = dtype.Float16
	BFloat16   = dtype.BFloat16
	Float32    = dtype.Float32
	Float64    = dtype.Float64
	Float8E4NV = dtype.Float8E4NV
	Float8E5   = dtype.Float8E5
)

// Ptr is a tile of pointers; the alias documents a tensor parameter of a kernel.
type Ptr = Tile

// Const is an int; the alias documents a parameter that is fixed when a kernel is
// compiled, such as a block size.
type Const = int
