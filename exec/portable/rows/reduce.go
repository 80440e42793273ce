package rows

import (
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/op/primitive"
)

// Partials is how many partial results a reduction has: element i goes to number i
// mod 16, in order, and they combine pairwise at distances 8, 4, 2, 1; one without
// elements is absent. The order is the language's.
const Partials = 16

// Reductions of rows whose elements lie side by side: the common ones of the common
// types, in the language's order.

// A Reducer reduces rows of n elements to one each.
type Reducer func(z, x dtype.Buf, n int)

// ReducerOf is what reduces rows of type d by a Sum, Max or Min; nil if there is none.
func ReducerOf(o op.Op, d dtype.DType) Reducer { return reducers[o][d] }

var reducers = map[op.Op]*[dtype.Count]Reducer{
	op.Sum: {
		dtype.Float32: reduceRows(addAll[float32], sum2[float32]), dtype.Float64: reduceRows(addAll[float64], sum2[float64]),
		dtype.Int32: reduceRows(addAll[uint32], sum2[uint32]), dtype.Int64: reduceRows(addAll[uint64], sum2[uint64]),
		dtype.Uint32: reduceRows(addAll[uint32], sum2[uint32]), dtype.Uint64: reduceRows(addAll[uint64], sum2[uint64]),
	},
	op.Max: {
		dtype.Float32: reduceRows(max32All, primitive.Max32), dtype.Float64: reduceRows(max64All, primitive.Max64),
		dtype.Int32: reduceRows(maxAll[int32], max2[int32]), dtype.Int64: reduceRows(maxAll[int64], max2[int64]),
	},
	op.Min: {
		dtype.Float32: reduceRows(min32All, func(x, y float32) float32 { return -primitive.Max32(-x, -y) }),
		dtype.Float64: reduceRows(min64All, func(x, y float64) float64 { return -primitive.Max64(-x, -y) }),
		dtype.Int32:   reduceRows(minAll[int32], min2[int32]), dtype.Int64: reduceRows(minAll[int64], min2[int64]),
	},
}

// reduceRows makes a Reducer of what combines a row's elements with as many
// partial results, and of what combines two.
func reduceRows[T dtype.Elem](all func(acc, x []T), two func(x, y T) T) Reducer {
	return func(z, x dtype.Buf, n int) {
		zs, xs := dtype.View[T](z), dtype.View[T](x)
		for i := range zs {
			row := xs[i*n : (i+1)*n]
			var acc [Partials]T
			held := copy(acc[:], row)
			for lo := Partials; lo < n; lo += Partials {
				part := row[lo:min(lo+Partials, n)]
				all(acc[:len(part)], part)
			}
			for d := Partials / 2; d > 0; d /= 2 {
				if held > d {
					for k := range held - d {
						acc[k] = two(acc[k], acc[k+d])
					}
					held = d
				}
			}
			zs[i] = acc[0]
		}
	}
}

type numeric interface {
	~int32 | ~int64 | ~uint32 | ~uint64 | ~float32 | ~float64
}

func sum2[T numeric](x, y T) T { return x + y }

func max2[T numeric](x, y T) T { return max(x, y) }

func min2[T numeric](x, y T) T { return min(x, y) }

func addAll[T numeric](acc, x []T) {
	x = x[:len(acc)]
	for i := range acc {
		acc[i] += x[i]
	}
}

func maxAll[T numeric](acc, x []T) {
	x = x[:len(acc)]
	for i := range acc {
		acc[i] = max(acc[i], x[i])
	}
}

func minAll[T numeric](acc, x []T) {
	x = x[:len(acc)]
	for i := range acc {
		acc[i] = min(acc[i], x[i])
	}
}

// The float ones decide by comparison where that is enough: not for zeros and NaN.

func max32All(acc, x []float32) {
	x = x[:len(acc)]
	for i, a := range acc {
		if v := x[i]; v > a {
			acc[i] = v
		} else if !(v < a) {
			acc[i] = primitive.Max32(a, v)
		}
	}
}

func min32All(acc, x []float32) {
	x = x[:len(acc)]
	for i, a := range acc {
		if v := x[i]; v < a {
			acc[i] = v
		} else if !(v > a) {
			acc[i] = -primitive.Max32(-a, -v)
		}
	}
}

func max64All(acc, x []float64) {
	x = x[:len(acc)]
	for i, a := range acc {
		if v := x[i]; v > a {
			acc[i] = v
		} else if !(v < a) {
			acc[i] = primitive.Max64(a, v)
		}
	}
}

func min64All(acc, x []float64) {
	x = x[:len(acc)]
	for i, a := range acc {
		if v := x[i]; v < a {
			acc[i] = v
		} else if !(v > a) {
			acc[i] = -primitive.Max64(-a, -v)
		}
	}
}
