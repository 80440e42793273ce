package kernels

import tl "github.com/tiler-go/tiler/tilelang"

// Every reads every S-th element, a constant, and every row of a tile that it repeats.
func Every(p *tl.Program, x, z, m tl.Ptr, n int, S, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	at := o.Mul(S)
	if S < 0 {
		at = tl.Sub(n-1, o).Mul(-S)
	}
	a := tl.Load(x.Add(at), tl.Mask(on(o, n, m, MASK)))
	rows := tl.Zeros(a.DType(), 3, BLOCK).Add(a.Row())
	put(z, o, tl.Max(rows, tl.Axis(0)), n, m, "range")
}

// StoredEvery writes every S-th element, and leaves what lies between.
func StoredEvery(p *tl.Program, x, z, m tl.Ptr, n int, S, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a := get(x, o, n, m, "all")
	at := z.Add(o.Mul(S))
	on := tl.Mask(on(o, n, m, MASK))
	tl.Store(at, a.Add(1), on)
	tl.Store(at.Add(1), a, on)
}

// Looked looks elements up in a table of few.
func Looked(p *tl.Program, x, t, z, m tl.Ptr, n int, BLOCK tl.Const, MASK, OP string) {
	o := lanes(p, BLOCK)
	i := get(x, o, n, m, "all").To(tl.Int32)
	switch OP {
	case "few":
		i = i.And(3)
	case "nibble":
		i = i.And(15)
	case "both":
		i = i.And(255).Shr(4).Add(i.And(15))
	case "mod":
		i = i.And(63).Mod(11)
	case "limits":
		i = tl.Where(i.Gt(2), tl.Minimum(tl.Maximum(i, 0), 9), 12)
	case "quotient":
		i = i.And(255).FloorDiv(10).Xor(1)
	case "range": // may be negative
		i = i.And(7).Sub(i.And(1)).Or(16)
	}
	put(z, o, tl.Load(t.Add(i), tl.Mask(on(o, n, m, MASK))).Add(1), n, m, "range")
}

// Causal adds up some rows up to each, times a weight each, for each column. At the ends there are fewer rows; with
// OP "outside" the first ones are read all the same.
func Causal(p *tl.Program, x, w, z tl.Ptr, rows, cols int, R, C tl.Const, OP string) {
	r, c := tl.Arange(0, R).Add(p.ID(0)*R), tl.Arange(0, C).Add(p.ID(1)*C)
	inside := c.Lt(cols)
	acc := tl.Zeros(tl.Float32, R, C)
	for j := range 4 {
		at := r.Sub(3 - j)
		on := at.Ge(0)
		other := 0.0
		switch OP {
		case "both":
			at = r.Add(j - 1)
			on = at.Ge(0).And(at.Lt(rows))
		case "dilated":
			at = r.Sub(9 - 3*j)
			on = at.Gt(-1).And(at.Lt(rows - 1))
			other = 2
		case "outside":
			on = at.Lt(rows)
		case "none":
			at = r.Sub(300 - j)
			on = at.Ge(0)
		}
		on = on.And(r.Lt(rows))
		from := x.Add(at.Col().Mul(cols).Add(c.Row()))
		v := tl.Load(from, tl.Mask(on.Col().And(inside.Row())), tl.Other(other))
		weight := tl.Load(w.Add(c.Mul(4).Add(j)), tl.Mask(inside), tl.Other(1))
		acc = acc.Add(v.To(tl.Float32).Mul(weight.To(tl.Float32).Row()))
	}
	tl.Store(z.Add(r.Col().Mul(cols).Add(c.Row())), acc, tl.Mask(r.Col().Lt(rows).And(inside.Row())))
}

// Quotients reads elements whose numbers are quotients and remainders of the lanes' own.
func Quotients(p *tl.Program, x, z, m tl.Ptr, n, w int, BLOCK tl.Const, MASK, OP string) {
	o := lanes(p, BLOCK)
	at := x.Add(o.FloorDiv(8))
	switch OP {
	case "seven":
		at = x.Add(o.FloorDiv(7))
	case "rows": // runs of w, in another order
		rows := n / w
		at = x.Add(o.FloorDiv(w).Mul(w).Add(o.Mod(w)))
		if rows > 1 {
			at = x.Add(o.FloorDiv(w).Add(1).Mod(rows).Mul(w).Add(o.Mod(w)))
		}
	case "pairs":
		at = x.Add(o.FloorDiv(2).Mod(w).Mul(2)).Add(o.Mod(2))
		n = min(n, n/2*2)
	case "bits":
		at = x.Add(o.Shr(3).Add(o.And(7)))
	case "signs": // truncated towards 0
		at = x.Add(o.Sub(40).FloorDiv(w)).Add(40 / w).Add(o.Sub(20).Mod(3)).Add(2)
	case "wide":
		at = x.Add(o.To(tl.Int64).FloorDiv(3))
	case "beyond":
		at = x.Add(o.Sub(3).FloorDiv(3))
	}
	a := tl.Load(at, tl.Mask(on(o, n, m, MASK).And(o.Lt(n-46))), tl.Other(1))
	put(z, o, a, n, m, "range")
}

// Divisors divides by constants of many kinds.
func Divisors(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a := get(x, o, n, m, MASK)
	s := a.FloorDiv(1).Add(a.FloorDiv(2)).Sub(a.Mod(8)).Add(a.FloorDiv(64).Mul(3)).Add(a.Mod(64))
	s = s.Add(a.FloorDiv(3)).Add(a.Mod(7)).Sub(a.FloorDiv(127)).Add(a.Mod(100))
	put(z, o, s, n, m, "all")
}

// Digits divides indices, some below 0, by constants and by a number, and what is left of them again, and loads by what
// comes of it.
func Digits(p *tl.Program, x, z, w, m tl.Ptr, n, by int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a := o.Sub(40)
	pos, tap := a.FloorDiv(9), a.Mod(9)
	put(z, o, pos.FloorDiv(by).Mul(1000).Add(pos.Mod(by)).Add(tap.FloorDiv(3).Mul(100)).Add(tap.Mod(4).Mul(10)), n, m, MASK)
	i := tl.Maximum(pos.Mod(by).Add(tap.Mod(3)).Add(tap.Mod(15).FloorDiv(8)), 0)
	v := tl.Load(x.Add(i), tl.Mask(on(o, n, m, MASK).And(i.Lt(n))), tl.Other(1))
	put(w, o, v, n, m, MASK)
}
