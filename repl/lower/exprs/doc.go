// Package exprs lowers expressions, calls and places. It knows of statements one thing: a
// function that lowers function literals, which the compiler of statements gives it.
//
// What an expression needs ahead of it, such as a variable for what is evaluated first, is
// written to the Body in which it stands; what is left of it is the text that it is lowered
// to.
package exprs
