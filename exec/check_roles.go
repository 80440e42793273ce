package exec

import (
	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// sizeParams is which int parameters are more than a stride: something else is done with
// them than to multiply by them and to move pointers. It is nil if the kernel does not
// compile, so that nothing is known.
func (k *Kernel) sizeParams(args []any) []bool {
	v, err := k.variant(args)
	if err != nil || v.spec == nil {
		return nil
	}
	f, err := ir.Parse(v.text())
	if err != nil || len(f.Params) != len(v.spec.Params) {
		return nil
	}
	sized := make([]bool, len(f.Params))
	from := map[*ir.Value]int{}
	for i, p := range f.Params {
		if v.spec.Params[i].Kind == frontend.Int {
			from[p] = i
		}
	}
	f.Values(func(v *ir.Value) {
		for _, a := range v.Args {
			i, ok := from[a]
			switch {
			case !ok || v.Op == op.Mul || v.Type.D.IsPointer():
			case v.Op == op.Cast || v.Op == op.Broadcast || v.Op == op.Reshape || v.Op == ir.Fits:
				from[v] = i
			default:
				sized[i] = true
			}
		}
	})
	return sized
}
