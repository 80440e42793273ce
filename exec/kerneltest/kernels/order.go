package kernels

import tl "github.com/tiler-go/tiler/tilelang"

// Sorted sorts a vector.
func Sorted(p *tl.Program, x, z, w, m tl.Ptr, n int, BLOCK tl.Const, MASK, OP string) {
	o := lanes(p, BLOCK)
	a := get(x, o, n, m, MASK)
	i := tl.Arange(0, BLOCK)
	switch OP {
	case "up":
		a = tl.Sort(a)
	case "down":
		a = tl.Sort(a, tl.Descending)
	case "arg":
		a, i = tl.ArgSort(a)
	case "argdown":
		a, i = tl.ArgSort(a, tl.Descending)
	}
	put(z, o, a, n, m, "all")
	put(w, o, i, n, m, "all")
}

// Top is the greatest of each row.
func Top(p *tl.Program, x, z, w tl.Ptr, rows, cols int, R, C, K tl.Const) {
	a, _, _ := matrix(x, rows, cols, R, C)
	v, i := tl.TopK(a, K)
	r := tl.Arange(0, R)
	offs := r.Mul(K).Col().Add(tl.Arange(0, K).Row())
	mask := tl.Mask(r.Lt(rows).Col())
	tl.Store(z.Add(offs), v, mask)
	tl.Store(w.Add(offs), i, mask)
}

// Counted is a histogram.
func Counted(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := tl.Arange(0, BLOCK)
	a := get(x, o, n, m, MASK)
	h := tl.Histogram(a, 16)
	tl.Store(z.Add(tl.Arange(0, 16)), h.Add(tl.Histogram(a, 16, tl.Mask(on(o, n, m, "range")))))
}

// Picked gathers along an axis.
func Picked(p *tl.Program, x, z tl.Ptr, rows, cols int, R, C, AXIS tl.Const) {
	a, offs, mask := matrix(x, rows, cols, R, C)
	size := R
	if AXIS == 1 {
		size = C
	}
	i := tl.Arange(0, R).Mul(3).Col().Add(tl.Arange(0, C).Mul(5).Row()).Mod(size)
	tl.Store(z.Add(offs), tl.Gather(a, i, AXIS), tl.Mask(mask))
}

// Shuffled moves elements by shape operations.
func Shuffled(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK, OP string) {
	o := tl.Arange(0, BLOCK)
	a := get(x, o, n, m, MASK)
	switch OP {
	case "flip":
		a = tl.Flip(a, 0)
	case "interleave":
		a = tl.Interleave(a, a.Add(1))
	case "split":
		u, v := tl.Split(tl.Join(a, a.Add(1)))
		a = tl.Cat(0, v, u)
	case "cat":
		a = tl.Cat(0, a, tl.Flip(a, 0), a.Add(2))
	case "permute":
		a = tl.Join(tl.Join(a, a.Add(1)), tl.Join(a.Add(2), a.Add(3))).Permute(2, 0, 1).Ravel()
	case "trans":
		a = tl.Join(a, a.Add(5)).T().Reshape(1, 2*BLOCK).Ravel()
	case "broadcast":
		a = a.Row().Add(tl.Arange(0, 3).Col()).Ravel()
	}
	size := a.Dim(0)
	tl.Store(z.Add(tl.Arange(0, size)), a)
}

// Noise is random numbers.
func Noise(p *tl.Program, z, m tl.Ptr, n, seed int, BLOCK tl.Const, MASK, OP string) {
	o := lanes(p, BLOCK)
	var a tl.Tile
	switch OP {
	case "rand":
		a = tl.Rand(seed, o)
	case "randn":
		a = tl.Randn(seed, o)
	case "randint":
		a = tl.RandInt(seed, o)
	case "randint4x":
		_, b, c, d := tl.RandInt4x(seed, o)
		a = b.Xor(c).Add(d)
	}
	put(z, o, a, n, m, MASK)
}

// Dropped is dropout with a residual.
func Dropped(p *tl.Program, x, y, z, m tl.Ptr, n, seed int, rate float64, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	keep := tl.Rand(seed, o).Ge(rate)
	a := tl.Where(keep, get(x, o, n, m, MASK).Div(1-rate), 0)
	put(z, o, a.Add(get(y, o, n, m, MASK)), n, m, MASK)
}

// Atomics is one atomic operation, all programs on the same elements.
func Atomics(p *tl.Program, x, y, z, m tl.Ptr, n int, BLOCK tl.Const, MASK, OP string) {
	o := lanes(p, BLOCK)
	at := x.Add(o.Mod(5))
	v, mask := get(y, o, n, m, "all"), tl.Mask(on(o, n, m, MASK))
	var old tl.Tile
	switch OP {
	case "add":
		old = tl.AtomicAdd(at, v, mask)
	case "max":
		old = tl.AtomicMax(at, v, mask)
	case "min":
		old = tl.AtomicMin(at, v, mask)
	case "max_unseen":
		tl.AtomicMax(at, v, mask)
		old = v
	case "min_unseen":
		tl.AtomicMin(at, v, mask)
		old = v
	case "max_constant":
		tl.AtomicMax(at, 0, mask)
		old = v
	case "min_one":
		old = v.Add(tl.AtomicMin(x, tl.Load(y)))
	case "and":
		old = tl.AtomicAnd(at, v, mask)
	case "or":
		old = tl.AtomicOr(at, v, mask)
	case "xor":
		old = tl.AtomicXor(at, v, mask)
	case "xchg":
		old = tl.AtomicXchg(at, v, mask)
	case "cas":
		old = tl.AtomicCAS(at, tl.Load(at), v)
	}
	put(z, o, old, n, m, MASK)
}

