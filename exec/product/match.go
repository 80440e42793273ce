package product

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A Match is a Func whose instances may be the blocks of one matrix product: it has one loop, which adds Dots of
// blocks of A and B, and one store, of what becomes of the accumulator. Both may stand in control flow.
type Match struct {
	f    *ir.Func
	loop *ir.Value
	dot  *ir.Value
	A, B Operand
	output
	Extras     []Extra // loads of the epilogue
	bm, bn, bk int
	D          dtype.DType // of the accumulator
	Chain      dot.Chain   // the order in which it adds along K
	acc        *ir.Value   // the loop's result
	linear     bool
	around
}

// output is where the sums go.
type output struct {
	store    *ir.Value
	Out      *affine.Form // of the store
	outMask  []affine.Atom
	outConds []affine.Cond
}

// Values is the operands' loads, the Dot and the store.
func (m *Match) Values() []*ir.Value {
	list := []*ir.Value{m.A.load, m.dot, m.store}
	if m.Makes() {
		list = append(list, m.B.made.loads...)
	} else {
		list = append(list, m.B.load)
	}
	if m.Picks() {
		list = append(list, m.A.picks.load)
	}
	return list
}

// Picks reports whether loaded numbers pick the rows of A.
func (m *Match) Picks() bool { return m.A.picks != nil }

// An Operand is one side of the Dot: a load, whose dimension row runs along the
// rows of C (for B, columns) and dimension k along K.
type Operand struct {
	load   *ir.Value
	D      dtype.DType // of the elements in memory
	Form   *affine.Form
	row, k int
	mask   []affine.Atom
	conds  []affine.Cond
	picks  *picks // of rows that loaded numbers pick, nil of others
	made   *made  // how it is computed, nil of what is loaded as it is
}

// An Extra is a load of the epilogue, affine in rows and columns of C.
type Extra struct {
	load  *ir.Value
	Form  *affine.Form
	m     affine.Axes   // its dimensions among rows (0) and columns (1)
	mask  []affine.Atom // in these dimensions
	conds []affine.Cond
}

// A finder looks for the pattern in a Func.
type finder struct {
	*Match
	plan  *fuse.Schedule
	forms *affine.Forms
	boxes *affine.Boxes
	int8s bool // there may be products of int8
}

// Find is the pattern in f, whose schedule is s, nil if it is not there. Products of int8, which are summed in int32,
// are found only if they are asked for.
func Find(f *ir.Func, s *fuse.Schedule, int8s bool) *Match {
	forms := affine.NewForms(affine.NewSyms(func(*ir.Value) int { return 0 }), f)
	forms.Clamped = true
	m := &finder{&Match{f: f}, s, forms, affine.NewBoxes(forms, func(affine.Cond) bool { return false }), int8s}
	body := m.body(f.Body)
	if body == nil {
		return nil
	}
	var loads []*ir.Value
	for _, v := range body.Values {
		switch {
		case v.Op == ir.If:
			if !m.scalarOnly(v) {
				return nil
			}
		case v.Op == ir.For:
			if m.loop != nil || !m.dotLoop(v) {
				return nil
			}
		case v.Op == op.Store:
			if m.store != nil || m.loop == nil {
				return nil
			}
			m.store = v
		case v.IsTerm() || v.Op == ir.Result:
		case v.Op == ir.Fits, v.Op == op.Assert && !v.Args[0].Type.IsTile():
			m.checks = append(m.checks, v)
		case !v.IsMemory() && !v.IsControl() && v.Op != op.Print && v.Op != op.Assert && !v.IsTerm():
		case v.Op == op.Load:
			loads = append(loads, v)
		default:
			return nil
		}
	}
	if m.loop == nil || m.store == nil || !m.epilogue() || slices.ContainsFunc(loads, m.unused) {
		return nil // a load that nothing uses must fail where it would
	}
	m.linear = !m.walked && m.allLinear()
	return m.Match
}

// unused reports whether the product does without a load.
func (m *finder) unused(v *ir.Value) bool {
	if m.Makes() && slices.Contains(m.B.made.loads, v) {
		return false
	}
	p := m.A.picks
	return (p == nil || p.load != v) && !slices.ContainsFunc(m.Extras, func(x Extra) bool { return x.load == v })
}

