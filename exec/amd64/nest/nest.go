package nest

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/cursor"
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/amd64/scan"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
)

// Nests puts tiles into memory, and carries accesses out, in nests.
type Nests struct {
	tiles.Memory
	Inside  bool  // accesses are known to lie inside their tensors: one that does not gives the instance up
	nesting *Nest // the innermost nest whose loops are being written
	// Gather carries a load out into its copy, and Scatter a store from it, or they go to a label.
	Gather, Scatter func(x *tiles.ExactAccess, other int)
}

// NewNests is memory without tiles, for the code of a Func.
func NewNests(f *ir.Func, p *fuse.Schedule, t *lir.Tier) *Nests {
	g := &Nests{Memory: tiles.New(f, p, t)}
	g.Keep, g.Aside = g.hoisted, g.Besides
	g.FrameSize = scalar.ArgOffset(len(f.Params))
	return g
}

// A nest is the loops over the elements of one tile shape, the last dimension in
// blocks of lanes, around the code of a sink: a store, a reduction, a tile that is
// put into memory. What the sink needs is computed inside, on demand, each value in
// the outermost loop where it does not change.
//
// It has layers as gen has, of which each embeds the one below: a cursor, the values
// that are computed there, and the nest, which is the loops.
type Nest struct {
	values
	before    map[int]func() // code ahead of loop k, inside the loops around it
	After     map[int]func() // code behind it
	Unroll    int            // blocks per round of the inner loop
	Pairs     bool           // full rounds are of two blocks, and what they leave, of one or a part of one
	Short     bool           // a few blocks are one round
	Left      lir.Reg        // how many elements the partial round at hand has, if the sink asks for it
	One       bool           // the sink writes a single element without a mask
	Row       func() bool    // the sink for all that is left of a row, if it can
	work      int            // nanoseconds of the loop that is being written, as far as it does not spend them
	Stream    *tiles.Access  // the store that the nest is for, if whole blocks of it may be non-temporal
	Streaming bool           // the code at hand is that loop
	Ahead     prefetching
}

// values are computed, and loaded, at a cursor, as far as they are in a domain.
type values struct {
	cursor.Cursor
	G *Nests
	domain
	memo []map[cursor.Key]lane.Lanes // values computed inside the first k loops
	prepared
	turned *ir.Value   // a load whose first dimension is the contiguous one
	fills  []*ir.Value // kept tiles that this nest puts into memory on its way
	always []*ir.Value // these, and scans on its way: all code of the inner loop computes them, see keepUp
	Afresh bool        // what is to be kept, but is not yet, is computed: the nest needs few of its lanes
	down   *descent    // down the rows of a scan, if the loops are such
}

// domain is what of the shape is computed.
type domain struct {
	Atoms  []affine.Atom // lanes outside are not computed
	Merged int           // elements of a row of dimensions that are one, see MergedRows
	Rows   bool          // outer loops run over everything, the inner one is empty in rows outside
	Only   []affine.Atom // nobody looks at what is outside of these: loops do not go there
	Whole  []affine.Atom // full rounds of a late nest have other code for when these hold everywhere:
	Beyond *affine.Sym   // for when this is not negative
	sure   []affine.Atom // those, in that code
	met    []affine.Atom // limits along the inner dimension that code has looked at, as they may not hold
	// start, if any, gives where the inner loop begins, to go on to the end of the
	// row: behind what the domain, that ends at end, has of it.
	start func(end lir.Arg) lir.Arg
}

// prepared is what a nest has computed ahead.
type prepared struct {
	loads     map[cursor.Key]*tiles.Access
	consts    map[constKey]lir.Reg
	rowMasks  map[affine.Atom]lane.Lanes // masks of rows: of limits along the outer dimensions,
	atomMasks map[atomKey]lane.Lanes     // of a block: of those along the inner one,
	masks     map[cursor.Key]lane.Lanes  // and of boxes
	pads      map[cursor.Key]lane.Lanes
	scans     map[*ir.Value]*scan.Row
	columns   map[*ir.Value]*scan.Columns
	ByElement *tiles.Access // stores what a scan gives as it is
	divisors  divisors
	few       map[*ir.Value]lir.Reg // the values of what is one of few
}

// prefetching is for which memory a nest prefetches, and where that is, nil if it is not known.
type prefetching struct {
	List  []fuse.Prefetch
	Where map[*ir.Value]*tiles.Access
}

