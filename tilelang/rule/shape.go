package rule

import (
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// Axis resolves an axis; a negative one counts from the end.
func (t Type) Axis(axis int) (int, *diag.Diagnostic) {
	a := axis
	if a < 0 {
		a += t.Shape.N
	}
	if a < 0 || a >= t.Shape.N {
		return 0, wrong("axis %d of %s, which has %d dimensions", axis, t, t.Shape.N)
	}
	return a, nil
}

// NewAxis resolves the place of an axis to be inserted; -1 is behind the last.
func (t Type) NewAxis(axis int) (int, *diag.Diagnostic) {
	if axis < 0 {
		axis += t.Shape.N + 1
	}
	if axis < 0 || axis > t.Shape.N {
		return 0, wrong("axis %d for %s", axis, t)
	}
	return axis, nil
}

// Insert is t with one more axis, of size n.
func (t Type) Insert(axis, n int) (Type, *diag.Diagnostic) {
	if t.Shape.N == shape.MaxRank {
		return t, wrong("%s already has %d dimensions, the maximum", t, shape.MaxRank)
	}
	t.Shape = t.Shape.Insert(axis, n)
	return t, nil
}

// Squeeze is t without an axis, which must have size 1.
func (t Type) Squeeze(axis int) (Type, *diag.Diagnostic) {
	a, d := t.Axis(axis)
	if d != nil {
		return t, d
	}
	if t.Shape.D[a] != 1 {
		return t, wrong("axis %d of %s has size %d", axis, t, t.Shape.D[a])
	}
	t.Shape = t.Shape.Drop(a)
	return t, nil
}

// Reshape is the type of t's elements in another shape.
func (t Type) Reshape(s shape.Shape) (Type, *diag.Diagnostic) {
	if s.Len() != t.Shape.Len() {
		return t, wrong("%s to %s: %d elements into %d", t, s, t.Shape.Len(), s.Len())
	}
	t.Shape = s
	return t, nil
}

// Repeat is the type of t repeated along axes of size 1.
func (t Type) Repeat(s shape.Shape) (Type, *diag.Diagnostic) {
	if !t.Shape.BroadcastsTo(s) {
		return t, wrong("%s to %s: sizes must be equal or 1", t, s)
	}
	t.Shape = s
	return t, nil
}

// Transpose is t with its last two axes swapped.
func (t Type) Transpose() (Type, *diag.Diagnostic) {
	n := t.Shape.N
	if n < 2 {
		return t, wrong("%s has fewer than two dimensions", t).Fix("make a column or a row of it: x.Col(), x.Row()")
	}
	t.Shape.D[n-1], t.Shape.D[n-2] = t.Shape.D[n-2], t.Shape.D[n-1]
	return t, nil
}

// Permute is t with its axes reordered: axis i of the result is axis axes[i] of t.
func (t Type) Permute(axes []int) (Type, *diag.Diagnostic) {
	s, ok := t.Shape.Permute(axes)
	if !ok {
		return t, wrong("%s of %s: want each axis 0 ... %d once", shape.Index(axes), t, t.Shape.N-1)
	}
	t.Shape = s
	return t, nil
}

// Interleave is the type of two tiles of type t, element by element along the last axis.
func (t Type) Interleave() (Type, *diag.Diagnostic) {
	if t.Shape.N == 0 {
		return t, wrong("scalars").Fix("use tl.Join")
	}
	t.Shape.D[t.Shape.N-1] *= 2
	return t, nil
}

// Split is the type of each half of t's last axis, which must have size 2.
func (t Type) Split() (Type, *diag.Diagnostic) {
	last := t.Shape.N - 1
	if last < 0 || t.Shape.D[last] != 2 {
		return t, wrong("%s: the last dimension must be 2", t).Fix("reshape it first")
	}
	t.Shape = t.Shape.Drop(last)
	return t, nil
}

// Follows reports whether a tile of type x can stand behind one of type t along an axis.
func (t Type) Follows(x Type, axis int) bool {
	return x.D == t.D && x.Shape.N == t.Shape.N && x.Shape.With(axis, t.Shape.D[axis]) == t.Shape
}

// DoesNotFollow is what is wrong if it cannot.
func (t Type) DoesNotFollow(x Type, axis int) *diag.Diagnostic {
	return wrong("%s and %s: dtypes and all sizes but that of axis %d must agree", t, x, axis)
}

// DifferInDType is what is wrong with two tiles that must have one dtype.
func DifferInDType(x, y Type) *diag.Diagnostic {
	return wrong("%s and %s differ in dtype", x, y).Fix("convert one of them with To")
}

// DoNotBroadcast is what is wrong with operands of which the last one does not fit the
// others.
func DoNotBroadcast(xs ...Type) *diag.Diagnostic {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = x.String()
	}
	f := wrong("%s do not broadcast", Sentence(parts)).Note("shapes are aligned at the last dimension; sizes must be equal or 1")
	a, b := xs[len(xs)-2].Shape, xs[len(xs)-1].Shape
	switch {
	case a.N == 1 && b.N == 1:
		return f.Fix("for all pairs of the two, make one a column and one a row: x.Col() and y.Row()")
	case a.N == 1 && b.N == 2 && a.D[0] == b.D[0] || b.N == 1 && a.N == 2 && b.D[0] == a.D[0]:
		return f.Fix("make the vector a column: x.Col()")
	}
	return f.Fix("give them the same shape with Reshape, ExpandDims or BroadcastTo")
}

// Cast is t converted to d, toward zero if that is asked for.
func (t Type) Cast(d dtype.DType, towardZero bool) (Type, *diag.Diagnostic) {
	switch {
	case t.D.IsPointer():
		return t, wrong("%s to %s: a pointer", t, d).Fix("convert what it points to: tl.Load(x).To(d)")
	case towardZero && (!t.D.IsFloat() || !d.IsFloat() || d.Size() >= t.D.Size()):
		return t, wrong("%s to %s: TowardZero is for a float to a narrower float", t, d).Fix("leave out TowardZero: it changes no other cast")
	}
	return t.As(d), nil
}

// Bitcast is t's bits as another dtype.
func (t Type) Bitcast(d dtype.DType) (Type, *diag.Diagnostic) {
	if t.D.IsPointer() || t.D.Bits() != d.Bits() {
		return t, wrong("%s (%d bits) to %s (%d bits)", t, t.D.Bits(), d, d.Bits()).Fix("use To to convert values")
	}
	return t.As(d), nil
}
