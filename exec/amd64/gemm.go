package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A kernel that is a matrix product (a loop that adds Dots of blocks of two tensors,
// and a store of what became of the sum) is run for the whole grid at once: instances
// are independent, rows of the one operand depend on an instance's row block only,
// columns of the other on its column block only. The blocks of all instances make up
// one large product, which is then cut as suits the machine. Every element is still
// the same chain, so the bits are too.
//
// This file finds the pattern when a Func is compiled. Whether a launch has it too
// (blocks that lie side by side, masks that belong to a ragged edge, addresses inside
// their tensors) is decided from its arguments, see gemmplan.go; if not, the instances
// run one by one.

// A gemm is the pattern in a Func.
type gemm struct {
	f          *ir.Func
	loop       *ir.Value
	dot        *ir.Value
	a, b       operand
	store      *ir.Value
	out        *affine.Form
	outMask    []affine.Atom
	outConds   []affine.Cond
	extras     []extra // loads of the epilogue
	bm, bn, bk int
	d          dtype.DType // of the chain
	acc        *ir.Value   // the loop's result that the epilogue starts from
	linear     bool
	chain      op.Chain
	// The chain is one that has to be asked for, by the instruction that is it.
	instruction bool
}

// An operand is one side of the Dot: a load, whose dimension row runs along the
// result's rows (for b, columns) and dimension k along the chain.
type operand struct {
	load   *ir.Value
	d      dtype.DType // of the elements in memory
	form   *affine.Form
	row, k int
	mask   []affine.Atom
	conds  []affine.Cond
}

// An extra is a load of the epilogue, affine in the result's rows and columns.
type extra struct {
	load *ir.Value
	form *affine.Form
	m    affine.Axes // its dimensions among rows (0) and columns (1)
}

// findGemm is the pattern in the Func that g translates, nil if it is not there.
func (g *gen) findGemm() *gemm {
	m := &gemm{f: g.f}
	for _, v := range g.f.Body.Values {
		switch {
		case v.Op == ir.For:
			if m.loop != nil || !g.dotLoop(m, v) {
				return nil
			}
		case v.Op == op.Store:
			if m.store != nil || m.loop == nil {
				return nil
			}
			m.store = v
		case v.Op == ir.Return || v.Op == ir.Result:
		case v.Op == ir.Fits || !v.IsMemory() && !v.IsControl() && v.Op != op.Print && v.Op != op.Assert && !v.IsTerm():
		case v.Op == op.Load && m.loop != nil && v.Type.IsTile():
		case v.Op == op.Assert && !v.Args[0].Type.IsTile():
		default:
			return nil
		}
	}
	if m.loop == nil || m.store == nil || !g.epilogue(m) {
		return nil
	}
	m.linear = m.allLinear()
	return m
}

// dotLoop looks for the one Dot of a loop whose body is nothing else.
func (g *gen) dotLoop(m *gemm, v *ir.Value) bool {
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
		case w.IsControl(), w.Writes(), w.Op == op.Print, w.Op == op.Assert && w.Args[0].Type.IsTile():
			return false
		}
	}
	d := m.dot
	if d == nil || d.Type.Shape.N != 2 || d.Flags&ir.HasAcc == 0 {
		return false
	}
	switch m.d = d.Type.D; {
	case m.d == dtype.Float32 || m.d == dtype.Float64:
	case m.d == dtype.Int32 && g.avx512 && byteProducts() && d.Args[0].Type.D == dtype.Int8 && d.Args[1].Type.D == dtype.Int8:
	default:
		return false
	}
	// The accumulator is carried, begins as zeros, and is the only tile that is.
	acc := -1
	for i, t := range v.Results {
		switch {
		case !t.IsTile():
		case acc >= 0 || b.Args[1+i] != d.Args[2] || b.Term().Args[i] != d:
			return false
		default:
			acc = i
		}
	}
	if acc < 0 || !isZeros(v.Args[2+acc]) || len(g.plan.Of(d.Args[2]).Users) != 1 {
		return false
	}
	for _, u := range g.plan.Of(v).Users {
		if u.Index == acc {
			if m.acc != nil {
				return false
			}
			m.acc = u
		} else if len(g.plan.Of(u).Users) > 0 {
			return false
		}
	}
	s := d.Type.Shape
	m.bm, m.bn, m.bk = s.D[0], s.D[1], d.Args[0].Type.Shape.D[1]
	if m.chain = d.Chain; m.bk%chainUnit(m.chain) != 0 {
		return false // zeros at the end of each block
	}
	return m.acc != nil && g.operandOf(&m.a, d.Args[0], 0, 1) && g.operandOf(&m.b, d.Args[1], 1, 0)
}

