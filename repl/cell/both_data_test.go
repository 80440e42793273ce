package cell_test

import (
	"fmt"
	"sort"
	"strings"
)

func slicesShare() string {
	a := []int{1, 2, 3, 4, 5}
	b := a[1:3]
	b = append(b, 99)
	c := a[1:3:3]
	c = append(c, 7)
	return fmt.Sprint(a, b, c, len(b), cap(b), cap(a[2:]))
}
func slicesCopied() string {
	a := []int{1, 2, 3, 4}
	n := copy(a[1:], a)
	b := append([]int(nil), a...)
	b[0] = 50
	m := copy(a, []int{9})
	return fmt.Sprint(n, m, a, b)
}
func slicesGrow() string {
	var a []int
	for i := range 10 {
		a = append(a, i*i)
	}
	a = append(a, a...)
	return fmt.Sprint(a, len(a))
}
func slicesNil() string {
	var s []int
	e := []int{}
	return fmt.Sprint(s == nil, e == nil, len(s), cap(s), s, append(s, 1), s[:0] == nil)
}
func bytesAndStrings() string {
	b := []byte("abc")
	b = append(b, "def"...)
	b[0] = 'X'
	n := copy(b[1:], "zz")
	return fmt.Sprint(string(b), n, []rune("hé"), string([]rune{72, 233}), len("hé"), "héllo"[1:3])
}
func stringIndex() string {
	s := "hello"
	var t string
	for i := len(s) - 1; i >= 0; i-- {
		t += string(s[i])
	}
	return fmt.Sprint(t, s[1], s[1:3], s < t, s+t == "helloolleh", strings.Repeat("ab", 2))
}
func matrices() string {
	g := make([][]float64, 3)
	for i := range g {
		g[i] = make([]float64, 3)
		for j := range g[i] {
			g[i][j] = float64(i*3 + j)
		}
	}
	trace := 0.0
	for i, r := range g {
		for j, v := range r {
			if i == j {
				trace += v
			}
		}
	}
	g[0], g[2] = g[2], g[0]
	return fmt.Sprint(trace, g)
}
func arraysCopied() string {
	var g [3][3]int
	for i := range 3 {
		for j := range 3 {
			g[i][j] = i * j
		}
	}
	h := g
	h[2][2] = 100
	f := func(a [3][3]int) { a[0][0] = 7 }
	f(g)
	p := &g
	p[1][1] = 55
	return fmt.Sprint(g, h, len(p), g == h, g == [3][3]int{{0, 0, 0}, {0, 55, 2}, {0, 2, 4}})
}
func arrayLiterals() string {
	a := [...]string{2: "c", 0: "a"}
	b := [5]int{1, 3: 4, 5}
	s := []int{9: 1, 2: 5}
	return fmt.Sprint(a, len(a), b, s)
}
func arrayPointers() string {
	a := [4]int{1, 2, 3, 4}
	p := &a
	s := p[1:3]
	s[0] = 20
	for i := range p {
		p[i]++
	}
	q := &a[3]
	*q *= 2
	return fmt.Sprint(a, s, *q)
}
func sliceToArray() string {
	s := []int{1, 2, 3, 4}
	a := [2]int(s)
	p := (*[2]int)(s)
	p[0] = 9
	return fmt.Sprint(a, s, *p)
}
func mapsBasic() string {
	m := map[string]int{}
	for _, w := range strings.Fields("a b a c a") {
		m[w]++
	}
	v, ok := m["z"]
	w, ok2 := m["a"]
	delete(m, "b")
	return fmt.Sprint(m, v, ok, w, ok2, len(m))
}
func mapsOfStructs() string {
	type point struct{ X, Y int }
	m := map[point]string{{1, 2}: "a"}
	m[point{3, 4}] = "b"
	q := map[string]point{"o": {}}
	p := q["o"]
	p.X = 5
	return fmt.Sprint(m[point{1, 2}], m[point{3, 4}], len(m[point{}]), q["o"].X, p.X)
}
func mapsOfSlices() string {
	m := map[string][]int{}
	m["a"] = append(m["a"], 1)
	m["a"] = append(m["a"], 2)
	m["b"] = nil
	m["a"][0] += 10
	_, ok := m["b"]
	return fmt.Sprint(m, ok)
}
func mapsOfMaps() string {
	m := map[string]map[string]int{"x": {"y": 1}}
	m["x"]["z"] = 2
	return fmt.Sprint(m, m["q"]["r"], len(m["q"]))
}
func mapsOfFuncs() string {
	m := map[string]func(int) int{"double": func(x int) int { return 2 * x }}
	m["neg"] = func(x int) int { return -x }
	return fmt.Sprint(m["double"](21), m["neg"](3), m["no"] == nil)
}
func mapAnyKeys() string {
	m := map[any]string{1: "int", "1": "string", 1.0: "float", [2]int{1, 2}: "array", true: "bool"}
	return fmt.Sprint(m[1], m["1"], m[1.0], m[[2]int{1, 2}], m[true], m[nil] == "")
}
func mapNil() string {
	var m map[string]int
	//lint:ignore SA5000 the panic is what is tested
	m["a"] = 1
	return "no"
}
func mapRead() string {
	var m map[string]int
	delete(m, "x")
	return fmt.Sprint(m["a"], len(m), m == nil)
}
func clearing() string {
	m := map[int]int{1: 2}
	s := []int{1, 2, 3}
	clear(m)
	clear(s[1:])
	return fmt.Sprint(m, s)
}
func structsCopied() string {
	type s struct {
		A int
		B [2]int
		C []int
	}
	x := s{1, [2]int{2, 3}, []int{4}}
	y := x
	y.A, y.B[0], y.C[0] = 5, 6, 7
	return fmt.Sprint(x, y)
}
func structsInSlices() string {
	type s struct{ A int }
	xs := []s{{1}, {2}}
	for _, x := range xs {
		x.A = 9
	}
	for i := range xs {
		xs[i].A += 10
	}
	ps := []*s{{1}, {2}}
	for _, p := range ps {
		p.A += 5
	}
	return fmt.Sprint(xs, ps[0].A, ps[1].A)
}
func structsNested() string {
	type inner struct{ X, Y int }
	type outer struct {
		In  inner
		Ptr *inner
	}
	o := outer{In: inner{1, 2}, Ptr: &inner{Y: 4}}
	o.In.X += 10
	o.Ptr.X = 7
	p := &o
	p.In.Y, p.Ptr.Y = p.Ptr.Y, p.In.Y
	return fmt.Sprint(o.In, *o.Ptr, o.In == inner{11, 4})
}
func structsAnonymous() string {
	p := struct {
		Name string
		Age  int
	}{"q", 3}
	list := []struct{ K, V string }{{"a", "b"}, {"c", "d"}}
	q := p
	q.Age++
	return fmt.Sprint(p, q, list, p == q)
}
func structsCompared() string {
	type s struct {
		A int
		B string
		C any
	}
	x, y := s{1, "a", 2}, s{1, "a", 2}
	z := s{1, "a", "2"}
	return fmt.Sprint(x == y, x == z, x != z)
}
func pointers() string {
	x := 1
	p := &x
	*p += 4
	q := &p
	**q *= 2
	r := new(int)
	*r = x
	return fmt.Sprint(x, *p == **q, p == *q, p == r, *r)
}
func newExpression() string {
	x := 3
	p := new(x * 2)
	q := new("s")
	*p++
	return fmt.Sprint(*p, *q, x)
}

