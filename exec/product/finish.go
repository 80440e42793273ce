package product

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A Finish is what becomes of accumulators, where that is a few operations on each: a kernel that moves accumulators
// to C carries them out on the way.
type Finish struct {
	Value  *ir.Value // what is stored
	Acc    *ir.Value // the accumulator that it is made of
	Leaves []Leaf
}

// A Leaf is what a Finish reads beside the accumulator: a load of the epilogue, or a parameter.
type Leaf struct {
	Value      *ir.Value
	Extra      int  // of Match.Extras; -1: a parameter, as it is or converted
	Rows, Cols bool // whether it differs among rows, among columns
}

// Bits is a leaf that is a parameter.
func (l Leaf) Bits(args []ir.Arg) uint64 {
	if l.Value.Op == ir.Param {
		return args[l.Value.Index].Bits
	}
	p := l.Value.Args[0]
	return dtype.Convert(l.Value.Type.D, p.Type.D, args[p.Index].Bits, false)
}

// MostLeaves is how many leaves a Finish has at most.
const MostLeaves = 4

// mostFinishOps is how many operations it has: code for them stands in a kernel several times.
const mostFinishOps = 12

// Finish is what becomes of accumulators, nil if that is nothing, or more than a Finish may be.
func (m *Match) Finish() *Finish {
	w := &finishWalk{Match: m, Finish: &Finish{Value: m.store.Memory().Val, Acc: m.acc}, seen: map[*ir.Value]bool{}}
	if m.Plain() || !w.made(w.Value) {
		return nil
	}
	return w.Finish
}

// A finishWalk goes from what is stored to what it is made of.
type finishWalk struct {
	*Match
	*Finish
	seen map[*ir.Value]bool
	ops  int
}

func (w *finishWalk) made(v *ir.Value) bool {
	if w.seen[v] {
		return true
	}
	w.seen[v] = true
	switch {
	case v == w.acc || v.Op == op.Const:
		return finishes(v.Type.D)
	case v.Op == ir.Param, v.Op == op.Cast && v.Args[0].Op == ir.Param && !v.Type.IsTile():
		return w.leaf(Leaf{Value: v, Extra: -1})
	case v.Op == op.Load:
		k := slices.IndexFunc(w.Extras, func(x Extra) bool { return x.load == v })
		return w.leaf(Leaf{v, k, w.Extras[k].CoefOf(0) != nil, w.Extras[k].CoefOf(1) != nil})
	case v.Type.IsTile() && ir.Family(v.Op) == op.Shape:
		return w.made(v.Args[0])
	}
	if w.ops++; w.ops > mostFinishOps || !finishOp(v) {
		return false
	}
	for _, a := range v.Args {
		if !w.made(a) {
			return false
		}
	}
	return true
}

func (w *finishWalk) leaf(l Leaf) bool {
	w.Leaves = append(w.Leaves, l)
	return len(w.Leaves) <= MostLeaves && finishes(l.Value.Type.D)
}

// finishes reports whether elements of a type have their place in a Finish.
func finishes(d dtype.DType) bool {
	return d == dtype.Int32 || d == dtype.Float32 || d == dtype.Float16 || d == dtype.BFloat16
}

// finishOp reports whether an operation is one that code without constant tables and calls carries out.
func finishOp(v *ir.Value) bool {
	if !v.Type.IsTile() {
		return false
	}
	from := v.Args[len(v.Args)-1].Type.D
	switch v.Op {
	case op.Cast:
		return finishes(from) && finishes(v.Type.D) && v.Type.D != dtype.Int32
	case op.Add, op.Sub, op.Mul, op.Maximum, op.Minimum:
		return finishes(from)
	case op.Div, op.Neg, op.Abs, op.Exp, op.Sigmoid, op.Where, op.Gt, op.Ge, op.Lt, op.Le:
		return finishes(from) && from.IsFloat()
	}
	return false
}
