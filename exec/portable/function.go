package portable

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/lanes"
	"github.com/tiler-go/tiler/exec/portable/rows"
	"github.com/tiler-go/tiler/exec/portable/run"
	"github.com/tiler-go/tiler/tilelang/op"
)

// laneFunction is the function that a Reduce or Scan holds, as a line of ops: its
// scalars become lanes.
func laneFunction(c *compiler, v *ir.Value) *run.Combiner {
	b := lanes.NewBuilder(&c.Lanes)
	f := &run.Combiner{Streams: len(v.Args)}
	at := map[*ir.Value]lanes.Lane{}
	block := v.Blocks[0]
	for _, a := range block.Args {
		at[a] = b.Input(run.LanesOf(a.Type.D))
	}
	operand := func(x *ir.Value) lanes.Lane {
		if z, ok := at[x]; ok {
			return z
		}
		s := c.feed(c.place(x), ir.Shape{})
		s.N = lanes.Chunk
		at[x] = laneOf(b, &f.Feeds, s)
		return at[x]
	}
	for _, u := range block.Values {
		switch {
		case u.Type.D.IsPointer():
			c.refuse(u, "pointers in the function of a reduction or scan")
			return nil
		case u.Op == op.Const || u.Op == op.ProgramID || u.Op == op.NumPrograms:
			lower[u.Op](c, u)
			continue
		}
		args := make([]lanes.Lane, len(u.Args))
		for i, a := range u.Args {
			args[i] = operand(a)
		}
		if u.IsTerm() {
			b.OutputsLast(args)
			break
		}
		if !isElementwise(u.Op) {
			c.refuse(u, "it is no arithmetic of lanes")
			return nil
		}
		at[u] = appendOp(b, u, args)
	}
	f.Lanes = b.Finish(c.GiveSlots(f.Feeds))
	return f
}

// isElementwise reports whether o computes each lane by itself.
func isElementwise(o op.Op) bool {
	switch ir.Family(o) {
	case op.Elementwise, op.Change, op.Primitive:
		return true
	}
	return o == ir.PtrAdd
}

// lowerScan lowers a running combination along an axis.
func lowerScan(c *compiler, v *ir.Value) {
	s := &run.Scan{Slabs: slabsOf(c, v), Combine: combinerOf(c, v), Reverse: v.Flags&ir.Reverse != 0}
	types := v.Results
	if len(types) == 0 {
		types = []ir.Type{v.Type}
		if s.Inner == 1 {
			s.Row = rows.ScanOf(v.Op, v.Type.D)
		}
	}
	s.Z, _ = c.outputs(v, types)
	c.Streams = max(c.Streams, len(types))
	c.Emit(s.Run)
}
