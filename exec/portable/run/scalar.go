package run

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/lanes"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Scalar computes register z from registers.
func Scalar(v *ir.Value, z int, args []int) Step {
	d, from := LanesOf(v.Type.D), dtype.Invalid
	if len(args) > 0 {
		from = LanesOf(v.Args[len(args)-1].Type.D)
	}
	x := args[0]
	switch v.Op {
	case op.Cast, op.CastRTZ:
		rtz := v.Op == op.CastRTZ
		return func(w *Worker) bool {
			w.Regs[z] = dtype.Convert(d, from, w.Regs[x], rtz)
			return true
		}
	case op.Bitcast:
		return func(w *Worker) bool { w.Regs[z] = dtype.Bitcast(d, from, w.Regs[x]); return true }
	case ir.GoMath:
		f, y := ir.MathNamed(v.Text), args[len(args)-1]
		return func(w *Worker) bool { w.Regs[z] = f.Result(v.Index, w.Regs[x], w.Regs[y]); return true }
	case op.Where:
		y, e := args[1], args[2]
		return func(w *Worker) bool {
			if w.Regs[x] != 0 {
				w.Regs[z] = w.Regs[y]
			} else {
				w.Regs[z] = w.Regs[e]
			}
			return true
		}
	}
	o := v.Op
	if o == ir.PtrAdd {
		o = op.Add
	}
	if len(args) == 2 {
		if f := lanes.Common(o, from); f != nil {
			y := args[1]
			return func(w *Worker) bool { w.Regs[z] = f(w.Regs[x], w.Regs[y]); return true }
		}
	}
	in := append([]int(nil), args...)
	return func(w *Worker) bool {
		for i, r := range in {
			w.single.Set(i, from, w.Regs[r])
		}
		w.Regs[z] = w.single.Apply(o, from, len(in))
		return true
	}
}
