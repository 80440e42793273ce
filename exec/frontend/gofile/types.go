package gofile

import (
	"go/types"
	"strings"
)

// IsLanguage reports whether t is the named type of the language.
func IsLanguage(t types.Type, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == LanguagePath
}

// IsOption reports whether a type is of an option of the language's functions, such as tl.MaskOption.
func IsOption(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && !types.IsInterface(t) && strings.HasSuffix(n.Obj().Name(), "Option") && IsLanguage(t, n.Obj().Name())
}

func IsDType(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "DType" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == DTypePath
}

// TypeName is a type as a kernel's source spells it.
func TypeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		switch p.Path() {
		case LanguagePath, DTypePath:
			return "tl"
		}
		if !strings.Contains(p.Path(), "/") && p.Path() != MathPath {
			return "" // the kernel's own
		}
		return p.Name()
	})
}

// BasicOf is the basic kind that a type's values have, untyped ones as their
// default.
func BasicOf(t types.Type) (types.BasicKind, bool) {
	if t == nil {
		return 0, false
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return 0, false
	}
	switch b.Kind() {
	case types.UntypedBool:
		return types.Bool, true
	case types.UntypedInt:
		return types.Int, true
	case types.UntypedRune:
		return types.Int32, true
	case types.UntypedFloat:
		return types.Float64, true
	case types.UntypedString:
		return types.String, true
	}
	return b.Kind(), true
}

// Deref is what a pointer points to, or the type itself.
func Deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// IsKnown reports whether kernels may use a package.
func IsKnown(path string) bool {
	return path == LanguagePath || path == DTypePath || path == MathPath
}

// IsForeign reports whether a named type is of a package that kernels use, whose fields are its own affair.
func IsForeign(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && IsKnown(n.Obj().Pkg().Path())
}
