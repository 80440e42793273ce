package product

import (
	tl "github.com/tiler-go/tiler/tilelang"
)

// MultipliedArgs are arguments of MultipliedRows, and MultipliedOps its operations: numbers as they are, in a row and
// in a column, and without a mask, from the last row on, two beside each other of the same, those beyond a limit the
// same, added to the program's own, beyond the last row, picking columns or rows and columns where blocks are square,
// and loaded by programs that do nothing more.
const (
	MultipliedOps  = "row column all last half limited own beyond along both early"
	MultipliedArgs = "x:M/BM*BM*K i:M/BM*BM y:K*N z@f32:M*N M N K BM BN BK OP"
)

// MultipliedRows is Blocked where numbers in memory pick the rows of x.
func MultipliedRows(p *tl.Program, x, ids, y, z tl.Ptr, M, N, K int, BM, BN, BK tl.Const, OP string) {
	m, n, k := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, BN).Add(p.ID(1)*BN), tl.Arange(0, BK)
	ms := m.Col()
	rows := ms.Lt(M)
	var from tl.Tile
	switch OP {
	case "row":
		from = tl.Load(ids.Add(m), tl.Mask(m.Lt(M)), tl.Other(0)).Col()
	case "all":
		from = tl.Load(ids.Add(ms))
		rows = ms.Ge(0)
	case "early":
		from = tl.Load(ids.Add(ms.Add(p.ID(0)*M)), tl.Mask(rows))
	default:
		from = tl.Load(ids.Add(ms), tl.Mask(rows), tl.Other(0))
	}
	switch OP {
	case "last":
		from = from.Neg().Add(tl.Cdiv(M, BM)*BM - 1)
	case "half":
		from = from.FloorDiv(2)
	case "limited":
		from = tl.Minimum(from, M/2)
	case "own":
		from = from.FloorDiv(2).Add(p.ID(0))
	case "beyond":
		from = from.Mul(2)
	}
	if OP == "early" && p.ID(0) > 0 {
		return
	}
	acc := tl.Zeros(tl.Float32, BM, BN)
	for i := range tl.Cdiv(K, BK) {
		at := k.Add(i * BK)
		where := from.Mul(K).Add(at.Row())
		if OP == "along" && BM == BK {
			where = from.Reshape(1, BM).Add(i * BK)
		}
		if OP == "both" && BM == BK {
			where = from.Mul(K).Add(from.Reshape(1, BM)).Add(i * BK)
		}
		a := tl.Load(x.Add(where), tl.Mask(rows.And(at.Row().Lt(K))), tl.Other(0))
		b := tl.Load(y.Add(at.Mul(N).Col().Add(n.Row())), tl.Mask(at.Col().Lt(K).And(n.Row().Lt(N))), tl.Other(0))
		acc = acc.Add(tl.Dot(a, b))
	}
	tl.Store(z.Add(m.Mul(N).Col().Add(n.Row())), acc.Mul(0.5), tl.Mask(ms.Lt(M).And(n.Row().Lt(N))))
}
