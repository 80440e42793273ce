package portable

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/lanes"
	"github.com/tiler-go/tiler/exec/portable/run"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A group is elementwise ops of one shape that become one step. It grows until
// something other than another member wants the elements of one.
type group struct {
	shape   ir.Shape
	members []*ir.Value
}

// fuse adds v, an elementwise op on tiles, to the group of its shape, which it begins
// if need be.
func (c *compiler) fuse(v *ir.Value) {
	var g *group
	for _, h := range c.open {
		if h.shape == v.Type.Shape {
			g = h
		}
	}
	for _, a := range v.Args {
		x := c.place(a)
		if h := x.root.group; h != nil && (h != g || x != x.root) {
			c.flush(h)
			if h == g {
				g = nil
			}
		}
	}
	if g == nil {
		g = &group{shape: v.Type.Shape}
		c.open = append(c.open, g)
	}
	c.define(v).group = g
	g.members = append(g.members, v)
}

// flushAll makes steps of all groups.
func (c *compiler) flushAll() {
	for len(c.open) > 0 {
		c.flush(c.open[0])
	}
}

// flush makes a step of g.
func (c *compiler) flush(g *group) {
	c.open = slices.DeleteFunc(c.open, func(h *group) bool { return h == g })
	for _, v := range g.members {
		c.place(v).group = nil
	}
	c.Store.Before(func() {
		if s := c.sweep(g.members, false); s != nil {
			c.Emit(s.Run)
		}
	})
}

// sweep plans the step that computes members. Those that only members read get no
// elements, unless all is set. It is nil if no member is read at all.
func (c *compiler) sweep(members []*ir.Value, all bool) *run.Sweep {
	s := &run.Sweep{N: members[0].Type.Shape.Len()}
	b := lanes.NewBuilder(&c.Lanes)
	at := map[*ir.Value]lanes.Lane{}  // of members
	inputs := map[*place]lanes.Lane{} // of other operands
	for _, v := range members {
		args := make([]lanes.Lane, len(v.Args))
		for i, a := range v.Args {
			x, ok := at[a]
			if !ok {
				p := c.place(a)
				if x, ok = inputs[p]; !ok {
					x = laneOf(b, &s.Feeds, c.feed(p, p.Type.Shape))
					inputs[p] = x
				}
			}
			args[i] = x
		}
		at[v] = appendOp(b, v, args)
	}
	for i, f := range s.Feeds {
		if f.Direct {
			c.Store.ReadUntil(f.Touch, b.LastRead(i))
		}
	}
	for _, v := range members {
		if all || wanted(c, v, at) {
			c.Store.Write(c.place(v).Buf, b.MadeBy(at[v]))
			s.Outs = append(s.Outs, c.place(v).Buf)
			b.Output(at[v])
		}
	}
	if len(s.Outs) == 0 {
		return nil
	}
	s.Lanes = b.Finish(c.GiveSlots(s.Feeds))
	s.Step = lanes.Chunk
	if s.Lanes.Unbounded() {
		s.Step = s.N
	}
	return s
}

// laneOf is what f hands out: a constant, or an input of b that one more of feeds fills.
func laneOf(b *lanes.Builder, feeds *[]*run.Feed, f *run.Feed) lanes.Lane {
	if f.Splat >= 0 {
		return lanes.ConstantLane(f.D, f.Splat)
	}
	*feeds = append(*feeds, f)
	return b.Input(f.D)
}

// wanted reports whether anything but members reads v's elements.
func wanted(c *compiler, v *ir.Value, members map[*ir.Value]lanes.Lane) bool {
	return slices.ContainsFunc(c.users[v.ID], func(u *ir.Value) bool { _, ok := members[u]; return !ok })
}

// appendOp appends the op v on operands that are there.
func appendOp(b *lanes.Builder, v *ir.Value, args []lanes.Lane) lanes.Lane {
	d := run.LanesOf(v.Type.D)
	switch v.Op {
	case op.Cast:
		return b.Cast(d, args[0])
	case op.CastRTZ:
		return b.Round(d, args[0])
	case op.Bitcast:
		return b.Bitcast(d, args[0])
	case ir.PtrAdd:
		return b.Apply(op.Add, dtype.Int64, args...)
	}
	return b.Apply(v.Op, args[len(args)-1].D, args...)
}
