package frontend

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

// goConstant is a constant expression's value.
func (l *source) goConstant(e ast.Expr, tv types.TypeAndValue) value {
	if gofile.IsDType(tv.Type) {
		n, _ := constant.Uint64Val(constant.ToInt(tv.Value))
		return dtypeValue(dtype.DType(n))
	}
	b, _ := gofile.BasicOf(tv.Type)
	if b == types.String {
		if tv.Value.Kind() != constant.String {
			return bad
		}
		return stringValue(constant.StringVal(tv.Value))
	}
	d, ok := goTypes[b]
	if !ok {
		return l.refuse(e.Pos(), "a constant of type "+gofile.TypeName(tv.Type), "", "use an int or a float64")
	}
	v := value{kind: scalarKind, basic: b, known: true}
	switch {
	case d == dtype.Bool:
		if tv.Value.Kind() == constant.Bool && constant.BoolVal(tv.Value) {
			v.bits = 1
		}
	case d == dtype.Float32:
		x, _ := constant.Float32Val(constant.ToFloat(tv.Value))
		v.bits = uint64(math.Float32bits(x))
	case d == dtype.Float64:
		x, _ := constant.Float64Val(constant.ToFloat(tv.Value))
		v.bits = math.Float64bits(x)
	default:
		i := constant.ToInt(tv.Value)
		if n, exact := constant.Int64Val(i); exact {
			v.bits = dtype.FromInt(d, n, false)
		} else if n, exact := constant.Uint64Val(i); exact {
			v.bits = n
		}
	}
	if n, ok := types.Unalias(tv.Type).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == gofile.LanguagePath && n.Obj().Name() == "AxisOption" {
		return value{kind: optionKind, s: "Axis", list: []value{intValue(int(v.int()))}}
	}
	return v
}

// typed is a value of a type; in a file with type errors it may not be one.
func (l *source) typed(v value, t types.Type) value {
	if l.f.HasErrors() && !hasType(v, t) {
		l.suspect(l.k.Node.Pos())
		return bad
	}
	return v
}

// zero is the value of a variable declared without one.
func (l *source) zero(t types.Type, p token.Pos) value {
	if gofile.IsDType(t) {
		return dtypeValue(dtype.Invalid)
	}
	if b, ok := gofile.BasicOf(t); ok {
		if b == types.String {
			return stringValue("")
		}
		if goTypes[b] != 0 {
			return value{kind: scalarKind, basic: b, known: true}
		}
	}
	switch t.Underlying().(type) {
	case *types.Signature, *types.Interface:
		return value{kind: nilKind}
	case *types.Slice:
		return value{kind: listKind}
	}
	for _, name := range []string{"Tile", "Desc", "BlockPtr"} {
		if gofile.IsLanguage(t, name) {
			why := &reason{format: "%s has no value here", fix: "assign it on every path to here, for example with tl.Zeros"}
			why.notes = append(why.notes, diag.Note{Pos: l.f.Position(p), Text: "it is declared here without a value"})
			return value{kind: absent, why: why}
		}
	}
	if t == types.Typ[types.Invalid] {
		return bad
	}
	return l.refuse(p, "a variable of type "+gofile.TypeName(t), "", "a kernel computes with tiles, numbers and bools")
}
