package kernels

import tl "github.com/tiler-go/tiler/tilelang"

// RowsBy moves rows that loaded indices name, a permutation; some of them twice.
func RowsBy(p *tl.Program, x, i, z tl.Ptr, rows, cols int, R, C tl.Const, OP string) {
	r, c := tl.Arange(0, R).Add(p.ID(0)*R), tl.Arange(0, C)
	inside := r.Lt(rows)
	id := tl.Load(i.Add(r), tl.Mask(inside), tl.Other(-1))
	mask := inside.Col().And(c.Row().Lt(cols))
	at, by := r.Col().Mul(cols).Add(c.Row()), id.Col().Mul(cols).Add(c.Row())
	switch OP {
	case "load":
		tl.Store(z.Add(at), tl.Load(x.Add(by), tl.Mask(mask), tl.Other(1)), tl.Mask(mask))
	case "holes":
		some := id.Mod(3).Ne(1).Col().And(mask)
		tl.Store(z.Add(at), tl.Load(x.Add(id.Sub(1).Col().Mul(cols).Add(c.Row())), tl.Mask(some.And(id.Gt(0).Col()))), tl.Mask(mask))
	case "most": // of few rows each is written out
		most := tl.Max(tl.Load(x.Add(by), tl.Mask(mask), tl.Other(1)), tl.Axis(0))
		tl.Store(z.Add(p.ID(0)*R*cols).Add(c), most, tl.Mask(c.Lt(cols)))
	case "lanes":
		tl.Store(z.Add(at), tl.Load(x.Add(by), tl.Mask(mask.And(c.Row().Add(id.Col()).Mod(3).Ne(1))), tl.Other(2)), tl.Mask(mask))
	case "wide":
		from := id.To(tl.Int64).Col().Mul(cols).Add(c.To(tl.Int64).Row())
		tl.Store(z.Add(at), tl.Load(x.Add(from), tl.Mask(mask)), tl.Mask(mask))
	case "part":
		tl.Store(z.Add(at), tl.Load(x.Add(by).Add(1), tl.Mask(mask.And(c.Row().Lt(cols-1)))), tl.Mask(mask))
	case "chosen", "chosen-after", "chosen-lanes": // rows outside of the tensor are left out by what is loaded
		none := id.FloorDiv(rows).Col() // 0 of each row
		from, some := r.Sub(3).Col(), r.Sub(3).Col().Ge(none)
		if OP == "chosen-after" {
			from, some = r.Add(2).Col(), r.Add(2).Col().Lt(none.Add(rows))
		}
		if OP == "chosen-lanes" {
			some = some.And(c.Row().Add(none).Mod(3).Ne(1))
		}
		v := tl.Load(x.Add(from.Mul(cols).Add(c.Row())), tl.Mask(some.And(mask)), tl.Other(3))
		tl.Store(z.Add(at), v, tl.Mask(mask))
	case "chosen-line": // as well as elements
		o := c.Add(p.ID(0) * R * cols)
		none := tl.Load(i.Add(c.Mod(rows))).FloorDiv(rows)
		in := tl.Mask(c.Lt(cols))
		tl.Store(z.Add(o), tl.Load(x.Add(o).Sub(5), tl.Mask(o.Sub(5).Ge(none).And(c.Lt(cols))), tl.Other(4)), in)
	case "turned":
		from := id.Row().Mul(cols).Add(c.Col())
		a := tl.Load(x.Add(from), tl.Mask(inside.Row().And(c.Col().Lt(cols))))
		tl.Store(z.Add(at), a.T(), tl.Mask(mask))
	case "store":
		tl.Store(z.Add(by), tl.Load(x.Add(at), tl.Mask(mask)), tl.Mask(mask))
	case "first":
		tl.Store(z.Add(by), tl.Load(x.Add(at), tl.Mask(mask)), tl.Mask(id.Ge(0).Col().And(c.Row().Lt(cols/2))))
	case "twice": // the last row wins
		half := id.FloorDiv(2).Col().Mul(cols).Add(c.Row())
		tl.Store(z.Add(half), tl.Load(x.Add(at), tl.Mask(mask)), tl.Mask(mask))
	case "again": // all rows are read before one is written
		half := z.Add(id.FloorDiv(2).Col().Mul(cols).Add(c.Row()))
		tl.Store(half, tl.Load(half, tl.Mask(mask)).Add(tl.Load(x.Add(at), tl.Mask(mask))), tl.Mask(mask))
	}
}