type node struct {
	value       int
	left, right *node
}

func (n *node) insert(v int) *node {
	if n == nil {
		return &node{value: v}
	}
	if v < n.value {
		n.left = n.left.insert(v)
	} else {
		n.right = n.right.insert(v)
	}
	return n
}
func (n *node) walk(f func(int)) {
	if n != nil {
		n.left.walk(f)
		f(n.value)
		n.right.walk(f)
	}
}
func trees() string {
	var root *node
	for _, v := range []int{5, 2, 8, 1, 9, 3} {
		root = root.insert(v)
	}
	s := ""
	root.walk(func(v int) { s += fmt.Sprint(v, " ") })
	return s
}

type linked struct {
	head *cellOf
	n    int
}
type cellOf struct {
	v    string
	next *cellOf
}

func (l *linked) push(v string) { l.head = &cellOf{v, l.head}; l.n++ }
func linkedLists() string {
	var l linked
	for _, w := range []string{"a", "b", "c"} {
		l.push(w)
	}
	s := ""
	for c := l.head; c != nil; c = c.next {
		s += c.v
	}
	return fmt.Sprint(s, l.n, l.head.next.next.next == nil)
}

type graph struct {
	name  string
	edges []*graph
	peers map[string]*graph
}

func graphs() string {
	a, b := &graph{name: "a"}, &graph{name: "b", peers: map[string]*graph{}}
	a.edges = append(a.edges, b, a)
	b.peers["a"] = a
	return fmt.Sprint(a.edges[0].peers["a"].edges[1].name, len(b.edges))
}
func assignSwap() string {
	a, b, c := 1, 2, 3
	a, b, c = c, a, b
	xs := []int{0, 1, 2}
	i := 0
	i, xs[i] = 2, 9
	xs[0], xs[2] = xs[2], xs[0]
	return fmt.Sprint(a, b, c, i, xs)
}
func assignOrder() string {
	s := ""
	f := func(n int) int { s += fmt.Sprint(n); return n }
	xs := []int{0, 0, 0}
	xs[f(0)], xs[f(1)] = f(2), f(1)
	xs[f(2)] += f(5)
	return fmt.Sprint(s, xs)
}
func sorting() string {
	a := []int{3, 1, 2}
	sort.Slice(a, func(i, j int) bool { return a[i] < a[j] })
	b := []string{"b", "a"}
	sort.Strings(b)
	sort.Sort(sort.Reverse(sort.IntSlice(a)))
	return fmt.Sprint(a, b)
}
func indexOutOfRange() string {
	defer func() { recover() }()
	a := []int{1, 2}
	i := 2
	return fmt.Sprint(a[i])
}
func indexMessage() (s string) {
	defer func() { s = strings.Split(fmt.Sprint(recover()), " [")[0] }()
	a := []int{1, 2}
	i := 2
	return fmt.Sprint(a[i])
}
func nilPointer() (s string) {
	defer func() { s = fmt.Sprint(recover()) }()
	var n *node
	return fmt.Sprint(n.value)
}
func stringsBuilder() string {
	var b strings.Builder
	for i := range 3 {
		fmt.Fprintf(&b, "%d,", i)
	}
	b.WriteByte('!')
	return b.String()
}
func stringFunctions() string {
	return fmt.Sprint(strings.Split("a,b,c", ","), strings.ToUpper("x"), strings.Contains("abc", "b"), strings.Map(func(r rune) rune { return r + 1 }, "abc"), strings.Fields(" a  b "), strings.NewReplacer("a", "b").Replace("aa"))
}

var dataPrograms = []func() string{
	slicesShare, slicesCopied, slicesGrow, slicesNil, bytesAndStrings, stringIndex, matrices, arraysCopied, arrayLiterals,
	arrayPointers, sliceToArray, mapsBasic, mapsOfStructs, mapsOfSlices, mapsOfMaps, mapsOfFuncs, mapAnyKeys, mapNil, mapRead,
	clearing, structsCopied, structsInSlices, structsNested, structsAnonymous, structsCompared, pointers, newExpression, trees,
	linkedLists, graphs, assignSwap, assignOrder, sorting, indexOutOfRange, indexMessage, nilPointer, stringsBuilder, stringFunctions,
}
