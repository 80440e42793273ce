package cell_test

import "fmt"

func loopVariables() string {
	var fs []func() int
	for i := 0; i < 3; i++ {
		fs = append(fs, func() int { i += 10; return i })
	}
	s := ""
	for _, f := range fs {
		s += fmt.Sprint(f(), f(), " ")
	}
	return s
}
func loopVariableChanged() string {
	var ps []*int
	for i := 0; i < 6; i++ {
		if i == 2 {
			i++
			continue
		}
		ps = append(ps, &i)
	}
	s := ""
	for _, p := range ps {
		s += fmt.Sprint(*p, " ")
	}
	return s
}
func rangeVariables() string {
	var fs []func() string
	for i, v := range []string{"a", "b", "c"} {
		fs = append(fs, func() string { return fmt.Sprint(i, v) })
	}
	return fs[0]() + fs[1]() + fs[2]()
}
func rangeInt() string {
	s := 0
	for i := range 5 {
		s = s*10 + i
	}
	for range 3 {
		s++
	}
	var n int8 = 4
	for i := range n {
		s += int(i)
	}
	return fmt.Sprint(s)
}
func rangeIntOnce() string {
	n, c := 3, 0
	for i := range n {
		n = 10
		i *= 2
		c += i
	}
	return fmt.Sprint(c, n)
}
func rangeIntClosures() string {
	var fs []func() int
	for i := range 3 {
		fs = append(fs, func() int { return i * i })
	}
	return fmt.Sprint(fs[0](), fs[1](), fs[2]())
}
func rangeArrayCopy() string {
	a := [3]int{1, 2, 3}
	s := 0
	for i, v := range a {
		a[2] = 10
		s += i*100 + v
	}
	for i, v := range &a {
		a[2] = 20
		s += i*1000 + v
	}
	return fmt.Sprint(s)
}
func rangeSliceGrows() string {
	a := []int{1, 2, 3}
	for _, v := range a {
		a = append(a, v*10)
	}
	return fmt.Sprint(a)
}
func rangeStrings() string {
	s := ""
	for i, r := range "aé日\xff" {
		s += fmt.Sprint(i, ":", r, " ")
	}
	for i := range "xyz" {
		s += fmt.Sprint(i)
	}
	return s
}
func rangeMapSum() string {
	s := 0
	for k, v := range map[int]int{1: 2, 3: 4, 5: 6} {
		s += k * v
	}
	return fmt.Sprint(s)
}
func rangeMapDelete() string {
	m := map[int]bool{1: true, 2: true, 3: true}
	n := 0
	for k := range m {
		delete(m, k)
		n++
	}
	return fmt.Sprint(n, len(m))
}
func rangeAssign() string {
	var i int
	var a [2]int
	for i, a[1] = range []int{7, 8, 9} {
	}
	return fmt.Sprint(i, a)
}
func count(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}
func pairs(yield func(string, int) bool) {
	_ = yield("a", 1) && yield("b", 2) && yield("c", 3)
}
func rangeFunc() string {
	s := 0
	for i := range count(10) {
		if i == 2 {
			continue
		}
		if i == 6 {
			break
		}
		s = s*10 + i
	}
	return fmt.Sprint(s)
}
func rangeFuncPairs() string {
	s := ""
	for k, v := range pairs {
		s += fmt.Sprint(k, v)
	}
	return s
}
func findInRangeFunc(x int) (int, bool) {
	for i := range count(10) {
		for j := range count(10) {
			if i*j == x {
				return i*100 + j, true
			}
		}
	}
	return 0, false
}
func rangeFuncReturn() string {
	a, ok := findInRangeFunc(42)
	b, ok2 := findInRangeFunc(97)
	return fmt.Sprint(a, ok, b, ok2)
}
func rangeFuncOuter() string {
	s := ""
outer:
	for i := 0; i < 3; i++ {
		for j := range count(3) {
			if j == 1 && i == 0 {
				continue outer
			}
			if i == 2 {
				break outer
			}
			s += fmt.Sprint(i, j, " ")
		}
	}
	return s
}
func rangeFuncDefer() (s string) {
	for i := range count(3) {
		defer func() { s += fmt.Sprint(i) }()
	}
	return "d"
}
func labelled() string {
	n := 0
outer:
	for i := range 4 {
		for j := range 4 {
			if j == 2 {
				continue outer
			}
			if i == 3 {
				break outer
			}
			n += i*10 + j
		}
	}
	return fmt.Sprint(n)
}
func labelledSwitch() string {
	s := ""
loop:
	for i := 0; ; i++ {
		switch {
		case i == 1:
			continue loop
		case i > 4:
			break loop
		case i == 2:
			//lint:ignore SA4011 leaving the switch is what is tested
			break
		default:
			s += fmt.Sprint(i)
		}
		s += ","
	}
	return s
}
func gotos() string {
	i := 0
again:
	if i < 5 {
		i++
		goto again
	}
	return fmt.Sprint(i)
}
func switches() string {
	n := 0
	for i := range 7 {
		switch {
		case i == 1:
			n += 1
			fallthrough
		case i == 2:
			n += 10
		case i > 3, i == -1:
			n += 100
		default:
			n += 1000
		}
	}
	return fmt.Sprint(n)
}
func switchValues() string {
	s := ""
	for _, w := range []string{"a", "b", "c", ""} {
		switch x := len(w); w {
		case "a", "b":
			s += fmt.Sprint("ab", x)
		case "c":
			s += "c"
		default:
			s += "?"
		}
	}
	return s
}
func switchDefaultFirst() string {
	s := ""
	for i := range 3 {
		switch i {
		default:
			s += "d"
		case 1:
			s += "1"
		case 0:
			s += "0"
			fallthrough
		case 5:
			s += "5"
		}
	}
	return s
}
func switchInterface() string {
	s := ""
	for _, x := range []any{1, "1", 1.0, nil, true} {
		switch x {
		case 1:
			s += "int "
		case "1":
			s += "string "
		case 1.0:
			s += "float "
		case nil:
			s += "nil "
		default:
			s += "other "
		}
	}
	return s
}
func typeSwitches() string {
	s := ""
	for _, x := range []any{1, 2.5, "s", int32(4), []int{5}, nil, func() {}, map[string]int{"a": 1}, error(nil)} {
		switch v := x.(type) {
		case int:
			s += fmt.Sprint("i", v+1)
		case float64, float32:
			s += fmt.Sprint("f", v)
		case string:
			s += v + "!"
		case []int:
			s += fmt.Sprint(len(v))
		case nil:
			s += "nil"
		case func():
			s += "func"
		case map[string]int:
			s += fmt.Sprint(v["a"])
		default:
			s += fmt.Sprintf("%T", v)
		}
		s += " "
	}
	return s
}
func shadowing() string {
	x, s := 1, ""
	if x := x + 1; x > 1 {
		x := x * 10
		s += fmt.Sprint(x, " ")
	} else {
		x = 99
	}
	for x := 0; x < 2; x++ {
		s += fmt.Sprint(x, " ")
	}
	{
		x = x + 10
		x := "inner"
		s += x
	}
	return s + fmt.Sprint(x)
}
func shadowingNames() string {
	len := func(s string) int { return 42 }
	string := 3
	fmt2 := fmt.Sprint(len("a"), string)
	var print, true, nil = 1, 2, 3
	return fmt2 + fmt.Sprint(print, true, nil)
}
func redeclared() string {
	a, err := 1, "e"
	b, err := 2, "f"
	if b, err := 3, "g"; b > 2 {
		a += b
		_ = err
	}
	return fmt.Sprint(a, b, err)
}
func shortCircuit() string {
	n := 0
	f := func(b bool) bool { n++; return b }
	_ = f(false) && f(true)
	_ = f(true) || f(false)
	//lint:ignore SA4000 the calls count
	_ = f(true) && f(true) || f(true)
	return fmt.Sprint(n)
}
func ifChain() string {
	s := ""
	for i := range 5 {
		if i == 0 {
			s += "z"
		} else if i == 1 {
			s += "o"
		} else if v := i * 2; v > 6 {
			s += "b"
		} else {
			s += fmt.Sprint(v)
		}
	}
	return s
}
func primes() string {
	sieve := make([]bool, 60)
	var out []int
	for i := 2; i < len(sieve); i++ {
		if sieve[i] {
			continue
		}
		out = append(out, i)
		for j := i * i; j < len(sieve); j += i {
			sieve[j] = true
		}
	}
	return fmt.Sprint(out)
}
func twoVariables() string {
	s := ""
	for i, j := 0, 10; i < j; i, j = i+1, j-2 {
		if i == 1 {
			continue
		}
		s += fmt.Sprint(i, j, " ")
	}
	return s
}
func twoCaptured() string {
	var fs []func() int
	for i, j := 0, 10; i < j; i, j = i+1, j-2 {
		fs = append(fs, func() int { return i*100 + j })
	}
	s := ""
	for _, f := range fs {
		s += fmt.Sprint(f(), " ")
	}
	return s
}

var controlPrograms = []func() string{
	loopVariables, loopVariableChanged, rangeVariables, rangeInt, rangeIntOnce, rangeIntClosures, rangeArrayCopy, rangeSliceGrows,
	rangeStrings, rangeMapSum, rangeMapDelete, rangeAssign, rangeFunc, rangeFuncPairs, rangeFuncReturn, rangeFuncOuter, rangeFuncDefer,
	labelled, labelledSwitch, gotos, switches, switchValues, switchDefaultFirst, switchInterface, typeSwitches, shadowing,
	shadowingNames, redeclared, shortCircuit, ifChain, primes, twoVariables, twoCaptured,
}
