package op

import (
	"math"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

func TestTableComplete(t *testing.T) {
	names := map[string]Op{}
	for o := None + 1; o < NumOps; o++ {
		row := o.Row()
		if row.Name == "" || row.Doc == "" || row.Family != Primitive && row.Go == "" {
			t.Errorf("op %d (%s): no row, or a row without name, spelling or doc", o, row.Name)
		}
		if other, ok := names[row.Name]; ok {
			t.Errorf("%s names ops %d and %d", row.Name, other, o)
		}
		names[row.Name] = o
		if ByName(row.Name) != o {
			t.Errorf("ByName(%s) = %d, want %d", row.Name, ByName(row.Name), o)
		}
		if row.Family != Elementwise && row.Family != Primitive || o == Const || o == Lookup || o == SkipUnless {
			continue
		}
		for _, d := range dtype.All() {
			if row.In.Has(d) && !row.Has(d) && !(d.IsNarrow() && row.Has(dtype.Float32)) {
				t.Errorf("%s accepts %s but has no meaning for it", o, d)
			}
		}
	}
}

func TestProgramsVerify(t *testing.T) {
	for o := None + 1; o < NumOps; o++ {
		for d, p := range o.Row().Progs {
			if p == nil {
				continue
			}
			if err := p.Verify(); err != nil {
				t.Errorf("%s %s: %v", o, dtype.DType(d), err)
			}
			if len(p.In) != o.Row().Arity || p.Type(p.Out) != o.Result(dtype.DType(d)) {
				t.Errorf("%s %s: %d inputs, result %s", o, dtype.DType(d), len(p.In), p.Type(p.Out))
			}
		}
	}
}

func TestScalarEdges(t *testing.T) {
	fb := func(v float64) uint64 { return uint64(math.Float32bits(float32(v))) }
	nan, inf, negZero := fb(math.NaN()), fb(math.Inf(1)), fb(math.Copysign(0, -1))
	tests := []struct {
		o    Op
		d    dtype.DType
		in   []uint64
		want uint64
	}{
		{Add, dtype.Bool, []uint64{1, 1}, 0},
		{Mul, dtype.Int8, []uint64{0x80, 0xff}, 0x80},
		{FloorDiv, dtype.Int8, []uint64{0x80, 0xff}, 0x80},
		{Mod, dtype.Int32, []uint64{1 << 31, 0xffffffff}, 0},
		{FloorDiv, dtype.Int32, []uint64{uint64(uint32(0xfffffff9)), 2}, uint64(uint32(0xfffffffd))},
		{Mod, dtype.Int32, []uint64{uint64(uint32(0xfffffff9)), 2}, uint64(uint32(0xffffffff))},
		{Mod, dtype.Float32, []uint64{fb(-6), fb(3)}, negZero},
		{Mod, dtype.Float32, []uint64{fb(5), inf}, fb(5)},
		{Shl, dtype.Int32, []uint64{1, 32}, 0},
		{Shr, dtype.Int32, []uint64{1 << 31, 40}, 0xffffffff},
		{Shr, dtype.Uint32, []uint64{1 << 31, 40}, 0},
		{Shr, dtype.Int32, []uint64{1 << 31, 0xffffffff}, 0xffffffff},
		{Shl, dtype.Bool, []uint64{1, 1}, 0},
		{Lt, dtype.Float32, []uint64{nan, fb(1)}, 0},
		{Ne, dtype.Float32, []uint64{nan, nan}, 1},
		{Eq, dtype.Float32, []uint64{negZero, 0}, 1},
		{Maximum, dtype.Float32, []uint64{nan, fb(1)}, fb(1)},
		{Maximum, dtype.Float32, []uint64{negZero, 0}, 0},
		{Maximum, dtype.Float32, []uint64{0, negZero}, 0},
		{Minimum, dtype.Float32, []uint64{0, negZero}, negZero},
		{Minimum, dtype.Float32, []uint64{fb(2), nan}, fb(2)},
		{Neg, dtype.Float32, []uint64{0}, negZero},
		{Abs, dtype.Int8, []uint64{0x80}, 0x80},
		{Not, dtype.Bool, []uint64{1}, 0},
		{UMulHi, dtype.Int32, []uint64{0xffffffff, 0xffffffff}, 0xfffffffe},
		{Where, dtype.Float16, []uint64{1, 0x3c00, 0}, 0x3c00},
		{Add, dtype.Float16, []uint64{0x3c00, 0x1000}, 0x3c00}, // 1 + 2^-11 ties to even
		{Lt, dtype.BFloat16, []uint64{0x3f80, 0x4000}, 1},
		{RandInt, dtype.Uint32, []uint64{0, 0, 0, 0}, 0x6627e8d5},
		{RandInt3, dtype.Uint32, []uint64{3, 0, 42, 0}, 0x610e67f7},
		{RandInt1, dtype.Uint32, []uint64{0, 0, 0x34567890, 0x12}, 0x1b958a0b},
		{Rand, dtype.Uint32, []uint64{2, 0, 123, 0}, 0x3eb06d6a},
		{Rand, dtype.Uint32, []uint64{0, 0, 0xffffffff, 0xffffffff}, 0x3f6548ed},
	}
	for _, x := range tests {
		if got := Scalar(x.o, x.d, x.in...); got != x.want {
			t.Errorf("%s %s %x = %x, want %x", x.o, x.d, x.in, got, x.want)
		}
	}
	if got := Scalar(MaximumNaN, dtype.Float32, fb(1), nan); got&0x7fffffff <= 0x7f800000 {
		t.Errorf("maximum_nan(1, nan) = %x", got)
	}
}

// TestNarrowArithmetic checks + - * / in float16 and bfloat16 against the exact
// result rounded once, over a grid of pairs.
func TestNarrowArithmetic(t *testing.T) {
	exact := map[Op]func(x, y float64) float64{
		Add: func(x, y float64) float64 { return x + y }, // exact in float64 for both formats' sampled range, or rounded far below
		Sub: func(x, y float64) float64 { return x - y },
		Mul: func(x, y float64) float64 { return x * y },
		Div: func(x, y float64) float64 { return x / y },
	}
	for _, d := range []dtype.DType{dtype.Float16, dtype.BFloat16} {
		n := (1<<16 + 198) / 199
		a, b, z := dtype.NewBuf(d, n), dtype.NewBuf(d, n), dtype.NewBuf(d, n)
		for j := range n {
			b.SetBits(j, uint64(199*j))
		}
		for o, f := range exact {
			for i := 0; i < 1<<16; i += 211 {
				a.Fill(uint64(i))
				Apply(o, d, z, a, b)
				for j := range n {
					x, y := dtype.ToFloat(d, uint64(i)), dtype.ToFloat(d, b.Bits(j))
					want := oddOf(f(x, y), x, y, o)
					if w := uint64(dtype.RoundNarrow(d, want, false)); z.Bits(j) != w && want == want {
						t.Fatalf("%s %s(%04x, %04x) = %04x, want %04x", d, o, i, b.Bits(j), z.Bits(j), w)
					}
				}
			}
		}
	}
}
