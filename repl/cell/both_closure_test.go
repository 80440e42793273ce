package cell_test

import "fmt"

// Variables that function literals have captured, and what is looked at behind a call.

type spot struct {
	n    int
	deep [2]int
	next *spot
}

func once(f func()) { f() }

func yieldOnce(yield func(int) bool) { yield(4) }

func capturedStruct() string {
	s := spot{n: 1}
	func() { s = spot{n: 2} }()
	a := s.n
	func() { func() { s = spot{n: s.n + 1, deep: [2]int{5, 6}} }() }()
	return fmt.Sprint(a, s.n, s.deep)
}
func capturedStructRead() string {
	s := spot{n: 1}
	read := func() int { return s.n }
	s = spot{n: 2}
	a := read()
	s = spot{}
	return fmt.Sprint(a, read())
}
func capturedStructInLoops() string {
	s, t := spot{n: 1}, spot{n: 1}
	for i := range yieldOnce {
		s = spot{n: i}
	}
	for i := range 3 {
		once(func() { t = spot{n: t.n + i} })
	}
	return fmt.Sprint(s.n, t.n)
}
func capturedStructResult() (r spot) {
	defer func() { r = spot{n: r.n + 1} }()
	once(func() { r = spot{n: 7} })
	return r
}
func capturedStructResults() string { return fmt.Sprint(capturedStructResult().n) }
func capturedStructParameter() string {
	f := func(s spot) int {
		once(func() { s = spot{n: s.n * 2} })
		return s.n
	}
	return fmt.Sprint(f(spot{n: 21}))
}
func structThroughPointer() string {
	s := spot{n: 1}
	p := &s
	*p = spot{n: 2}
	once(func() { *p = spot{n: s.n + 1, next: p} })
	return fmt.Sprint(s.n, p.n, s.next == &s)
}
func structsAtOnce() string {
	s, t := spot{n: 1}, spot{n: 2}
	once(func() { s, t = spot{n: t.n}, spot{n: s.n} })
	return fmt.Sprint(s.n, t.n)
}
func structDeclaredAgain() string {
	var reads []func() int
	for i := range 3 {
		var s spot
		reads = append(reads, func() int { return s.n })
		s = spot{n: i}
	}
	return fmt.Sprint(reads[0](), reads[1](), reads[2]())
}

func placesBehindCalls() string {
	x, i := []int{1, 2}, 0
	next := func() int { i++; return 5 }
	x[i] = next()
	a := fmt.Sprint(x, i)
	x[i-1] += next()
	return a + fmt.Sprint(x, i)
}
func sumsBehindCalls() string {
	x := []int{1}
	y := x
	x[0] += func() int { x = []int{100}; return 5 }()
	m := map[string]int{"a": 1}
	m["a"] += func() int { m["a"] = 10; return 5 }()
	p := &spot{n: 1}
	q := p
	p.n += func() int { p = &spot{n: 100}; return 5 }()
	return fmt.Sprint(x, y, m, p.n, q.n)
}
func valuesBehindCalls() string {
	x := 1
	f := func() int { x *= 10; return 5 }
	a, b, c := x, f(), x
	var d, e = x, f()
	g := func() (int, int) { return x, f() }
	h, i := g()
	y := []int{1, 2, 3}
	y[0], y[1] = y[1], func() int { y[1] = 8; return 7 }()
	return fmt.Sprint(a, b, c, d, e, h, i, y)
}
func callsFromLeftToRight() string {
	x := []int{0, 0, 0}
	n := 0
	next := func() int { n++; return n - 1 }
	x[next()] = next() + 10
	x[next()] += next() * 10
	x[0], x[next()-3] = next(), next()
	return fmt.Sprint(x, n)
}

var closurePrograms = []func() string{
	capturedStruct, capturedStructRead, capturedStructInLoops, capturedStructResults, capturedStructParameter, structThroughPointer,
	structsAtOnce, structDeclaredAgain, placesBehindCalls, sumsBehindCalls, valuesBehindCalls, callsFromLeftToRight,
}
