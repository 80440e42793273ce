package portable

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/lanes"
	"github.com/tiler-go/tiler/exec/portable/storage"
	"github.com/tiler-go/tiler/exec/portable/strided"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A feed hands a tile's lanes to a step, in row-major order, whatever form the tile
// has at the time.
type feed struct {
	p      *place
	d      dtype.DType
	n      int  // lanes in all
	direct bool // they lie in the buffer one after the other
	splat  int  // number of the constant that they are, or -1
	slot   int  // scratch for a chunk of those that are neither
	touch  int  // of a direct one: number of the pending touch that is its read
}

// feed plans to read x in the step that is being made. It is the caller's business
// to give it a slot, where it reads by next.
func (c *compiler) feed(x *place, shape ir.Shape) *feed {
	c.need(x)
	f := &feed{p: x, d: lanesOf(x.t.D), n: shape.Len(), direct: x.plain(), splat: -1, slot: -1}
	if x.buf >= 0 {
		f.touch = c.store.Read(x.buf, storage.AnyTime)
	}
	if x.isSplat() && c.isConst(x.reg) {
		f.splat = c.p.lanes.Constant(f.d, c.p.regs[x.reg])
	}
	return f
}

// slotted is a feed with a slot of its own.
func (c *compiler) slotted(x *place, shape ir.Shape, slot int) *feed {
	f := c.feed(x, shape)
	f.slot = slot
	c.p.lanes.AtLeast(slot + 1)
	return f
}

// open prepares to hand out lanes by next.
func (f *feed) open(w *Worker) {
	if f.p.isSplat() && f.splat < 0 {
		w.lanes.Slot(f.slot, f.d, min(lanes.Chunk, f.n)).Fill(w.regs[f.p.reg])
	}
}

// next is lanes lo to hi, at most a chunk unless f is direct. They stay until the
// next call.
func (f *feed) next(w *Worker, lo, hi int) dtype.Buf {
	switch {
	case f.direct:
		return w.bufs[f.p.buf].Slice(f.p.off+lo, f.p.off+hi)
	case f.splat >= 0:
		return w.lanes.Constant(f.splat, hi-lo)
	}
	z := w.lanes.Slot(f.slot, f.d, hi-lo)
	if !f.p.isSplat() {
		f.fill(w, z, lo)
	}
	return z
}

// fill writes lanes from lo on to z; f is no splat.
func (f *feed) fill(w *Worker, z dtype.Buf, lo int) {
	p := f.p
	switch {
	case p.index != nil && w.regs[p.index.ok] != 0:
		a := w.line(p.index, p.t.D, p.t.Shape.N)
		a.Ramp(z, p.t.Shape, lo)
	case p.box != nil && w.regs[p.box.ok] != 0:
		from, to := w.interval(p.box, p.t.Shape.N)
		strided.FillBox(dtype.View[uint8](z), p.t.Shape, &from, &to, lo)
	default:
		strided.Gather(z, w.bufs[p.buf], p.t.Shape, p.off, &p.stride, lo)
	}
}

// copyTo writes all lanes to z.
func (f *feed) copyTo(w *Worker, z dtype.Buf) {
	switch {
	case f.direct:
		copy(z.Bytes(), w.bufs[f.p.buf].Slice(f.p.off, f.p.off+f.n).Bytes())
	case f.p.isSplat():
		z.Fill(w.regs[f.p.reg])
	default:
		f.fill(w, z, 0)
	}
}

// bits is lane i, by itself.
func (f *feed) bits(w *Worker, i int) uint64 {
	if f.p.isSplat() {
		return w.regs[f.p.reg]
	}
	if f.direct {
		return w.bufs[f.p.buf].Bits(f.p.off + i)
	}
	z := w.single.At(0, f.d)
	f.fill(w, z, i)
	return z.Bits(0)
}
