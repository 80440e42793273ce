package golden

import tl "github.com/tiler-go/tiler/tilelang"

// The kernels of the golden cases. They are ordinary kernels: called as Go functions
// when interpreted, and compiled from this file's text by the other engines. OP is a
// compile-time parameter that says which operation a case is about.

func binary(p *tl.Program, x, y, z tl.Ptr, N tl.Const, OP string) {
	o := tl.Arange(0, N)
	a, b := tl.Load(x.Add(o)), tl.Load(y.Add(o))
	var r tl.Tile
	switch OP {
	case "add":
		r = a.Add(b)
	case "sub":
		r = a.Sub(b)
	case "mul":
		r = a.Mul(b)
	case "truediv", "fdiv", "div_rn":
		r = a.Div(b)
	case "floordiv":
		r = a.FloorDiv(b)
	case "mod":
		r = a.Mod(b)
	case "and":
		r = a.And(b)
	case "or":
		r = a.Or(b)
	case "xor":
		r = a.Xor(b)
	case "shl":
		r = a.Shl(b)
	case "shr":
		r = a.Shr(b)
	case "lt":
		r = a.Lt(b)
	case "le":
		r = a.Le(b)
	case "gt":
		r = a.Gt(b)
	case "ge":
		r = a.Ge(b)
	case "eq":
		r = a.Eq(b)
	case "ne":
		r = a.Ne(b)
	case "maximum":
		r = tl.Maximum(a, b)
	case "minimum":
		r = tl.Minimum(a, b)
	case "umulhi":
		r = tl.UMulHi(a, b)
	}
	tl.Store(z.Add(o), r)
}

func tileInt(p *tl.Program, x, z tl.Ptr, s int, N tl.Const, OP string) {
	o := tl.Arange(0, N)
	a := tl.Load(x.Add(o))
	var r tl.Tile
	switch OP {
	case "add":
		r = a.Add(s)
	case "sub":
		r = a.Sub(s)
	case "mul":
		r = a.Mul(s)
	case "truediv":
		r = a.Div(s)
	case "and":
		r = a.And(s)
	case "shr":
		r = a.Shr(s)
	case "lt":
		r = a.Lt(s)
	}
	tl.Store(z.Add(o), r)
}

func tileFloat(p *tl.Program, x, z tl.Ptr, s float64, N tl.Const, OP string) {
	o := tl.Arange(0, N)
	a := tl.Load(x.Add(o))
	var r tl.Tile
	switch OP {
	case "add":
		r = a.Add(s)
	case "sub":
		r = a.Sub(s)
	case "mul":
		r = a.Mul(s)
	case "truediv":
		r = a.Div(s)
	case "lt":
		r = a.Lt(s)
	}
	tl.Store(z.Add(o), r)
}

func intTile(p *tl.Program, x, z tl.Ptr, s int, N tl.Const, OP string) {
	o := tl.Arange(0, N)
	a := tl.Load(x.Add(o))
	var r tl.Tile
	switch OP {
	case "add":
		r = a.Add(s)
	case "sub":
		r = tl.Sub(s, a)
	case "mul":
		r = a.Mul(s)
	case "truediv":
		r = tl.Div(s, a)
	case "and":
		r = a.And(s)
	case "lt":
		r = a.Gt(s)
	}
	tl.Store(z.Add(o), r)
}

func floatTile(p *tl.Program, x, z tl.Ptr, s float64, N tl.Const, OP string) {
	o := tl.Arange(0, N)
	a := tl.Load(x.Add(o))
	var r tl.Tile
	switch OP {
	case "add":
		r = a.Add(s)
	case "sub":
		r = tl.Sub(s, a)
	case "mul":
		r = a.Mul(s)
	case "truediv":
		r = tl.Div(s, a)
	case "lt":
		r = a.Gt(s)
	}
	tl.Store(z.Add(o), r)
}

func unary(p *tl.Program, x, z tl.Ptr, N tl.Const, OP string) {
	o := tl.Arange(0, N)
	a := tl.Load(x.Add(o))
	var r tl.Tile
	switch OP {
	case "exp":
		r = tl.Exp(a)
	case "exp2":
		r = tl.Exp2(a)
	case "log":
		r = tl.Log(a)
	case "log2":
		r = tl.Log2(a)
	case "sqrt", "sqrt_rn":
		r = tl.Sqrt(a)
	case "rsqrt":
		r = tl.Rsqrt(a)
	case "sin":
		r = tl.Sin(a)
	case "cos":
		r = tl.Cos(a)
	case "erf":
		r = tl.Erf(a)
	case "floor":
		r = tl.Floor(a)
	case "ceil":
		r = tl.Ceil(a)
	case "abs":
		r = tl.Abs(a)
	case "sigmoid":
		r = tl.Sigmoid(a)
	case "neg":
		r = a.Neg()
	case "invert":
		r = a.Not()
	case "softmax":
		r = tl.Softmax(a, 0)
	}
	tl.Store(z.Add(o), r)
}

