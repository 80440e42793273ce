package product

import (
	"cmp"
	"math"
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Rows of A that loaded numbers pick: row i of C is made of row ids[i] of A. Such a product is looked at twice. With
// the places of the numbers in place of the numbers it has the addresses of one that picks nothing, which say how its
// instances lie beside each other. With a number that is the same for all rows, its addresses say where a row begins,
// and what numbers lie in the tensor. Which these are is seen in each launch.

// picks are the numbers of an operand's rows.
type picks struct {
	load  *ir.Value    // of the numbers of a block
	dim   int          // of the load, its only one of more than one element
	at    *affine.Form // where they lie
	rows  *affine.Form // addresses of the operand, the load standing for one number
	mask  []affine.Atom
	conds []affine.Cond
	zeros bool // where the mask leaves numbers out, they are zeros
}

// pickedBy makes o's form one of rows that are picked; false if they are not.
func (m *finder) pickedBy(o *Operand, ptr *ir.Value) bool {
	v := onlyLoad(ptr, map[*ir.Value]*ir.Value{})
	if v == nil || v.Type.D != dtype.Int32 && v.Type.D != dtype.Int64 {
		return false
	}
	mem, shape := v.Memory(), v.Type.Shape
	dim := slices.Index(shape.D[:shape.N], shape.Len())
	if dim < 0 || shape.Len() == 1 {
		return false
	}
	x := &picks{load: v, dim: dim, at: m.forms.Of(mem.Ptr), zeros: mem.Other == nil || affine.IsZeros(mem.Other)}
	var ok bool
	x.mask, x.conds, ok = m.limits(mem.Mask)
	if !ok || !x.at.Ok || x.at.Base < 0 || x.at.Coef[dim] == nil || m.insideLoop(v) {
		return false
	}
	if slices.ContainsFunc(x.mask, func(a affine.Atom) bool { return a.Dim != dim }) {
		return false
	}
	place := *x.at
	place.Base = -1
	number := m.forms.Leaf(v)
	x.rows = m.formOf(ptr, v, &affine.Form{Ok: true, Base: -1, Start: number})
	o.Form = m.formOf(ptr, v, &place)
	if !o.Form.Ok || o.Form.Base < 0 || !x.rows.Ok || x.rows.Coef[o.row] != nil || !linearIn(x.rows, v) {
		return false
	}
	if x.rows.Coef[o.k] != o.Form.Coef[o.k] { // numbers pick along K, too
		return false
	}
	for _, c := range append(x.rows.Conds, o.Form.Conds...) {
		if c.Below != nil || !linearIn(c.Form, v) {
			return false
		}
	}
	o.picks = x
	return true
}

// formOf is v's form where x has a form that is not its own.
func (m *finder) formOf(v, x *ir.Value, of *affine.Form) *affine.Form {
	forms := affine.NewForms(m.forms.Syms, m.f)
	forms.Assume(x, of)
	return forms.Of(v)
}

// insideLoop reports whether v is computed in the product's loop.
func (m *finder) insideLoop(v *ir.Value) bool {
	t := turns{loop: m.loop.Blocks[0]}
	return t.inside(v)
}

// onlyLoad is the load of a tile that v is computed of, nil if there are none or several; known is that of others.
func onlyLoad(v *ir.Value, known map[*ir.Value]*ir.Value) (load *ir.Value) {
	if x, ok := known[v]; ok || !v.Type.IsTile() {
		return x
	}
	if v.Op == op.Load {
		return v
	}
	for _, a := range v.Args {
		x := onlyLoad(a, known)
		if x != nil && load != nil && load != x {
			load = nil
			break
		}
		load = cmp.Or(x, load)
	}
	known[v] = load
	return load
}

// linearIn reports whether a form grows by as much with each step of v, which is in no coefficient.
func linearIn(f *affine.Form, v *ir.Value) bool {
	for _, c := range f.Coef {
		if c != nil && degreeIn(c, v) > 0 {
			return false
		}
	}
	return degreeIn(f.Start, v) <= 1
}

func degreeIn(x *affine.Sym, v *ir.Value) int {
	switch {
	case x.Kind == affine.Const:
		return 0
	case x.Kind == affine.Value && x.V == v:
		return 1
	case x.Kind == affine.Value:
		return 0
	case x.Kind == affine.Sum:
		return max(degreeIn(x.A, v), degreeIn(x.B, v))
	}
	n := degreeIn(x.A, v) + degreeIn(x.B, v)
	if x.Kind != affine.Product {
		n *= 2
	}
	return n
}

// allForms are those of an operand's addresses, allConds what they hold under.
func (o *Operand) allForms() []*affine.Form {
	if o.picks != nil {
		return []*affine.Form{o.Form, o.picks.rows, o.picks.at}
	}
	return []*affine.Form{o.Form}
}

func (o *Operand) allConds() (conds [][]affine.Cond) {
	for _, f := range o.allForms() {
		conds = append(conds, f.Conds)
	}
	if o.picks != nil {
		conds = append(conds, o.picks.conds)
	}
	return append(conds, o.conds)
}

// picked is what an instance picks.
type picked struct {
	at, step  int64 // the first number's place, and elements from one to the next
	first, by int64 // where row 0 begins, and elements from row to row
	rows      int64 // numbers that their mask lets through
}

// pickedFrom is where rows begin now.
func (x *picks) pickedFrom(e *affine.Env) (p picked) {
	e.Fix(x.load, 0)
	p.first = e.Sym(x.rows.Start)
	e.Fix(x.load, 1)
	p.by = e.Sym(x.rows.Start) - p.first
	return p
}

// numbers adds what is known outside of the loop.
func (x *picks) numbers(e *affine.Env, p *picked, most int64) {
	p.at, p.step = e.Sym(x.at.Start), e.Coef(x.at.Coef[x.dim])
	p.rows = limitOf(e, x.mask, x.dim, most)
}

// follows reports whether an instance whose first row is so many rows behind another's picks as that one does.
func (p picked) follows(origin picked, rows int64) bool {
	return p.at == origin.at+rows*origin.step && p.step == origin.step && p.first == origin.first && p.by == origin.by
}

// A Picked says which rows of A those of C are made of, if numbers pick them.
type Picked struct {
	Base      int   // the tensor of numbers
	At, Step  int   // the first one's place there, and elements from one to the next
	Rows      int   // of numbers that are looked at
	Least, To int64 // numbers of rows that lie in A: from Least to To
}

// On reports whether rows are picked.
func (p *Picked) On() bool { return p.Rows > 0 }

// From adds where the rows begin to list; false if one does not lie in A.
func (w *Launch) From(list []int64, args []ir.Arg) ([]int64, bool) {
	p := &w.Picked
	mem := args[p.Base].Mem
	for i := range p.Rows {
		n := dtype.ToInt(mem.DType(), mem.Bits(p.At+i*p.Step))
		if n < p.Least || n > p.To {
			return list, false
		}
		list = append(list, int64(w.A.Base)+n*w.A.Row)
	}
	return list, true
}

// pickedPlane is plane of rows of A that are picked: w's A and Picked, for so many rows that are loaded.
func (p *planning) pickedPlane(w *Launch, b *blocks, origin sample, loaded int64) bool {
	o := &p.m.A
	x, from := o.picks, origin.picked
	mem := p.args[o.Form.Base].Mem
	k := int64(w.K)
	if origin.ak != 1 || from.by < 1 || from.by > affine.CoefLimit || abs(from.first) > affine.StartLimit ||
		origin.am != from.by*from.step {
		return false
	}
	have := int64(b.ni-1)*int64(p.m.bm) + p.at(b.at(b.ni-1, b.nj-1)).picked.rows
	if _, ok := p.plane(x.at.Base, from.at, from.step, 0, have, 1); !ok || have < int64(w.M) {
		return false
	}
	least, to := -floorDiv(from.first, from.by), floorDiv(int64(mem.Len())-k-from.first, from.by)
	if d := x.load.Type.D; d == dtype.Int32 {
		least, to = max(least, math.MinInt32), min(to, math.MaxInt32)
	}
	if least > to || loaded > have && (!x.zeros || least > 0 || to < 0) {
		return false
	}
	size := int64(mem.DType().Size())
	w.A = Plane{uintptr(from.first * size), from.by * size, size}
	w.Picked = Picked{x.at.Base, int(from.at), int(from.step), int(min(loaded, have)), least, to}
	return true
}

// pickedHold checks conditions of addresses for the least and the greatest number.
func (p *planning) pickedHold(w *Launch, id instance, trips int64) bool {
	x := p.m.A.picks
	if x == nil {
		return true
	}
	for _, n := range []int64{w.Picked.Least, w.Picked.To} {
		p.e.Fix(x.load, n)
		if !p.hold(x.rows.Conds, id, trips, math.MaxInt32) {
			return false
		}
	}
	return p.hold(x.at.Conds, id, trips, math.MaxInt32) && p.hold(x.conds, id, trips, math.MaxInt32)
}

// floorDiv is x divided by y > 0, rounded down.
func floorDiv(x, y int64) int64 {
	q := x / y
	if x%y < 0 {
		q--
	}
	return q
}
