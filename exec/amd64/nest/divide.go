package nest

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/cursor"
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A row that is divided by one number, as softmax does, is multiplied by its reciprocal.

// divisors are what a nest divides by: reciprocals of floats, and inverses of integers.
type divisors struct {
	reciprocals map[divisorKey]*elementwise.Reciprocal
	inverses    map[cursor.Key]elementwise.Inverse
}

// divisorKey is a divisor of dividends of which it is known, or not, that they are small.
type divisorKey struct {
	cursor.Key
	small bool
}

// divides reports whether v is better divided by way of a reciprocal.
func (n *values) divides(v *ir.Value, m affine.Axes) bool {
	return n.G.EVEX && v.Op == op.Div && v.Type.D == dtype.Float32 && n.Varies(v, m) && !n.Varies(v.Args[1], m)
}

// reciprocalOf is computed where the divisor is.
func (n *values) reciprocalOf(v *ir.Value, m affine.Axes, small bool) *elementwise.Reciprocal {
	key := divisorKey{n.KeyOf(v, m), small}
	if r := n.divisors.reciprocals[key]; r != nil {
		return r
	}
	r, b := &elementwise.Reciprocal{}, n.Eval(v, m)
	n.At(n.LevelOf(n.DependsOn(v, m)), func() { *r = n.G.ReciprocalOf(b, small) })
	n.divisors.reciprocals[key] = r
	return r
}

// divideInt divides by a number that many blocks have: it multiplies by an inverse that is computed where the divisor
// is. A remainder is made of its quotient.
func (n *values) divideInt(v *ir.Value, m affine.Axes) lane.Lanes {
	x, y := n.Eval(v.Args[0], m), n.Eval(v.Args[1], m)
	if scalar.Shifts(v, y) {
		return n.G.Apply(v, []lane.Lanes{x, y})
	}
	if scalar.LooksUp(n.G.Scalars, v, y) {
		return n.G.DivideSmall(v.Op, v.Type.D, x, y)
	}
	if q := fuse.Quotient(n.G.Plan, v); v.Op == op.Mod && q != nil && (!n.G.Keeps(q) || n.G.InMemory(q)) {
		return n.G.RestOf(v.Type.D, x, y, n.Eval(q, m))
	}
	if y.Known {
		return n.G.Apply(v, []lane.Lanes{x, y})
	}
	key := n.KeyOf(v.Args[1], m)
	inverse, ok := n.divisors.inverses[key]
	if !ok {
		n.At(n.LevelOf(n.DependsOn(v.Args[1], m)), func() { inverse = n.G.InverseOf(v.Type.D, y) })
		n.divisors.inverses[key] = inverse
	}
	return n.G.DivideBy(v.Op, v.Type.D, x, inverse)
}