func where(p *tl.Program, c, x, y, z tl.Ptr, N tl.Const) {
	o := tl.Arange(0, N)
	tl.Store(z.Add(o), tl.Where(tl.Load(c.Add(o)), tl.Load(x.Add(o)), tl.Load(y.Add(o))))
}

func clamp(p *tl.Program, x, z tl.Ptr, lo, hi float64, N tl.Const) {
	o := tl.Arange(0, N)
	tl.Store(z.Add(o), tl.Clamp(tl.Load(x.Add(o)), lo, hi))
}

func fma(p *tl.Program, x, y, w, z tl.Ptr, N tl.Const) {
	o := tl.Arange(0, N)
	tl.Store(z.Add(o), tl.FMA(tl.Load(x.Add(o)), tl.Load(y.Add(o)), tl.Load(w.Add(o))))
}

func cast(p *tl.Program, x, z tl.Ptr, D tl.DType, N tl.Const, OP string) {
	o := tl.Arange(0, N)
	a := tl.Load(x.Add(o))
	switch OP {
	case "cast":
		a = a.To(D)
	case "cast_rtz":
		a = a.To(D, tl.TowardZero)
	case "bitcast":
		a = a.Bitcast(D)
	}
	tl.Store(z.Add(o), a)
}

// loadXY is the 8×16 tile that reductions, scans and sorts work on.
func loadXY(x tl.Ptr) tl.Tile {
	return tl.Load(x.Add(tl.Arange(0, 8).Mul(16).Col().Add(tl.Arange(0, 16).Row())))
}

// storeXY stores an 8×16 tile.
func storeXY(z tl.Ptr, v tl.Tile) {
	tl.Store(z.Add(tl.Arange(0, 8).Mul(16).Col().Add(tl.Arange(0, 16).Row())), v)
}

func product(a, b tl.Tile) tl.Tile { return a.Mul(b) }

func reduce(p *tl.Program, x, z, w tl.Ptr, AXIS tl.Const, OP string) {
	a := loadXY(x)
	var r tl.Tile
	switch OP {
	case "sum":
		r = tl.Sum(a, tl.Axis(AXIS))
	case "max":
		r = tl.Max(a, tl.Axis(AXIS))
	case "min":
		r = tl.Min(a, tl.Axis(AXIS))
	case "argmax":
		r = tl.ArgMax(a, tl.Axis(AXIS))
	case "argmin":
		r = tl.ArgMin(a, tl.Axis(AXIS))
	case "xor_sum":
		r = tl.XorSum(a, tl.Axis(AXIS))
	case "reduce_mul":
		r = tl.Reduce(a, product, tl.Axis(AXIS))
	case "max_with_indices":
		v, i := tl.MaxIndex(a, tl.Axis(AXIS))
		r = v
		tl.Store(w.Add(tl.Arange(0, i.Dim(0))), i)
	}
	tl.Store(z.Add(tl.Arange(0, r.Dim(0))), r)
}

func reduceAll(p *tl.Program, x, z tl.Ptr, OP string) {
	a := loadXY(x)
	switch OP {
	case "sum":
		tl.Store(z, tl.Sum(a))
	case "max":
		tl.Store(z, tl.Max(a))
	case "min":
		tl.Store(z, tl.Min(a))
	}
}

func reduceKeepDims(p *tl.Program, x, z tl.Ptr, AXIS tl.Const, OP string) {
	a := loadXY(x)
	switch OP {
	case "sum":
		storeXY(z, a.Sub(tl.Sum(a, tl.Axis(AXIS), tl.KeepDims)))
	case "max":
		storeXY(z, a.Sub(tl.Max(a, tl.Axis(AXIS), tl.KeepDims)))
	case "min":
		storeXY(z, a.Sub(tl.Min(a, tl.Axis(AXIS), tl.KeepDims)))
	}
}

func scan(p *tl.Program, x, z tl.Ptr, AXIS tl.Const, REVERSE bool, OP string) {
	a := loadXY(x)
	switch {
	case OP == "cumsum" && REVERSE:
		a = tl.CumSum(a, tl.Axis(AXIS), tl.Reverse)
	case OP == "cumsum":
		a = tl.CumSum(a, tl.Axis(AXIS))
	case OP == "cumprod" && REVERSE:
		a = tl.CumProd(a, tl.Axis(AXIS), tl.Reverse)
	case OP == "cumprod":
		a = tl.CumProd(a, tl.Axis(AXIS))
	}
	storeXY(z, a)
}

