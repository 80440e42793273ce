package kernels

import (
	"math"

	tl "github.com/tiler-go/tiler/tilelang"
)

// Flat finds rows and columns of w elements by division, so that a block is taken run by run. y has four rows of w
// elements, z and m as many as x, which has n.
func Flat(p *tl.Program, x, y, ids, z, m tl.Ptr, n, w int, BLOCK tl.Const, MASK, OP string) {
	o := lanes(p, BLOCK)
	in := on(o, n, m, MASK)
	r, c := o.FloorDiv(w), o.Mod(w)
	v := tl.Load(x.Add(o), tl.Mask(in))
	switch OP {
	case "bias": // a number for each row
		v = v.Add(tl.Load(y.Add(r.Mod(4)), tl.Mask(in)))
	case "rows": // through loaded indices
		v = tl.Load(y.Add(tl.Load(ids.Add(r), tl.Mask(in)).And(3).Mul(w)).Add(c), tl.Mask(in), tl.Other(1))
	case "joined": // two beside each other, of which each row has its own
		a := w/3 + 1
		left := tl.Load(y.Add(r.Mod(4).Mul(a).Add(c)), tl.Mask(in.And(c.Lt(a))), tl.Other(0))
		v = tl.Where(c.Lt(a), left, tl.Load(x.Add(o), tl.Mask(in.And(c.Ge(a)))))
	case "limits":
		v = tl.Load(y.Add(c), tl.Mask(in.And(c.Gt(2)).And(c.Le(w-3)).And(tl.Full(tl.Int32, 9, BLOCK).Lt(c))), tl.Other(2))
	case "elsewhere": // numbered from another place, from below 0 in the first program
		r, c = o.Sub(3).FloorDiv(w), o.Sub(3).Mod(w)
		v = tl.Load(y.Add(r.Add(1).Mod(4).Mul(w)).Add(c), tl.Mask(in))
	case "twice": // of which one counts three rows as one
		v = v.Add(tl.Load(y.Add(o.FloorDiv(w*3).Mod(4)), tl.Mask(in))).Mul(tl.Load(y.Add(r.Mod(3)), tl.Mask(in)))
	case "wide": // in int64
		o := o.To(tl.Int64)
		v = tl.Load(y.Add(o.FloorDiv(w).Mod(4).Mul(w)).Add(o.Mod(w)), tl.Mask(in.And(o.Mod(w).Lt(w-1))), tl.Other(3))
	case "far": // sums that wrap, of numbers that do not
		i, a, b := tl.Arange(0, BLOCK), 1<<31-8192+w, 1<<31-8191+w
		v = tl.Load(y.Add(i.Add(a).FloorDiv(w).And(3))).Add(tl.Load(y.Add(i.Add(b).FloorDiv(w).And(3))))
		wrapped := i.Add(a).Add(b).FloorDiv(w).And(3)
		v = v.Add(tl.Load(y.Add(wrapped))).Add(tl.Load(y.Add(r.Mod(4)), tl.Mask(in)))
	case "ends": // compared with the ends of int64
		o := o.To(tl.Int64)
		at := tl.Mask(in.And(o.Ge(math.MinInt64)).And(o.Lt(math.MaxInt64)).And(o.Mod(w).Gt(math.MinInt64 + 1)))
		v = tl.Load(y.Add(o.FloorDiv(w).Mod(4)), at, tl.Other(5))
	case "backwards":
		v = tl.Load(y.Add(c.Neg().Add(w-1)), tl.Mask(in))
	case "apart": // elements of a row lie four apart
		v = tl.Load(y.Add(c.Mul(4).Add(r.Mod(4))), tl.Mask(in))
	case "mixed": // beside elements that each has an index of its own for
		v = tl.Load(x.Add(tl.Load(ids.Add(o), tl.Mask(in))), tl.Mask(in)).Mul(tl.Load(y.Add(r.Mod(4)), tl.Mask(in)))
	case "picked": // rows that each element has an index of its own for
		v = tl.Load(y.Add(tl.Load(ids.Add(o), tl.Mask(in)).And(3).Mul(w)).Add(c), tl.Mask(in))
	case "nearest": // two elements of a row are one
		v = tl.Load(y.Add(r.Mod(4).Mul(w)).Add(c.FloorDiv(2)), tl.Mask(in))
	case "padded": // as are three, behind a margin
		inside := tl.Mask(in.And(c.Sub(5).Ge(0)).And(r.Mod(3).Ne(1)))
		v = tl.Load(y.Add(r.Mod(4).Mul(w)).Add(c.Sub(5).FloorDiv(3)), inside, tl.Other(7))
	case "dilated": // with elements between that are none
		v = tl.Load(y.Add(r.Mod(4).Mul(w)).Add(c.FloorDiv(2)), tl.Mask(in.And(c.Mod(2).Eq(0))), tl.Other(0)).Add(1)
	case "shared": // what it is found by is needed again
		put(z, o, tl.Load(y.Add(r.Mod(4).Mul(w).Add(c)), tl.Mask(in)), n, m, MASK)
		v = r.Add(c).To(v.DType())
		z = x
	case "itself":
		v = v.Mul(tl.Load(y.Add(r.Mod(4)), tl.Mask(in)))
		z = x
	case "beyond": // by one element behind the last row
		v = tl.Load(y.Add(r.Mod(4).Mul(w).Add(c).Add(1)), tl.Mask(in))
	}
	put(z, o, v, n, m, MASK)
}

// FlatSums adds elements to one of four rows, which loaded indices below limit name; programs may add to the same.
func FlatSums(p *tl.Program, x, ids, z, m tl.Ptr, n, w, limit int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	in := on(o, n, m, MASK)
	id := tl.Load(ids.Add(o.FloorDiv(w)), tl.Mask(in)).Mod(limit)
	tl.AtomicAdd(z.Add(id.Mul(w).Add(o.Mod(w))), tl.Load(x.Add(o), tl.Mask(in)), tl.Mask(in))
}

// FlatMoved copies elements that are numbered through rows.
func FlatMoved(p *tl.Program, x, z, m tl.Ptr, n, w int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	at := o.FloorDiv(w).Mul(w).Add(o.Mod(w))
	put(z, o, tl.Load(x.Add(at), tl.Mask(on(o, n, m, MASK))), n, m, MASK)
}
