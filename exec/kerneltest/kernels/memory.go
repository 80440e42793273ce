package kernels

import tl "github.com/tiler-go/tiler/tilelang"

// Other pads masked-off lanes.
func Other(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a := tl.Load(x.Add(o), tl.Mask(on(o, n, m, MASK)), tl.Other(1))
	tl.Store(z.Add(o), a, tl.Mask(o.Lt(n)))
}

// OtherTile pads with a tile.
func OtherTile(p *tl.Program, x, y, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	b := tl.Load(y.Add(o), tl.Mask(o.Lt(n)))
	a := tl.Load(x.Add(o), tl.Mask(on(o, n, m, MASK)), tl.Other(b))
	tl.Store(z.Add(o), a, tl.Mask(o.Lt(n)))
}

// Strided reads every third element.
func Strided(p *tl.Program, x, z, m tl.Ptr, n, stride int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a := tl.Load(x.Add(o.Mul(stride)), tl.Mask(on(o, n, m, MASK)))
	put(z, o, a, n, m, "range")
}

// StridedBack reads some elements from the last one back.
func StridedBack(p *tl.Program, x, z, m tl.Ptr, n, stride int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a := tl.Load(x.Add(tl.Sub(n-1, o).Mul(stride)), tl.Mask(on(o, n, m, MASK)))
	put(z, o, a, n, m, "all")
}

// Backwards reads from the end.
func Backwards(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a := tl.Load(x.Add(tl.Sub(n-1, o)), tl.Mask(on(o, n, m, MASK)))
	put(z, o, a, n, m, "all")
}

// Wrapped reads modulo n, as unmasked edges of a matrix product do, or what is next to the ends from these.
func Wrapped(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK, OP string) {
	o := lanes(p, BLOCK)
	if OP == "clamp" {
		at := tl.Clamp(o.Sub(3), 0, n-1)
		put(z, o, tl.Load(x.Add(at), tl.Mask(on(o, n, m, MASK))), n, m, "all")
	} else {
		put(z, o, tl.Load(x.Add(o.Mod(n))), n, m, "all")
	}
}

// StoredBackwards writes from the last element back.
func StoredBackwards(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	tl.Store(z.Add(o.Neg().Add(n-1)), get(x, o, n, m, MASK), tl.Mask(on(o, n, m, MASK)))
}

// Gathered reads where i says.
func Gathered(p *tl.Program, x, i, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	at := get(i, o, n, m, "all")
	a := tl.Load(x.Add(at), tl.Mask(on(o, n, m, MASK)))
	put(z, o, a, n, m, "all")
}

// Spared reads nothing of x, which may be empty, by indices that are needed again.
func Spared(p *tl.Program, x, i, z, w, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	at := get(i, o, n, m, "all")
	at = at.Mul(at).FloorDiv(3).Add(2).Mod(77)
	put(z, o, tl.Load(x.Add(at), tl.Mask(at.Lt(0)), tl.Other(1)), n, m, MASK)
	put(w, o, tl.CumSum(at, tl.Axis(0)).Add(at), n, m, MASK)
}

// Scattered writes where i says, a permutation.
func Scattered(p *tl.Program, x, i, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a := get(x, o, n, m, "all")
	tl.Store(z.Add(get(i, o, n, m, "all")), a.Add(1), tl.Mask(on(o, n, m, MASK)))
}

// Halves adds and subtracts elements that lie half apart: runs of half elements, of which nothing is known.
func Halves(p *tl.Program, x, z, m tl.Ptr, n, half int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	mask := tl.Mask(on(o, n, m, MASK))
	j := o.Mod(half)
	a := o.Sub(j).Mul(2).Add(j)
	u, v := tl.Load(x.Add(a), mask, tl.Other(1)), tl.Load(x.Add(a.Add(half)), mask, tl.Other(2))
	tl.Store(z.Add(a), u.Add(v), mask)
	tl.Store(z.Add(a.Add(half)), u.Sub(v), mask)
}

// Same writes several lanes to one element: the last wins.
func Same(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	tl.Store(z.Add(o.FloorDiv(4)), get(x, o, n, m, MASK), tl.Mask(on(o, n, m, MASK)))
}

