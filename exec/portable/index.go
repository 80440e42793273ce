package portable

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/lanes"
	"github.com/tiler-go/tiler/exec/portable/run"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Which tiles are indices and which masks are boxes is package affine's to say. Here its syms become registers, written
// by the first step of a block that wants them, and its conditions registers that hold 1 where they are met. Where one
// is not, an index or a box is written out as elements.

// scalars are the syms and conditions that registers hold.
type scalars struct {
	c     *compiler
	forms *affine.Forms
	boxes *affine.Boxes
	regs  []int         // by a sym's number: its register, 0 for none
	held  []*affine.Sym // those that have one
	conds []met
}

// A met is a condition and the register that is 1 where it is met.
type met struct {
	affine.CondKey
	reg int
}

func newScalars(c *compiler) *scalars {
	forms := affine.NewForms(affine.NewSyms(func(*ir.Value) int { return 0 }), c.f)
	return &scalars{c: c, forms: forms, boxes: affine.NewBoxes(forms, func(affine.Cond) bool { return false })}
}

// symReg is the register that holds x.
func (s *scalars) symReg(x *affine.Sym) int {
	switch {
	case x == nil:
		return run.ZeroReg
	case x.Kind == affine.Const:
		return s.c.ConstReg(uint64(x.N))
	case x.ID < len(s.regs) && s.regs[x.ID] != 0:
		return s.regs[x.ID]
	case x.Kind == affine.Value && (x.Lo >= 0 || x.V.Type.D == dtype.Int64):
		return s.c.place(x.V).Reg
	}
	var z int
	if x.Kind == affine.Value {
		a, d := s.c.place(x.V).Reg, x.V.Type.D
		z = s.c.Reg()
		s.c.Emit(func(w *run.Worker) bool { w.Regs[z] = uint64(dtype.ToInt(d, w.Regs[a])); return true })
	} else {
		z = s.calculated(x.Kind, s.symReg(x.A), s.symReg(x.B))
	}
	s.regs = append(s.regs, make([]int, max(0, x.ID+1-len(s.regs)))...)
	s.regs[x.ID] = z
	s.held = append(s.held, x)
	return z
}

// calculated is a register for what a sym of a kind is made of.
func (s *scalars) calculated(kind affine.Kind, a, b int) int {
	z := s.c.Reg()
	switch kind {
	case affine.Sum:
		s.c.Emit(func(w *run.Worker) bool { w.Regs[z] = w.Regs[a] + w.Regs[b]; return true })
	case affine.Product:
		s.c.Emit(func(w *run.Worker) bool { w.Regs[z] = w.Regs[a] * w.Regs[b]; return true })
	case affine.Min:
		s.c.Emit(func(w *run.Worker) bool { w.Regs[z] = uint64(min(int64(w.Regs[a]), int64(w.Regs[b]))); return true })
	case affine.Max:
		s.c.Emit(func(w *run.Worker) bool { w.Regs[z] = uint64(max(int64(w.Regs[a]), int64(w.Regs[b]))); return true })
	}
	return z
}

// forget drops the syms and conditions that were computed in a block which has ended.
func (s *scalars) forget(syms, conds int) {
	for _, x := range s.held[syms:] {
		s.regs[x.ID] = 0
	}
	s.held, s.conds = s.held[:syms], s.conds[:conds]
}

// holds is the register that is 1 where conditions are met, 0 where one is not.
func (s *scalars) holds(conds []affine.Cond) int {
	all := run.OneReg
	for _, cond := range conds {
		i := slices.IndexFunc(s.conds, func(m met) bool { return m.CondKey == cond.Key() })
		if i < 0 {
			i = len(s.conds)
			s.conds = append(s.conds, met{cond.Key(), s.condition(cond)})
		}
		if r := s.conds[i].reg; all == run.OneReg {
			all = r
		} else {
			all = s.calculated(affine.Min, all, r)
		}
	}
	return all
}

func (s *scalars) condition(cond affine.Cond) int {
	x, lo, shape, below := s.formula(cond.Form), cond.Lo, cond.Shape, 0
	if cond.Below != nil {
		below = s.symReg(cond.Below)
	} else {
		below = s.c.ConstReg(uint64(cond.Hi + 1))
	}
	z := s.c.Reg()
	s.c.Emit(func(w *run.Worker) bool {
		a := w.Line(&x, dtype.Int64, shape.N)
		l, h := a.Ends(shape)
		w.Regs[z] = lanes.Truth(a.Small(shape) && l >= lo && h < int64(w.Regs[below]))
		return true
	})
	return z
}

// formula is a form in registers; OK is not set.
func (s *scalars) formula(f *affine.Form) (x run.Index) {
	x.Start = s.symReg(f.Start)
	for k, coef := range f.Coef {
		x.Step[k] = s.symReg(coef)
	}
	return x
}

// lowerIndex lowers a tile of integers or pointers that is an index, or returns false.
func lowerIndex(c *compiler, v *ir.Value) bool {
	f := c.scalars.forms.Of(v)
	if !f.Ok {
		return false
	}
	x := c.scalars.formula(f)
	x.OK = c.scalars.holds(f.Conds)
	z := c.formed(v, x.OK)
	z.Index = &x
	z.Base = c.baseReg(v)
	c.elsewise(v, x.OK)
	return true
}

// formed is a place for v that has a form where the register ok is 1, and elements where it is not.
func (c *compiler) formed(v *ir.Value, ok int) *place {
	z := rooted(run.Form{Type: v.Type, Reg: -1, Buf: -1, Stride: v.Type.Shape.Dense()})
	if ok != run.OneReg {
		z.Buf = c.buffer(v, v.Type.D, v.Type.Shape)
	}
	c.places[v.ID] = z
	return z
}

// elsewise writes out the elements of v where the register ok is not 1.
func (c *compiler) elsewise(v *ir.Value, ok int) {
	if ok == run.OneReg {
		return
	}
	for _, a := range v.Args {
		c.need(c.place(a))
	}
	exact := c.exactly(v)
	c.Emit(func(w *run.Worker) bool { return w.Regs[ok] != 0 || exact.Run(w) })
}
