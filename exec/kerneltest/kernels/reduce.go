package kernels

import tl "github.com/tiler-go/tiler/tilelang"

// Reduction reduces a vector by one operation.
func Reduction(p *tl.Program, x, z, w, m tl.Ptr, n int, BLOCK tl.Const, MASK, OP string) {
	o := lanes(p, BLOCK)
	a := get(x, o, n, m, MASK)
	var r, i tl.Tile
	switch OP {
	case "sum":
		r = tl.Sum(a)
	case "max":
		r = tl.Max(a)
	case "min":
		r = tl.Min(a)
	case "argmax":
		i = tl.ArgMax(a)
	case "argmin":
		i = tl.ArgMin(a)
	case "maxindex":
		r, i = tl.MaxIndex(a)
	case "minindex":
		r, i = tl.MinIndex(a)
	case "xorsum":
		r = tl.XorSum(a)
	case "orsum":
		r = tl.OrSum(a)
	}
	if OP != "argmax" && OP != "argmin" {
		tl.Store(z.Add(p.ID(0)), r)
	}
	if OP == "argmax" || OP == "argmin" || OP == "maxindex" || OP == "minindex" {
		tl.Store(w.Add(p.ID(0)), i)
	}
}

// matrix loads rows by cols elements into a tile of R by C.
func matrix(x tl.Ptr, rows, cols, R, C int) (a, offs, mask tl.Tile) {
	r, c := tl.Arange(0, R), tl.Arange(0, C)
	offs = r.Mul(cols).Col().Add(c.Row())
	mask = r.Lt(rows).Col().And(c.Lt(cols).Row())
	return tl.Load(x.Add(offs), tl.Mask(mask)), offs, mask
}

// Axis reduces along an axis of a matrix.
func Axis(p *tl.Program, x, z tl.Ptr, rows, cols int, R, C, AXIS tl.Const, OP string) {
	a, offs, mask := matrix(x, rows, cols, R, C)
	var r tl.Tile
	switch OP {
	case "sum":
		r = tl.Sum(a, tl.Axis(AXIS), tl.KeepDims)
	case "max":
		r = tl.Max(a, tl.Axis(AXIS), tl.KeepDims)
	case "min":
		r = tl.Min(a, tl.Axis(AXIS), tl.KeepDims)
	case "argmax":
		r = tl.ArgMax(a, tl.Axis(AXIS), tl.KeepDims)
	case "closure":
		r = tl.Reduce(a, func(u, v tl.Tile) tl.Tile { return tl.Maximum(u, v).Sub(tl.Minimum(u, v)).To(u.DType()) }, tl.Axis(AXIS), tl.KeepDims)
	}
	tl.Store(z.Add(offs), r.BroadcastTo(R, C), tl.Mask(mask))
}

// Closure reduces by a function that reads variables around it.
func Closure(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	a := get(x, lanes(p, BLOCK), n, m, MASK)
	k := n % 3
	tl.Store(z.Add(p.ID(0)), tl.Reduce(a, func(u, v tl.Tile) tl.Tile { return u.Add(v).Add(k) }))
}

// Welford is mean and spread in one pass.
func Welford(p *tl.Program, x, z, w, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a := get(x, o, n, m, MASK).To(tl.Float32)
	mean, spread, count := tl.Reduce3(a, tl.ZerosLike(a), tl.Full(tl.Float32, 1, BLOCK), func(m1, s1, n1, m2, s2, n2 tl.Tile) (tl.Tile, tl.Tile, tl.Tile) {
		d := m2.Sub(m1)
		c := n1.Add(n2)
		return m1.Add(d.Mul(n2.Div(c))), s1.Add(s2).Add(d.Mul(d).Mul(n1).Mul(n2).Div(c)), c
	})
	tl.Store(z.Add(p.ID(0)), mean)
	tl.Store(w.Add(p.ID(0)), spread.Div(count).To(tl.Float32))
}

