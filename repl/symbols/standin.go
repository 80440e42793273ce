package symbols

import (
	"cmp"
	"math"
	"reflect"
	"slices"

	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Like reports whether a stand-in takes, before its arguments, a zero value of the
// result's type, because the arguments do not tell it.
func Like(path, name string) bool { return name == "Data" || name == "Concat" }

// standIns has a row for every declaration of generic.go.txt.
var standIns = map[string]any{
	"cmp.Compare": func(x, y any) int { return compare(reflect.ValueOf(x), reflect.ValueOf(y)) },
	"cmp.Less":    func(x, y any) bool { return compare(reflect.ValueOf(x), reflect.ValueOf(y)) < 0 },

	"maps.Clone": mapClone,
	"maps.Copy":  mapCopy,
	"maps.Equal": mapEqual,

	"slices.BinarySearch":   binarySearch,
	"slices.Clone":          func(s any) any { return sliceClone(reflect.ValueOf(s)).Interface() },
	"slices.Compact":        compact,
	"slices.Concat":         concat,
	"slices.Contains":       func(s, v any) bool { return index(s, v) >= 0 },
	"slices.ContainsFunc":   func(s, f any) bool { return indexFunc(s, f) >= 0 },
	"slices.Equal":          sliceEqual,
	"slices.Index":          index,
	"slices.IndexFunc":      indexFunc,
	"slices.Insert":         insert,
	"slices.IsSorted":       isSorted,
	"slices.Max":            func(s any) any { return extreme("slices.Max", s, 1) },
	"slices.Min":            func(s any) any { return extreme("slices.Min", s, -1) },
	"slices.Repeat":         repeat,
	"slices.Reverse":        reverse,
	"slices.Sort":           func(s any) { sortBy(s, compare) },
	"slices.SortFunc":       func(s, f any) { sortBy(s, callCompare(f)) },
	"slices.SortStableFunc": func(s, f any) { sortBy(s, callCompare(f)) },

	"github.com/tiler-go/tiler/tilelang/tensor.From": tensor.Of,
	"github.com/tiler-go/tiler/tilelang/tensor.Data": data,
}

// data is x's elements as a slice of the type of like.
func data(like any, x *tensor.Tensor) any {
	t := reflect.TypeOf(like).Elem()
	raw := reflect.ValueOf(x.Raw())
	same := raw.Type().Elem().Kind() == t.Kind()
	wide := t.Size() == 8 && raw.Type().Elem().Size() == 8
	if !same && !(wide && (raw.Type().Elem().Kind() == reflect.Int64 && t.Kind() == reflect.Int || raw.Type().Elem().Kind() == reflect.Uint64 && t.Kind() == reflect.Uint)) {
		panic(tensor.Error("Data: elements of " + tensor.Describe(x.DType(), x.Shape()) + " are " + raw.Type().Elem().String() + " in Go, not " + t.String()))
	}
	return reflect.SliceAt(t, raw.UnsafePointer(), raw.Len()).Interface()
}

// compare is cmp.Compare of two values of one ordered type.
func compare(x, y reflect.Value) int {
	switch {
	case x.CanInt():
		return cmp.Compare(x.Int(), y.Int())
	case x.CanUint():
		return cmp.Compare(x.Uint(), y.Uint())
	case x.CanFloat():
		return cmp.Compare(x.Float(), y.Float())
	}
	return cmp.Compare(x.String(), y.String())
}

// callCompare is a comparison that calls a function of the interpreter.
func callCompare(f any) func(x, y reflect.Value) int {
	fn := reflect.ValueOf(f)
	return func(x, y reflect.Value) int { return int(fn.Call([]reflect.Value{x, y})[0].Int()) }
}

func sliceClone(s reflect.Value) reflect.Value {
	if s.IsNil() {
		return s
	}
	z := reflect.MakeSlice(s.Type(), s.Len(), s.Len())
	reflect.Copy(z, s)
	return z
}

// sortBy sorts stably, so that it serves both kinds of sort.
func sortBy(s any, by func(x, y reflect.Value) int) {
	v := reflect.ValueOf(s)
	elems := make([]reflect.Value, v.Len())
	for i, c := 0, sliceClone(v); i < len(elems); i++ {
		elems[i] = c.Index(i)
	}
	slices.SortStableFunc(elems, by)
	for i, e := range elems {
		v.Index(i).Set(e)
	}
}

func isSorted(s any) bool {
	v := reflect.ValueOf(s)
	for i := 1; i < v.Len(); i++ {
		if compare(v.Index(i-1), v.Index(i)) > 0 {
			return false
		}
	}
	return true
}

func binarySearch(s, target any) (int, bool) {
	v, t := reflect.ValueOf(s), reflect.ValueOf(target)
	lo, hi := 0, v.Len()
	for lo < hi {
		if mid := (lo + hi) / 2; compare(v.Index(mid), t) < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < v.Len() && compare(v.Index(lo), t) == 0
}

func index(s, e any) int {
	v := reflect.ValueOf(s)
	for i := range v.Len() {
		if v.Index(i).Interface() == e {
			return i
		}
	}
	return -1
}

func indexFunc(s, f any) int {
	v, fn := reflect.ValueOf(s), reflect.ValueOf(f)
	for i := range v.Len() {
		if fn.Call([]reflect.Value{v.Index(i)})[0].Bool() {
			return i
		}
	}
	return -1
}

func sliceEqual(s1, s2 any) bool {
	v, w := reflect.ValueOf(s1), reflect.ValueOf(s2)
	if v.Len() != w.Len() {
		return false
	}
	for i := range v.Len() {
		if v.Index(i).Interface() != w.Index(i).Interface() {
			return false
		}
	}
	return true
}

func compact(s any) any {
	v := reflect.ValueOf(s)
	n := 0
	for i := range v.Len() {
		if i > 0 && v.Index(i).Interface() == v.Index(n-1).Interface() {
			continue
		}
		v.Index(n).Set(v.Index(i))
		n++
	}
	for i := n; i < v.Len(); i++ {
		v.Index(i).SetZero()
	}
	return v.Slice(0, n).Interface()
}

func concat(like any, ss ...any) any {
	z := reflect.Zero(reflect.TypeOf(like))
	for _, s := range ss {
		z = reflect.AppendSlice(z, reflect.ValueOf(s))
	}
	return z.Interface()
}

func insert(s any, i int, vs ...any) any {
	v := reflect.ValueOf(s)
	tail := sliceClone(v.Slice(i, v.Len()))
	z := v.Slice3(0, i, i)
	for _, e := range vs {
		z = reflect.Append(z, reflect.ValueOf(e))
	}
	return reflect.AppendSlice(z, tail).Interface()
}

func repeat(s any, count int) any {
	if count < 0 {
		panic("cannot be negative")
	}
	v := reflect.ValueOf(s)
	z := reflect.MakeSlice(v.Type(), 0, v.Len()*count)
	for range count {
		z = reflect.AppendSlice(z, v)
	}
	return z.Interface()
}

func reverse(s any) {
	v := reflect.ValueOf(s)
	swap := reflect.Swapper(s)
	for i := range v.Len() / 2 {
		swap(i, v.Len()-1-i)
	}
}

// extreme is the greatest element, or with sign -1 the least; NaN wins.
func extreme(name string, s any, sign int) any {
	v := reflect.ValueOf(s)
	if v.Len() == 0 {
		panic(name + ": empty list")
	}
	best := v.Index(0)
	for i := range v.Len() {
		e := v.Index(i)
		if e.CanFloat() && math.IsNaN(e.Float()) {
			return e.Interface()
		}
		if compare(e, best)*sign > 0 {
			best = e
		}
	}
	return best.Interface()
}

func mapClone(m any) any {
	v := reflect.ValueOf(m)
	if v.IsNil() {
		return m
	}
	z := reflect.MakeMapWithSize(v.Type(), v.Len())
	mapCopy(z.Interface(), m)
	return z.Interface()
}

func mapCopy(dst, src any) {
	d := reflect.ValueOf(dst)
	for it := reflect.ValueOf(src).MapRange(); it.Next(); {
		d.SetMapIndex(it.Key(), it.Value())
	}
}

func mapEqual(m1, m2 any) bool {
	v, w := reflect.ValueOf(m1), reflect.ValueOf(m2)
	if v.Len() != w.Len() {
		return false
	}
	for it := v.MapRange(); it.Next(); {
		if e := w.MapIndex(it.Key()); !e.IsValid() || e.Interface() != it.Value().Interface() {
			return false
		}
	}
	return true
}
