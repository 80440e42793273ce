package ended

import (
	"math"

	tl "github.com/tiler-go/tiler/tilelang"
)

// Onward carries a tile round a loop over a row, which may be shorter than the block, longer, or none.
func Onward(p *tl.Program, x, y, z tl.Ptr, n, end int, BLOCK, FROM, STEP tl.Const, OP string) {
	i := tl.Arange(0, BLOCK)
	a, b := tl.Zeros(y.DType().Elem(), BLOCK), tl.Full(y.DType().Elem(), -1, BLOCK)
	for k := FROM; k < end; k += STEP {
		in := i.Add(k).Lt(n)
		at := tl.Minimum(i, n-1).Add(0)
		if STEP < 1<<20 {
			at = i.Add(k)
		}
		v := tl.Load(x.Add(at), tl.Mask(in), tl.Other(0))
		switch OP {
		case "sum":
			a = a.Add(v).To(a.DType())
		case "max":
			b = tl.Maximum(b, tl.Where(in, v, -1)).To(b.DType())
		case "where":
			a = tl.Where(in, a.Add(v).Sub(1), a).To(a.DType())
		case "both": // the one of the other
			a, b = tl.Where(in, a.Sub(b), 0).To(a.DType()), tl.Where(in, tl.Maximum(b, v), -1).To(b.DType())
		case "read": // in the loop, too
			a = a.Add(tl.Where(in, v.Mul(v), 0)).To(a.DType())
			tl.Store(y.Add(i), a, tl.Mask(i.Lt(2*n)))
		case "turned": // by other elements
			a = a.Add(v).Add(tl.Flip(a, 0)).To(a.DType())
		case "moves": // everywhere
			a = a.Add(v).Add(1).To(a.DType())
		case "zero": // which is another one behind the first round
			b = b.Mul(0).Add(v).To(b.DType())
		case "later": // what is masked is more in later rounds
			a = a.Add(tl.Load(x.Add(i), tl.Mask(i.Sub(k).Lt(n).And(i.Lt(n))), tl.Other(0))).To(a.DType())
		case "fixed":
			a = a.Add(tl.Load(x.Add(i), tl.Mask(i.Lt(n).And(i.Add(k).Lt(n+3))), tl.Other(0))).To(a.DType())
		case "wider": // than the other mask
			more := tl.Load(x.Add(tl.Minimum(i, n-1)), tl.Mask(i.Lt(n+3)), tl.Other(0))
			a = a.Add(v).Add(more).To(a.DType())
			b = tl.Where(in, tl.Maximum(b, v), tl.Where(i.Lt(n+5), -2, -1)).To(b.DType())
		case "whole":
			a = a.Add(v).To(a.DType())
			if k > 200 {
				a = tl.Where(a.Eq(0), math.Copysign(0, -1), a).To(a.DType())
			}
		}
	}
	tl.Store(y.Add(i), a.Add(b).To(a.DType()), tl.Mask(i.Lt(2*n)))
	tl.Store(z, tl.Sum(a))
	tl.Store(z.Add(1), tl.Sum(b.Mul(2)))
	tl.Store(z.Add(2), tl.Max(a))
	tl.Store(z.Add(3), tl.ArgMax(b))
	tl.Store(z.Add(4).Add(i), a, tl.Mask(i.Lt(BLOCK)))
	tl.Store(z.Add(4+BLOCK).Add(i), b)
}

// OnwardRows carries a tile of rows.
func OnwardRows(p *tl.Program, x, z tl.Ptr, rows, cols int, R, C tl.Const, OP string) {
	r, c := tl.Arange(0, R).Add(p.ID(0)*R).Col(), tl.Arange(0, C).Row()
	a := tl.Zeros(tl.Float32, R, C)
	for k := 0; k < cols; k += C {
		in := r.Lt(rows).And(c.Add(k).Lt(cols))
		v := tl.Load(x.Add(r.Mul(cols).Add(c.Add(k))), tl.Mask(in), tl.Other(0)).To(tl.Float32)
		switch OP {
		case "sum":
			a = a.Add(v)
		case "where":
			a = tl.Where(in, a.Add(v.Mul(2)), a)
		case "rows":
			a = tl.Where(r.Lt(rows), a.Add(v), 0)
		}
	}
	tl.Store(z.Add(r.Mul(3)), tl.Sum(a, tl.Axis(1), tl.KeepDims), tl.Mask(r.Lt(rows)))
	tl.Store(z.Add(r.Mul(3).Add(1)), tl.Max(a, tl.Axis(1), tl.KeepDims), tl.Mask(r.Lt(rows)))
	tl.Store(z.Add(r.Mul(3).Add(2)), tl.Sum(a.Mul(a), tl.Axis(1), tl.KeepDims), tl.Mask(r.Lt(rows)))
	tl.Store(z.Add(3*R*p.Num(0)).Add(tl.Arange(0, C).Add(p.ID(0)*C)), tl.Sum(a, tl.Axis(0)))
}
