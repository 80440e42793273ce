package kernels

import tl "github.com/tiler-go/tiler/tilelang"

// DividedBy divides numbers, all or the last bits of them, by a number that many have.
func DividedBy(p *tl.Program, x, y, z, w, m tl.Ptr, n, d int, BLOCK, D tl.Const, MASK, OP string) {
	o := lanes(p, BLOCK)
	a := get(x, o, n, m, MASK)
	var q, r tl.Tile
	switch OP {
	case "number":
		q, r = a.FloorDiv(d), a.Mod(d)
	case "constant":
		q, r = a.FloorDiv(D), a.Mod(D)
	case "loaded":
		v := tl.Load(y.Add(p.ID(0)))
		v = tl.Where(v.Eq(0), 1, v)
		q, r = a.FloorDiv(v), a.Mod(v)
	case "each":
		v := get(y, o, n, m, MASK).And(D)
		v = tl.Where(v.Eq(0), 1, v)
		q, r = a.And(1<<52-1).FloorDiv(v), a.Mod(v)
	}
	put(z, o, q, n, m, MASK)
	put(w, o, r, n, m, MASK)
}

// RowsDividedBy divides rows by a number for each row, or for each column.
func RowsDividedBy(p *tl.Program, x, y, z, w tl.Ptr, rows, cols int, R, C, AXIS tl.Const) {
	a, o, mask := matrix(x, rows, cols, R, C)
	at := tl.Arange(0, R).Mod(rows).Col()
	if AXIS == 1 {
		at = tl.Arange(0, C).Mod(cols).Row()
	}
	v := tl.Load(y.Add(at))
	v = tl.Where(v.Eq(0), 3, v)
	tl.Store(z.Add(o), a.FloorDiv(v), tl.Mask(mask))
	tl.Store(w.Add(o), a.Mod(v), tl.Mask(mask))
}
