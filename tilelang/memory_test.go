package tilelang_test

import (
	"math"
	"sync/atomic"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func TestLoad(t *testing.T) {
	x := tensor.Arange(tl.Float32, 0, 12).Reshape(3, 4)
	p := ptr(x)
	o := tl.Arange(0, 4)
	nan := math.NaN()
	cases := []struct {
		name      string
		got, want tl.Tile
	}{
		{"scalar", tl.Load(p.Add(5)), floats(tl.Float32, 5).Reshape()},
		{"vector", tl.Load(p.Add(o)), floats(tl.Float32, 0, 1, 2, 3)},
		{"strided", tl.Load(p.Add(o.Mul(3))), floats(tl.Float32, 0, 3, 6, 9)},
		{"backwards", tl.Load(p.Add(tl.Sub(11, o))), floats(tl.Float32, 11, 10, 9, 8)},
		{"repeated", tl.Load(p.Add(o.Mul(0))), floats(tl.Float32, 0, 0, 0, 0)},
		{"any order", tl.Load(p.Add(ints(tl.Int64, 7, 0, 7))), floats(tl.Float32, 7, 0, 7)},
		{"unsigned offsets", tl.Load(p.Add(ints(tl.Uint8, 11, 200).Sub(ints(tl.Uint8, 0, 190)))), floats(tl.Float32, 11, 10)},
		{"offsets of int8", tl.Load(p.Add(8).Add(ints(tl.Int8, -8, 3))), floats(tl.Float32, 0, 11)},
		{"pointer on the right", tl.Load(o.Add(p)), floats(tl.Float32, 0, 1, 2, 3)},
		{"moved back", tl.Load(p.Add(11).Sub(o)), floats(tl.Float32, 11, 10, 9, 8)},
		{"block", tl.Load(p.Add(tl.Arange(1, 3).Mul(4).Col().Add(o.Row()))), floats(tl.Float32, 4, 5, 6, 7, 8, 9, 10, 11).Reshape(2, 4)},
		{"masked off reads as 0", tl.Load(p.Add(o), tl.Mask(o.Lt(2))), floats(tl.Float32, 0, 1, 0, 0)},
		{"other", tl.Load(p.Add(o), tl.Mask(o.Ge(2)), tl.Other(nan)), floats(tl.Float32, nan, nan, 2, 3)},
		{"other is a tile, cast", tl.Load(p.Add(o), tl.Mask(o.Ge(2)), tl.Other(o.Sub(9))), floats(tl.Float32, -9, -8, 2, 3)},
		{"masked lanes may point anywhere", tl.Load(p.Add(o.Mul(1<<30)), tl.Mask(o.Lt(1))), floats(tl.Float32, 0, 0, 0, 0)},
		{"no lane", tl.Load(p.Add(-5).Add(o), tl.Mask(false), tl.Other(7)), floats(tl.Float32, 7, 7, 7, 7)},
		{"mask enlarges pointers", tl.Load(p.Add(o), tl.Mask(tl.Arange(0, 2).Col().Eq(o.Row()))), floats(tl.Float32, 0, 0, 0, 0, 0, 1, 0, 0).Reshape(2, 4)},
		{"mask of rows", tl.Load(p.Add(tl.Arange(0, 2).Mul(4).Col().Add(o)), tl.Mask(tl.Arange(0, 2).Col().Eq(1))), floats(tl.Float32, 0, 0, 0, 0, 4, 5, 6, 7).Reshape(2, 4)},
		{"mask with holes", tl.Load(p.Add(tl.Arange(0, 8)), tl.Mask(tl.Arange(0, 8).Mod(3).Eq(1)), tl.Other(-1)), floats(tl.Float32, -1, 1, -1, -1, 4, -1, -1, 7)},
		{"transposed mask", tl.Load(p.Add(tl.Arange(0, 2).Mul(4).Col().Add(o)), tl.Mask(tl.Arange(0, 8).Lt(3).Reshape(4, 2).T())), floats(tl.Float32, 0, 1, 0, 0, 4, 0, 0, 0).Reshape(2, 4)},
		{"hints", tl.Load(p.Add(o), tl.CacheModifier(".cg"), tl.EvictionPolicy("evict_last")), floats(tl.Float32, 0, 1, 2, 3)},
		{"Go mask", tl.Load(p.Add(1), tl.Mask(1 > 2), tl.Other(5.5)), floats(tl.Float32, 5.5).Reshape()},
	}
	for _, c := range cases {
		same(t, c.name, c.got, c.want)
	}
	// Memory of bools may hold any byte.
	b := tensor.From([]bool{true, false, true})
	b.Buf().SetBits(2, 0xff)
	same(t, "bool", tileOf(b), ints(tl.Bool, 1, 0, 1))
}

// A view's elements are what its pointers reach: strides are the kernel's business,
// the bounds are the view's.
func TestLoadFromViews(t *testing.T) {
	x := tensor.Arange(tl.Int32, 0, 12).Reshape(3, 4)
	row := ptr(x.Slice(0, 1, 2)) // 4 5 6 7
	same(t, "row", tl.Load(row.Add(tl.Arange(0, 4))), ints(tl.Int32, 4, 5, 6, 7))
	if try(func() { tl.Load(row.Add(4)) }) == nil || try(func() { tl.Load(row.Sub(1)) }) == nil {
		t.Error("a load beyond a view did not fail")
	}
	col := ptr(x.Slice(1, 1, 2)) // 1 5 9
	same(t, "column", tl.Load(col.Add(tl.Arange(0, 3).Mul(4))), ints(tl.Int32, 1, 5, 9))
	same(t, "a load may read between a view's elements", tl.Load(col.Add(1)), ints(tl.Int32, 2).Reshape())
	tl.Store(col.Add(tl.Arange(0, 3).Mul(4)), -1)
	same(t, "stored column", tileOf(x), ints(tl.Int32, 0, -1, 2, 3, 4, -1, 6, 7, 8, -1, 10, 11).Reshape(3, 4))
}

func TestStore(t *testing.T) {
	o := tl.Arange(0, 6)
	store := func(d tl.DType, f func(p tl.Ptr)) tl.Tile {
		x := tensor.Zeros(d, 6)
		f(ptr(x))
		return tileOf(x)
	}
	cases := []struct {
		name      string
		got, want tl.Tile
	}{
		{"scalar", store(tl.Int32, func(p tl.Ptr) { tl.Store(p.Add(2), 7) }), ints(tl.Int32, 0, 0, 7, 0, 0, 0)},
		{"one value everywhere", store(tl.Float32, func(p tl.Ptr) { tl.Store(p.Add(o), 0.5) }), floats(tl.Float32, .5, .5, .5, .5, .5, .5)},
		{"masked", store(tl.Int32, func(p tl.Ptr) { tl.Store(p.Add(o), o, tl.Mask(o.Gt(3))) }), ints(tl.Int32, 0, 0, 0, 0, 4, 5)},
		{"strided, masked off beyond the end", store(tl.Int32, func(p tl.Ptr) { tl.Store(p.Add(o.Mul(2)), o.Add(1), tl.Mask(o.Lt(3))) }), ints(tl.Int32, 1, 0, 2, 0, 3, 0)},
		{"backwards", store(tl.Int32, func(p tl.Ptr) { tl.Store(p.Add(5).Sub(o), o) }), ints(tl.Int32, 5, 4, 3, 2, 1, 0)},
		{"cast: float32 to float16", store(tl.Float16, func(p tl.Ptr) { tl.Store(p, floats(tl.Float32, 70000).Reshape()) }), floats(tl.Float16, math.Inf(1), 0, 0, 0, 0, 0)},
		{"cast: float to int", store(tl.Int8, func(p tl.Ptr) { tl.Store(p.Add(tl.Arange(0, 3)), floats(tl.Float32, -1.9, 300, math.NaN())) }), ints(tl.Int8, -1, 127, 0, 0, 0, 0)},
		{"cast: int wraps", store(tl.Uint8, func(p tl.Ptr) { tl.Store(p, ints(tl.Int32, 300).Reshape()) }), ints(tl.Uint8, 44, 0, 0, 0, 0, 0)},
		{"Go float loses its fraction in an int", store(tl.Int32, func(p tl.Ptr) { tl.Store(p, -2.9) }), ints(tl.Int32, -2, 0, 0, 0, 0, 0)},
		{"Go bool", store(tl.Bool, func(p tl.Ptr) { tl.Store(p.Add(1), true) }), ints(tl.Bool, 0, 1, 0, 0, 0, 0)},
		{"last of duplicates wins, affine", store(tl.Int32, func(p tl.Ptr) { tl.Store(p.Add(o.Mul(0)), o) }), ints(tl.Int32, 5, 0, 0, 0, 0, 0)},
		{"last of duplicates wins, in blocks", store(tl.Int32, func(p tl.Ptr) { tl.Store(p.Add(tl.Arange(0, 2).Mul(0).Col().Add(tl.Arange(0, 3))), o.Reshape(2, 3)) }), ints(tl.Int32, 3, 4, 5, 0, 0, 0)},
		{"last of duplicates wins, scattered", store(tl.Int32, func(p tl.Ptr) { tl.Store(p.Add(ints(tl.Int32, 1, 0, 1, 0)), tl.Arange(1, 5)) }), ints(tl.Int32, 4, 3, 0, 0, 0, 0)},
		{"last active duplicate wins", store(tl.Int32, func(p tl.Ptr) { tl.Store(p.Add(o.Mul(0)), o, tl.Mask(o.Lt(3))) }), ints(tl.Int32, 2, 0, 0, 0, 0, 0)},
		{"value broadcasts", store(tl.Int32, func(p tl.Ptr) { tl.Store(p.Add(o.Reshape(2, 3)), tl.Arange(7, 9).Col()) }), ints(tl.Int32, 7, 7, 7, 8, 8, 8)},
		{"a store is seen by the next load", store(tl.Int32, func(p tl.Ptr) {
			tl.Store(p.Add(o), o)
			tl.Store(p.Add(o), tl.Load(p.Add(tl.Sub(5, o))).Mul(10))
		}), ints(tl.Int32, 50, 40, 30, 20, 10, 0)},
		{"a load before it is not changed", store(tl.Int32, func(p tl.Ptr) {
			old := tl.Load(p.Add(o))
			tl.Store(p.Add(o), 9)
			tl.Store(p.Add(o), old.Add(1))
		}), ints(tl.Int32, 1, 1, 1, 1, 1, 1)},
	}
	for _, c := range cases {
		same(t, c.name, c.got, c.want)
	}
}

// What a kernel stores counts as written, and nothing else does.
func TestStoresDefine(t *testing.T) {
	x := tensor.Empty(tl.Float32, 8)
	p := ptr(x)
	defined := func() (s string) {
		for i := range x.Len() {
			if x.IsDefinedAt(i) {
				s += "x"
			} else {
				s += "."
			}
		}
		return s
	}
	steps := []struct {
		do   func()
		want string
	}{
		{func() { tl.Load(p) }, "........"},
		{func() { tl.Store(p.Add(1), 1.0) }, ".x......"},
		{func() { tl.Store(p.Add(tl.Arange(2, 6)), 1.0, tl.Mask(tl.Arange(0, 4).Mod(2).Eq(0))) }, ".xx.x..."},
		{func() { tl.Store(p.Add(ints(tl.Int32, 7, 0)), 1.0, tl.Mask(ints(tl.Bool, 1, 0))) }, ".xx.x..x"},
		{func() { tl.AtomicAdd(p.Add(3), 1.0) }, ".xxxx..x"},
		{func() { tl.MakeDesc(p, []int{8}, []int{1}, []int{4}).Store(0.0, 5) }, ".xxxxxxx"},
	}
	for i, s := range steps {
		if s.do(); defined() != s.want {
			t.Errorf("after step %d: %s, want %s", i, defined(), s.want)
		}
	}
	if tl.Store(p, 1.0); x.Undefined() {
		t.Error("a tensor written in full counts as undefined")
	}
}

func TestInterrupt(t *testing.T) {
	var stop atomic.Bool
	p := tl.PointerTo(tensor.Zeros(tl.Int32, 4), "x", &stop)
	tl.Load(p)
	stop.Store(true)
	for name, f := range map[string]func(){
		"load":   func() { tl.Load(p) },
		"store":  func() { tl.Store(p, 1) },
		"atomic": func() { tl.AtomicAdd(p, 1) },
		"desc":   func() { tl.MakeDesc(p, []int{4}, []int{1}, []int{4}).Load(0) },
	} {
		func() {
			defer func() {
				if v := recover(); v != (tl.Interrupt{}) {
					t.Errorf("%s: panic %v, want an Interrupt", name, v)
				}
			}()
			f()
		}()
	}
}

// TestDesc reads and writes blocks that hang over every edge.
func TestDesc(t *testing.T) {
	const rows, cols = 5, 7
	nan := math.NaN()
	for r := -5; r <= 6; r++ {
		for c := -9; c <= 8; c++ {
			x := tensor.Arange(tl.Float32, 0, rows*cols).Reshape(rows, cols)
			var want, wantNaN []float64
			after := x.Floats()
			for i := range 4 {
				for k := range 8 {
					inside := r+i >= 0 && r+i < rows && c+k >= 0 && c+k < cols
					if !inside {
						want, wantNaN = append(want, 0), append(wantNaN, nan)
						continue
					}
					at := (r+i)*cols + c + k
					want, wantNaN = append(want, float64(at)), append(wantNaN, float64(at))
					after[at] = -1
				}
			}
			d := tl.MakeDesc(ptr(x), []int{rows, cols}, []int{cols, 1}, []int{4, 8})
			same(t, "load", d.Load(r, c), floats(tl.Float32, want...).Reshape(4, 8))
			n := tl.MakeDesc(ptr(x), []int{rows, cols}, []int{cols, 1}, []int{4, 8}, tl.PadNaN)
			same(t, "load with NaN", n.Load(r, c), floats(tl.Float32, wantNaN...).Reshape(4, 8))
			b := tl.MakeBlockPtr(ptr(x), []int{rows, cols}, []int{cols, 1}, []int{r, c + 3}, []int{4, 8}, []int{1, 0}).Advance(0, -3)
			same(t, "block pointer", b.Load(tl.BoundaryCheck(0, 1), tl.PadZero), d.Load(r, c))
			same(t, "block pointer with NaN", b.Load(tl.BoundaryCheck(1, 0), tl.PadNaN), n.Load(r, c))
			ptrs, mask := d.Ptrs(r, c)
			same(t, "pointers and mask", tl.Load(ptrs, tl.Mask(mask)), d.Load(r, c))
			d.Store(-1.0, r, c)
			same(t, "store", tileOf(x), floats(tl.Float32, after...).Reshape(rows, cols))
			b.Store(tl.Full(tl.Float32, -1.0, 4, 8), tl.BoundaryCheck(0, 1))
			same(t, "block store", tileOf(x), floats(tl.Float32, after...).Reshape(rows, cols))
			if t.Failed() {
				t.Fatalf("at (%d,%d)", r, c)
			}
		}
	}
}

func TestDescFarOutside(t *testing.T) {
	x := tensor.Arange(tl.Int32, 0, 8)
	d := tl.MakeDesc(ptr(x), []int{8}, []int{1}, []int{4})
	for _, at := range []int{math.MinInt, math.MinInt + 1, -1 << 60, 1 << 60, math.MaxInt - 1, math.MaxInt} {
		same(t, "load", d.Load(at), i32(4))
		d.Store(9, at)
	}
	huge := tl.MakeDesc(ptr(x), []int{math.MaxInt}, []int{1}, []int{4})
	same(t, "a tensor said to be larger than it is", huge.Load(-3), ints(tl.Int32, 0, 0, 0, 0))
	if try(func() { huge.Load(math.MaxInt - 3) }) == nil {
		t.Error("a load far outside did not fail")
	}
	empty := tl.MakeDesc(ptr(x), []int{0}, []int{1}, []int{4})
	same(t, "an empty tensor", empty.Load(0), i32(4))
	same(t, "untouched", tileOf(x), tl.Arange(0, 8))
}

// A block pointer is checked along the axes that are named, and no others: along the
// rest the block must lie inside memory, but may run over the end of a row.
func TestBoundaryCheck(t *testing.T) {
	x := tensor.Arange(tl.Int32, 0, 6).Reshape(2, 3)
	b := tl.MakeBlockPtr(ptr(x), []int{2, 3}, []int{3, 1}, []int{0, 2}, []int{1, 2}, []int{1, 0})
	same(t, "over the end of a row", b.Load(tl.BoundaryCheck(0)), ints(tl.Int32, 2, 3).Row())
	same(t, "checked", b.Load(tl.BoundaryCheck(1)), ints(tl.Int32, 2, 0).Row())
	same(t, "advanced", tl.Advance(b, 1, -1).Load(), ints(tl.Int32, 4, 5).Row())
	if try(func() { b.Advance(1, 0).Load(tl.BoundaryCheck(0)) }) == nil {
		t.Error("a load beyond the tensor did not fail")
	}
}
