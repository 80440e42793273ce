// Package builtin lowers a call of a function of the language, by a row of its table.
//
// Its arguments are values that are evaluated already (package value); a function among them is lowered by who made
// the Call, and so is what the language has of functions that are written in Python.
package builtin
