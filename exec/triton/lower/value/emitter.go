package value

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/number"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// An Emitter appends values to the kernel's Func: it computes with values, and evaluates no syntax.
type Emitter struct {
	Place
	Func     *ir.Func // nil where constants of a file are evaluated
	Block    *ir.Block
	Lanes    *Lanes // of a combining function
	Guessing bool   // which integers are pointers
	size     int
}

// MaxValues bounds a kernel: more are a loop unrolled or functions inlined beyond all reason.
const MaxValues = 100_000

// Emit appends a value to the current block.
func (l *Emitter) Emit(o op.Op, t ir.Type, args ...*ir.Value) *ir.Value {
	if l.Func == nil {
		Fail(l.Refuse("a constant of the file is not known before the kernel runs"))
	}
	if l.size++; l.size > MaxValues {
		Fail(l.Refuse("the kernel grows beyond %d operations", MaxValues).
			Note("functions are inlined and tl.static_range is unrolled").Fix("loop with range instead"))
	}
	v := l.Func.NewValue(o, t, l.Here(), args...)
	l.Lanes.add(l, v)
	return v
}

// Constant is a scalar constant.
func (l *Emitter) Constant(d dtype.DType, bits uint64) *ir.Value {
	v := l.Emit(op.Const, ir.Scalar(d))
	v.Bits = bits
	return v
}

// Lanes is a combining function being lowered: what does not depend on its lanes goes to the
// block around it.
type Lanes struct {
	Outer *ir.Block
	In    map[*ir.Value]bool
}

// add appends a value to the current block.
func (n *Lanes) add(l *Emitter, v *ir.Value) {
	b := l.Block
	if n != nil && !v.IsTerm() {
		if v.IsControl() || !v.Pure() {
			Fail(l.Refuse("%s in a combining function: it only computes", ir.OpName(v.Op)).
				Fix("choose with tl.where, and load or divide before the reduction"))
		}
		if slices.ContainsFunc(v.Args, func(a *ir.Value) bool { return n.In[a] }) {
			n.In[v] = true
		} else {
			b = n.Outer
		}
	}
	b.Values = append(b.Values, v)
}

// Assigned is a value as a variable holds it: a number becomes a scalar, as in Triton.
func (l *Emitter) Assigned(v Value) Value {
	if l.Frame.Plain {
		return v
	}
	if t, ok := v.(Tuple); ok {
		z := make(Tuple, len(t))
		for i, e := range t {
			z[i] = l.Assigned(e)
		}
		return z
	}
	if number.Is(v) && l.Func != nil {
		return l.ToTensor(v)
	}
	return v
}
