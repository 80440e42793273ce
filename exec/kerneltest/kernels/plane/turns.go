package plane

import tl "github.com/tiler-go/tiler/tilelang"

// Turns reads rows of w elements, each of which BY lanes in turn take: columns of cols lanes, which are packed, or a
// group of which has one scale. Rows past n are masked off, and columns past cols.
func Turns(p *tl.Program, x, z, m tl.Ptr, n, cols, w int, R, BLOCK, BY tl.Const, MASK, OP string) {
	i := tl.Arange(0, R).Add(p.ID(0) * R)
	rows := i.Col().Lt(n)
	if OP == "loop" || OP == "steps" {
		sum := tl.Zeros(x.DType().Elem(), R)
		for b := range tl.Cdiv(cols, BLOCK) {
			j := tl.Arange(0, BLOCK).Add(b * BLOCK)
			in := rows.And(on(j, cols, m, MASK).Row())
			k := j.FloorDiv(BY)
			if OP == "steps" {
				k = tl.Arange(0, BLOCK).FloorDiv(BY).Add(b * (BLOCK / BY))
			}
			v := tl.Load(x.Add(i.Col().Mul(w)).Add(k.Row()), tl.Mask(in), tl.Other(1))
			sum = tl.Maximum(sum, tl.Max(v, tl.Axis(1))).To(sum.DType())
		}
		tl.Store(z.Add(i), sum, tl.Mask(i.Lt(n)))
		return
	}
	j := tl.Arange(0, BLOCK).Add(p.ID(1) * BLOCK)
	in := rows.And(on(j, cols, m, MASK).Row())
	k := j.FloorDiv(BY)
	switch OP {
	case "late": // from an element that is none's first
		k = j.Add(1).FloorDiv(BY)
	case "over":
		k = k.Add(w)
	}
	at := i.Col().Mul(w).Add(k.Row())
	v := tl.Load(x.Add(at), tl.Mask(in), tl.Other(2))
	to := z.Add(i.Col().Mul(cols)).Add(j.Row())
	switch OP {
	case "twice":
		v = v.Add(tl.Load(x.Add(i.Col().Mul(w)).Add(j.Row().FloorDiv(2*BY)), tl.Mask(in)))
	case "scan":
		v = tl.CumSum(v, tl.Axis(1)).To(v.DType())
	case "back":
		v = tl.CumSum(v, tl.Axis(1), tl.Reverse).To(v.DType())
	case "pieces":
		v = v.Add(j.Mod(BY).Row().To(v.DType()))
	case "turned":
		tl.Store(z.Add(j.Col().Mul(n)).Add(i.Row()), tl.Trans(v), tl.Mask(tl.Trans(in)))
		return
	}
	tl.Store(to, v, tl.Mask(in))
}
