package tilelang

import (
	"math"

	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// Where is x where cond holds and y elsewhere, lane by lane; both are computed.
// Pointers may be chosen between if they point into the same tensor. Two Go scalars
// have dtypes of their own: int32, float32, bool.
func Where(cond, x, y any) Tile {
	const name = "tl.Where"
	c := condition(name, "condition", cond)
	if z, ok := wherePointers(name, c, x, y); ok {
		return z
	}
	in := resolve(name, op.Where.Row().Class, x, y)
	a, b := in.nodes[0], in.nodes[1]
	return tile(elementwise(name, op.Where, in.d, shapeOf(name, a, b, c), c, a, b))
}

// condition is a bool tile, or a Go bool as one; what says what it is for.
func condition(name, what string, cond any) *node {
	checkOperand(name, cond)
	switch c := cond.(type) {
	case bool:
		return newScalar(Bool, uint64(b2i(c)))
	case Tile:
		if c.t.dt == Bool {
			return c.t
		}
	}
	must(name, rule.NoCondition(what, describe(cond)))
	return nil
}

func wherePointers(name string, c *node, x, y any) (z Tile, ok bool) {
	a, isA := x.(Tile)
	b, isB := y.(Tile)
	if !isA || !isB || a.t == nil || b.t == nil || !a.t.dt.IsPointer() || !b.t.dt.IsPointer() {
		return z, false
	}
	oneTensor(name, a.t, b.t)
	n := elementwise(name, op.Where, Int64, shapeOf(name, a.t, b.t, c), c, a.t.as(Int64), b.t.as(Int64)).as(a.t.dt)
	n.base = a.t.base
	return tile(n), true
}

// Maximum is the greater of x and y, lane by lane. A NaN loses against a number,
// unless PropagateNaN is given.
func Maximum(x, y any, o ...ExtremumOption) Tile {
	return binary("tl.Maximum", extremum(op.Maximum, op.MaximumNaN, o), x, y)
}

// Minimum is the lesser of x and y, lane by lane. A NaN loses against a number,
// unless PropagateNaN is given.
func Minimum(x, y any, o ...ExtremumOption) Tile {
	return binary("tl.Minimum", extremum(op.Minimum, op.MinimumNaN, o), x, y)
}

// extremum is number, or nan if that is asked for.
func extremum(number, nan op.Op, o []ExtremumOption) op.Op {
	for _, o := range o {
		if _, ok := o.(propagateNaN); ok {
			return nan
		}
	}
	return number
}

// Clamp is x limited to lo ... hi.
func Clamp(x, lo, hi any) Tile {
	return binary("tl.Clamp", op.Minimum, binary("tl.Clamp", op.Maximum, x, lo), hi)
}

// FMA is x*y + z, rounded once.
func FMA(x, y, z any) Tile {
	const name = "tl.FMA"
	wantTile(name, x, y, z)
	in := resolve(name, op.FMA.Row().Class, x, y, z)
	if !op.FMA.Row().In.Has(in.d) {
		wrongType(name, op.FMA, in.d, x, y, z)
	}
	return tile(elementwise(name, op.FMA, in.d, shapeOf(name, in.nodes[:]...), in.nodes[:]...))
}

// UMulHi is the high half of the unsigned product.
func UMulHi(x, y any) Tile { return binary("tl.UMulHi", op.UMulHi, x, y) }

// Pow is x to the power y.
func Pow(x, y any) Tile { return binary("tl.Pow", op.Pow, x, y) }

// Atan2 is the angle of the point (x, y).
func Atan2(y, x any) Tile { return binary("tl.Atan2", op.Atan2, y, x) }

// Abs is the magnitude of x.
func Abs(x Tile) Tile { return unary("tl.Abs", op.Abs, x) }

// Floor is the greatest integer not above x.
func Floor(x Tile) Tile { return unary("tl.Floor", op.Floor, x) }

// Ceil is the least integer not below x.
func Ceil(x Tile) Tile { return unary("tl.Ceil", op.Ceil, x) }

// Rint is the nearest integer; of two, the even one.
func Rint(x Tile) Tile { return unary("tl.Rint", op.Rint, x) }

// Trunc is the integer part of x: it rounds toward zero.
func Trunc(x Tile) Tile { return unary("tl.Trunc", op.Trunc, x) }

// Round is the nearest integer; of two, the one further from zero.
func Round(x Tile) Tile { return unary("tl.Round", op.Round, x) }

// IsNaN holds where x is not a number.
func IsNaN(x Tile) Tile {
	x = float32OrMore("tl.IsNaN", x)
	return x.Ne(x)
}

// IsInf holds where x is +Inf or -Inf.
func IsInf(x Tile) Tile { return Abs(float32OrMore("tl.IsInf", x)).Eq(math.Inf(1)) }

// IsFinite holds where x is a number and not infinite.
func IsFinite(x Tile) Tile { return Abs(float32OrMore("tl.IsFinite", x)).Lt(math.Inf(1)) }

// float32OrMore is a float tile in a dtype that has infinities; not all narrow ones do.
func float32OrMore(name string, x Tile) Tile {
	t := x.node(name)
	refusePointer(name, t)
	if !t.dt.IsFloat() {
		wrongType(name, op.Ceil, t.dt, x)
	}
	if t.dt.IsNarrow() {
		return x.To(Float32)
	}
	return x
}

// Sqrt is the square root, correctly rounded.
func Sqrt(x Tile) Tile { return unary("tl.Sqrt", op.Sqrt, x) }

// Rsqrt is 1 / sqrt(x).
func Rsqrt(x Tile) Tile { return unary("tl.Rsqrt", op.Rsqrt, x) }

// Exp is e to the x.
func Exp(x Tile) Tile { return unary("tl.Exp", op.Exp, x) }

// Exp2 is 2 to the x.
func Exp2(x Tile) Tile { return unary("tl.Exp2", op.Exp2, x) }

// Expm1 is e to the x, minus 1.
func Expm1(x Tile) Tile { return unary("tl.Expm1", op.Expm1, x) }

// Log is the natural logarithm.
func Log(x Tile) Tile { return unary("tl.Log", op.Log, x) }

// Log2 is the logarithm to base 2.
func Log2(x Tile) Tile { return unary("tl.Log2", op.Log2, x) }

// Log1p is the logarithm of 1 + x.
func Log1p(x Tile) Tile { return unary("tl.Log1p", op.Log1p, x) }

// Sin is the sine.
func Sin(x Tile) Tile { return unary("tl.Sin", op.Sin, x) }

// Cos is the cosine.
func Cos(x Tile) Tile { return unary("tl.Cos", op.Cos, x) }

// Tan is the tangent.
func Tan(x Tile) Tile { return unary("tl.Tan", op.Tan, x) }

// Asin is the arc sine.
func Asin(x Tile) Tile { return unary("tl.Asin", op.Asin, x) }

// Acos is the arc cosine.
func Acos(x Tile) Tile { return unary("tl.Acos", op.Acos, x) }

// Atan is the arc tangent.
func Atan(x Tile) Tile { return unary("tl.Atan", op.Atan, x) }

// Tanh is the hyperbolic tangent.
func Tanh(x Tile) Tile { return unary("tl.Tanh", op.Tanh, x) }

// Erf is the error function.
func Erf(x Tile) Tile { return unary("tl.Erf", op.Erf, x) }

// Sigmoid is 1 / (1 + exp(-x)).
func Sigmoid(x Tile) Tile { return unary("tl.Sigmoid", op.Sigmoid, x) }

// Softmax is exp(x) over its sum along an axis, computed so that it does not
// overflow.
func Softmax(x Tile, axis int) Tile {
	z := Exp(x.Sub(Max(x, Axis(axis), KeepDims)))
	return z.Div(Sum(z, Axis(axis), KeepDims))
}
