package lane

import (
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/lir"
)

// A Builder writes code for blocks of lanes.
type Builder struct {
	*lir.Unit
	// Keep is the register in which a constant is kept for the loops at hand, 0 if it is not.
	Keep func(x Lanes) lir.Reg
	// Aside writes a call out to Go, which runs f; rarely says that code hardly ever comes there.
	Aside func(what string, rarely bool, f func(*frame.Frame))
	Data  []Data // constant tables
}

// New writes code for a tier, which keeps no constants and calls nothing out.
func New(t *lir.Tier) *Builder {
	return &Builder{Unit: lir.NewUnit(t), Keep: func(Lanes) lir.Reg { return 0 }}
}

// Data is constants that code expects in the frame.
type Data struct {
	Off   int
	Bytes []byte
}
