package exec

import (
	"github.com/tiler-go/tiler/exec/check/launch"
	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// facts is what the front end and the compiler say of a kernel's parameters. Where it
// does not compile, what is declared is known all the same.
func (k *Kernel) facts(args []any) launch.Facts {
	f := launch.Facts{Fixed: make([]bool, len(args)), Const: make([]bool, len(args))}
	if file, name, err := k.sourceFile(); err == nil {
		if params, _ := file.Params(name); len(params) == len(args) {
			f.Known = true
			for i, p := range params {
				f.Const[i] = p.Kind == frontend.Const
				f.Fixed[i] = f.Const[i]
			}
		}
	}
	v, err := k.variant(args)
	if err != nil || v.spec == nil {
		return f
	}
	f.Known = true
	for i, fixed := range v.spec.Fixed {
		f.Fixed[i] = f.Fixed[i] || fixed
	}
	if fn, err := ir.Parse(v.text()); err == nil && len(fn.Params) == len(v.spec.Params) {
		f.Sized = sizeParams(fn, v.spec)
	}
	return f
}

// sizeParams is which int parameters are more than a stride: something else is done with
// them than to multiply by them and to move pointers.
func sizeParams(f *ir.Func, spec *frontend.Spec) []bool {
	sized := make([]bool, len(f.Params))
	from := map[*ir.Value]int{}
	for i, p := range f.Params {
		if spec.Params[i].Kind == frontend.Int {
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
