package plane

import tl "github.com/tiler-go/tiler/tilelang"

// ShiftedSums adds up rows of a matrix, or their products with those of another, from some row on that lies shift rows
// ahead: rows before the first one and behind the last count as nothing, or as a number, and columns end early. What is
// stored of them ends at the last one.
func ShiftedSums(p *tl.Program, x, y, z tl.Ptr, rows, cols, shift, last int, R, C tl.Const, OP string) {
	d := tl.Arange(0, C).Add(p.ID(0) * C)
	v := tl.Zeros(tl.Float32, C)
	for s := 0; s < rows; s += R {
		t := tl.Arange(0, R).Add(s)
		from := t.Sub(shift)
		in := from.Col().Ge(0).And(t.Col().Lt(rows)).And(d.Row().Lt(cols))
		if OP == "between" { // ends of both sides, and columns from one on
			in = from.Col().Ge(0).And(from.Col().Lt(rows - shift/2)).And(d.Row().Ge(1)).And(d.Row().Lt(cols))
		}
		there := tl.Mask(in.And(from.Col().Lt(rows)))
		a := tl.Load(x.Add(from.Col().Mul(cols).Add(d.Row())), there, tl.Other(0)).To(tl.Float32)
		switch OP {
		case "products":
			b := tl.Load(y.Add(t.Col().Mul(cols).Add(d.Row())), tl.Mask(t.Col().Lt(rows).And(d.Row().Lt(cols))), tl.Other(0))
			v = v.Add(tl.Sum(a.Mul(b.To(tl.Float32)), tl.Axis(0)))
		case "other":
			b := tl.Load(y.Add(from.Col().Mul(cols).Add(d.Row())), there, tl.Other(1))
			v = tl.Maximum(v, tl.Max(b.To(tl.Float32).Add(a), tl.Axis(0)))
		default:
			v = v.Add(tl.Sum(a, tl.Axis(0)))
		}
	}
	tl.Store(z.Add(d), v.To(z.Elem()), tl.Mask(d.Lt(last)))
}

// SumsAgain adds up columns of a matrix some times, and stores those ahead of the last one each time.
func SumsAgain(p *tl.Program, x, z tl.Ptr, times, rows, cols, last int, R, C tl.Const) {
	d := tl.Arange(0, C)
	for k := 0; k < times; k++ {
		v := tl.Zeros(tl.Float32, C)
		for s := 0; s < rows; s += R {
			t := tl.Arange(0, R).Add(s)
			a := tl.Load(x.Add(t.Col().Mul(cols).Add(d.Row())), tl.Mask(t.Col().Lt(rows).And(d.Row().Lt(cols))), tl.Other(1))
			v = v.Add(tl.Sum(a.To(tl.Float32), tl.Axis(0)))
		}
		tl.Store(z.Add(d), v.To(z.Elem()), tl.Mask(d.Lt(last).And(d.Lt(cols))))
	}
}
