package product

import tl "github.com/tiler-go/tiler/tilelang"

// A product whose programs go through several blocks of it each.

// Persistent is such a product; OP says how programs find their blocks, and how they write that.
func Persistent(p *tl.Program, x, y, z tl.Ptr, M, N, K, EACH int, BM, BN, BK tl.Const, OP string) {
	rows, cols := tl.Cdiv(M, BM), tl.Cdiv(N, BN)
	blocks := rows * cols
	switch OP {
	case "strided":
		for i := p.ID(0); i < blocks; i += p.Num(0) {
			block(p, x, y, z, M, N, K, i%rows, i/rows, BM, BN, BK)
		}
	case "grouped":
		behind := p.ID(0) - p.Num(0)
		for i := p.ID(0); i < blocks; i += p.Num(0) {
			behind += p.Num(0)
			first := behind / (2 * cols) * 2
			size := min(rows-first, 2)
			block(p, x, y, z, M, N, K, first+i%(2*cols)%size, behind%(2*cols)/size, BM, BN, BK)
		}
	case "guarded":
		for j := range EACH {
			i := p.ID(0)*EACH + j
			if i < blocks {
				block(p, x, y, z, M, N, K, i/cols, i%cols, BM, BN, BK)
			}
		}
	case "shared":
		each, first := blocks/p.Num(0), p.ID(0)*(blocks/p.Num(0))
		if p.ID(0) < blocks%p.Num(0) {
			each += 1
			first += p.ID(0)
		} else {
			first += blocks % p.Num(0)
		}
		for i := range each {
			block(p, x, y, z, M, N, K, (first+i)%rows, (first+i)/rows, BM, BN, BK)
		}
	case "nested":
		for i := p.ID(0); i < rows; i += p.Num(0) {
			for j := range cols {
				block(p, x, y, z, M, N, K, i, j, BM, BN, BK)
			}
		}
	case "twice":
		for i := p.ID(0); i < 2*blocks; i += p.Num(0) {
			block(p, x, y, z, M, N, K, i/2%rows, i/2/rows, BM, BN, BK)
		}
	case "described":
		xs := tl.MakeDesc(x, []int{M, K}, []int{K, 1}, []int{BM, BK})
		ys := tl.MakeDesc(y, []int{K, N}, []int{N, 1}, []int{BK, BN})
		zs := tl.MakeDesc(z, []int{M, N}, []int{N, 1}, []int{BM, BN})
		for i := p.ID(0); i < blocks; i += p.Num(0) {
			m, n := i%rows*BM, i/rows*BN
			acc := tl.Zeros(tl.Float32, BM, BN)
			for j := range tl.Cdiv(K, BK) {
				acc = acc.Add(tl.Dot(xs.Load(m, j*BK), ys.Load(j*BK, n)))
			}
			zs.Store(acc, m, n)
		}
	}
}

// block is one block of a product.
func block(p *tl.Program, x, y, z tl.Ptr, M, N, K, i, j int, BM, BN, BK tl.Const) {
	m, n, k := tl.Arange(0, BM).Add(i*BM), tl.Arange(0, BN).Add(j*BN), tl.Arange(0, BK)
	acc := tl.Zeros(tl.Float32, BM, BN)
	for i := range tl.Cdiv(K, BK) {
		at := k.Add(i * BK)
		a := tl.Load(x.Add(m.Mul(K).Col().Add(at.Row())), tl.Mask(m.Col().Lt(M).And(at.Row().Lt(K))), tl.Other(0))
		b := tl.Load(y.Add(at.Mul(N).Col().Add(n.Row())), tl.Mask(at.Col().Lt(K).And(n.Row().Lt(N))), tl.Other(0))
		acc = acc.Add(tl.Dot(a, b))
	}
	tl.Store(z.Add(m.Mul(N).Col().Add(n.Row())), acc, tl.Mask(m.Col().Lt(M).And(n.Row().Lt(N))))
}

// Clamped is a product whose rows and columns beyond the ends are others again, by OP.
func Clamped(p *tl.Program, x, y, z tl.Ptr, M, N, K int, BM, BN, BK tl.Const, OP string) {
	m, n, k := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, BN).Add(p.ID(1)*BN), tl.Arange(0, BK)
	mm, nn := m, n
	switch OP {
	case "where":
		mm, nn = tl.Where(m.Lt(M), m, 0), tl.Where(n.Lt(N), n, 0)
	case "most":
		mm, nn = tl.Where(m.Le(M-1), m, 0), tl.Where(n.Le(N-1), n, 0)
	case "least":
		mm, nn = tl.Minimum(m, M-1), tl.Minimum(n, N-1)
	case "mod":
		mm, nn = m.Mod(M), n.Mod(N)
	case "half":
		mm, nn = tl.Minimum(m, M/2), tl.Where(n.Lt(N/2), n, 0)
	case "beyond":
		mm, nn = tl.Minimum(m, M+BM), n.Mod(N)
	}
	acc := tl.Zeros(tl.Float32, BM, BN)
	for i := range tl.Cdiv(K, BK) {
		at := k.Add(i * BK)
		a := tl.Load(x.Add(mm.Mul(K).Col().Add(at.Row())), tl.Mask(at.Row().Lt(K)), tl.Other(0))
		b := tl.Load(y.Add(at.Mul(N).Col().Add(nn.Row())), tl.Mask(at.Col().Lt(K)), tl.Other(0))
		acc = acc.Add(tl.Dot(a, b))
	}
	tl.Store(z.Add(m.Mul(N).Col().Add(n.Row())), acc, tl.Mask(m.Col().Lt(M).And(n.Row().Lt(N))))
}

// Uneven is a product whose loop does not go along K by the same in every round, by OP, or not for every row.
func Uneven(p *tl.Program, x, y, z tl.Ptr, M, N, K int, BM, BN, BK tl.Const, OP string) {
	m, n, k := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, BN).Add(p.ID(1)*BN), tl.Arange(0, BK)
	acc := tl.Zeros(tl.Float32, BM, BN)
	for i := range tl.Cdiv(K, BK) {
		j, rows, least := i, M, 0
		switch OP {
		case "again":
			j = i % 4
		case "stays":
			j = min(i, 3)
		case "fewer":
			rows = M - i
		case "later":
			least = (i - 3) * 2
		case "square":
			j = i * (i + 1) * (i + 2) / 6 % (tl.Cdiv(K, BK))
		}
		at := k.Add(j * BK)
		inside := m.Col().Lt(rows).And(m.Col().Ge(least))
		a := tl.Load(x.Add(m.Mul(K).Col().Add(at.Row())), tl.Mask(inside.And(at.Row().Lt(K))), tl.Other(0))
		b := tl.Load(y.Add(at.Mul(N).Col().Add(n.Row())), tl.Mask(at.Col().Lt(K).And(n.Row().Lt(N))), tl.Other(0))
		acc = acc.Add(tl.Dot(a, b))
	}
	tl.Store(z.Add(m.Mul(N).Col().Add(n.Row())), acc, tl.Mask(m.Col().Lt(M).And(n.Row().Lt(N))))
}
