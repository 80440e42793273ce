package plane

import tl "github.com/tiler-go/tiler/tilelang"

// Falling takes a matrix of n rows, w elements apart, by tiles of X columns by R rows, so that memory is contiguous
// along the first dimension. i numbers rows, and z is as large as x.
func Falling(p *tl.Program, x, i, z, m tl.Ptr, n, cols int, w, X, R tl.Const, MASK, OP string) {
	c := tl.Arange(0, X).Add(p.ID(0) * X)
	in := on(c, cols, m, MASK).Col()
	r := tl.Arange(0, R).Row()
	if OP == "once" || OP == "scanned" || OP == "meets" || OP == "across" {
		fallingOnce(x, z, c.Col(), r, in, n, w, OP)
		return
	}
	d := x.DType().Elem()
	sum, most := tl.Zeros(d, X, R), tl.Full(d, 1, X, R)
	ptrs := x.Add(c.Col()).Add(r.Mul(w))
	for b := 0; b < n; b += R {
		k := r.Add(b)
		ok := k.Lt(n).And(in)
		at := c.Col().Add(k.Mul(w))
		switch OP {
		case "quotients":
			at = c.Mod(7).Add(c.FloorDiv(7).Mul(7)).Col().Add(k.Mul(w))
		case "numbered":
			row := tl.Load(i.Add(k), tl.Mask(k.Lt(n)), tl.Other(0)).To(tl.Int32)
			at = c.Col().Add(row.Add(n).Mod(n).Mul(w))
		case "beyond":
			at = at.Add(w)
		}
		v := tl.Load(x.Add(at), tl.Mask(ok), tl.Other(2))
		switch OP {
		case "carried":
			v = tl.Load(ptrs, tl.Mask(ok), tl.Other(0))
			ptrs = ptrs.Add(R * w)
		case "within":
			tl.Store(z.Add(at), v.Add(c.Col().To(d)), tl.Mask(ok))
		case "branches":
			if b > R {
				sum = v.Sub(1).To(d)
			}
		case "both":
			sum = sum.Add(tl.Sum(v, tl.Axis(0)).To(d).Row()).To(d)
		}
		sum, most = tl.Where(ok, sum.Add(v).To(d), sum), tl.Where(ok, tl.Maximum(v, most).To(d), most)
	}
	if OP == "within" {
		return
	}
	to := z.Add(c)
	last := tl.Sum(sum, tl.Axis(1)).To(d)
	if OP == "index" {
		last = tl.ArgMax(most, tl.Axis(1)).To(d)
	} else {
		last = last.Add(tl.Max(most, tl.Axis(1))).To(d)
	}
	tl.Store(to, last, tl.Mask(in.Reshape(X)))
}

// fallingOnce takes all rows at once.
func fallingOnce(x, z tl.Ptr, c, r, in tl.Tile, n int, w tl.Const, OP string) {
	ok := tl.Mask(in.And(r.Lt(n)))
	v := tl.Load(x.Add(c).Add(r.Mul(w)), ok, tl.Other(3))
	most := tl.Max(v, tl.Axis(1)).Col()
	switch OP {
	case "scanned":
		v = tl.CumSum(v, tl.Axis(1)).To(v.DType())
	case "meets": // elements of the next row: the last one of a row's stays
		tl.Store(z.Add(c).Add(r.Mul(w/2)), tl.Maximum(v, most), ok)
		return
	case "across":
		tl.Store(z.Add(c).Add(r.Mul(w)), tl.Maximum(v, tl.Max(v, tl.Axis(0)).Row()), ok)
		return
	}
	tl.Store(z.Add(c).Add(r.Mul(w)), v.Sub(most).To(v.DType()), ok)
}

// Embedded is rows of D elements of x, by numbers i, flat: a block begins at a multiple of D, or within a row.
func Embedded(p *tl.Program, x, i, z tl.Ptr, n, rows int, D, BLOCK tl.Const, MASK string) {
	o := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	in := o.Lt(n * D)
	if MASK == "range" {
		in = in.And(o.Ge(n))
	}
	k := tl.Load(i.Add(o.FloorDiv(D)), tl.Mask(in)).Mod(rows)
	k = tl.Where(k.Lt(0), k.Add(rows), k)
	tl.Store(z.Add(o), tl.Load(x.Add(k.Mul(D)).Add(o.Mod(D)), tl.Mask(in)), tl.Mask(in))
}

// Skewed stores rows of X elements one behind the beginning of another, so that the last of several stays: how far they
// lie apart is less than w by what has other elements than its operands.
func Skewed(p *tl.Program, x, z tl.Ptr, w, X, R tl.Const, OP string) {
	c, r := tl.Arange(0, X).Col(), tl.Arange(0, R).Row()
	at, n := c.Add(r.Mul(w)), w-1
	v := tl.Load(x.Add(at))
	rows := tl.Arange(0, R)
	off := r.Mul(n)
	switch OP {
	case "sum":
		off = tl.Sum(off.BroadcastTo(2, R), tl.Axis(0)).FloorDiv(2).Row()
	case "most":
		off = tl.Max(off.BroadcastTo(2, R), tl.Axis(0)).Row()
	case "running":
		off = tl.CumSum(tl.Full(tl.Int32, n, 1, R), tl.Axis(1)).Sub(n)
	case "line":
		off = tl.CumSum(tl.Full(tl.Int32, n, R), tl.Axis(0)).Sub(n).Row()
	case "carried":
		off = tl.Zeros(tl.Int32, 1, R)
		for range n {
			off = off.Add(r)
		}
	case "branch":
		off = tl.Zeros(tl.Int32, 1, R)
		if p.ID(0) == 0 {
			off = r.Mul(n)
		}
	case "index":
		_, i := tl.MaxIndex(tl.Where(rows.Col().Eq(r), 1, 0), tl.Axis(0))
		off = i.Mul(n).Row()
	case "counted":
		off = tl.Histogram(tl.Full(tl.Int32, 1, n), R).Row()
	case "none":
		off = tl.Zeros(tl.Int32, 1, R)
	}
	tl.Store(z.Add(at.Sub(off)), v)
}