func scanLinear(p *tl.Program, x, y, z, w tl.Ptr, AXIS tl.Const) {
	a, b := tl.Scan2(loadXY(x), loadXY(y), func(a1, b1, a2, b2 tl.Tile) (tl.Tile, tl.Tile) {
		return a1.Mul(a2), b1.Mul(a2).Add(b2)
	}, tl.Axis(AXIS))
	storeXY(z, a)
	storeXY(w, b)
}

func sortRows(p *tl.Program, x, z tl.Ptr, DESC bool) {
	if DESC {
		storeXY(z, tl.Sort(loadXY(x), tl.Descending))
	} else {
		storeXY(z, tl.Sort(loadXY(x)))
	}
}

func topk(p *tl.Program, x, z tl.Ptr, K tl.Const) {
	v, _ := tl.TopK(loadXY(x), K)
	tl.Store(z.Add(tl.Arange(0, 8).Mul(K).Col().Add(tl.Arange(0, K).Row())), v)
}

func histogram(p *tl.Program, x, z tl.Ptr, BINS, N tl.Const) {
	tl.Store(z.Add(tl.Arange(0, BINS)), tl.Histogram(tl.Load(x.Add(tl.Arange(0, N))), BINS))
}

func gather(p *tl.Program, x, i, z tl.Ptr, AXIS tl.Const) {
	storeXY(z, tl.Gather(loadXY(x), loadXY(i), AXIS))
}

func flip(p *tl.Program, x, z tl.Ptr, AXIS tl.Const) { storeXY(z, tl.Flip(loadXY(x), AXIS)) }

func shape(p *tl.Program, x, z tl.Ptr, OP string) {
	a := loadXY(x)
	switch OP {
	case "trans":
		a = a.T()
	case "reshape":
		a = a.Reshape(16, 8)
	case "permute3":
		a = a.Reshape(2, 4, 16).Permute(2, 0, 1)
	case "interleave":
		a = tl.Interleave(a, a.Add(1000))
	case "join":
		a = tl.Join(a, a.Add(1000))
	case "expand_dims":
		a = a.ExpandDims(1)
	case "broadcast_to":
		a = tl.Arange(0, 8).Col().BroadcastTo(8, 16)
	case "broadcast3":
		a = a.Reshape(8, 1, 16).Add(tl.Arange(0, 4).Row().ExpandDims(2))
	case "cat":
		a = tl.Sort(tl.Cat(0, tl.Load(x.Add(tl.Arange(0, 64))), tl.Load(x.Add(tl.Arange(64, 128)))))
	}
	flat := a.Ravel()
	tl.Store(z.Add(tl.Arange(0, flat.Dim(0))), flat)
}

func split(p *tl.Program, x, z, w tl.Ptr) {
	a, b := tl.Split(loadXY(x).Reshape(8, 8, 2))
	o := tl.Arange(0, 64)
	tl.Store(z.Add(o), a.Ravel())
	tl.Store(w.Add(o), b.Ravel())
}

func dot(p *tl.Program, x, y, z tl.Ptr, M, N, K tl.Const) {
	m, n, k := tl.Arange(0, M), tl.Arange(0, N), tl.Arange(0, K)
	a := tl.Load(x.Add(m.Mul(K).Col().Add(k.Row())))
	b := tl.Load(y.Add(k.Mul(N).Col().Add(n.Row())))
	tl.Store(z.Add(m.Mul(N).Col().Add(n.Row())), tl.Dot(a, b))
}

func dotAcc(p *tl.Program, x, y, w, z tl.Ptr, M, N, K tl.Const) {
	m, n, k := tl.Arange(0, M), tl.Arange(0, N), tl.Arange(0, K)
	a := tl.Load(x.Add(m.Mul(K).Col().Add(k.Row())))
	b := tl.Load(y.Add(k.Mul(N).Col().Add(n.Row())))
	out := m.Mul(N).Col().Add(n.Row())
	tl.Store(z.Add(out), tl.Dot(a, b, tl.Acc(tl.Load(w.Add(out)))))
}

func dotBatched(p *tl.Program, x, y, z tl.Ptr, B, M, N, K tl.Const) {
	i := tl.Arange(0, B).Reshape(B, 1, 1)
	m, n, k := tl.Arange(0, M), tl.Arange(0, N), tl.Arange(0, K)
	a := tl.Load(x.Add(i.Mul(M * K).Add(m.Mul(K).Col().Add(k.Row()).ExpandDims(0))))
	b := tl.Load(y.Add(i.Mul(K * N).Add(k.Mul(N).Col().Add(n.Row()).ExpandDims(0))))
	tl.Store(z.Add(i.Mul(M*N).Add(m.Mul(N).Col().Add(n.Row()).ExpandDims(0))), tl.Dot(a, b))
}

