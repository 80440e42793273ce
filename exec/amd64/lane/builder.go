package lane

import "github.com/tiler-go/tiler/exec/amd64/lir"

// Vectors writes code for lanes in registers, whatever they stand for: constants, masks, moves, bits.
type Vectors struct {
	*lir.Unit
	// Keep is the register in which a constant is kept for the loops at hand, 0 if it is not.
	Keep func(x Lanes) lir.Reg
}

// Values is Vectors, and knows the types of elements: how lanes hold and compare them.
type Values struct{ *Vectors }

// Memory is Values, and loads and stores them.
type Memory struct{ *Values }

// New writes code for a tier, which keeps no constants.
func New(t *lir.Tier) *Memory {
	return &Memory{&Values{&Vectors{Unit: lir.NewUnit(t), Keep: func(Lanes) lir.Reg { return 0 }}}}
}
