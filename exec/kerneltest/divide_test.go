package kerneltest_test

import (
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// TestBoolQuotients divides bools by true, and by tiles that are false somewhere.
func TestBoolQuotients(t *testing.T) {
	const n = 45
	for _, o := range []op.Op{op.FloorDiv, op.Mod} {
		for _, no := range []int{-1, 0, 17, n - 1} {
			b := kerneltest.NewBuilder()
			s := ir.ShapeOf(n)
			z := b.Emit(o, ir.Type{D: dtype.Bool, Shape: s}, b.Load(b.Ptr(dtype.Bool), s), b.Load(b.Ptr(dtype.Bool), s))
			b.Store(b.Ptr(dtype.Bool), z)
			b.Store(b.Ptr(dtype.Bool), b.Emit(op.Not, z.Type, z))
			err := sameIR(t, b.Done(), [3]int{1, 1, 1}, func(w *kerneltest.World) {
				w.Add(dtype.Bool, n)
				w.AddBits(dtype.Bool, n, func(i int) uint64 {
					if i == no {
						return 0
					}
					return 1
				})
				w.Add(dtype.Bool, n)
				w.Add(dtype.Bool, n)
			}, map[string]int{})
			if err != nil {
				t.Errorf("%v, false at %d: %v", o, no, err)
			}
		}
	}
}
