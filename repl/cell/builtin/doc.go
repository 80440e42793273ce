// Package builtin is what Go's compiler and runtime do by themselves, for programs that are interpreted: builtin
// functions, bounds of indices, and panics in the words that compiled programs have.
package builtin
