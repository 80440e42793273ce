package exec_test

import (
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
)

// hyper is what an optimizer is told, with methods that read it.
type hyper struct {
	rate, decay float64
	schedule
}

type schedule struct{ warm, step int }

func (s schedule) scale() float64 { return float64(min(s.step, s.warm)) / float64(s.warm) }

func (s *schedule) tick() int { s.step++; return s.step }

// Num is named like what the program has, and is evaluated in each round.
func (h *hyper) Num(p *tl.Program) int { h.step--; return min(h.step+p.ID(0)%2, 5) }

func (h hyper) shrink(w tl.Tile) tl.Tile {
	h.decay *= 0.5 // of the copy
	return w.Mul(float64(1) - float64(h.rate*h.decay*h.scale()))
}

// coefs is a polynomial, whose method is called of a literal, too.
type coefs [3]float64

func (c coefs) at(x tl.Tile) tl.Tile {
	r := x.Mul(0)
	for _, v := range c {
		r = r.Mul(x).Add(v)
	}
	return r
}

func (c *coefs) double() *coefs {
	for i := range c {
		c[i] *= 2
	}
	return c
}

// loaded has the methods of the tile that is embedded in it.
type loaded struct {
	tl.Tile
	mask tl.Tile
}

func methods(p *tl.Program, x, y tl.Ptr, n int, B tl.Const) {
	h := hyper{rate: 0.1, decay: 0.5, schedule: schedule{warm: 4}}
	at := tl.Arange(0, B).Add(p.ID(0) * n)
	m := tl.Arange(0, B).Lt(n)
	v := loaded{tl.Load(x.Add(at), tl.Mask(m), tl.Other(0)), m}
	c := coefs{1, 2, 3}
	r := c.double().double().at(v.Mul(2)).Add(coefs{0.5, 1, 2}.at(v.Tile))
	for range 3 {
		r = h.shrink(r).Add(h.tick())
	}
	for i := 0; i < h.Num(p); i++ {
		r = r.Mul(0.5)
	}
	for i := 0; i < n%7; i++ {
		r = r.Add(h.tick()).Mul(h.schedule.scale())
	}
	tl.Store(y.Add(p.ID(0)), tl.Sum(tl.Where(v.mask, r, 0.0)).Add(h.step).Add(c[0]).Add(h.decay))
}

// sums is a running sum and how often something was added to it.
type sums struct {
	acc  tl.Tile
	n    int
	next *sums
}

func (s *sums) push(x tl.Tile, c float64) {
	s.acc = s.acc.Mul(c).Add(x)
	s.n++
	if s.next != nil {
		s.next.acc = s.next.acc.Sub(x)
		s.next.n -= 2
	}
}

func pushTo(s *sums, x tl.Tile) { s.push(x, 0.5) }

func newSums(shape ...int) *sums { return &sums{acc: tl.Zeros(tl.Float32, shape...)} }

func pick(one, other *int, first bool) *int {
	if first {
		return one
	}
	return other
}

func swap(a, b *tl.Tile) { *a, *b = *b, *a }

func pointers(p *tl.Program, x, y tl.Ptr, n int, B tl.Const) {
	s, t := newSums(B), sums{acc: tl.Full(tl.Float32, 0.25, B)}
	s.next = &t
	at := tl.Arange(0, B)
	for i := 0; i < n; i += B { // the loop carries what the pointers lead to
		in := at.Add(i)
		pushTo(s, tl.Load(x.Add(in.Add(p.ID(0)*n)), tl.Mask(in.Lt(n)), tl.Other(0)))
		if i > B {
			t.n += 2
		}
	}
	var a [3]int
	q, limit := &a[1], n%5
	end := &limit
	for i := 0; i < limit; i++ { // its end moves
		*q += i
		q = &a[1]
		if i == 1 {
			*end = 3
		}
	}
	*pick(q, &a[2], B > 1000)++
	m := new(int)
	*m = a[2]
	ptrs := [2]*int{q, m}
	for i := 0; i < 2; i++ {
		k := &i
		*ptrs[*k] += 10 * (i + 1)
	}
	every := [3]*int{}
	for i := 0; i < 3; i++ {
		every[i] = &i // one for each round
	}
	swap(&s.acc, &t.acc)
	total := a[0] + 10*a[1] + 100**m + *every[0] + 7**every[1] + 5**every[2]
	tl.Store(y.Add(p.ID(0)), tl.Sum(s.acc.Sub(t.acc.Mul(0.5))).Add(s.n-3*t.n+total))
}

