package value

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// GoConstant is a constant expression's value.
func (l *source) GoConstant(e ast.Expr, tv types.TypeAndValue) Value {
	if gofile.IsDType(tv.Type) {
		n, _ := constant.Uint64Val(constant.ToInt(tv.Value))
		return DType(dtype.DType(n))
	}
	b, _ := gofile.BasicOf(tv.Type)
	if b == types.String {
		if tv.Value.Kind() != constant.String {
			return Bad
		}
		return String(constant.StringVal(tv.Value))
	}
	d, ok := GoTypes[b]
	if !ok {
		return l.Refuse(e.Pos(), "a constant of type "+gofile.TypeName(tv.Type), "", "use an int or a float64")
	}
	v := Value{Kind: ScalarKind, Basic: b, Known: true}
	switch {
	case d == dtype.Bool:
		if tv.Value.Kind() == constant.Bool && constant.BoolVal(tv.Value) {
			v.Bits = 1
		}
	case d == dtype.Float32:
		x, _ := constant.Float32Val(constant.ToFloat(tv.Value))
		v.Bits = uint64(math.Float32bits(x))
	case d == dtype.Float64:
		x, _ := constant.Float64Val(constant.ToFloat(tv.Value))
		v.Bits = math.Float64bits(x)
	default:
		i := constant.ToInt(tv.Value)
		if n, exact := constant.Int64Val(i); exact {
			v.Bits = dtype.FromInt(d, n, false)
		} else if n, exact := constant.Uint64Val(i); exact {
			v.Bits = n
		}
	}
	if gofile.IsLanguage(tv.Type, "AxisOption") {
		return Value{Kind: OptionKind, Str: "Axis", List: []Value{Int(int(v.Int()))}}
	}
	return v
}

// Typed is a value of a type; in a file with type errors it may not be one.
func (l *source) Typed(v Value, t types.Type) Value {
	if l.File.HasErrors() && !hasType(v, t) {
		l.Suspect(l.Kernel.Node.Pos())
		return Bad
	}
	return v
}

// Zero is the value of a variable declared without one.
func (l *Emitter) Zero(t types.Type, p token.Pos) Value {
	t = l.Real(t)
	if gofile.IsDType(t) {
		return DType(dtype.Invalid)
	}
	if gofile.IsOption(t) {
		return l.unset(p, "")
	}
	if b, ok := gofile.BasicOf(t); ok {
		if b == types.String {
			return String("")
		}
		if GoTypes[b] != 0 {
			return Value{Kind: ScalarKind, Basic: b, Known: true}
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Signature, *types.Interface, *types.Pointer:
		return Value{Kind: NilKind}
	case *types.Slice:
		return Value{Kind: ListKind}
	case *types.Array:
		return l.zeroArray(t, u, p)
	case *types.Struct:
		if !gofile.IsForeign(t) {
			return l.zeroStruct(u, p)
		}
	}
	for _, name := range []string{"Tile", "Desc", "BlockPtr"} {
		if gofile.IsLanguage(t, name) {
			return l.unset(p, ", for example with tl.Zeros")
		}
	}
	if t == types.Typ[types.Invalid] {
		return Bad
	}
	return l.Refuse(p, "a variable of type "+gofile.TypeName(t), "", "a kernel computes with tiles, numbers and bools")
}

// unset is the value of a variable that must be assigned before it is read.
func (l *Emitter) unset(p token.Pos, example string) Value {
	why := &Reason{Format: "%s has no value here", Fix: "assign it on every path to here" + example}
	why.Notes = append(why.Notes, diag.Note{Pos: l.File.Position(p), Text: "it is declared here without a value"})
	return Value{Kind: Absent, Why: why}
}

// MaxElements bounds the parts of an array or a struct, each of which is a variable of its own.
const MaxElements = 4096

// Parts is how many values a variable of a type is taken apart into, or more than MaxElements.
func Parts(t types.Type) int {
	switch u := t.Underlying().(type) {
	case *types.Array:
		if u.Len() > MaxElements {
			return MaxElements + 1
		}
		return max(1, min(int(u.Len())*Parts(u.Elem()), MaxElements+1))
	case *types.Struct:
		n := 0
		for f := range u.Fields() {
			n = min(n+Parts(f.Type()), MaxElements+1)
		}
		return max(n, 1)
	}
	return 1
}

func (l *Emitter) zeroArray(t types.Type, u *types.Array, p token.Pos) Value {
	if Parts(t) > MaxElements {
		return l.Refuse(p, "a "+gofile.TypeName(t), "each of its elements would be a variable", "use a tile, or a tensor parameter")
	}
	v := Value{Kind: ArrayKind}
	for range u.Len() {
		x := l.Zero(u.Elem(), p)
		if x.Kind == Poison {
			return Bad
		}
		v.List = append(v.List, x)
	}
	return v
}

func (l *Emitter) zeroStruct(u *types.Struct, p token.Pos) Value {
	v := Value{Kind: StructKind}
	for f := range u.Fields() {
		x := l.Zero(f.Type(), p)
		if x.Kind == Poison {
			return Bad
		}
		v.List = append(v.List, x)
	}
	return v
}
