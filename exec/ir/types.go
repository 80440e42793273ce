package ir

import (
	"fmt"

	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// checkTypes checks operand and result types of everything but control flow.
func checkTypes(v *Value) error {
	switch v.Op {
	case PtrAdd:
		if !v.Type.D.IsPointer() {
			return fmt.Errorf("the result is %s", v.Type)
		}
		return args(v, v.Type, v.Type.As(dtype.Int64))
	case Fits:
		if !v.Type.D.IsInt() || v.Type.IsTile() {
			return fmt.Errorf("the result is %s", v.Type)
		}
		return args(v, int64Type)
	case Result:
		return checkResult(v)
	case Swizzle:
		s, apart := v.Type.Shape, v.Index
		if s.N != 1 || apart < 1 || apart&(apart-1) != 0 || s.D[0]%(2*apart) != 0 || v.Axis > 2 {
			return fmt.Errorf("elements %d apart of %s", v.Index, v.Type)
		}
		return args(v, v.Type)
	case GoMath:
		return checkMath(v)
	case Param:
		return fmt.Errorf("a parameter in a block")
	}
	if v.Op >= op.NumOps {
		return fmt.Errorf("unknown op")
	}
	check, ok := checks[v.Op.Row().Family]
	if !ok {
		return fmt.Errorf("not an op of the IR")
	}
	return check(v)
}

func checkResult(v *Value) error {
	if len(v.Args) != 1 || v.Index < 0 || v.Index >= len(v.Args[0].Results) {
		return fmt.Errorf("no result number %d", v.Index)
	}
	if want := v.Args[0].Results[v.Index]; v.Type != want {
		return fmt.Errorf("type %s, want %s", v.Type, want)
	}
	return nil
}

// checks has one entry per family.
var checks = map[op.Family]func(v *Value) error{
	op.Elementwise: checkElementwise,
	op.Primitive:   checkPrimitive,
	op.Change:      checkChange,
	op.Create:      checkCreate,
	op.Shape:       checkMove,
	op.Reducing:    checkReducing,
	op.Scanning:    checkScanning,
	op.Ordering:    checkOrdering,
	op.DotProduct:  checkDot,
	op.Memory:      checkMemory,
	op.Atomic:      checkMemory,
	op.Effect:      checkEffect,
}

// operandType is the type that an elementwise op's operands have, given its result.
func operandType(v *Value) Type {
	t := v.Type
	if n := len(v.Args); n > 0 {
		t.D = v.Args[n-1].Type.D
	}
	return t
}

func checkElementwise(v *Value) error {
	row, t := v.Op.Row(), operandType(v)
	pointers := v.Op == op.Where && t.D.IsPointer()
	if !row.In.Has(t.D) && !pointers {
		return fmt.Errorf("operands of %s", t.D)
	}
	want := make([]Type, row.Arity)
	for i := range want {
		want[i] = t
	}
	if v.Op == op.Where {
		want[0] = t.As(dtype.Bool)
	}
	if d := v.Op.Result(t.D); v.Type.D != d && !pointers {
		return fmt.Errorf("the result is %s, want %s", v.Type.D, d)
	}
	return args(v, want...)
}

// checkPrimitive allows the primitives that passes and programs put into a Func.
func checkPrimitive(v *Value) error {
	switch v.Op {
	case op.Const:
		if !v.Type.D.Valid() || v.Type.D.IsPointer() || v.Type.IsTile() {
			return fmt.Errorf("a constant of type %s", v.Type)
		}
		if d := v.Type.D; d.Bits() < 64 && v.Bits>>d.Bits() != 0 {
			return fmt.Errorf("constant %x is too wide for %s", v.Bits, d)
		}
		return args(v)
	case op.Scale:
		return args(v, v.Type, v.Type)
	}
	return fmt.Errorf("it stands only in programs")
}

func checkChange(v *Value) error {
	if len(v.Args) != 1 || v.Args[0].Type.Shape != v.Type.Shape {
		return fmt.Errorf("want one operand of the result's shape")
	}
	from, to := v.Args[0].Type.D, v.Type.D
	switch {
	case from.IsPointer() || to.IsPointer():
		return fmt.Errorf("from %s to %s", from, to)
	case v.Op == op.Bitcast && from.Bits() != to.Bits():
		return fmt.Errorf("from %s to %s: widths differ", from, to)
	case v.Op == op.CastRTZ && (!from.IsFloat() || !to.IsFloat() || to.Size() >= from.Size()):
		return fmt.Errorf("from %s to %s", from, to)
	}
	return nil
}

func checkCreate(v *Value) error {
	if v.Op != op.Arange {
		return fmt.Errorf("write a constant and broadcast it")
	}
	if v.Type.D != dtype.Int32 || v.Type.Shape.N != 1 {
		return fmt.Errorf("the result is %s", v.Type)
	}
	return args(v)
}

func checkMove(v *Value) error {
	n := 1
	if v.Op == op.Join {
		n = 2
	}
	if v.Op != op.Cat && len(v.Args) != n || len(v.Args) == 0 {
		return fmt.Errorf("%d operands", len(v.Args))
	}
	for _, a := range v.Args {
		if a.Type.D != v.Type.D {
			return fmt.Errorf("from %s to %s", a.Type, v.Type)
		}
	}
	if !moves(v, v.Args[0].Type, v.Type) {
		return fmt.Errorf("from %s to %s", v.Args[0].Type, v.Type)
	}
	return nil
}

// moves reports whether a shape op makes a value of type z of one of type x.
func moves(v *Value, x, z Type) bool {
	var want Type
	var wrong *diag.Diagnostic
	switch v.Op {
	case op.Broadcast:
		want, wrong = x.Repeat(z.Shape)
	case op.Reshape:
		want, wrong = x.Reshape(z.Shape)
	case op.Permute:
		want, wrong = x.Permute(v.Axes)
	case op.Join:
		if v.Args[1].Type != x {
			return false
		}
		want, wrong = x.Insert(x.Shape.N, 2)
	case op.Split:
		if v.Index>>1 != 0 {
			return false
		}
		want, wrong = x.Split()
	case op.Cat:
		return concatenates(v, z)
	case op.Flip:
		want = x
		if v.Axis < 0 || v.Axis >= x.Shape.N {
			return false
		}
	default:
		return false
	}
	return wrong == nil && want == z
}

func concatenates(v *Value, z Type) bool {
	if v.Axis < 0 || v.Axis >= z.Shape.N {
		return false
	}
	n := 0
	for _, a := range v.Args {
		if !z.Follows(a.Type, v.Axis) {
			return false
		}
		n += a.Type.Shape.D[v.Axis]
	}
	return n == z.Shape.D[v.Axis]
}

func checkReducing(v *Value) error {
	if len(v.Args) != 1 {
		return fmt.Errorf("%d operands", len(v.Args))
	}
	x := v.Args[0].Type
	if v.Axis < 0 || v.Axis >= x.Shape.N {
		return fmt.Errorf("axis %d of %s", v.Axis, x)
	}
	if x.D.IsPointer() || x.D.IsNarrow() && v.Op == op.Sum {
		return fmt.Errorf("operand %s: it must be widened", x)
	}
	value, index := Type{D: x.D, Shape: x.Shape.Drop(v.Axis)}, Type{D: dtype.Int32, Shape: x.Shape.Drop(v.Axis)}
	switch v.Op {
	case op.MaxIndex, op.MinIndex:
		if len(v.Results) != 2 || v.Results[0] != value || v.Results[1] != index {
			return fmt.Errorf("results %v, want %s and %s", v.Results, value, index)
		}
		return nil
	case op.ArgMax, op.ArgMin:
		value = index
	}
	if v.Type != value {
		return fmt.Errorf("the result is %s, want %s", v.Type, value)
	}
	return nil
}

func checkScanning(v *Value) error {
	if v.Axis < 0 || v.Axis >= v.Type.Shape.N || v.Type.D.IsNarrow() || v.Type.D.IsPointer() {
		return fmt.Errorf("axis %d of %s", v.Axis, v.Type)
	}
	return args(v, v.Type)
}

func checkOrdering(v *Value) error {
	if len(v.Args) == 0 {
		return fmt.Errorf("no operands")
	}
	x := v.Args[0].Type
	if !x.IsTile() || x.D.IsPointer() && v.Op != op.Gather {
		return fmt.Errorf("operand %s", x)
	}
	last := x.Shape.N - 1
	switch v.Op {
	case op.Sort:
		return args(v, v.Type)
	case op.ArgSort, op.TopK:
		z := x.Shape
		if v.Op == op.TopK {
			z = z.With(last, v.Index)
		}
		if len(v.Results) != 2 || v.Results[0] != (Type{D: x.D, Shape: z}) || v.Results[1] != (Type{D: dtype.Int32, Shape: z}) || z.D[last] < 1 || z.D[last] > x.Shape.D[last] {
			return fmt.Errorf("results %v", v.Results)
		}
		return args(v, x)
	case op.Histogram:
		if v.Type.D != dtype.Int32 || v.Type.Shape.N != 1 || !op.Ints.Has(x.D) {
			return fmt.Errorf("from %s to %s", x, v.Type)
		}
		if v.Flags&Masked != 0 {
			return args(v, x, x.As(dtype.Bool))
		}
		return args(v, x)
	case op.Gather:
		return checkGather(v, x)
	}
	return fmt.Errorf("unknown op")
}

func checkGather(v *Value, x Type) error {
	if len(v.Args) != 2 || v.Axis < 0 || v.Axis >= x.Shape.N || v.Type.D != x.D {
		return fmt.Errorf("from %s to %s along axis %d", x, v.Type, v.Axis)
	}
	ix := v.Args[1].Type
	if z, wrong := x.Gather(ix, v.Axis); wrong != nil || z != v.Type {
		return fmt.Errorf("an index of %s into %s giving %s", ix, x, v.Type)
	}
	return nil
}

// dotTypes are the accumulator types of each operand type: the wide float or integer
// that holds the chain. Result float16 rounds a float32 chain at its end.
func dotTypes(d dtype.DType) []dtype.DType {
	switch {
	case d.IsNarrow() || d == dtype.Float32:
		return []dtype.DType{dtype.Float32, dtype.Float16}
	case d.IsFloat() || d.Bits() >= 32:
		return []dtype.DType{d}
	case d.IsSigned():
		return []dtype.DType{dtype.Int32}
	}
	return []dtype.DType{dtype.Uint32}
}

func checkDot(v *Value) error {
	if len(v.Args) < 2 {
		return fmt.Errorf("%d operands", len(v.Args))
	}
	a, b := v.Args[0].Type, v.Args[1].Type
	if z, wrong := rule.DotShape(a, b); wrong != nil || z != v.Type.Shape {
		return fmt.Errorf("%s and %s give %s", a, b, v.Type)
	}
	if a.D != b.D && !(a.D.IsFP8() && b.D.IsFP8()) {
		return fmt.Errorf("operands of %s and %s", a.D, b.D)
	}
	ok := false
	for _, d := range dotTypes(a.D) {
		ok = ok || d == v.Type.D
	}
	if !ok {
		return fmt.Errorf("a result of %s from %s", v.Type.D, a.D)
	}
	if dot.Takes(a, b, v.Chain) != nil || v.Chain != dot.Ascending && v.Type.D != dtype.Float32 {
		return fmt.Errorf("%s is for bfloat16, from %s and %s to %s", v.Chain, a.D, b.D, v.Type.D)
	}
	if v.Flags&HasAcc != 0 {
		return args(v, a, b, v.Type)
	}
	return args(v, a, b)
}

func checkMemory(v *Value) error {
	want := 1
	for _, n := range []struct {
		have bool
		n    int
	}{{v.Op == op.AtomicCAS, 2}, {v.Op != op.Load && v.Op != op.AtomicCAS, 1}, {v.Flags&Masked != 0, 1}, {v.Flags&HasOther != 0, 1}} {
		if n.have {
			want += n.n
		}
	}
	if len(v.Args) != want {
		return fmt.Errorf("%d operands, want %d", len(v.Args), want)
	}
	if v.Flags&HasOther != 0 && (v.Op != op.Load || v.Flags&Masked == 0) {
		return fmt.Errorf("other without a mask")
	}
	m := v.Memory()
	if !m.Ptr.Type.D.IsPointer() {
		return fmt.Errorf("the address is %s", m.Ptr.Type)
	}
	elem := m.Ptr.Type.As(m.Ptr.Type.D.Elem())
	result := elem
	if v.Op == op.Store {
		result = Type{}
	}
	if v.Type != result {
		return fmt.Errorf("the result is %s, want %s", v.Type, result)
	}
	if !v.Op.Row().In.Has(elem.D) {
		return fmt.Errorf("elements of %s", elem.D)
	}
	for _, a := range []*Value{m.Val, m.Cmp, m.Other} {
		if a != nil && a.Type != elem {
			return fmt.Errorf("an operand of %s, want %s", a.Type, elem)
		}
	}
	if m.Mask != nil && m.Mask.Type != elem.As(dtype.Bool) {
		return fmt.Errorf("a mask of %s for %s", m.Mask.Type, elem)
	}
	return nil
}

func checkEffect(v *Value) error {
	switch v.Op {
	case op.ProgramID, op.NumPrograms:
		if v.Type != int64Type || v.Index < 0 || v.Index > 2 {
			return fmt.Errorf("%s of axis %d", v.Type, v.Index)
		}
		return args(v)
	case op.Assert:
		if len(v.Args) == 0 || v.Args[0].Type.D != dtype.Bool || v.Type.D != dtype.Invalid {
			return fmt.Errorf("want a bool condition, and no result")
		}
		return nil
	case op.Print:
		if v.Type.D != dtype.Invalid {
			return fmt.Errorf("it has a result")
		}
		return nil
	}
	return fmt.Errorf("it is a promise, and not lowered")
}