// AtomicRows exchanges whole rows, some of them twice, one element apart or two.
func AtomicRows(p *tl.Program, x, i, z, w tl.Ptr, rows, cols int, R, C tl.Const, OP string) {
	r, c := tl.Arange(0, R).Add(p.ID(0)*R), tl.Arange(0, C)
	inside := r.Lt(rows)
	id := tl.Load(i.Add(r), tl.Mask(inside), tl.Other(0)).FloorDiv(2).Col()
	mask := tl.Mask(inside.Col().And(c.Row().Lt(cols)))
	at := r.Col().Mul(cols).Add(c.Row())
	v := tl.Load(x.Add(at), mask)
	to := z.Add(id.Mul(cols).Add(c.Row()))
	switch OP {
	case "add":
		tl.AtomicAdd(to, v, mask)
	case "old":
		tl.Store(w.Add(at), tl.AtomicAdd(to, v, mask), mask)
	case "max":
		tl.AtomicMax(to, v, mask)
	case "xchg":
		tl.Store(w.Add(at), tl.AtomicXchg(to, v, mask), mask)
	case "plain":
		tl.AtomicAdd(z.Add(at), v, mask)
	case "one": // all programs, and all rows, add to one
		tl.AtomicAdd(z.Add(c.Row().Add(tl.Zeros(tl.Int32, R, 1))), v, mask)
	case "self":
		tl.AtomicAdd(to, tl.Load(to, mask), mask)
	case "apart":
		tl.AtomicAdd(z.Add(c.FloorDiv(2).Row().Add(id.Mul(cols))), v, mask)
	case "count":
		tl.AtomicAdd(z.Add(c.Row().Mul(id).Mod(cols)), 1, mask)
	}
}

// RowsBeyond is about rows that end outside of their tensor.
func RowsBeyond(p *tl.Program, x, i, z tl.Ptr, rows, cols int, R, C tl.Const, OP string) {
	r, c := tl.Arange(0, R).Add(p.ID(0)*R), tl.Arange(0, C)
	inside := r.Lt(rows)
	id := tl.Load(i.Add(r), tl.Mask(inside), tl.Other(0))
	mask := tl.Mask(inside.Col().And(c.Row().Lt(cols)))
	at, by := r.Col().Mul(cols).Add(c.Row()), id.Col().Mul(cols).Add(c.Row())
	switch OP {
	case "load":
		tl.Store(z.Add(at), tl.Load(x.Add(by.Add(1)), mask), mask)
	case "store":
		tl.Store(z.Add(by.Sub(1)), tl.Load(x.Add(at), mask), mask)
	case "chosen": // by what is loaded, and one too many
		some := r.Sub(2).Ge(id.FloorDiv(rows).Sub(1)).Col().And(inside.Col()).And(c.Row().Lt(cols))
		tl.Store(z.Add(at), tl.Load(x.Add(r.Sub(2).Col().Mul(cols).Add(c.Row())), tl.Mask(some)), mask)
	case "wraps": // an int32 wraps within a row
		far := id.Mul(0).Add(1<<31 - 2).Col().Add(c.Row())
		tl.Store(z.Add(at), tl.Load(x.Add(far.To(tl.Int64).Sub(1<<31-2)), mask), mask)
	}
}

