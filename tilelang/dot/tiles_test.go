package dot

import (
	"math"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// f32s is float32 by their bits.
func f32s(bits ...uint32) []float32 {
	z := make([]float32, len(bits))
	for i, b := range bits {
		z[i] = math.Float32frombits(b)
	}
	return z
}

// tileGolden is one sum each, by the manual's description of TDPBF16PS: bits of the sum
// before, of the first elements of the chain (in float32; the others are zeros), of the
// sum after; NaN is 0x7fc00000.
var tileGolden = []struct {
	name   string
	z      uint32
	a, b   []uint32
	result uint32
}{
	{"1·1 + 1·1", 0, []uint32{0x3f800000, 0x3f800000}, []uint32{0x3f800000, 0x3f800000}, 0x40000000},
	{"the halves are added to each other first: 2^-24 + 2^-24", 0x3f800000, []uint32{0x33800000, 0x33800000}, []uint32{0x3f800000, 0x3f800000}, 0x3f800001},
	{"2^-24 alone is a tie, to even", 0x3f800000, []uint32{0x33800000}, []uint32{0x3f800000}, 0x3f800000},
	{"2^-24 twice in the even half", 0x3f800000, []uint32{0x33800000, 0, 0x33800000}, []uint32{0x3f800000, 0, 0x3f800000}, 0x3f800001},
	{"1 and 2^-24 in one half", 0, []uint32{0x3f800000, 0, 0x33800000}, []uint32{0x3f800000, 0, 0x3f800000}, 0x3f800000},
	{"a subnormal sum is 0", 0x00000001, nil, nil, 0x00000000},
	{"-0 + +0", 0x80000000, nil, nil, 0x00000000},
	{"a negative subnormal sum is -0, and +0 is added", 0x80000001, nil, nil, 0x00000000},
	{"2^-127 twice, in the two halves: each is 0", 0, []uint32{0x20000000, 0x20000000}, []uint32{0x1f800000, 0x1f800000}, 0x00000000},
	{"2^-126 in each half", 0, []uint32{0x20000000, 0x20000000}, []uint32{0x20000000, 0x20000000}, 0x01000000},
	{"the halves cancel to 2^-133", 0, []uint32{0x20000000, 0xa0010000}, []uint32{0x20000000, 0x20000000}, 0x00000000},
	{"infinity in one half, the other infinity in the other", 0, []uint32{0x7f800000, 0x7f800000}, []uint32{0x3f800000, 0xbf800000}, 0x7fc00000},
	{"infinity times 0", 0, []uint32{0x7f800000}, []uint32{0}, 0x7fc00000},
	{"a NaN sum", 0x7fc00000, nil, nil, 0x7fc00000},
	{"the halves overflow together", 0xff000000, []uint32{0x7f000000, 0x7f000000}, []uint32{0x3f800000, 0x3f800000}, 0x7f800000},
}

func TestTileGolden(t *testing.T) {
	f := func(v []float32) dtype.Buf { return dtype.BufOf(dtype.Float32, v) }
	for _, tt := range tileGolden {
		z, a, b := f32s(tt.z), make([]float32, TileSteps), make([]float32, TileSteps)
		copy(a, f32s(tt.a...))
		copy(b, f32s(tt.b...))
		AddTiles(f(z), f(a), f(b), 1, 1, TileSteps)
		if !sameBits(dtype.Float32, uint64(math.Float32bits(z[0])), uint64(tt.result)) {
			t.Errorf("%s: %#08x, want %#08x", tt.name, math.Float32bits(z[0]), tt.result)
		}
	}
}

// TestTileZeros is where blocks leave -0, and where what fills them up does not let them.
func TestTileZeros(t *testing.T) {
	tiny := math.Float32frombits(0x20000000 >> 1) // squared, and negative, it becomes -0
	minus := float32(math.Copysign(0, -1))
	for k := 1; k <= 2*TileSteps; k++ {
		a, b, z := make([]float32, k), make([]float32, k), []float32{minus}
		for l := range k {
			a[l], b[l] = tiny, -tiny
		}
		f := func(v []float32) dtype.Buf { return dtype.BufOf(dtype.Float32, v) }
		AddTiles(f(z), f(a), f(b), 1, 1, k)
		want := float32(0)
		if k%TileSteps == 0 {
			want = minus
		}
		if math.Float32bits(z[0]) != math.Float32bits(want) {
			t.Errorf("%d elements: %v, want %v", k, z[0], want)
		}
	}
}

// tileSum is an element of AddTiles by its definition, with padding carried out.
func tileSum(z float32, a, b func(l int) float32, k int) float32 {
	for lo := 0; lo < k; lo += TileSteps {
		var half [2]float32
		for l := lo; l < lo+TileSteps; l++ {
			x, y := float32(0), float32(0)
			if l < k {
				x, y = a(l), b(l)
			}
			half[l%2] = pairStep(x, y, half[l%2])
		}
		z = pairStep(1, z, pairStep(1, half[0], half[1])) // a step with 1 is a sum
	}
	return z
}

func TestDotTiles(t *testing.T) { testChain(t, Tiles, tileSum) }
