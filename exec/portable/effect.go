package portable

import (
	"bytes"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/lanes"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// assert checks that a condition holds in every lane.
func (c *compiler) assert(v *ir.Value) {
	x := c.place(v.Args[0])
	f := c.slotted(x, x.t.Shape, 0)
	c.emit(func(w *Worker) bool {
		f.open(w)
		for lo := 0; lo < f.n; lo += lanes.Chunk {
			if at := bytes.IndexByte(f.next(w, lo, min(lo+lanes.Chunk, f.n)).Bytes(), 0); at >= 0 {
				return w.fail(v, lo+at, 0)
			}
		}
		return true
	})
}

// print hands out copies of its operands.
func (c *compiler) print(v *ir.Value) {
	feeds := make([]*feed, len(v.Args))
	for i, a := range v.Args {
		feeds[i] = c.feed(c.place(a), a.Type.Shape)
	}
	c.emit(func(w *Worker) bool {
		if w.launch.Print == nil {
			return true
		}
		out := make([]ir.Printed, len(feeds))
		for i, f := range feeds {
			t := v.Args[i].Type
			out[i] = ir.Printed{Type: t, Elems: dtype.NewBuf(t.D, f.n), GoScalar: i < len(v.Axes) && v.Axes[i] == 1}
			f.copyTo(w, out[i].Elems.As(f.d))
		}
		w.launch.Print(w.program, v, out)
		return true
	})
}