// Pairs reduces two tiles together: the greatest of a and its partner in b.
func Pairs(p *tl.Program, x, y, z, w, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a, b := tl.Reduce2(get(x, o, n, m, MASK), get(y, o, n, m, MASK), func(a1, b1, a2, b2 tl.Tile) (tl.Tile, tl.Tile) {
		first := a1.Ge(a2)
		return tl.Where(first, a1, a2), tl.Where(first, b1, b2)
	})
	tl.Store(z.Add(p.ID(0)), a)
	tl.Store(w.Add(p.ID(0)), b)
}

// Running is a scan by one operation.
func Running(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK, OP string) {
	o := lanes(p, BLOCK)
	a := get(x, o, n, m, MASK)
	switch OP {
	case "cumsum":
		a = tl.CumSum(a, tl.Axis(0))
	case "cumsum_reverse":
		a = tl.CumSum(a, tl.Axis(0), tl.Reverse)
	case "cumprod":
		a = tl.CumProd(a, tl.Axis(0))
	case "max":
		a = tl.Scan(a, func(u, v tl.Tile) tl.Tile { return tl.Maximum(u, v).To(u.DType()) }, tl.Axis(0))
	case "greater":
		a = tl.Scan(a, func(u, v tl.Tile) tl.Tile { return tl.Where(u.Gt(v), u, v) }, tl.Axis(0))
	case "min":
		a = tl.Scan(a, func(u, v tl.Tile) tl.Tile { return tl.Minimum(v, u) }, tl.Axis(0))
	case "xor":
		a = tl.Scan(a, func(u, v tl.Tile) tl.Tile { return v.Xor(u) }, tl.Axis(0))
	case "or":
		a = tl.Scan(a, func(u, v tl.Tile) tl.Tile { return u.Or(v) }, tl.Axis(0))
	case "and":
		a = tl.Scan(a, func(u, v tl.Tile) tl.Tile { return u.And(v) }, tl.Axis(0))
	case "mean_reverse":
		a = tl.Scan(a, func(u, v tl.Tile) tl.Tile { return u.Mul(0.5).Add(v) }, tl.Axis(0), tl.Reverse)
	}
	put(z, o, a, n, m, MASK)
}

// Recurrence is a scan of pairs: a linear recurrence.
func Recurrence(p *tl.Program, x, y, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a, b := tl.Scan2(get(x, o, n, m, MASK), get(y, o, n, m, MASK), func(a1, b1, a2, b2 tl.Tile) (tl.Tile, tl.Tile) {
		return a1.Mul(a2), b1.Mul(a2).Add(b2)
	}, tl.Axis(0))
	put(z, o, b.Add(a), n, m, MASK)
}

// ScanStored stores what is made of a scan.
func ScanStored(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK, OP string) {
	o := lanes(p, BLOCK)
	a := get(x, o, n, m, MASK)
	s := tl.CumSum(a, tl.Axis(0))
	switch OP {
	case "part":
		put(z, o, s.Mul(3).Add(tl.Sum(a, tl.Axis(0))), n, m, MASK)
	case "before":
		put(z, o, s.Sub(a), n, m, MASK)
	case "chosen":
		put(z, o, tl.Where(s.Gt(a), s, a.Add(1)), n, m, MASK)
	case "behind":
		tl.Store(z.Add(o), s, tl.Mask(o.Lt(n).And(o.Ge(3))))
	case "again":
		put(z, o, s, n, m, MASK)
		put(z, o, tl.CumSum(get(z, o, n, m, MASK), tl.Axis(0)), n, m, MASK)
	case "both":
		put(z, o, s, n, m, MASK)
		tl.Store(z.Add(o), s.Add(get(z, o, n, m, MASK)), tl.Mask(o.Lt(n-1)))
	case "shorter": // what is loaded ends ahead of what is stored
		v := tl.Load(x.Add(o), tl.Mask(o.Lt(n-2)), tl.Other(2))
		put(z, o, tl.CumSum(v, tl.Axis(0)), n, m, MASK)
	case "moved":
		put(z, o, a, n, m, MASK)
		next := o.Add(1)
		mask := next.Lt(n).And(o.Sub(p.ID(0) * BLOCK).Lt(BLOCK - 1))
		tl.Store(z.Add(o), tl.CumSum(tl.Load(z.Add(next), tl.Mask(mask)), tl.Axis(0)), tl.Mask(mask))
	case "former", "latter":
		u, v := tl.Scan2(s.Sub(s).Add(2), get(x, o, n, m, MASK), func(a1, b1, a2, b2 tl.Tile) (tl.Tile, tl.Tile) {
			return a1.Sub(a2).Add(b1).To(a1.DType()), b1.Mul(a2).Add(b2).To(b1.DType())
		}, tl.Axis(0))
		if OP == "former" {
			v = u
		}
		put(z, o, v, n, m, MASK)
	case "backwards":
		tl.Store(z.Add(o.Neg().Add(n-1)), s, tl.Mask(o.Lt(n)))
	case "turns":
		for i := range 3 {
			put(z, o, tl.CumSum(get(z, o, n, m, MASK).Add(i), tl.Axis(0)), n, m, MASK)
		}
	case "sums":
		numbers := tl.CumSum(tl.Full(tl.Int32, 1, BLOCK), tl.Axis(0))
		put(z, o, tl.CumSum(tl.CumSum(a.Add(numbers), tl.Axis(0)), tl.Axis(0)), n, m, MASK)
	}
}

