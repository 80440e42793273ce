package nest

import (
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
)

// Nests puts tiles into memory, and carries accesses out, in nests.
type Nests struct {
	tiles.Memory
	Inside  bool  // accesses are known to lie inside their tensors: one that does not gives the instance up
	nesting *Nest // the innermost nest whose loops are being written
	// Gather carries a load out into its copy, and Scatter a store from it, or they go to a label.
	Gather, Scatter func(x *tiles.ExactAccess, other int)
}

// NewNests is memory without tiles, for the code of a Func.
func NewNests(f *ir.Func, p *fuse.Schedule, t *lir.Tier) *Nests {
	g := &Nests{Memory: tiles.New(f, p, t)}
	g.Keep, g.Aside = g.hoisted, g.Besides
	g.FrameSize = scalar.ArgOffset(len(f.Params))
	return g
}