type real interface {
	~int | ~int32 | ~float32 | ~float64
}

// scaled computes in its type before it becomes a float64.
func scaled[T real](x tl.Tile, by T) tl.Tile { return x.Mul(float64(by/3 + T(2.5*2))) }

func mapped[T, U any](xs [3]T, f func(T) U) (ys [3]U) {
	for i, x := range xs {
		ys[i] = f(x)
	}
	return ys
}

// span is generic itself, with methods that are.
type span[T real] struct{ lo, hi T }

func (s span[T]) size() T { return s.hi - s.lo }

func (s *span[T]) move(by T) { s.lo, s.hi = s.lo+by, s.hi+by }

type sized[T real] interface{ size() T }

func twice[T real, S sized[T]](s S) T { return both(s.size(), s.size()) }

func both[T real](x, y T) T { return x + y }

func generics(p *tl.Program, x, y tl.Ptr, n int, B tl.Const) {
	at := tl.Arange(0, B).Add(p.ID(0) * n)
	v := tl.Load(x.Add(at), tl.Mask(tl.Arange(0, B).Lt(n)), tl.Other(0))
	r := scaled(v, 7).Add(scaled(v, 7.0)).Add(scaled[float32](v, 0.1)).Add(scaled(v, int32(n)))
	s := span[int]{2, n}
	s.move(p.ID(0))
	f := span[float64]{hi: 0.1}
	tiles := mapped([3]int{1, 2, 3}, func(k int) tl.Tile { return r.Mul(k) })
	names := mapped(tiles, func(t tl.Tile) float64 { return float64(t.Dim(0)) / 3 })
	add := both[float64]
	total := add(names[0], names[2]) + float64(twice[int](s)) + twice[float64](f)
	tl.Store(y.Add(p.ID(0)), tl.Sum(tiles[0].Add(tiles[2])).Add(total).Add(s.lo))
}

var (
	weights  = [4]float64{0.5, 1.5, 2.5, 3.5}
	levels   = []float32{0.25, -0.5, third}
	third    = float32(weights[3]) / 3
	settings = struct {
		c      coefs
		rounds int
		name   string
	}{c: coefs{2, 1}, rounds: len(weights)}
	unset [2]int
)

func globals(p *tl.Program, x, y tl.Ptr, n int, B tl.Const) {
	at := tl.Arange(0, B).Add(p.ID(0) * n)
	v := tl.Load(x.Add(at), tl.Mask(tl.Arange(0, B).Lt(n)), tl.Other(0))
	r := tl.ZerosLike(v)
	for _, c := range weights {
		r = r.Mul(v).Add(c)
	}
	own := weights
	own[0] = 100
	for i := 0; i < settings.rounds; i++ {
		r = r.Add(v.Mul(float64(i)))
	}
	for i := range levels {
		r = r.Add(float64(levels[i]))
	}
	tl.Store(y.Add(p.ID(0)), tl.Sum(settings.c.at(r)).Add(own[0]+weights[0]).Add(unset[1]+len(settings.name)))
}

// powers hands its slice to who calls it.
func powers(v tl.Tile, n int) []tl.Tile {
	var ps []tl.Tile
	q := tl.Full(tl.Float32, 1.0, v.Shape()...)
	for range n {
		ps = append(ps, q)
		q = q.Mul(v)
	}
	return ps
}

