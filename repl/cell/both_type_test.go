package cell_test

import (
	"bytes"
	"container/heap"
	"container/list"
	"errors"
	"fmt"
	"image"
	"io"
	"sort"
	"strings"
	"sync"
	"time"
)

type celsius float64
type fahrenheit float64

func (c celsius) String() string         { return fmt.Sprintf("%.1f°C", float64(c)) }
func (c celsius) warm(d celsius) celsius { return c + d }
func (c *celsius) set(v float64)         { *c = celsius(v) }
func namedNumbers() string {
	c := celsius(20)
	f := fahrenheit(c*9/5 + 32)
	c.set(25)
	p := &c
	return fmt.Sprint(c, f, c.warm(0.5), p.warm(1), celsius(f) > c)
}
func namedSwitch() string {
	s := ""
	for _, x := range []any{celsius(1), fahrenheit(2), 3.0, &[]celsius{1}[0]} {
		switch v := x.(type) {
		case float64:
			s += fmt.Sprint("f64 ", v, " ")
		case celsius:
			s += fmt.Sprint("C ", v, " ")
		case fahrenheit:
			s += fmt.Sprint("F ", v, " ")
		case *celsius:
			s += fmt.Sprint("ptr ", *v, " ")
		}
	}
	return s
}

type shape interface {
	area() float64
	name() string
}
type square struct{ side float64 }
type circle struct{ r float64 }

func (s square) area() float64  { return s.side * s.side }
func (s square) name() string   { return "square" }
func (c *circle) area() float64 { return 3 * c.r * c.r }
func (c *circle) name() string  { return "circle" }
func interfaces() string {
	shapes := []shape{square{2}, &circle{1}, square{3}}
	s := ""
	for _, x := range shapes {
		s += fmt.Sprint(x.name(), x.area(), " ")
	}
	var none shape
	return s + fmt.Sprint(none == nil, shapes[0] == square{2}, shapes[0] == shapes[2])
}
func interfaceMethodOnNil() (s string) {
	defer func() { s = fmt.Sprint(recover()) }()
	var x shape
	return x.name()
}
func typeAssertions() string {
	var x shape = square{4}
	q, ok := x.(square)
	c, ok2 := x.(*circle)
	var a any = x
	b, ok3 := a.(shape)
	n, ok4 := a.(fmt.Stringer)
	return fmt.Sprint(q.side, ok, c == nil, ok2, b.area(), ok3, n == nil, ok4)
}
func assertionPanics() string {
	var a any = "s"
	return fmt.Sprint(a.(int))
}
func assertionPanicsNamed() string {
	var a any = celsius(3)
	return fmt.Sprint(a.(float64))
}
func assertionMissing() string {
	var a any = square{1}
	return a.(fmt.Stringer).String()
}

type animal struct{ sound string }

func (a animal) speak() string   { return a.sound }
func (a *animal) train(s string) { a.sound = s }

type dog struct {
	animal
	name string
}

func (d dog) describe() string { return d.name + " says " + d.speak() }

type puppy struct {
	*dog
	age int
}

func embedding() string {
	d := dog{animal{"woof"}, "rex"}
	s := d.describe()
	d.train("yip")
	p := puppy{&d, 1}
	p.train("arf")
	var sp interface{ speak() string } = p
	return fmt.Sprint(s, " ", d.sound, " ", p.speak(), p.name, " ", p.describe(), " ", sp.speak())
}

type logger struct {
	io.Writer
	sync.Mutex
	prefix string
}

func (l *logger) log(s string) {
	l.Lock()
	defer l.Unlock()
	fmt.Fprint(l, l.prefix, s)
}
func embeddingImported() string {
	var b bytes.Buffer
	l := &logger{Writer: &b, prefix: "> "}
	l.log("a")
	l.Write([]byte("b"))
	return b.String()
}
func embeddedInterface() string {
	type named struct {
		shape
		label string
	}
	n := named{square{2}, "n"}
	var s shape = n
	return fmt.Sprint(n.area(), s.name(), n.label)
}

type notFound struct{ key string }

func (e *notFound) Error() string { return "not found: " + e.key }

type code int

func (c code) Error() string { return fmt.Sprint("code ", int(c)) }

var errBase = errors.New("base")

func lookup(k string) error {
	switch k {
	case "a":
		return nil
	case "b":
		return &notFound{k}
	case "c":
		return code(7)
	}
	return fmt.Errorf("lookup %q: %w", k, errBase)
}
func errorTypes() string {
	s := ""
	for _, k := range []string{"a", "b", "c", "d"} {
		err := lookup(k)
		var nf *notFound
		var c code
		s += fmt.Sprint(err, " ", err == nil, errors.As(err, &nf), errors.As(err, &c), errors.Is(err, errBase), "; ")
		if nf != nil {
			s += nf.key
		}
	}
	return s
}
func errorAssertions() string {
	err := lookup("b")
	nf, ok := err.(*notFound)
	_, ok2 := err.(code)
	err2 := fmt.Errorf("wrap: %w", err)
	return fmt.Sprint(nf.key, ok, ok2, errors.Unwrap(err2) == err, err2)
}
func nilErrors() string {
	f := func(fail bool) error {
		var e *notFound
		if fail {
			e = &notFound{"x"}
		}
		if e == nil {
			return nil
		}
		return e
	}
	return fmt.Sprint(f(false) == nil, f(true) == nil, f(true))
}

type byLength []string

func (b byLength) Len() int           { return len(b) }
func (b byLength) Less(i, j int) bool { return len(b[i]) < len(b[j]) }
func (b byLength) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func sortInterface() string {
	w := []string{"ccc", "a", "bb"}
	sort.Sort(byLength(w))
	return fmt.Sprint(w, byLength(w).Len())
}

