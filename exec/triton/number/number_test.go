package number

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Integers do not overflow, quotients round down, and bools stay bools where they meet bools.
func TestBinary(t *testing.T) {
	for _, c := range []struct {
		x    any
		o    string
		y    any
		want string
	}{
		{int64(-7), "//", int64(2), "-4"}, {int64(-7), "%", int64(2), "1"}, {int64(7), "%", int64(-2), "-1"},
		{int64(1), "<<", int64(70), "1180591620717411303424"}, {int64(2), "**", int64(-1), "0.5"},
		{true, "&", false, "false"}, {true, "+", true, "2"}, {int64(7), "/", int64(2), "3.5"}, {-7.5, "%", 2.0, "0.5"},
		{int64(1), "//", int64(0), "none"}, {"a", "+", int64(1), "none"},
	} {
		got := "none"
		if z, ok := Binary(c.o, c.x, c.y); ok {
			got = fmt.Sprint(z)
		}
		if got != c.want {
			t.Errorf("%v %s %v = %s, want %s", c.x, c.o, c.y, got, c.want)
		}
	}
}

func TestCompare(t *testing.T) {
	big70 := new(big.Int).Lsh(big.NewInt(1), 70)
	if z, ok := Compare("<", int64(1), big70); !z || !ok {
		t.Error("1 < 2**70 does not hold")
	}
	if !Equal(int64(2), 2.0) || !Equal(true, int64(1)) || Equal("2", int64(2)) {
		t.Error("==")
	}
}

// TestUnaryLeavesItsOperand: a number that int64 does not hold is not the memory of what is made of it.
func TestUnaryLeavesItsOperand(t *testing.T) {
	x := new(big.Int).Lsh(big.NewInt(1), 70)
	for _, o := range []string{"-", "~", "+"} {
		if _, ok := Unary(o, x); !ok || x.Cmp(new(big.Int).Lsh(big.NewInt(1), 70)) != 0 {
			t.Errorf("%s makes %v of its operand", o, x)
		}
	}
}

func TestType(t *testing.T) {
	for want, v := range map[dtype.DType]any{
		dtype.Int32: int64(-5), dtype.Uint32: int64(1 << 31), dtype.Int64: int64(1 << 40), dtype.Float32: 0.5, dtype.Float64: 1e300,
	} {
		if d, ok := Type(v); d != want || !ok {
			t.Errorf("%v is %v, want %v", v, d, want)
		}
	}
	if _, ok := Type(new(big.Int).Lsh(big.NewInt(1), 70)); ok {
		t.Error("2**70 has a type")
	}
}
