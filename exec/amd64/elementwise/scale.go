package elementwise

import (
	"math"
	"sync"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Multiplication by powers of two, with which functions of the exponential family end.

// A vanishing is where a program raises an operand to a bound at which what it scales then is +0: by instruction
// clamp, and instruction scale; -1 if there is none. Lanes below need not be computed: to scale them down to nothing
// would be slow.
type vanishing struct{ clamp, scale int }

var vanishings sync.Map // of vanishing, by *op.Prog

func vanishingOf(p *op.Prog) vanishing {
	if v, ok := vanishings.Load(p); ok {
		return v.(vanishing)
	}
	v := vanishing{-1, -1}
	if len(p.In) == 1 {
		for i := range p.Body {
			if p.Body[i].Op != op.Scale {
				continue
			}
			for k := range i {
				if vanishesAt(p, k, i) {
					v = vanishing{k, i}
				}
			}
		}
	}
	vanishings.Store(p, v)
	return v
}

// vanishesAt reports whether instruction clamp raises what depends on the input to a constant, at which what
// instruction scale makes of that alone is +0, and nothing else reads what lies between them.
func vanishesAt(p *op.Prog, clamp, scale int) bool {
	inst, in := &p.Body[clamp], len(p.In)
	if inst.Op != op.MaximumNaN || inst.Args[1] < in || depends(p, in+scale, 0, in+clamp) ||
		depends(p, p.Out, in+clamp, in+scale) {
		return false
	}
	c := &p.Body[inst.Args[1]-in]
	if c.Op != op.Const {
		return false
	}
	x, z := dtype.NewBuf(inst.D, 1), dtype.NewBuf(inst.D, 1)
	x.SetBits(0, c.Bits)
	until := func(i int) uint64 {
		part := &op.Prog{In: p.In, Body: p.Body[:i+1], Out: in + i}
		part.Run(z, x)
		return z.Bits(0)
	}
	return until(clamp) == c.Bits && until(scale) == 0
}

// depends reports whether value v of a program depends on another, other than by way of a third.
func depends(p *op.Prog, v, on, past int) bool {
	reached := make([]bool, v+1) // without past
	for i := on; i <= v; i++ {
		reached[i] = i == on
		if k := i - len(p.In); k >= 0 && i > on {
			for _, a := range p.Body[k].Args[:p.Body[k].Op.Row().Arity] {
				reached[i] = reached[i] || reached[a] && i != past
			}
		}
	}
	return v >= on && reached[v]
}

// scaleWhere is x·2^n where a mask holds and +0 elsewhere.
func (g *Builder) scaleWhere(d dtype.DType, mask, x, n lane.Lanes) lane.Lanes {
	if !g.EVEX {
		none := lane.Const(d, 0)
		return g.Blend(mask, g.scaleBy(d, x, g.Blend(mask, n, none)), none)
	}
	m := g.MaskHalves(mask, d)
	return lane.EachHalf(d, func(i int) lir.Reg {
		r := g.NewVec()
		g.Def(lane.ByWidth(d, asm.VSCALEFPS, asm.VSCALEFPD), g.V(r), g.V(g.Reg(x, i)), g.Src(n, i)).Masked(m[i], true)
		return r
	})
}

// scaleBy is x·2^n rounded once. One multiplication does that where all 2^n are normal numbers.
func (g *Primitives) scaleBy(d dtype.DType, x, n lane.Lanes) lane.Lanes {
	if g.EVEX {
		return g.Op2(lane.ByWidth(d, asm.VSCALEFPS, asm.VSCALEFPD), d, x, n).Quieted()
	}
	most := lane.Const(dtype.Float32, uint64(math.Float32bits(126)))
	if d == dtype.Float64 {
		most = lane.Const(d, math.Float64bits(1022))
	}
	done := g.NewLabel()
	z := g.Variable(g.Op2(lane.ByWidth(d, asm.VMULPS, asm.VMULPD), d, x, g.pow2(d, n)))
	g.SkipUnlessAny(g.CompareFloat(lane.NotLe, d, g.Magnitude(d, n), most), done)
	g.Assign(z, g.scaleFar(d, x, n))
	g.Bind(done)
	return z.Quieted()
}

// scaleFar is scaleBy for any n.
func (g *Primitives) scaleFar(d dtype.DType, x, n lane.Lanes) lane.Lanes {
	if d == dtype.Float32 { // exact in float64, rounded once on the way back
		f, limit := dtype.Float64, func(v float32) lane.Lanes { return lane.Const(d, uint64(math.Float32bits(v))) }
		n = g.Prim(op.Maximum, d, g.Prim(op.Minimum, d, n, limit(512)), limit(-512))
		return g.Cast(d, g.Op2(asm.VMULPD, f, g.Cast(f, x), g.pow2(f, g.Cast(f, n))))
	}
	// As op's scale does it: steps of 2^1023 and 2^-969 first, at most two of each.
	n = g.Op2(asm.VMINPD, d, n, lane.Const(d, math.Float64bits(2200)))
	n = g.Op2(asm.VMAXPD, d, n, lane.Const(d, math.Float64bits(-2200)))
	for range 2 {
		var f lane.Lanes
		f, n = g.scaleStep(n, 1023, 1023, true)
		x = g.Op2(asm.VMULPD, d, x, f)
		f, n = g.scaleStep(n, -1022, -969, false)
		x = g.Op2(asm.VMULPD, d, x, f)
	}
	return g.Op2(asm.VMULPD, d, x, g.pow2(d, n))
}

// scaleStep is 2^by where n is beyond limit and 1 elsewhere, and what is left of n.
func (g *Primitives) scaleStep(n lane.Lanes, limit, by float64, above bool) (f, rest lane.Lanes) {
	d := dtype.Float64
	c := func(v float64) lane.Lanes { return lane.Const(d, math.Float64bits(v)) }
	o := op.Lt
	if above {
		o = op.Gt
	}
	beyond := g.Compare(o, d, n, c(limit))
	f = g.Blend(beyond, c(math.Ldexp(1, int(by))), c(1))
	return f, g.Op2(asm.VSUBPD, d, n, g.Blend(beyond, c(by), c(0)))
}

// pow2 is 2^n for integral lanes within the normal range: n is added to the exponent of a number whose last bits then
// are n's.
func (g *Primitives) pow2(d dtype.DType, n lane.Lanes) lane.Lanes {
	if d == dtype.Float32 {
		t := g.Op2(asm.VADDPS, d, n, lane.Const(d, uint64(math.Float32bits(0x1.8p23+127))))
		return g.Op1(asm.VPSLLD, d, t, lir.Imm(23))
	}
	t := g.Op2(asm.VADDPD, d, n, lane.Const(d, math.Float64bits(0x1.8p52+1023)))
	return g.Op1(asm.VPSLLQ, d, t, lir.Imm(52))
}
