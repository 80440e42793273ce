package lane

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Masks of lanes, and lanes by number.

// NewMask is a mask to be set by SetFirstLanes.
func (g *Vectors) NewMask() Lanes {
	c := lir.Vec
	if g.EVEX {
		c = lir.Mask
	}
	return Lanes{D: dtype.Bool, R: [2]lir.Reg{g.NewReg(c)}}
}

// SetFirstLanes makes a mask hold in as many lanes as a register says, which is not
// negative.
func (g *Vectors) SetFirstLanes(mask Lanes, count lir.Reg) {
	if g.EVEX {
		bits := g.NewReg(lir.GPR)
		g.Def(asm.BZHI, g.R64(bits), g.R64(g.NewInt(-1)), g.R64(count))
		g.Def(asm.KMOVW, g.K(mask.R[0]), g.R32(bits))
		return
	}
	// count > lane number
	t, u := g.SplatInt(dtype.Int32, count), g.Iota(0)
	g.Def(asm.VPCMPGTD, g.V(mask.R[0]), g.V(t.R[0]), g.V(u.R[0]))
}

// FirstLanes is a mask of so many first lanes.
func FirstLanes(g *Vectors, count int) Lanes {
	mask := g.NewMask()
	g.SetFirstLanes(mask, g.NewInt(int64(count)))
	mask.First, mask.Surely, mask.Leading = count, true, true
	return mask
}

// TailMasks is masks, to be set by SetFirstLanes, of so many elements in as many blocks, if that is known for sure; or of
// most likely so many.
func TailMasks(g *Vectors, blocks, elements int, surely bool) []Lanes {
	masks := make([]Lanes, blocks)
	for i := range masks {
		masks[i] = g.NewMask()
		masks[i].Leading = true
		if lanes := min(elements-i*g.Lanes, g.Lanes); lanes > 0 {
			masks[i].First, masks[i].Surely = lanes, surely
		}
	}
	return masks
}

// Iota is off, off+1, ... as int32 lanes.
func (g *Vectors) Iota(off int) Lanes {
	b := make([]byte, g.Bytes)
	for i := range g.Lanes {
		b[4*i] = byte(off + i)
		b[4*i+1] = byte((off + i) >> 8)
	}
	r := g.NewVec()
	move := asm.VMOVDQU
	if g.EVEX {
		move = asm.VMOVDQU32
	}
	g.Def(move, g.V(r), g.BytesConst(b))
	return Lanes{D: dtype.Int32, R: [2]lir.Reg{r, r}}
}

// Multiples is 0, by, 2·by, ... as int32 lanes.
func (g *Vectors) Multiples(by int) Lanes {
	r := lir.Words(g.Unit, func(i int) int { return i * by })
	return Lanes{D: dtype.Int32, R: [2]lir.Reg{r, r}}
}

// ConstMask is a mask register or vector of all or no lanes.
func (g *Vectors) ConstMask(on bool) lir.Reg {
	if !g.EVEX {
		r := g.NewVec()
		if on {
			g.Idiom(asm.VPCMPEQD, g.V(r))
		} else {
			g.ZeroVec(r)
		}
		return r
	}
	k := g.NewReg(lir.Mask)
	o := asm.KXORW
	if on {
		o = asm.KXNORW
	}
	g.Idiom(o, g.K(k))
	return k
}

// MaskHalves is a mask as it applies to each register of lanes of type d.
func (g *Vectors) MaskHalves(mask Lanes, d dtype.DType) (m [2]lir.Reg) {
	k := g.Reg(mask, 0)
	m[0], m[1] = k, k
	if !Wide(d) {
		return m
	}
	if g.EVEX {
		m[1] = g.NewReg(lir.Mask)
		g.Def(asm.KSHIFTRW, g.K(m[1]), g.K(k), lir.Imm(8))
		return m
	}
	m[0], m[1] = g.NewVec(), g.NewVec()
	g.Def(asm.VPMOVSXDQ, g.V(m[0]), g.VW(k, 16))
	hi := g.NewVec()
	g.Def(asm.VEXTRACTI128, g.VW(hi, 16), g.V(k), lir.Imm(1))
	g.Def(asm.VPMOVSXDQ, g.V(m[1]), g.VW(hi, 16))
	return m
}

