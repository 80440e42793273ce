package portable

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/lanes"
	"github.com/tiler-go/tiler/exec/portable/rows"
	"github.com/tiler-go/tiler/tilelang/op"
)

// laneFunction is the function that a Reduce or Scan holds, as a line of ops: its
// scalars become lanes.
func (c *compiler) laneFunction(v *ir.Value) *combiner {
	b := lanes.NewBuilder(&c.p.lanes)
	f := &combiner{k: len(v.Args)}
	at := map[*ir.Value]lanes.Lane{}
	block := v.Blocks[0]
	for _, a := range block.Args {
		at[a] = b.Input(lanesOf(a.Type.D))
	}
	operand := func(x *ir.Value) lanes.Lane {
		if z, ok := at[x]; ok {
			return z
		}
		s := c.feed(c.place(x), ir.Shape{})
		if s.splat >= 0 {
			at[x] = lanes.ConstantLane(s.d, s.splat)
		} else {
			s.n = lanes.Chunk
			f.feeds = append(f.feeds, s)
			at[x] = b.Input(s.d)
		}
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
	f.lanes = b.Finish(c.feedSlots(f.feeds))
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

// scan lowers a running combination along an axis.
func (c *compiler) scan(v *ir.Value) {
	s := &scan{slabs: c.slabs(v), f: c.combinerOf(v), reverse: v.Flags&ir.Reverse != 0}
	types := v.Results
	if len(types) == 0 {
		types = []ir.Type{v.Type}
		if s.inner == 1 {
			s.row = rows.ScanOf(v.Op, v.Type.D)
		}
	}
	s.z, _ = c.outputs(v, types)
	c.p.streams = max(c.p.streams, len(types))
	c.emit(s.run)
}

// A scan runs along its blocks: out[0] = x[0], out[i] = f(out[i-1], x[i]), from the
// far end if reversed.
type scan struct {
	slabs
	z       []int // buffers
	f       *combiner
	reverse bool
	row     rows.Scan // where rows are single elements of a common type; or nil
}

func (s *scan) run(w *Worker) bool {
	if s.row != nil {
		s.row(w.bufs[s.z[0]], w.bufs[s.bufs[0]], s.n, s.reverse)
		return true
	}
	for k, z := range s.z {
		copy(w.bufs[z].Bytes(), w.bufs[s.bufs[k]].Bytes())
	}
	m := len(s.z)
	for o := range s.outer {
		for i := 1; i < s.n; i++ {
			at, before := i, i-1
			if s.reverse {
				at, before = s.n-1-i, s.n-i
			}
			for k, z := range s.z {
				w.x[k], w.y[k] = s.rows(w.bufs[z], o, before, before+1), s.rows(w.bufs[z], o, at, at+1)
			}
			s.f.run(w, w.y[:m], w.x[:m], w.y[:m])
		}
	}
	return true
}
