package affine_test

import (
	"testing"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// TestBelow: the least n that integers are known to be below, 0 if they may be large.
func TestBelow(t *testing.T) {
	f := &ir.Func{}
	val := func(o op.Op, d dtype.DType, args ...*ir.Value) *ir.Value {
		return f.NewValue(o, ir.Tile(d, 4), diag.Pos{}, args...)
	}
	num := func(d dtype.DType, n int64) *ir.Value {
		v := val(op.Const, d)
		v.Bits = uint64(n) & (1<<d.Bits() - 1)
		return v
	}
	i32, u8, i8 := dtype.Int32, dtype.Uint8, dtype.Int8
	any32, any8, bytes := val(op.Load, i32), val(op.Load, i8), val(op.Load, u8)
	wide := val(op.Cast, i32, bytes)
	index := val(op.Arange, i32)
	index.Index = 3
	for _, c := range []struct {
		name string
		v    *ir.Value
		want int64
	}{
		{"any int32", any32, 0},
		{"bytes", wide, 256},
		{"signed bytes", val(op.Cast, i32, any8), 128},
		{"nibble", val(op.And, i32, any32, num(i32, 15)), 16},
		{"nibble from the left", val(op.And, i32, num(i32, 15), any32), 16},
		{"high nibble", val(op.Shr, i32, wide, num(i32, 4)), 16},
		{"shifted by what is loaded", val(op.Shr, i32, wide, any32), 0},
		{"shifted by a negative number", val(op.Shr, i32, wide, num(i32, -1)), 0},
		{"quotient", val(op.FloorDiv, i32, wide, num(i32, 10)), 26},
		{"quotient by 0", val(op.FloorDiv, i32, wide, num(i32, 0)), 0},
		{"remainder", val(op.Mod, i32, wide, num(i32, 7)), 7},
		{"remainder of what may be negative", val(op.Mod, i32, any32, num(i32, 7)), 7},
		{"quotient of what may be negative", val(op.FloorDiv, i32, val(op.Cast, i32, any8), num(i32, 10)), 13},
		{"negative", num(i32, -5), 1},
		{"sum", val(op.Add, i32, wide, num(i32, 5)), 261},
		{"sum that may wrap", val(op.Add, u8, bytes, num(u8, 5)), 256},
		{"difference", val(op.Sub, i32, wide, num(i32, 5)), 251},
		{"limits", val(op.Minimum, i32, val(op.Maximum, i32, any32, num(i32, 0)), num(i32, 9)), 10},
		{"either", val(op.Where, i32, any32, num(i32, 4), num(i32, 6)), 7},
		{"or", val(op.Or, i32, val(op.And, i32, any32, num(i32, 4)), num(i32, 2)), 8},
		{"index", index, 7},
		{"narrowed", val(op.Cast, u8, val(op.Add, i32, wide, num(i32, 5))), 256},
	} {
		got := int64(0)
		for n := int64(1); n <= 512; n++ {
			if affine.Below(c.v, n) {
				got = n
				break
			}
		}
		if got != c.want {
			t.Errorf("%s: below %d, want %d", c.name, got, c.want)
		}
	}
}

// TestBetween: a remainder has the sign of what is divided.
func TestBetween(t *testing.T) {
	f := &ir.Func{}
	val := func(o op.Op, args ...*ir.Value) *ir.Value {
		return f.NewValue(o, ir.Tile(dtype.Int32, 4), diag.Pos{}, args...)
	}
	nine := val(op.Const)
	nine.Bits = 9
	rest := val(op.Mod, val(op.Load), nine)
	for _, c := range []struct {
		lo, hi int64
		want   bool
	}{{-8, 8, true}, {-16, 15, true}, {-8, 7, false}, {-7, 8, false}, {0, 8, false}} {
		if got := affine.Between(rest, c.lo, c.hi); got != c.want {
			t.Errorf("a remainder by 9 is from %d to %d: %v, want %v", c.lo, c.hi, got, c.want)
		}
	}
}

// TestLongSpan: a value of which each operand is the same is looked at as far as mostDeep, not in all ways.
func TestLongSpan(t *testing.T) {
	f := &ir.Func{}
	v := f.NewValue(op.Load, ir.Tile(dtype.Int32, 4), diag.Pos{})
	for range 64 {
		v = f.NewValue(op.Add, v.Type, diag.Pos{}, v, v)
	}
	if affine.Below(v, 1<<30) {
		t.Error("a sum of anything is below a number")
	}
}
