package frontend

import (
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
)

// hasReceiver reports whether a value has a method of the language.
func hasReceiver(v value, key string) bool {
	typ, _, _ := strings.Cut(key, ".")
	return v.kind == kindNamed[typ]
}

// accepts reports whether arguments are what a function of the language takes.
func accepts(sig *types.Signature, args []value) bool {
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
func hasType(v value, t types.Type) bool {
	if gofile.IsDType(t) {
		return v.kind == dtypeKind
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == gofile.LanguagePath && !types.IsInterface(t) {
		if k, ok := kindNamed[n.Obj().Name()]; ok {
			return v.kind == k
		}
		return v.kind == optionKind
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return v.kind == programKind && gofile.IsLanguage(u.Elem(), "Program")
	case *types.Basic:
		return v.kind == scalarKind && v.basic == u.Kind() || v.kind == stringKind && u.Kind() == types.String
	case *types.Slice:
		for _, x := range v.list {
			if !hasType(x, u.Elem()) {
				return false
			}
		}
		return v.kind == listKind || v.kind == nilKind
	case *types.Signature:
		return v.kind == funcKind || v.kind == nilKind
	case *types.Interface:
		return u.NumMethods() == 0 || v.kind == optionKind || v.kind == nilKind
	}
	return false
}

// kindNamed is the kinds of values of the language's named types; the others are
// options.
var kindNamed = map[string]kind{"Tile": tileKind, "Desc": descKind, "BlockPtr": blockPtrKind, "DType": dtypeKind, "Program": programKind}