// dotLoop looks for the one Dot of a loop whose body is nothing else.
func (m *finder) dotLoop(v *ir.Value) bool {
	m.loop = v
	b := v.Blocks[0]
	if v.Index < 0 {
		return false
	}
	for _, w := range b.Values {
		switch {
		case w.Op == op.Dot:
			if m.dot != nil {
				return false
			}
			m.dot = w
		case w.Op == op.Load:
		case w.Op == op.Assert && !w.Args[0].Type.IsTile() && !slices.Contains(b.Values, w.Args[0]):
			m.checks = append(m.checks, w)
		case w.IsControl(), w.Writes(), w.Op == op.Print, w.Op == op.Assert:
			return false
		}
	}
	d := m.dot
	if d == nil || d.Type.Shape.N != 2 || d.Flags&ir.HasAcc == 0 {
		return false
	}
	switch m.D = d.Type.D; {
	case m.D == dtype.Float32 || m.D == dtype.Float64:
	case m.D == dtype.Int32 && m.int8s && d.Args[0].Type.D == dtype.Int8 && d.Args[1].Type.D == dtype.Int8:
	default:
		return false
	}
	if acc := m.carried(v, d); acc < 0 || !m.onlyResult(v, acc) {
		return false
	}
	s := d.Type.Shape
	m.bm, m.bn, m.bk = s.D[0], s.D[1], d.Args[0].Type.Shape.D[1]
	if m.Chain = d.Chain; m.bk%ChainUnit(m.Chain) != 0 {
		return false // zeros at the end of each block
	}
	if !m.operandOf(&m.A, d.Args[0], 0, 1) || !m.operandOf(&m.B, d.Args[1], 1, 0) && !m.madeOf(&m.B, d.Args[1]) {
		return false
	}
	return m.evenly() && !slices.ContainsFunc(b.Values, func(w *ir.Value) bool {
		return w.Op == op.Load && w != m.A.load && w != m.B.load && m.unused(w)
	})
}

// carried is which value of the loop is the accumulator: it is the only tile that is carried, begins as zeros, and is
// read by the Dot alone; -1 if there is none.
func (m *finder) carried(loop, dot *ir.Value) int {
	b, acc := loop.Blocks[0], -1
	for i, t := range loop.Results {
		switch {
		case !t.IsTile():
		case acc >= 0 || b.Args[1+i] != dot.Args[2] || b.Term().Args[i] != dot:
			return -1
		default:
			acc = i
		}
	}
	if acc < 0 || !affine.IsZeros(loop.Args[2+acc]) || len(m.plan.Of(dot.Args[2]).Users) != 1 {
		return -1
	}
	return acc
}

// onlyResult finds the accumulator behind the loop; false if something else of the loop is used there.
func (m *finder) onlyResult(loop *ir.Value, acc int) bool {
	for _, u := range m.plan.Of(loop).Users {
		if u.Index == acc {
			if m.acc != nil {
				return false
			}
			m.acc = u
		} else if len(m.plan.Of(u).Users) > 0 {
			return false
		}
	}
	return m.acc != nil
}

// ChainUnit is how many elements a chain takes together.
func ChainUnit(c dot.Chain) int {
	switch c {
	case dot.Pairs:
		return 2
	case dot.Tiles:
		return dot.TileSteps
	}
	return 1
}

// operandOf takes one operand apart: casts that are exact, a transposition, a load
// with zeros where it is masked off.
func (m *finder) operandOf(o *Operand, v *ir.Value, row, k int) bool {
	o.row, o.k = row, k
	for v.Op != op.Load {
		switch {
		case v.Op == op.Permute && v.Type.Shape.N == 2 && v.Axes[0] == 1:
			o.row, o.k = o.k, o.row
		case v.Op == op.Cast && v.Type.D == dtype.Float32 && (v.Args[0].Type.D == dtype.Float16 || v.Args[0].Type.D == dtype.BFloat16):
		default:
			return false
		}
		v = v.Args[0]
	}
	mem := v.Memory()
	o.load, o.D = v, v.Type.D
	o.Form = m.forms.Of(mem.Ptr)
	if v.Type.Shape.N != 2 || !o.Form.Ok && (o != &m.A || !m.pickedBy(o, mem.Ptr)) || o.Form.Base < 0 {
		return false
	}
	switch o.D {
	case dtype.Float32, dtype.Float16, dtype.BFloat16, dtype.Float64, dtype.Int8:
	default:
		return false
	}
	if mem.Mask != nil && mem.Other != nil && !affine.IsZeros(mem.Other) {
		return false
	}
	var ok bool
	o.mask, o.conds, ok = m.limits(mem.Mask)
	return ok
}

