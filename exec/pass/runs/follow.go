package runs

import (
	"math"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// What is known of a flag says more: of x < 3, that x is not 10 or more.

// compares reports whether a flag compares integers.
func compares(on *ir.Value) bool {
	switch on.Op {
	case op.Lt, op.Le, op.Gt, op.Ge, op.Eq:
		d := on.Args[0].Type.D
		return d.IsInt() && d.IsSigned()
	}
	return false
}

// isFalse reports whether a flag is known to be false, as one that it is the conjunction of may be.
func (w spot) isFalse(on *ir.Value) bool {
	flags := map[*ir.Value]bool{}
	conjuncts(on, flags)
	for f := range flags {
		if is, ok := w.known(f); ok && !is {
			return true
		}
	}
	return false
}

// follows says what a comparison is if that follows from comparisons that are known, with the same or constants.
func (w spot) follows(on *ir.Value) (is, ok bool) {
	x, limit := on.Args[0], on.Args[1]
	lies := affine.Span{Lo: math.MinInt64, Hi: math.MaxInt64}
	for v, known := range w.given {
		if !compares(v) || v.Args[0] != x {
			continue
		}
		if v.Args[1] == limit && ordered(v.Op) == ordered(on.Op) && v.Op != on.Op {
			return !known, true
		}
		if v.Args[1].Op == op.Const {
			s := fulfils(v, known)
			lies.Lo, lies.Hi = max(lies.Lo, s.Lo), min(lies.Hi, s.Hi)
		}
	}
	if limit.Op != op.Const {
		return false, false
	}
	yes, no := fulfils(on, true), fulfils(on, false)
	switch {
	case yes == no:
		return false, false
	case yes.Lo <= lies.Lo && lies.Hi <= yes.Hi:
		return true, true
	case on.Op == op.Eq:
		return false, lies.Hi < yes.Lo || yes.Hi < lies.Lo
	}
	return false, no.Lo <= lies.Lo && lies.Hi <= no.Hi
}

// ordered is the comparison that an operator is, or the opposite of.
func ordered(o op.Op) op.Op {
	switch o {
	case op.Ge:
		return op.Lt
	case op.Gt:
		return op.Le
	}
	return o
}

// fulfils is where numbers lie of which a comparison with a constant is true, or false; all of them, if it is at an end
// of int64.
func fulfils(on *ir.Value, is bool) affine.Span {
	c := dtype.ToInt(on.Args[1].Type.D, on.Args[1].Bits)
	s := affine.Span{Lo: math.MinInt64, Hi: math.MaxInt64}
	switch o := on.Op; {
	case c == s.Lo || c == s.Hi:
	case o == op.Eq && is:
		s.Lo, s.Hi = c, c
	case o == op.Lt && is, o == op.Ge && !is:
		s.Hi = c - 1
	case o == op.Le && is, o == op.Gt && !is:
		s.Hi = c
	case o == op.Ge && is, o == op.Lt && !is:
		s.Lo = c
	case o == op.Gt && is, o == op.Le && !is:
		s.Lo = c + 1
	}
	return s
}
