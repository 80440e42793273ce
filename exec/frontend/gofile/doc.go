// Package gofile reads the Go file that kernels stand in, and says what go/types and the syntax tell of it.
//
// Load parses and type-checks a file with go/parser and go/types against declarations
// of the language that are embedded here, so that no Go toolchain is needed where
// kernels are compiled. A File knows its kernels, their parameters, the functions they
// call, and the type errors in them with what to write instead. Nothing is lowered here.
package gofile
