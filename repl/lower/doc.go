// Package lower compiles checked Go to the Go that the interpreter gets right.
//
// The interpreter (yaegi) is good at a core of the language: numbers, strings,
// slices, maps, structs without methods, functions and closures, plain loops. In
// the rest it is wrong in places, some of them silently. Lowered code stays within
// the core; what lies outside is compiled away here, or done by functions of the
// host, which are compiled Go:
//
//   - Types are erased to their structure: a named type is its underlying type, a
//     method a function whose first parameter is the receiver, an embedded field a
//     plain one. Constants are folded, generic functions instantiated, every
//     conversion is explicit.
//   - An interface value is an interface{}. What a value loses by erasure, it keeps
//     when it becomes an interface value, in a box: the number of its type in the
//     World. Assertions, type switches and calls of methods go through the host,
//     which reads boxes.
//   - Channels, select, go, defer, panic and recover are calls of the host. So is
//     whatever could end the process: make of unknown size, recursion without end.
//   - Loop variables are per iteration, range over integers and functions are
//     loops, min, max and clear are calls.
//
// Before a statement that can fail, lowered code writes the statement's line to
// where its first parameter points to. Every user function has that parameter; in a
// kernel it points to the program's line.
//
// Three rooms are below this one, each of which knows only those before it: source has the
// questions about a program, naming what lowered code calls things, exprs expressions.
// Here are statements, functions and units.
//
// Positions, messages and the meaning of the source are the business of the type
// checker: what comes here has been checked. Some programs are refused all the same;
// Check says which.
package lower