// ScanTurned scans rows and stores them as columns.
func ScanTurned(p *tl.Program, x, z tl.Ptr, rows, cols int, R, C tl.Const) {
	a, _, mask := matrix(x, rows, cols, R, C)
	i, j := tl.Arange(0, R).Col(), tl.Arange(0, C).Row()
	tl.Store(z.Add(j.Mul(rows).Add(i)), tl.CumSum(a, tl.Axis(1)), tl.Mask(mask))
}

// ScanAxis scans along an axis of a matrix.
func ScanAxis(p *tl.Program, x, z tl.Ptr, rows, cols int, R, C, AXIS tl.Const) {
	a, offs, mask := matrix(x, rows, cols, R, C)
	tl.Store(z.Add(offs), tl.CumSum(a, tl.Axis(AXIS)), tl.Mask(mask))
}

// ScanPairs scans pairs along an axis of a matrix.
func ScanPairs(p *tl.Program, x, y, z tl.Ptr, rows, cols int, R, C, AXIS tl.Const, OP string) {
	a, offs, mask := matrix(x, rows, cols, R, C)
	b := tl.Load(y.Add(offs), tl.Mask(mask), tl.Other(1))
	switch OP {
	case "pairs":
		_, a = tl.Scan2(b, a, func(a1, b1, a2, b2 tl.Tile) (tl.Tile, tl.Tile) {
			return a1.Mul(a2).To(a1.DType()), b1.Mul(a2).Add(b2).To(b1.DType())
		}, tl.Axis(AXIS))
	case "reverse":
		a, b = tl.Scan2(a, b, func(a1, b1, a2, b2 tl.Tile) (tl.Tile, tl.Tile) {
			return tl.Maximum(a1, a2).To(a1.DType()), b1.Sub(b2).To(b1.DType())
		}, tl.Axis(AXIS), tl.Reverse)
		a = a.Add(b).To(a.DType())
	}
	tl.Store(z.Add(offs), a, tl.Mask(mask))
}

