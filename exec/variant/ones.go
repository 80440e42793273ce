package variant

import (
	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Factors are the int parameters that something is multiplied by: strides, mostly. A
// stride of 1 is worth a variant of its own.
func Factors(f *ir.Func, spec *frontend.Spec) []bool {
	ones := make([]bool, len(f.Params))
	from := map[*ir.Value]int{}
	for i, p := range f.Params {
		if spec.Params[i].Kind == gofile.Int && !spec.Fixed[i] {
			from[p] = i
		}
	}
	f.Values(func(v *ir.Value) {
		switch v.Op {
		case op.Cast, op.Broadcast, op.Reshape, ir.Fits:
			if i, ok := from[v.Args[0]]; ok {
				from[v] = i
			}
		case op.Mul:
			for _, a := range v.Args {
				if i, ok := from[a]; ok {
					ones[i] = true
				}
			}
		}
	})
	return ones
}

// FixOnes makes parameters that are factors, and 1, constants.
func FixOnes(f *ir.Func, ones []bool, args []frontend.Arg) {
	subst := map[*ir.Value]*ir.Value{}
	var consts []*ir.Value
	for i, p := range f.Params {
		if ones[i] && args[i].Int == 1 {
			c := f.NewValue(op.Const, p.Type, p.Pos)
			c.Bits = dtype.FromInt(p.Type.D, 1, true)
			subst[p] = c
			consts = append(consts, c)
		}
	}
	if len(consts) > 0 {
		f.Replace(subst)
		f.Body.Values = append(consts, f.Body.Values...)
	}
}