func appends(p *tl.Program, x, y tl.Ptr, n int, B tl.Const) {
	at := tl.Arange(0, B).Add(p.ID(0) * n)
	v := tl.Load(x.Add(at), tl.Mask(tl.Arange(0, B).Lt(n)), tl.Other(0))
	r := tl.ZerosLike(v)
	pw := powers(v, 4)
	for k := len(pw) - 1; k >= 0; k-- {
		r = r.Add(pw[k].Mul(3.5 - float64(k)))
	}
	ks := []int{n}
	for i := 0; i < 3; i++ {
		ks = append(ks, i, p.ID(0))
		ks[i]++
	}
	more := []int{7}
	more = append(more, more...)
	last := more
	for _, k := range ks {
		more = append(more, k, -k)
	}
	sum := len(last)
	for i, k := range more {
		sum = 3*sum + i*k
	}
	tl.Store(y.Add(p.ID(0)), tl.Sum(r).Add(float64(sum)))
}

// TestNatural runs kernels with methods, pointers, generic functions, package variables and append on every engine.
// padded is how a row's end is loaded and stored.
type padded struct {
	in   tl.MaskOption
	fill tl.OtherOption
}

func row(x tl.Ptr, n, size int) (v, at tl.Tile, in tl.MaskOption) {
	at = tl.Arange(0, size)
	in = tl.Mask(at.Lt(n))
	return read(x.Add(at), in), at, in
}

func read(x tl.Ptr, o ...tl.LoadOption) tl.Tile { return tl.Load(x, o...) }

func options(p *tl.Program, x, y tl.Ptr, n int, B tl.Const) {
	v, at, in := row(x, n, B)
	end := padded{fill: tl.Other(3)}
	if end.in = in; p.ID(0) > 1 {
		end.in = tl.Mask(at.Lt(p.ID(0)))
	}
	var masks [2]tl.MaskOption
	for i := range masks {
		masks[i] = tl.Mask(at.Ge(i))
	}
	along := [1]tl.AxisOption{tl.Axis(0)}
	for i := range n % 7 { // the loop carries what the mask is made of
		v = v.Add(read(x.Add(at.Add(i)), end.in, end.fill)).Add(tl.Load(x.Add(at), masks[1], end.fill))
		end.in = tl.Mask(at.Lt(i))
	}
	tl.Store(y.Add(p.ID(0)), tl.Sum(v, along[0]), tl.Mask(true))
}

// debug decides a branch while Go compiles.
const debug = false

func adder(n int) func(tl.Tile) tl.Tile { return func(x tl.Tile) tl.Tile { return x.Add(n) } }

//go:noinline
func bounded(n int) int {
	if debug {
		return n
	}
	return n % 9
}

func closures(p *tl.Program, x, y tl.Ptr, n int, B tl.Const) {
	more := adder(bounded(n))
	tl.Store(y.Add(p.ID(0)), tl.Sum(more(tl.Load(x.Add(tl.Arange(0, B))))))
}

// turns swaps what it reads, and how.
func turns(p *tl.Program, x, y tl.Ptr, n int, B tl.Const) {
	a := tl.MakeDesc(x, []int{n}, []int{1}, []int{16})
	b := tl.MakeDesc(y, []int{p.Num(0)}, []int{1}, []int{16})
	ptrs, total := [2]tl.Ptr{x.Add(p.ID(0)), y.Add(p.ID(0))}, 0.0
	for range n % 5 {
		total += tl.Load(ptrs[0]).Float() + tl.Sum(a.Load(p.ID(0))).Float()*0
		ptrs[0], ptrs[1] = ptrs[1], ptrs[0]
		if a, b = b, a; total > 100 {
			break
		}
	}
	tl.Store(y.Add(p.ID(0)), total)
}

func TestNatural(t *testing.T) {
	onEachEngine(t, map[string]any{
		"methods": methods, "pointers": pointers, "generics": generics, "globals": globals, "appends": appends,
		"options": options, "closures": closures, "turns": turns,
	})
}