// ScanDown scans columns of a matrix, in and beside other loops.
func ScanDown(p *tl.Program, x, y, z tl.Ptr, rows, cols int, R, C tl.Const, OP string) {
	a, offs, mask := matrix(x, rows, cols, R, C)
	b := tl.Load(y.Add(offs), tl.Mask(mask), tl.Other(1))
	i, j := tl.Arange(0, R).Col(), tl.Arange(0, C).Row()
	down, up := tl.CumSum(a, tl.Axis(0)).To(a.DType()), tl.CumSum(a, tl.Axis(0), tl.Reverse).To(a.DType())
	to, s, in := z.Add(offs), down, mask
	switch OP {
	case "between": // rows that are not stored count
		in = mask.And(i.Ge(2))
	case "upto":
		s, in = up, mask.And(i.Lt(rows-2))
	case "columns":
		s, in = down.Add(1), mask.And(j.Ge(rows-2)).And(j.Lt(C-1))
	case "some":
		s, in = up, mask.And(a.Gt(b))
	case "both":
		s = tl.CumSum(down.Sub(up).Add(b), tl.Axis(0))
	case "rows":
		s = tl.CumSum(tl.CumSum(a, tl.Axis(1)), tl.Axis(0)).Add(tl.CumSum(b, tl.Axis(1)))
	case "swapped", "first": // what is carried changes places
		u, v := tl.Scan2(a, b, func(a1, b1, a2, b2 tl.Tile) (tl.Tile, tl.Tile) {
			return b1, tl.Maximum(a1, b2).To(b1.DType())
		}, tl.Axis(0))
		if s = u; OP == "first" {
			s = v.Sub(u)
		}
	case "turned":
		u, v := tl.Scan2(a, b, func(a1, b1, a2, b2 tl.Tile) (tl.Tile, tl.Tile) { return b1, a1 }, tl.Axis(0), tl.Reverse)
		s = u.Sub(v)
	case "stored": // over what is scanned
		c := tl.Load(to, tl.Mask(mask))
		tl.Store(to, tl.Scan(c, func(u, v tl.Tile) tl.Tile { return u.Sub(v).To(u.DType()) }, tl.Axis(0)), tl.Mask(mask))
		s, in = tl.CumSum(tl.Load(to, tl.Mask(mask)), tl.Axis(0), tl.Reverse), mask.And(i.Lt(rows-1))
	case "overlapping": // rows that are not stored are those that are, shifted
		to, in = z.Add(i.Mul(3).Add(j)), i.Mul(3).Add(j).Lt(rows*cols)
		s, in = tl.CumSum(tl.Load(to, tl.Mask(in)), tl.Axis(0), tl.Reverse), in.And(i.Lt(1))
	case "window", "twice", "onto": // elements are stored more than once
		at := i.Mul(2).Add(j)
		if OP == "twice" {
			at = i.FloorDiv(2).Mul(cols).Add(j)
		} else if OP == "onto" {
			at = j.Add(i.Mul(0))
		}
		to, in = z.Add(at), mask.And(at.Lt(rows*cols-1))
		tl.Store(to, up, tl.Mask(mask.And(at.Lt(rows*cols))))
	case "summed":
		s = down.Add(tl.Sum(down, tl.Axis(0), tl.KeepDims))
	case "turnedstore":
		to = z.Add(j.Mul(rows).Add(i))
	case "turnedload":
		s = tl.CumSum(tl.Load(y.Add(j.Mul(rows).Add(i)), tl.Mask(mask), tl.Other(2)), tl.Axis(0))
	case "repeated":
		s = tl.CumSum(tl.Load(y.Add(j), tl.Mask(j.Lt(cols))).Add(tl.Load(y.Add(i), tl.Mask(i.Lt(rows)))), tl.Axis(0))
	case "scattered":
		to = z.Add(tl.Minimum(i.Mul(cols).Add(j).Xor(1), rows*cols-1))
	case "bools":
		u, v := tl.Scan2(a.Gt(0), b.Gt(a), func(a1, b1, a2, b2 tl.Tile) (tl.Tile, tl.Tile) {
			return a1.Xor(a2), b1.Or(b2).And(a1)
		}, tl.Axis(0))
		s = tl.Where(u, a, tl.Where(v, b, a.Add(1)))
	case "deep":
		at := tl.Arange(0, 2).Mul(rows * cols / 2).ExpandDims(1).ExpandDims(2).Add(offs.ExpandDims(0))
		to, in = z.Add(at), mask.And(i.Lt(rows/2)).ExpandDims(0)
		c := tl.Load(x.Add(at), tl.Mask(in))
		s = tl.CumSum(c, tl.Axis(1)).Add(tl.CumSum(c, tl.Axis(0), tl.Reverse))
	case "turns":
		for k := range 3 {
			tl.Store(to, tl.CumSum(tl.Load(to, tl.Mask(mask)).Add(k), tl.Axis(0)).To(a.DType()), tl.Mask(mask))
		}
	}
	tl.Store(to, s.To(a.DType()), tl.Mask(in))
}

