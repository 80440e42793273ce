package sugar

import "go/types"

// What the types of tiler's packages are.

const (
	PathTilelang = "github.com/tiler-go/tiler/tilelang"
	PathTensor   = "github.com/tiler-go/tiler/tilelang/tensor"
	PathExec     = "github.com/tiler-go/tiler/exec"
	PathDType    = "github.com/tiler-go/tiler/tilelang/dtype"
)

// IsNamed reports whether a type is the one of a name in a package.
func IsNamed(t types.Type, path, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == path
}

// IsTile reports whether a type is tl.Tile.
func IsTile(t types.Type) bool { return t != nil && IsNamed(t, PathTilelang, "Tile") }

// IsTensor reports whether a type is *tensor.Tensor.
func IsTensor(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	return ok && IsNamed(p.Elem(), PathTensor, "Tensor")
}

// NamedType is the named type that t is or points to.
func NamedType(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, _ := types.Unalias(t).(*types.Named)
	return n
}

// KernelType reports whether a value of a type can be launched: a function, or what
// exec.New makes of one.
func KernelType(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Signature:
		return kernelSignature(t)
	case *types.Pointer:
		return IsNamed(t.Elem(), PathExec, "Kernel")
	}
	return false
}

func kernelSignature(sig *types.Signature) bool {
	if sig.Params().Len() == 0 || sig.Results().Len() > 0 || sig.TypeParams() != nil {
		return false
	}
	p, ok := types.Unalias(sig.Params().At(0).Type()).(*types.Pointer)
	return ok && IsNamed(p.Elem(), PathTilelang, "Program")
}

// IsKernelFunc reports whether a function can be launched.
func IsKernelFunc(f *types.Func) bool {
	return kernelSignature(f.Signature())
}
