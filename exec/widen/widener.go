package widen

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass/write"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// maxElems bounds tiles: what a program computes of pairs of its elements is a vector by itself, and 16 times as much
// leaves the caches (differences of 64 elements from each other: 0.3 times as fast on AVX2).
const maxElems = 1 << 14

// A widener writes a Func whose programs are n of another's.
type widener struct {
	write.Writer
	to       *ir.Func // being written
	vary     *varying
	made     map[*ir.Value]*ir.Value // by the values of the other one; what differs has one more dimension
	accesses []*ir.Value             // that differ
	lines    map[*ir.Value]line      // of int64 scalars that are such, and of program ids
	around   []*ir.Value             // Loops, innermost last
	refused  bool
}

// newWidener writes f with programs in one.
func newWidener(f *ir.Func, vary *varying) *widener {
	w := &widener{to: &ir.Func{Name: f.Name, File: f.File}, vary: vary}
	w.made, w.lines = map[*ir.Value]*ir.Value{}, map[*ir.Value]line{}
	w.Fn = w.to
	for _, p := range f.Params {
		z := w.to.AddParam(p.Type.D)
		z.Attr, z.Pos = p.Attr, p.Pos
		w.made[p] = z
	}
	w.to.Body = w.block(f.Body, nil)
	return w
}

// block writes a block, of its owner's.
func (w *widener) block(b *ir.Block, owner *ir.Value) *ir.Block {
	z, around := &ir.Block{}, w.Out
	w.Out = nil
	for _, a := range b.Args {
		c := w.Fn.NewValue(op.None, w.typeOf(a.Type, w.vary.of(a)), a.Pos)
		w.made[a], z.Args = c, append(z.Args, c)
	}
	for _, v := range b.Values {
		if w.refused {
			break
		}
		w.Pos = v.Pos
		w.value(v, owner)
	}
	z.Values, w.Out = w.Out, around
	return z
}

// typeOf is the type of what has one in the other Func.
func (w *widener) typeOf(t ir.Type, differs bool) ir.Type {
	if !differs || t.D == dtype.Invalid {
		return t
	}
	if t.Shape.N == ir.MaxRank || t.Shape.Len()*w.vary.n > maxElems {
		w.refused = true
		return t
	}
	t.Shape = t.Shape.Insert(w.place(t.Shape.N), w.vary.n)
	return t
}

// place is where the dimension of programs stands in tiles that have n others.
func (w *widener) place(n int) int {
	if w.vary.first {
		return 0
	}
	return n
}

func (w *widener) typesOf(ts []ir.Type, differ func(i int) bool) (z []ir.Type) {
	for i, t := range ts {
		z = append(z, w.typeOf(t, differ(i)))
	}
	return z
}

// value writes a value of a block of owner's.
func (w *widener) value(v, owner *ir.Value) {
	switch {
	case v.IsControl():
		w.control(v)
	case v.IsTerm():
		w.term(v, owner)
	case v.Op == op.ProgramID && v.Index == w.vary.axis:
		w.made[v] = w.numbers(v)
	case v.Op == op.NumPrograms && v.Index == w.vary.axis:
		w.refused = true
	case w.vary.digit(v):
		w.made[v] = w.digit(v)
	case w.vary.of(v) || v.IsMemory() && w.vary.any(v.Args):
		w.lanes(v)
	default:
		w.made[v] = w.same(v, v.Type, w.old(v.Args)...)
		w.made[v].Results = v.Results
	}
}

// old is what values that do not differ have become.
func (w *widener) old(vs []*ir.Value) (z []*ir.Value) {
	for _, v := range vs {
		z = append(z, w.made[v])
	}
	return z
}

// same appends v with other operands. Functions of reductions are written anew.
func (w *widener) same(v *ir.Value, t ir.Type, args ...*ir.Value) *ir.Value {
	z := w.Clone(v, t, args...)
	for _, b := range v.Blocks {
		z.Blocks = append(z.Blocks, w.block(b, v))
	}
	return z
}

// numbers is the numbers of programs.
func (w *widener) numbers(v *ir.Value) *ir.Value {
	group := w.Add(op.ProgramID, v.Type)
	group.Attr = v.Attr
	first := w.Add(op.Mul, v.Type, group, w.constant(v.Type.D, w.vary.n))
	w.lines[v] = line{first: first}
	return w.onwards(first, nil)
}

func (w *widener) constant(d dtype.DType, n int) *ir.Value {
	c := w.Add(op.Const, ir.Scalar(d))
	c.Bits = dtype.FromInt(d, int64(n), true)
	return c
}

// onwards is a scalar and the numbers that follow it, by a step or, if that is nil, by 1.
func (w *widener) onwards(x, step *ir.Value) *ir.Value {
	t := ir.Tile(x.Type.D, w.vary.n)
	up := w.Add(op.Arange, ir.Tile(dtype.Int32, w.vary.n))
	if x.Type.D != dtype.Int32 {
		up = w.Add(op.Cast, t, up)
	}
	if step != nil {
		up = w.Add(op.Mul, t, up, w.Add(op.Broadcast, t, step))
	}
	return w.Add(op.Add, t, w.Add(op.Broadcast, t, x), up)
}

// wide is a value with the dimension of programs.
func (w *widener) wide(v *ir.Value) *ir.Value {
	z := w.made[v]
	if w.vary.of(v) {
		return z
	}
	t := w.typeOf(v.Type, true)
	if z.Type.IsTile() && !w.refused {
		one := t
		one.Shape = one.Shape.With(w.place(v.Type.Shape.N), 1)
		z = w.Add(op.Reshape, one, z)
	}
	return w.Add(op.Broadcast, t, z)
}

