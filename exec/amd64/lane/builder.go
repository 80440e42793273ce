package lane

import (
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/lir"
)

// Vectors writes code for lanes in registers, whatever they mean: constants, masks, moves, bits.
type Vectors struct {
	*lir.Unit
	// Keep is the register in which a constant is kept for the loops at hand, 0 if it is not.
	Keep func(x Lanes) lir.Reg
}

// Values is Vectors, and knows the types of elements: how lanes hold and compare them.
type Values struct{ *Vectors }

// Memory is Values, and loads and stores them.
type Memory struct{ *Values }

// Casts is Memory, and converts elements to other types, some of them in Go.
type Casts struct {
	*Memory
	// Aside writes a call out to Go, which runs f; rarely says that code hardly ever comes there.
	Aside func(what string, rarely bool, f func(*frame.Frame))
}

// Primitives is Casts, and has the operations that no other is made of.
type Primitives struct{ *Casts }

// A Builder writes code for blocks of lanes.
type Builder struct {
	*Primitives
	Data []Data // constant tables
}

// New writes code for a tier, which keeps no constants and calls nothing out.
func New(t *lir.Tier) *Builder {
	v := &Vectors{Unit: lir.NewUnit(t), Keep: func(Lanes) lir.Reg { return 0 }}
	return &Builder{Primitives: &Primitives{&Casts{Memory: &Memory{&Values{v}}}}}
}

// Data is constants that code expects in the frame.
type Data struct {
	Off   int
	Bytes []byte
}