// AtomicRowsBeyond is RowsBeyond for atomics.
func AtomicRowsBeyond(p *tl.Program, x, i, z tl.Ptr, rows, cols int, R, C tl.Const) {
	r, c := tl.Arange(0, R).Add(p.ID(0)*R), tl.Arange(0, C)
	id := tl.Load(i.Add(r), tl.Mask(r.Lt(rows)), tl.Other(0))
	mask := tl.Mask(r.Lt(rows).Col().And(c.Row().Lt(cols)))
	v := tl.Load(x.Add(r.Col().Mul(cols).Add(c.Row())), mask)
	tl.AtomicAdd(z.Add(id.Add(1).Col().Mul(cols).Add(c.Row())), v, mask)
}

// Between writes to views with gaps, B times H times L elements of given steps: or more, and then between
// them. Blocks of rows, rows that are loaded or single elements are stored or added.
func Between(p *tl.Program, x, i, z tl.Ptr, B, H, L, stepB, stepH, stepL, more int, HB, LB tl.Const, OP string) {
	b, r, c := p.ID(0), tl.Arange(0, HB), tl.Arange(0, LB)
	mask := tl.Mask(r.Lt(H).Col().And(c.Row().Lt(L + more)))
	v := tl.Load(x.Add(b*H*L).Add(r.Col().Mul(L).Add(c.Row().Mod(L))), mask)
	at := z.Add(b * stepB)
	switch OP {
	case "store":
		to := at.Add(r.Col().Mul(stepH).Add(c.Row().Mul(stepL)))
		tl.Store(to, v.Add(tl.Load(to, mask)), mask)
	case "column": // a dimension of size 1
		one := tl.Mask(r.Lt(H).Col())
		tl.Store(at.Add(r.Col().Mul(stepH)), tl.Load(x.Add(r.Col()), one), one)
	case "turned":
		to := at.Add(r.Row().Mul(stepH).Add(c.Col().Mul(stepL)))
		tl.Store(to, tl.Trans(v), tl.Mask(r.Lt(H).Row().And(c.Col().Lt(L+more))))
	case "add":
		tl.AtomicAdd(at.Add(r.Col().Mul(stepH).Add(c.Row().Mul(stepL))), v, mask)
	case "rows", "addrows":
		row := tl.Load(i.Add(r), tl.Mask(r.Lt(H)), tl.Other(0)).Mod(H).Col().Mul(stepH)
		if OP == "rows" {
			tl.Store(at.Add(row.Add(c.Row().Mul(stepL))), v, mask)
			break
		}
		tl.AtomicAdd(at.Add(row.Add(c.Row().Mul(stepL))), v, mask)
	case "lanes", "addlanes":
		col := tl.Load(i.Add(c), tl.Mask(c.Lt(L+more)), tl.Other(0)).Mod(L + more).Row().Mul(stepL)
		if OP == "lanes" {
			tl.Store(at.Add(r.Col().Mul(stepH).Add(col)), v, mask)
			break
		}
		tl.AtomicAdd(at.Add(r.Col().Mul(stepH).Add(col)), v, mask)
	}
}

// Wide moves elements by offsets of 64 bits, which are compared and added up as such.
func Wide(p *tl.Program, x, i, z, w, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	at := get(i, o, n, m, "all").To(tl.Int64).Mod(n)
	mask := tl.Mask(on(o, n, m, MASK))
	v := tl.Load(x.Add(at), mask)
	tl.Store(z.Add(at), v, mask)
	tl.AtomicAdd(w.Add(at.FloorDiv(2)), 1, mask)
}

