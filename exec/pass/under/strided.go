package under

import (
	"math/bits"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// What goes back through windows a few elements apart, as a transposed convolution or a gradient of pooling does, loads
// (i + c) / n where n divides i + c. There that is i/n and c/n, rounded up: indices alone are divided, which several
// lanes in turn have the same quotient of.

// divides reports whether v is such a quotient: of indices with a number added, by a power of two that the access's
// mask says to divide them.
func (w *writer) divides(v *ir.Value, m affine.Axes) bool {
	n, ok := numberOf(v.Args[1])
	sum := v.Args[0]
	if !ok || n < 2 || n > 1<<20 || n&(n-1) != 0 || sum.Op != op.Add || sum.Type.D != dtype.Int32 {
		return false
	}
	if c, ok := numberOf(sum.Args[1]); !ok || c < -1<<20 || c > 1<<20 || !isIndices(sum.Args[0]) {
		return false
	}
	whole, at := affine.Unshaped(sum, m)
	for p, holds := range w.known {
		c := p.v
		if !holds || c.Op != op.Eq || !affine.IsZeros(c.Args[1]) || c.Args[0].Op != op.Mod {
			continue
		}
		of, axes := affine.Unshaped(c.Args[0].Args[0], p.m)
		if d, ok := numberOf(c.Args[0].Args[1]); ok && d == n && of == whole && axes == at {
			return true
		}
	}
	return false
}

// numberOf is the int32 that a tile repeats.
func numberOf(v *ir.Value) (n int64, ok bool) {
	c := affine.RepeatedConst(v)
	if c == nil || c.Type.D != dtype.Int32 {
		return 0, false
	}
	return dtype.ToInt(dtype.Int32, c.Bits), true
}

// isIndices reports whether v is the indices of a dimension.
func isIndices(v *ir.Value) bool {
	v, _ = affine.Unshaped(v, affine.Axes{})
	return v.Op == op.Arange && v.Type.Shape.N == 1
}

// quotient is what it is where the mask holds.
func (w *writer) quotient(v *ir.Value) *ir.Value {
	n, _ := numberOf(v.Args[1])
	c, _ := numberOf(v.Args[0].Args[1])
	up := w.Add(op.Const, ir.Scalar(dtype.Int32))
	up.Bits = uint64(uint32(-(-c >> bits.TrailingZeros64(uint64(n)))))
	return w.Add(op.Add, v.Type, w.Clone(v, v.Type, v.Args[0].Args[0], v.Args[1]), w.Add(op.Broadcast, v.Type, up))
}
