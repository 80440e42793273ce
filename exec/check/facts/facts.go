// Package facts says what the front end and the IR know of a kernel's parameters, for a check that changes them.
package facts

import (
	"github.com/tiler-go/tiler/exec/check/launch"
	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/function"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Of is what is known of a kernel's parameters. Where it does not compile, what is declared is known all the same.
func Of(kernel *function.Function, args []any) (f launch.Facts) {
	f = launch.Facts{Fixed: make([]bool, len(args)), Const: make([]bool, len(args))}
	if spec := kernel.Declared(); spec != nil {
		if fn, err := kernel.IR(); err == nil {
			f.Known = true
			tell(&f, fn, spec)
		}
		return f
	}
	file, name, err := kernel.Source()
	if err != nil {
		return f
	}
	params, _ := file.Params(name)
	if len(params) != len(args) {
		return f
	}
	f.Known = true
	for i, p := range params {
		f.Const[i] = p.Kind == gofile.Const
		f.Fixed[i] = f.Const[i]
	}
	f.Divisors, f.DividedBy = file.Quotients(name)
	var fault error
	defer function.Recover(&fault)
	fn, spec, err := frontend.Open(file, name, function.Args(args))
	if err != nil {
		return f
	}
	copy(f.Fixed, spec.Fixed)
	tell(&f, fn, spec)
	return f
}

// tell adds what the IR says.
func tell(f *launch.Facts, fn *ir.Func, spec *frontend.Spec) {
	f.Sized, f.Tiles, f.Steps = sizeParams(fn, spec), tileSizes(fn), steps(fn, spec)
	f.Divisors, f.DividedBy = divisors(fn, spec)
	fn.Values(func(v *ir.Value) {
		if v.Op == op.NumPrograms {
			f.Counts[v.Attr.Index] = true
		}
	})
}

// sizeParams is which int parameters are more than a stride: something else is done with
// them than to multiply by them and to move pointers, or nothing at all.
func sizeParams(f *ir.Func, spec *frontend.Spec) []bool {
	sized, used := make([]bool, len(f.Params)), make([]bool, len(f.Params))
	from := intParams(f, spec)
	f.Values(func(v *ir.Value) {
		for _, a := range v.Args {
			i, ok := from[a]
			if ok {
				used[i] = true
			}
			switch {
			case !ok || v.Op == op.Mul || v.Type.D.IsPointer():
			case alike(v):
				from[v] = i
			default:
				sized[i] = true
			}
		}
	})
	for i := range sized {
		sized[i] = sized[i] || !used[i]
	}
	return sized
}
