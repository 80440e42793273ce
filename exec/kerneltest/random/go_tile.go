package random

import (
	"fmt"

	tl "github.com/tiler-go/tiler/tilelang"
)

// A tileOp is an operation on a tile in both forms; %s stands for the operands.
type tileOp struct {
	text string
	fn   func(a, b tl.Tile) tl.Tile
}

var unaryTiles = []tileOp{
	{"%s.Neg()", func(a, _ tl.Tile) tl.Tile { return a.Neg() }},
	{"tl.Abs(%s)", func(a, _ tl.Tile) tl.Tile { return tl.Abs(a) }},
	{"tl.Exp(%s)", func(a, _ tl.Tile) tl.Tile { return tl.Exp(a) }},
	{"tl.Sigmoid(%s)", func(a, _ tl.Tile) tl.Tile { return tl.Sigmoid(a) }},
	{"tl.Sqrt(tl.Abs(%s))", func(a, _ tl.Tile) tl.Tile { return tl.Sqrt(tl.Abs(a)) }},
	{"tl.Floor(%s)", func(a, _ tl.Tile) tl.Tile { return tl.Floor(a) }},
	{"%s.Not()", func(a, _ tl.Tile) tl.Tile { return a.Not() }},
	{"%s.To(tl.Int32)", func(a, _ tl.Tile) tl.Tile { return a.To(tl.Int32) }},
	{"%s.To(tl.Float32)", func(a, _ tl.Tile) tl.Tile { return a.To(tl.Float32) }},
	{"%s.To(tl.Float16)", func(a, _ tl.Tile) tl.Tile { return a.To(tl.Float16) }},
	{"%s.To(tl.Int64)", func(a, _ tl.Tile) tl.Tile { return a.To(tl.Int64) }},
	{"%s.To(tl.Int8)", func(a, _ tl.Tile) tl.Tile { return a.To(tl.Int8) }},
	{"%s.To(tl.Bool)", func(a, _ tl.Tile) tl.Tile { return a.To(tl.Bool) }},
	{"%s.Col()", func(a, _ tl.Tile) tl.Tile { return a.Col() }},
	{"%s.Row()", func(a, _ tl.Tile) tl.Tile { return a.Row() }},
	{"%s.T()", func(a, _ tl.Tile) tl.Tile { return a.T() }},
	{"%s.Ravel()", func(a, _ tl.Tile) tl.Tile { return a.Ravel() }},
	{"tl.Flip(%s, 0)", func(a, _ tl.Tile) tl.Tile { return tl.Flip(a, 0) }},
	{"tl.Flip(%s, 1)", func(a, _ tl.Tile) tl.Tile { return tl.Flip(a, 1) }},
	{"tl.Gather(%[1]s, %[1]s.To(tl.Int32).And(3), 0)", func(a, _ tl.Tile) tl.Tile { return tl.Gather(a, a.To(tl.Int32).And(3), 0) }},
	{"tl.Sum(%s)", func(a, _ tl.Tile) tl.Tile { return tl.Sum(a) }},
	{"tl.Sum(%s, tl.Axis(0), tl.KeepDims)", func(a, _ tl.Tile) tl.Tile { return tl.Sum(a, tl.Axis(0), tl.KeepDims) }},
	{"tl.Max(%s, tl.Axis(1), tl.KeepDims)", func(a, _ tl.Tile) tl.Tile { return tl.Max(a, tl.Axis(1), tl.KeepDims) }},
	{"tl.Min(%s, tl.Axis(0))", func(a, _ tl.Tile) tl.Tile { return tl.Min(a, tl.Axis(0)) }},
	{"tl.ArgMax(%s, tl.Axis(0))", func(a, _ tl.Tile) tl.Tile { return tl.ArgMax(a, tl.Axis(0)) }},
	{"tl.CumSum(%s, tl.Axis(0))", func(a, _ tl.Tile) tl.Tile { return tl.CumSum(a, tl.Axis(0)) }},
	{"tl.Sort(%s)", func(a, _ tl.Tile) tl.Tile { return tl.Sort(a) }},
	{"tl.Reduce(%s, func(u, v tl.Tile) tl.Tile { return u.Mul(2).Sub(v) }, tl.Axis(0))", func(a, _ tl.Tile) tl.Tile {
		return tl.Reduce(a, func(u, v tl.Tile) tl.Tile { return u.Mul(2).Sub(v) }, tl.Axis(0))
	}},
}

