package element

import tl "github.com/tiler-go/tiler/tilelang"

// Pairs combines elements of rows of 2*A*B whose numbers differ in one bit, which is what a stage of a written-out sort
// does: those 1, 2, 4 apart and so on, or for some OPs those that are B apart only.
func Pairs(p *tl.Program, x, z, w tl.Ptr, n int, A, B tl.Const, OP string) {
	i := tl.Arange(0, 2*A*B)
	at := i.Add(p.ID(0) * 2 * A * B)
	v := tl.Load(x.Add(at), tl.Mask(at.Lt(n)), tl.Other(1))
	switch OP {
	case "first":
		v = ofPairs(v, A, B, 0)
	case "second":
		v = ofPairs(v, A, B, 1)
	case "sum":
		y := v.Reshape(A, 2, B)
		v = tl.Sum(y, tl.Axis(1)).ExpandDims(1).BroadcastTo(A, 2, B).Sub(y).Ravel().To(v.DType())
	case "greatest": // in rows of rows
		y := v.Reshape(A, 2, B)
		span := tl.Max(y, tl.Axis(1)).ExpandDims(1).Sub(tl.Min(y, tl.Axis(1)).ExpandDims(1))
		v = span.BroadcastTo(A, 2, B).Ravel().To(v.DType())
	case "flags":
		y := v.Reshape(A, 2, B)
		both := tl.Sum(y.Gt(0).To(tl.Int32), tl.Axis(1)).ExpandDims(1).BroadcastTo(A, 2, B)
		v = tl.Where(both.Eq(1), y, tl.Flip(y, 0)).Ravel()
	case "sorted", "stored", "copied":
		for h := 1; h < 2*A*B; h *= 2 {
			if OP == "copied" {
				tl.Store(w.Add(at), v, tl.Mask(at.Lt(n)))
			}
			v = sortedPairs(v, A*B/h, h)
		}
		if OP == "stored" { // all of it, where it was
			tl.Store(x.Add(at), v, tl.Mask(at.Lt(n)))
		}
	case "carried":
		for k := range n % 3 {
			v = sortedPairs(v.Add(k).To(v.DType()), A, B)
			tl.Store(w.Add(at), v, tl.Mask(at.Lt(n-k)))
		}
	case "scanned": // by additions alone, as far as what is left of pairs says
		tl.Store(w.Add(at), tl.CumSum(ofGreater(v, A, B), tl.Axis(0)))
	case "chosen":
		v = tl.Where(at.Lt(n-3), sortedPairs(v, A, B), v)
	case "column":
		a, b := ofPairs(v, A, B, 0), ofPairs(v, A, B, 1)
		v = tl.Max(a.Row().Add(b.Col()), tl.Axis(1)).To(v.DType())
	case "unmasked":
		tl.Store(w.Add(i.Add(p.ID(0)*2*A*B)), sortedPairs(sortedPairs(v, A, B), A*B, 1))
	}
	tl.Store(z.Add(at), v, tl.Mask(at.Lt(n)))
}

// ofPairs is one of each pair, for both.
func ofPairs(v tl.Tile, A, B tl.Const, which int) tl.Tile {
	chosen := tl.Arange(0, 2).ExpandDims(0).ExpandDims(2).Eq(which).To(tl.Int32)
	return tl.Sum(v.Reshape(A, 2, B).Mul(chosen), tl.Axis(1)).ExpandDims(1).BroadcastTo(A, 2, B).Ravel().To(v.DType())
}

// ofGreater is the greater one of each pair, less each of them.
func ofGreater(v tl.Tile, A, B tl.Const) tl.Tile {
	y := v.Reshape(A, 2, B)
	return tl.Max(y, tl.Axis(1)).ExpandDims(1).BroadcastTo(A, 2, B).Sub(y).Ravel().To(v.DType())
}

// sortedPairs puts the lesser element of each pair first, or second where the next bit of its number says so.
func sortedPairs(v tl.Tile, A, B tl.Const) tl.Tile {
	a, b := ofPairs(v, A, B, 0), ofPairs(v, A, B, 1)
	down := tl.Arange(0, 2*A*B).FloorDiv(2 * B).Mod(2).Eq(1)
	return tl.Where(a.Gt(b).Ne(down), a.Add(b).Sub(v).To(v.DType()), v)
}
