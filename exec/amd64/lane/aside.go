package lane

import (
	"fmt"

	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// What Go does beside machine code, on a block of lanes.

// A laneWork is an operation on one block of lanes that Go carries out on bit
// patterns of elements.
type laneWork interface {
	run(in []dtype.Buf) dtype.Buf
	String() string
}

// lanesOp is an elementwise op.
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

// lanesCast is a conversion.
type lanesCast struct {
	to, from dtype.DType
	rtz      bool
}

func (l lanesCast) run(in []dtype.Buf) dtype.Buf {
	z := dtype.Alloc("a result of Go beside machine code", l.to, in[0].Len())
	if l.rtz {
		op.CastRTZLoop(l.to, l.from)(z, in[0], dtype.Buf{}, dtype.Buf{})
	} else {
		op.CastLoop(l.to, l.from)(z, in[0], dtype.Buf{}, dtype.Buf{})
	}
	return z
}

func (l lanesCast) String() string {
	return fmt.Sprintf("cast of %s to %s", l.from.Short(), l.to.Short())
}

// viaGo carries work out in Go on the lanes at hand, and gives lanes of type d.
func (g *Casts) viaGo(work laneWork, d dtype.DType, in ...Lanes) Lanes {
	return g.inGo(work, false, d, in)
}

func (g *Casts) inGo(work laneWork, rarely bool, d dtype.DType, in []Lanes) Lanes {
	n := g.Lanes
	offs, types := make([]int, len(in)), make([]dtype.DType, len(in))
	for i, x := range in {
		types[i] = x.D
		offs[i] = g.Alloc(n * CellSize(x.D))
		g.Store(x.As(CellType(x.D)), lir.Frame(offs[i]), nil)
	}
	out := g.Alloc(n * CellSize(d))
	g.Aside(work.String(), rarely, func(f *frame.Frame) {
		bufs := make([]dtype.Buf, len(offs))
		for i := range offs {
			bufs[i] = Elements(f, types[i], offs[i], n)
		}
		SetElements(f, out, work.run(bufs))
	})
	return g.Load(CellType(d), lir.Frame(out), nil).As(d)
}

// CastRTZ is a conversion that rounds towards zero.
func (g *Casts) CastRTZ(to dtype.DType, x Lanes) Lanes {
	return g.viaGo(lanesCast{to: to, from: x.D, rtz: true}, to, x)
}

// Elements is a tile of type d in the frame, in the elements' own bit patterns.
func Elements(f *frame.Frame, d dtype.DType, off, n int) dtype.Buf {
	z := dtype.Alloc("an operand of Go beside machine code", d, n)
	convert(z, f.Region(CellType(d), off, n))
	return z
}

// SetElements is the opposite.
func SetElements(f *frame.Frame, off int, x dtype.Buf) {
	convert(f.Region(CellType(x.DType()), off, x.Len()), x)
}

// convert copies elements to cells, or cells to elements.
func convert(z, x dtype.Buf) {
	if z.DType() == x.DType() {
		copy(z.Bytes(), x.Bytes())
		return
	}
	op.CastLoop(z.DType(), x.DType())(z, x, dtype.Buf{}, dtype.Buf{})
}
