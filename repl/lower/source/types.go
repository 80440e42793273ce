package source

import (
	"go/types"
	"strings"
)

// Package is the path of the package that the type checker takes a session's code
// for.
const Package = "main"

// Session reports whether an object is declared by the session's code.
func Session(o types.Object) bool { return o.Pkg() != nil && o.Pkg().Path() == Package }

// Generic reports whether a function or its receiver's type has type parameters.
func Generic(o *types.Func) bool {
	s := o.Signature()
	return s.TypeParams().Len() > 0 || s.RecvTypeParams().Len() > 0
}

// Erased reports whether a type's identity is lost by erasure: it is, or contains, a
// named type that the session declared, or a struct with names of its own.
func Erased(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return Session(t.Obj())
	case *types.Pointer:
		return Erased(t.Elem())
	case *types.Slice:
		return Erased(t.Elem())
	case *types.Array:
		return Erased(t.Elem())
	case *types.Chan:
		return Erased(t.Elem())
	case *types.Map:
		return Erased(t.Key()) || Erased(t.Elem())
	case *types.Struct:
		return true
	case *types.Interface:
		return t.NumMethods() > 0
	case *types.Signature:
		for _, vars := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range vars.Variables() {
				if Erased(v.Type()) {
					return true
				}
			}
		}
	}
	return false
}

// BinaryInterface reports whether a type is an interface of compiled Go: error, or
// one of an imported package. Values of such a type are what compiled Go takes them
// for; those of all other interface types are interface{}.
func BinaryInterface(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || !types.IsInterface(n) {
		return false
	}
	i := n.Underlying().(*types.Interface)
	return !Session(n.Obj()) && i.NumMethods() > 0
}

// NamedOf is the named type of a receiver.
func NamedOf(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, _ := types.Unalias(t).(*types.Named)
	return n
}

// IsFunc reports whether a type is that of functions.
func IsFunc(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// IsProgram reports whether t is *tl.Program.
func IsProgram(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && n.Obj().Name() == "Program" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "github.com/tiler-go/tiler/tilelang"
}

// Nameless reports whether a variable here cannot have a type: it is several, or has no name
// outside its package.
func Nameless(t types.Type) bool {
	if _, several := t.(*types.Tuple); several {
		return true
	}
	n := NamedOf(t)
	return n != nil && !Session(n.Obj()) && n.Obj().Pkg() != nil && !n.Obj().Exported()
}

// Sizes are those of every machine that the interpreter runs on.
var Sizes = types.SizesFor("gc", "amd64")

// NeedsLen reports whether the length of a value is not part of its type.
func NeedsLen(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Array:
		return false
	case *types.Pointer:
		_, array := t.Elem().Underlying().(*types.Array)
		return !array
	}
	return true
}

// ParamAt is the type that the i-th argument of a call is given to, nil if there is none.
func ParamAt(sig *types.Signature, i int) types.Type {
	n := sig.Params().Len()
	if sig.Variadic() && i >= n-1 {
		return sig.Params().At(n - 1).Type().Underlying().(*types.Slice).Elem()
	}
	if i < n {
		return sig.Params().At(i).Type()
	}
	return nil
}

// GenericResult reports whether a result's type is, or is made of, a type parameter.
func GenericResult(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Slice:
		return GenericResult(t.Elem())
	}
	return false
}

// Reflecting reports whether a function of compiled Go looks into values that it is
// given as any.
func Reflecting(f *types.Func) bool {
	if f.Pkg() == nil {
		return false // the method of error
	}
	path := f.Pkg().Path()
	for _, prefix := range []string{"encoding/", "text/template", "sort", "github.com/tiler-go/tiler/"} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}
