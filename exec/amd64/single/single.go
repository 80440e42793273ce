// Package single loads and stores single elements; it knows the code of nests, which it uses for what is no plain access,
// and no operation.
package single

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/nest"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Elements writes accesses to single elements.
type Elements struct {
	g       *nest.Nests
	checked map[element]*lir.Seq // those that are known to be inside from some code on
	bases   map[int]lir.Reg      // addresses of tensors
	updates map[*ir.Value]update // by their stores
	delayed map[*ir.Value]bool   // what of updates is left to their stores
}

// New is for code with such nests.
func New(n *nest.Nests) *Elements {
	return &Elements{n, map[element]*lir.Seq{}, map[int]lir.Reg{}, map[*ir.Value]update{}, map[*ir.Value]bool{}}
}

// access writes an access to one element, without a mask, whose address is that of a tensor plus a number. What put
// writes is written more than once: for the element in its tensor; for one that is stored where there are gaps; and for
// a copy of one that lies outside, or in a gap: Go fills that before, or carries it out behind.
func (s *Elements) access(v *ir.Value, f *affine.Form, put func(at lir.Arg)) {
	g := s.g
	g.Force(f)
	size := v.Memory().Ptr.Type.D.Elem().Size()
	inTensor := func() { put(s.place(f, size)) }
	before, rare, done := g.Here(), g.NewLabel(), g.NewLabel()
	if g.Inside {
		g.CheckInside(v, f, g.Bail)
		inTensor()
		g.Spent(g.WorkSince(before))
		return
	}
	s.checkSingle(v, f, rare)
	inTensor()
	ns := g.WorkSince(before)
	g.Jump(asm.JMP, done)
	g.BindCold(rare)
	g.InCold(func() {
		if v.Op == op.Store {
			outside := g.NewLabel()
			g.CheckInside(v, f, outside)
			inTensor()
			g.Jump(asm.JMP, done)
			g.Bind(outside)
		}
		copied := g.Alloc(size)
		if v.Op == op.Load {
			g.Exact(v, copied, 1, false)
		}
		put(lir.Frame(copied))
		if v.Op == op.Store {
			g.Exact(v, copied, 1, false)
		}
	})
	g.Bind(done)
	g.Spent(ns)
}

// place is where an element of a tensor lies.
func (s *Elements) place(f *affine.Form, size int) lir.Arg {
	at := lir.Mem(s.base(f.Base), 0)
	if n := f.Start.N; f.Start.Kind == affine.Const && n >= 0 && n < 1<<24 {
		return at.Plus(int(n) * size)
	}
	return lir.MemIndex(at.Base(), scalar.OffsetReg(s.g.Scalars, f.Start), size, 0)
}

// base is the register with a tensor's address: kept from the start if a loop needs it.
func (s *Elements) base(tensor int) lir.Reg {
	g := s.g
	if len(g.Enclosing) < 3 {
		return g.Word(scalar.ArgOffset(tensor))
	}
	if s.bases[tensor] == 0 {
		g.At(0, func() { s.bases[tensor] = g.Word(scalar.ArgOffset(tensor)) })
	}
	return s.bases[tensor]
}

// checkSingle jumps to rare unless an element may be accessed where it lies, and nothing that has run already said so.
func (s *Elements) checkSingle(v *ir.Value, f *affine.Form, rare int) {
	g := s.g
	element, word := element{f.Base, f.Start, v.Writes()}, scalar.ArgSpan
	if element.stored {
		word = scalar.ArgOwn
	}
	stored := element
	stored.stored = true
	if g.Unchecked || s.isOpen(s.checked[element]) || s.isOpen(s.checked[stored]) {
		return
	}
	scalar.CheckSingle(g.Scalars, f, word, rare)
	if len(f.Conds) == 0 {
		s.checked[element] = g.Cur
	}
}

// isOpen reports whether code is that of a scope that is being written.
func (s *Elements) isOpen(q *lir.Seq) bool { return q != nil && slices.Contains(s.g.Enclosing, q) }

// An element is one of a tensor that is loaded or stored.
type element struct {
	tensor int
	at     *affine.Sym
	stored bool
}

// isSingle reports whether an access is one that access is for.
func (s *Elements) isSingle(v *ir.Value) (f *affine.Form, ok bool) {
	mem := v.Memory()
	f = s.g.Forms.Of(mem.Ptr)
	return f, mem.Mask == nil && mem.Ptr.Type.Shape.Len() == 1 && f.Ok && f.Base >= 0
}

// Load is a Load of one element.
func (s *Elements) Load(v *ir.Value) {
	g := s.g
	f, ok := s.isSingle(v)
	d := v.Memory().Ptr.Type.D.Elem()
	switch {
	case ok && d.IsFloat():
		var x lane.Lanes
		s.access(v, f, func(at lir.Arg) {
			if x.R[0] == 0 { // one register, for both halves of 64-bit lanes: what is computed of it is computed once
				r := g.NewVec()
				x = lane.Lanes{D: d, R: [2]lir.Reg{r, r}}
			}
			g.MoveVec(x.R[0], g.Reg(g.LoadSplat(d, at), 0))
		})
		g.SetScalar(v, 0, x)
	case ok:
		s.access(v, f, func(at lir.Arg) {
			if r := g.LoadScalar(d, at); g.Ints[v] == 0 {
				g.Ints[v] = r
			} else {
				g.Move64(g.Ints[v], r)
			}
		})
	default:
		n := g.NewNest(ir.Shape{})
		n.One = true
		n.Run(func() { g.SetScalar(v, 0, n.Load(v, affine.Axes{})) })
	}
}

// Store is a Store of one element, without a masked store: a load from the same line would wait for that.
func (s *Elements) Store(n *nest.Nest, v *ir.Value, m affine.Axes) {
	g := s.g
	mem, off := v.Memory(), g.NewLabel()
	d := mem.Ptr.Type.D.Elem()
	var i lir.Reg // all values first: what is computed behind a jump is not there on every way
	var x lane.Lanes
	value := func() {
		if t := mem.Val.Type; !t.IsTile() && t.D == d && !t.D.IsFloat() {
			i = g.IntReg(mem.Val)
		} else {
			x = n.Eval(tiles.Rounded(&n.G.Memory, mem.Val), m)
		}
	}
	put := func(at lir.Arg) {
		if i != 0 {
			g.StoreInt(d.Size(), at, i)
		} else {
			g.StoreFirst(d, x, at)
		}
	}
	switch f, ok := s.isSingle(v); {
	case ok && s.updates[v].load != nil:
		n.Run(func() { s.update(v, f, s.updates[v]) })
		return
	case ok:
		n.Run(value)
		s.access(v, f, put)
		return
	}
	a := &tiles.Access{V: v, D: d, Rows: n.RowwiseOf(v, m)}
	g.Prepare(a)
	n.Run(func() {
		at, _ := n.Address(a, m)
		value()
		if mem.Mask != nil {
			on := g.FirstInt(n.Eval(mem.Mask, m))
			g.Use(asm.TEST, g.R64(on), g.R64(on))
			g.Jump(asm.JE, off)
		}
		put(at)
		g.Bind(off)
	})
	g.Finish(a)
}
