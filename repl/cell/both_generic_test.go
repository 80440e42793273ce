package cell_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
)

type number interface {
	~int | ~int32 | ~float32 | ~float64
}

func sumOf[T number](xs []T) (s T) {
	for _, x := range xs {
		s += x
	}
	return s
}
func sums() string {
	return fmt.Sprint(sumOf([]int{1, 2, 3}), sumOf([]float64{0.5, 1}), sumOf([]meters{1, 2}), sumOf[int32](nil))
}

type meters float32

func mapOver[T, U any](xs []T, f func(T) U) []U {
	out := make([]U, 0, len(xs))
	for _, x := range xs {
		out = append(out, f(x))
	}
	return out
}
func mapping() string {
	return fmt.Sprint(mapOver([]int{1, 2}, func(n int) string { return strings.Repeat("x", n) }), mapOver([]string{"a"}, func(s string) int { return len(s) }))
}
func reduce[T, A any](xs []T, init A, f func(A, T) A) A {
	for _, x := range xs {
		init = f(init, x)
	}
	return init
}
func reducing() string {
	return fmt.Sprint(reduce([]int{1, 2, 3}, "", func(a string, n int) string { return a + fmt.Sprint(n) }))
}
func maxOf[T cmp.Ordered](x T, more ...T) T {
	for _, y := range more {
		if y > x {
			x = y
		}
	}
	return x
}
func inferVariadic() string { return fmt.Sprint(maxOf(1, 5, 3), maxOf("a", "c", "b"), maxOf(2.5)) }

type pairOf[K comparable, V any] struct {
	Key K
	Val V
}

func (p pairOf[K, V]) String() string { return fmt.Sprintf("%v=%v", p.Key, p.Val) }
func entries[K cmp.Ordered, V any](m map[K]V) []pairOf[K, V] {
	var out []pairOf[K, V]
	for k, v := range m {
		out = append(out, pairOf[K, V]{k, v})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Key < out[j].Key })
	return out
}
func genericStructs() string {
	es := entries(map[string]int{"b": 2, "a": 1})
	var s fmt.Stringer = es[0]
	return fmt.Sprint(es[0].Key, es[1].Val, s.String(), es[1], pairOf[int, bool]{3, true})
}

type tree[T any] struct {
	left, right *tree[T]
	value       T
}

func (t *tree[T]) insert(v T, less func(a, b T) bool) *tree[T] {
	if t == nil {
		return &tree[T]{value: v}
	}
	if less(v, t.value) {
		t.left = t.left.insert(v, less)
	} else {
		t.right = t.right.insert(v, less)
	}
	return t
}
func (t *tree[T]) all(yield func(T) bool) bool {
	return t == nil || t.left.all(yield) && yield(t.value) && t.right.all(yield)
}
func genericTrees() string {
	var t *tree[string]
	for _, w := range strings.Fields("m c x a d") {
		t = t.insert(w, func(a, b string) bool { return a < b })
	}
	s := ""
	t.all(func(w string) bool { s += w; return w != "m" })
	return s
}

type set[T comparable] map[T]struct{}

func (s set[T]) add(v T)      { s[v] = struct{}{} }
func (s set[T]) has(v T) bool { _, ok := s[v]; return ok }
func genericSets() string {
	s := set[int]{}
	s.add(3)
	s.add(3)
	return fmt.Sprint(len(s), s.has(3), s.has(4))
}
func zeroOf[T any]() T { var z T; return z }
func zeros() string {
	return fmt.Sprint(zeroOf[int](), zeroOf[string]() == "", zeroOf[*int]() == nil, zeroOf[[2]bool]())
}
func typeOf[T any](x T) string {
	switch any(x).(type) {
	case int:
		return "int"
	case string:
		return "string"
	case []T:
		return "slice"
	}
	return fmt.Sprintf("%T", x)
}
func genericSwitch() string { return fmt.Sprint(typeOf(1), typeOf("a"), typeOf(2.5)) }

type stringer interface{ String() string }

func join[T stringer](xs []T) string {
	s := ""
	for _, x := range xs {
		s += x.String()
	}
	return s
}
func constraintMethods() string {
	return join([]pairOf[int, int]{{1, 2}, {3, 4}}) + join([]stringer{pairOf[string, int]{"z", 0}})
}
func recursiveGeneric[T number](n T) T {
	if n <= 0 {
		return 0
	}
	return n + recursiveGeneric(n-1)
}
func genericRecursion() string { return fmt.Sprint(recursiveGeneric(4), recursiveGeneric(2.5)) }
func genericValue() string {
	f := maxOf[int]
	g := sumOf[float64]
	return fmt.Sprint(f(3, 9), g([]float64{1, 2}))
}
func slicesPackage() string {
	a := []int{3, 1, 2}
	slices.Sort(a)
	b := slices.Clone(a)
	slices.Reverse(b)
	i, ok := slices.BinarySearch(a, 2)
	return fmt.Sprint(a, b, slices.Contains(a, 2), slices.Index(a, 3), slices.Max(a), slices.Min(b), i, ok, slices.Equal(a, b))
}
func slicesFuncs() string {
	type item struct {
		name string
		n    int
	}
	xs := []item{{"b", 2}, {"a", 2}, {"c", 1}}
	slices.SortFunc(xs, func(a, b item) int { return cmp.Compare(a.n*10+int(a.name[0]), b.n*10+int(b.name[0])) })
	return fmt.Sprint(xs, slices.IndexFunc(xs, func(x item) bool { return x.name == "b" }))
}
func mapsPackage() string {
	m := map[string]int{"a": 1}
	n := maps.Clone(m)
	n["b"] = 2
	maps.Copy(m, map[string]int{"c": 3})
	return fmt.Sprint(m, n, maps.Equal(m, n), cmp.Compare(2, 1))
}

var genericPrograms = []func() string{
	sums, mapping, reducing, inferVariadic, genericStructs, genericTrees, genericSets, zeros, genericSwitch, constraintMethods,
	genericRecursion, genericValue, slicesPackage, slicesFuncs, mapsPackage,
}
