// Package naming says what lowered code calls things: functions, variables, types and
// packages of the source, and the functions that it declares for itself.
//
// A Table is what the cells of a session share, a File the Go that one of them is lowered
// to. What is asked of a File may add a declaration to it: the name of a struct type
// declares that type, the name of an instance of a generic function asks for its body. Here
// code is text that has been lowered already, so what depends on types alone is here, too:
// constants, zero values, the way to a field through what is embedded, and the conversion
// to an interface, which puts a value into a box with the number of its type.
package naming