// SplatBool is a 0 or 1 as a mask of no or all lanes.
func (g *Vectors) SplatBool(x lir.Reg) Lanes {
	t := g.CopyInt(x)
	g.RMW(asm.NEG, g.R64(t))
	if g.EVEX {
		k := g.NewReg(lir.Mask)
		g.Def(asm.KMOVD, g.K(k), g.R32(t))
		return Lanes{D: dtype.Bool, R: [2]lir.Reg{k}}
	}
	z := g.SplatInt(dtype.Int32, t)
	return Lanes{D: dtype.Bool, R: [2]lir.Reg{z.R[0]}, Leading: true}
}

// MaskReg is the register of a mask that may be absent.
func (g *Vectors) MaskReg(mask *Lanes) lir.Reg {
	if mask == nil {
		return 0
	}
	return g.Reg(*mask, 0)
}

// MaskBits is a mask as bits in a general register.
func (g *Vectors) MaskBits(mask *Lanes) lir.Reg {
	if mask == nil {
		return g.NewInt(1<<g.Lanes - 1)
	}
	r := g.NewReg(lir.GPR)
	if g.EVEX {
		g.Def(asm.KMOVW, g.R32(r), g.K(g.Reg(*mask, 0)))
	} else {
		g.Def(asm.VMOVMSKPS, g.R32(r), g.V(g.Reg(*mask, 0)))
	}
	return r
}

// Both is where two masks hold, of which one may be known to hold everywhere.
func (g *Vectors) Both(x, y Lanes) Lanes {
	switch {
	case x.Known && x.Bits != 0:
		return y
	case y.Known && y.Bits != 0:
		return x
	}
	return g.PrimBool(op.And, []Lanes{x, y})
}

// SkipUnlessAny jumps to label if no lane of a mask is set.
func (g *Vectors) SkipUnlessAny(mask Lanes, label int) {
	m := g.Reg(mask, 0)
	if g.EVEX {
		g.Use(asm.KORTESTW, g.K(m), g.K(m))
	} else {
		g.Use(asm.VPTEST, g.V(m), g.V(m))
	}
	g.Jump(asm.JE, label)
}

// PrimBool is a primitive op on masks.
func (g *Vectors) PrimBool(o op.Op, in []Lanes) Lanes {
	b := dtype.Bool
	switch o {
	case op.Neg, op.Abs, op.FloorDiv: // by true: who divides by false has failed
		return in[0]
	case op.Mod:
		return Const(b, 0)
	case op.Not:
		return g.PrimBool(op.Xor, []Lanes{in[0], {D: b, Known: true, Bits: 1}})
	case op.Shl, op.Shr:
		in = []Lanes{in[1], in[0]}
	}
	row := &table[o]
	x, y := g.Reg(in[0], 0), g.Reg(in[1], 0)
	if g.EVEX {
		r := g.NewReg(lir.Mask)
		g.Def(row.mask, g.K(r), g.K(x), g.K(y))
		z := Lanes{D: b, R: [2]lir.Reg{r}}
		if o == op.And {
			z.Most = max(in[0].Most, in[1].Most)
		}
		return z
	}
	z := Lanes{D: b, R: [2]lir.Reg{g.NewVec()}, Leading: o == op.And && in[0].Leading && in[1].Leading}
	g.Def(row.vex, g.V(z.R[0]), g.V(x), g.V(y))
	if o == op.And {
		z.First, z.Surely = min(firstOf(g, &in[0]), firstOf(g, &in[1])), in[0].Surely && in[1].Surely
	}
	return z
}

// firstOf is how many first lanes a mask lets through most likely.
func firstOf(g *Vectors, mask *Lanes) int {
	if mask.First > 0 {
		return mask.First
	}
	return g.Lanes
}