// SoftmaxRow is a row's softmax; masked-off lanes do not count.
func SoftmaxRow(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := tl.Arange(0, BLOCK)
	a := tl.Load(x.Add(o), tl.Mask(on(o, n, m, MASK)), tl.Other(-1e30)).To(tl.Float32)
	e := tl.Exp(a.Sub(tl.Max(a)))
	put(z, o, e.Div(tl.Sum(e)), n, m, MASK)
}

// LogSumExp is one number of a row.
func LogSumExp(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := tl.Arange(0, BLOCK)
	a := tl.Load(x.Add(o), tl.Mask(on(o, n, m, MASK)), tl.Other(-3e4)).To(tl.Float32)
	top := tl.Max(a)
	tl.Store(z, tl.Log(tl.Sum(tl.Exp(a.Sub(top)))).Add(top))
}

// Norm normalises a row by mean and spread.
func Norm(p *tl.Program, x, y, z, m tl.Ptr, n int, eps float64, BLOCK tl.Const, MASK string) {
	o := tl.Arange(0, BLOCK)
	in := on(o, n, m, MASK)
	a := tl.Load(x.Add(o), tl.Mask(in)).To(tl.Float32)
	mean := tl.Sum(a).Div(n)
	d := tl.Where(in, a.Sub(mean), 0)
	r := tl.Rsqrt(tl.Sum(d.Mul(d)).Div(n).Add(eps))
	put(z, o, d.Mul(r).Mul(tl.Load(y.Add(o), tl.Mask(o.Lt(n)))), n, m, MASK)
}

// RMS normalises rows in a loop over blocks.
func RMS(p *tl.Program, x, z, m tl.Ptr, n int, eps float64, BLOCK tl.Const, MASK string) {
	acc := tl.Zeros(tl.Float32, BLOCK)
	for i := 0; i < n; i += BLOCK {
		o := tl.Arange(0, BLOCK).Add(i)
		a := tl.Load(x.Add(o), tl.Mask(on(o, n, m, MASK))).To(tl.Float32)
		acc = acc.Add(a.Mul(a))
	}
	r := tl.Rsqrt(tl.Sum(acc).Div(n).Add(eps))
	for i := 0; i < n; i += BLOCK {
		o := tl.Arange(0, BLOCK).Add(i)
		put(z, o, get(x, o, n, m, "all").Mul(r), n, m, "all")
	}
}

// CrossEntropy is a loss by rows.
func CrossEntropy(p *tl.Program, x, labels, z tl.Ptr, rows, cols int, R, C tl.Const) {
	a, _, mask := matrix(x, rows, cols, R, C)
	a = tl.Where(mask, a.To(tl.Float32), -1e30)
	r := tl.Arange(0, R)
	label := tl.Load(labels.Add(r), tl.Mask(r.Lt(rows)))
	top := tl.Max(a, tl.Axis(1), tl.KeepDims)
	logs := a.Sub(top).Sub(tl.Log(tl.Sum(tl.Exp(a.Sub(top)), tl.Axis(1), tl.KeepDims)))
	hit := tl.Arange(0, C).Row().Eq(label.Col())
	loss := tl.Sum(tl.Where(hit, logs.Neg(), 0), tl.Axis(1))
	tl.Store(z.Add(r), loss, tl.Mask(r.Lt(rows)))
}

