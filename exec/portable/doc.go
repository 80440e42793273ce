// Package portable compiles a tile IR function to steps that run in pure Go, on every
// platform, with exactly the bits of the eager interpreter.
//
// Compile turns a verified ir.Func into a run.Program. All decisions that do not
// depend on the data are made once, here:
//
//   - A tile is held in the cheapest form that its op allows (place.go), so that
//     broadcasts, permutations and most reshapes are steps of no kind at all.
//   - What is an index or a box, and on which conditions, package affine says. Where a
//     condition is not met (an element wraps, an address is beyond all proportion) it
//     is written out as elements, and a register says which of the two holds.
//   - Elementwise ops of one shape run together (fuse.go).
//   - A value that a loop carries is given the buffer of the one it replaces where that
//     is harmless (control.go).
//
// The order of memory effects is that of the IR, loads are copies, and a store's
// lanes are written in row-major order, so overlapping arguments mean what they mean
// to the interpreter.
//
// Its rooms: run has programs, the workers that run them, and the steps that loop;
// lanes has lines of elementwise ops, strided and rows the loops over elements in
// memory, and storage gives buffers their places.
package portable
