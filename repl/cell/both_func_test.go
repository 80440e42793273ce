package cell_test

import (
	"errors"
	"fmt"
)

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}
func recursion() string { return fmt.Sprint(fib(15)) }
func isEven(n int) bool {
	if n == 0 {
		return true
	}
	return isOdd(n - 1)
}
func isOdd(n int) bool {
	if n == 0 {
		return false
	}
	return isEven(n - 1)
}
func mutualRecursion() string { return fmt.Sprint(isEven(10), isOdd(7), isEven(3)) }
func closureRecursion() string {
	var f func(int) int
	f = func(n int) int {
		if n <= 1 {
			return 1
		}
		return n * f(n-1)
	}
	return fmt.Sprint(f(10))
}
func counters() string {
	mk := func() (func(), func() int) {
		c := 0
		return func() { c++ }, func() int { return c }
	}
	inc, get := mk()
	inc2, get2 := mk()
	inc()
	inc()
	inc2()
	return fmt.Sprint(get(), get2())
}
func closureShares() string {
	x := 0
	add := func(d int) { x += d }
	for i := range 5 {
		add(i)
	}
	return fmt.Sprint(x)
}
func closureNested() string {
	f := func(a int) func(int) func(int) int {
		return func(b int) func(int) int { return func(c int) int { return a*100 + b*10 + c } }
	}
	return fmt.Sprint(f(1)(2)(3), f(4)(5)(6))
}
func variadic(prefix string, xs ...int) string {
	s := 0
	for _, x := range xs {
		s += x
	}
	return fmt.Sprint(prefix, len(xs), s, xs == nil, " ")
}
func variadics() string {
	f := func(xs ...string) int { return len(xs) }
	return variadic("a") + variadic("b", 1) + variadic("c", 1, 2, 3) + variadic("d", []int{4, 5}...) + variadic("e", nil...) + fmt.Sprint(f(), f("x", "y"))
}
func variadicAliases() string {
	change := func(xs ...int) { xs[0] = 99 }
	a := []int{1, 2}
	change(a...)
	return fmt.Sprint(a)
}
func pair(n int) (int, error) {
	if n < 0 {
		return 0, errors.New("negative")
	}
	return n * 2, nil
}
func sum2(n int, err error) string { return fmt.Sprint(n, err) }
func multipleResults() string {
	a, err := pair(3)
	_, err2 := pair(-1)
	return fmt.Sprint(a, err, err2, " ", sum2(pair(4)), fmt.Sprint(pair(-2)))
}
func forward(n int) (int, error) { return pair(n + 1) }
func namedResult(n int) (q, r int) {
	q = n / 3
	r = n % 3
	if n > 100 {
		return -1, -1
	}
	return
}
func namedResults() string {
	a, b := namedResult(10)
	c, d := namedResult(1000)
	e, err := forward(1)
	return fmt.Sprint(a, b, c, d, e, err)
}
func deferOrder() string {
	s := ""
	func() {
		for i := range 3 {
			defer func() { s += fmt.Sprint(i) }()
		}
		defer func() { s += "x" }()
	}()
	return s
}
func deferArguments() string {
	s := ""
	add := func(t string, n int) { s += fmt.Sprint(t, n) }
	func() {
		x := 1
		defer add("a", x)
		x = 2
		defer add("b", x)
		for i := 0; i < 2; i++ {
			defer add("l", i*x)
		}
		x = 3
	}()
	return s
}
func deferChangesResult() (n int) {
	defer func() { n *= 10 }()
	n = 5
	return n + 1
}
func deferResult() string { return fmt.Sprint(deferChangesResult()) }
func deferVariable() string {
	s := ""
	func() {
		for i := range 3 {
			g := func() { s += fmt.Sprint(i) }
			defer g()
		}
	}()
	return s
}
func deferRecover() (s string) {
	defer func() {
		if r := recover(); r != nil {
			s = fmt.Sprint("recovered ", r)
		}
	}()
	var m map[string]int
	//lint:ignore SA5000 the panic is what is tested
	m["a"] = 1
	return "no"
}
func recoverTypes() string {
	try := func(v any) (s string) {
		defer func() {
			switch r := recover().(type) {
			case string:
				s = "string " + r
			case error:
				s = "error " + r.Error()
			case int:
				s = fmt.Sprint("int ", r+1)
			case nil:
				s = "nil"
			}
		}()
		if v != nil {
			panic(v)
		}
		return "none"
	}
	return try("a") + ", " + try(errors.New("b")) + ", " + try(41) + ", " + try(nil)
}
func recoverRuntime() (s string) {
	defer func() {
		err, ok := recover().(error)
		s = fmt.Sprint(ok, err)
	}()
	x := 0
	return fmt.Sprint(1 / x)
}
func panicInDefer() (s string) {
	defer func() { s = fmt.Sprint(recover(), s) }()
	defer func() { panic("second") }()
	panic("first")
}
func recoverAgain() (s string) {
	defer func() { s += fmt.Sprint(recover()) }()
	func() {
		defer func() {
			r := recover()
			s += fmt.Sprint(r, " ")
			panic(fmt.Sprint("re-", r))
		}()
		panic("boom")
	}()
	return
}
func recoverContinues() string {
	n := 0
	for i := range 5 {
		func() {
			defer func() { recover() }()
			if i%2 == 1 {
				panic(i)
			}
			n += i
		}()
	}
	return fmt.Sprint(n)
}
func recoverWithoutPanic() string {
	r := func() (v any) {
		defer func() { v = recover() }()
		return 3
	}()
	return fmt.Sprint(r)
}
func handle(s *string) {
	if r := recover(); r != nil {
		*s = fmt.Sprint("handled ", r)
	}
}
func recoverByName() (s string) {
	defer handle(&s)
	panic("p")
}
func deferMethod() string {
	var a acc
	func() {
		defer a.add(1)
		defer a.add(10)
		a.add(100)
	}()
	return fmt.Sprint(a.log)
}

