package elementwise

import (
	"fmt"

	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// What Go does beside machine code, on a block of lanes.

// lanesOp is an elementwise op on one block of lanes that Go carries out on bit patterns of elements.
type lanesOp struct {
	o op.Op
	d dtype.DType
}

func (l lanesOp) run(in []dtype.Buf) dtype.Buf {
	z := dtype.Alloc("a result of Go beside machine code", l.o.Result(l.d), in[0].Len())
	op.Apply(l.o, l.d, z, in...)
	return z
}

func (l lanesOp) String() string { return fmt.Sprintf("%s of %s", l.o, l.d.Short()) }

// viaGo carries work out in Go on the lanes at hand, and gives lanes of type d.
func (g *Casts) viaGo(work lanesOp, d dtype.DType, in ...lane.Lanes) lane.Lanes {
	return g.inGo(work, false, d, in)
}

func (g *Casts) inGo(work lanesOp, rarely bool, d dtype.DType, in []lane.Lanes) lane.Lanes {
	n := g.Lanes
	offs, types := make([]int, len(in)), make([]dtype.DType, len(in))
	for i, x := range in {
		types[i] = x.D
		offs[i] = g.Alloc(n * lane.CellSize(x.D))
		g.Store(x.As(lane.CellType(x.D)), lir.Frame(offs[i]), nil)
	}
	out := g.Alloc(n * lane.CellSize(d))
	g.Aside(work.String(), rarely, func(f *frame.Frame) {
		bufs := make([]dtype.Buf, len(offs))
		for i := range offs {
			bufs[i] = lane.Elements(f, types[i], offs[i], n)
		}
		lane.SetElements(f, out, work.run(bufs))
	})
	return g.Load(lane.CellType(d), lir.Frame(out), nil).As(d)
}

// unless is z, but what work makes of the operands if a mask holds for any lane.
func (g *Casts) unless(rare, z lane.Lanes, work lanesOp, in ...lane.Lanes) lane.Lanes {
	out, done := g.Variable(z), g.NewLabel()
	g.SkipUnlessAny(rare, done)
	g.Assign(out, g.inGo(work, true, z.D, in))
	g.Bind(done)
	return out
}
