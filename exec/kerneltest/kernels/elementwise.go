package kernels

import tl "github.com/tiler-go/tiler/tilelang"

// Unary is one operation of one operand.
func Unary(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK, OP string) {
	o := lanes(p, BLOCK)
	a := get(x, o, n, m, MASK)
	switch OP {
	case "neg":
		a = a.Neg()
	case "not":
		a = a.Not()
	case "abs":
		a = tl.Abs(a)
	case "floor":
		a = tl.Floor(a)
	case "ceil":
		a = tl.Ceil(a)
	case "rint":
		a = tl.Rint(a)
	case "trunc":
		a = tl.Trunc(a)
	case "round":
		a = tl.Round(a)
	case "isnan":
		a = tl.IsNaN(a)
	case "isinf":
		a = tl.IsInf(a)
	case "isfinite":
		a = tl.IsFinite(a)
	case "sqrt":
		a = tl.Sqrt(a)
	case "rsqrt":
		a = tl.Rsqrt(a)
	case "exp":
		a = tl.Exp(a)
	case "exp2":
		a = tl.Exp2(a)
	case "expm1":
		a = tl.Expm1(a)
	case "log":
		a = tl.Log(a)
	case "log2":
		a = tl.Log2(a)
	case "log1p":
		a = tl.Log1p(a)
	case "sin":
		a = tl.Sin(a)
	case "cos":
		a = tl.Cos(a)
	case "tan":
		a = tl.Tan(a)
	case "asin":
		a = tl.Asin(a)
	case "acos":
		a = tl.Acos(a)
	case "atan":
		a = tl.Atan(a)
	case "tanh":
		a = tl.Tanh(a)
	case "erf":
		a = tl.Erf(a)
	case "sigmoid":
		a = tl.Sigmoid(a)
	}
	put(z, o, a, n, m, MASK)
}

// Binary is one operation of two operands.
func Binary(p *tl.Program, x, y, z, m tl.Ptr, n int, BLOCK tl.Const, MASK, OP string) {
	o := lanes(p, BLOCK)
	a, b := get(x, o, n, m, MASK), get(y, o, n, m, MASK)
	var c tl.Tile
	switch OP {
	case "add":
		c = a.Add(b)
	case "sub":
		c = a.Sub(b)
	case "mul":
		c = a.Mul(b)
	case "div":
		c = a.Div(b)
	case "floordiv":
		c = a.FloorDiv(tl.Where(b.Eq(0), 1, b))
	case "mod":
		c = a.Mod(tl.Where(b.Eq(0), 1, b))
	case "and":
		c = a.And(b)
	case "or":
		c = a.Or(b)
	case "xor":
		c = a.Xor(b)
	case "shl":
		c = a.Shl(b)
	case "shr":
		c = a.Shr(b)
	case "lt":
		c = a.Lt(b)
	case "le":
		c = a.Le(b)
	case "gt":
		c = a.Gt(b)
	case "ge":
		c = a.Ge(b)
	case "eq":
		c = a.Eq(b)
	case "ne":
		c = a.Ne(b)
	case "maximum":
		c = tl.Maximum(a, b)
	case "minimum":
		c = tl.Minimum(a, b)
	case "maximum_nan":
		c = tl.Maximum(a, b, tl.PropagateNaN)
	case "minimum_nan":
		c = tl.Minimum(a, b, tl.PropagateNaN)
	case "umulhi":
		c = tl.UMulHi(a, b)
	case "umulhi_few":
		c = tl.UMulHi(1000003, a)
	case "umulhi_many":
		c = tl.UMulHi(a, tl.Full(a.DType(), 1000003, BLOCK).Mul(1000003))
	case "pow":
		c = tl.Pow(a, b)
	case "atan2":
		c = tl.Atan2(a, b)
	}
	put(z, o, c, n, m, MASK)
}

// Ternary has operations of three operands.
func Ternary(p *tl.Program, x, y, z, m tl.Ptr, n int, BLOCK tl.Const, MASK, OP string) {
	o := lanes(p, BLOCK)
	a, b := get(x, o, n, m, MASK), get(y, o, n, m, MASK)
	switch OP {
	case "where":
		a = tl.Where(a.Lt(b), a, b.Sub(a))
	case "fma":
		a = tl.FMA(a, b, a)
	case "clamp":
		a = tl.Clamp(a, -3, 3)
	case "clamp_tiles":
		a = tl.Clamp(a, tl.Minimum(b, 0), tl.Maximum(b, 0))
	}
	put(z, o, a, n, m, MASK)
}