type intHeap []int

func (h intHeap) Len() int           { return len(h) }
func (h intHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h intHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *intHeap) Push(x any)        { *h = append(*h, x.(int)) }
func (h *intHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}
func heaps() string {
	h := &intHeap{5, 2, 8}
	heap.Init(h)
	heap.Push(h, 3)
	s := ""
	for h.Len() > 0 {
		s += fmt.Sprint(heap.Pop(h), " ")
	}
	return s
}
func lists() string {
	l := newList()
	s := ""
	for e := l.Front(); e != nil; e = e.Next() {
		switch v := e.Value.(type) {
		case celsius:
			s += "c" + v.String()
		case int:
			s += fmt.Sprint(v)
		}
	}
	return s
}
func newList() *list.List {
	l := list.New()
	l.PushBack(1)
	l.PushBack(celsius(2))
	l.PushFront(0)
	return l
}

type upper struct{ w io.Writer }

func (u upper) Write(b []byte) (int, error) { return u.w.Write(bytes.ToUpper(b)) }
func writers() string {
	var b strings.Builder
	fmt.Fprintf(upper{&b}, "hello %d", 3)
	var w io.Writer = upper{&b}
	io.WriteString(w, " x")
	return b.String()
}

type countdown struct{ n int }

func (c *countdown) Read(b []byte) (int, error) {
	if c.n == 0 {
		return 0, io.EOF
	}
	b[0] = byte('0' + c.n)
	c.n--
	return 1, nil
}
func readers() string {
	b, err := io.ReadAll(&countdown{5})
	return fmt.Sprint(string(b), err)
}
func methodValues() string {
	d := dog{animal{"woof"}, "rex"}
	f := d.describe
	d.name = "max"
	g := (*animal).train
	g(&d.animal, "grr")
	h := animal.speak
	var b strings.Builder
	w := b.WriteString
	w("built")
	var s shape = square{3}
	area := s.area
	k := dog.describe
	return fmt.Sprint(f(), d.describe(), h(d.animal), b.String(), area(), k(d), (*strings.Builder).Len(&b))
}
func pointerMethods() string {
	cs := []circle{{1}, {2}}
	for i := range cs {
		p := &cs[i]
		p.r *= 10
	}
	m := map[string]*circle{"a": {3}}
	m["a"].r++
	return fmt.Sprint(cs[0].area(), cs[1].area(), m["a"].area())
}
func localTypes() string {
	type pair struct {
		k string
		v int
	}
	type pairs []pair
	ps := pairs{{"a", 1}, {"b", 2}}
	var x any = ps[1]
	p, ok := x.(pair)
	return fmt.Sprint(ps, p.k, ok, len(ps))
}
func equalInterfaces() string {
	var a, b any = celsius(1), fahrenheit(1)
	var c any = celsius(1)
	var d any = 1.0
	m := map[any]string{celsius(1): "c", fahrenheit(1): "f", 1.0: "n"}
	return fmt.Sprint(a == b, a == c, a == d, m[a], m[b], m[d], len(m))
}
func uncomparable() (s string) {
	defer func() { s = fmt.Sprint(recover()) }()
	var a, b any = []int{1}, []int{1}
	return fmt.Sprint(a == b)
}
func structConversions() string {
	type a struct{ X, Y int }
	type b struct{ X, Y int }
	x := a{1, 2}
	y := b(x)
	y.X = 9
	var i any = y
	_, isA := i.(a)
	_, isB := i.(b)
	return fmt.Sprint(x, y, isA, isB)
}
func importedStructs() string {
	p := image.Point{1, 2}
	q := p.Add(image.Pt(3, 4))
	r := image.Rectangle{Max: q}
	r.Min.X = 1
	pp := &q
	pp.Y *= 2
	return fmt.Sprint(p, q, r, r.Dx(), p == image.Point{X: 1, Y: 2})
}
func durations() string {
	d := 90 * time.Minute
	d += 500 * time.Millisecond
	n := 3
	return fmt.Sprint(d, d.Hours(), time.Duration(n)*time.Second, d > time.Hour, time.UnixMilli(0).UTC().Year())
}

type weekday int

const (
	sunday weekday = iota
	monday
	tuesday
)

func (d weekday) String() string { return [...]string{"Sun", "Mon", "Tue"}[d] }
func enums() string {
	m := map[weekday]int{monday: 1, tuesday: 2}
	return fmt.Sprint(monday, m[tuesday], sunday < tuesday, []weekday{0, 1}, weekday(2), m)
}

type stack[T any] []T

func (s *stack[T]) push(v T) { *s = append(*s, v) }
func (s *stack[T]) pop() (v T, ok bool) {
	if len(*s) == 0 {
		return v, false
	}
	v = (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return v, true
}
func genericMethods() string {
	var s stack[string]
	s.push("a")
	s.push("b")
	v, ok := s.pop()
	var e stack[celsius]
	w, ok2 := e.pop()
	return fmt.Sprint(v, ok, w, ok2, len(s))
}

var typePrograms = []func() string{
	namedNumbers, namedSwitch, interfaces, interfaceMethodOnNil, typeAssertions, assertionPanics, assertionPanicsNamed,
	assertionMissing, embedding, embeddingImported, embeddedInterface, errorTypes, errorAssertions, nilErrors, sortInterface, heaps,
	lists, writers, readers, methodValues, pointerMethods, localTypes, equalInterfaces, uncomparable, structConversions,
	importedStructs, durations, enums, genericMethods,
}