var binaryTiles = []tileOp{
	{"%s.Add(%s)", func(a, b tl.Tile) tl.Tile { return a.Add(b) }},
	{"%s.Sub(%s)", func(a, b tl.Tile) tl.Tile { return a.Sub(b) }},
	{"%s.Mul(%s)", func(a, b tl.Tile) tl.Tile { return a.Mul(b) }},
	{"%s.Div(%s)", func(a, b tl.Tile) tl.Tile { return a.Div(b) }},
	{"%s.FloorDiv(%s)", func(a, b tl.Tile) tl.Tile { return a.FloorDiv(b) }},
	{"%s.Mod(%s)", func(a, b tl.Tile) tl.Tile { return a.Mod(b) }},
	{"%s.And(%s)", func(a, b tl.Tile) tl.Tile { return a.And(b) }},
	{"%s.Or(%s)", func(a, b tl.Tile) tl.Tile { return a.Or(b) }},
	{"%s.Xor(%s)", func(a, b tl.Tile) tl.Tile { return a.Xor(b) }},
	{"%s.Shl(%s)", func(a, b tl.Tile) tl.Tile { return a.Shl(b) }},
	{"%s.Shr(%s)", func(a, b tl.Tile) tl.Tile { return a.Shr(b) }},
	{"%s.Lt(%s)", func(a, b tl.Tile) tl.Tile { return a.Lt(b) }},
	{"%s.Ge(%s)", func(a, b tl.Tile) tl.Tile { return a.Ge(b) }},
	{"%s.Ne(%s)", func(a, b tl.Tile) tl.Tile { return a.Ne(b) }},
	{"tl.Maximum(%s, %s)", func(a, b tl.Tile) tl.Tile { return tl.Maximum(a, b) }},
	{"tl.Minimum(%s, %s)", func(a, b tl.Tile) tl.Tile { return tl.Minimum(a, b) }},
	{"tl.Where(%[1]s.Lt(%[2]s), %[1]s, %[2]s)", func(a, b tl.Tile) tl.Tile { return tl.Where(a.Lt(b), a, b) }},
	{"tl.FMA(%[1]s, %[2]s, %[1]s)", func(a, b tl.Tile) tl.Tile { return tl.FMA(a, b, a) }},
	{"tl.Join(%s, %s)", func(a, b tl.Tile) tl.Tile { return tl.Join(a, b) }},
	{"tl.Interleave(%s, %s)", func(a, b tl.Tile) tl.Tile { return tl.Interleave(a, b) }},
	{"tl.Cat(0, %s, %s)", func(a, b tl.Tile) tl.Tile { return tl.Cat(0, a, b) }},
	{"tl.Dot(%[1]s, %[2]s.T())", func(a, b tl.Tile) tl.Tile { return tl.Dot(a, b.T()) }},
	{"tl.Dot(%[1]s.To(tl.BFloat16), %[2]s.T().To(tl.BFloat16), tl.BF16Pairs)", func(a, b tl.Tile) tl.Tile {
		return tl.Dot(a.To(tl.BFloat16), b.T().To(tl.BFloat16), tl.BF16Pairs)
	}},
	{"tl.Dot(%[1]s.To(tl.BFloat16), %[2]s.T().To(tl.BFloat16), tl.BF16Tiles)", func(a, b tl.Tile) tl.Tile {
		return tl.Dot(a.To(tl.BFloat16), b.T().To(tl.BFloat16), tl.BF16Tiles)
	}},
}

// tile is an expression of type tl.Tile; whether it is an error shows when it is
// evaluated.
func (g *goGen) tile(depth int) expr {
	k := g.r.IntN(12)
	if depth == 0 || k < 3 {
		if name := g.pick(func(name string, v any) bool {
			t, ok := v.(tl.Tile)
			return ok && name[0] == 'v' && !t.DType().IsPointer()
		}); name != "" && g.r.IntN(5) > 0 {
			return variable(name)
		}
		return g.leaf()
	}
	if k < 6 {
		o, a := unaryTiles[g.r.IntN(len(unaryTiles))], g.tile(depth-1)
		return expr{fmt.Sprintf(o.text, a.text), func(e *env) any { return o.fn(a.eval(e).(tl.Tile), tl.Tile{}) }}
	}
	return g.binary(g.tile(depth-1), depth)
}

