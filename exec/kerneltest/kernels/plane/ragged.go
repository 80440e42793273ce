package plane

import (
	"math"

	tl "github.com/tiler-go/tiler/tilelang"
)

// Ragged adds up rows of up to L elements, in blocks of B, of which the last one of a row has a few.
func Ragged(p *tl.Program, x, y, i, z tl.Ptr, L int, B tl.Const, OP string) {
	r := p.ID(0)
	lo := r * L
	hi := lo + tl.Load(i.Add(r)).Mul(13).Mod(L+1).Int()
	acc := tl.Zeros(tl.Float32, B)
	if OP == "below" {
		acc = tl.Full(tl.Float32, math.Copysign(0, -1), B)
	}
	if OP == "most" || OP == "least" || OP == "nans" {
		acc = tl.Full(tl.Float32, math.Inf(-1), B)
	}
	if OP == "product" {
		acc = tl.Full(tl.Float32, 1, B)
	}
	for k := lo; k < hi; k += B {
		c := tl.Arange(0, B).Add(k)
		m := tl.Mask(c.Lt(hi))
		v := tl.Load(x.Add(c), m, tl.Other(0)).To(tl.Float32)
		switch OP {
		case "sum", "below":
			acc = acc.Add(v)
		case "less":
			acc = acc.Sub(v)
		case "turned":
			acc = v.Sub(acc)
		case "dot":
			acc = acc.Add(v.Mul(tl.Load(y.Add(c), m, tl.Other(0)).To(tl.Float32)))
		case "infinite": // zeros behind the end become NaNs
			acc = acc.Add(v.Mul(math.Inf(1)))
		case "exp": // of what lies behind it, ones
			acc = acc.Add(tl.Exp(v))
		case "gone":
			acc = acc.Add(tl.Exp(tl.Where(c.Lt(hi), v, math.Inf(-1))))
		case "most":
			acc = tl.Maximum(acc, tl.Load(x.Add(c), m, tl.Other(math.Inf(-1))).To(tl.Float32))
		case "least":
			acc = tl.Minimum(acc, v)
		case "above":
			acc = tl.Maximum(acc, v.Add(1))
		case "nans":
			acc = tl.Maximum(acc, tl.Load(x.Add(c), m, tl.Other(math.NaN())).To(tl.Float32))
		case "product":
			acc = acc.Mul(tl.Load(x.Add(c), m, tl.Other(1)).To(tl.Float32))
		case "chosen":
			acc = tl.Where(c.Lt(hi).And(c.Ge(lo+2)), v.Mul(3).Add(acc), acc)
		case "either":
			acc = tl.Where(c.Lt(hi), acc, v.Add(acc).Add(1))
		case "picked":
			acc = acc.Add(tl.Load(y.Add(tl.Load(i.Add(c.Mod(3)), m, tl.Other(0))), m, tl.Other(0)).To(tl.Float32))
		}
	}
	tl.Store(z.Add(tl.Arange(0, B)).Add(r*B), acc)
}

// RaggedCounts are whole numbers of ragged rows: sums, bits, and those of rounds ahead.
func RaggedCounts(p *tl.Program, x, i, z tl.Ptr, L int, B tl.Const, OP string) {
	r := p.ID(0)
	lo := r * L
	hi := lo + tl.Load(i.Add(r)).Mul(13).Mod(L+1).Int()
	acc, last := tl.Zeros(tl.Int32, B), tl.Zeros(tl.Int32, B)
	for t := 0; t < 3; t++ {
		sum := acc
		for k := lo; k < hi; k += B {
			c := tl.Arange(0, B).Add(k)
			v := tl.Load(x.Add(c), tl.Mask(c.Lt(hi)), tl.Other(0)).To(tl.Int32)
			switch OP {
			case "sum":
				sum = sum.Add(v)
			case "bits":
				sum = sum.Or(v).Xor(v.Mul(5))
			case "both":
				last, sum = sum.Xor(v), last.Add(v)
			case "rounds":
				last = last.Add(v)
				sum = sum.Add(last)
			case "most":
				sum = tl.Maximum(sum, v)
			case "over":
				sum = tl.Maximum(sum, v.Add(1))
			case "under":
				sum = tl.Maximum(sum, v.Sub(1))
			}
		}
		acc = acc.Add(sum)
	}
	tl.Store(z.Add(tl.Arange(0, B)).Add(r*B), acc.Add(last))
}
