package portable

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/run"
)

// lowerAtomic lowers a read-modify-write: one lane after the other, in order, each
// indivisible for other workers. Lanes that the mask excludes return 0.
func lowerAtomic(c *compiler, v *ir.Value) {
	m := v.Memory()
	a, shape := c.access(v), m.Ptr.Type.Shape
	with, cmp := c.slotted(c.place(m.Val), shape, 2), (*run.Feed)(nil)
	if m.Cmp != nil {
		cmp = c.slotted(c.place(m.Cmp), shape, 3)
	}
	z, finish := c.outputs(v, []ir.Type{v.Type})
	c.Emit(a.Exchange(with, cmp, z[0], finish))
}