// Counter counts programs in one element.
func Counter(p *tl.Program, x, z tl.Ptr, n int) {
	ticket := tl.AtomicAdd(x, 1)
	tl.Store(z.Add(p.ID(0)), ticket)
}

// Printed prints tiles and numbers.
func Printed(p *tl.Program, x, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a := get(x, o, n, m, MASK)
	p.Print("block", p.ID(0), a, tl.Max(a))
	if n > 20 {
		p.Print("n", n, float64(n)/3, n > 5, a.Reshape(1, BLOCK).T())
	}
}

// SortedRows sorts rows, some of whose elements are equal.
func SortedRows(p *tl.Program, x, z, w tl.Ptr, rows, cols int, R, C tl.Const, OP string) {
	a, offs, mask := matrix(x, rows, cols, R, C)
	i := tl.Zeros(tl.Int32, R, C)
	some := tl.Arange(0, C).Mod(7).Eq(3).Row()
	a = tl.Where(some, tl.Load(x.Add(tl.Arange(0, R).Mod(rows).Col().Mul(cols))), a)
	switch OP {
	case "up":
		a = tl.Sort(a)
	case "down":
		a = tl.Sort(a, tl.Descending)
	case "arg":
		a, i = tl.ArgSort(a)
	case "argdown":
		a, i = tl.ArgSort(a, tl.Descending)
	case "zeros": // of both signs, and NaNs of several patterns
		a = tl.Sort(tl.Where(tl.Arange(0, C).Mod(3).Eq(1).Row(), a, a.Mul(0)))
	}
	tl.Store(z.Add(offs), a, tl.Mask(mask))
	tl.Store(w.Add(offs), i, tl.Mask(mask))
}

// Butterfly takes tiles apart into halves and puts them together again, along other dimensions than the last.
func Butterfly(p *tl.Program, x, z tl.Ptr, A, B tl.Const, OP string) {
	at := tl.Arange(0, 2*A*B).Add(p.ID(0) * 2 * A * B)
	v := tl.Load(x.Add(at))
	switch OP {
	case "halves":
		a, b := tl.Split(v.Reshape(A, 2, B).Permute(0, 2, 1))
		v = tl.Join(a.Add(b), a.Sub(b)).Permute(0, 2, 1).Reshape(2 * A * B)
	case "first":
		a, b := tl.Split(v.Reshape(2, A, B).Permute(1, 2, 0))
		v = tl.Join(b, a.Add(1)).Permute(2, 0, 1).Ravel()
	case "columns":
		a, b := tl.Split(v.Add(1).Reshape(A, 2, B).Permute(2, 0, 1))
		v = tl.Join(a, b.Add(1)).Permute(2, 0, 1).Ravel()
	case "two":
		a, b := tl.Split(v.Reshape(A, 2, B).Permute(0, 2, 1))
		j := tl.Join(a, b.Add(1))
		v = j.Permute(0, 2, 1).Ravel().Add(j.Permute(2, 0, 1).Ravel()).Sub(j.Ravel())
	case "flipped":
		v = tl.Flip(v.Reshape(A, 2, B).Permute(1, 0, 2), 2).Ravel()
	case "permuted":
		a, b := tl.Split(v.Reshape(A, 2, B).Permute(0, 2, 1).Permute(1, 0, 2))
		v = tl.Join(a.T(), b.T()).Permute(2, 1, 0).Permute(0, 2, 1).Ravel()
	case "sums":
		s := tl.Sum(v.Reshape(A, 2, B).Permute(1, 0, 2), tl.Axis(1))
		v = v.Reshape(A, 2, B).Sub(s.ExpandDims(0)).Ravel()
	case "carried":
		w := v.Reshape(A, 2, B)
		for range 3 {
			a, b := tl.Split(w.Permute(0, 2, 1))
			w = tl.Join(b, a.Add(1)).Permute(0, 2, 1)
		}
		v = w.Ravel()
	case "stages":
		for h := 1; h < 2*A*B; h *= 2 {
			if A*B%h == 0 {
				a, b := tl.Split(v.Reshape(A*B/h, 2, h).Permute(0, 2, 1))
				v = tl.Join(a.Add(b), a.Sub(b)).Permute(0, 2, 1).Reshape(2 * A * B)
			}
		}
	}
	tl.Store(z.Add(at), v)
}