// limits are the limits that a mask is, if it is nothing else; nil is no mask. A launch sees that lower ones leave
// nothing out: descriptors have them.
func (m *finder) limits(mask *ir.Value) ([]affine.Atom, []affine.Cond, bool) {
	if mask == nil {
		return nil, nil, true
	}
	b := m.boxes.Of(mask)
	return b.Atoms, b.Conds, b.Ok && !slices.ContainsFunc(b.Atoms, func(a affine.Atom) bool { return a.All })
}

// epilogue checks that what is stored is made, lane by lane, of the accumulator, scalars that are the same in every
// instance, and loads.
func (m *finder) epilogue() bool {
	mem := m.store.Memory()
	m.Out = m.forms.Of(mem.Ptr)
	if !m.Out.Ok || m.Out.Base < 0 || mem.Ptr.Type.Shape.N != 2 {
		return false
	}
	var ok bool
	if m.outMask, m.outConds, ok = m.limits(mem.Mask); !ok {
		return false
	}
	w := &epilogueWalk{finder: m, seen: map[read]bool{}}
	if m.Picks() && m.Out.Base == m.A.picks.at.Base || m.Makes() && m.B.made.reads(m.Out.Base) {
		return false
	}
	return w.made(mem.Val, affine.Axes{0, 1}) && w.usesAcc && m.Out.Base != m.A.Form.Base && m.Out.Base != m.B.Form.Base
}

// An epilogueWalk goes from what is stored to what it is made of.
type epilogueWalk struct {
	*finder
	seen    map[read]bool // what has not been refused
	usesAcc bool
}

// A read is a value as rows and columns of C read it.
type read struct {
	v *ir.Value
	x affine.Axes
}

// made reports whether v is made of what an epilogue may use.
func (w *epilogueWalk) made(v *ir.Value, x affine.Axes) bool {
	if w.seen[read{v, x}] {
		return true
	}
	w.seen[read{v, x}] = true
	switch {
	case v == w.acc:
		w.usesAcc = true
		return x == affine.Axes{0, 1}
	case v.Op == op.Load:
		return w.extra(v, x)
	case !v.Type.IsTile():
		if !uniform(v) {
			return false
		}
	case !fuse.Lazy(v) || ir.Family(v.Op) == op.Create || v.Type.D.IsPointer():
		return false
	case ir.Family(v.Op) == op.Shape:
		return w.made(v.Args[0], affine.Through(v, x))
	}
	for _, a := range v.Args {
		if !w.made(a, x) {
			return false
		}
	}
	return true
}

// extra adds a load: of another tensor than the result, or of the elements that are stored.
func (m *finder) extra(v *ir.Value, x affine.Axes) bool {
	mem := v.Memory()
	if !v.Type.IsTile() {
		x = affine.Axes{-1, -1}
	}
	for _, have := range m.Extras {
		if have.load == v {
			return have.m == x
		}
	}
	f := m.forms.Of(mem.Ptr)
	if !f.Ok || f.Base < 0 || f.Base == m.Out.Base && (mem.Ptr != m.store.Memory().Ptr || x != affine.Axes{0, 1}) {
		return false
	}
	mask, conds, ok := m.limits(mem.Mask)
	if !ok {
		return false
	}
	if mask, ok = affine.Mapped(mask, x); ok {
		m.Extras = append(m.Extras, Extra{v, f, x, mask, conds})
	}
	return ok
}

// uniform reports whether a scalar is the same in every instance if its operands are.
func uniform(v *ir.Value) bool {
	return v.Op == op.Const || v.Op == ir.Param && !v.Type.D.IsPointer() || v.Op == ir.Fits ||
		v.Op < op.NumOps && v.Pure() && (ir.Family(v.Op) == op.Elementwise || ir.Family(v.Op) == op.Change)
}
