// Package eager runs an ir.Func on tilelang's tiles: each value of the Func is one call
// of the language's own functions.
//
// It is how a kernel that is no Go function is interpreted. Since the functions are
// those that an interpreted Go kernel calls, so are their faults, and what an observer
// is told of accesses, undefined elements and wrapped offsets.
//
// A Func says where each of its values stands in the source. Program.Line counts these
// places, and Place gives them back, so that any number of files and columns fit.
package eager