// Stencil has three loads that overlap.
func Stencil(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	l := tl.Load(x.Add(o.Sub(1)), tl.Mask(o.Ge(1).And(o.Lt(n))))
	r := tl.Load(x.Add(o.Add(1)), tl.Mask(o.Lt(n-1)), tl.Other(2))
	put(z, o, l.Add(r).Sub(get(x, o, n, m, MASK)), n, m, MASK)
}

// InPlace stores to what it has loaded.
func InPlace(p *tl.Program, x, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a := get(x, o, n, m, MASK)
	put(x, o, a.Add(a), n, m, MASK)
	b := get(x, o, n, m, "all")
	put(x, o, b.Sub(1), n, m, "range")
}

// Shifted loads from one pointer and stores to another, one element apart when both
// are views of one tensor.
func Shifted(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := tl.Arange(0, BLOCK)
	for i := 0; i < n; i += BLOCK {
		a := tl.Load(x.Add(o).Add(i), tl.Mask(o.Add(i).Lt(n)))
		tl.Store(z.Add(o).Add(i), a.Add(1), tl.Mask(on(o.Add(i), n, m, MASK)))
		b := tl.Load(x.Add(o).Add(i), tl.Mask(o.Add(i).Lt(n)))
		tl.Store(z.Add(o).Add(i), a.Sub(b), tl.Mask(on(o.Add(i), n, m, "odd")))
	}
}

// Either chooses a place by the program's number.
func Either(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	q := x
	if p.ID(0)%2 == 1 {
		q = x.Add(n)
	}
	put(z, o, get(q, o, n, m, MASK), n, m, MASK)
}

// EitherTile carries pointer tiles through a branch.
func EitherTile(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	ptrs, mask := x.Add(o), on(o, n, m, MASK)
	if n%3 == 1 {
		ptrs = x.Add(tl.Sub(n-1, o))
	} else if n%3 == 2 {
		ptrs = ptrs.Add(0)
	}
	a := tl.Load(ptrs, tl.Mask(mask))
	put(z, o, a, n, m, "all")
}

// Mingled chooses between two places lane by lane.
func Mingled(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	ptrs := tl.Where(o.Mod(3).Eq(0), x.Add(o), x.Add(o).Add(n))
	a := tl.Load(ptrs, tl.Mask(on(o, n, m, MASK)))
	put(z, o, a, n, m, "all")
}

// Marching moves pointer tiles along in a loop.
func Marching(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := tl.Arange(0, BLOCK)
	from, to := x.Add(o), z.Add(o)
	for i := range tl.Cdiv(n, BLOCK) {
		mask := on(o.Add(i*BLOCK), n, m, MASK)
		tl.Store(to, tl.Load(from, tl.Mask(mask)).Add(i), tl.Mask(mask))
		from, to = from.Add(BLOCK), to.Add(BLOCK)
	}
}

// Swapping exchanges pointer tiles in a loop.
func Swapping(p *tl.Program, x, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a, b := x.Add(o), x.Add(o.Add(n))
	mask := tl.Mask(on(o, n, m, MASK))
	for i := range 3 {
		tl.Store(b, tl.Load(a, mask).Add(i), mask)
		a, b = b, a
	}
}

// Chased follows indices: each load's address is what the last one loaded.
func Chased(p *tl.Program, i, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	at := get(i, o, n, m, "all")
	for range 3 {
		at = tl.Load(i.Add(at), tl.Mask(on(o, n, m, MASK)))
	}
	put(z, o, at, n, m, "all")
}

// Refilled keeps indices that a store computes and a gather within it does again for fewer lanes.
func Refilled(p *tl.Program, x, i, z, w, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	at := tl.Load(i.Add(get(i, o, n, m, "all")), tl.Mask(o.Lt(n))).Add(o).Mod(n)
	v := tl.Load(x.Add(at), tl.Mask(on(o, n, m, MASK)), tl.Other(3))
	put(z, o, at.Add(v), n, m, "all")
	put(w, o, at.Add(1), n, m, "all")
}

