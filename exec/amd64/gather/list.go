package gather

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A List is elements that go to a tensor and the numbers of those that they replace, in order, in the frame. Lanes that
// are masked off are not in it: a block's others are moved together ahead of them.
type List struct {
	g                *elementwise.Builder
	d                dtype.DType // of the elements in the tensor
	most             int         // elements that it has room for, and a block
	cell             int         // bytes of an element: with AVX2 those of a lane
	Count            lir.Reg
	Places, elements int
	shuffles         int // with AVX2, in the frame: moves the lanes of 16 bytes that have a bit to the front
}

// MayList reports whether elements of type d, which lanes of type from become, can be in a List.
func MayList(d, from dtype.DType) bool {
	return d.Size() <= 4 && d != dtype.Bool && from != dtype.Bool && !lane.Wide(from)
}

// NewList is an empty list. Behind its end are so many numbers that may be read.
func NewList(g *elementwise.Builder, d dtype.DType, most, behind int) *List {
	l := &List{g: g, d: d, most: most, cell: d.Size(), Count: g.NewInt(0)}
	if !g.EVEX {
		l.cell, l.shuffles = lane.CellSize(d), shuffles(g)
	}
	l.Places, l.elements = g.Alloc(4*(most+g.Lanes+behind)), g.Alloc(l.cell*(most+g.Lanes))
	return l
}

// shuffles puts what List.shuffles says into the frame.
func shuffles(g *elementwise.Builder) int {
	off, r := g.Alloc(16*16), g.NewVec()
	for first := 0; first < 16; first += 2 {
		var b []byte
		for bits := first; bits < first+2; bits++ {
			for i := range 4 {
				if bits>>i&1 != 0 {
					b = append(b, byte(4*i), byte(4*i+1), byte(4*i+2), byte(4*i+3))
				}
			}
			b = append(b, make([]byte, (16*(bits-first+1))-len(b))...)
		}
		g.Def(asm.VMOVUPS, g.V(r), g.BytesConst(b))
		g.Use(asm.VMOVUPS, lir.Frame(off+16*first), g.V(r))
	}
	return off
}

// Add adds a block's lanes that a mask lets through.
func (l *List) Add(places, x lane.Lanes, on *lane.Lanes) {
	g := l.g
	if !g.EVEX {
		l.addFours(places, l.cells(x), on)
		return
	}
	if on != nil {
		places, x = l.together(places, *on), l.together(x, *on)
	}
	g.Store(places, lir.FrameIndex(l.Count, 4, l.Places), nil)
	g.StoreAs(l.d, x, lir.FrameIndex(l.Count, l.d.Size(), l.elements), nil)
	if on == nil {
		g.RMW(asm.ADD, g.R64(l.Count), lir.Imm(int64(g.Lanes)))
		return
	}
	n, bits := g.NewReg(lir.GPR), g.MaskBits(on)
	g.Def(asm.POPCNT, g.R32(n), g.R32(bits))
	g.RMW(asm.ADD, g.R64(l.Count), g.R64(n))
}

// AddFirst is Add with AVX2 of a block's first lanes: all, or those of a tail. They may be of 8 bytes.
func (l *List) AddFirst(places, x lane.Lanes, tail *lane.Lanes) {
	g := l.g
	g.Store(places, lir.FrameIndex(l.Count, 4, l.Places), nil)
	g.Store(l.cells(x), lir.FrameIndex(l.Count, l.cell, l.elements), nil)
	if tail == nil {
		g.RMW(asm.ADD, g.R64(l.Count), lir.Imm(int64(g.Lanes)))
		return
	}
	n := g.NewReg(lir.GPR)
	g.Def(asm.POPCNT, g.R32(n), g.R32(g.MaskBits(tail)))
	g.RMW(asm.ADD, g.R64(l.Count), g.R64(n))
}

// cells is lanes that begin with the elements that x becomes.
func (l *List) cells(x lane.Lanes) lane.Lanes {
	g := l.g
	u, size := dtype.Uint32, l.d.Size()
	if size == 8 {
		return x.As(dtype.Uint64)
	}
	if !l.d.IsFloat() || size == 4 {
		return x.As(u)
	}
	tmp := lir.Frame(g.Alloc(size * g.Lanes))
	g.StoreAs(l.d, x, tmp, nil)
	return g.Load(unsigned(size), tmp, nil).As(u)
}

// addFours is Add with AVX2: four lanes at a time are shuffled as their bits say.
func (l *List) addFours(places, x lane.Lanes, on *lane.Lanes) {
	g := l.g
	at := func(off int) lir.Arg { return lir.FrameIndex(l.Count, 4, off) }
	if on == nil || x.Known {
		g.Store(x, at(l.elements), nil)
	}
	if on == nil {
		g.Store(places, at(l.Places), nil)
		g.RMW(asm.ADD, g.R64(l.Count), lir.Imm(int64(g.Lanes)))
		return
	}
	bits := g.MaskBits(on)
	for k := range g.Lanes / 4 {
		four, n := g.CopyInt(bits), g.NewReg(lir.GPR)
		if k == 0 {
			g.RMW(asm.AND, g.R64(four), lir.Imm(15))
		} else {
			g.RMW(asm.SHR, g.R64(four), lir.Imm(4))
		}
		l.shuffled(places, k, four, at(l.Places))
		if !x.Known {
			l.shuffled(x, k, four, at(l.elements))
		}
		g.Def(asm.POPCNT, g.R32(n), g.R32(four))
		g.RMW(asm.ADD, g.R64(l.Count), g.R64(n))
	}
}

