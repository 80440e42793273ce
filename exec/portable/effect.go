package portable

import (
	"bytes"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/lanes"
	"github.com/tiler-go/tiler/exec/portable/run"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// lowerAssert checks that a condition holds in every lane.
func lowerAssert(c *compiler, v *ir.Value) {
	x := c.place(v.Args[0])
	f := c.slotted(x, x.Type.Shape, 0)
	c.Emit(func(w *run.Worker) bool {
		f.Open(w)
		for lo := 0; lo < f.N; lo += lanes.Chunk {
			if at := bytes.IndexByte(f.Next(w, lo, min(lo+lanes.Chunk, f.N)).Bytes(), 0); at >= 0 {
				return w.Fail(v, lo+at, 0)
			}
		}
		return true
	})
}

// lowerPrint hands out copies of its operands.
func lowerPrint(c *compiler, v *ir.Value) {
	feeds := make([]*run.Feed, len(v.Args))
	for i, a := range v.Args {
		feeds[i] = c.feed(c.place(a), a.Type.Shape)
	}
	c.Emit(func(w *run.Worker) bool {
		if w.Launch.Print == nil {
			return true
		}
		out := make([]ir.Printed, len(feeds))
		for i, f := range feeds {
			t := v.Args[i].Type
			out[i] = ir.Printed{Type: t, Elems: dtype.NewBuf(t.D, f.N), GoScalar: i < len(v.Axes) && v.Axes[i] == 1}
			f.CopyTo(w, out[i].Elems.As(f.D))
		}
		w.Launch.Print(w.Instance, v, out)
		return true
	})
}
