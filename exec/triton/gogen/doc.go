// Package gogen prints a kernel of Triton's Python as one of Go.
//
// It walks the syntax tree, statement by statement (stmt.go) and expression by expression
// (expr.go), with types that say what of Go's a value is: an int, a bool, a text, a tile. What is
// a number in Python's text and typed in Triton, as a float32 argument of a kernel, becomes a tile
// of rank 0 where its type shows in the result; an int stays Go's int, which has 64 bits: sums
// that would wrap in Triton fail, or do not wrap. Types and operators are package value, calls of
// the language's functions package builtin.
//
// A function is printed in rounds, until the types of its variables stand: a variable that is
// a number here and a tile there is a tile everywhere. What has no counterpart in Go is
// refused with its line.
package gogen
