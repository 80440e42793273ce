package portable

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/run"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// lowerScalar lowers an elementwise op on registers, of scalars or of splats.
func lowerScalar(c *compiler, v *ir.Value) {
	args := make([]int, len(v.Args))
	for i, a := range v.Args {
		args[i] = c.place(a).Reg
	}
	z := c.inReg(v).Reg
	if v.CanFail() {
		y := args[1]
		c.Emit(func(w *run.Worker) bool { return w.Regs[y] != 0 || w.Fail(v, 0, 0) })
	}
	c.Emit(run.Scalar(v, z, args))
}

// lowerFits checks that an int64 fits a narrower integer.
func lowerFits(c *compiler, v *ir.Value) {
	d, x, z := v.Type.D, c.place(v.Args[0]).Reg, c.inReg(v).Reg
	c.Emit(func(w *run.Worker) bool {
		n := int64(w.Regs[x])
		if !d.FitsInt(n) {
			return w.Fail(v, 0, n)
		}
		w.Regs[z] = dtype.FromInt(d, n, false)
		return true
	})
}
