// Package plane is the kernels of the corpus whose elements are numbered through rows, and what they are found by is
// kept, or rows of planes.
package plane

import tl "github.com/tiler-go/tiler/tilelang"

// on is the lanes of offsets o that take part.
func on(o tl.Tile, n int, m tl.Ptr, MASK string) tl.Tile {
	in := o.Lt(n)
	switch MASK {
	case "range":
		return in.And(o.Ge(n / 3))
	case "odd":
		return o.Mod(2).Eq(1).And(in)
	case "data":
		return tl.Load(m.Add(o), tl.Mask(in)).And(in)
	case "none":
		return o.Lt(0)
	}
	return in
}

// Kept finds elements by an index that is used twice, or divided, so that it lies in memory. y has four rows of w
// elements, z and m as many as x, which has n.
func Kept(p *tl.Program, x, y, z, m tl.Ptr, n, w int, BLOCK tl.Const, MASK, OP string) {
	o := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	in := on(o, n, m, MASK)
	r, c := o.FloorDiv(w), o.Mod(w)
	v := tl.Load(x.Add(o), tl.Mask(in))
	switch OP {
	case "halves":
		k := c.Add(1).FloorDiv(2)
		v = tl.Load(y.Add(r.Mod(4).Mul(w)).Add(k), tl.Mask(in.And(k.Lt(w)))).Add(tl.Load(y.Add(k.Mul(2).Mod(w)), tl.Mask(in)))
	case "rolled":
		v = tl.Load(y.Add(r.Mod(4).Mul(w)).Add(c.Add(w-3).Mod(w)), tl.Mask(in), tl.Other(4))
	case "clamped":
		k := tl.Minimum(c.Mul(2), w-1)
		v = tl.Load(y.Add(k), tl.Mask(in)).Add(tl.Load(y.Add(r.Mod(3).Mul(w)).Add(k.Add(w)), tl.Mask(in.And(k.Gt(w/2)))))
	case "short": // by one that is 0
		v = v.Add(c.FloorDiv(r.Mul(0)).To(v.DType()))
	case "beyond": // by one element
		k := tl.Minimum(c.Mul(2), w)
		v = tl.Load(y.Add(k.Add(w*3)), tl.Mask(in)).Add(tl.Load(y.Add(k), tl.Mask(in)))
	}
	tl.Store(z.Add(o), v, tl.Mask(in))
}

// Rows are of planes of three rows of w elements, which are found by remainders of remainders.
func Rows(p *tl.Program, x, y, z, m tl.Ptr, n, w int, BLOCK tl.Const, MASK, OP string) {
	o := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	in := on(o, n, m, MASK)
	e := o.Mod(w * 3)
	h, c := e.FloorDiv(w), e.Mod(w)
	v := tl.Load(x.Add(o), tl.Mask(in))
	switch OP {
	case "planes":
		v = tl.Load(y.Add(h.Mul(w)).Add(c), tl.Mask(in)).Add(tl.Load(y.Add(o.FloorDiv(w*3).Mod(4)), tl.Mask(in)))
	case "cubes": // of two planes, of which each row has a margin
		e := o.Mod(2 * (3 * w))
		d, k := e.FloorDiv(3*w), e.Mod(3*w)
		h, c := k.FloorDiv(w), k.Mod(w)
		inside := tl.Mask(in.And(c.Ge(2)).And(c.Lt(w - 3)))
		v = tl.Load(y.Add(d.Add(h).Mul(w)).Add(c).Add(-2), inside, tl.Other(6)).Mul(v)
	case "heads": // of three by two, which are turned
		t := o.FloorDiv(w)
		a, b := t.FloorDiv(3).Mod(2), t.FloorDiv(3).FloorDiv(2)
		v = tl.Load(y.Add(t.Mod(3).Add(a).Mul(w)).Add(o.Mod(w)), tl.Mask(in)).Add(b.To(v.DType()))
	case "counted": // in pairs of rows, anew in each plane
		some := tl.Mask(in.And(h.Mod(2).Lt(1)))
		v = tl.Load(y.Add(h.FloorDiv(2).Add(h.Mod(2)).Mul(w)).Add(c), some).Add(o.FloorDiv(w * 3).Mod(2).To(v.DType()))
	case "below": // numbered from below 0 in the first program
		e := o.Sub(3).Mod(w * 3)
		v = tl.Load(y.Add(e.FloorDiv(w).Mul(w)).Add(e.Mod(w)), tl.Mask(in.And(o.Ge(3)))).Add(e.To(v.DType()))
	case "wide": // in int64
		e := o.To(tl.Int64).Mod(w * 3)
		v = tl.Load(y.Add(e.FloorDiv(w).Mul(w)).Add(e.Mod(w)), tl.Mask(in.And(e.Mod(w).Ne(1))), tl.Other(3))
	case "fixed": // of numbers that are known
		e := o.Mod(96)
		v = tl.Load(y.Add(e.FloorDiv(32)).Add(e.Mod(32).FloorDiv(2)), tl.Mask(in)).Add(e.Mod(24).To(v.DType()))
	case "turned": // into places of columns
		o = o.FloorDiv(w * 3).Mul(w * 3).Add(c.Mul(3)).Add(h)
		in = in.And(o.Lt(n))
	case "rolled": // by an index that is kept
		k := c.Add(w - 3).Mod(w)
		v = tl.Load(y.Add(h.Mul(w)).Add(k), tl.Mask(in)).Add(tl.Load(y.Add(k), tl.Mask(in)))
	case "repeats": // elements, once or a few times
		s := n%3 + 1
		e := o.Mod(w * 3 * s)
		v = tl.Load(y.Add(e.FloorDiv(s)), tl.Mask(in))
		v = v.Add(tl.Load(y.Add(e.FloorDiv(w*s).Mul(w)).Add(e.Mod(w*s).FloorDiv(s)), tl.Mask(in)))
	case "wrapped": // numbers of which one is a multiple of another but for 2^64
		k := 2*w - 1
		s := k * (2 - k*k) // the inverse modulo 2^6, and twice as many bits each time
		s *= 2 - k*s
		s *= 2 - k*s
		s *= 2 - k*s
		s *= 2 - k*s
		e := o.Mod(k * (s * (k + 5)))
		at := e.FloorDiv(k).Mul(k).Add(e.Mod(k))
		v = tl.Load(y.Add(at), tl.Mask(in.And(at.Lt(w*4)))).Add(e.FloorDiv(k).To(v.DType()))
	case "ratios": // by numbers that are 0 in other runs alone
		v = tl.Load(y.Add(c), tl.Mask(in)).Add(h.Add(9).FloorDiv(c.Add(1)).To(v.DType()))
	case "nothing": // lane by lane
		//lint:ignore SA4000 the compiler is not to know that it is 0
		v = v.Add(tl.Load(y.Add(c.Add(1).Mod(w-w)), tl.Mask(in)))
	case "none": // of no elements
		//lint:ignore SA4000 the compiler is not to know that it is none
		v = v.Add(e.FloorDiv((w * 3) * (w - w)).To(v.DType()))
	case "apart": // by no rows
		//lint:ignore SA4000 as above
		v = v.Add(o.FloorDiv(w).Mod(w - w).To(v.DType()))
	case "more": // than there are
		v = tl.Load(y.Add(h.Add(1).Mul(w)).Add(c).Add(1), tl.Mask(in))
	}
	tl.Store(z.Add(o), v, tl.Mask(in))
}

