package value

import (
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
)

// HasReceiver reports whether a value has a method of the language.
func HasReceiver(v Value, key string) bool {
	typ, _, _ := strings.Cut(key, ".")
	return v.Kind == kindNamed[typ]
}

// Accepts reports whether arguments are what a function of the language takes.
func Accepts(sig *types.Signature, args []Value) bool {
	n := sig.Params().Len()
	if len(args) != n && !(sig.Variadic() && len(args) >= n-1) {
		return false
	}
	for i, a := range args {
		t := sig.Params().At(min(i, n-1)).Type()
		if sig.Variadic() && i >= n-1 {
			t = t.(*types.Slice).Elem()
		}
		if !hasType(a, t) {
			return false
		}
	}
	return true
}

// hasType reports whether a value can be of a type of the language.
func hasType(v Value, t types.Type) bool {
	if gofile.IsDType(t) {
		return v.Kind == DTypeKind
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == gofile.LanguagePath && !types.IsInterface(t) {
		if k, ok := kindNamed[n.Obj().Name()]; ok {
			return v.Kind == k
		}
		return v.Kind == OptionKind
	}
	if _, ok := t.(*types.TypeParam); ok {
		return true // go/types has checked what it stands for
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return v.Kind == PointerKind || v.Kind == NilKind || v.Kind == ProgramKind && gofile.IsLanguage(u.Elem(), "Program")
	case *types.Basic:
		return v.Kind == ScalarKind && v.Basic == u.Kind() || v.Kind == StringKind && u.Kind() == types.String
	case *types.Slice:
		for _, x := range v.List {
			if !hasType(x, u.Elem()) {
				return false
			}
		}
		return v.Kind == ListKind || v.Kind == NilKind
	case *types.Array:
		return v.Kind == ArrayKind
	case *types.Struct:
		return v.Kind == StructKind
	case *types.Signature:
		return v.Kind == FuncKind || v.Kind == NilKind
	case *types.Interface:
		return u.NumMethods() == 0 || v.Kind == OptionKind || v.Kind == NilKind
	}
	return false
}

// kindNamed is the kinds of values of the language's named types; the others are
// options.
var kindNamed = map[string]Kind{
	"Tile": TileKind, "Desc": DescKind, "BlockPtr": BlockPtrKind, "DType": DTypeKind, "Program": ProgramKind,
}
