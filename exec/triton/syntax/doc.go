// Package syntax reads Python files that hold Triton kernels.
//
// A whole file is read: host code around the kernels (classes, comprehensions,
// lambdas, try, with, decorators, f-strings) becomes nodes, too, so that nothing has
// to be guessed about where a kernel begins. What nobody looks into is kept as text:
// the parts of an f-string, the patterns of a match statement.
//
//	f, err := syntax.Parse("add.py", text)   // err is a *diag.Diagnostic with line and column
//	for _, s := range f.Body { … }
//
// The tokens of a file are made first (lex.go), with indentation as tokens of its own,
// and then parsed by descent (stmt.go, expr.go). The first error ends the reading, as
// in Python.
package syntax
