package portable

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/storage"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// chunk is how many lanes go through a line of ops at a time: few enough that what
// lies between the ops stays in the first-level cache, many enough to make calls
// cheap.
const chunk = 256

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
		f.splat = c.splat(f.d, c.p.regs[x.reg])
	}
	return f
}

// slotted is a feed with a slot of its own.
func (c *compiler) slotted(x *place, shape ir.Shape, slot int) *feed {
	f := c.feed(x, shape)
	f.slot = slot
	c.p.slots = max(c.p.slots, slot+1)
	return f
}

// splat is the number of a constant that workers keep as a chunk of lanes.
func (c *compiler) splat(d dtype.DType, bits uint64) int {
	s := splat{d, bits}
	i, ok := c.splats[s]
	if !ok {
		i = len(c.p.splats)
		c.splats[s] = i
		c.p.splats = append(c.p.splats, s)
	}
	return i
}

// slotAs is a scratch slot as n lanes of type d.
func (w *Worker) slotAs(slot int, d dtype.DType, n int) dtype.Buf {
	return dtype.RawBuf(d, w.slots[slot].Pointer(), n)
}

// open prepares to hand out lanes by next.
func (f *feed) open(w *Worker) {
	if f.p.isSplat() && f.splat < 0 {
		w.slotAs(f.slot, f.d, min(chunk, f.n)).Fill(w.regs[f.p.reg])
	}
}

// next is lanes lo to hi, at most a chunk unless f is direct. They stay until the
// next call.
func (f *feed) next(w *Worker, lo, hi int) dtype.Buf {
	switch {
	case f.direct:
		return w.bufs[f.p.buf].Slice(f.p.off+lo, f.p.off+hi)
	case f.splat >= 0:
		return w.splats[f.splat].Slice(0, hi-lo)
	}
	z := w.slotAs(f.slot, f.d, hi-lo)
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
		w.ramp(z, p, lo)
	case p.box != nil && w.regs[p.box.ok] != 0:
		w.boxLanes(dtype.View[uint8](z), p, lo)
	default:
		gather(z, w.bufs[p.buf], p, lo)
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
	z := dtype.RawBuf(f.d, w.one[0].Pointer(), 1)
	f.fill(w, z, i)
	return z.Bits(0)
}

// rows walks lanes of a shape in row-major order, a part of a row at a time.
type rows struct {
	shape ir.Shape
	index [ir.MaxRank]int // of the next lane
	left  int
}

// rowsFrom walks n lanes from lane lo on.
func rowsFrom(shape ir.Shape, lo, n int) (r rows) {
	if shape.N == 0 {
		shape = ir.ShapeOf(1)
	}
	r.shape, r.left = shape, n
	for k := shape.N - 1; k > 0; k-- {
		r.index[k] = lo % shape.D[k]
		lo /= shape.D[k]
	}
	r.index[0] = lo
	return r
}

// run is how many lanes there are in the present row; 0 at the end.
func (r *rows) run() int {
	last := r.shape.N - 1
	return min(r.left, r.shape.D[last]-r.index[last])
}

// skip goes on to the next row, n lanes being the rest of the present one or all
// that is left.
func (r *rows) skip(n int) {
	r.left -= n
	r.index[r.shape.N-1] = 0
	for k := r.shape.N - 2; k >= 0; k-- {
		if r.index[k]++; r.index[k] < r.shape.D[k] {
			return
		}
		r.index[k] = 0
	}
}

// at is where the present lane lies.
func (r *rows) at(s *strides) int {
	pos := 0
	for k := range r.shape.N {
		pos += r.index[k] * s[k]
	}
	return pos
}

// gather fills z with elements of x as p arranges them, from lane lo on.
func gather(z, x dtype.Buf, p *place, lo int) {
	switch z.DType().Size() {
	case 1:
		gatherAs(dtype.View[uint8](z), dtype.View[uint8](x), p, lo)
	case 2:
		gatherAs(dtype.View[uint16](z), dtype.View[uint16](x), p, lo)
	case 4:
		gatherAs(dtype.View[uint32](z), dtype.View[uint32](x), p, lo)
	default:
		gatherAs(dtype.View[uint64](z), dtype.View[uint64](x), p, lo)
	}
}

func gatherAs[T dtype.Elem](z, x []T, p *place, lo int) {
	last := max(p.t.Shape.N-1, 0)
	r := rowsFrom(p.t.Shape, lo, len(z))
	for at := 0; ; {
		n := r.run()
		if n == 0 {
			return
		}
		dtype.CopyRun(z[at:at+n], x, p.off+r.at(&p.stride), p.stride[last])
		at += n
		r.skip(n)
	}
}
