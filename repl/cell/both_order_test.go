package cell_test

import (
	"fmt"
	"strings"
)

// What is evaluated when, and what is copied.

type counter struct{ x int }

func (c counter) get() int { return c.x }

type getter interface{ get() int }

var trail strings.Builder

func step(n int) int          { fmt.Fprint(&trail, n, " "); return n }
func stepPair() (int, int)    { fmt.Fprint(&trail, "pair "); return 1, 2 }
func addUp(a, b int) int      { return a + b }
func greater(a, b int) bool   { return a > b }
func trailOf(f func()) string { trail.Reset(); f(); return trail.String() }

func methodValueCopies() string {
	p := &counter{1}
	f := p.get
	p.x = 2
	return fmt.Sprint(f(), p.get())
}
func deferCopiesReceiver() (s string) {
	p := &counter{1}
	func() {
		defer func(g func() int) { s += fmt.Sprint(g()) }(p.get)
		p.x = 2
	}()
	return s
}
func spreadInSum() string {
	return trailOf(func() { fmt.Fprint(&trail, step(5)+addUp(stepPair())) })
}
func spreadIsLazy() string {
	return trailOf(func() {
		no := false
		if no && greater(stepPair()) || step(1) == 2 && greater(stepPair()) {
			fmt.Fprint(&trail, "never")
		}
	})
}
func spreadInCases() string {
	return trailOf(func() {
		switch {
		case step(1) == 1:
			fmt.Fprint(&trail, "first")
		case greater(stepPair()):
			fmt.Fprint(&trail, "second")
		}
	})
}
func spreadInLoop() string {
	return trailOf(func() {
		for i := 0; i < 2 && !greater(stepPair()); i++ {
		}
	})
}
func swapResults() string {
	f := func() (a, b int) {
		a, b = 1, 2
		return b, a
	}
	g := func() (a, b, c int) {
		defer func() { a *= 10 }()
		a, b, c = 1, 2, 3
		return c, a, b
	}
	a, b := f()
	c, d, e := g()
	return fmt.Sprint(a, b, c, d, e)
}
func rangeArrayCall() string {
	n := 0
	f := func() [3]int { n++; return [3]int{} }
	for range f() {
	}
	for i := range f() {
		n += i * 10
	}
	for range len(f()) {
		n += 100
	}
	return fmt.Sprint(n)
}
func rangeNilArray() string {
	var p *[4]int
	n := 0
	for i := range p {
		n += i
	}
	for i := range p {
		n += 10 * i
	}
	return fmt.Sprint(n, len(p), cap(p))
}
func rangeArrayPointer() string {
	a := [3]counter{}
	s := ""
	for i, v := range &a {
		a[2].x = 7
		s += fmt.Sprint(i, v)
	}
	for i, v := range a {
		a[2].x = 8
		s += fmt.Sprint(i, v)
	}
	return s
}
func rangeBadString() string {
	s := ""
	var i int
	var c rune
	for i, c = range "a\xff\xc0z世\xe4" {
		s += fmt.Sprint(i, " ", c, ";")
	}
	for i := range "é!" {
		s += fmt.Sprint(i)
	}
	for i, c := range "abc" {
		if c == 'b' {
			continue
		}
		s += fmt.Sprint(i)
	}
	return s + fmt.Sprint(i, c)
}
func rangeChannels() string {
	var chans []chan int
	for i := range 3 {
		c := make(chan int, 1)
		c <- i
		chans = append(chans, c)
	}
	s := ""
	for i, c := range chans {
		s += fmt.Sprint(i, <-c)
	}
	return s
}
func rangeGrowing() string {
	x := []int{1, 2, 3}
	s := ""
	for i, v := range x {
		x = append(x, v)
		x[2] = 10
		s += fmt.Sprint(i, v, " ")
	}
	return s + fmt.Sprint(x)
}
func switchOnNil() string {
	s := ""
	switch m := make(map[int]int); m {
	case nil:
		s += "nil"
	default:
		s += "map"
	}
	switch f := func() {}; f {
	case nil:
		s += "nil"
	default:
		s += "func"
	}
	return s
}
func switchOnInterface() string {
	s := ""
	switch i := any(true); {
	case i:
		s += "true"
	default:
		s += "false"
	}
	switch any("hello") {
	case 42:
		s += "42"
	case "hello":
		s += "hello"
	}
	return s
}
func embeddedInAnonymous() string {
	var s struct{ counter }
	s.x = 3
	return fmt.Sprint(s.get(), getter(s).get())
}
func nilMethodValues() (s string) {
	try := func(f func()) {
		defer func() { s += fmt.Sprint(recover() != nil) }()
		f()
	}
	try(func() { var g getter; _ = g.get })
	try(func() { var g getter; defer g.get(); s += "late" })
	try(func() { var p *counter; _ = p.get })
	try(func() { var p [2]*int; _ = *p[1] })
	try(func() { var e error; _ = e.Error })
	return s
}
func bigRunes() string {
	u := uint64(0x10001f4a9)
	n := -1
	return string(rune(n)) + fmt.Sprint(string(rune(u)) == "\uFFFD")
}
func assignSwaps() string {
	x := []int{1, 2, 3}
	i := 0
	i, x[i] = 1, 5
	a, b := 1, 2
	a, b = b, a
	x[0], x[1] = x[1], x[0]
	return fmt.Sprint(i, x, a, b)
}
func structCopies() string {
	var arr [3]struct{ a, b int }
	arr2 := arr
	arr2[1].a = 5
	ms := map[string]counter{"a": {1}}
	t := ms["a"]
	t.x = 9
	ps := []counter{{1}}
	q := ps[0]
	q.x = 4
	w := struct{ in counter }{ps[0]}
	w.in.x = 6
	return fmt.Sprint(arr, arr2, ms, t, ps, q, w)
}
func negativeZero() string {
	z := 0.0
	return fmt.Sprint(-z, 1/-z, z-0, -z-0 == 0)
}