// Chosen is the greater or the lesser of two, the one or the other where neither is.
func Chosen(p *tl.Program, x, y, z, m tl.Ptr, n int, BLOCK tl.Const, MASK, OP string) {
	o := lanes(p, BLOCK)
	a, b := get(x, o, n, m, MASK), get(y, o, n, m, MASK)
	by := a.Gt(b)
	switch OP {
	case "lt", "lt_crossed":
		by = a.Lt(b)
	case "ge":
		by = a.Ge(b)
	}
	if OP == "gt_crossed" || OP == "lt_crossed" {
		a, b = b, a
	}
	put(z, o, tl.Where(by, a, b), n, m, MASK)
}

// Casts changes the dtype.
func Casts(p *tl.Program, x, z, m tl.Ptr, D tl.DType, n int, BLOCK tl.Const, MASK, HOW string) {
	o := lanes(p, BLOCK)
	a := get(x, o, n, m, MASK)
	switch HOW {
	case "to":
		a = a.To(D)
	case "zero":
		a = a.To(D, tl.TowardZero)
	case "bits":
		a = a.Bitcast(D)
	}
	put(z, o, a, n, m, MASK)
}

// StoreCasts lets the store change the dtype.
func StoreCasts(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	put(z, o, get(x, o, n, m, MASK), n, m, MASK)
}

// Mixed promotes operands of different dtypes.
func Mixed(p *tl.Program, x, y, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a, b := get(x, o, n, m, MASK), get(y, o, n, m, MASK)
	c := a.Add(b).Mul(tl.Maximum(a, b))
	put(z, o, c.Sub(a.Ne(b)), n, m, MASK)
}

// Scalars mixes tiles with Go's numbers.
func Scalars(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a := get(x, o, n, m, MASK)
	b := tl.Sub(1, a.Mul(3)).Add(2)
	c := tl.Where(b.Gt(a), b, 0)
	put(z, o, tl.Maximum(c, tl.Sub(7, b)), n, m, MASK)
}

// Axpy takes a float64 argument.
func Axpy(p *tl.Program, x, y, m tl.Ptr, n int, alpha float64, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	put(y, o, get(x, o, n, m, MASK).Mul(alpha).Add(get(y, o, n, m, MASK)), n, m, MASK)
}

// Horner is a chain.
func Horner(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a := get(x, o, n, m, MASK)
	y := a.Mul(0.5).Add(1)
	for k := 2; k < 8; k++ {
		y = y.Mul(a).Add(k)
	}
	put(z, o, y, n, m, MASK)
}

// Gelu is an activation with several functions.
func Gelu(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a := get(x, o, n, m, MASK)
	exact := a.Mul(0.5).Mul(tl.Erf(a.Mul(0.70710678)).Add(1))
	near := a.Mul(0.5).Mul(tl.Tanh(a.Mul(a).Mul(a).Mul(0.044715).Add(a).Mul(0.79788456)).Add(1))
	put(z, o, tl.Where(o.Mod(2).Eq(0), exact, near), n, m, MASK)
}

// Mix hashes integers.
func Mix(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	h := get(x, o, n, m, MASK)
	h = h.Xor(h.Shr(3)).Mul(45)
	h = h.Xor(h.Shl(5)).Add(h.And(15)).Not()
	put(z, o, h.Or(1), n, m, MASK)
}

// Bools works on comparisons.
func Bools(p *tl.Program, x, y, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a, b := get(x, o, n, m, MASK), get(y, o, n, m, MASK)
	c := a.Lt(b).Xor(a.Eq(b)).Or(b.Gt(2).And(a.Le(1))).Not()
	put(z, o, c, n, m, MASK)
}

// Used has a value with several users, one of them under another shape.
func Used(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a := get(x, o, n, m, MASK)
	s := a.Mul(2)
	t := tl.Sum(s.To(tl.Float32))
	put(z, o, s.Add(tl.Maximum(t, 1).To(tl.Float32)).Sub(tl.Max(a)), n, m, MASK)
}

// Index stores functions of indices alone.
func Index(p *tl.Program, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	v := o.Mul(7).Add(3).Mod(11).Sub(o.FloorDiv(5)).Mul(p.Num(0))
	put(z, o, v.Add(p.ID(0)), n, m, MASK)
}
