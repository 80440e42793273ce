package element

import tl "github.com/tiler-go/tiler/tilelang"

// Rounded stores float32 to rows of n elements of another type, R rows a program in tiles of C columns: numbers that
// lie between two of the type's, such as are none, and what operations leave that go through rows.
func Rounded(p *tl.Program, x, i, z tl.Ptr, rows, n int, R, C tl.Const, OP string) {
	r, c := tl.Arange(0, R).Add(p.ID(0)*R).ExpandDims(1), tl.Arange(0, C).ExpandDims(0)
	mask := r.Lt(rows).And(c.Lt(n))
	at := r.Mul(n).Add(c)
	v := tl.Load(x.Add(at), tl.Mask(mask), tl.Other(1)).To(tl.Float32)
	switch OP {
	case "halves": // each bit of the lower half by itself, and all patterns of the upper one in turn
		bits := r.Mul(0x2001).Add(c.Mul(0x01818000)).Add(tl.Full(tl.Int32, 1, 1, C).Shl(c.Mod(17)))
		v = bits.To(tl.Int32).Bitcast(tl.Float32)
	case "none":
		v = tl.Where(c.Mod(7).Eq(3), tl.Div(v.Sub(v), v.Sub(v)), v)
	case "running":
		v = tl.CumSum(v, tl.Axis(1))
	case "falling":
		v = tl.CumSum(v, tl.Axis(0))
	case "shares":
		v = v.Div(tl.Sum(tl.Abs(v).Add(1), tl.Axis(1), tl.KeepDims))
	case "backwards":
		v = tl.Load(x.Add(r.Mul(n).Add(c.Mul(-1).Add(n-1))), tl.Mask(mask)).To(tl.Float32).Mul(3)
	case "picked":
		row := tl.Abs(tl.Load(i.Add(r), tl.Mask(r.Lt(rows)), tl.Other(0))).Mod(rows)
		v = tl.Load(x.Add(row.Mul(n).Add(c)), tl.Mask(mask)).To(tl.Float32).Div(3)
	case "turned":
		v = v.Add(tl.Load(x.Add(c.Mul(rows).Add(r)), tl.Mask(mask)).To(tl.Float32))
	case "same":
		v = tl.Full(tl.Float32, 1.1, R, C)
	case "some":
		mask = mask.And(v.Gt(0))
	case "inner":
		mask = mask.And(c.Ge(3)).And(c.Lt(n - 2))
	case "joined":
		left := tl.Load(x.Add(at), tl.Mask(mask.And(c.Lt(n/2)))).To(tl.Float32).Add(1)
		right := tl.Load(x.Add(at.Sub(n/2)), tl.Mask(mask.And(c.Ge(n/2)))).To(tl.Float32).Mul(1.3)
		v = tl.Where(c.Lt(n/2), left, right)
	case "twice":
		v = v.Div(7)
		tl.Store(z.Add(at).Add(rows*n), v.Add(1), tl.Mask(mask))
	}
	tl.Store(z.Add(at), v, tl.Mask(mask))
}

// Narrow stores what operations leave of elements of their own type.
func Narrow(p *tl.Program, x, y, z tl.Ptr, n int, C tl.Const, OP string) {
	c := tl.Arange(0, C).Add(p.ID(0) * C)
	mask := c.Lt(n)
	a, b := tl.Load(x.Add(c), tl.Mask(mask)), tl.Load(y.Add(c), tl.Mask(mask))
	v := a.Add(b)
	switch OP {
	case "product":
		v = a.Mul(b).Sub(a).Mul(3)
	case "quotient":
		v = a.Div(b).Add(tl.Sqrt(a))
	case "root":
		v = tl.Sqrt(b.Sub(a))
	case "exp":
		v = tl.Exp(a.Mul(20))
	case "silu":
		v = a.Mul(tl.Sigmoid(a))
	case "many": // patterns of all kinds, NaNs among them, that signal or have payloads
		a = c.Mul(257).To(tl.Int16).Bitcast(x.Elem())
		v = a.Mul(b).Add(a.Mul(a))
	case "signs":
		v = tl.Where(a.Lt(b), a.Add(b).Neg(), tl.Maximum(a.Mul(b), b))
	case "both":
		tl.Store(z.Add(c).Add(n), v.Mul(v), tl.Mask(mask))
	case "looped":
		for i := range 3 {
			v = v.Mul(a).Add(float64(i))
			tl.Store(z.Add(c).Add(n), v.Sub(b), tl.Mask(mask))
		}
	}
	tl.Store(z.Add(c), v, tl.Mask(mask))
}