// Short reduces rows of a few elements each, which lie one after the other, where loaded indices say, or across memory.
func Short(p *tl.Program, x, y, i, z tl.Ptr, rows, cols, more int, R, C tl.Const, OP string) {
	r, c := tl.Arange(0, R).Add(p.ID(0)*R), tl.Arange(0, C)
	on := tl.Mask(r.Lt(rows))
	mask := tl.Mask(r.Lt(rows).Col().And(c.Row().Lt(cols)))
	at := r.Col().Mul(cols).Add(c.Row()).Add(more)
	a := tl.Load(x.Add(at), mask, tl.Other(1))
	switch OP {
	case "sum":
		a = tl.Sum(a, tl.Axis(1))
	case "centred": // the tile is read again
		a = a.Sub(tl.Max(a, tl.Axis(1), tl.KeepDims))
		tl.Store(y.Add(at), a, mask)
		a = tl.Sum(a.Mul(a), tl.Axis(1))
	case "least":
		v, k := tl.MinIndex(a, tl.Axis(1))
		a = v.Add(k)
	case "nested":
		a = tl.ArgMax(tl.Sum(a.Reshape(R/2, 2, C), tl.Axis(2)), tl.Axis(1)).Col().Add(tl.Zeros(tl.Int32, 1, 2)).Reshape(R)
	case "closure":
		a, _ = tl.Reduce2(a, a.Add(c.Row()).To(a.DType()), func(a1, b1, a2, b2 tl.Tile) (tl.Tile, tl.Tile) {
			return a1.Sub(b2).To(a1.DType()), b1.Add(a2).To(b1.DType())
		}, tl.Axis(1))
	case "rows":
		id := tl.Load(i.Add(r), on, tl.Other(0)).Mod(rows)
		a = tl.Sum(tl.Load(x.Add(id.Col().Mul(cols).Add(c.Row()).Add(more)), mask), tl.Axis(1))
	case "columns":
		a = tl.Max(tl.Load(x.Add(c.Row().Mul(rows).Add(r.Col()).Add(more)), mask, tl.Other(2)), tl.Axis(1))
	case "window":
		a = tl.Min(tl.Load(x.Add(r.Col().Add(c.Row()).Add(more)), mask), tl.Axis(1))
	case "flat":
		o := tl.Arange(0, R*C).Add(p.ID(0) * R * C)
		v := tl.Load(x.Add(o.Add(more)), tl.Mask(o.Lt(rows*cols)))
		a = tl.Sum(v.Reshape(R, C), tl.Axis(1))
	case "sorted":
		a = tl.Sum(tl.Sort(a).Sub(c.Row()), tl.Axis(1))
	case "carried":
		s := tl.Zeros(a.DType(), R, C)
		a = tl.Zeros(a.DType(), R)
		for k := range 3 + rows%2 {
			s = s.Add(tl.Load(x.Add(at), mask).Sub(k)).To(s.DType())
			a = a.Add(tl.Sum(s, tl.Axis(1))).To(a.DType())
		}
	case "any":
		a = tl.OrSum(a.Gt(1), tl.Axis(1)).To(a.DType())
	case "half": // of a third dimension
		b := a.ExpandDims(0).Add(tl.Arange(0, 2).Reshape(2, 1, 1))
		a = tl.Sum(tl.Sum(b, tl.Axis(2)), tl.Axis(0))
	}
	tl.Store(z.Add(r), a, on)
}

// MatVec is a product by multiplication and sum.
func MatVec(p *tl.Program, x, y, z tl.Ptr, rows, cols int, R, C tl.Const) {
	a, _, _ := matrix(x, rows, cols, R, C)
	c := tl.Arange(0, C)
	v := tl.Load(y.Add(c), tl.Mask(c.Lt(cols)))
	r := tl.Arange(0, R)
	tl.Store(z.Add(r), tl.Sum(a.To(tl.Float32).Mul(v.Row()), tl.Axis(1)), tl.Mask(r.Lt(rows)))
}

// Extremes finds the least or greatest element of each row, in tiles without dimensions.
func Extremes(p *tl.Program, x, z tl.Ptr, rows, cols int, OP string) {
	x = x.Add(p.ID(0) * cols)
	v := tl.Load(x)
	for i := 1; i < cols; i++ {
		y := tl.Load(x.Add(i))
		switch OP {
		case "least":
			v = tl.Minimum(v, y).To(y.DType())
		case "greatest":
			v = tl.Maximum(y, v).To(y.DType())
		case "least_nan":
			v = tl.Minimum(v, y, tl.PropagateNaN).To(y.DType())
		case "greatest_nan":
			v = tl.Maximum(v, y, tl.PropagateNaN).To(y.DType())
		}
	}
	tl.Store(z.Add(p.ID(0)), v)
}