func (w *widener) allWide(vs []*ir.Value) (z []*ir.Value) {
	for _, v := range vs {
		z = append(z, w.wide(v))
	}
	return z
}

// carried is values as control flow takes them.
func (w *widener) carried(vs []*ir.Value, differ func(i int) bool) (z []*ir.Value) {
	for i, v := range vs {
		if differ(i) {
			z = append(z, w.wide(v))
		} else {
			z = append(z, w.made[v])
		}
	}
	return z
}

// ways is how many operands of control flow decide where it goes.
var ways = map[op.Op]int{ir.If: 1, ir.For: 2, ir.Loop: 0}

// control writes control flow, whose way must not differ.
func (w *widener) control(v *ir.Value) {
	n := ways[v.Op]
	if w.vary.any(v.Args[:n]) {
		w.refused = true
		return
	}
	args := append(w.old(v.Args[:n]), w.carried(v.Args[n:], func(i int) bool { return w.vary.of(carries(v)[i]) })...)
	z := w.Clone(v, v.Type, args...)
	z.Results = w.typesOf(v.Results, func(i int) bool { return w.vary.results[v][i] })
	w.made[v] = z
	around := w.around
	if v.Op == ir.Loop {
		w.around = append(around, v)
	}
	for _, b := range v.Blocks {
		z.Blocks = append(z.Blocks, w.block(b, v))
	}
	w.around = around
}

// carries is what a loop carries, as its block has it.
func carries(v *ir.Value) []*ir.Value {
	if v.Op == ir.For {
		return v.Blocks[0].Args[1:]
	}
	return v.Blocks[0].Args
}

// term writes what ends a block.
func (w *widener) term(v, owner *ir.Value) {
	var to *ir.Value
	switch v.Op {
	case ir.Yield:
		to = owner
	case ir.Break, ir.Continue:
		to = w.around[len(w.around)-1-v.Index]
	}
	w.Clone(v, v.Type, w.carried(v.Args, func(i int) bool {
		switch {
		case v.Op == ir.Continue || to.Op == ir.For:
			return w.vary.of(carries(to)[i])
		case to.IsControl():
			return w.vary.results[to][i]
		}
		return false // of a function of lanes
	})...)
}

// lanes writes a value that differs.
func (w *widener) lanes(v *ir.Value) {
	if v.Op == ir.Result {
		of := w.made[v.Args[0]]
		w.made[v] = w.Clone(v, of.Results[v.Index], of)
		return
	}
	t, args := w.typeOf(v.Type, true), w.allWide(v.Args)
	if w.refused {
		return
	}
	if z, ok := w.lineOf(v); ok {
		w.lines[v] = z
	}
	var z *ir.Value
	switch family := ir.Family(v.Op); {
	case v.Op == ir.Fits:
		z = w.fits(v, args[0])
	case v.Op == op.Broadcast:
		z = w.Clone(v, t, w.raised(args[0], t.Shape.N))
	case v.Op == op.Permute:
		z = w.Clone(v, t, args...)
		z.Axes = w.axes(v.Axes)
	case v.Op == op.Join || v.Op == op.Split, family == op.Shape && v.Op != op.Reshape && w.vary.first:
		w.refused = true
		return
	case v.Op == ir.PtrAdd || v.Op == op.Gather || family == op.Elementwise || family == op.Change || family == op.Shape:
		z = w.Clone(v, t, args...)
		z.Axis += w.behind(v)
	case family == op.Reducing || family == op.Scanning:
		z = w.reduction(v, t, args)
	case v.IsMemory():
		z = w.Clone(v, t, args...)
		w.accesses = append(w.accesses, z)
	default:
		w.refused = true
		return
	}
	w.made[v] = z
}

// axes is in which order dimensions are read, with that of programs where it was.
func (w *widener) axes(of []int) (z []int) {
	if !w.vary.first {
		return append(append(z, of...), len(of))
	}
	z = []int{0}
	for _, a := range of {
		z = append(z, 1+a)
	}
	return z
}

// raised is x with dimensions of size 1 before its own, behind that of programs if this is the first, so that it has n.
func (w *widener) raised(x *ir.Value, n int) *ir.Value {
	t := x.Type
	for t.Shape.N < n {
		t.Shape = t.Shape.Insert(1-w.place(1), 1)
	}
	if t == x.Type {
		return x
	}
	return w.Add(op.Reshape, t, x)
}

// behind is by how much an operation's axis has moved, if it has one.
func (w *widener) behind(v *ir.Value) int {
	switch family := ir.Family(v.Op); {
	case !w.vary.first:
		return 0
	case family == op.Reducing, family == op.Scanning, v.Op == op.Gather:
		return 1
	}
	return 0
}

// reduction is a reduction or scan.
func (w *widener) reduction(v *ir.Value, t ir.Type, args []*ir.Value) *ir.Value {
	for _, b := range v.Blocks {
		for _, x := range b.Values {
			w.refused = w.refused || w.vary.any(x.Args)
		}
	}
	z := w.same(v, t, args...)
	z.Results = w.typesOf(v.Results, func(int) bool { return true })
	z.Axis += w.behind(v)
	return z
}

// digit is a quotient, which is that of the first program, or a remainder, which goes on from there.
func (w *widener) digit(v *ir.Value) *ir.Value {
	x := w.lines[number(v.Args[0])].first
	if t := v.Args[0].Type; x.Type != t {
		x = w.Add(op.Cast, t, x)
	}
	z := w.Clone(v, v.Type, x, w.made[v.Args[1]])
	if v.Op == op.Mod {
		return w.onwards(z, nil)
	}
	return z
}
