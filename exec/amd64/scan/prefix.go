package scan

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// An Order says how a scan may combine.
type Order uint8

// Elements are combined one after another; or in any order, and none has any effect if it is 0; or in any order, and an
// element may take part more than once, as in a maximum.
const (
	InOrder Order = iota
	AnyOrder
	Repeatable
)

// OrderOf is how a scan by an op may combine: integers of a register's own sizes add up, and have a maximum, in any
// order.
func OrderOf(by op.Op, d dtype.DType) Order {
	if !d.IsInt() || d.Size() < 4 {
		return InOrder
	}
	switch by {
	case op.Add, op.Xor:
		return AnyOrder
	case op.Maximum, op.Minimum, op.And, op.Or:
		return Repeatable
	}
	return InOrder
}

// A prefix is what scans of rows of one element in any order need: a block is scanned within its registers, in steps
// that double (Hillis and Steele), while what is carried from block to block waits for one combination only.
type prefix struct {
	*Scan
	words  int             // of 4 bytes in an element
	zero   lir.Reg         // 0
	up     map[int]lir.Reg // numbers of the elements so many before, of elements that have none their own
	newest lir.Reg         // the last element's number
}

func (s *Scan) prefixes() {
	p := &prefix{Scan: s, words: s.In[0].cell() / 4, zero: s.NewVec(), up: map[int]lir.Reg{}}
	s.ZeroVec(p.zero)
	for by := 1; by < p.each() && !p.aligns(); by *= 2 {
		p.up[by] = p.numbers(func(i int) int {
			if i < by {
				return i
			}
			return i - by
		})
	}
	p.newest = p.numbers(func(int) int { return p.each() - 1 })
	s.UpTo(s.Outer*s.Size, s.Size, p.row)
}

// aligns reports whether elements move up by an instruction that fills with zeros.
func (p *prefix) aligns() bool { return p.Order == AnyOrder && p.EVEX }

// each is how many elements a register holds.
func (p *prefix) each() int { return p.Lanes / p.words }

// numbers is a register of the numbers of elements, by words.
func (p *prefix) numbers(of func(i int) int) lir.Reg {
	return lir.Words(p.Unit, func(i int) int { return of(i/p.words)*p.words + i%p.words })
}

// row scans the row that begins at element o. What is written behind its end is of the next row, and written again.
func (p *prefix) row(o lir.Reg) {
	in, out := p.In[0], p.Out[0]
	at := p.NewReg(lir.GPR)
	p.Move64(at, o)
	carried := lane.Lanes{D: in.D, R: [2]lir.Reg{p.zero, p.zero}}
	if p.Order == Repeatable {
		carried = p.LoadCell(in.D, lir.FrameIndex(at, in.cell(), in.Off))
	}
	carried = p.Variable(carried)
	block := func() {
		x := p.block(p.Load(lane.CellType(in.D), lir.FrameIndex(at, in.cell(), in.Off), nil).As(in.D))
		p.Store(p.combine(carried, x).As(lane.CellType(in.D)), lir.FrameIndex(at, out.cell(), out.Off), nil)
		last := p.permuted(p.newest, x.R[p.words-1])
		p.Assign(carried, p.combine(carried, lane.Lanes{D: in.D, R: [2]lir.Reg{last, last}}))
		p.RMW(asm.ADD, p.R64(at), lir.Imm(int64(p.Lanes)))
	}
	if p.Size <= p.Lanes {
		block()
		return
	}
	p.rounds((p.Size+p.Lanes-1)/p.Lanes, p.roundsTo(0, p.Lanes), block)
}

// block scans a block by itself.
func (p *prefix) block(x lane.Lanes) lane.Lanes {
	for by := 1; by < p.each(); by *= 2 {
		y := lane.Lanes{D: x.D}
		for h := range p.words {
			y.R[h] = p.shifted(x.R[h], by)
		}
		x = p.combine(y, x)
	}
	if p.words == 1 {
		return x
	}
	none := p.zero // for the first half
	if p.Order == Repeatable {
		none = x.R[0]
	}
	return p.combine(lane.Lanes{D: x.D, R: [2]lir.Reg{none, p.permuted(p.newest, x.R[0])}}, x)
}

func (p *prefix) combine(x, y lane.Lanes) lane.Lanes {
	return p.Combine([]lane.Lanes{x}, []lane.Lanes{y})[0]
}

// shifted is each element's one so many before: of those that have none 0, or their own if they may take part twice.
func (p *prefix) shifted(x lir.Reg, by int) lir.Reg {
	if p.aligns() {
		z := p.NewVec()
		p.Def(asm.VALIGND, p.V(z), p.V(x), p.V(p.zero), lir.Imm(int64(p.Lanes-by*p.words)))
		return z
	}
	z := p.permuted(p.up[by], x)
	if p.Order == AnyOrder {
		y := p.NewVec()
		p.Def(asm.VPBLENDD, p.V(y), p.V(z), p.V(p.zero), lir.Imm(1<<(by*p.words)-1))
		return y
	}
	return z
}

func (p *prefix) permuted(numbers, x lir.Reg) lir.Reg {
	z := p.NewVec()
	p.Def(asm.VPERMD, p.V(z), p.V(numbers), p.V(x))
	return z
}
