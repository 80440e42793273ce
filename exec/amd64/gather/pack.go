package gather

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A Pack is the lanes that a mask lets through, block after block, side by side in the frame.
type Pack struct {
	g        *elementwise.Builder
	d        dtype.DType // of the elements in the tensor
	most     int         // elements that it has room for, and a block
	Count    lir.Reg
	elements int
	fronts   int // with AVX2, in the frame: numbers of the lanes that have a bit, for each eight bits
}

// MayPack reports whether elements of type d, which lanes of type from become, can be in a Pack.
func MayPack(d, from dtype.DType) bool {
	return d != dtype.Bool && from != dtype.Bool && lane.Wide(from) == lane.Wide(d)
}

// NewPack is an empty pack.
func NewPack(g *elementwise.Builder, d dtype.DType, most int) *Pack {
	p := &Pack{g: g, d: d, most: most, Count: g.NewInt(0)}
	p.elements = g.Alloc(d.Size() * (most + g.Lanes))
	if !g.EVEX {
		p.fronts = fronts(g)
	}
	return p
}

// fronts has what Pack.fronts says in the frame, and behind it the same of lanes of 8 bytes, for each four bits.
func fronts(g *elementwise.Builder) int {
	for _, d := range g.Data {
		if len(d.Bytes) == frontBytes {
			return d.Off
		}
	}
	b := make([]byte, frontBytes)
	for i := range 256 {
		n := 8 * i
		for lane := range 8 {
			if i>>lane&1 != 0 {
				b[n] = byte(lane)
				n++
			}
		}
	}
	for i := range 16 {
		n := wideFronts + 8*i
		for lane := range 4 {
			if i>>lane&1 != 0 {
				b[n], b[n+1] = byte(2*lane), byte(2*lane+1)
				n += 2
			}
		}
	}
	off := g.Alloc(len(b))
	g.Data = append(g.Data, elementwise.Data{Off: off, Bytes: b})
	return off
}

const (
	wideFronts = 8 * 256 // where those of lanes of 8 bytes begin
	frontBytes = wideFronts + 8*16
)

// Add adds a block's lanes that a mask lets through, nil for all.
func (p *Pack) Add(x lane.Lanes, on *lane.Lanes) {
	g := p.g
	if on == nil {
		g.StoreAs(p.d, x, p.end(), nil)
		g.RMW(asm.ADD, g.R64(p.Count), lir.Imm(int64(g.Lanes)))
		return
	}
	bits := g.MaskBits(on)
	if lane.Wide(x.D) && !x.Known {
		p.addHalves(x, on, bits)
		return
	}
	if !x.Known {
		r := g.NewVec()
		if g.EVEX {
			g.Def(asm.VCOMPRESSPS, g.V(r), g.V(x.R[0])).ZeroMasked(g.Reg(*on, 0))
		} else {
			g.Def(asm.VPERMD, g.V(r), g.V(p.front(bits, p.fronts)), g.V(x.R[0]))
		}
		x.R = [2]lir.Reg{r, r}
	}
	g.StoreAs(p.d, x, p.end(), nil)
	p.counted(bits)
}

// addHalves is Add of lanes of 8 bytes, the lanes of a register after the other's.
func (p *Pack) addHalves(x lane.Lanes, on *lane.Lanes, bits lir.Reg) {
	g := p.g
	var masks [2]lir.Reg
	if g.EVEX {
		masks = g.MaskHalves(*on, x.D)
	}
	half := g.Lanes / 2
	for h, x := range x.R {
		r, some := g.NewVec(), g.CopyInt(bits)
		if h == 0 {
			g.RMW(asm.AND, g.R64(some), lir.Imm(int64(1<<half-1)))
		} else {
			g.RMW(asm.SHR, g.R64(some), lir.Imm(int64(half)))
		}
		if g.EVEX {
			g.Def(asm.VCOMPRESSPD, g.V(r), g.V(x)).ZeroMasked(masks[h])
		} else {
			g.Def(asm.VPERMD, g.V(r), g.V(p.front(some, p.fronts+wideFronts)), g.V(x))
		}
		g.Use(asm.VMOVUPS, p.end().Sized(g.Bytes), g.V(r))
		p.counted(some)
	}
}

// front is the numbers of lanes that have a bit, in a table.
func (p *Pack) front(bits lir.Reg, table int) lir.Reg {
	g := p.g
	r := g.NewVec()
	g.Def(asm.VPMOVZXBD, g.V(r), lir.FrameIndex(bits, 8, table).Sized(8))
	return r
}

// end is where the next element goes.
func (p *Pack) end() lir.Arg { return lir.FrameIndex(p.Count, p.d.Size(), p.elements) }

// counted counts the bits of a mask.
func (p *Pack) counted(bits lir.Reg) {
	g := p.g
	n := g.NewReg(lir.GPR)
	g.Def(asm.POPCNT, g.R32(n), g.R32(bits))
	g.RMW(asm.ADD, g.R64(p.Count), g.R64(n))
}

// CopyTo copies the elements, of which there is one, to memory from an address on, so many elements apart.
func (p *Pack) CopyTo(to lir.Arg, apart int64) {
	g := p.g
	size := p.d.Size()
	if apart == 1 {
		CopyRow(g.Memory, size, to, lir.Frame(p.elements), p.Count)
		return
	}
	at, j := g.NewReg(lir.GPR), g.NewInt(0)
	g.Def(asm.LEA, g.R64(at), to)
	copy := func(count int) func(j lir.Reg) {
		return func(j lir.Reg) {
			for i := range count {
				from := lir.FrameIndex(j, size, p.elements+i*size)
				g.CopyElement(size, g.NewReg(lir.GPR), lir.Mem(at, 0), from)
				g.AddConst(at, apart*int64(size))
			}
		}
	}
	const together = 4
	end := g.CopyInt(p.Count)
	g.RMW(asm.AND, g.R64(end), lir.Imm(-together))
	g.Onward(j, g.R64(end), together, p.most/together, copy(together))
	g.Onward(j, g.R64(p.Count), 1, together, copy(1))
}
