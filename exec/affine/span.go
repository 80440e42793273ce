package affine

import (
	"math"
	"math/bits"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// mostDeep is how far spanOf looks: deeper, values are what their type holds.
const mostDeep = 8

// Below reports whether the integers of v are less than n, whatever is loaded. They may be negative.
func Below(v *ir.Value, n int64) bool { return Between(v, math.MinInt64, n-1) }

// Between reports whether the integers of v, of at most 32 bits, lie in lo ... hi, whatever is loaded.
func Between(v *ir.Value, lo, hi int64) bool {
	s := spanOf(v, 0)
	return v.Type.D.IsInt() && v.Type.D.Bits() <= 32 && lo <= s.lo && s.hi <= hi
}

// A span is where integers lie.
type span struct{ lo, hi int64 }

// anywhere is where those are of which nothing is known.
var anywhere = span{math.MinInt64, math.MaxInt64}

// far bounds integers whose sums and quotients do not wrap.
const far = 1 << 61

// spanOf is a span that v's elements lie in.
func spanOf(v *ir.Value, depth int) span {
	all := anywhere
	switch d := v.Type.D; {
	case d == dtype.Bool:
		return span{0, 1}
	case d.IsInt() && d.Bits() <= 32:
		all = span{d.MinInt(), int64(d.MaxInt())}
	case d != dtype.Int64:
		return all
	}
	if depth == mostDeep {
		return all
	}
	if z, ok := computed(v, depth); ok && z.lo >= all.lo && z.hi <= all.hi {
		return z
	}
	return all
}

// computed is the span of what an op computes, before it wraps.
func computed(v *ir.Value, depth int) (z span, ok bool) {
	of := func(i int) span { return spanOf(v.Args[i], depth+1) }
	switch {
	case v.Op == op.Const:
		n := dtype.ToInt(v.Type.D, v.Bits)
		return span{n, n}, true
	case v.Op == op.ProgramID, v.Op == op.NumPrograms:
		return span{0, math.MaxInt32}, true
	case v.Op == op.Arange:
		return span{int64(v.Index), int64(v.Index + v.Type.Shape.Len() - 1)}, true
	case v.Op == op.Cast && v.Args[0].Type.D.IsInt(), ir.Family(v.Op) == op.Shape && len(v.Args) == 1:
		return of(0), true
	case v.Op == op.Where:
		x, y := of(1), of(2)
		return span{min(x.lo, y.lo), max(x.hi, y.hi)}, true
	case v.Op == ir.Result && v.Args[0].Op == ir.If:
		return ofBranches(v.Args[0], v.Index, depth)
	}
	if len(v.Args) != 2 {
		return z, false
	}
	x, y := of(0), of(1)
	if min(x.lo, y.lo) < -far || max(x.hi, y.hi) > far {
		return z, false
	}
	switch v.Op {
	case op.Add:
		return span{x.lo + y.lo, x.hi + y.hi}, true
	case op.Sub:
		return span{x.lo - y.hi, x.hi - y.lo}, true
	case op.Minimum:
		return span{min(x.lo, y.lo), min(x.hi, y.hi)}, true
	case op.Maximum:
		return span{max(x.lo, y.lo), max(x.hi, y.hi)}, true
	case op.And:
		if x.lo < 0 {
			x.hi = y.hi
		}
		if y.lo < 0 {
			y.hi = x.hi
		}
		return span{0, min(x.hi, y.hi)}, x.lo >= 0 || y.lo >= 0
	}
	switch { // quotients and remainders as in C
	case v.Op == op.Shr && y.lo == y.hi && y.lo >= 0 && y.lo < 32:
		return span{x.lo >> y.lo, x.hi >> y.lo}, true
	case v.Op == op.Mod && y.lo > 0:
		return span{max(min(x.lo, 0), 1-y.hi), min(max(x.hi, 0), y.hi-1)}, true
	case v.Op == op.FloorDiv && y.lo > 0:
		return span{min(x.lo/y.lo, x.lo/y.hi), max(x.hi/y.lo, x.hi/y.hi)}, true
	case (v.Op == op.Or || v.Op == op.Xor) && x.lo >= 0 && y.lo >= 0:
		return span{0, 1<<bits.Len64(uint64(max(x.hi, y.hi))) - 1}, true
	}
	return z, false
}

// ofBranches is the span of a result of an If: of what its branches yield, one at least.
func ofBranches(v *ir.Value, result, depth int) (z span, ok bool) {
	for _, b := range v.Blocks {
		if t := b.Term(); t.Op == ir.Yield {
			x := spanOf(t.Args[result], depth+1)
			if ok {
				x = span{min(x.lo, z.lo), max(x.hi, z.hi)}
			}
			z, ok = x, true
		}
	}
	return z, ok
}