// Which operands are read before a call that changes them, and which behind it, Go leaves
// open; here it is as in compiled code.
func readsAroundCalls() string {
	x, m, s, p, a := []int{1, 2}, map[string]int{"k": 1}, "abc", &counter{1}, 1
	set := func() int { x[0] = 10; return 5 }
	other := func() int { x = []int{20, 30}; return 5 }
	entry := func() int { m["k"] = 10; return 5 }
	cut := func() string { s = "xyz"; return "!" }
	point := func() int { p.x = 50; p = &counter{100}; return 5 }
	add := func() int { a++; return a }
	out := fmt.Sprint(x[0]+set(), x[0]*2+set(), x[0]+other(), x[1]*addUp(x[0], other()), len(x)+func() int { x = x[:1]; return 0 }())
	out += fmt.Sprint(" ", m["k"]+entry(), s+"-"+cut(), s[1:]+cut(), string([]byte(s))+cut())
	out += fmt.Sprint(" ", p.x+point(), p.get()+point(), (a+1)*add(), addUp(a*2, add()), -a+add(), a<<add(), a*2<<add())
	out += fmt.Sprint(" ", x[0] == 1 && set() == 5, (x[0] == 20) == (a > 0 && set() == 5), []int{x[0] + 1, set(), x[0]}, counter{a * 2}.x+add())
	return out
}
func readsInStatements() string {
	a := 1
	add := func() int { a++; return a }
	s := fmt.Sprint(a*2, add(), a)
	switch {
	case a*2+add() == 99:
		s += "never"
	case a*2+add() == 12:
		s += "case"
	}
	for a*2+add() < 30 {
	}
	if z := a*2 + add(); z == 0 {
		s += "never"
	} else if z := a*2 + add(); z > 0 {
		s += fmt.Sprint(z)
	}
	w := []int{1, 2}
	w[0] += a*2 + add()
	w[a*0+1], w[0] = a*2, add()
	f := func(a, b int) func() int { return func() int { return a*100 + b } }
	g := func() (int, int) { return a * 2, add() }
	b, c := g()
	return s + fmt.Sprint(w, f(a*2, add())()+f(a, add())(), b, c, a)
}
func copiesBeforeCalls() string {
	v := counter{1}
	var i any = 5
	set := func() int { v, i = counter{10}, 6; return 1 }
	s := fmt.Sprint(i.(int)*2 + set())
	return s + fmt.Sprint(v.x*2+set(), v.get()+set())
}
func receivesInOrder() string {
	c := make(chan int, 3)
	c <- 4
	y := 3
	send := func() int { y = 30; c <- 6; return 1 }
	return fmt.Sprint(y*2+<-c+send()+<-c, y)
}

var orderPrograms = []func() string{
	methodValueCopies, deferCopiesReceiver, spreadInSum, spreadIsLazy, spreadInCases, spreadInLoop, swapResults,
	rangeArrayCall, rangeNilArray, rangeArrayPointer, rangeBadString, rangeChannels, rangeGrowing, switchOnNil, switchOnInterface,
	embeddedInAnonymous, nilMethodValues, bigRunes, assignSwaps, structCopies, negativeZero,
	readsAroundCalls, readsInStatements, copiesBeforeCalls, receivesInOrder,
}
