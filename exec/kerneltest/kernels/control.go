package kernels

import tl "github.com/tiler-go/tiler/tilelang"

// Collatz loops as long as it takes.
func Collatz(p *tl.Program, x, z tl.Ptr, n int) {
	v := tl.Load(x.Add(p.ID(0))).Int()
	v = (v%1000+1000)%1000 + 1
	steps := 0
	for v != 1 {
		if v%2 == 0 {
			v /= 2
		} else {
			v = 3*v + 1
		}
		steps++
	}
	tl.Store(z.Add(p.ID(0)), steps%100)
}

// Search breaks out of a loop.
func Search(p *tl.Program, x, z tl.Ptr, n int) {
	at := -1
	for i := range n {
		if tl.Load(x.Add(i)).Float() > 0.5 {
			at = i
			break
		}
	}
	tl.Store(z, at%100)
}

// Skip continues, and stores in a branch of a loop.
func Skip(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a := get(x, o, n, m, MASK)
	for i := range 6 {
		if i%2 == 1 {
			continue
		}
		a = a.Add(i)
		if i == 4 {
			put(z, o, a, n, m, MASK)
		}
	}
}

// Early returns before and after a store.
func Early(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	if p.ID(0)%3 == 2 {
		return
	}
	o := lanes(p, BLOCK)
	a := get(x, o, n, m, MASK)
	put(z, o, a, n, m, MASK)
	if n > 100 {
		return
	}
	put(z, o, a.Add(1), n, m, "odd")
}

// Nested has loops in loops, with a label.
func Nested(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a := get(x, o, n, m, MASK)
	total := 0
rows:
	for i := range 5 {
		for k := 0; k < 5; k++ {
			switch {
			case k > i:
				continue rows
			case i*k > 6:
				break rows
			}
			total += i + k
		}
	}
	put(z, o, a.Add(total), n, m, MASK)
}

// Choose switches on a number.
func Choose(p *tl.Program, x, y, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a, b := get(x, o, n, m, MASK), get(y, o, n, m, MASK)
	switch n % 4 {
	case 0:
		a = a.Add(b)
	case 1:
		a, b = b, a
	case 2:
		b = a.Sub(b)
	default:
		a = tl.Maximum(a, b)
	}
	put(z, o, a.Sub(b), n, m, MASK)
}

// minmax has two results.
func minmax(x, y tl.Tile) (lo, hi tl.Tile) { return tl.Minimum(x, y), tl.Maximum(x, y) }

// rounds calls a function so many times.
func rounds(n int, fn func(i int)) {
	for i := range n {
		fn(i)
	}
}

// Inlined calls functions of the package, and a closure that writes variables around it.
func Inlined(p *tl.Program, x, y, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	lo, hi := minmax(get(x, o, n, m, MASK), get(y, o, n, m, MASK))
	rounds(3, func(i int) { lo, hi = hi.Sub(lo), lo.Add(i) })
	put(z, o, lo.Add(hi), n, m, MASK)
}

// Carried swaps what a loop carries.
func Carried(p *tl.Program, x, y, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a, b := get(x, o, n, m, MASK), get(y, o, n, m, MASK)
	for i := range n % 7 {
		a, b = b.Add(i), a
	}
	put(z, o, a.Sub(b), n, m, MASK)
}

// PingPong writes each round to the tensor that the next one reads, and at last to the one that its branch takes.
func PingPong(p *tl.Program, x, z, w, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	put(z, o, get(x, o, n, m, MASK), n, m, MASK)
	from, to, at, behind := z, w, z.Add(o), w.Add(o)
	for i := range 1 + n%4 {
		put(to, o, get(from, o, n, m, MASK).Add(i), n, m, MASK)
		from, to, at, behind = to, from, behind, at
	}
	if in := on(o, n, m, MASK); MASK != "" {
		tl.Store(behind, tl.Load(at, tl.Mask(in)), tl.Mask(in))
	}
	last := from
	if p.ID(0)%2 == 1 {
		last = to
	}
	put(last, o, get(from, o, n, m, MASK).Add(1), n, m, MASK)
}