// chainUnit is how many elements a chain takes together.
func chainUnit(c op.Chain) int {
	switch c {
	case op.Pairs:
		return 2
	case op.Tiles:
		return op.TileSteps
	}
	return 1
}

// isZeros reports whether a tile is +0 everywhere.
func isZeros(v *ir.Value) bool {
	s := affine.Repeated(v)
	return s != nil && s.Op == op.Const && s.Bits == 0
}

// operandOf takes one operand apart: casts that are exact, a transposition, a load
// with zeros where it is masked off.
func (g *gen) operandOf(o *operand, v *ir.Value, row, k int) bool {
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
	o.load, o.d = v, v.Type.D
	o.form = g.forms.Of(mem.Ptr)
	if !o.form.Ok || o.form.Base < 0 || v.Type.Shape.N != 2 {
		return false
	}
	switch o.d {
	case dtype.Float32, dtype.Float16, dtype.BFloat16, dtype.Float64, dtype.Int8:
	default:
		return false
	}
	if mem.Mask != nil {
		b := g.boxes.Of(mem.Mask)
		if !b.Ok || mem.Other != nil && !isZeros(mem.Other) {
			return false
		}
		for _, a := range b.Atoms {
			if a.Hi == nil {
				return false
			}
		}
		o.mask, o.conds = b.Atoms, b.Conds
	}
	return true
}

// epilogue checks that what is stored is made, lane by lane, of the sum, scalars that
// are the same in every instance, and loads.
func (g *gen) epilogue(m *gemm) bool {
	mem := m.store.Memory()
	m.out = g.forms.Of(mem.Ptr)
	if !m.out.Ok || m.out.Base < 0 || mem.Ptr.Type.Shape.N != 2 {
		return false
	}
	if mem.Mask != nil {
		b := g.boxes.Of(mem.Mask)
		if !b.Ok {
			return false
		}
		for _, a := range b.Atoms {
			if a.Hi == nil {
				return false
			}
		}
		m.outMask, m.outConds = b.Atoms, b.Conds
	}
	usesSum := false
	seen := map[laneKey]bool{} // what has not been refused
	var walk func(v *ir.Value, x affine.Axes) bool
	walk = func(v *ir.Value, x affine.Axes) bool {
		if seen[laneKey{v, x}] {
			return true
		}
		seen[laneKey{v, x}] = true
		switch {
		case v == m.acc:
			usesSum = true
			return x == affine.Axes{0, 1}
		case !v.Type.IsTile():
			if !uniform(v) {
				return false
			}
		case v.Op == op.Load:
			f := g.forms.Of(v.Memory().Ptr)
			if !f.Ok || f.Base < 0 || f.Base == m.out.Base || v.Memory().Mask != nil && !g.harmless(m, v, x) {
				return false
			}
			for _, have := range m.extras {
				if have.load == v {
					return have.m == x
				}
				if have.form.Base == f.Base {
					return false
				}
			}
			m.extras = append(m.extras, extra{v, f, x})
			return true
		case !fuse.Lazy(v) || ir.Family(v.Op) == op.Create || v.Type.D.IsPointer():
			return false
		case ir.Family(v.Op) == op.Shape:
			return walk(v.Args[0], affine.Through(v, x))
		}
		for _, a := range v.Args {
			if !walk(a, x) {
				return false
			}
		}
		return true
	}
	return walk(mem.Val, affine.Axes{0, 1}) && usesSum && m.out.Base != m.a.form.Base && m.out.Base != m.b.form.Base
}

// harmless reports whether a load's mask only leaves out what the store's leaves out
// too: it is made of the store's comparisons.
func (g *gen) harmless(m *gemm, v *ir.Value, x affine.Axes) bool {
	b := g.boxes.Of(v.Memory().Mask)
	if !b.Ok {
		return false
	}
	atoms, ok := affine.Mapped(b.Atoms, x)
	return ok && affine.Subset(atoms, m.outMask)
}

// uniform reports whether a scalar is the same in every instance if its operands are.
func uniform(v *ir.Value) bool {
	return v.Op == op.Const || v.Op == ir.Param && !v.Type.D.IsPointer() || v.Op == ir.Fits ||
		v.Op < op.NumOps && v.Pure() && (ir.Family(v.Op) == op.Elementwise || ir.Family(v.Op) == op.Change)
}
