package ended

import tl "github.com/tiler-go/tiler/tilelang"

// ScanApart scans elements that lie apart in memory, some of a block: each program's are those of a column.
func ScanApart(p *tl.Program, x, y, z tl.Ptr, n, by int, BLOCK tl.Const, OP string) {
	i := tl.Arange(0, BLOCK)
	in, from := i.Lt(n), i.Mul(by).Add(p.ID(0))
	to := from
	switch OP {
	case "dense": // to where they lie side by side
		to = i.Add(p.ID(0) * n)
	case "side": // from there
		from = i.Add(p.ID(0) * n)
	case "three":
		from, to = i.Mul(3).Add(p.ID(0)), i.Mul(2).Add(p.ID(0)*2*n)
	case "back":
		from, to = i.Mul(-by).Add((n-1)*by+p.ID(0)), i.Mul(-3).Add(3*n-1+p.ID(0)*3*n)
	case "onto": // one element
		//lint:ignore SA4000 the compiler is not to know the stride
		to = i.Mul(n - n).Add(p.ID(0))
	}
	a := tl.Load(x.Add(from), tl.Mask(in))
	s := tl.CumSum(a, tl.Axis(0))
	switch OP {
	case "reversed":
		s = tl.CumSum(a, tl.Axis(0), tl.Reverse)
	case "some":
		s = tl.CumSum(tl.Load(x.Add(from), tl.Mask(in.And(i.Ge(2)).And(i.Lt(n-1))), tl.Other(1)), tl.Axis(0))
	case "pairs":
		b := tl.Load(y.Add(i), tl.Mask(in), tl.Other(1))
		_, s = tl.Scan2(a, b, func(a1, b1, a2, b2 tl.Tile) (tl.Tile, tl.Tile) {
			return a1.Mul(a2).To(a1.DType()), b1.Mul(a2).Add(b2).To(b1.DType())
		}, tl.Axis(0))
	case "over": // itself
		s = tl.CumSum(tl.Load(z.Add(to), tl.Mask(in)), tl.Axis(0))
	case "shifted": // over itself, one further
		s = tl.CumSum(tl.Load(z.Add(to), tl.Mask(in.And(i.Ge(1)))), tl.Axis(0))
		to, in = to.Sub(by), in.And(i.Ge(1))
	case "further":
		s = tl.CumSum(tl.Load(z.Add(to), tl.Mask(in.And(i.Lt(n-1)))), tl.Axis(0))
		to, in = to.Add(by), i.Lt(n-1)
	case "scaled":
		s = tl.CumSum(a.Mul(2), tl.Axis(0)).Add(1)
	case "turns":
		for range 2 {
			tl.Store(z.Add(to), tl.CumSum(tl.Load(z.Add(to), tl.Mask(in)).Add(1), tl.Axis(0)).To(a.DType()), tl.Mask(in))
		}
	case "chosen": // where it says so
		in = in.And(tl.Load(x.Add(from), tl.Mask(in)).Gt(0))
	case "beyond": // the tensor, in the last program
		to = to.Add(p.ID(0) * p.ID(0) * by * n)
	}
	tl.Store(z.Add(to), s.To(a.DType()), tl.Mask(in))
}
