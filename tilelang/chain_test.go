package tilelang_test

import (
	"fmt"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// pairBits is a product of normal numbers by pairs: of each pair the odd element is
// added first.
func pairBits(a, b, acc []float64, m, n, k int) tl.Tile {
	out := make([]uint64, m*n)
	for i := range m {
		for j := range n {
			s := acc[i*n+j]
			for l := range k {
				if o := l ^ 1; o < k {
					s = fused(tl.Float32, a[i*k+o], b[o*n+j], s)
				} else {
					s = fused(tl.Float32, a[i*k+l], b[l*n+j], s) // its partner is zeros
				}
			}
			out[i*n+j] = dtype.FromFloat(tl.Float32, s)
		}
	}
	return bitsTile(tl.Float32, out...).Reshape(m, n)
}

// TestBF16Pairs and TestBF16Tiles are the options with everything that Dot has beside
// them. What a step is, package op tests.
func TestBF16Pairs(t *testing.T) { testChain(t, tl.BF16Pairs, pairBits) }
func TestBF16Tiles(t *testing.T) { testChain(t, tl.BF16Tiles, tileBits) }

func testChain(t *testing.T, option tl.DotOption, chainBits func(a, b, acc []float64, m, n, k int) tl.Tile) {
	t.Helper()
	differ := false
	for _, s := range [][3]int{{1, 1, 1}, {2, 3, 4}, {16, 16, 16}, {5, 1, 33}, {1, 17, 2}, {7, 8, 9}, {3, 5, 70}} {
		m, n, k := s[0], s[1], s[2]
		x, y := tensor.Randn(1, tl.BFloat16, m, k), tensor.Randn(2, tl.BFloat16, k, n)
		acc := tensor.Randn(3, tl.Float32, m, n)
		a, b, c := tileOf(x), tileOf(y), tileOf(acc)
		name := fmt.Sprint(s)
		want := chainBits(x.Floats(), y.Floats(), make([]float64, m*n), m, n, k)
		wantAcc := chainBits(x.Floats(), y.Floats(), acc.Floats(), m, n, k)
		same(t, name, tl.Dot(a, b, option), want)
		same(t, name+" transposed operands", tl.Dot(copyT(a), copyT(b), option), want)
		same(t, name+" acc", tl.Dot(a, b, tl.Acc(c), option), wantAcc)
		same(t, name+" x + dot", c.Add(tl.Dot(a, b, option)), wantAcc)
		same(t, name+" dot + x", tl.Dot(a, b, option, tl.As(tl.Float32)).Add(c), wantAcc)
		same(t, name+" read before", c.Add(bits(tl.Dot(a, b, option))), c.Add(bits(want)))
		same(t, name+" batch", tl.Dot(a.ExpandDims(0), b.ExpandDims(0), option), want.ExpandDims(0))
		differ = differ || fmt.Sprint(want.Bits()) != fmt.Sprint(tl.Dot(a, b).Bits())
	}
	if !differ {
		t.Error("no example tells the option from what is the default")
	}
}

// tileBits is a product of normal numbers by tiles.
func tileBits(a, b, acc []float64, m, n, k int) tl.Tile {
	out := make([]uint64, m*n)
	for i := range m {
		for j := range n {
			s := acc[i*n+j]
			for lo := 0; lo < k; lo += 32 {
				var half [2]float64
				for l := lo; l < min(lo+32, k); l++ {
					half[l%2] = fused(tl.Float32, a[i*k+l], b[l*n+j], half[l%2])
				}
				s = fused(tl.Float32, 1, s, fused(tl.Float32, 1, half[0], half[1]))
			}
			out[i*n+j] = dtype.FromFloat(tl.Float32, s)
		}
	}
	return bitsTile(tl.Float32, out...).Reshape(m, n)
}

// TestBF16PairsSmall is what the chain does with small numbers, and with an odd K.
func TestBF16PairsSmall(t *testing.T) {
	row := func(v ...float64) tl.Tile { return floats(tl.BFloat16, v...).Row() }
	col := func(v ...float64) tl.Tile { return floats(tl.BFloat16, v...).Col() }
	one := func(v float64) tl.Tile { return floats(tl.Float32, v).Row() }
	minusZero := one(0).Neg()
	tiny, root := 0x1p-130, 0x1p-63
	same(t, "a subnormal operand", tl.Dot(row(tiny, 0), col(0x1p100, 0), tl.BF16Pairs), one(0))
	same(t, "a subnormal sum", one(tiny).Add(tl.Dot(row(0, 0), col(0, 0), tl.BF16Pairs)), one(0))
	same(t, "a subnormal product", tl.Dot(row(root/2, 0), col(root, 0), tl.BF16Pairs), one(0))
	same(t, "the least product", tl.Dot(row(root, 0), col(root, 0), tl.BF16Pairs), one(0x1p-126))
	same(t, "two of half", tl.Dot(row(root/2, root/2), col(root, root), tl.BF16Pairs), one(0))
	same(t, "a negative one in the even place", tl.Dot(row(-root/2, 0), col(root, 0), tl.BF16Pairs), minusZero)
	same(t, "in the odd place, and +0 after it", tl.Dot(row(0, -root/2), col(0, root), tl.BF16Pairs), one(0))
	same(t, "odd K: +0 comes before the last", minusZero.Add(tl.Dot(row(-1), col(0), tl.BF16Pairs)), one(0))
	same(t, "even K: nothing does", minusZero.Add(tl.Dot(row(-1, -1), col(0, 0), tl.BF16Pairs)), minusZero)
	same(t, "without the option", tl.Dot(row(root/2), col(root)), one(0x1p-127))
}
