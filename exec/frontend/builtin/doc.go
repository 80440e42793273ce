// Package builtin lowers a call of a function or method of the language, by a row of its table.
//
// The meaning of every operation is that of package tilelang's eager functions made explicit:
// casts, broadcasts, checks that a Go scalar fits. Operands are values that are evaluated
// already (frontend/value); a function among them is lowered by who made the Call.
package builtin
