package portable

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/run"
)

// A place is where the compiler has a value.
type place struct {
	run.Form
	root  *place // whose elements these are; of a view, what it is a view of
	group *group // of a root: it computes the elements, but is not a step yet
}

// rooted is a place whose elements are no other's.
func rooted(f run.Form) *place {
	p := &place{Form: f}
	p.root = p
	return p
}

// need makes the elements that p is a view of exist from the next step on.
func (c *compiler) need(p *place) {
	if g := p.root.group; g != nil {
		c.flush(g)
	}
}

// needed is the form of v, whose elements exist from the next step on.
func (c *compiler) needed(v *ir.Value) *run.Form {
	x := c.place(v)
	c.need(x)
	return &x.Form
}

// feed plans to read x in the step that is being made, as Builder.Feed does.
func (c *compiler) feed(x *place, shape ir.Shape) *run.Feed {
	c.need(x)
	return c.Builder.Feed(&x.Form, shape)
}

// slotted is a feed with a slot of its own.
func (c *compiler) slotted(x *place, shape ir.Shape, slot int) *run.Feed {
	c.need(x)
	return c.Builder.Slotted(&x.Form, shape, slot)
}

// view is x in another arrangement: axis i of shape is axis from[i] of x, or one
// along which nothing changes where that is -1 or x's axis has size 1.
func (c *compiler) view(x *place, shape ir.Shape, from [ir.MaxRank]int) *place {
	f := run.Form{Type: ir.Type{D: x.Type.D, Shape: shape}, Reg: x.Reg, Base: x.Base, Buf: x.Buf, Off: x.Off}
	z := &place{Form: f, root: x.root}
	if z.IsSplat() {
		z.root = z
		return z
	}
	if x.Index != nil {
		z.Index = &run.Index{OK: x.Index.OK, Start: x.Index.Start}
	}
	if x.Box != nil {
		z.Box = &run.Box{OK: x.Box.OK}
	}
	for i := range shape.N {
		k := from[i]
		if k >= 0 && x.Type.Shape.D[k] == shape.D[i] {
			z.Stride.D[i] = x.Stride.D[k]
			if z.Index != nil {
				z.Index.Step[i] = x.Index.Step[k]
			}
		}
		if z.Box != nil {
			z.Box.Lo[i], z.Box.Hi[i] = boxAxis(c, x, k, shape.D[i])
		}
	}
	return z
}

// solid is x with its elements in a buffer, whatever form they have had. The buffer
// is a temporary one unless x has elements there anyway.
func (c *compiler) solid(v *ir.Value, x *place) *place {
	c.need(x)
	if x.InBuffer() {
		return x
	}
	return c.copied(v, x)
}

// packed is solid in row-major order.
func (c *compiler) packed(v *ir.Value, x *place) *place {
	c.need(x)
	if x.Plain() {
		return x
	}
	return c.copied(v, x)
}

// copied is a copy of x in a buffer, also of a scalar.
func (c *compiler) copied(v *ir.Value, x *place) *place {
	z := c.inBuffer(v, x.Type)
	z.Base = x.Base
	c.Store.Before(func() {
		f := c.feed(x, x.Type.Shape)
		c.Store.Write(z.Buf, 0)
		c.Emit(func(w *run.Worker) bool {
			f.CopyTo(w, w.Bufs[z.Buf])
			return true
		})
	})
	return z
}
