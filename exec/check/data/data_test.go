package data_test

import (
	"slices"
	"testing"

	"github.com/tiler-go/tiler/exec/check/data"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// TestNegative: integers become negative, too, and stay in their range.
func TestNegative(t *testing.T) {
	o := data.Others[slices.IndexFunc(data.Others, func(o data.Inputs) bool { return o.Label == "negative inputs" })]
	if !o.Takes(dtype.Int8) || o.Takes(dtype.Uint8) || o.Takes(dtype.Bool) {
		t.Error("of integers those with a sign are to be changed")
	}
	b := dtype.BufOf(dtype.Int8, []int8{0, 3, -128, 127})
	o.Change(b, 0)
	if got, want := data.Integers(b), []int64{-1, -4, -128, -128}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestFitted: indices of what has shrunk stay in range, and distinct where they were.
func TestFitted(t *testing.T) {
	for _, x := range []struct {
		in, want []int32
		was, is  int
		ok       bool
	}{
		{[]int32{7, 2, 4}, []int32{0, 2, 4}, 8, 7, true},
		{[]int32{7, 7, 4}, []int32{6, 6, 4}, 8, 7, true},
		{[]int32{8, 3}, []int32{7, 3}, 8, 7, true},
		{[]int32{7, 2, 4}, []int32{7, 2, 4}, 8, 3, false},
		{[]int32{70, 2}, []int32{70, 2}, 8, 7, true},
	} {
		b := dtype.BufOf(dtype.Int32, slices.Clone(x.in))
		if ok := data.Fitted(b, x.was, x.is); ok != x.ok || !slices.Equal(dtype.View[int32](b), x.want) {
			t.Errorf("%v, %d of %d: got %v, %v, want %v, %v", x.in, x.is, x.was, dtype.View[int32](b), ok, x.want, x.ok)
		}
	}
}
