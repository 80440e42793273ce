package ended

import tl "github.com/tiler-go/tiler/tilelang"

// loose is rows by cols elements in a tile of R by C, and other elsewhere.
func loose(x tl.Ptr, rows, cols, R, C, other int) tl.Tile {
	r, c := tl.Arange(0, R), tl.Arange(0, C)
	return tl.Load(x.Add(r.Mul(cols).Col().Add(c.Row())), tl.Mask(r.Lt(rows).Col().And(c.Lt(cols).Row())), tl.Other(other))
}

// Extrema finds extrema along an axis, with many equals, and with so many of an axis' first elements the least, the
// greatest or NaN.
func Extrema(p *tl.Program, x, z, w tl.Ptr, rows, cols, other, k int, R, C, AXIS tl.Const, OP string) {
	a := loose(x, rows, cols, R, C, other)
	at := tl.Arange(0, C).Row()
	if AXIS == 0 {
		at = tl.Arange(0, R).Col()
	}
	few := at.Lt(k)
	switch OP {
	case "equal":
		a = tl.Minimum(tl.Maximum(a, 0), 1).To(a.DType())
	case "least":
		a = tl.Where(few, tl.Min(a), a).To(a.DType())
	case "greatest":
		a = tl.Where(few, tl.Max(a), a).To(a.DType())
	case "nan":
		a = tl.Where(few, a.Sub(a).Div(a.Sub(a)), a).To(a.DType())
	case "zeros":
		a = a.Mul(0)
	}
	v, i := tl.MaxIndex(a, tl.Axis(AXIS))
	u, j := tl.MinIndex(a, tl.Axis(AXIS))
	lanes := tl.Arange(0, R*C/len1(R, C, AXIS))
	tl.Store(z.Add(lanes), v)
	tl.Store(z.Add(lanes.Add(R*C)), u)
	tl.Store(w.Add(lanes), i)
	tl.Store(w.Add(lanes.Add(R*C)), j)
	tl.Store(w.Add(lanes.Add(2*R*C)), tl.ArgMax(a, tl.Axis(AXIS)).Sub(tl.ArgMin(a, tl.Axis(AXIS))))
}

// len1 is how long an axis is.
func len1(R, C, axis int) int {
	if axis == 0 {
		return R
	}
	return C
}

// Combined reduces along an axis by a function that is one operation.
func Combined(p *tl.Program, x, z tl.Ptr, rows, cols, other int, R, C, AXIS tl.Const, OP string) {
	a := loose(x, rows, cols, R, C, other)
	var r tl.Tile
	switch OP {
	case "add":
		r = tl.Reduce(a, func(u, v tl.Tile) tl.Tile { return u.Add(v) }, tl.Axis(AXIS))
	case "mul":
		r = tl.Reduce(a, func(u, v tl.Tile) tl.Tile { return v.Mul(u) }, tl.Axis(AXIS))
	case "max":
		r = tl.Reduce(a, func(u, v tl.Tile) tl.Tile { return tl.Maximum(u, v).To(u.DType()) }, tl.Axis(AXIS))
	case "min":
		r = tl.Reduce(a, func(u, v tl.Tile) tl.Tile { return tl.Minimum(v, u).To(u.DType()) }, tl.Axis(AXIS))
	case "maxnan":
		r = tl.Reduce(a, func(u, v tl.Tile) tl.Tile { return tl.Maximum(u, v, tl.PropagateNaN).To(u.DType()) }, tl.Axis(AXIS))
	case "minnan":
		r = tl.Reduce(a, func(u, v tl.Tile) tl.Tile { return tl.Minimum(u, v, tl.PropagateNaN).To(u.DType()) }, tl.Axis(AXIS))
	case "and":
		r = tl.Reduce(a, func(u, v tl.Tile) tl.Tile { return u.And(v) }, tl.Axis(AXIS))
	case "or":
		r = tl.Reduce(a, func(u, v tl.Tile) tl.Tile { return u.Or(v) }, tl.Axis(AXIS))
	case "xor":
		r = tl.Reduce(a, func(u, v tl.Tile) tl.Tile { return u.Xor(v) }, tl.Axis(AXIS))
	case "any":
		r = tl.Reduce(a.Gt(1), func(u, v tl.Tile) tl.Tile { return u.Or(v) }, tl.Axis(AXIS))
	case "all":
		r = tl.Reduce(a.Ge(0), func(u, v tl.Tile) tl.Tile { return v.And(u) }, tl.Axis(AXIS))
	case "odd":
		r = tl.Reduce(a.Lt(1), func(u, v tl.Tile) tl.Tile { return v.Xor(u) }, tl.Axis(AXIS))
	}
	tl.Store(z.Add(tl.Arange(0, R*C/len1(R, C, AXIS))), r)
}
