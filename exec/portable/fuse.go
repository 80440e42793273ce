package portable

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/lanes"
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
	c.store.Before(func() {
		if s := c.sweep(g.members, false); s != nil {
			c.emit(s.run)
		}
	})
}

// A sweep runs a line of ops over all lanes of a shape, a chunk at a time.
type sweep struct {
	n     int // lanes
	step  int // lanes at a time
	feeds []*feed
	lanes *lanes.Line
	outs  []int // buffers, one for each output

	divisor *feed // of an integer division: no lane may be 0
	v       *ir.Value
}

// sweep plans the step that computes members. Those that only members read get no
// elements, unless all is set. It is nil if no member is read at all.
func (c *compiler) sweep(members []*ir.Value, all bool) *sweep {
	s := &sweep{n: members[0].Type.Shape.Len()}
	b := lanes.NewBuilder(&c.p.lanes)
	at := map[*ir.Value]lanes.Lane{}  // of members
	inputs := map[*place]lanes.Lane{} // of other operands
	for _, v := range members {
		args := make([]lanes.Lane, len(v.Args))
		for i, a := range v.Args {
			x, ok := at[a]
			if !ok {
				p := c.place(a)
				if x, ok = inputs[p]; !ok {
					x = c.input(s, b, p)
					inputs[p] = x
				}
			}
			args[i] = x
		}
		at[v] = appendOp(b, v, args)
	}
	for i, f := range s.feeds {
		if f.direct {
			c.store.ReadUntil(f.touch, b.LastRead(i))
		}
	}
	for _, v := range members {
		if all || c.wanted(v, at) {
			c.store.Write(c.place(v).buf, b.MadeBy(at[v]))
			s.outs = append(s.outs, c.place(v).buf)
			b.Output(at[v])
		}
	}
	if len(s.outs) == 0 {
		return nil
	}
	s.lanes = b.Finish(c.feedSlots(s.feeds))
	s.step = lanes.Chunk
	if s.lanes.Unbounded() {
		s.step = s.n
	}
	return s
}

// input is operand p of the sweep: a constant, or an input that a feed fills.
func (c *compiler) input(s *sweep, b *lanes.Builder, p *place) lanes.Lane {
	f := c.feed(p, p.t.Shape)
	if f.splat >= 0 {
		return lanes.ConstantLane(f.d, f.splat)
	}
	s.feeds = append(s.feeds, f)
	return b.Input(f.d)
}

// feedSlots gives feeds that need one a slot, from 0 on, and returns the next.
func (c *compiler) feedSlots(feeds []*feed) int {
	n := 0
	for _, f := range feeds {
		if !f.direct {
			f.slot = n
			n++
		}
	}
	c.p.lanes.AtLeast(n)
	return n
}

// wanted reports whether anything but members reads v's elements.
func (c *compiler) wanted(v *ir.Value, members map[*ir.Value]lanes.Lane) bool {
	for _, u := range c.users[v.ID] {
		if _, ok := members[u]; !ok {
			return true
		}
	}
	return false
}

// appendOp appends the op v on operands that are there.
func appendOp(b *lanes.Builder, v *ir.Value, args []lanes.Lane) lanes.Lane {
	d := lanesOf(v.Type.D)
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

// run is the step.
func (s *sweep) run(w *Worker) bool {
	for _, f := range s.feeds {
		f.open(w)
	}
	if s.divisor != nil {
		s.divisor.open(w)
	}
	for lo := 0; lo < s.n; lo += s.step {
		hi := min(lo+s.step, s.n)
		if s.divisor != nil {
			if bad := op.ZeroDivisor(s.divisor.next(w, lo, hi)); bad >= 0 {
				return w.fail(s.v, lo+bad, 0)
			}
		}
		for i, f := range s.feeds {
			w.lanes.Bound[i] = f.next(w, lo, hi)
		}
		for i, b := range s.outs {
			w.lanes.Bound[len(s.feeds)+i] = w.bufs[b].Slice(lo, hi)
		}
		s.lanes.Run(&w.lanes, hi-lo)
	}
	return true
}
