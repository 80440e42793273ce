package plane

import tl "github.com/tiler-go/tiler/tilelang"

// Picked finds rows of D elements by numbers that lie in memory, of which all lanes of a block take one: n elements,
// and blocks beyond them, whose lanes are all off. x and z have rows rows, and i a number for each.
func Picked(p *tl.Program, x, i, z, m tl.Ptr, n, rows int, D, BLOCK tl.Const, MASK, OP string) {
	o := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	in := on(o, n, m, MASK)
	from, c := i.Add(o.FloorDiv(D)), o.Mod(D)
	t := tl.Load(from, tl.Mask(in))
	switch OP {
	case "other":
		t = tl.Load(from, tl.Mask(in), tl.Other(rows*5))
	case "others":
		t = tl.Load(from, tl.Mask(in), tl.Other(o.Mul(7)))
	case "whole":
		in = in.And(o.Lt(rows * D))
		t = tl.Load(i.Add(tl.Zeros(tl.Int32, BLOCK)))
	case "some":
		t = tl.Load(from, tl.Mask(in.And(p.ID(0) != 1)))
	case "all":
		t = tl.Load(i.Add(tl.Full(tl.Int32, 1%rows, BLOCK)), tl.Mask(p.ID(0)*BLOCK < n), tl.Other(o.FloorDiv(3)))
		t = tl.Minimum(t, rows-1)
	case "negative":
		t = tl.Where(t.Sub(rows).Lt(0), t.Sub(rows).Add(rows), t)
	case "wraps": // numbers past the greatest are less than any limit
		far := tl.Arange(0, BLOCK).Add(2147483647 - BLOCK + 1 + p.ID(0)%2)
		t = tl.Load(i.Add(tl.Zeros(tl.Int32, BLOCK)), tl.Mask(far.Lt(n%2*4-2147483647)), tl.Other(rows-1))
	case "beyond":
		t = t.Add(1)
	case "missing":
		t = tl.Load(from.Add(rows-2), tl.Mask(in))
	}
	v := tl.Load(x.Add(t.Mul(D)).Add(c), tl.Mask(in))
	if OP == "stored" {
		tl.AtomicAdd(z.Add(t.Mul(D)).Add(c), v, tl.Mask(in))
		return
	}
	tl.Store(z.Add(o), v.Add(t.To(v.DType())), tl.Mask(in))
}

// Chosen finds elements by numbers that are others where the mask is off.
func Chosen(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK, OP string) {
	o := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	in := on(o, n, m, MASK)
	r := tl.Where(in, o, -1)
	mask := r.Ne(-1)
	switch OP {
	case "atleast":
		mask = r.Ge(0)
	case "above":
		mask = r.Gt(n / 2)
	case "same": // which is off nowhere
		r, mask = tl.Where(in, o, 0), tl.Where(in, o, 0).Ge(0)
	case "either":
		mask = tl.Where(in, o.Sub(n/2), -1).Ne(-1).And(in)
	case "beyond":
		r = tl.Where(in, o.Add(1), -1)
		mask = r.Ne(-1)
	case "beneath": // where the mask is on, too
		r = tl.Where(o.Lt(n-1), o, -1)
		mask = in
	case "square": // by rows in the mask, by columns in the address
		k := tl.Minimum(tl.Where(in, o, 0), n-1)
		both := in.Col().And(o.Row().Lt(n))
		tl.Store(z.Add(o.Col()), tl.Max(tl.Load(x.Add(k.Row()), tl.Mask(both)), tl.Axis(1)).Col(), tl.Mask(in.Col()))
		return
	case "rows":
		both := in.Col().And(o.Row().Lt(n))
		v := tl.Load(x.Add(r.Col()).Add(o.Row().Mul(0)), tl.Mask(both))
		tl.Store(z.Add(r.Row()), tl.Max(v, tl.Axis(1)).Row(), tl.Mask(in.Row()))
		return
	}
	tl.Store(z.Add(r), tl.Load(x.Add(r), tl.Mask(mask)), tl.Mask(mask.And(r.Ge(0))))
}
