package gofile

import (
	"go/ast"
	"go/types"

	"github.com/tiler-go/tiler/tilelang/diag"
)

// Kind is what a kernel parameter takes.
type Kind uint8

// The kinds.
const (
	Ptr Kind = iota + 1
	Int
	Const // an int that is compiled in
	Float
	Bool
	DType
	String
)

var kindNames = [...]string{"", "tl.Ptr", "int", "tl.Const", "float64", "bool", "tl.DType", "string"}

// String is the kind as a parameter list spells it.
func (k Kind) String() string { return kindNames[k] }

// A Param is a parameter of a kernel after its program.
type Param struct {
	Name string
	Kind Kind
}

// Params is the kernel's parameters after the program. The error is a diag.List.
func (f *File) Params(kernel string) (ps []Param, err error) {
	k, err := f.Lookup(kernel)
	if err != nil {
		return nil, err
	}
	var errs diag.List
	for i, field := range k.Params.List {
		kind := f.paramKind(field.Type)
		names := field.Names
		if len(names) == 0 {
			names = []*ast.Ident{{Name: "_", NamePos: field.Pos()}}
		}
		for n, id := range names {
			if i+n == 0 {
				continue // the program
			}
			if kind == 0 {
				errs = append(errs, diag.At(f.Position(id.Pos()), "parameter %s of kernel %s is %s", id.Name, k.Name, f.typeString(field.Type)).
					Fix("a kernel takes tl.Ptr, int, float64, bool, tl.Const, tl.DType and string"))
			}
			ps = append(ps, Param{id.Name, kind})
		}
	}
	return ps, errs.Err()
}

func (f *File) paramKind(e ast.Expr) Kind {
	if s, ok := e.(*ast.SelectorExpr); ok {
		if o, ok := f.Info.Uses[s.Sel].(*types.TypeName); ok && o.Name() == "Const" && o.Pkg() != nil && o.Pkg().Path() == LanguagePath {
			return Const
		}
	}
	t := f.Info.TypeOf(e)
	if t == nil {
		return 0
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if IsLanguage(t, "Tile") {
			return Ptr
		}
		if IsDType(t) {
			return DType
		}
	case *types.Basic:
		switch t.Kind() {
		case types.Int:
			return Int
		case types.Float64:
			return Float
		case types.Bool:
			return Bool
		case types.String:
			return String
		}
	}
	return 0
}

func (f *File) typeString(e ast.Expr) string {
	t := f.Info.TypeOf(e)
	if t == nil || t == types.Typ[types.Invalid] {
		return "of an unknown type"
	}
	return TypeName(t)
}