// HitsBox stores the lanes of a run, several to one place: all others may lead anywhere.
func HitsBox(p *tl.Program, x, i, z tl.Ptr, n int, BLOCK tl.Const, OP string) {
	o := lanes(p, BLOCK)
	at := tl.Load(i.Add(o), tl.Mask(o.Lt(n)), tl.Other(-1))
	a := tl.Load(x.Add(o), tl.Mask(o.Lt(n)), tl.Other(1))
	run := o.Ge(n / 3).And(o.Lt(n - 2))
	switch OP {
	case "first":
		tl.Store(z.Add(at.Mod(max(n/2, 1))), a, tl.Mask(o.Lt(min(n, 3))))
	case "run":
		tl.Store(z.Add(tl.Where(run, at.Mod(max(n/2, 1)), -7)), a, tl.Mask(run))
	case "none":
		tl.Store(z.Add(at.Mul(-3)), a, tl.Mask(o.Lt(n).And(o.Ge(n))))
	case "chosen":
		tl.Store(z.Add(at.Mod(max(n/2, 1))), a, tl.Mask(run.And(at.Mod(3).Ne(0))))
	case "beyond": // of a lane in the middle
		tl.Store(z.Add(tl.Where(o.Eq(n/2), n, at)), a, tl.Mask(run))
	case "square":
		c := tl.Arange(0, 20).Row()
		to := tl.Load(i.Add(c.Add(at.Col().Mul(0))), tl.Mask(c.Lt(min(n, 18)).And(run.Col())))
		tl.Store(z.Add(to), a.Col().To(tl.Float32).Add(c).To(a.DType()), tl.Mask(c.Lt(min(n, 18)).And(run.Col())))
	}
}

// Hits stores the lanes that gathered elements let through: several to one place, or next to each other.
func Hits(p *tl.Program, x, i, z, m tl.Ptr, n int, BLOCK tl.Const, MASK, OP string) {
	o := lanes(p, BLOCK)
	in := on(o, n, m, MASK)
	at := tl.Load(i.Add(o), tl.Mask(in), tl.Other(-1))
	a := tl.Load(x.Add(at), tl.Mask(in), tl.Other(1))
	hit := in.And(tl.Load(i.Add(at), tl.Mask(in), tl.Other(5)).Mod(3).Ne(0))
	switch OP {
	case "same":
		tl.Store(z.Add(at.Mod(min(n, 5))), a.Add(1), tl.Mask(hit))
	case "rows":
		tl.Store(z.Add(o.Sub(o.Mod(min(n, 40))).Add(o.Mod(min(n, 40)))), a, tl.Mask(hit))
	case "dense":
		first := p.ID(0) * BLOCK
		to := tl.CumSum(hit.To(tl.Int32), tl.Axis(0)).Sub(1)
		tl.Store(z.Add(first).Add(to), a.Mul(2), tl.Mask(hit))
	case "lone": // a value that is no tile, to places that gathers give
		tl.Store(z.Add(tl.Load(i.Add(at), tl.Mask(hit), tl.Other(0))), 3, tl.Mask(hit))
	}
}

// Interleaved reads and writes every EACH-th element, from several places.
func Interleaved(p *tl.Program, x, z, m tl.Ptr, n int, EACH, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	at := o.Mul(EACH)
	on := tl.Mask(on(o, n, m, MASK))
	first, last := tl.Load(x.Add(at), on), tl.Load(x.Add(at.Add(EACH-1)), on)
	tl.Store(z.Add(at.Add(EACH-1)), first, on)
	tl.Store(z.Add(at), last, on)
}

// Bisected looks elements up in y by halving: each load's address is made of what all loads before it gave.
func Bisected(p *tl.Program, x, y, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	v := get(x, o, n, m, "all")
	lo, hi := tl.Zeros(tl.Int32, BLOCK), tl.Full(tl.Int32, n, BLOCK)
	for range 5 {
		middle := lo.Add(hi).Shr(1)
		below := tl.Load(y.Add(middle), tl.Mask(on(o, n, m, MASK)), tl.Other(1)).Le(v)
		lo, hi = tl.Where(below, middle, lo), tl.Where(below, hi, middle)
	}
	put(z, o, lo, n, m, "all")
}

// Joined puts rows of x and of y beside each other: masks say on which side of a remainder lanes are.
func Joined(p *tl.Program, x, y, z tl.Ptr, n, a, b int, BLOCK tl.Const) {
	o := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	r, c := o.FloorDiv(a+b), o.Mod(a+b)
	u := tl.Load(x.Add(r.Mul(a).Add(c)), tl.Mask(o.Lt(n).And(c.Lt(a))), tl.Other(0))
	v := tl.Load(y.Add(r.Mul(b).Add(c.Sub(a))), tl.Mask(o.Lt(n).And(c.Ge(a))), tl.Other(0))
	tl.Store(z.Add(o), tl.Where(c.Lt(a), u, v), tl.Mask(o.Lt(n)))
}

