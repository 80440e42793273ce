package ended

import tl "github.com/tiler-go/tiler/tilelang"

// Packed moves elements that are selected together: about k of four of those that exist. The first of a program goes to
// element far of its part of z, of 4*B elements.
func Packed(p *tl.Program, x, i, z, w tl.Ptr, n, k, far int, B tl.Const, OP string) {
	o := tl.Arange(0, B).Add(p.ID(0) * B)
	in := o.Lt(n)
	v := tl.Load(x.Add(o), tl.Mask(in), tl.Other(0))
	loaded := tl.Load(i.Add(o), tl.Mask(in), tl.Other(3)).And(3).Lt(k)
	on := loaded.And(in)
	c := on.To(tl.Int32)
	rank := tl.CumSum(c, tl.Axis(0)).Sub(1)
	first := p.ID(0)*B*4 + far
	switch OP {
	case "selected":
		tl.Store(z.Add(rank.Add(first)), v, tl.Mask(on))
	case "exclusive":
		c = tl.Where(on, 1, 0).To(tl.Int32)
		tl.Store(z.Add(tl.CumSum(c, tl.Axis(0)).Sub(c).Add(first)), v, tl.Mask(on))
	case "wide":
		c = on.To(tl.Int64)
		tl.Store(z.Add(tl.CumSum(c, tl.Axis(0)).Sub(c).Add(first)), v, tl.Mask(on))
	case "numbers":
		tl.Store(z.Add(first).Add(rank), o.To(v.DType()), tl.Mask(on))
	case "same":
		tl.Store(z.Add(first).Add(rank), tl.Full(v.DType(), 3, B), tl.Mask(on))
	case "apart":
		tl.Store(z.Add(rank.Mul(3).Add(first)), v, tl.Mask(on))
		tl.Store(z.Add(rank.Mul(3).Add(first+1)), o.To(v.DType()), tl.Mask(on))
	case "both":
		tl.Store(z.Add(rank.Add(first)), v, tl.Mask(on))
		tl.Store(w.Add(rank.Add(first)), rank, tl.Mask(on))
		tl.Store(w.Add(rank.Add(first+2*B)), o, tl.Mask(on))
	case "also", "fewer": // lanes are told that exist, and that do not
		if c = loaded.To(tl.Int32); OP == "fewer" {
			in = o.Ge(3).And(o.Lt(n - 3))
		}
		at := tl.CumSum(c, tl.Axis(0)).Sub(c).Add(first)
		tl.Store(z.Add(at), v, tl.Mask(loaded.And(in)))
		tl.Store(w.Add(at), o, tl.Mask(in.And(loaded)))
	case "late": // the last five, behind what there is
		on = loaded.And(o.Ge(n - 5))
		at := tl.CumSum(on.To(tl.Int32), tl.Axis(0)).Add(first + 4*B - 1)
		tl.Store(z.Add(at), v, tl.Mask(in.And(on)))
	case "moved": // to a pointer that others go on with
		c, to := loaded.To(tl.Int32), z.Add(first).Add(n*k).Add(-k)
		in = o.Ge(k).And(o.Lt(n - 1))
		tl.Store(to.Add(tl.CumSum(c, tl.Axis(0))), v, tl.Mask(loaded.And(in)))
		tl.Store(to.Add(tl.CumSum(c, tl.Axis(0)).Sub(c)), v, tl.Mask(loaded.And(in)))
		tl.Store(to.Add(o), v, tl.Mask(in))
	case "kept":
		tl.Store(z.Add(rank.Add(first)), v, tl.Mask(on))
		tl.Store(w.Add(o.Add(first)), rank, tl.Mask(in))
	case "some": // of those that are counted
		tl.Store(z.Add(rank.Add(first)), v, tl.Mask(on.And(rank.Lt(B/4))))
	case "reversed":
		tl.Store(z.Add(tl.CumSum(c, tl.Axis(0), tl.Reverse).Add(first)), v, tl.Mask(on))
	case "backwards":
		tl.Store(z.Add(rank.Neg().Add(first+B)), v, tl.Mask(on))
	case "chosen":
		if p.ID(0)%2 == 0 {
			tl.Store(z.Add(rank.Add(first)), v, tl.Mask(on))
		}
	case "rounds":
		for s := range 3 {
			on := v.To(tl.Float32).Gt(s).And(in)
			c := on.To(tl.Int32)
			tl.Store(z.Add(tl.CumSum(c, tl.Axis(0)).Sub(1).Add(first)), v, tl.Mask(on))
			first += tl.Sum(c).Int()
		}
	case "onto": // what it reads
		tl.Store(x.Add(rank.Add(p.ID(0)*B)), v, tl.Mask(on))
		tl.Store(z.Add(o.Add(first)), tl.Load(x.Add(o), tl.Mask(in)), tl.Mask(in))
	}
}

// PackedFar has places that do not fit 32 bits on their way to elements.
func PackedFar(p *tl.Program, i, z tl.Ptr, n, k, far int, B tl.Const, OP string) {
	o := tl.Arange(0, B).Add(p.ID(0) * B)
	on := tl.Load(i.Add(o), tl.Mask(o.Lt(n)), tl.Other(9)).And(3).Lt(k)
	c := on.To(tl.Int32)
	sum := tl.CumSum(c, tl.Axis(0))
	switch OP {
	case "back": // and back, in 32 bits
		tl.Store(z.Add(sum.Add(far).Sub(far)), o.To(z.DType().Elem()), tl.Mask(on))
	case "wide": // in 64 bits, behind what wraps
		tl.Store(z.Add(sum.Add(far).To(tl.Int64).Sub(far)), o.To(z.DType().Elem()), tl.Mask(on))
	case "long": // from the last number of 64 bits on
		tl.Store(z.Add(sum.To(tl.Int64).Add(far).Add(1<<63-1-1<<31)), o.To(z.DType().Elem()), tl.Mask(on))
	case "pointer":
		tl.Store(z.Add(-far).Add(sum.Add(far)), o.To(z.DType().Elem()), tl.Mask(on))
	case "times":
		tl.Store(z.Add(sum.Mul(1<<20).Add(far)), o.To(z.DType().Elem()), tl.Mask(on))
	}
}