// Down adds up columns over blocks of rows, along which much is the same: a factor, a divisor, where they begin.
func Down(p *tl.Program, x, w, z tl.Ptr, rows, cols int, R, C tl.Const, OP string) {
	c, total := tl.Arange(0, C).Add(p.ID(0)*C), tl.Zeros(tl.Float32, C)
	for i := range tl.Cdiv(rows, R) {
		r := tl.Arange(0, R).Add(i * R)
		mask := tl.Mask(r.Lt(rows).Col().And(c.Row().Lt(cols)))
		a := tl.Load(x.Add(r.Col().Mul(cols).Add(c.Row())), mask, tl.Other(2))
		f, third := tl.Load(w.Add(r), tl.Mask(r.Lt(rows)), tl.Other(3)).Col(), r.FloorDiv(3).Col()
		s := tl.Load(x.Add(third.Mul(cols).Add(c.Row())), mask, tl.Other(1))
		switch OP {
		case "scaled":
			s = tl.Where(r.Lt(rows).Col(), s.Mul(f), 3).Add(a)
		case "divided":
			s = tl.Max(a.To(tl.Float32).Div(f.To(tl.Float32)).Add(s), tl.Axis(0)).Row()
		case "counted":
			s = a.To(tl.Int32).FloorDiv(r.Add(3).Col()).Add(c.Row().Mod(r.Add(3).Col()))
		case "least":
			_, s = tl.MinIndex(a.Add(f), tl.Axis(0), tl.KeepDims)
		case "bits":
			s = s.To(tl.Int32).Shr(r.Mod(8).Mul(4).Col()).And(15).Sub(8).To(tl.Float32).Mul(f)
		}
		total = total.Add(tl.Sum(s, tl.Axis(0)).To(tl.Float32))
	}
	tl.Store(z.Add(c), total, tl.Mask(c.Lt(cols)))
}

// Narrow copies rows of W elements into rows of C, or across, or as far as others let them.
func Narrow(p *tl.Program, x, z, m tl.Ptr, rows, cols int, R, W, C tl.Const, OP string) {
	r, c := tl.Arange(0, R).Add(p.ID(0)*R), tl.Arange(0, C)
	inside, at := r.Lt(rows).Col(), r.Col().Mul(C).Add(c.Row())
	some := tl.Mask(inside.And(c.Row().Lt(W)))
	v := tl.Load(x.Add(r.Col().Mul(W).Add(c.Row())), some, tl.Other(1))
	switch OP {
	case "padded":
		tl.Store(z.Add(at), v, tl.Mask(inside))
	case "part":
		tl.Store(z.Add(at), v, some)
	case "bound":
		tl.Store(z.Add(at), v, tl.Mask(inside.And(c.Row().Lt(cols))))
	case "across":
		tl.Store(z.Add(c.Col().Mul(rows).Add(r.Row())), v.T(), tl.Mask(r.Lt(rows).Row()))
	case "data":
		on := tl.Load(m.Add(at), tl.Mask(inside))
		tl.Store(z.Add(at), v, tl.Mask(inside.And(on)))
	case "strided":
		tl.Store(z.Add(at), tl.Load(x.Add(r.Col().Add(c.Row().Mul(rows))), some), tl.Mask(inside))
	}
}

// Margins is rows of cols elements in rows of wide, first of them from the beginning, or what lies on both sides.
func Margins(p *tl.Program, x, y, z tl.Ptr, cols, wide, first int, BLOCK tl.Const, OP string) {
	r, i := p.ID(0), tl.Arange(0, BLOCK)
	row, out := x.Add(r*cols), z.Add(i.Add(r*wide))
	j := i.Sub(first)
	in, there := tl.Mask(j.Ge(0).And(j.Lt(cols))), tl.Mask(i.Lt(wide))
	switch OP {
	case "copied":
		tl.Store(out, tl.Load(row.Add(j), in), there)
	case "other":
		tl.Store(out, tl.Load(row.Add(j), in, tl.Other(3)), there)
	case "mixed":
		left := tl.Load(row.Add(j.Sub(1)), tl.Mask(j.Ge(1).And(j.Le(cols))))
		right := tl.Load(row.Add(j.Add(1)), tl.Mask(j.Ge(-1).And(j.Add(1).Lt(cols))), tl.Other(1))
		tl.Store(out, tl.Where(j.Ge(0), left, right).Add(tl.Load(row.Add(j), in)), there)
	case "summed":
		v := tl.Load(y.Add(i.Add(r*wide)), there)
		tl.Store(z.Add(r), tl.Sum(v.To(tl.Float32).Mul(tl.Load(row.Add(j), in).To(tl.Float32))))
	case "scanned":
		tl.Store(out, tl.CumSum(tl.Load(row.Add(j), in).To(tl.Float32), tl.Axis(0)), there)
	}
}

