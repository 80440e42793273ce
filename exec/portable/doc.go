// Package portable executes a tile IR function in pure Go, on every platform, with
// exactly the bits of the eager interpreter.
//
// Compile turns a verified ir.Func into a flat list of steps, which an instance
// runs from the first to the last; control flow is steps that jump. All decisions
// that do not depend on the data are made once, here:
//
//   - A scalar is a register, 64 bits wide. Constants, parameters and program ids
//     are registers that no step writes.
//   - A tile is held in the cheapest form that its op allows (place.go): copies of
//     one register; an index, start + Σ index·step in registers; for a mask, a box,
//     an interval of indices for each axis; otherwise elements in a buffer, seen
//     through an offset and strides, so that broadcasts, permutations and most
//     reshapes are steps of no kind at all.
//   - What is an index or a box, and on which conditions, package affine says. Where a
//     condition is not met (an element wraps, an address is beyond all proportion) it
//     is written out as elements, and a register says which of the two holds.
//   - Elementwise ops of one shape run together, a chunk of lanes at a time, so that
//     what lies between them stays in the first-level cache (lanes.go, fuse.go). Math
//     functions are the instructions of their programs, in the same loop.
//   - Buffers are assigned to one block of memory by the steps that touch them, after
//     a value that a loop carries has been given the buffer of the one it replaces
//     where that is harmless (storage.go).
//
// A Worker is that memory. It runs instances one after the other and allocates
// nothing while it does, except for what a kernel prints.
//
// Memory of tensors is reached only through the checks of memory.go and atomic.go: a
// rectangle of affine addresses is checked at its two ends and copied in runs;
// everything else, and every rectangle that does not pass, is checked lane by lane,
// which also finds the lane to report. What fails ends the instance with an
// ir.Failure, never with a panic.
//
// The order of memory effects is that of the IR, loads are copies, and a store's
// lanes are written in row-major order, so overlapping arguments mean what they mean
// to the interpreter.
package portable