// CarriedHalf carries a pair and one of its elements.
func CarriedHalf(p *tl.Program, x, z tl.Ptr, n int) {
	pair := tl.Load(x.Add(tl.Arange(0, 2))).Reshape(1, 2)
	_, last := tl.Split(pair)
	for range 1 + n%5 {
		a, b := tl.Split(pair)
		pair, last = tl.Join(b, a.Add(1)), b
	}
	tl.Store(z.Add(tl.Arange(0, 2)), pair.Ravel())
	tl.Store(z.Add(tl.Arange(2, 3)), last)
}

// CarriedTurned carries tiles of which each round reads the last one's: one turned, one lane by lane, one both.
func CarriedTurned(p *tl.Program, x, z tl.Ptr, n int) {
	at := tl.Arange(0, 16).Col().Mul(16).Add(tl.Arange(0, 16).Row())
	a := tl.Load(x.Add(at), tl.Mask(at.Lt(n)), tl.Other(1))
	b, c := a.Add(1), a.Add(2)
	for i := range 1 + n%5 {
		a, b, c = tl.Trans(a).Add(b), b.Add(i), c.Add(tl.Trans(c)).Sub(a)
	}
	tl.Store(z.Add(at), a.Add(b).Sub(c))
}

// Neighbours adds up what is around elements in loops that are short, with branches that their indices decide, or
// something else.
func Neighbours(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a, b := tl.Zeros(tl.Float32, BLOCK), tl.Full(tl.Float32, 1, BLOCK)
	for i := range 3 {
		for j := 2; j >= 0; j-- {
			v := tl.Load(x.Add(o.Add(i+j).Mod(n)), tl.Mask(on(o, n, m, MASK)), tl.Other(1)).To(tl.Float32)
			switch {
			case i == 1 && j == 1:
			case i > j || i+2*j == 4:
				a, b = a.Add(v), a
			default:
				a = a.Sub(v)
			}
			if n > 20 && i != 0 {
				b = b.Add(1)
			}
		}
		if i%2 == 0 {
			a = a.Add(b.Mul(i))
		}
	}
	for i := range 4 {
		for range i { // of no round at first
			b = b.Add(a)
		}
	}
	put(z, o, a.Add(b), n, m, MASK)
}

// Laps stores in loops whose masks depend on the index: upwards from what is loaded, by an outer loop too, and downwards.
// The index may be so great that the last block's do not fit an int32.
func Laps(p *tl.Program, x, i, z, w tl.Ptr, n, from int, BLOCK tl.Const) {
	first := from - tl.Load(i).Int()
	for lap := range 2 {
		for at := first - lap; at < from+n; at += BLOCK {
			cols := tl.Arange(0, BLOCK).Add(at)
			place := tl.Arange(0, BLOCK).Add(at - from)
			inside := place.Ge(0).And(place.Lt(n))
			v := tl.Load(x.Add(place), tl.Mask(cols.Lt(from+n).And(inside)), tl.Other(3))
			tl.Store(z.Add(place), v.Add(lap), tl.Mask(cols.Lt(from+n).And(place.Ge(0)).And(place.Lt(2*n))))
		}
	}
	for at := from + n; at > from-BLOCK; at -= BLOCK {
		place := tl.Arange(0, BLOCK).Add(at - from)
		mask := tl.Mask(place.Ge(0).And(place.Lt(n)))
		tl.Store(w.Add(place), tl.Load(x.Add(place), mask).Add(1), mask)
	}
}

// Constants carries tiles of equal elements.
func Constants(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a, b, c := tl.Zeros(tl.Float32, BLOCK), tl.Full(tl.Float32, 2, BLOCK), get(x, o, n, m, MASK).To(tl.Float32)
	for i := range 1 + n%5 {
		a, b, c = b, tl.Full(tl.Float32, i, BLOCK), a.Add(c)
	}
	put(z, o, a.Add(b).Add(c), n, m, MASK)
}