// shuffled stores four lanes from lane 4·k on, those with a bit ahead of the others.
func (l *List) shuffled(x lane.Lanes, k int, bits lir.Reg, to lir.Arg) {
	g := l.g
	twice, z := g.NewReg(lir.GPR), g.NewVec()
	g.Def(asm.LEA, g.R64(twice), lir.MemIndex(bits, bits, 1, 0))
	by := lir.FrameIndex(twice, 8, l.shuffles).Sized(16)
	g.Def(asm.VPSHUFB, g.VW(z, 16), g.VW(quarter(g, g.Reg(x, 0), k), 16), by)
	g.Use(asm.VMOVUPS, to.Sized(16), g.VW(z, 16))
}

// together moves the lanes that a mask lets through to the front; the others are 0.
func (l *List) together(x lane.Lanes, on lane.Lanes) lane.Lanes {
	g := l.g
	if x.Known {
		return x
	}
	r := g.NewVec()
	g.Def(asm.VCOMPRESSPS, g.V(r), g.V(g.Reg(x, 0))).ZeroMasked(g.Reg(on, 0))
	x.R = [2]lir.Reg{r, r}
	return x
}

// Scatter copies the elements to the tensor, with AVX2 a block of them in a round.
func (l *List) Scatter(base lir.Reg) {
	g := l.g
	j := g.NewInt(0)
	l.blocks(j, func(j lir.Reg) { l.block(base, j) })
	g.Onward(j, g.R64(l.Count), 1, l.most, func(j lir.Reg) { l.one(base, j) })
}

// blocks writes a loop from j over full blocks.
func (l *List) blocks(j lir.Reg, body func(j lir.Reg)) {
	g := l.g
	end := g.CopyInt(l.Count)
	g.RMW(asm.AND, g.R64(end), lir.Imm(int64(-g.Lanes)))
	g.Onward(j, g.R64(end), g.Lanes, l.most/g.Lanes, body)
}

// ScatterAhead is Scatter that prefetches for an element so many ahead, for which the list has numbers behind its end.
func (l *List) ScatterAhead(base lir.Reg, ahead int) {
	g := l.g
	zero := g.NewVec()
	g.ZeroVec(zero)
	for i := 0; i < ahead; i += g.Lanes {
		g.Use(asm.VMOVUPS, lir.FrameIndex(l.Count, 4, l.Places+4*i), g.V(zero))
	}
	fetch := func(_ Lane, place lir.Reg) { g.Use(asm.PREFETCHW, lir.MemIndex(base, place, l.d.Size(), 0).Sized(1)) }
	number := func(j lir.Reg, off int) lir.Reg { return l.place(lir.FrameIndex(j, 4, l.Places+4*off)) }
	g.UpTo(ahead, 1, func(j lir.Reg) { fetch(Lane{}, number(j, 0)) })
	j := g.NewInt(0)
	if !g.EVEX {
		l.blocks(j, func(j lir.Reg) {
			Each(g, Lane{j, ahead}, g.Lanes, l.Places, fetch)
			l.block(base, j)
		})
	}
	g.Onward(j, g.R64(l.Count), 1, l.most, func(j lir.Reg) {
		fetch(Lane{}, number(j, ahead))
		l.one(base, j)
	})
}

// MayScatterRows reports whether elements lie in the list as they do in the tensor.
func (l *List) MayScatterRows() bool { return l.cell == l.d.Size() }

// ScatterRows is Scatter that copies a block at once if it is a row.
func (l *List) ScatterRows(base lir.Reg) {
	g := l.g
	j := g.NewInt(0)
	l.blocks(j, func(j lir.Reg) {
		behind, index := g.NewLabel(), g.Load(dtype.Int32, lir.FrameIndex(j, 4, l.Places), nil)
		size := l.d.Size()
		row(g, size, index, behind, func(first lir.Reg, off int) (lir.Arg, lir.Arg) {
			return lir.FrameIndex(j, size, l.elements+off), lir.MemIndex(base, first, size, off)
		})
		l.block(base, j)
		g.Bind(behind)
	})
	g.Onward(j, g.R64(l.Count), 1, g.Lanes, func(j lir.Reg) { l.one(base, j) })
}

// block copies a block of elements to the tensor, one by one.
func (l *List) block(base, j lir.Reg) {
	Each(l.g, Lane{j, 0}, l.g.Lanes, l.Places, func(i Lane, place lir.Reg) { l.copy(base, i, place) })
}

// one copies an element to the tensor.
func (l *List) one(base, j lir.Reg) {
	l.copy(base, Lane{j, 0}, l.place(lir.FrameIndex(j, 4, l.Places)))
}

func (l *List) copy(base lir.Reg, i Lane, place lir.Reg) {
	size := l.d.Size()
	l.g.CopyElement(size, l.g.NewReg(lir.GPR), lir.MemIndex(base, place, size, 0), i.In(l.cell, l.elements))
}

// place is a number of the list.
func (l *List) place(at lir.Arg) lir.Reg {
	g := l.g
	r := g.NewReg(lir.GPR)
	g.Def(asm.MOV, g.R32(r), at)
	return r
}
