package cell_test

import "fmt"

// What Go's runtime says of failures.

type unhashable struct{ A []int }

// said is what the functions panic with.
func said(fs ...func()) (s string) {
	for _, f := range fs {
		func() {
			defer func() { s += fmt.Sprint(recover()) + "; " }()
			f()
		}()
	}
	return s
}

func panicIndex() string {
	x, a, t, i, j := []int{1}, [2]int{1}, "abc", 5, -1
	p, xs := &a, struct{ in [][]int }{[][]int{x}}
	return said(
		func() { _ = x[i] }, func() { x[i] = 1 }, func() { x[i]++ }, func() { _ = a[j] }, func() { _ = t[i] },
		func() { p[i] = 1 }, func() { _ = xs.in[0][i] }, func() { _ = x[uint8(200)] }, func() { _ = x[:][i] },
		func() { var n []int; n[0] = 1 },
	)
}
func panicSlice() string {
	x, a, t, i, j := make([]int, 2, 4), [2]int{1}, "abc", 5, -1
	return said(
		func() { _ = x[i:] }, func() { _ = x[3:] }, func() { _ = x[:3]; _ = x[:i] }, func() { _ = x[j:] }, func() { _ = x[:j] },
		func() { _ = x[i-2 : 2] }, func() { _ = a[:i] }, func() { _ = t[i:] }, func() { _ = t[:i] }, func() { _ = t[i-3 : 1] },
		func() { _ = x[0:2:i] }, func() { _ = x[0:i:4] }, func() { _ = x[i-1 : 3 : 4] },
	)
}
func panicArithmetic() string {
	zero, minus := 0, -1
	return said(
		func() { _ = 1 / zero }, func() { _ = 1 % zero }, func() { _ = make([]int, minus) }, func() { _ = 1 << minus },
		func() { _ = [4]int([]int{1, zero}) }, func() { c := make(chan int); close(c); close(c) },
	)
}
func panicHash() string {
	var x any = []int{}
	m := map[any]int{}
	return said(func() { m[x] = 1 }, func() { m[unhashable{}] = 1 }, func() {
		var a, b any = unhashable{}, unhashable{}
		_ = a == b
	})
}

type boxOf[T any] struct{ v T }

func (b *boxOf[T]) set(v T) { b.v = v }
func (b boxOf[T]) get() T   { return b.v }

type cacheOf[T any] struct{ boxOf[T] }
type holderOf[T any] struct{ *boxOf[T] }

func embeddedGenerics() string {
	var c interface{ set(int) } = &cacheOf[int]{}
	c.set(4)
	var g interface{ get() string } = holderOf[string]{&boxOf[string]{"s"}}
	return fmt.Sprint(c.(*cacheOf[int]).get(), g.get())
}

var panicPrograms = []func() string{panicIndex, panicSlice, panicArithmetic, panicHash, embeddedGenerics}
