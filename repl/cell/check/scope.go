package check

import (
	"go/types"

	"github.com/tiler-go/tiler/repl/symbols"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// Argument is what messages call an expression that is not part of a cell.
const Argument = "argument"

// A Scope is the texts of the cells so far, and what they defined.
type Scope struct {
	Sources []Source
	Live    map[string]*Def
	methods map[string]*Def // by T.M
	seq     int
	Types   *symbols.Types
	Pkg     *types.Package // of all cells
	note    func(format string, args ...any)
}

// NewScope is one in which nothing is defined. note is called with what the user should know.
func NewScope(note func(format string, args ...any)) *Scope {
	return &Scope{Live: map[string]*Def{}, methods: map[string]*Def{}, Types: &symbols.Types{}, Pkg: newPackage(), note: note}
}

// Add adds a text, and is its number.
func (s *Scope) Add(src Source) int {
	s.Sources = append(s.Sources, src)
	return len(s.Sources) - 1
}

// Drop takes away the text that was added last.
func (s *Scope) Drop() { s.Sources = s.Sources[:len(s.Sources)-1] }

// Marked is the place that a mark of lowered code stands for.
func (s *Scope) Marked(mark int) diag.Pos {
	cell := mark>>lineBits - 1
	if cell < 0 || cell >= len(s.Sources) {
		return diag.Pos{}
	}
	return diag.Pos{File: s.Sources[cell].Name, Line: mark & (1<<lineBits - 1)}
}
