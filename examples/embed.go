// Package examples has the source of the examples, for programs that give it out.
package examples

import "embed"

// Files is the examples: a folder each, with main.go and main_test.go.
//
//go:embed */main.go */main_test.go
var Files embed.FS

// Sums is the lines of go.sum for the modules that examples need besides tiler's own, which
// is all that go.sum of a module with examples has to have.
//
//go:embed sums.txt
var Sums string