// Woven makes C planes of rows elements into rows of C.
func Woven(p *tl.Program, x, y, z, m tl.Ptr, rows, cols int, R, C tl.Const, OP string) {
	r, c := tl.Arange(0, R).Add(p.ID(0)*R).Col(), tl.Arange(0, C).Row()
	inside, at := tl.Mask(r.Lt(rows)), r.Mul(C).Add(c)
	v := tl.Load(x.Add(c.Mul(rows).Add(r)), inside)
	switch OP {
	case "added":
		v = v.Add(tl.Load(z.Add(at), inside)).Add(tl.Load(y.Add(c)))
	case "part":
		inside = tl.Mask(r.Lt(rows).And(c.Lt(cols)))
	case "data":
		inside = tl.Mask(r.Lt(rows).And(tl.Load(m.Add(at), inside)))
	case "scanned":
		v = tl.CumSum(v.To(tl.Float32), tl.Axis(1))
	case "counted":
		v = tl.Where(r.Mod(3).Eq(c), v, tl.Load(y.Add(r), inside))
	}
	tl.Store(z.Add(at), v, inside)
}

// Dense moves A·B rows of C parts of D elements, which lie side by side or so many rows apart.
func Dense(p *tl.Program, x, y, z, m tl.Ptr, rows, cols, apart int, A, B, C, D tl.Const, OP string) {
	first := p.ID(0) * A
	a, b := tl.Arange(0, A).Add(first).Reshape(A, 1, 1, 1), tl.Arange(0, B).Reshape(1, B, 1, 1)
	c, d := tl.Arange(0, C).Reshape(1, 1, C, 1), tl.Arange(0, D).Reshape(1, 1, 1, D)
	at := a.Mul(apart).Mul(B).Add(b).Mul(C).Add(c).Mul(D).Add(d)
	inside := tl.Mask(a.Lt(rows))
	switch OP {
	case "copied":
		tl.Store(z.Add(at), tl.Load(x.Add(at), inside), inside)
	case "other":
		tl.Store(z.Add(at), tl.Load(x.Add(at), tl.Mask(a.Ge(first+1).And(a.Lt(rows))), tl.Other(1)), inside)
	case "parts": // of which masks let some through
		some := tl.Mask(a.Lt(rows).And(c.Lt(cols)))
		tl.Store(z.Add(at), tl.Load(x.Add(at), some), some)
	case "within":
		tl.Store(z.Add(at), tl.Load(x.Add(at), tl.Mask(a.Lt(rows).And(d.Lt(cols)))), inside)
	case "counted":
		v := tl.Load(y.Add(a.Mul(2).Add(b)), inside)
		tl.Store(z.Add(at), tl.Where(c.Lt(cols), tl.Load(x.Add(at), inside), v), inside)
	case "shared":
		v := tl.Load(y.Add(a), inside).Add(tl.Load(x.Add(at), inside))
		tl.Store(z.Add(at), v.Add(tl.Load(z.Add(at), inside)), inside)
	case "data":
		on := tl.Mask(a.Lt(rows).And(tl.Load(m.Add(at), inside)))
		tl.Store(z.Add(at), tl.Load(x.Add(at), on), on)
	case "swapped":
		to := a.Mul(apart).Mul(C).Add(c).Mul(B).Add(b).Mul(D).Add(d)
		tl.Store(z.Add(to), tl.Load(x.Add(at), inside), inside)
	case "cut":
		v := tl.Load(x.Add(at), inside).Permute(0, 2, 1, 3)
		to := tl.Arange(0, A*B*C*D).Add(first*B*C*D).Reshape(A, C, B, D)
		tl.Store(z.Add(to), v, tl.Mask(tl.Arange(0, A).Add(first).Lt(rows).Reshape(A, 1, 1, 1)))
	}
}
