package plane

import tl "github.com/tiler-go/tiler/tilelang"

// Column does a column of each of G groups of n rows of cols elements: programs along the grid's second axis lie side
// by side. y has an element for each row of a group, and step is how far columns lie apart.
func Column(p *tl.Program, x, y, z tl.Ptr, n, cols, step int, R tl.Const, OP string) {
	c := p.ID(1) * step
	r := tl.Arange(0, R)
	at := r.Mul(cols).Add(p.ID(0)*n*cols + c)
	in := r.Lt(n)
	v := tl.Load(x.Add(at), tl.Mask(in), tl.Other(1))
	one := z.Add(p.ID(0)*cols + c)
	switch OP {
	case "sum":
		tl.Store(one, tl.Sum(v, tl.Axis(0)).To(z.DType().Elem()))
	case "index":
		m, i := tl.MaxIndex(v, tl.Axis(0))
		tl.Store(one, m.Add(i).To(z.DType().Elem()))
	case "reduced":
		tl.Store(one, tl.Reduce(v, func(a, b tl.Tile) tl.Tile { return a.Mul(3).Add(b) }, tl.Axis(0)).To(z.DType().Elem()))
	case "row": // that all columns share
		w := tl.Load(y.Add(r), tl.Mask(in), tl.Other(0))
		tl.Store(one, tl.Sum(v.Mul(w), tl.Axis(0)).To(z.DType().Elem()))
	case "rounds":
		s := tl.Zeros(tl.Float32)
		for i := range n {
			s = s.Mul(0.5).Add(tl.Load(x.Add(p.ID(0)*n*cols + i*cols + c)).To(tl.Float32))
		}
		tl.Store(one, s.To(z.DType().Elem()))
	case "early":
		s := tl.Zeros(tl.Float32)
		for i := 0; i < n; i++ {
			if tl.Load(y.Add(i)).To(tl.Float32).Float() > 0.5 {
				break
			}
			s = s.Add(tl.Load(x.Add(p.ID(0)*n*cols + i*cols + c)).To(tl.Float32))
		}
		tl.Store(one, s.To(z.DType().Elem()))
	case "chosen":
		if n%2 == 0 {
			v = v.Add(c)
		} else {
			v = v.Mul(2)
		}
		tl.Store(one, tl.Max(v, tl.Axis(0)).To(z.DType().Elem()))
	case "divided": // by a number that is 0 for one column
		tl.Store(one, tl.Sum(v, tl.Axis(0)).Add(tl.Full(tl.Int32, 100).FloorDiv(c-9)).To(z.DType().Elem()))
	case "deep":
		k := tl.Arange(0, 4)
		w := v.Col().Add(k.Row()).Permute(1, 0).Reshape(2, 2, R)
		tl.Store(one, tl.Sum(tl.Sum(tl.Max(w, tl.Axis(1)), tl.Axis(0)), tl.Axis(0)).To(z.DType().Elem()))
	case "counted":
		tl.Store(one, tl.Sum(v, tl.Axis(0)).Mul(p.Num(1)).To(z.DType().Elem()))
	}
}

// Columned is Column for what it stores as it loads it.
func Columned(p *tl.Program, x, z tl.Ptr, n, cols, step int, R tl.Const, OP string) {
	c := p.ID(1) * step
	base := p.ID(0)*n*cols + c
	r := tl.Arange(0, R)
	at, in := r.Mul(cols).Add(base), r.Lt(n)
	switch OP {
	case "over": // the last columns end beyond it
		at = at.Add(cols / 2)
	case "wide": // an index of 32 bits that does not hold all columns
		at = at.Add(1<<31 - 20 + p.ID(1)).Sub(1<<31 - 20 + p.ID(1))
	case "below":
		at = at.Sub(3)
	}
	v := tl.Load(x.Add(at), tl.Mask(in), tl.Other(0))
	switch OP {
	case "scan":
		v = tl.CumSum(v, tl.Axis(0)).To(v.DType())
	case "back":
		v = tl.CumSum(v, tl.Axis(0), tl.Reverse).To(v.DType())
	case "numbered":
		v = v.Add(p.ID(1)).Add(p.ID(0)).To(v.DType())
	case "apart": // some columns only
		in = in.And(r.Add(p.ID(1)).Mod(3).Ne(0))
	case "carried":
		s := tl.Zeros(tl.Float32)
		for i := 0; i < n; i += R {
			on := r.Add(i).Lt(n)
			a := r.Add(i).Mul(cols).Add(base)
			w := tl.Load(x.Add(a), tl.Mask(on), tl.Other(0)).To(tl.Float32)
			tl.Store(z.Add(a), tl.CumSum(w, tl.Axis(0)).Add(s).To(v.DType()), tl.Mask(on))
			s = s.Add(tl.Sum(w, tl.Axis(0)))
		}
		return
	}
	tl.Store(z.Add(r.Mul(cols).Add(base)), v, tl.Mask(in))
}

