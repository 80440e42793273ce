// Package rows sorts, reduces and scans rows of elements that lie side by side in memory.
//
// A Reducer or Scan is one of the common operations on the common types, in the language's order of
// combination; a Sorter sorts elements of any type by their keys.
//
// It knows buffers, dtypes and ops, and nothing of values, steps or shapes.
package rows
