package plane

import tl "github.com/tiler-go/tiler/tilelang"

// Upsampled adds up what windows, S elements apart, have of each of w places: of rows of n elements, those whose
// number, S times, lies at most K from the place. Rows are of R in turn.
func Upsampled(p *tl.Program, x, z tl.Ptr, n, w int, S, K, R, B tl.Const, OP string) {
	i := tl.Arange(0, B)
	r := tl.Arange(0, R).Add(p.ID(0) * R).ExpandDims(1)
	at := i.ExpandDims(0)
	if OP == "onward" { // the same rows, from a program's place on
		at = at.Add(p.ID(0) * 4)
	}
	inside := at.Lt(w)
	acc := tl.Zeros(tl.Float32, R, B)
	for k := range 2*int(K) + 1 {
		t := at.Add(int(K) - k)
		q := t.FloorDiv(int(S))
		on := t.Mod(int(S)).Eq(0).And(q.Lt(n))
		switch OP {
		case "open", "beneath": // what lies ahead of a row is the end of the one before
			on = t.Mod(int(S)).Eq(0).And(inside)
		case "other":
			on = t.Mod(int(S)).Eq(int(S) - 1).And(t.Ge(0)).And(q.Lt(n))
		case "twice":
			on = on.And(t.Ge(0)).And(t.Mod(2).Eq(0))
		default:
			on = on.And(t.Ge(0)).And(inside)
		}
		row := r.Mul(n)
		if OP == "open" {
			row = row.Add(int(K) + 1)
		}
		v := tl.Load(x.Add(row.Add(q)), tl.Mask(on), tl.Other(k)).To(tl.Float32)
		acc = acc.Mul(0.5).Add(v)
	}
	tl.Store(z.Add(r.Mul(w).Add(i.ExpandDims(0))), acc, tl.Mask(i.ExpandDims(0).Lt(w)))
}

// UpsampledRow is that of one row a program.
func UpsampledRow(p *tl.Program, x, z tl.Ptr, n, w int, S, K, R, B tl.Const, OP string) {
	i := tl.Arange(0, B)
	acc := tl.Zeros(tl.Float32, B)
	for k := range 2*int(K) + 1 {
		t := i.Add(int(K) - k)
		q := t.FloorDiv(int(S))
		on := t.Ge(0).And(t.Mod(int(S)).Eq(0)).And(q.Lt(n)).And(i.Lt(w))
		if OP == "beneath" {
			on = t.Mod(int(S)).Eq(0).And(q.Lt(n))
		}
		acc = acc.Add(tl.Load(x.Add(p.ID(0)*n).Add(q), tl.Mask(on), tl.Other(0)).To(tl.Float32))
	}
	tl.Store(z.Add(p.ID(0)*w).Add(i), acc, tl.Mask(i.Lt(w)))
}

// UpsampledSum adds the sum of all to what a row has, whose reduction does several blocks at a time.
func UpsampledSum(p *tl.Program, x, z tl.Ptr, n int, S, B tl.Const) {
	i := tl.Arange(0, B)
	q := i.FloorDiv(int(S))
	v := tl.Load(x.Add(q), tl.Mask(i.Mod(int(S)).Eq(0).And(q.Lt(n)))).To(tl.Float32)
	tl.Store(z.Add(i), v.Add(tl.Sum(v)))
}
