// Package real is kernels as they are written for work: products with epilogues and packed operands, norms, convolutions,
// gathers. Each is a row of package bench, beside the same in another form, a plain Go loop, a pass over memory or a
// library.
//
// A file is one theme: its kernels, which are compiled from the file's own text, and below them the rows, which say what
// a kernel is run with and what it has to leave.
package real
