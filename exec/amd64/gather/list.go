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
	*elementwise.Builder
	d                dtype.DType // of the elements in the tensor
	most             int         // elements that it has room for, and a block
	Count            lir.Reg
	Places, elements int
}

// MayList reports whether elements of type d, which lanes of type from become, can be in a List.
func MayList(g *elementwise.Builder, d, from dtype.DType) bool {
	return g.EVEX && d.Size() <= 4 && d != dtype.Bool && from != dtype.Bool && !lane.Wide(from)
}

// NewList is an empty list. Behind its end are so many numbers that may be read.
func NewList(g *elementwise.Builder, d dtype.DType, most, behind int) *List {
	l := &List{Builder: g, d: d, most: most, Count: g.NewInt(0)}
	l.Places, l.elements = g.Alloc(4*(most+g.Lanes+behind)), g.Alloc(d.Size()*(most+g.Lanes))
	return l
}

// Add adds a block's lanes that a mask lets through.
func (l *List) Add(places, x lane.Lanes, on *lane.Lanes) {
	if on != nil {
		places, x = l.together(places, *on), l.together(x, *on)
	}
	l.Store(places, lir.FrameIndex(l.Count, 4, l.Places), nil)
	l.StoreAs(l.d, x, lir.FrameIndex(l.Count, l.d.Size(), l.elements), nil)
	if on == nil {
		l.RMW(asm.ADD, l.R64(l.Count), lir.Imm(int64(l.Lanes)))
		return
	}
	n, bits := l.NewReg(lir.GPR), l.MaskBits(on)
	l.Def(asm.POPCNT, l.R32(n), l.R32(bits))
	l.RMW(asm.ADD, l.R64(l.Count), l.R64(n))
}

// together moves the lanes that a mask lets through to the front; the others are 0.
func (l *List) together(x lane.Lanes, on lane.Lanes) lane.Lanes {
	if x.Known {
		return x
	}
	r := l.NewVec()
	l.Def(asm.VCOMPRESSPS, l.V(r), l.V(l.Reg(x, 0))).ZeroMasked(l.Reg(on, 0))
	x.R = [2]lir.Reg{r, r}
	return x
}

// Scatter copies the elements to the tensor.
func (l *List) Scatter(base lir.Reg) {
	l.Onward(l.NewInt(0), l.R64(l.Count), 1, l.most, func(j lir.Reg) { l.one(base, j) })
}

// ScatterAhead is Scatter that prefetches for an element so many ahead, for which the list has numbers behind its end.
func (l *List) ScatterAhead(base lir.Reg, ahead int) {
	zero := l.NewVec()
	l.ZeroVec(zero)
	for i := 0; i < ahead; i += l.Lanes {
		l.Use(asm.VMOVUPS, lir.FrameIndex(l.Count, 4, l.Places+4*i), l.V(zero))
	}
	fetch := func(at lir.Arg) {
		l.Use(asm.PREFETCHW, lir.MemIndex(base, l.place(at), l.d.Size(), 0).Sized(1))
	}
	l.UpTo(ahead, 1, func(j lir.Reg) { fetch(lir.FrameIndex(j, 4, l.Places)) })
	l.Onward(l.NewInt(0), l.R64(l.Count), 1, l.most, func(j lir.Reg) {
		fetch(lir.FrameIndex(j, 4, l.Places+4*ahead))
		l.one(base, j)
	})
}

// ScatterRows is Scatter that copies a block at once if it is a row.
func (l *List) ScatterRows(base lir.Reg) {
	blocks, j := l.CopyInt(l.Count), l.NewInt(0)
	l.RMW(asm.AND, l.R64(blocks), lir.Imm(int64(-l.Lanes)))
	l.Onward(j, l.R64(blocks), l.Lanes, l.most/l.Lanes, func(j lir.Reg) {
		behind, index := l.NewLabel(), l.Load(dtype.Int32, lir.FrameIndex(j, 4, l.Places), nil)
		size := l.d.Size()
		row(l.Builder, size, index, behind, func(first lir.Reg, off int) (lir.Arg, lir.Arg) {
			return lir.FrameIndex(j, size, l.elements+off), lir.MemIndex(base, first, size, off)
		})
		Each(l.Builder, Lane{j, 0}, l.Lanes, l.Places, func(i Lane, place lir.Reg) {
			l.CopyElement(size, l.NewReg(lir.GPR), lir.MemIndex(base, place, size, 0), i.In(size, l.elements))
		})
		l.Bind(behind)
	})
	l.Onward(j, l.R64(l.Count), 1, l.Lanes, func(j lir.Reg) { l.one(base, j) })
}

// one copies an element to the tensor.
func (l *List) one(base, j lir.Reg) {
	size := l.d.Size()
	to := lir.MemIndex(base, l.place(lir.FrameIndex(j, 4, l.Places)), size, 0)
	l.CopyElement(size, l.NewReg(lir.GPR), to, lir.FrameIndex(j, size, l.elements))
}

// place is a number of the list.
func (l *List) place(at lir.Arg) lir.Reg {
	r := l.NewReg(lir.GPR)
	l.Def(asm.MOV, l.R32(r), at)
	return r
}
