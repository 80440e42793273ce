package plane

import tl "github.com/tiler-go/tiler/tilelang"

// Channels adds up the channels of images, n elements of each, which are numbered through images and their places.
func Channels(p *tl.Program, x, i, z tl.Ptr, C, w, n int, X, R tl.Const, OP string) {
	c := tl.Arange(0, X).Add(p.ID(0) * X)
	sum := tl.Zeros(z.DType().Elem(), X, R)
	for first := 0; first < n; first += R {
		e := tl.Arange(0, R).Add(first)
		on := c.Lt(C).Col().And(e.Lt(n).Row())
		r := e.Row()
		switch OP {
		case "wide":
			r = r.To(tl.Int64)
		case "far": // numbers of their own in each row
			r = r.Add(c.Mod(3).Mul(w).Col())
		case "negative":
			r = r.Sub(w + 1)
		case "wraps":
			r = r.Add(1<<31 - 20)
		}
		by := w
		if OP == "zero" {
			by = min(w, 0)
		}
		image, place := r.FloorDiv(by), r.Mod(by)
		at := image.Mul(C * w).Add(c.Mul(w).Col()).Add(place)
		switch OP {
		case "around":
			at = r.Add(5).Mod(w).Add(c.Mul(w).Col())
		case "wraps": // and where it does, places are negative
			at = place.Add(c.Mul(w).Col())
		case "loaded":
			at = place.Add(tl.Load(i.Add(c), tl.Mask(c.Lt(C)), tl.Other(0)).Mod(C).Mul(w).Col()).Add(image.Mul(C * w))
		case "late":
			on = on.And(e.Ge(7).Row())
		case "lanes":
			on = on.And(e.Mod(3).Ne(1).Row())
		case "beyond":
			at = at.Add(1)
		case "beneath":
			at = at.Sub(C * w)
		}
		v := tl.Load(x.Add(at), tl.Mask(on), tl.Other(2))
		switch OP {
		case "twice":
			v = v.Mul(tl.Load(x.Add(w).Add(at).Sub(w), tl.Mask(on), tl.Other(1)))
		case "valued":
			v = v.Add(image.Mul(2).Sub(place).To(v.DType()))
		}
		sum = tl.Where(on, sum.Add(v), sum)
	}
	tl.Store(z.Add(c), tl.Sum(sum, tl.Axis(1)), tl.Mask(c.Lt(C)))
}

// Channel is one channel a program.
func Channel(p *tl.Program, x, z tl.Ptr, C, w, n int, R tl.Const, OP string) {
	c := p.ID(0)
	sum := tl.Zeros(z.DType().Elem(), R)
	for first := 0; first < n; first += R {
		e := tl.Arange(0, R).Add(first)
		at := e.FloorDiv(w).Mul(C * w).Add(e.Mod(w))
		if OP == "quotients" { // and no remainder
			at = e.Sub(e.FloorDiv(w).Mul(w)).Add(e.FloorDiv(w).Mul(C * w))
		}
		v := tl.Load(x.Add(at).Add(c*w), tl.Mask(e.Lt(n)), tl.Other(0))
		sum = sum.Add(v).Add(v.Mul(v))
	}
	tl.Store(z.Add(tl.Arange(0, R)).Add(c*R), sum)
}
