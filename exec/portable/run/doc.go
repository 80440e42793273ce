// Package run runs programs: flat lists of steps over the registers and buffers of a worker.
//
//   - A scalar is a register, 64 bits wide. Constants, parameters and program ids
//     are registers that no step writes.
//   - A tile has a Form: copies of one register; an index, start + Σ index·step in
//     registers; for a mask, a box, an interval of indices for each axis; otherwise
//     elements in a buffer, seen through an offset and strides. A Feed hands its lanes
//     to a step, whatever the form is at the time.
//   - Steps are what needs loops: a sweep of lines of ops, an access to memory, an
//     atomic, a reduction, a scan, a product. Control flow is steps that jump.
//
// A Builder writes a Program. A Worker is the memory that it takes; it runs instances
// one after the other and allocates nothing while it does, except for what a kernel
// prints.
//
// Memory of tensors is reached only through the checks of access.go and atomic.go: a
// rectangle of affine addresses is checked at its two ends and copied in runs;
// everything else, and every rectangle that does not pass, is checked lane by lane,
// which also finds the lane to report. What fails ends the instance with an
// ir.Failure, never with a panic.
package run