// binary is an operation on a and something else: a tile or a Go number.
func (g *goGen) binary(a expr, depth int) expr {
	switch g.r.IntN(4) {
	case 0:
		return g.withNumber(a)
	case 1:
		if g.r.IntN(3) == 0 {
			return g.withNumber(a)
		}
	}
	o, b := binaryTiles[g.r.IntN(len(binaryTiles))], g.tile(depth-1)
	return expr{fmt.Sprintf(o.text, a.text, b.text), func(e *env) any { return o.fn(a.eval(e).(tl.Tile), b.eval(e).(tl.Tile)) }}
}

func (g *goGen) withNumber(a expr) expr {
	k := g.int(1)
	if g.r.IntN(3) == 0 {
		k = g.float(1)
	}
	switch g.r.IntN(6) {
	case 0:
		return expr{fmt.Sprintf("%s.Mul(%s)", a.text, k.text), func(e *env) any { return a.eval(e).(tl.Tile).Mul(k.eval(e)) }}
	case 1:
		return expr{fmt.Sprintf("tl.Sub(%s, %s)", k.text, a.text), func(e *env) any {
			x := k.eval(e)
			return tl.Sub(x, a.eval(e).(tl.Tile))
		}}
	case 2:
		return expr{fmt.Sprintf("tl.Where(%s.Gt(%s), %s, %s)", a.text, k.text, a.text, k.text), func(e *env) any {
			return tl.Where(a.eval(e).(tl.Tile).Gt(k.eval(e)), a.eval(e), k.eval(e))
		}}
	case 3:
		return expr{fmt.Sprintf("tl.Maximum(%s, %s)", a.text, k.text), func(e *env) any { return tl.Maximum(a.eval(e).(tl.Tile), k.eval(e)) }}
	}
	return expr{fmt.Sprintf("%s.Add(%s)", a.text, k.text), func(e *env) any { return a.eval(e).(tl.Tile).Add(k.eval(e)) }}
}

// leaf is a tile that is made of no other.
func (g *goGen) leaf() expr {
	switch g.r.IntN(8) {
	case 0:
		return g.offsets()
	case 1:
		n, d := []int{16, 7, 32}[g.r.IntN(3)], []tl.DType{tl.Float32, tl.Int32, tl.Int64}[g.r.IntN(3)]
		k := g.r.IntN(50)
		return expr{fmt.Sprintf("tl.Full(%s, %d, %d)", dtypeText(d), k, n), func(*env) any { return tl.Full(d, k, n) }}
	case 2:
		o := g.offsets()
		return expr{fmt.Sprintf("tl.Rand(m, %s)", o.text), func(e *env) any { return tl.Rand(e.vars["m"].(int), o.eval(e)) }}
	case 3:
		if name := g.pick(func(name string, v any) bool {
			t, ok := v.(tl.Tile)
			return ok && name[0] == 'v' && t.DType().IsPointer()
		}); name != "" {
			return expr{fmt.Sprintf("tl.Load(%s)", name), func(e *env) any { return tl.Load(e.vars[name].(tl.Tile)) }}
		}
	}
	from, o := []string{"x", "y", "h", "z", "q"}[g.r.IntN(5)], g.offsets()
	mask := g.maskOf(o)
	switch g.r.IntN(3) {
	case 0:
		return expr{fmt.Sprintf("tl.Load(%s.Add(%s))", from, o.text), func(e *env) any { return tl.Load(e.vars[from].(tl.Tile).Add(o.eval(e))) }}
	case 1:
		k := g.r.IntN(5)
		return expr{fmt.Sprintf("tl.Load(%s.Add(%s), tl.Mask(%s), tl.Other(%d))", from, o.text, mask.text, k), func(e *env) any {
			return tl.Load(e.vars[from].(tl.Tile).Add(o.eval(e)), tl.Mask(mask.eval(e)), tl.Other(k))
		}}
	}
	return expr{fmt.Sprintf("tl.Load(%s.Add(%s), tl.Mask(%s))", from, o.text, mask.text), func(e *env) any {
		return tl.Load(e.vars[from].(tl.Tile).Add(o.eval(e)), tl.Mask(mask.eval(e)))
	}}
}
