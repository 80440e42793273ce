package elementwise

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Integers of up to 32 bits are divided by a constant in AVX2 by products and shifts (Granlund and Montgomery, as in
// divide64.go): conversions to float64 and back take twice as long.

// A factor is how to divide x by a constant: x·m>>32>>shift, rounded toward 0.
type factor struct {
	m     uint64 // below 2^32
	shift int64
}

// factorOf is that of y, from 2 to 2^31-1: the least m with y·m = 2^(32+shift) + e, 0 < e <= 2^(shift+1). So x·e is
// too small to reach the next whole number, whatever x of 32 bits with a sign is.
func factorOf(y uint64) factor {
	for shift := int64(0); ; shift++ {
		n := uint64(1) << (32 + shift)
		if m := n/y + 1; m*y-n <= 1<<(shift+1) {
			return factor{m, shift}
		}
	}
}

// constantDivisor is what y is in all lanes, if numbers of type d are divided by it as by a constant, else 0.
func constantDivisor(g *Primitives, d dtype.DType, y lane.Lanes) uint64 {
	if c := dtype.ToInt(d, y.Bits); y.Known && c > 1 && !g.EVEX && d != dtype.Uint32 && d.Bits() <= 32 {
		return uint64(c)
	}
	return 0
}

// quotientOf is x divided by y: of even lanes and odd ones apart, as products have 64 bits.
func quotientOf(g *Primitives, d dtype.DType, x lane.Lanes, y uint64) lane.Lanes {
	f := factorOf(y)
	m := lane.Lanes{D: dtype.Int32, Known: true, Bits: f.m}
	z := upperWords(g, asm.VPMULDQ, d, x, m)
	if f.m >= 1<<31 { // it counts as m-2^32
		z = g.Op2(asm.VPADDD, d, z, x)
	}
	if f.shift > 0 {
		z = g.Op1(asm.VPSRAD, d, z, lir.Imm(f.shift))
	}
	return g.Op2(asm.VPADDD, d, z, g.Op1(asm.VPSRLD, d, x, lir.Imm(31)))
}

// upperWords is the upper half of products of 32 bits each, in AVX2.
func upperWords(g *Primitives, o asm.Op, d dtype.DType, x, y lane.Lanes) lane.Lanes {
	n := lir.Imm(32)
	even, odd := g.Op2(o, d, x, y), g.Op2(o, d, g.Op1(asm.VPSRLQ, d, x, n), y)
	even = g.Op1(asm.VPSRLQ, d, even, n)
	return lane.Each(d, []lane.Lanes{even, odd}, func(i int) lir.Reg {
		r := g.NewVec()
		g.Def(asm.VPBLENDD, g.V(r), g.V(even.R[i]), g.V(odd.R[i]), lir.Imm(0xaa))
		return r
	})
}

// divideByConstant is the quotient or the remainder.
func divideByConstant(g *Primitives, o op.Op, d dtype.DType, x, y lane.Lanes, by uint64) lane.Lanes {
	q := g.Normalize(d, quotientOf(g, d, x, by))
	if o == op.FloorDiv {
		return q
	}
	return g.RestOf(d, x, y, q)
}