// atomKey is an atom along the inner dimension, in a block of the round.
type atomKey struct {
	affine.Atom
	off int
}

func (g *Nests) NewNest(shape ir.Shape) *Nest { return g.NewNestPinning(shape, -1) }

// NewNestPinning is a nest without a loop over a dimension.
func (g *Nests) NewNestPinning(shape ir.Shape, pinned int) *Nest {
	n := &Nest{Unroll: 1, before: map[int]func(){}, After: map[int]func(){}}
	n.Ahead.Where = map[*ir.Value]*tiles.Access{}
	n.G, n.Cursor = g, cursor.New(&g.Memory, shape, pinned)
	n.prepared = prepared{
		loads: map[cursor.Key]*tiles.Access{}, pads: map[cursor.Key]lane.Lanes{}, consts: map[constKey]lir.Reg{},
		rowMasks: map[affine.Atom]lane.Lanes{}, atomMasks: map[atomKey]lane.Lanes{},
		masks: map[cursor.Key]lane.Lanes{}, scans: map[*ir.Value]*scan.Row{}, columns: map[*ir.Value]*scan.Columns{},
		few:      map[*ir.Value]lir.Reg{},
		divisors: divisors{map[divisorKey]*elementwise.Reciprocal{}, map[cursor.Key]elementwise.Inverse{}},
	}
	for range n.Levels {
		n.memo = append(n.memo, map[cursor.Key]lane.Lanes{})
	}
	return n
}

// Run closes the nest: loops around the levels' code. sink writes the code of one
// block, with n.Tail set for a partial one.
func (n *Nest) Run(sink func()) {
	g := n.G
	if lo, blocks := fewBlocks(n); blocks > 0 {
		n.Still, n.Unroll = true, blocks
		n.At(0, func() { g.Move(n.Index[n.Inner()], lo) })
	}
	n.write(sink)
	n.close()
	for _, v := range n.fills {
		if g.Tiles[v] == nil { // or else a nest ahead of this one has put it there in between, all of it
			g.Tiles[v] = g.Pending[v]
		}
		delete(g.Pending, v)
		if g.IsCold() {
			g.NoteCold(v)
		}
	}
}

// loop writes loop k and all inside it at the end of level k.
func (n *Nest) loop(k int, sink func()) {
	g := n.G
	if len(n.Dims) == 0 { // a single element: one lane of a block
		n.around(0, func() {
			if !n.One {
				one := lane.FirstLanes(g.Vectors, 1)
				n.Tail = &one
			}
			sink()
		})
		return
	}
	if k == len(n.Dims)-1 {
		n.innerLoop(sink)
		return
	}
	dim := n.Dims[k]
	lo, hi := n.Bounds(dim)
	i, first, last, step, done, again := n.Index[dim], lo, hi, int64(1), asm.JGE, asm.JL
	if n.down != nil && n.down.up && dim == n.down.axis {
		first, last, step, done, again = lir.Imm(int64(n.Shape.D[dim]-1)), lo, -1, asm.JL, asm.JGE
	}
	n.loop(k+1, sink)
	n.around(k, func() {
		g.Move(i, first)
		top, end := g.NewLabel(), g.NewLabel()
		if !lir.Below(lo, hi) {
			g.Use(asm.CMP, g.R64(i), last)
			g.Jump(done, end)
		}
		l := g.BeginLoop()
		g.Bind(top)
		ns := n.work + n.Levels[k+1].Work(0)
		g.Append(n.Levels[k+1])
		n.work = g.SpendRound(ns, n.Shape.D[dim])
		g.RMW(asm.ADD, g.R64(i), lir.Imm(step))
		g.Use(asm.CMP, g.R64(i), last)
		g.Jump(again, top)
		g.EndLoop(l)
		g.Bind(end)
	})
}

// around writes loop k, and what goes ahead of and behind it, at level k.
func (n *Nest) around(k int, f func()) {
	n.At(k, func() {
		if b := n.before[k]; b != nil {
			b()
		}
		f()
		if a := n.After[k]; a != nil {
			a()
		}
	})
}

// Bounds is the range of a dimension inside the domain.
func (n *values) Bounds(dim int) (lo, hi lir.Arg) {
	atoms := n.Atoms
	if n.Rows && dim != n.Inner() {
		atoms = nil
	}
	if len(n.Only) > 0 {
		atoms = append(slices.Clip(atoms), n.Only...)
	}
	l, h := n.G.Syms.Interval(atoms, dim, n.Shape.D[dim])
	return n.G.SymArg(l), n.G.SymArg(h)
}