// Rows copies a matrix by blocks.
func Rows(p *tl.Program, x, z tl.Ptr, rows, cols, sx, sz int, R, C tl.Const) {
	r, c := tl.Arange(0, R).Add(p.ID(0)*R), tl.Arange(0, C).Add(p.ID(1)*C)
	mask := r.Lt(rows).Col().And(c.Lt(cols).Row())
	a := tl.Load(x.Add(r.Mul(sx).Col().Add(c.Row())), tl.Mask(mask))
	tl.Store(z.Add(r.Mul(sz).Col().Add(c.Row())), a.Mul(2), tl.Mask(mask))
}

// Transposed copies a matrix across.
func Transposed(p *tl.Program, x, z tl.Ptr, rows, cols int, R, C tl.Const) {
	r, c := tl.Arange(0, R).Add(p.ID(0)*R), tl.Arange(0, C).Add(p.ID(1)*C)
	mask := r.Lt(rows).Col().And(c.Lt(cols).Row())
	a := tl.Load(x.Add(r.Mul(cols).Col().Add(c.Row())), tl.Mask(mask))
	tl.Store(z.Add(c.Mul(rows).Col().Add(r.Row())), a.T(), tl.Mask(mask.T()))
}

// Crossed reads or writes matrices across their rows: in tiles of the other order, by loads, by stores and by both, with
// masks that are boxes or not. Elements lie so many further on.
func Crossed(p *tl.Program, x, y, z tl.Ptr, rows, cols, more int, R, C tl.Const, OP string) {
	r, c := tl.Arange(0, R).Add(p.ID(0)*R), tl.Arange(0, C).Add(p.ID(1)*C)
	mask := r.Lt(rows).Col().And(c.Lt(cols).Row())
	if OP == "holes" {
		mask = mask.And(r.Col().Add(c.Row()).Mod(5).Ne(2))
	}
	down, across := r.Col().Mul(cols).Add(c.Row()), r.Col().Add(c.Row().Mul(rows))
	switch OP {
	case "load", "holes":
		v := tl.Load(x.Add(down).Add(more), tl.Mask(mask), tl.Other(7)).T()
		to := across.T()
		tl.Store(z.Add(to), v.Add(tl.Load(y.Add(to), tl.Mask(mask.T()))), tl.Mask(mask.T()))
	case "store":
		tl.Store(z.Add(across).Add(more), tl.Load(x.Add(down), tl.Mask(mask)).Add(1), tl.Mask(mask))
	case "over": // columns that have elements in common
		tl.Store(z.Add(r.Col().Add(c.Row().Mul(rows/2))), tl.Load(x.Add(down), tl.Mask(mask)), tl.Mask(mask))
	case "falling":
		tl.Store(z.Add(down), tl.Load(x.Add(across).Add(more), tl.Mask(mask), tl.Other(2)), tl.Mask(mask))
	case "twice":
		v := tl.Load(x.Add(down), tl.Mask(mask))
		tl.Store(z.Add(across), v, tl.Mask(mask))
		tl.Store(y.Add(down), v.Sub(1), tl.Mask(mask))
	case "loop":
		for i := range 2 {
			v := tl.Load(x.Add(down), tl.Mask(mask))
			tl.Store(z.Add(across), v.Add(i), tl.Mask(mask))
			tl.Store(x.Add(down), v.Add(1), tl.Mask(mask))
		}
	}
}

// Outer adds a row to a column.
func Outer(p *tl.Program, x, y, z tl.Ptr, rows, cols int, R, C tl.Const) {
	r, c := tl.Arange(0, R).Add(p.ID(0)*R), tl.Arange(0, C).Add(p.ID(1)*C)
	a := tl.Load(x.Add(r), tl.Mask(r.Lt(rows)))
	b := tl.Load(y.Add(c), tl.Mask(c.Lt(cols)), tl.Other(3))
	tl.Store(z.Add(r.Mul(cols).Col().Add(c.Row())), a.Col().Add(b.Row()), tl.Mask(r.Lt(rows).Col().And(c.Lt(cols).Row())))
}