// Heads are columns that are numbered through G groups of H, by programs of one axis.
func Heads(p *tl.Program, x, z tl.Ptr, n, H, step int, R, KNOWN tl.Const, OP string) {
	g, h := p.ID(0)/H, p.ID(0)%H
	if KNOWN > 0 {
		g, h = p.ID(0)/KNOWN, p.ID(0)%KNOWN
	}
	if OP == "signed" {
		g, h = (p.ID(0)+H)/H-1, (p.ID(0)+H)%H // which are not digits of the number
	}
	for first := 0; first < n; first += R {
		r := tl.Arange(0, R).Add(first)
		at := r.Mul(H * step).Add(g*n*H*step + h*step)
		in := tl.Mask(r.Lt(n))
		v := tl.Load(x.Add(at), in, tl.Other(0))
		switch OP {
		case "scan":
			v = tl.CumSum(v, tl.Axis(0)).To(v.DType())
		case "first":
			if h == 0 {
				v = v.Add(1)
			}
		}
		tl.Store(z.Add(at), v, in)
	}
}

// Singles are programs of single elements, which i finds. x has n of them, and z three times as many.
func Singles(p *tl.Program, x, i, z tl.Ptr, n int, OP string) {
	o := p.ID(0)
	a := tl.Load(i.Add(o)).Int()
	a = (a%n + n) % n
	if OP == "beyond" {
		a = tl.Load(i.Add(o)).Int() + n - 3
	}
	v := tl.Load(x.Add(a))
	switch OP {
	case "onward": // twice
		v = v.Add(tl.Load(x.Add((tl.Load(i.Add(a)).Int()%n + n) % n))).To(v.DType())
	case "sum":
		for k := range 3 {
			v = v.Add(tl.Load(x.Add((a + k) % n))).To(v.DType())
		}
	case "apart":
		tl.Store(z.Add(o*3), v)
		return
	case "turned":
		tl.Store(z.Add(n-1-o), v)
		return
	case "between":
		tl.Store(z.Add(o), v, tl.Mask(a > 2))
		return
	}
	tl.Store(z.Add(o), v)
}

// ShortRow is a program for each short row of n elements, pitch apart, in blocks of C. y has a row, and w a number for
// each row of x.
func ShortRow(p *tl.Program, x, y, w, z tl.Ptr, G, n, pitch int, C tl.Const, OP string) {
	r := p.ID(0)
	c := tl.Arange(0, C)
	in := tl.Mask(c.Lt(n))
	at := c.Add(r * pitch)
	switch OP {
	case "back": // rows follow each other downwards
		at = c.Add((G-1)*pitch - r*pitch)
	case "over": // the last rows end beyond it
		at = at.Add(10 * pitch)
	case "wide": // numbers of 32 bits that do not hold all rows
		at = c.Add(1<<31 - 100 + r).Sub(1<<31 - 100).Add(r * (pitch - 1))
	case "whole":
		in = tl.Mask(c.Ge(0))
	case "few": // programs leave out others
		in = tl.Mask(c.Lt(n).And(c.Add(r).Mod(3).Ne(0)))
	}
	v := tl.Load(x.Add(at), in, tl.Other(1))
	d := v.DType()
	one := z.Add(r)
	switch OP {
	case "sum", "whole":
		tl.Store(one, tl.Sum(v.Mul(v), tl.Axis(0)).To(d))
	case "index":
		m, i := tl.MaxIndex(v, tl.Axis(0))
		tl.Store(one, m.Add(i).To(d))
	case "reduced":
		tl.Store(one, tl.Reduce(v, func(a, b tl.Tile) tl.Tile { return a.Mul(3).Add(b) }, tl.Axis(0)).To(d))
	case "shared":
		u := tl.Load(y.Add(c), in, tl.Other(0))
		tl.Store(one, tl.Sum(v.Mul(u), tl.Axis(0)).Add(tl.Load(w.Add(r))).To(d))
	case "chosen":
		tl.Store(z.Add(at), tl.Where(c.Eq(1), v, v.Add(r%7)).To(d), in)
	case "spread":
		m := tl.Max(v, tl.Axis(0))
		tl.Store(z.Add(at), v.Sub(m).Mul(tl.Load(w.Add(r))).Add(tl.Sum(v, tl.Axis(0))).To(d), in)
	case "taken":
		i := c.Add(r).Mod(int(C))
		tl.Store(z.Add(at), tl.Gather(v, i, 0).To(d), in)
	default:
		tl.Store(z.Add(at), v.Add(tl.Load(w.Add(r))).To(d), in)
	}
}
