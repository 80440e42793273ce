// Package frontend turns the Go source of a kernel into tile IR.
//
// Compile takes a file that package gofile has parsed and type-checked, and runs one
// of its kernels abstractly: it walks the syntax tree as an interpreter would, with
// values that are either known now (constants, tl.Const parameters, shapes, dtypes,
// functions, options) or the IR value that will hold them. What is known decides what is lowered: a branch whose
// condition is known is taken, functions and closures are inlined, and only what
// depends on run-time values becomes an op.
//
// What expressions hold, and Go's operations on it, is package value; a call of a function of
// the language is a row of package builtin's table. Control flow that depends on run-time
// values becomes If, For and Loop, by package flow. Variables are tracked through a journal of
// writes: what a loop's body wrote is what the loop carries (carry.go).
//
// Some values must be known to compile: shapes, axes. Where such a value turns out
// to depend on an int parameter, the lowering starts over with that parameter's
// value compiled in (Spec says so); where it depends on a loop's index, the loop is
// lowered again, unrolled.
//
// Methods are functions, pointers are other names of variables (pointer.go), and a variable of
// the package that nothing assigns is its initialiser (global.go).
//
// What lies outside the language is refused with a diagnostic that says where, what,
// why and what to write instead. An expression that was refused is poison, which
// makes no further messages, so that one run reports all errors of a kernel.
package frontend
