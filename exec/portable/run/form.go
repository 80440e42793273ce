package run

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/strided"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A Form says how a value is held. A scalar is in a register. A tile is one of:
//
//   - a splat: all elements are the register Reg;
//   - an index or a box, where its register OK holds 1 at the time;
//   - else elements of the buffer Buf, at Off + Σ index·Stride.
//
// An index or a box whose OK is OneReg always holds, and needs no buffer.
type Form struct {
	Type  ir.Type
	Reg   int // -1: neither scalar nor splat
	Base  int // register: the parameter that a pointer points into
	Index *Index
	Box   *Box

	Buf, Off int // Buf is -1 if there are never elements
	Stride   ir.Shape
}

// An Index is a tile of integers or pointers given by a formula: registers hold
// Start and, for each axis, Step; element i is Start + Σ i·Step. For int32 it wraps,
// and only the low 32 bits of the registers count.
type Index struct {
	OK, Start int
	Step      [ir.MaxRank]int
}

// A Box is a tile of bools that are true inside a rectangle: where for each axis
// Lo <= i < Hi, which are registers. A rectangle that is empty is so on any axis.
type Box struct {
	OK     int
	Lo, Hi [ir.MaxRank]int
}

// LanesOf is the element type that the lanes of a value of type d have in memory: a
// pointer is its offset.
func LanesOf(d dtype.DType) dtype.DType {
	if d.IsPointer() {
		return dtype.Int64
	}
	return d
}

// indexable reports whether tiles of type d can have the form of an index.
func indexable(d dtype.DType) bool {
	return d == dtype.Int32 || d == dtype.Int64 || d.IsPointer()
}

// InBuffer reports whether p's elements are always in its buffer.
func (p *Form) InBuffer() bool { return p.Reg < 0 && p.Index == nil && p.Box == nil }

// IsSplat reports whether p is a tile of one register.
func (p *Form) IsSplat() bool { return p.Reg >= 0 }

// Plain reports whether p's elements are always in its buffer in row-major order.
func (p *Form) Plain() bool { return p.InBuffer() && p.Type.Shape.IsDense(p.Stride) }

// formula is p as an index, if it has that form; OK then says when it holds.
func (p *Form) formula() (Index, bool) {
	switch {
	case p.Index != nil:
		return *p.Index, true
	case p.Reg >= 0 && indexable(p.Type.D):
		return Index{OK: OneReg, Start: p.Reg}, true
	}
	return Index{}, false
}

// Line reads the first n axes of an index with elements of type d.
func (w *Worker) Line(x *Index, d dtype.DType, n int) (a strided.Line) {
	a.Start = int64(w.Regs[x.Start])
	for k := range n {
		a.Step[k] = int64(w.Regs[x.Step[k]])
	}
	if d == dtype.Int32 {
		a.Start = int64(int32(a.Start))
		for k := range n {
			a.Step[k] = int64(int32(a.Step[k]))
		}
	}
	return a
}
