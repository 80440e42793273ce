// Package source answers questions about checked Go that need nothing lowered: what a
// program does, asked of its syntax and its types.
//
// Such questions are which calls come first, what can fail, which variables escape, which
// types lose their identity when they are erased, and what of a program is refused. An
// answer depends on the program and, inside a generic function, on the types that stand for
// its parameters; what lowered code calls things, and what has been written of it, does
// not matter here.
package source