// Branches makes tiles in branches.
func Branches(p *tl.Program, x, y, z, m tl.Ptr, n int, up bool, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	var a tl.Tile
	if up {
		a = get(x, o, n, m, MASK).Add(1)
	} else {
		a = get(y, o, n, m, MASK).Sub(1)
	}
	scale := 1
	if p.ID(0) > 0 && !up || n < 5 {
		scale = 2
	}
	put(z, o, a.Mul(scale), n, m, MASK)
}

// Newton loops until a tile does not change much: a loop on a reduction.
func Newton(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a := tl.Minimum(tl.Abs(get(x, o, n, m, MASK)).To(tl.Float32), 1000).Add(1)
	r := tl.Maximum(a.Mul(0.5), 1)
	for k := 0; ; k++ {
		next := r.Add(a.Div(r)).Mul(0.5)
		step := tl.Max(tl.Abs(next.Sub(r))).Float()
		r = next
		if step < 1e-3 || k == 30 {
			break
		}
	}
	put(z, o, r, n, m, MASK)
}

// Accumulate sums blocks of a row in a loop.
func Accumulate(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	acc := tl.Zeros(tl.Float32, BLOCK)
	for i := 0; i < n; i += BLOCK {
		o := tl.Arange(0, BLOCK).Add(i)
		acc = acc.Add(tl.Load(x.Add(o), tl.Mask(on(o, n, m, MASK))).To(tl.Float32))
	}
	tl.Store(z, tl.Sum(acc))
}

// Countdown counts down, by twos, to a negative number, and from one that is less than the last.
func Countdown(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	a := get(x, o, n, m, MASK)
	for i := 9; i > 0; i -= 2 {
		a = a.Sub(i)
	}
	for i := n%4 - 1; -1 <= i; i-- {
		a = a.Add(a).Sub(i + 1)
	}
	for i := n % 3; i > n%5; i = i - 1 {
		a = a.Mul(i)
	}
	put(z, o, a, n, m, MASK)
}

// Scalarwork is arithmetic of Go's.
func Scalarwork(p *tl.Program, z tl.Ptr, n int, f float64) {
	i := p.ID(0)
	a, b := i*i-n, n|3
	c := a/b + a%b<<2 ^ (a&^5)>>1
	if f > float64(c) || a == b {
		c = -c
	}
	g := float64(f*2) - float64(c)
	tl.Store(z.Add(i), g/3+float64(min(a, b, 7)))
}

// Diagonals fills a table of n rows and columns diagonal by diagonal: where one begins and ends is clamped. The index
// may be so great that what is clamped wraps.
func Diagonals(p *tl.Program, x, z tl.Ptr, n, from int, BLOCK tl.Const) {
	k := tl.Arange(0, BLOCK)
	for d := from; d <= from+2*(n-1); d++ {
		i := k.Add(max(0, d-from-n+1))
		j := d - from
		m := tl.Mask(i.Lt(min(n, j+1)))
		left := tl.Load(z.Add(i.Mul(n).Sub(i).Add(j-1)), tl.Mask(i.Lt(min(n, j))), tl.Other(1))
		tl.Store(z.Add(i.Mul(n).Sub(i).Add(j)), tl.Load(x.Add(i), m, tl.Other(2)).Add(left), m)
	}
}

// Never has a loop whose last index, far below 0, no int32 holds: it goes round in no program.
func Never(p *tl.Program, x, z, m tl.Ptr, n, far int, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	for c := 0; c < far; c += BLOCK {
		i := tl.Arange(0, BLOCK).Add(c)
		tl.Store(z.Add(i), tl.Load(x.Add(i), tl.Mask(i.Lt(far))), tl.Mask(i.Lt(far)))
	}
	put(z, o, get(x, o, n, m, MASK).Add(1), n, m, MASK)
}
