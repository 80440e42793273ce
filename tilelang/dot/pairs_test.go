package dot

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// pairGolden is one pair each, as VDPBF16PS of an Intel Xeon computes it: bits of the sum
// before, of a's pair and b's (the odd element in the upper half), of the sum after; NaN
// is 0x7fc00000.
var pairGolden = []struct {
	name            string
	z, a, b, result uint32
}{
	{"1·1 + 1·1", 0x00000000, 0x3f803f80, 0x3f803f80, 0x40000000},
	{"1 + 2^-24 is a tie, to even", 0x3f800000, 0x3f800000, 0x33803f80, 0x3f800000},
	{"odd first: 1 + 2^-24, then + 1", 0x3f800000, 0x33803f80, 0x3f803f80, 0x40000000},
	{"1 + 2^-24·1 after 1·1", 0x3f800000, 0x3f803380, 0x3f803f80, 0x40000000},
	{"the odd one cancels what the even one would round against", 0x3f800000, 0xbf803380, 0x3f803f80, 0x33800000},
	{"and the other way round", 0x3f800000, 0x3380bf80, 0x3f803f80, 0x00000000},
	{"a subnormal sum is 0", 0x00000001, 0x00000000, 0x00000000, 0x00000000},
	{"-0 + -0 + -0", 0x80000001, 0x80008000, 0x3f803f80, 0x80000000},
	{"a negative one is -0, to which +0 is added", 0x80000001, 0x00000000, 0x3f803f80, 0x00000000},
	{"-0 + -0, then +0", 0x80000000, 0x80000000, 0x3f803f80, 0x00000000},
	{"the greatest subnormal", 0x807fffff, 0x80008000, 0x3f803f80, 0x80000000},
	{"subnormal operands are 0", 0x00800000, 0x00010001, 0x7f007f00, 0x00800000},
	{"2^-126 stays", 0x00800000, 0x80008000, 0x00000000, 0x00800000},
	{"2^-127 becomes 0", 0x00000000, 0x20000000, 0x1f800000, 0x00000000},
	{"-2^-127 becomes -0, to which +0 is added", 0x00000000, 0xa0000000, 0x1f800000, 0x00000000},
	{"-2^-127 becomes -0, and -0 is added", 0x00000000, 0xa0008000, 0x1f803f80, 0x80000000},
	{"2^-126 as a product", 0x00000000, 0x20000000, 0x20000000, 0x00800000},
	{"twice 2^-127, each flushed", 0x00000000, 0x20002000, 0x1f801f80, 0x00000000},
	{"cancelled to less than 2^-126", 0x00800000, 0x80802000, 0x34001f80, 0x00000000},
	{"2^-126 - 2^-151 rounds up to 2^-126", 0x00800000, 0xa0000000, 0x13800000, 0x00800000},
	{"2^-126 less a little more is 0", 0x00800000, 0xa0000000, 0x13810000, 0x00000000},
	{"2^-126 less next to nothing", 0x00800000, 0xa0000000, 0x00800000, 0x00800000},
	{"-2^-126 and a little more is -0, then +0 is added", 0x80800000, 0x20000000, 0x13810000, 0x00000000},
	{"-2^-126 and a little more is -0", 0x80800000, 0x20008000, 0x13813f80, 0x80000000},
	{"overflow", 0x7f7fffff, 0x7f000000, 0x3f800000, 0x7f800000},
	{"the greatest number and half its last place", 0x7f7fffff, 0x73000000, 0x3f800000, 0x7f800000},
	{"and a little less", 0x7f7fffff, 0x72ff0000, 0x3f800000, 0x7f7fffff},
	{"an infinite sum meets the other infinity", 0x00000000, 0x7f7fff7f, 0x7f7f7f7f, 0x7f800000},
	{"infinity stays", 0x00000000, 0x7f000000, 0x7f00bf80, 0x7f800000},
	{"infinity times 0", 0x00000000, 0x7f800000, 0x00000000, 0x7fc00000},
	{"infinity times a subnormal", 0x00000000, 0x7f800000, 0x00010000, 0x7fc00000},
	{"-infinity and infinity", 0xff800000, 0x7f803f80, 0x3f803f80, 0x7fc00000},
	{"infinity and a number", 0x7f800000, 0x00003f80, 0x00003f80, 0x7f800000},
	{"NaN", 0x7f800001, 0x00000000, 0x00000000, 0x7fc00000},
	{"NaN times 1", 0x00000000, 0x7fc03f80, 0x3f803f80, 0x7fc00000},
	{"a signaling NaN", 0x00000000, 0x3f807f81, 0x3f803f80, 0x7fc00000},
	{"2^24 + 1 + 1: each is lost", 0x4b800000, 0x3f803f80, 0x3f803f80, 0x4b800000},
	{"-100 + 50 + 50 is +0", 0xc2c80000, 0x41204120, 0x40a040a0, 0x00000000},
	{"any numbers 1", 0x3f8ccccd, 0xbf8d3f40, 0x3f7f3eab, 0x3e81a734},
	{"any numbers 2", 0xbdfbe76d, 0x3e493dcc, 0xbe2a3f1d, 0xbdc1886c},
}

