// Package box is values of the types that a session's code declares: the interpreter knows only the structure of
// those types, so that an interface value of one is a Box, with its type.
//
// A Registry is the types of one session. It does with boxes what compiled Go does with interface values: compares
// them, asserts their types, finds their methods. Boxes print as package fmt prints values of compiled Go.
package box
