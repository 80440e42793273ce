package facts

import (
	"slices"

	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// alike reports whether a value is its operand in another type or shape.
func alike(v *ir.Value) bool {
	return v.Op == op.Cast || v.Op == op.Broadcast || v.Op == op.Reshape || v.Op == ir.Fits
}

// origin is what a value is in another type or shape.
func origin(v *ir.Value) *ir.Value {
	for alike(v) {
		v = v.Args[0]
	}
	return v
}

// intParams is the int parameters by their values.
func intParams(f *ir.Func, spec *frontend.Spec) map[*ir.Value]int {
	from := map[*ir.Value]int{}
	for i, p := range f.Params {
		if spec.Params[i].Kind == gofile.Int {
			from[p] = i
		}
	}
	return from
}

// divisors is the constants that int parameters are divided by, and the parameters: they
// are multiples of them.
func divisors(f *ir.Func, spec *frontend.Spec) (out, by [][]int) {
	from := intParams(f, spec)
	out, by = make([][]int, len(f.Params)), make([][]int, len(f.Params))
	f.Values(func(v *ir.Value) {
		if v.Op != op.FloorDiv {
			return
		}
		i, ok := from[origin(v.Args[0])]
		if d := origin(v.Args[1]); ok && d.Op == op.Const && d.Type.D.IsInt() && d.Bits > 1 && d.Bits < 1<<16 {
			out[i] = append(out[i], int(d.Bits))
		}
		if j, param := from[origin(v.Args[1])]; ok && param {
			by[i] = append(by[i], j)
		}
	})
	return out, by
}

// tileSizes is the lengths of what tl.Arange makes.
func tileSizes(f *ir.Func) (sizes []int) {
	f.Values(func(v *ir.Value) {
		if n := v.Type.Shape.Len(); v.Op == op.Arange && n > 1 && !slices.Contains(sizes, n) {
			sizes = append(sizes, n)
		}
	})
	slices.Sort(sizes)
	return sizes
}

// steps is the int parameters that are factors in the addresses of each pointer, in
// order: what a launch passes as its strides.
func steps(f *ir.Func, spec *frontend.Spec) [][]int {
	from, out, carried := intParams(f, spec), make([][]int, len(f.Params)), entries(f)
	f.Values(func(v *ir.Value) {
		if v.Op != ir.PtrAdd {
			return
		}
		base := v.Args[0]
		for base.Op == ir.PtrAdd || alike(base) || carried[base] != nil {
			if first := carried[base]; first != nil {
				base = first
			} else {
				base = base.Args[0]
			}
		}
		arg := slices.Index(f.Params, base)
		if arg < 0 {
			return
		}
		for _, i := range multipliers(v.Args[1], from) {
			if !slices.Contains(out[arg], i) {
				out[arg] = append(out[arg], i)
			}
		}
		slices.Sort(out[arg])
	})
	return out
}

// entries is what loops carry, by the values of their blocks: what each is at first.
func entries(f *ir.Func) map[*ir.Value]*ir.Value {
	first := map[*ir.Value]*ir.Value{}
	f.Values(func(v *ir.Value) {
		if v.Op != ir.For {
			return
		}
		for i, a := range v.Blocks[0].Args[1:] {
			first[a] = v.Args[2+i]
		}
	})
	return first
}

// multipliers is the parameters that the terms of a sum are multiplied by.
func multipliers(v *ir.Value, from map[*ir.Value]int) (params []int) {
	v = origin(v)
	switch v.Op {
	case op.Add, op.Sub:
		return append(multipliers(v.Args[0], from), multipliers(v.Args[1], from)...)
	case op.Mul:
		for _, a := range v.Args {
			if i, ok := from[origin(a)]; ok {
				params = append(params, i)
			}
		}
	}
	return params
}