// Described copies through descriptors.
func Described(p *tl.Program, x, z tl.Ptr, rows, cols int, R, C tl.Const) {
	from := tl.MakeDesc(x, []int{rows, cols}, []int{cols, 1}, []int{R, C})
	to := tl.MakeDesc(z, []int{rows, cols}, []int{cols, 1}, []int{R, C})
	to.Store(from.Load(p.ID(0)*R, p.ID(1)*C).Add(1), p.ID(0)*R, p.ID(1)*C)
}

// Advanced walks a block pointer along a row.
func Advanced(p *tl.Program, x, z tl.Ptr, rows, cols int, R, C tl.Const) {
	from := tl.MakeBlockPtr(x, []int{rows, cols}, []int{cols, 1}, []int{p.ID(0) * R, 0}, []int{R, C}, []int{1, 0})
	to := tl.MakeBlockPtr(z, []int{rows, cols}, []int{cols, 1}, []int{p.ID(0) * R, 0}, []int{R, C}, []int{1, 0})
	for range tl.Cdiv(cols, C) {
		to.Store(from.Load(tl.BoundaryCheck(0, 1), tl.PadZero).Mul(3), tl.BoundaryCheck(0, 1))
		from, to = from.Advance(0, C), to.Advance(0, C)
	}
}

// Elements works on single elements.
func Elements(p *tl.Program, x, z tl.Ptr, n int) {
	i := p.ID(0)
	a := tl.Load(x.Add(i))
	b := tl.Load(x.Add(n - 1 - i))
	tl.Store(z.Add(i), a.Add(b))
}

// Copied stores elements as they are loaded.
func Copied(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK, OP string) {
	o := lanes(p, BLOCK)
	switch OP {
	case "all":
		put(z, o, get(x, o, n, m, MASK), n, m, MASK)
	case "shorter": // what is loaded ends ahead of what is stored
		put(z, o, tl.Load(x.Add(o), tl.Mask(o.Lt(n-2)), tl.Other(1)), n, m, MASK)
	case "longer":
		put(z, o, tl.Load(x.Add(o), tl.Mask(o.Lt(n))), n-3, m, MASK)
	case "moved": // within a tensor
		put(z, o, get(x, o, n, m, MASK), n, m, MASK)
		mask := o.Add(1).Lt(n).And(o.Sub(p.ID(0) * BLOCK).Lt(BLOCK - 1))
		tl.Store(z.Add(o).Add(1), tl.Load(z.Add(o), tl.Mask(mask)), tl.Mask(mask))
	case "itself":
		put(z, o, get(z, o, n, m, MASK), n, m, MASK)
	case "backwards":
		back := o.Neg().Add(n - 1)
		tl.Store(z.Add(back), tl.Load(x.Add(back), tl.Mask(o.Lt(n))), tl.Mask(o.Lt(n)))
	}
}

// CopiedRows copies a matrix in rows that are further apart.
func CopiedRows(p *tl.Program, x, z tl.Ptr, rows, cols, pitch int, R, C tl.Const) {
	a, _, mask := matrix(x, rows, cols, R, C)
	tl.Store(z.Add(tl.Arange(0, R).Mul(pitch).Col().Add(tl.Arange(0, C).Row())), a, tl.Mask(mask))
}

