package tilelang_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// less is the order of a sort: numbers by value, NaN after all of them.
func less(d tl.DType, a, b uint64) bool {
	if !d.IsFloat() {
		if d.IsSigned() {
			return value(d, a) < value(d, b)
		}
		return a < b
	}
	x, y := dtype.ToFloat(d, a), dtype.ToFloat(d, b)
	return x < y || x == x && y != y
}

// TestSortIsStable sorts elements with many equals: every dtype, both directions,
// against a stable sort in Go.
func TestSortIsStable(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, d := range dtype.All() {
		for _, n := range []int{1, 2, 3, 16, 33, 100} {
			const rows = 3
			bits := make([]uint64, rows*n)
			for i := range bits {
				v := float64(rng.IntN(7) - 3)
				switch {
				case v == 3 && d.IsFloat():
					v = math.NaN()
				case v == 0 && rng.IntN(2) == 0:
					v = math.Copysign(0, -1)
				}
				bits[i] = dtype.FromFloat(d, v)
			}
			x := bitsTile(d, bits...).Reshape(rows, n)
			for _, descending := range []bool{false, true} {
				var o []tl.SortOption
				if descending {
					o = append(o, tl.Descending)
				}
				v, i := tl.ArgSort(x, o...)
				same(t, fmt.Sprint(d, n), tl.Sort(x, o...), v)
				gotV, gotI := v.Bits(), i.Bits()
				for r := range rows {
					row := bits[r*n : (r+1)*n]
					order := make([]int, n)
					for k := range order {
						order[k] = k
					}
					slices.SortStableFunc(order, func(a, b int) int {
						if descending {
							a, b = b, a
						}
						switch {
						case less(d, row[a], row[b]):
							return -1
						case less(d, row[b], row[a]):
							return 1
						}
						return 0
					})
					for k, from := range order {
						if gotI[r*n+k] != uint64(from) || gotV[r*n+k] != row[from] {
							t.Fatalf("%s descending=%v row %d: place %d holds index %d, want %d", d, descending, r, k, gotI[r*n+k], from)
						}
					}
				}
				if k := (n + 1) / 2; descending {
					tv, ti := tl.TopK(x, k)
					same(t, fmt.Sprint("topk ", d, n), tv, firstColumns(v, k))
					same(t, fmt.Sprint("topk ", d, n), ti, firstColumns(i, k))
				}
			}
		}
	}
}

// firstColumns is the first k columns of a matrix.
func firstColumns(x tl.Tile, k int) tl.Tile {
	rows, n := x.Dim(0), x.Dim(1)
	var out []uint64
	for r := range rows {
		out = append(out, x.Bits()[r*n:r*n+k]...)
	}
	return bitsTile(x.DType(), out...).Reshape(rows, k)
}

func TestSortNaN(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	x := floats(tl.Float32, nan, 1, -inf, nan, inf, -1)
	same(t, "ascending", tl.Sort(x), floats(tl.Float32, -inf, -1, 1, inf, nan, nan))
	same(t, "descending", tl.Sort(x, tl.Descending), floats(tl.Float32, nan, nan, inf, 1, -1, -inf))
	v, i := tl.TopK(x, 3)
	same(t, "topk", v, floats(tl.Float32, nan, nan, inf))
	same(t, "topk indices", i, ints(tl.Int32, 0, 3, 4))
	v, _ = tl.TopK(floats(tl.Float16, 1, 3, 2), 2)
	same(t, "topk keeps its dtype", v, floats(tl.Float16, 3, 2))
	same(t, "uint64", tl.Sort(bitsTile(tl.Uint64, 1<<63, 1)), bitsTile(tl.Uint64, 1, 1<<63))
}

func TestHistogram(t *testing.T) {
	x := ints(tl.Int32, 0, 3, 3, -1, 4, 1000, 2, 3)
	same(t, "out of range is dropped", tl.Histogram(x, 4), ints(tl.Int32, 1, 0, 1, 3))
	same(t, "masked", tl.Histogram(x, 4, tl.Mask(tl.Arange(0, 8).Lt(2))), ints(tl.Int32, 1, 0, 0, 1))
	same(t, "Go mask", tl.Histogram(x, 2, tl.Mask(false)), ints(tl.Int32, 0, 0))
	same(t, "unsigned", tl.Histogram(bitsTile(tl.Uint64, 1, 1<<63, ^uint64(0)), 2), ints(tl.Int32, 0, 1))
	same(t, "any shape", tl.Histogram(tl.Arange(0, 6).Reshape(2, 3), 8), ints(tl.Int32, 1, 1, 1, 1, 1, 1, 0, 0))
}

func TestGather(t *testing.T) {
	x := tl.Arange(0, 6).Mul(10).Reshape(2, 3)
	same(t, "along columns", tl.Gather(x, ints(tl.Int8, 2, 0, 1, 1, 2, 2).Reshape(2, 3), 1), ints(tl.Int32, 20, 0, 10, 40, 50, 50).Reshape(2, 3))
	same(t, "along rows, more of them", tl.Gather(x, ints(tl.Uint64, 1, 0, 1, 0, 0, 0, 1, 1, 1).Reshape(3, 3), 0), ints(tl.Int32, 30, 10, 50, 0, 10, 20, 30, 40, 50).Reshape(3, 3))
	same(t, "from the end", tl.Gather(x, ints(tl.Int32, 0, 2).Col(), -1), ints(tl.Int32, 0, 50).Col())
	same(t, "vector", tl.Gather(floats(tl.Float16, 5, 6), ints(tl.Int32, 1, 1, 0), 0), floats(tl.Float16, 6, 6, 5))
}
