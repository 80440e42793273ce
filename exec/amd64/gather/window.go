package gather

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A Window is where elements of up to 4 bytes are loaded from whose numbers are likely to be close together: a block's
// lie among those from one of them on, as many as registers hold, which are loaded at once and permuted. A window
// begins where there are that many, or with a short tensor's first element, and no more is touched than the tensor has:
// who finds all numbers in it need not compare them with the tensor's count. With AVX2, which masks no narrow elements
// off, nothing of those is in the window of a tensor that is shorter than a register.
type Window struct {
	g     *elementwise.Builder
	d     dtype.DType // of as many bytes as an element, unsigned
	base  lir.Reg
	begin lane.Lanes   // where it begins at the latest
	wide  lane.Lanes   // how many elements it has
	there []lane.Lanes // which of each register
	last  lir.Reg      // the number of the last lane, in all
}

// NewWindow is one of a tensor at an address, of so many elements, up to 2^31.
func NewWindow(g *elementwise.Builder, size int, base, count lir.Reg) *Window {
	w, u, registers := &Window{g: g, d: unsigned(size), base: base}, dtype.Uint32, 1
	if g.EVEX {
		registers = 2
	}
	most := g.Lanes * registers
	w.begin = g.SplatInt(u, g.AtLeastZero(count, most))
	wide, limit := g.CopyInt(count), g.NewInt(int64(most))
	g.Use(asm.CMP, g.R64(wide), g.R64(limit))
	g.RMW(asm.CMOVG, g.R64(wide), g.R64(limit))
	if !g.EVEX && size < 4 {
		none := g.NewInt(0)
		g.Use(asm.CMP, g.R64(wide), g.R64(limit))
		g.RMW(asm.CMOVL, g.R64(wide), g.R64(none))
	}
	w.wide = g.SplatInt(u, wide)
	for i := range registers {
		there := g.NewMask()
		first, lanes := g.AtLeastZero(wide, i*g.Lanes), g.NewInt(int64(g.Lanes))
		g.Use(asm.CMP, g.R64(first), g.R64(lanes))
		g.RMW(asm.CMOVG, g.R64(first), g.R64(lanes))
		g.SetFirstLanes(there, first)
		w.there = append(w.there, there)
	}
	w.last = lir.Words(g.Unit, func(int) int { return g.Lanes - 1 })
	return w
}

// Elements is those that index numbers, as unsigned integers of their size. Lanes that are masked off, not all, have
// number 0 and are 0. Swapped is whether neighbours may have changed places, as by i ^ 1. Where some numbers are not in
// a window, or may not be the tensor's, others gives the elements.
func (w *Window) Elements(index lane.Lanes, mask *lane.Lanes, swapped bool, others func() lane.Lanes) lane.Lanes {
	g := w.g
	u, ix := dtype.Uint32, g.Reg(index, 0)
	first, near, z := g.NewVec(), g.NewVec(), g.NewVec()
	lanes := func(r lir.Reg) lane.Lanes { return lane.Lanes{D: u, R: [2]lir.Reg{r, r}} }
	ends := ix
	if swapped {
		ends = g.Reg(w.ends(index.As(u), mask), 0)
	}
	g.Def(asm.VPBROADCASTD, g.V(first), g.VW(ends, 16))
	begin := g.Prim(op.Minimum, u, lanes(first), w.begin)
	if mask == nil || swapped { // what descends begins with its last lane
		last := g.NewVec()
		g.Def(asm.VPERMD, g.V(last), g.V(w.last), g.V(ends))
		begin = g.Prim(op.Minimum, u, begin, lanes(last))
	}
	g.Def(asm.VPSUBD, g.V(near), g.V(ix), g.V(g.Reg(begin, 0)))
	away := g.Compare(op.Ge, u, lanes(near), w.wide)
	if mask != nil {
		away = g.PrimBool(op.And, []lane.Lanes{away, *mask})
	}
	close, done := g.NewLabel(), g.NewLabel()
	g.SkipUnlessAny(away, close)
	g.MoveVec(z, g.Reg(others(), 0))
	g.Jump(asm.JMP, done)
	g.Bind(close)
	at := g.NewReg(lir.GPR)
	g.Def(asm.VMOVD, g.R32(at), g.VW(g.Reg(begin, 0), 16))
	g.MoveVec(z, w.pick(near, at))
	if mask != nil {
		g.MoveVec(z, g.Reg(g.Blend(*mask, lanes(z), lane.Const(u, 0)), 0))
	}
	g.Bind(done)
	return lane.Lanes{D: w.d, R: [2]lir.Reg{z, z}}
}

// ends is numbers of which the first or the last lane has the smallest: each is the smaller of two neighbours', and
// those of lanes that are masked off are not small.
func (w *Window) ends(index lane.Lanes, mask *lane.Lanes) lane.Lanes {
	g := w.g
	u, r := dtype.Uint32, g.NewVec()
	if mask != nil {
		index = g.Blend(*mask, index, lane.Const(u, math.MaxUint32))
	}
	g.Def(asm.VPSHUFD, g.V(r), g.V(g.Reg(index, 0)), lir.Imm(0b10_11_00_01))
	return g.Prim(op.Minimum, u, index, lane.Lanes{D: u, R: [2]lir.Reg{r, r}})
}

// pick is elements of the window at one, which numbers count from there on.
func (w *Window) pick(near, at lir.Reg) lir.Reg {
	g := w.g
	size := w.d.Size()
	var parts [2]lir.Reg
	for i, there := range w.there {
		parts[i] = g.NewVec()
		from := lir.MemIndex(w.base, at, size, i*g.Lanes*size)
		switch {
		case g.EVEX:
			g.Def(extending(size), g.V(parts[i]), from.Sized(g.Lanes*size)).ZeroMasked(g.Reg(there, 0))
		case size < 4:
			g.Def(extending(size), g.V(parts[i]), from.Sized(g.Lanes*size))
		default:
			g.LoadReg(parts[i], from, size, g.Reg(there, 0))
		}
	}
	if g.EVEX {
		g.RMW(asm.VPERMI2D, g.V(near), g.V(parts[0]), g.V(parts[1]))
		return near
	}
	z := g.NewVec()
	g.Def(asm.VPERMD, g.V(z), g.V(near), g.V(parts[0]))
	return z
}
