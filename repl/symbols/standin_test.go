package symbols

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func call(path, name string, args ...any) any {
	fn, _ := StandIn(path, name)
	return apply(fn.Interface(), args)
}

// apply calls one of the few kinds of function that stand-ins are.
func apply(fn any, args []any) any {
	switch fn := fn.(type) {
	case func(any) any:
		return fn(args[0])
	case func(any, any) any:
		return fn(args[0], args[1])
	case func(any, any) int:
		return fn(args[0], args[1])
	case func(any, any) bool:
		return fn(args[0], args[1])
	case func(any) bool:
		return fn(args[0])
	case func(any, int) any:
		return fn(args[0], args[1].(int))
	case func(any, ...any) any:
		return fn(args[0], args[1:]...)
	case func(any, int, ...any) any:
		return fn(args[0], args[1].(int), args[2:]...)
	case func(any, any) (int, bool):
		i, ok := fn(args[0], args[1])
		return fmt.Sprint(i, ok)
	case func(any):
		fn(args[0])
		return args[0]
	case func(any, any):
		fn(args[0], args[1])
		return args[0]
	}
	panic(fmt.Sprintf("%T", fn))
}

func TestStandIns(t *testing.T) {
	xs := func() []int { return []int{3, 1, 2, 2} }
	fs := []float64{2, math.NaN(), 1}
	byDesc := func(a, b int) int { return cmp.Compare(b, a) }
	even := func(n int) bool { return n%2 == 0 }
	sorted := func(s []int) []int { slices.Sort(s); return s }
	sortedBy := func(s []int) []int { slices.SortFunc(s, byDesc); return s }
	reversed := func(s []int) []int { slices.Reverse(s); return s }
	i, ok := slices.BinarySearch([]int{1, 3, 5}, 4)
	m := map[string]int{"a": 1}
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"Sort", call("slices", "Sort", xs()), sorted(xs())},
		{"SortFunc", call("slices", "SortFunc", xs(), byDesc), sortedBy(xs())},
		{"SortStableFunc", call("slices", "SortStableFunc", xs(), byDesc), sortedBy(xs())},
		{"Reverse", call("slices", "Reverse", xs()), reversed(xs())},
		{"Contains", call("slices", "Contains", xs(), 2), slices.Contains(xs(), 2)},
		{"ContainsFunc", call("slices", "ContainsFunc", xs(), even), slices.ContainsFunc(xs(), even)},
		{"Index", call("slices", "Index", xs(), 2), slices.Index(xs(), 2)},
		{"IndexFunc", call("slices", "IndexFunc", xs(), even), slices.IndexFunc(xs(), even)},
		{"Compact", call("slices", "Compact", xs()), slices.Compact(xs())},
		{"Clone", call("slices", "Clone", xs()), slices.Clone(xs())},
		{"Concat", call("slices", "Concat", []int(nil), xs(), xs()), slices.Concat(xs(), xs())},
		{"Insert", call("slices", "Insert", xs(), 1, 8, 9), slices.Insert(xs(), 1, 8, 9)},
		{"Repeat", call("slices", "Repeat", xs(), 2), slices.Repeat(xs(), 2)},
		{"Equal", call("slices", "Equal", xs(), xs()), slices.Equal(xs(), xs())},
		{"Max", call("slices", "Max", xs()), slices.Max(xs())},
		{"Min", call("slices", "Min", xs()), slices.Min(xs())},
		{"MaxNaN", call("slices", "Max", fs), slices.Max(fs)},
		{"IsSorted", call("slices", "IsSorted", xs()), slices.IsSorted(xs())},
		{"BinarySearch", call("slices", "BinarySearch", []int{1, 3, 5}, 4), fmt.Sprint(i, ok)},
		{"maps.Clone", call("maps", "Clone", m), maps.Clone(m)},
		{"maps.Equal", call("maps", "Equal", m, map[string]int{"a": 2}), maps.Equal(m, map[string]int{"a": 2})},
		{"maps.Copy", call("maps", "Copy", map[string]int{"b": 2}, m), map[string]int{"a": 1, "b": 2}},
		{"cmp.Compare", call("cmp", "Compare", "a", "b"), cmp.Compare("a", "b")},
		{"cmp.Less", call("cmp", "Less", math.NaN(), 1.0), cmp.Less(math.NaN(), 1.0)},
	} {
		if fmt.Sprint(c.got) != fmt.Sprint(c.want) {
			t.Errorf("%s: got %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestDataStandIn(t *testing.T) {
	x := tensor.From([]int{1, 2, 3})
	s := data([]int(nil), x).([]int)
	s[0] = 7
	if x.Int(0) != 7 {
		t.Errorf("the slice is not the tensor's memory")
	}
	defer func() {
		want := "tensor.Data: elements of f32[2] are float32 in Go, not int"
		if r := recover(); fmt.Sprint(r) != want {
			t.Errorf("got %v, want %v", r, want)
		}
	}()
	data([]int(nil), tensor.Zeros(tl.Float32, 2))
}
