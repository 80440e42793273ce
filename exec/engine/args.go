package engine

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Args is the arguments as compiled code takes them, in out's memory if that is
// enough.
func Args(out []ir.Arg, args []any) []ir.Arg {
	if cap(out) < len(args) {
		out = make([]ir.Arg, len(args))
	}
	out = out[:len(args)]
	for i, a := range args {
		z := &out[i]
		*z = ir.Arg{}
		switch a := a.(type) {
		case *tensor.Tensor:
			z.Mem, z.Only = a.Buf(), tensor.Offsets(a)
		case int:
			z.Bits = uint64(a)
		case float64:
			z.Bits = dtype.FromFloat(dtype.Float64, a)
		case bool:
			z.Bits = dtype.FromInt(dtype.Bool, int64(btoi(a)), true)
		}
	}
	return out
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Within is where an argument's tensor lies, its gaps included; nowhere if it is none.
func Within(a *ir.Arg) (lo, hi uintptr) {
	n := a.Mem.Len()
	if n == 0 {
		return 0, 0
	}
	lo = uintptr(a.Mem.Pointer())
	return lo, lo + uintptr(n*a.Mem.DType().Size())
}
