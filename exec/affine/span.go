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
	return v.Type.D.IsInt() && v.Type.D.Bits() <= 32 && lo <= s.Lo && s.Hi <= hi
}

// A Span is where integers lie.
type Span struct{ Lo, Hi int64 }

// anywhere is where those are of which nothing is known.
var anywhere = Span{math.MinInt64, math.MaxInt64}

// far bounds integers whose sums and quotients do not wrap.
const far = 1 << 61

// spanOf is a span that v's elements lie in.
func spanOf(v *ir.Value, depth int) Span {
	all := SpanOfType(v.Type.D)
	if depth == mostDeep || !v.Type.D.IsInt() || v.Type.D == dtype.Bool || all == anywhere && v.Type.D != dtype.Int64 {
		return all
	}
	z, ok := Span{}, false
	if v.Op == ir.Result && v.Args[0].Op == ir.If {
		z, ok = ofBranches(v.Args[0], v.Index, depth)
	} else {
		z, ok = Computed(v, func(i int) Span { return spanOf(v.Args[i], depth+1) })
	}
	if ok && z.Lo >= all.Lo && z.Hi <= all.Hi {
		return z
	}
	return all
}

// SpanOfType is what a type holds.
func SpanOfType(d dtype.DType) Span {
	switch {
	case d == dtype.Bool:
		return Span{0, 1}
	case d.IsInt() && d.Bits() <= 32:
		return Span{d.MinInt(), int64(d.MaxInt())}
	}
	return anywhere
}

// Computed is the span of what an op computes of operands of such spans, before it wraps.
func Computed(v *ir.Value, of func(i int) Span) (z Span, ok bool) {
	switch {
	case v.Op == op.Const:
		n := dtype.ToInt(v.Type.D, v.Bits)
		return Span{n, n}, true
	case v.Op == op.ProgramID, v.Op == op.NumPrograms:
		return Span{0, math.MaxInt32}, true
	case v.Op == op.Arange:
		return Span{int64(v.Index), int64(v.Index + v.Type.Shape.Len() - 1)}, true
	case v.Op == op.Cast && v.Args[0].Type.D.IsInt(), ir.Family(v.Op) == op.Shape && len(v.Args) == 1:
		return of(0), true
	case v.Op == op.Where:
		x, y := of(1), of(2)
		return Span{min(x.Lo, y.Lo), max(x.Hi, y.Hi)}, true
	}
	if len(v.Args) != 2 {
		return z, false
	}
	x, y := of(0), of(1)
	if min(x.Lo, y.Lo) < -far || max(x.Hi, y.Hi) > far {
		return z, false
	}
	switch v.Op {
	case op.Add:
		return Span{x.Lo + y.Lo, x.Hi + y.Hi}, true
	case op.Sub:
		return Span{x.Lo - y.Hi, x.Hi - y.Lo}, true
	case op.Minimum:
		return Span{min(x.Lo, y.Lo), min(x.Hi, y.Hi)}, true
	case op.Maximum:
		return Span{max(x.Lo, y.Lo), max(x.Hi, y.Hi)}, true
	case op.And:
		if x.Lo < 0 {
			x.Hi = y.Hi
		}
		if y.Lo < 0 {
			y.Hi = x.Hi
		}
		return Span{0, min(x.Hi, y.Hi)}, x.Lo >= 0 || y.Lo >= 0
	}
	switch { // quotients and remainders as in C
	case v.Op == op.Shr && y.Lo == y.Hi && y.Lo >= 0 && y.Lo < 32:
		return Span{x.Lo >> y.Lo, x.Hi >> y.Lo}, true
	case v.Op == op.Mod && y.Lo > 0:
		return Span{max(min(x.Lo, 0), 1-y.Hi), min(max(x.Hi, 0), y.Hi-1)}, true
	case v.Op == op.FloorDiv && y.Lo > 0:
		return Span{min(x.Lo/y.Lo, x.Lo/y.Hi), max(x.Hi/y.Lo, x.Hi/y.Hi)}, true
	case (v.Op == op.Or || v.Op == op.Xor) && x.Lo >= 0 && y.Lo >= 0:
		return Span{0, 1<<bits.Len64(uint64(max(x.Hi, y.Hi))) - 1}, true
	}
	return z, false
}

// ofBranches is the span of a result of an If: of what its branches yield, one at least.
func ofBranches(v *ir.Value, result, depth int) (z Span, ok bool) {
	for _, b := range v.Blocks {
		if t := b.Term(); t.Op == ir.Yield {
			x := spanOf(t.Args[result], depth+1)
			if ok {
				x = Span{min(x.Lo, z.Lo), max(x.Hi, z.Hi)}
			}
			z, ok = x, true
		}
	}
	return z, ok
}
