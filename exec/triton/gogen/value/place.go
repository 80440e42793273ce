package value

import (
	"github.com/tiler-go/tiler/exec/triton/lower"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A Place is where in a file the printing is.
type Place struct {
	File     *lower.File
	At       syntax.Pos
	Caller   *Place // of the function that is printed
	Repeated bool   // in a condition that is evaluated again and again
}

// A Refusal is panicked with at what has no counterpart in Go.
type Refusal struct{ Diag *diag.Diagnostic }

// Refuse ends the printing; of what the prelude says it names the place that calls it.
func (p *Place) Refuse(format string, args ...any) {
	for p.Caller != nil && (lower.Meaning{In: p.File}).Prelude() {
		p = p.Caller
	}
	panic(Refusal{diag.At(p.File.Syntax().At(p.At), format, args...)})
}
