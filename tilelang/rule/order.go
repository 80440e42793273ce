package rule

import (
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Sortable is the rule of what has an order along its last axis.
func (t Type) Sortable() *diag.Diagnostic {
	if d := t.NoPointer(); d != nil {
		return d
	}
	if !t.IsTile() {
		return wrong("%s: a scalar", t).Fix("sort a tile of at least one dimension")
	}
	return nil
}

// TopK is the type of the k greatest along the last axis of t, which is sortable.
func (t Type) TopK(k int) (Type, *diag.Diagnostic) {
	last := t.Shape.N - 1
	if n := t.Shape.D[last]; k < 1 || k > n {
		return t, wrong("k is %d, but the last axis of %s has %d elements", k, t, n).Fix("k must be 1 ... %d", n)
	}
	t.Shape = t.Shape.With(last, k)
	return t, nil
}

// Countable is the rule of what a histogram counts.
func (t Type) Countable() *diag.Diagnostic {
	if d := t.NoPointer(); d != nil {
		return d
	}
	if !op.Ints.Has(t.D) {
		return wrong("%s: integers only", t).Fix("convert first: x.To(tl.Int32)")
	}
	return nil
}

// Bits is the rule of what sums by bits combine: integers and bools.
func (t Type) Bits() *diag.Diagnostic {
	if d := t.NoPointer(); d != nil || t.D.IsInt() {
		return d
	}
	return wrong("%s: integers only", t).Fix("convert first: x.To(tl.Int32)")
}

// OnlyMask is what is wrong with another option of a histogram.
func OnlyMask() *diag.Diagnostic {
	return wrong("the only option is tl.Mask").Fix("use tl.Mask to choose what is counted")
}

// Gather is the type of elements of t picked along an axis by an index.
func (t Type) Gather(index Type, axis int) (Type, *diag.Diagnostic) {
	if !op.Ints.Has(index.D) {
		return t, wrong("%s by an index of %s: integers only", t, index).Fix("convert the index first: i.To(tl.Int32)")
	}
	if index.Shape.N != t.Shape.N || index.Shape.With(axis, t.Shape.D[axis]) != t.Shape {
		return t, wrong("%s by an index of %s: all sizes but that of axis %d must agree", t, index, axis).Fix("repeat the index with BroadcastTo")
	}
	return index.As(t.D), nil
}

// ReduceAs is what is wrong with As in a reduction that has no dtype to choose.
func ReduceAs(asked dtype.DType) *diag.Diagnostic {
	return wrong("As(%s): the dtype of the result follows from the operand's", asked).Fix("convert the operand or the result with To")
}

// SameShape is the rule of tiles that are reduced or scanned together.
func SameShape(x, y Type) *diag.Diagnostic {
	if x.Shape != y.Shape {
		return wrong("%s and %s differ in shape", x, y).Fix("bring them to one shape with tl.Broadcast")
	}
	return nil
}
