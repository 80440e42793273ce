package rows

import (
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A Scan scans rows of n elements that lie side by side.
type Scan func(z, x dtype.Buf, n int, reverse bool)

// ScanOf is what scans rows of type d by a CumSum or CumProd; nil if there is none.
func ScanOf(o op.Op, d dtype.DType) Scan { return scans[o][d] }

var scans = map[op.Op]*[dtype.Count]Scan{
	op.CumSum: {
		dtype.Float32: scanRows(sum2[float32]), dtype.Float64: scanRows(sum2[float64]),
		dtype.Int32: scanRows(sum2[uint32]), dtype.Int64: scanRows(sum2[uint64]),
		dtype.Uint32: scanRows(sum2[uint32]), dtype.Uint64: scanRows(sum2[uint64]),
	},
	op.CumProd: {
		dtype.Float32: scanRows(product2[float32]), dtype.Float64: scanRows(product2[float64]),
		dtype.Int32: scanRows(product2[uint32]), dtype.Int64: scanRows(product2[uint64]),
		dtype.Uint32: scanRows(product2[uint32]), dtype.Uint64: scanRows(product2[uint64]),
	},
}

func product2[T numeric](x, y T) T { return x * y }

func scanRows[T dtype.Elem](f func(x, y T) T) Scan {
	return func(z, x dtype.Buf, n int, reverse bool) {
		zs, xs := dtype.View[T](z), dtype.View[T](x)
		for lo := 0; lo < len(zs); lo += n {
			out, row := zs[lo:lo+n], xs[lo:lo+n]
			if reverse {
				v := row[n-1]
				out[n-1] = v
				for i := n - 2; i >= 0; i-- {
					v = f(v, row[i])
					out[i] = v
				}
				continue
			}
			v := row[0]
			out[0] = v
			for i := 1; i < n; i++ {
				v = f(v, row[i])
				out[i] = v
			}
		}
	}
}
