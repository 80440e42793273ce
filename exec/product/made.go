package product

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/product/reach"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// B may be computed: of loads, lane by lane, from weights of a few bits and their scales, say. A block of it, that of a
// round of the loop and a block of columns, depends on nothing but a few scalars, which are seen in each launch: it is
// the same for all blocks of rows. Match.Maker is a Func that makes such a block.

// made is how an operand's tile is computed.
type made struct {
	tile  *ir.Value   // with all elements of a block
	loads []*ir.Value // that it is made of
	fail  []*ir.Value // what else may fail: quotients and remainders by what may be 0, and scalars that must fit
	// fixed are integers in its making that are the same in every round, moving those that change.
	fixed, moving []*ir.Value
	seen          map[*ir.Value]bool
}

// Makes reports whether B is computed.
func (m *Match) Makes() bool { return m.B.made != nil }

// madeOf takes an operand that is computed apart.
func (m *finder) madeOf(o *Operand, v *ir.Value) bool {
	for v.Op == op.Cast && widens(v) {
		v = v.Args[0]
	}
	x := &made{tile: v, seen: map[*ir.Value]bool{}}
	t := &turns{m: m.Match, loop: m.loop.Blocks[0], of: map[*ir.Value]turn{}}
	switch o.D = v.Type.D; {
	case m.D != dtype.Float32 || o.D != dtype.Float32 && o.D != dtype.Float16 && o.D != dtype.BFloat16:
		return false
	case !m.collect(x, t, v) || len(x.loads) == 0:
		return false
	}
	*o = Operand{D: o.D, row: 1, made: x}
	o.Form = &affine.Form{Ok: true, Base: -1, Start: m.forms.Syms.Constant(0)}
	return true
}

// widens reports whether a cast is exact, and done by code that packs.
func widens(v *ir.Value) bool {
	from := v.Args[0].Type.D
	return v.Type.D == dtype.Float32 && (from == dtype.Float16 || from == dtype.BFloat16)
}

// collect finds what v is made of; false if that is not for a Func that makes blocks.
func (m *finder) collect(x *made, t *turns, v *ir.Value) bool {
	if x.seen[v] {
		return true
	}
	x.seen[v] = true
	switch {
	case v.Op == op.Const || v.Op == ir.Param:
		return true
	case v.Op == op.Load:
		x.loads = append(x.loads, v)
	case !v.Type.IsTile() && v.Type.D.IsInt():
		return m.scalar(x, t, v)
	case v.Type.IsTile() && v.CanFail() && (v.Op == op.FloorDiv || v.Op == op.Mod):
		x.fail = append(x.fail, v)
	case v.Type.IsTile() && !fuse.Lazy(v), v.CanFail(), v.Op >= op.NumOps && v.Op != ir.PtrAdd,
		len(v.Args) == 0 && ir.Family(v.Op) != op.Create:
		return false
	}
	return m.collectAll(x, t, v.Args)
}

func (m *finder) collectAll(x *made, t *turns, of []*ir.Value) bool {
	return !slices.ContainsFunc(of, func(v *ir.Value) bool { return !m.collect(x, t, v) })
}

// scalar adds an integer: one that stays, moves evenly, or moves in every program as in any other. Others may be made
// of such.
func (m *finder) scalar(x *made, t *turns, v *ir.Value) bool {
	switch n := t.value(v); {
	case n == still:
		x.fixed = append(x.fixed, v)
	case n == even || t.alone(v, map[*ir.Value]bool{}):
		x.moving = append(x.moving, v)
	default:
		if v.Op == ir.Fits {
			x.fail = append(x.fail, v)
		}
		return uniform(v) && (v.Op == ir.Fits || !v.CanFail()) && m.collectAll(x, t, v.Args)
	}
	return true
}

