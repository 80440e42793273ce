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

var orderPrograms = []func() string{
	methodValueCopies, deferCopiesReceiver, spreadInSum, spreadIsLazy, spreadInCases, spreadInLoop, swapResults,
	rangeArrayCall, rangeNilArray, rangeArrayPointer, rangeBadString, rangeChannels, rangeGrowing, switchOnNil, switchOnInterface,
	embeddedInAnonymous, nilMethodValues, bigRunes, assignSwaps, structCopies, negativeZero,
}
