// Package storage assigns memory to the buffers of a program, once it is known which of its
// steps touch them.
//
// A Plan is told, step by step, what is read and written, which steps are loops, and which
// moves of a buffer to another would be none if both were one. Finish first merges such buffers
// where that is harmless; then buffers whose lives do not overlap share memory. The result is a
// Layout, of which each worker allocates its own copy.
//
// It knows steps by their numbers and buffers by type and length: nothing of values, tiles or
// what a step does.
package storage