// alone reports whether v depends on nothing but how often the loop has gone round.
func (t *turns) alone(v *ir.Value, seen map[*ir.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	switch i := slices.Index(t.loop.Args, v); {
	case i == 0:
		return t.alone(t.m.loop.Args[0], seen)
	case i > 0:
		return t.value(v) <= even && t.alone(t.m.loop.Args[1+i], seen) && t.alone(t.loop.Term().Args[i-1], seen)
	}
	if v.Op == op.ProgramID || v.Type.IsTile() || slices.Contains(t.m.vars, v) || v.Op == op.Load || v.Op == ir.Result {
		return false
	}
	return !slices.ContainsFunc(v.Args, func(a *ir.Value) bool { return !t.alone(a, seen) })
}

// leaves are the integers that a block depends on.
func (x *made) leaves() []*ir.Value { return append(x.fixed[:len(x.fixed):len(x.fixed)], x.moving...) }

// reads reports whether its loads read the tensor of a parameter.
func (x *made) reads(base int) bool {
	return slices.ContainsFunc(x.loads, func(v *ir.Value) bool { return baseOf(v).Index == base })
}

// baseOf is the parameter of a load's tensor.
func baseOf(load *ir.Value) *ir.Value {
	p := load.Memory().Ptr
	for p.Op != ir.Param {
		p = p.Args[0]
	}
	return p
}

// linear reports whether what an instance's blocks depend on is a sum of program ids.
func (x *made) linear(loop *ir.Value) bool {
	return !slices.ContainsFunc(x.scalars(loop), func(v *ir.Value) bool { return degreeOf(v) > 1 })
}

// scalars are the integers that say what an instance's blocks depend on: leaves, and what the loop carries.
func (x *made) scalars(loop *ir.Value) []*ir.Value {
	return slices.DeleteFunc(slices.Concat(x.leaves(), loop.Args[2:], loop.Blocks[0].Term().Args), func(v *ir.Value) bool {
		return v.Type.IsTile() || !v.Type.D.IsInt()
	})
}

// at adds to list what the blocks of an instance depend on, in its first round, or by how much that has moved in the
// second one.
func (x *made) at(list []int64, e *affine.Env, round int) []int64 {
	if round == 0 {
		for _, v := range x.leaves() {
			list = append(list, e.Value(v))
		}
		return list
	}
	for i, v := range x.moving {
		list = append(list, e.Value(v)-list[len(x.fixed)+i])
	}
	return list
}

// A Made says what B's blocks depend on, of a B that is computed.
type Made struct {
	Rows, Cols int       // of a block
	Steps      int       // of K, those beyond the end of A included
	first      [][]int64 // integers in the first round, by columns of blocks
	by         [][]int64 // by how much those that move have moved, by rounds
}

// Numbers is how many a block has.
func (x *Made) Numbers() int { return len(x.first[0]) + 1 }

// Block adds to list the numbers of a block, of a round and a column of blocks: what it is made of, and where it goes.
func (x *Made) Block(list []int64, round, column, to int) []int64 {
	first, by := x.first[column], x.by[round]
	n := len(first) - len(by)
	list = append(list, first[:n]...)
	for i, d := range by {
		list = append(list, first[n+i]+d)
	}
	return append(list, int64(to))
}

// makes sees whether what makes B reads nothing outside of its tensors, and notes what its blocks depend on.
func (p *planning) makes(w *Launch, b *blocks, origin sample) bool {
	x := p.m.B.made
	if p.e.Failed || b.ni == 1 { // in which case each block is made once as it is
		return false
	}
	w.Made = Made{Rows: p.m.bk, Cols: p.m.bn, Steps: int(origin.trips) * p.m.bk}
	if origin.trips > mostRounds || roundUp(w.K, p.m.bk) != w.Steps {
		return false
	}
	for j := range b.nj {
		first := p.column(b, j)
		n := len(first) - len(x.moving)
		if !slices.Equal(first[n:], origin.made[n:]) {
			return false
		}
		w.first = append(w.first, first[:n])
	}
	p.set(b.at(0, 0))
	for t := range origin.trips {
		p.lastRound(t)
		by := make([]int64, len(x.moving))
		for i, v := range x.moving {
			by[i] = p.e.Value(v) - w.first[0][len(x.fixed)+i]
		}
		w.by = append(w.by, by)
	}
	p.e.DropLocals()
	p.e.Forget()
	left := mostLooks
	for _, v := range append(x.loads[:len(x.loads):len(x.loads)], x.fail...) {
		if l := (&looking{p, &w.Made, v, &left}); !l.holds(0, len(w.by), 0, b.nj) {
			return false
		}
	}
	return !p.e.Failed
}

const (
	mostRounds = 1 << 16 // of a loop whose blocks of B are computed
	mostLooks  = 1 << 12 // at parts of what a load reads
)

// A looking examines a value that what makes B is made of.
type looking struct {
	*planning
	made *Made
	v    *ir.Value
	left *int
}

// holds reports whether it does not fail, in rounds and columns of blocks.
func (l *looking) holds(t0, t1, j0, j1 int) bool {
	if *l.left--; *l.left < 0 {
		return false
	}
	leaves := l.m.B.made.leaves()
	of := func(v *ir.Value) (z affine.Span, ok bool) {
		k := slices.Index(leaves, v)
		switch {
		case v.Op == ir.Param:
			n := l.e.Value(v)
			return affine.Span{Lo: n, Hi: n}, true
		case k < 0:
			return z, false
		}
		z = spanOf(l.made.first[j0:j1], k)
		if i := k - len(l.m.B.made.fixed); i >= 0 {
			by := spanOf(l.made.by[t0:t1], i)
			z = affine.Span{Lo: z.Lo + by.Lo, Hi: z.Hi + by.Hi}
		}
		return z, true
	}
	ok, r := false, reach.New(of)
	switch v := l.v; v.Op {
	case op.Load:
		ok = r.Inside(v, int64(l.args[baseOf(v).Index].Mem.Len()))
	case ir.Fits:
		z := r.Of(v.Args[0])
		ok = v.Type.D.FitsInt(z.Lo) && v.Type.D.FitsInt(z.Hi)
	default:
		ok = r.Of(v.Args[1]).Lo > 0
	}
	switch {
	case ok:
		return true
	case t1-t0 > 1:
		t := (t0 + t1) / 2
		return l.holds(t, t1, j0, j1) && l.holds(t0, t, j0, j1)
	case j1-j0 > 1:
		j := (j0 + j1) / 2
		return l.holds(t0, t1, j, j1) && l.holds(t0, t1, j0, j)
	}
	return false
}

// spanOf is where the integers k of some lists lie.
func spanOf(lists [][]int64, k int) affine.Span {
	z := affine.Span{Lo: lists[0][k], Hi: lists[0][k]}
	for _, x := range lists {
		z = affine.Span{Lo: min(z.Lo, x[k]), Hi: max(z.Hi, x[k])}
	}
	return z
}

// column is what the blocks of a column of blocks depend on: the first round's integers, and by how much they move.
func (p *planning) column(b *blocks, j int) []int64 {
	if p.columns == nil {
		p.columns = make([][]int64, b.nj)
	}
	if p.columns[j] == nil {
		p.columns[j] = p.at(b.at(0, j)).made
	}
	return p.columns[j]
}

// Maker is a Func whose instances make a block of B each. Its parameters are the kernel's, then numbers of blocks, as
// Made.Block lists them, where the blocks go, how far apart their rows lie there, and which block the first instance
// makes.
func (m *Match) Maker() *ir.Func {
	b := m.builder()
	x, i64 := m.B.made, dtype.Int64
	table, to := b.f.AddParam(dtype.PointerTo(i64)), b.f.AddParam(dtype.PointerTo(m.B.D))
	apart, first := b.f.AddParam(i64), b.f.AddParam(i64)
	scalar := func(o op.Op, args ...*ir.Value) *ir.Value { return b.f.Append(o, args[0].Type, args...) }
	number := func(n int) *ir.Value {
		v := b.f.Append(op.Const, ir.Scalar(i64))
		v.Bits = uint64(n)
		return v
	}
	leaves := x.leaves()
	at := scalar(op.Mul, scalar(op.Add, b.f.Append(op.ProgramID, ir.Scalar(i64)), first), number(len(leaves)+1))
	load := func(i int) *ir.Value {
		return b.f.Append(op.Load, ir.Scalar(i64), scalar(ir.PtrAdd, table, scalar(op.Add, at, number(i))))
	}
	for i, v := range leaves {
		if b.made[v] = load(i); v.Type.D != i64 {
			b.made[v] = b.f.Append(op.Cast, v.Type, b.made[v])
		}
	}
	to = scalar(ir.PtrAdd, to, load(len(leaves)))
	b.shape = x.tile.Type.Shape
	rows, cols := b.shape.D[0], b.shape.D[1]
	b.i.at, b.j.at = b.number(rows, ir.ShapeOf(rows, 1)), b.number(cols, ir.ShapeOf(1, cols))
	b.f.Append(op.Store, ir.Type{}, b.pointers(b.shape, to, apart, one), b.copied(x.tile))
	b.f.Append(ir.Return, ir.Type{})
	return b.f
}

// copied copies what a tile is made of.
func (b *epilogueBuilder) copied(v *ir.Value) *ir.Value {
	if w := b.made[v]; w != nil {
		return w
	}
	in := make([]*ir.Value, len(v.Args))
	for i, a := range v.Args {
		in[i] = b.copied(a)
	}
	w := b.f.NewValue(v.Op, v.Type, v.Pos, in...)
	w.Attr = v.Attr
	b.f.Body.Values = append(b.f.Body.Values, w)
	b.made[v] = w
	return w
}
