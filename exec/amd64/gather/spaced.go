package gather

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
)

// StoreStrided stores a block of elements from an address on, a step apart, which is not one element, in ascending
// order. Where a mask excludes a lane nothing is touched.
func StoreStrided(g *elementwise.Builder, x lane.Lanes, at lir.Arg, step lane.Stride, mask *lane.Lanes) {
	switch by := int(step.N) / x.D.Size(); {
	case by == -1:
		g.StoreBackwards(x, at, mask)
	case step.R == 0 && mayMaskApart(g, by) && (mask != nil || by*x.D.Size() < 32):
		storeApart(g, x, at, by, mask)
	case mask == nil && lane.Wide(x.D):
		storeWide(g, x, at, step)
	default:
		g.StoreOneByOne(x, at, step, mask)
	}
}

// storeWide is a block of elements of 8 bytes, stored from registers of two of them.
func storeWide(g *elementwise.Builder, x lane.Lanes, at lir.Arg, step lane.Stride) {
	var two lir.Reg
	lane.AllLanes(g.Unit, at, step, func(i int, at lir.Arg) {
		half := g.Bytes / 8
		if i%2 == 0 {
			two = quarter(g, g.Reg(x, i/half), i%half/2)
		} else {
			upper := g.NewVec()
			g.Def(asm.VUNPCKHPD, g.VW(upper, 16), g.VW(two, 16), g.VW(two, 16))
			two = upper
		}
		g.Use(asm.VMOVQ, at, g.VW(two, 16))
	})
}

// storeApart stores a block of elements by elements apart, if mayMaskApart: as vectors of all that lies between, under
// masks that leave that as it is.
func storeApart(g *elementwise.Builder, x lane.Lanes, at lir.Arg, by int, mask *lane.Lanes) {
	size := x.D.Size()
	if size < 4 {
		storeNarrow(g, x, at, by, mask)
		return
	}
	m := merging{g, size, by, g.Bytes / size}
	for h := range lane.Halves(x.D) {
		on := places(g, mask, h*m.lanes, m.lanes, by)
		for k := range by {
			index := m.numbers(func(i int) int { return (k*m.lanes + i) / by })
			z := g.NewVec()
			g.Def(m.either(asm.VPERMD, asm.VPERMQ), g.V(z), g.V(index), g.V(g.Reg(x, h)))
			g.StoreReg(at.Plus((h*by+k)*g.Bytes), z, size, m.mask(on, k*m.lanes))
		}
	}
}

// storeNarrow is storeApart of elements of 1 or 2 bytes: each moves as part of a word, in which it is shifted into
// place.
func storeNarrow(g *elementwise.Builder, x lane.Lanes, at lir.Arg, by int, mask *lane.Lanes) {
	size := x.D.Size()
	tmp, r := lir.Frame(g.Alloc(g.Lanes*size)), g.NewVec()
	g.Store(x, tmp, nil)
	move, extend := asm.VMOVDQU16, asm.VPMOVZXWD
	if size == 1 {
		move, extend = asm.VMOVDQU8, asm.VPMOVZXBD
	}
	g.Def(extend, g.V(r), tmp.Sized(g.Lanes*size))
	if size == 1 && by%2 != 0 {
		left, shifted := lir.Words(g.Unit, func(i int) int { return i * by % 2 * 8 }), g.NewVec()
		g.Def(asm.VPSLLVD, g.V(shifted), g.V(r), g.V(left))
		r = shifted
	}
	on := places(g, mask, 0, g.Lanes, by)
	for first := 0; first <= (g.Lanes-1)*by*size/2; first += g.Bytes / 2 {
		if first != 0 {
			on = g.CopyInt(on)
			g.RMW(asm.SHR, g.R64(on), lir.Imm(int64(g.Bytes/2)))
		}
		z, k := g.NewVec(), g.NewReg(lir.Mask)
		g.Def(asm.VPERMW, g.V(z), g.V(wordsOfLanes(g, size, by, first)), g.V(r))
		g.Def(asm.KMOVQ, g.K(k), g.R64(on))
		g.Use(move, at.Plus(2*first), g.V(z)).Masked(k, false)
	}
}

// wordsOfLanes is, for each word from one on, that of the lane whose element of size bytes lies in it, by elements
// apart; for others any.
func wordsOfLanes(g *elementwise.Builder, size, by, first int) lir.Reg {
	of := make([]int, g.Bytes/2)
	for i := range g.Lanes {
		if at := i*by*size/2 - first; at >= 0 && at < len(of) {
			of[at] = 2 * i
		}
	}
	return lir.Words(g.Unit, func(i int) int { return of[2*i] | of[2*i+1]<<16 })
}
