package run

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/lanes"
	"github.com/tiler-go/tiler/exec/portable/strided"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A Feed hands a tile's lanes to a step, in row-major order, whatever form the tile
// has at the time. One that is nil hands out nothing.
type Feed struct {
	p      *Form
	D      dtype.DType
	N      int  // lanes in all
	Direct bool // they lie in the buffer one after the other
	Splat  int  // number of the constant that they are, or -1
	Slot   int  // scratch for a chunk of those that are neither
	Touch  int  // of a direct one: number of the pending touch that is its read
}

// Open prepares to hand out lanes by Next.
func (f *Feed) Open(w *Worker) {
	if f != nil && f.p.IsSplat() && f.Splat < 0 {
		w.lanes.Slot(f.Slot, f.D, min(lanes.Chunk, f.N)).Fill(w.Regs[f.p.Reg])
	}
}

// Next is lanes lo to hi, at most a chunk unless f is direct. They stay until the
// next call.
func (f *Feed) Next(w *Worker, lo, hi int) dtype.Buf {
	switch {
	case f == nil:
		return dtype.Buf{}
	case f.Direct:
		return w.Bufs[f.p.Buf].Slice(f.p.Off+lo, f.p.Off+hi)
	case f.Splat >= 0:
		return w.lanes.Constant(f.Splat, hi-lo)
	}
	z := w.lanes.Slot(f.Slot, f.D, hi-lo)
	if !f.p.IsSplat() {
		f.fill(w, z, lo)
	}
	return z
}

// fill writes lanes from lo on to z; f is no splat.
func (f *Feed) fill(w *Worker, z dtype.Buf, lo int) {
	p := f.p
	switch {
	case p.Index != nil && w.Regs[p.Index.OK] != 0:
		a := w.Line(p.Index, p.Type.D, p.Type.Shape.N)
		a.Ramp(z, p.Type.Shape, lo)
	case p.Box != nil && w.Regs[p.Box.OK] != 0:
		var from, to [ir.MaxRank]int
		for k := range p.Type.Shape.N {
			from[k], to[k] = int(w.Regs[p.Box.Lo[k]]), int(w.Regs[p.Box.Hi[k]])
		}
		strided.FillBox(dtype.View[uint8](z), p.Type.Shape, &from, &to, lo)
	default:
		strided.Gather(z, w.Bufs[p.Buf], p.Type.Shape, p.Off, &p.Stride, lo)
	}
}

// CopyTo writes all lanes to z.
func (f *Feed) CopyTo(w *Worker, z dtype.Buf) {
	switch {
	case f.Direct:
		copy(z.Bytes(), w.Bufs[f.p.Buf].Slice(f.p.Off, f.p.Off+f.N).Bytes())
	case f.p.IsSplat():
		z.Fill(w.Regs[f.p.Reg])
	default:
		f.fill(w, z, 0)
	}
}

// Bits is lane i, by itself.
func (f *Feed) Bits(w *Worker, i int) uint64 {
	if f.p.IsSplat() {
		return w.Regs[f.p.Reg]
	}
	if f.Direct {
		return w.Bufs[f.p.Buf].Bits(f.p.Off + i)
	}
	z := w.single.At(0, f.D)
	f.fill(w, z, i)
	return z.Bits(0)
}
