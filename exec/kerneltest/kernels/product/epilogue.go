package product

import tl "github.com/tiler-go/tiler/tilelang"

// Finished is a blocked product with what kernels do to its sums: scales of rows and columns, scalars from memory, other
// values of the result's shape. Rows of a beyond M are row 0 again. By OP masks cover less or more than is stored, loads
// come before the loop, or of what is stored over.
func Finished(p *tl.Program, a, b, rowScale, colScale, more, one, c tl.Ptr, M, N, K int, BM, BN, BK tl.Const, OP string) {
	rows, cols, k := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, BN).Add(p.ID(1)*BN), tl.Arange(0, BK)
	at := rows.Col().Mul(N).Add(cols.Row())
	mask := rows.Col().Lt(M).And(cols.Row().Lt(N))
	from := tl.Where(rows.Lt(M), rows, 0)
	early := tl.Zeros(tl.Float32, 1, BN)
	if OP == "early" {
		early = tl.Load(colScale.Add(cols), tl.Mask(cols.Lt(N)), tl.Other(3)).Row()
	}
	acc := tl.Zeros(tl.Float32, BM, BN)
	if a.DType() == tl.Int8 {
		acc = tl.Zeros(tl.Int32, BM, BN)
	}
	for i := 0; i < K; i += BK {
		x := tl.Load(a.Add(from.Col().Mul(K).Add(k.Row()).Add(i)), tl.Mask(k.Row().Lt(K-i)), tl.Other(0))
		y := tl.Load(b.Add(k.Col().Add(i).Mul(N).Add(cols.Row())), tl.Mask(k.Col().Lt(K-i).And(cols.Row().Lt(N))), tl.Other(0))
		acc = acc.Add(tl.Dot(x, y))
	}
	v := acc.To(tl.Float32)
	switch OP {
	case "scales":
		v = v.Mul(tl.Load(rowScale.Add(rows), tl.Mask(rows.Lt(M)), tl.Other(0)).Col())
		v = v.Mul(tl.Load(colScale.Add(cols), tl.Mask(cols.Lt(N))).Row())
	case "wrapped":
		v = v.Mul(tl.Load(rowScale.Add(rows.Mod(M))).Col()).Add(tl.Load(colScale.Add(tl.Where(cols.Lt(N), cols, 0))).Row())
	case "short": // the last row's scale is left out, so is 1
		v = v.Mul(tl.Load(rowScale.Add(rows), tl.Mask(rows.Lt(M-1)), tl.Other(1)).Col())
	case "scalar":
		v = v.Mul(tl.Load(one)).Add(tl.Load(one.Add(1)).Mul(2).Float())
	case "half":
		v = v.Mul(tl.Load(one)).Mul(tl.Load(one.Add(1)).Add(0.5))
	case "twice": // two loads of one tensor
		v = v.Mul(tl.Load(more.Add(at), tl.Mask(mask))).Add(tl.Load(more.Add(cols), tl.Mask(cols.Lt(N))).Row())
	case "over":
		v = v.Mul(0.5).Add(tl.Load(c.Add(at), tl.Mask(mask)))
	case "early":
		v = v.Mul(early)
	case "silu":
		v = v.Mul(tl.Load(rowScale.Add(rows), tl.Mask(rows.Lt(M))).Col())
		v = v.Mul(tl.Sigmoid(v))
	}
	tl.Store(c.Add(at), v, tl.Mask(mask))
}
