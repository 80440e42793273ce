package run

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/lanes"
	"github.com/tiler-go/tiler/exec/portable/storage"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A Builder writes a Program.
type Builder struct {
	p      *Program
	consts map[uint64]int // registers, by what they hold
	Store  storage.Plan   // is told which buffers the step that is being made reads and writes
	Needs
}

// NewBuilder begins a program.
func NewBuilder() *Builder {
	b := &Builder{
		p:      &Program{regs: make([]uint64, firstReg)},
		consts: map[uint64]int{0: ZeroReg, 1: OneReg},
		Needs:  Needs{Lanes: lanes.NewNeeds()},
	}
	b.p.regs[OneReg] = 1
	return b
}

// Finish gives buffers their places.
func (b *Builder) Finish() *Program {
	b.p.tiles, b.p.Needs = b.Store.Finish(), b.Needs
	return b.p
}

// Emit appends a step.
func (b *Builder) Emit(s Step) {
	b.Store.Made(len(b.p.code))
	b.p.code = append(b.p.code, s)
}

// Reg is a new register.
func (b *Builder) Reg() int {
	b.p.regs = append(b.p.regs, 0)
	return len(b.p.regs) - 1
}

// ConstReg is the register of a constant.
func (b *Builder) ConstReg(bits uint64) int {
	r, ok := b.consts[bits]
	if !ok {
		r = b.Reg()
		b.p.regs[r] = bits
		b.consts[bits] = r
	}
	return r
}

// isConst reports whether a register holds a constant.
func (b *Builder) isConst(r int) bool {
	k, ok := b.consts[b.p.regs[r]]
	return ok && k == r
}

// Parameter says that the next parameter goes to a register.
func (b *Builder) Parameter(reg int, d dtype.DType) {
	b.p.params = append(b.p.params, param{reg: reg, elem: d.Elem(), ptr: d.IsPointer()})
}

// A Label is where steps jump to.
type Label struct{ PC int }

// Jump goes to l.
func (b *Builder) Jump(l *Label) {
	b.Emit(func(w *Worker) bool { w.PC = l.PC; return true })
}

// Here puts l before the next step.
func (b *Builder) Here(l *Label) { l.PC = b.Next() }

// Next is the number of the next step.
func (b *Builder) Next() int { return len(b.p.code) }

// Moves copies registers xs to zs, all at once.
func (b *Builder) Moves(zs, xs []int) {
	if len(zs) == 0 {
		return
	}
	b.moved = max(b.moved, len(zs))
	b.Emit(func(w *Worker) bool {
		for i, x := range xs {
			w.moved[i] = w.Regs[x]
		}
		for i, z := range zs {
			w.Regs[z] = w.moved[i]
		}
		return true
	})
}

// Feed plans to read x in the step that is being made. It is the caller's business
// to give it a slot, where it reads by Next.
func (b *Builder) Feed(x *Form, shape ir.Shape) *Feed {
	f := &Feed{p: x, D: LanesOf(x.Type.D), N: shape.Len(), Direct: x.Plain(), Splat: -1, Slot: -1}
	if x.Buf >= 0 {
		f.Touch = b.Store.Read(x.Buf, storage.AnyTime)
	}
	if x.IsSplat() && b.isConst(x.Reg) {
		f.Splat = b.Lanes.Constant(f.D, b.p.regs[x.Reg])
	}
	return f
}

// Slotted is a feed with a slot of its own.
func (b *Builder) Slotted(x *Form, shape ir.Shape, slot int) *Feed {
	f := b.Feed(x, shape)
	f.Slot = slot
	b.Lanes.AtLeast(slot + 1)
	return f
}

// GiveSlots gives feeds that need one a slot, from 0 on, and returns the next.
func (b *Builder) GiveSlots(feeds []*Feed) int {
	n := 0
	for _, f := range feeds {
		if !f.Direct {
			f.Slot = n
			n++
		}
	}
	b.Lanes.AtLeast(n)
	return n
}