// roundsOf reports whether the inner loop may have full rounds, and how many elements are left for a partial one: if
// that is not known, those of a whole row.
func roundsOf(n *Nest, lo, hi lir.Arg) (whole bool, left int, known bool) {
	from, ok := lo.IsImm()
	to, both := hi.IsImm()
	round := n.Unroll * n.G.Lanes
	if !ok || !both || n.start != nil || n.Rows {
		return n.Shape.D[n.Inner()] >= round, n.Shape.D[n.Inner()] % round, false
	}
	return int(to-from) >= round, int(to-from) % round, true
}

// mostBlocks is how many blocks of a row are written out at most.
const mostBlocks = 4

// fewBlocks is where the inner loop begins and how many blocks it is: one, or few in a nest of such. It is 0 if there
// are more, or no loops around it.
func fewBlocks(n *Nest) (lo lir.Arg, blocks int) {
	if len(n.Dims) < 2 || n.Unroll > 1 && !n.Short || n.Stream != nil || n.start != nil || n.Rows {
		return lo, 0
	}
	lo, hi := n.Bounds(n.Inner())
	from, ok := lo.IsImm()
	to, both := hi.IsImm()
	if !ok || !both {
		return lo, 0
	}
	blocks = (max(0, int(to-from)) + n.G.Lanes - 1) / n.G.Lanes
	if blocks > 1 && !(n.Short && blocks <= mostBlocks) {
		blocks = 0
	}
	return lo, blocks
}

// innerLoop writes the loop over blocks of lanes: full rounds, then a partial one.
func (n *Nest) innerLoop(sink func()) {
	g, dim := n.G, n.Inner()
	k := len(n.Dims) - 1
	lo, hi := n.Bounds(dim)
	// The bodies first: what they hoist belongs ahead of the loop.
	var b bodies
	whole, left, known := roundsOf(n, lo, hi)
	n.Starting(lo, known && !whole)
	tails := make([]*lane.Lanes, n.Unroll)
	if n.Still {
		from, _ := lo.IsImm()
		to, _ := hi.IsImm()
		if n.down != nil {
			tails[n.Unroll-1] = n.down.tail
		} else if left := (to - from) % int64(g.Lanes); left != 0 {
			n.At(0, func() {
				tail := lane.FirstLanes(g.Vectors, int(left))
				tails[n.Unroll-1] = &tail
			})
		}
		b.full = n.emit(sink, tails)
		n.around(k, func() {
			n.work = b.full.Work(lir.LaneLoop)
			g.Append(b.full)
		})
		return
	}
	b.row = n.ofRow()
	if whole && b.row == nil {
		n.met = nil
		b.full = n.emit(sink, tails)
		if n.splits() {
			for _, sure := range affine.Parts(n.met) {
				n.sure = sure
				b.parts = append(b.parts, part{sure, n.emit(sink, tails)})
			}
			n.sure = nil
		}
	}
	if n.Stream != nil || n.Whole != nil {
		n.Streaming, n.sure = n.Stream != nil, n.Whole
		b.bypass = n.emit(sink, tails)
		n.Streaming, n.sure = false, nil
	}
	if n.Pairs {
		n.Unroll, left = 1, left%g.Lanes
		b.single = n.emit(sink, tails[:1])
	}
	masks := lane.TailMasks(g.Vectors, n.Unroll, left, known)
	if n.Unroll == 1 && !known {
		masks[0].Count = g.NewReg(lir.GPR)
	}
	tails = n.TailsOf(masks)
	if known && left > 0 && !n.Late && n.Left == 0 {
		tails = n.FewTails(tails, left)
		masks = masks[:len(tails)]
	}
	if b.row == nil && (left != 0 || !known || !whole) { // also of a row without lanes, whose loads are checked
		b.rest = n.emit(sink, tails)
	}
	if n.Pairs {
		n.Unroll = 2
	}
	n.around(k, func() {
		hi = n.RowEnd(hi)
		if n.start != nil {
			lo, hi = n.start(hi), lir.Imm(int64(n.Shape.D[dim]))
		}
		g.Move(n.Index[dim], lo)
		from, ok := lo.IsImm()
		if to, both := hi.IsImm(); ok && both {
			n.staticRounds(int(from), int(to), b, masks)
		} else {
			n.rounds(hi, b, masks)
		}
	})
}