func random(p *tl.Program, z tl.Ptr, seed int, OP string) {
	o := tl.Arange(0, 256)
	switch OP {
	case "rand":
		tl.Store(z.Add(o), tl.Rand(seed, o))
	case "randn":
		tl.Store(z.Add(o), tl.Randn(seed, o))
	case "randint":
		tl.Store(z.Add(o), tl.RandInt(seed, o).Bitcast(tl.Int32))
	case "randint4x":
		q := tl.Arange(0, 64)
		a, b, c, d := tl.RandInt4x(seed, q)
		tl.Store(z.Add(q), a.Bitcast(tl.Int32))
		tl.Store(z.Add(q).Add(64), b.Bitcast(tl.Int32))
		tl.Store(z.Add(q).Add(128), c.Bitcast(tl.Int32))
		tl.Store(z.Add(q).Add(192), d.Bitcast(tl.Int32))
	}
}

func maskedLoad(p *tl.Program, x, z tl.Ptr, n int, other float64, N tl.Const) {
	o := tl.Arange(0, N)
	tl.Store(z.Add(o), tl.Load(x.Add(o), tl.Mask(o.Lt(n)), tl.Other(other)))
}

func maskedStore(p *tl.Program, x, z tl.Ptr, N tl.Const) {
	o := tl.Arange(0, N)
	tl.Store(z.Add(o), tl.Load(x.Add(o)), tl.Mask(o.Mod(3).Eq(0)))
}

func strided2d(p *tl.Program, x, z tl.Ptr) {
	r, c := tl.Arange(0, 8).Col(), tl.Arange(0, 8).Row()
	tl.Store(z.Add(r.Mul(8).Add(c)), tl.Load(x.Add(c.Mul(16).Add(r.Mul(2)))))
}

func blockPtr(p *tl.Program, x, z tl.Ptr, M, N int) {
	b := tl.MakeBlockPtr(x, []int{M, N}, []int{N, 1}, []int{4, 8}, []int{8, 16}, []int{1, 0})
	u := b.Load(tl.BoundaryCheck(0, 1), tl.PadZero)
	v := b.Advance(0, -8).Load(tl.BoundaryCheck(0, 1), tl.PadZero)
	storeXY(z, u.Add(v))
}

func atomic(p *tl.Program, x, y, z tl.Ptr, LANES, N tl.Const, OP string) {
	o := tl.Arange(0, N)
	ptrs, v, mask := x.Add(o), tl.Load(y.Add(o)), tl.Mask(o.Lt(LANES))
	var old tl.Tile
	switch OP {
	case "atomic_add":
		old = tl.AtomicAdd(ptrs, v, mask)
	case "atomic_max":
		old = tl.AtomicMax(ptrs, v, mask)
	case "atomic_min":
		old = tl.AtomicMin(ptrs, v, mask)
	case "atomic_and":
		old = tl.AtomicAnd(ptrs, v, mask)
	case "atomic_or":
		old = tl.AtomicOr(ptrs, v, mask)
	case "atomic_xor":
		old = tl.AtomicXor(ptrs, v, mask)
	case "atomic_xchg":
		old = tl.AtomicXchg(ptrs, v, mask)
	}
	tl.Store(z.Add(o), old)
}

func atomicCAS(p *tl.Program, x, y, w, z tl.Ptr, N tl.Const) {
	o := tl.Arange(0, N)
	tl.Store(z.Add(o), tl.AtomicCAS(x.Add(o), tl.Load(y.Add(o)), tl.Load(w.Add(o))))
}

func atomicContended(p *tl.Program, x tl.Ptr) {
	o := tl.Arange(0, 64)
	tl.AtomicAdd(x.Add(o.Mod(4)), o.Add(p.ID(0)))
}

func programIDs(p *tl.Program, z tl.Ptr) {
	i, j, k := p.ID(0), p.ID(1), p.ID(2)
	tl.Store(z.Add((i*3+j)*2+k), i*100+j*10+k)
}

func collatz(p *tl.Program, x, z tl.Ptr) {
	n := tl.Load(x.Add(p.ID(0))).Int()
	steps := 0
	for n != 1 {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
		steps++
	}
	tl.Store(z.Add(p.ID(0)), steps)
}

func loopCarried(p *tl.Program, x, z, w tl.Ptr, n int, N tl.Const) {
	o := tl.Arange(0, N)
	a := tl.Load(x.Add(o))
	b := tl.ZerosLike(a)
	for i := range n {
		a, b = b.Add(i), a
	}
	tl.Store(z.Add(o), a)
	tl.Store(w.Add(o), b)
}
