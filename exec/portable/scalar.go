package portable

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/lanes"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// scalar lowers an elementwise op on registers, of scalars or of splats.
func (c *compiler) scalar(v *ir.Value) {
	args := make([]int, len(v.Args))
	for i, a := range v.Args {
		args[i] = c.place(a).reg
	}
	z := c.inReg(v).reg
	if v.CanFail() {
		y := args[1]
		c.emit(func(w *Worker) bool { return w.regs[y] != 0 || w.fail(v, 0, 0) })
	}
	c.emit(scalarStep(v, z, args))
}

// scalarStep computes register z from registers.
func scalarStep(v *ir.Value, z int, args []int) step {
	d, from := lanesOf(v.Type.D), dtype.Invalid
	if len(args) > 0 {
		from = lanesOf(v.Args[len(args)-1].Type.D)
	}
	x := args[0]
	switch v.Op {
	case op.Cast, op.CastRTZ:
		rtz := v.Op == op.CastRTZ
		return func(w *Worker) bool {
			w.regs[z] = dtype.Convert(d, from, w.regs[x], rtz)
			return true
		}
	case op.Bitcast:
		return func(w *Worker) bool { w.regs[z] = dtype.Bitcast(d, from, w.regs[x]); return true }
	case op.Where:
		y, e := args[1], args[2]
		return func(w *Worker) bool {
			if w.regs[x] != 0 {
				w.regs[z] = w.regs[y]
			} else {
				w.regs[z] = w.regs[e]
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
			return func(w *Worker) bool { w.regs[z] = f(w.regs[x], w.regs[y]); return true }
		}
	}
	in := append([]int(nil), args...)
	return func(w *Worker) bool {
		for i, r := range in {
			w.single.Set(i, from, w.regs[r])
		}
		w.regs[z] = w.single.Apply(o, from, len(in))
		return true
	}
}

// fits checks that an int64 fits a narrower integer.
func (c *compiler) fits(v *ir.Value) {
	d, x, z := v.Type.D, c.place(v.Args[0]).reg, c.inReg(v).reg
	c.emit(func(w *Worker) bool {
		n := int64(w.regs[x])
		if !d.FitsInt(n) {
			return w.fail(v, 0, n)
		}
		w.regs[z] = dtype.FromInt(d, n, false)
		return true
	})
}