// OverTurned adds in place where elements are the same, or change places, in ways of their own.
func OverTurned(p *tl.Program, x, i tl.Ptr, a, b, cols int, BLOCK tl.Const, OP string) {
	r, c := tl.Arange(0, 16).Col(), tl.Arange(0, BLOCK).Row()
	at := x.Add(r.Mul(a)).Add(c.Mul(b))
	switch OP {
	case "line":
		over(x.Add(5000).Add(tl.Arange(0, BLOCK).Mul(b - a)))
	case "turned":
		at = x.Add(tl.Arange(0, BLOCK).Col().Mul(int(BLOCK))).Add(c)
		tl.Store(at, tl.Load(at).T().Add(1))
	case "steps":
		for range 2 {
			over(at)
		}
	case "rows":
		over(x.Add(tl.Load(i.Add(tl.Arange(0, 16))).FloorDiv(2).Mul(b).Col()).Add(c))
	case "one":
		over(x.Add(tl.Full(tl.Int32, 5, int(BLOCK))))
	case "odd":
		mask := tl.Mask(tl.Arange(0, BLOCK).Mul(3).Row().Lt(cols).And(r.Lt(7)))
		tl.Store(at, tl.Load(at, mask, tl.Other(0)).Add(4), mask)
	case "cube":
		over(at.ExpandDims(0).Add(tl.Arange(0, 3).ExpandDims(1).ExpandDims(2).Mul(cols)))
	case "late":
		for n := range cols {
			over(x.Add(tl.Arange(0, BLOCK).Mul(n)))
		}
	case "masked":
		for k := 0; k < cols; k += int(BLOCK) {
			mask := tl.Mask(c.Add(k).Lt(cols))
			tl.Store(at, tl.Load(at, mask, tl.Other(0)).Add(7), mask)
		}
	case "mod":
		over(x.Add(tl.Arange(0, BLOCK).Mod(cols + 1)))
	case "atomic":
		tl.AtomicAdd(at, tl.Load(at))
	}
}

func over(at tl.Ptr) { tl.Store(at, tl.Load(at).Add(3)) }

// Later copies the rest of rows, block by block, from a start that only the loop around knows, to where they end. Ahead
// of that it stores under a mask of numbers that may not fit, too.
func Later(p *tl.Program, x, z, w tl.Ptr, rows, n, from int, BLOCK tl.Const) {
	for i := range rows {
		for s := i / 3 * int(BLOCK); s < n; s += int(BLOCK) {
			o := tl.Arange(0, BLOCK).Add(s)
			in := o.Lt(n)
			tl.Store(w.Add(o), i, tl.Mask(in.And(o.Add(from).Lt(n+from))))
			tl.Store(z.Add(o), tl.Load(x.Add(i*n).Add(o), tl.Mask(in)), tl.Mask(in))
		}
	}
}

// Paired takes pairs of elements apart: all of what is loaded, one half, over what is stored, of rows, and twice.
func Paired(p *tl.Program, x, z tl.Ptr, n int, BLOCK tl.Const, OP string) {
	o := tl.Arange(0, BLOCK).Add(p.ID(0) * int(BLOCK))
	at := o.Col().Mul(2).Add(tl.Arange(0, 2).Row())
	in := tl.Mask(o.Col().Lt(n))
	switch OP {
	case "sum":
		a, b := tl.Split(tl.Load(x.Add(at), in, tl.Other(3)).Add(tl.Load(x.Add(at), in)))
		tl.Store(z.Add(o), a.Add(b), tl.Mask(o.Lt(n)))
	case "one":
		_, b := tl.Split(tl.Load(x.Add(at), in))
		tl.Store(z.Add(o), b, tl.Mask(o.Lt(n)))
	case "over":
		a, b := tl.Split(tl.Load(z.Add(at), in))
		tl.Store(z.Add(at), tl.Join(b.Add(1), a), in)
		c, d := tl.Split(tl.Load(z.Add(at), in))
		tl.Store(z.Add(at), tl.Join(c.Sub(d), d), in)
	case "flat":
		flat := tl.Arange(0, 2*BLOCK)
		a, b := tl.Split(tl.Load(x.Add(flat).Add(p.ID(0))).Add(flat.To(tl.Uint8)).Reshape(int(BLOCK), 2))
		tl.Store(z.Add(o), a.Add(b.Add(b)), tl.Mask(o.Lt(n)))
	case "deep":
		deep := at.ExpandDims(0).Add(tl.Arange(0, 2).ExpandDims(1).ExpandDims(2))
		even := tl.Mask(tl.Arange(0, 2).Row().ExpandDims(0).Add(o.Col().ExpandDims(0)).Lt(n))
		a, b := tl.Split(tl.Load(x.Add(deep), even, tl.Other(1)))
		tl.Store(z.Add(o.Row().Add(tl.Arange(0, 2).Col().Mul(n))), a.Sub(b), tl.Mask(o.Row().Lt(n)))
	case "whole":
		v := tl.Load(x.Add(at), in)
		a, b := tl.Split(v)
		tl.Store(z.Add(at), v.Add(tl.Join(a, b)), in)
	}
}
