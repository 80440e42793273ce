package op

import (
	"fmt"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// BenchmarkProg runs each math function over 4096 lanes of ordinary arguments.
func BenchmarkProg(b *testing.B) {
	const n = 4096
	for _, o := range mathOps() {
		for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
			b.Run(fmt.Sprintf("%s/%s", o, d), func(b *testing.B) {
				in := []dtype.Buf{dtype.NewBuf(d, n), dtype.NewBuf(d, n)}
				for i := range n {
					x := float64(i+1) / n
					in[0].SetBits(i, dtype.FromFloat(d, x))
					in[1].SetBits(i, dtype.FromFloat(d, 4*x))
				}
				z := dtype.NewBuf(d, n)
				b.ResetTimer()
				for b.Loop() {
					Apply(o, d, z, in[:o.Row().Arity]...)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/lane")
			})
		}
	}
}

// mathOps are the ops whose meaning is a program of float operands.
func mathOps() (ops []Op) {
	for o := None + 1; o < NumOps; o++ {
		if o.Row().Progs[dtype.Float32] != nil {
			ops = append(ops, o)
		}
	}
	return ops
}
