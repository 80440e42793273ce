package scan

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A prefix is what rows of elements in any order need: a block is scanned within its registers, in steps
// that double (Hillis and Steele), while what is carried from block to block waits for one combination only.
type prefix struct {
	*Row
	words  int             // of 4 bytes in an element
	none   lir.Reg         // what has no effect
	up     map[int]lir.Reg // numbers of the elements so many before, of elements that have none their own
	newest lir.Reg         // the last element's number
}

func newPrefix(r *Row) *prefix {
	d := laneType(r.Types[0])
	p := &prefix{Row: r, words: lane.CellSize(d) / 4, none: r.Builder.LoadConst(lane.Const(d, r.Neutral)), up: map[int]lir.Reg{}}
	for by := 1; by < p.each() && !p.aligns(); by *= 2 {
		p.up[by] = p.numbers(func(i int) int {
			if i < by {
				return i
			}
			return i - by
		})
	}
	p.newest = p.numbers(func(int) int { return p.each() - 1 })
	return p
}

// laneType is as what elements move from lane to lane: bools are numbers of all bits, or none.
func laneType(d dtype.DType) dtype.DType {
	if d == dtype.Bool {
		return dtype.Int32
	}
	return d
}

// lanes is elements as they move.
func (p *prefix) lanes(x lane.Lanes) lane.Lanes {
	switch i := dtype.Int32; {
	case x.D != dtype.Bool:
		return x
	case x.Known || p.Builder.EVEX:
		return p.Builder.Blend(x, lane.Const(i, math.MaxUint32), lane.Const(i, 0))
	}
	return x.As(dtype.Int32)
}

// elements is lanes as they combine, and as who scans them knows them.
func (p *prefix) elements(x lane.Lanes) lane.Lanes {
	g := p.Builder
	switch i := dtype.Int32; {
	case p.Types[0] != dtype.Bool:
		return x
	case g.EVEX:
		return g.Compare(op.Ne, i, x, lane.Const(i, 0))
	}
	return lane.Lanes{D: dtype.Bool, R: [2]lir.Reg{g.Reg(x, 0)}}
}

// aligns reports whether elements move up by an instruction that fills with what has no effect.
func (p *prefix) aligns() bool { return !p.Repeatable && p.Builder.EVEX }

// each is how many elements a register holds.
func (p *prefix) each() int { return p.Builder.Lanes / p.words }

// numbers is a register of the numbers of elements, by words.
func (p *prefix) numbers(of func(i int) int) lir.Reg {
	return lir.Words(p.Builder.Unit, func(i int) int { return of(i/p.words)*p.words + i%p.words })
}

// block is a block behind what is carried.
func (p *prefix) block(x lane.Lanes, carried lane.Lanes) lane.Lanes {
	x = p.alone(x)
	z := p.combine(carried, x)
	last := p.permuted(p.newest, x.R[p.words-1])
	p.Builder.Assign(carried, p.combine(carried, lane.Lanes{D: x.D, R: [2]lir.Reg{last, last}}))
	return z
}

// alone scans a block by itself.
func (p *prefix) alone(x lane.Lanes) lane.Lanes {
	for by := 1; by < p.each(); by *= 2 {
		y := lane.Lanes{D: x.D}
		for h := range p.words {
			y.R[h] = p.shifted(p.Builder.Reg(x, h), by)
		}
		x = p.combine(y, x)
	}
	if p.words == 1 {
		return x
	}
	none := p.none // for the first half
	if p.Repeatable {
		none = x.R[0]
	}
	return p.combine(lane.Lanes{D: x.D, R: [2]lir.Reg{none, p.permuted(p.newest, x.R[0])}}, x)
}

func (p *prefix) combine(x, y lane.Lanes) lane.Lanes {
	return p.lanes(p.Combine([]lane.Lanes{p.elements(x)}, []lane.Lanes{p.elements(y)})[0])
}

// shifted is each element's one so many before: of those that have none what has no effect, or
// their own if they may take part twice.
func (p *prefix) shifted(x lir.Reg, by int) lir.Reg {
	g := p.Builder
	if p.aligns() {
		z := g.NewVec()
		g.Def(asm.VALIGND, g.V(z), g.V(x), g.V(p.none), lir.Imm(int64(g.Lanes-by*p.words)))
		return z
	}
	z := p.permuted(p.up[by], x)
	if !p.Repeatable {
		y := g.NewVec()
		g.Def(asm.VPBLENDD, g.V(y), g.V(z), g.V(p.none), lir.Imm(1<<(by*p.words)-1))
		return y
	}
	return z
}

func (p *prefix) permuted(numbers, x lir.Reg) lir.Reg {
	g := p.Builder
	z := g.NewVec()
	g.Def(asm.VPERMD, g.V(z), g.V(numbers), g.V(x))
	return z
}