// Moved are elements whose numbers a scalar is added to, or another tile. y has four rows of w elements.
func Moved(p *tl.Program, x, y, z, m tl.Ptr, n, w int, BLOCK tl.Const, MASK, OP string) {
	o := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	in := on(o, n, m, MASK)
	v := tl.Load(x.Add(o), tl.Mask(in))
	k := tl.Minimum(tl.Maximum(o.Sub(5), 0), w-1) // repeats the first and the last
	switch OP {
	case "repeated":
		v = tl.Load(y.Add(w*3).Add(k), tl.Mask(in))
	case "reflected":
		k := tl.Abs(o.Mod(w).Sub(w / 3))
		v = tl.Load(y.Add(tl.Minimum(k, k.Neg().Add(2*w-2))).Add(w), tl.Mask(in), tl.Other(2))
	case "backwards":
		v = tl.Load(y.Add(w-1).Add(k.Neg()), tl.Mask(in))
	case "rows": // of int32, twice
		v = tl.Load(y.Add(o.FloorDiv(w).Mod(4).Mul(w)).Add(k), tl.Mask(in))
	case "ahead": // of the tensor, and back
		v = tl.Load(y.Add(-w).Add(k.Add(w)), tl.Mask(in)).Add(tl.Load(y.Add(k.Sub(w)).Add(w*2), tl.Mask(in)))
	case "far": // from the tensor, and back
		v = tl.Load(y.Add(1<<31).Add(k.Add(-1<<31)), tl.Mask(in))
		v = v.Add(tl.Load(y.Add(w+1-1<<31).Add(k.Add(1<<31-1-w)), tl.Mask(in)))
	case "planes":
		for i := range 4 {
			v = v.Add(tl.Load(y.Add(i*w).Add(k), tl.Mask(in)))
			tl.Store(z.Add(o), v, tl.Mask(in))
		}
	case "onward":
		k := tl.Minimum(o.To(tl.Float32).Mul(0.4).To(tl.Int32), w-1)
		for range 4 {
			v = v.Add(tl.Load(y.Add(k), tl.Mask(in)))
			y = y.Add(w)
		}
	case "negative": // twice: a sum of 32 bits is inside
		v = tl.Load(y.Add(k.Add(-1<<31)).Add(k.Mul(0).Add(-1<<31)), tl.Mask(in))
	case "beneath": // by a whole 2^32
		v = tl.Load(y.Add(-1<<31).Add(k.Add(-1<<31)), tl.Mask(in))
	case "above":
		v = tl.Load(y.Add(1<<32).Add(k), tl.Mask(in))
	case "first": // but one
		v = tl.Load(y.Add(-1).Add(k), tl.Mask(in))
	case "last": // and one more
		v = tl.Load(y.Add(w*3+1).Add(k), tl.Mask(in))
	}
	tl.Store(z.Add(o), v, tl.Mask(in))
}
