package real

import tl "github.com/tiler-go/tiler/tilelang"

// Kernels over flat indices: what an element is made of is found by divisions, limits and constant strides.

// channelBias adds a number for each channel of images to all of its elements.
func channelBias(p *tl.Program, x, bias, out tl.Ptr, n, area, channels int, BLOCK tl.Const) {
	i := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	m := tl.Mask(i.Lt(n))
	tl.Store(out.Add(i), tl.Load(x.Add(i), m).Add(tl.Load(bias.Add(i.FloorDiv(area).Mod(channels)), m)), m)
}

// pooled is the greatest of each 2×2 elements.
func pooled(p *tl.Program, x, out tl.Ptr, n, h, w int, BLOCK tl.Const) {
	i := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	m := tl.Mask(i.Lt(n))
	z, y, c := i.Mod(w), i.FloorDiv(w).Mod(h), i.FloorDiv(w*h)
	at := c.Mul(4 * w * h).Add(y.Mul(4 * w)).Add(z.Mul(2))
	top := tl.Maximum(tl.Load(x.Add(at), m), tl.Load(x.Add(at.Add(1)), m))
	low := tl.Maximum(tl.Load(x.Add(at.Add(2*w)), m), tl.Load(x.Add(at.Add(2*w+1)), m))
	tl.Store(out.Add(i), tl.Maximum(top, low), m)
}

// joined puts rows of x, a wide, and of y, b wide, beside each other.
func joined(p *tl.Program, x, y, out tl.Ptr, n, a, b int, BLOCK tl.Const) {
	i := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	in := i.Lt(n)
	r, c := i.FloorDiv(a+b), i.Mod(a+b)
	left := tl.Load(x.Add(r.Mul(a).Add(c)), tl.Mask(in.And(c.Lt(a))), tl.Other(0))
	right := tl.Load(y.Add(r.Mul(b).Add(c.Sub(a))), tl.Mask(in.And(c.Ge(a))), tl.Other(0))
	tl.Store(out.Add(i), tl.Where(c.Lt(a), left, right), tl.Mask(in))
}

// flatRows is elements of rows that loaded indices name.
func flatRows(p *tl.Program, table, ids, out tl.Ptr, n, cols int, BLOCK tl.Const) {
	i := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	m := tl.Mask(i.Lt(n))
	id := tl.Load(ids.Add(i.FloorDiv(cols)), m)
	tl.Store(out.Add(i), tl.Load(table.Add(id.Mul(cols).Add(i.Mod(cols))), m), m)
}

// columns puts the 3×3 elements around each one of an image, for all places of a window beside each other: im2col.
func columns(p *tl.Program, x, out tl.Ptr, n, h, w int, BLOCK tl.Const) {
	i := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	m := tl.Mask(i.Lt(n))
	z, y, k, c := i.Mod(w), i.FloorDiv(w).Mod(h), i.FloorDiv(w*h).Mod(9), i.FloorDiv(w*h*9)
	at := c.Mul((h + 2) * (w + 2)).Add(y.Add(k.FloorDiv(3)).Mul(w + 2)).Add(z.Add(k.Mod(3)))
	tl.Store(out.Add(i), tl.Load(x.Add(at), m), m)
}

// grey is a weighted sum of red, green and blue, which are bytes beside each other.
func grey(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) {
	i := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	m := tl.Mask(i.Lt(n))
	at := i.Mul(3)
	r := tl.Load(x.Add(at), m).To(tl.Int32)
	g := tl.Load(x.Add(at.Add(1)), m).To(tl.Int32)
	b := tl.Load(x.Add(at.Add(2)), m).To(tl.Int32)
	tl.Store(out.Add(i), r.Mul(77).Add(g.Mul(150)).Add(b.Mul(29)).Shr(8).To(tl.Uint8), m)
}

// complexProduct multiplies numbers whose imaginary part follows the real one.
func complexProduct(p *tl.Program, x, y, out tl.Ptr, n int, BLOCK tl.Const) {
	i := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	m, at := tl.Mask(i.Lt(n)), i.Mul(2)
	a, b := tl.Load(x.Add(at), m), tl.Load(x.Add(at.Add(1)), m)
	c, d := tl.Load(y.Add(at), m), tl.Load(y.Add(at.Add(1)), m)
	tl.Store(out.Add(at), a.Mul(c).Sub(b.Mul(d)), m)
	tl.Store(out.Add(at.Add(1)), a.Mul(d).Add(b.Mul(c)), m)
}

// blurred weighs a byte and its neighbours in a row, 1 : 2 : 1: those of the ends are the ends themselves.
func blurred(p *tl.Program, x, out tl.Ptr, w int, BLOCK tl.Const) {
	i := tl.Arange(0, BLOCK)
	m := tl.Mask(i.Lt(w))
	sum := tl.Zeros(tl.Int32, BLOCK)
	for j := range 3 {
		at := tl.Clamp(i.Add(j-1), 0, w-1)
		sum = sum.Add(tl.Load(x.Add(at.Add(p.ID(0)*w)), m, tl.Other(0)).To(tl.Int32).Mul(2 - (j-1)*(j-1)))
	}
	tl.Store(out.Add(i.Add(p.ID(0)*w)), sum.Shr(2).To(tl.Uint8), m)
}

// searched is between which of 256 edges elements lie, by halving.
func searched(p *tl.Program, edges, x, out tl.Ptr, n int, BLOCK tl.Const) {
	i := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	m := tl.Mask(i.Lt(n))
	v := tl.Load(x.Add(i), m)
	lo, hi := tl.Zeros(tl.Int32, BLOCK), tl.Full(tl.Int32, 256, BLOCK)
	for range 8 {
		middle := lo.Add(hi).Shr(1)
		below := tl.Load(edges.Add(middle), m).Le(v)
		lo, hi = tl.Where(below, middle, lo), tl.Where(below, hi, middle)
	}
	tl.Store(out.Add(i), lo, m)
}

// tallied counts bytes.
func tallied(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) {
	i := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	in := i.Lt(n)
	h := tl.Histogram(tl.Load(x.Add(i), tl.Mask(in), tl.Other(0)).To(tl.Int32), 256, tl.Mask(in))
	tl.AtomicAdd(out.Add(tl.Arange(0, 256)), h)
}