type acc struct{ log []int }

func (a *acc) add(n int) { a.log = append(a.log, n) }
func deferInLoopWithReturn() (s string) {
	f := func() int {
		for i := 0; ; i++ {
			defer func() { s += fmt.Sprint("d", i) }()
			if i == 2 {
				return i
			}
		}
	}
	n := f()
	return fmt.Sprint(s, n)
}
func uncaught() string { panic(fmt.Errorf("code %d", 7)) }
func panicValue() string {
	defer func() {
		r := recover()
		if e, ok := r.(interface{ Error() string }); ok {
			panic("wrapped: " + e.Error())
		}
	}()
	return uncaught()
}
func functionValues() string {
	ops := map[string]func(float64, float64) float64{"+": func(a, b float64) float64 { return a + b }, "-": func(a, b float64) float64 { return a - b }}
	apply := func(f func(float64, float64) float64) float64 { return f(7, 3) }
	var none func()
	g := fib
	return fmt.Sprint(apply(ops["+"]), apply(ops["-"]), none == nil, g(7), fibs(fib, 5))
}
func fibs(f func(int) int, n int) (out []int) {
	for i := range n {
		out = append(out, f(i))
	}
	return
}
func immediately() string {
	x := func(a int) int { return a + 1 }(2)
	func() { x *= 2 }()
	return fmt.Sprint(x, func() string { return "s" }())
}
func nilFunction() (s string) {
	defer func() { s = fmt.Sprint(recover()) }()
	var f func()
	f()
	return "no"
}

type handler func(string) string

func (h handler) serve(s string) string { return h(s) + "!" }
func functionTypes() string {
	var h handler = func(s string) string { return "<" + s + ">" }
	list := []handler{h, handler(func(s string) string { return s + s })}
	s := ""
	for i := 0; i < 2; i++ {
		s += list[i].serve("a")
	}
	return s
}

var global = []int{1, 2, 3}
var globalSum = total(global)

func total(xs []int) (s int) {
	for _, x := range xs {
		s += x
	}
	return s
}
func globals() string {
	global = append(global, 4)
	return fmt.Sprint(len(global), globalSum)
}
func discard() string {
	_, _ = pair(1)
	_ = fib
	//lint:ignore SA4017 results may be ignored
	pair(2)
	var _ = 3
	return "ok"
}

// describe hands what it is given to compiled code.
func describe(f any) string { return fmt.Sprintf("%T ", f) }

func functionsAsAny() (s string) {
	fs := []any{total, fib, func(n int) int { return 2 * n }}
	for _, f := range fs {
		s += describe(f)
		if g, ok := f.(func(int) int); ok {
			s += fmt.Sprint(g(5), " ")
		}
	}
	return s + describe(fib)
}

var funcPrograms = []func() string{
	recursion, mutualRecursion, closureRecursion, counters, closureShares, closureNested, variadics, variadicAliases,
	multipleResults, namedResults, deferOrder, deferArguments, deferResult, deferVariable, deferRecover, recoverTypes, recoverRuntime,
	panicInDefer, recoverAgain, recoverContinues, recoverWithoutPanic, recoverByName, deferMethod, deferInLoopWithReturn,
	uncaught, panicValue, functionValues, immediately, nilFunction, functionTypes, globals, discard, functionsAsAny,
}