func upper(pair uint32) float32 { return math.Float32frombits(pair &^ 0xffff) }

func lower(pair uint32) float32 { return math.Float32frombits(pair << 16) }

func TestPairGolden(t *testing.T) {
	for _, tt := range pairGolden {
		z := []float32{math.Float32frombits(tt.z)}
		f := func(v ...float32) dtype.Buf { return dtype.BufOf(dtype.Float32, v) }
		AddPairs(f(z...), f(lower(tt.a), upper(tt.a)), f(lower(tt.b), upper(tt.b)), 1, 1, 2) // BufOf shares memory
		if !sameBits(dtype.Float32, uint64(math.Float32bits(z[0])), uint64(tt.result)) {
			t.Errorf("%s: %#08x, want %#08x", tt.name, math.Float32bits(z[0]), tt.result)
		}
	}
}

// exactStep is pairStep by exact arithmetic, for numbers.
func exactStep(x, y, w float32) float32 {
	x, y, w = flushed(x), flushed(y), flushed(w)
	p := new(big.Float).SetPrec(600).Mul(big.NewFloat(float64(x)), big.NewFloat(float64(y)))
	s := new(big.Float).SetPrec(600).Add(p, big.NewFloat(float64(w)))
	r := new(big.Float).SetPrec(24).Set(s) // to nearest even, of any exponent
	if r.Sign() == 0 {
		return float32(float64(x)*float64(y)) + w // the sign of a zero
	}
	if r.MantExp(nil) < -125 { // |r| is below 2^-126
		return float32(math.Copysign(0, float64(r.Sign())))
	}
	v, _ := r.Float32()
	return v
}

// pairOperand is a bfloat16 as float32, often one at an edge; product is what it will
// roughly be multiplied to.
func pairOperand(r *rand.Rand, product int) (x, y float32) {
	e := 20 + r.IntN(200)
	f := product - (e - 127) + 127
	bits := func(e int) float32 {
		return math.Float32frombits(r.Uint32N(2)<<31 | uint32(min(max(e, 0), 254))<<23 | r.Uint32N(128)<<16)
	}
	return bits(e), bits(f)
}

// TestPairStep compares with exact arithmetic, most of all where results are small.
func TestPairStep(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for i := range 300_000 {
		e := []int{-126, -125, -140, 0, 120}[i%5]
		x, y := pairOperand(r, e+r.IntN(60)-40)
		w := math.Float32frombits(r.Uint32N(2)<<31 | uint32(max(0, e+127+r.IntN(4)))<<23 | r.Uint32N(1<<23)>>(r.IntN(2)*22))
		got, want := pairStep(x, y, w), exactStep(x, y, w)
		if math.Float32bits(got) != math.Float32bits(want) {
			t.Fatalf("%x·%x + %x: %x, want %x", x, y, w, got, want)
		}
	}
}

// pairSum is an element of AddPairs by its definition.
func pairSum(z float32, a, b func(l int) float32, k int) float32 {
	for l := 0; l < k; l += 2 {
		x, y := float32(0), float32(0)
		if l+1 < k {
			x, y = a(l+1), b(l+1)
		}
		z = pairStep(a(l), b(l), pairStep(x, y, z))
	}
	return z
}

func TestDotPairs(t *testing.T) { testChain(t, Pairs, pairSum) }

// testChain compares both ways of carrying out a chain of bfloat16 with its definition,
// element by element.
func testChain(t *testing.T, c Chain, sum func(z float32, a, b func(l int) float32, k int) float32) {
	t.Helper()
	r := rand.New(rand.NewPCG(23, 24))
	ways := map[bool]int{}
	for _, av := range dotValues {
		for _, zv := range dotValues {
			m, n, k := 1+r.IntN(5), 1+r.IntN(20), 1+r.IntN(100)
			fill := func(n int, pick func(*rand.Rand) float32) []float32 {
				v := make([]float32, n)
				for i := range v {
					v[i] = pick(r)
				}
				return v
			}
			narrow := func(r *rand.Rand) float32 { return dtype.FromBFloat16(dtype.ToBFloat16(av.pick(r))) }
			a, b, z := fill(m*k, narrow), fill(k*n, narrow), fill(m*n, zv.pick)
			ways[neverTiny(factsOf(a), factsOf(b), factsOf(z))]++
			want := append([]float32(nil), z...)
			for i := range want {
				want[i] = sum(want[i], func(l int) float32 { return a[i/n*k+l] }, func(l int) float32 { return b[l*n+i%n] }, k)
			}
			f := func(v []float32) dtype.Buf { return dtype.BufOf(dtype.Float32, v) }
			c.Dot(f(z), f(a), f(b), m, n, k)
			for i := range z {
				if !sameBits(dtype.Float32, uint64(math.Float32bits(z[i])), uint64(math.Float32bits(want[i]))) {
					t.Fatalf("%s, %s, %d×%d×%d: element %d is %x, want %x", av.name, zv.name, m, n, k, i, z[i], want[i])
				}
			}
		}
	}
	if ways[true] < 10 || ways[false] < 10 {
		t.Errorf("%d products go the plain way, %d the careful one", ways[true], ways[false])
	}
}
