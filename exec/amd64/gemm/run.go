package gemm

import (
	"sync/atomic"

	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/gemm/micro"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/product"
	"github.com/tiler-go/tiler/exec/product/cut"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Product is the code of a Func that is a matrix product over the whole grid. Its
// parts are made when a launch first needs them.
type Product struct {
	m      *product.Match
	panels         // wide ones
	narrow *panels // nil if there are none
	strips packs   // of A
	pairs  bool    // of bfloat16, by an instruction that takes two steps of K
	tiles  bool    // in tile registers: by kernel, or by past
	past   part
	// What becomes of sums in tiles, nil if the kernels do not make that, and those that do.
	finish   *product.Finish
	finished [NumTilesKernels]part
	// rowSums finds what is added to sums of bytes, where they are not in tiles.
	rowSums part
	// thin is for products with so few rows that nothing is packed, if there are any.
	thin thinParts
	// The epilogue works on a block of sums: strided, or along columns that lie side
	// by side in every tensor, as they nearly always do.
	epilogue, unitEpilogue frame.Part[Routine]

	maker frame.Part[Routine] // of blocks of a B that is computed

	planned atomic.Pointer[planned] // the last launch examined
}

// InTiles reports whether the product is done in tile registers.
func (p *Product) InTiles() bool { return p.tiles }

// Planned is the plan of the last launch that was examined, nil if there is none; Forget drops it.
func (p *Product) Planned() *Plan {
	if last := p.planned.Load(); last != nil {
		return last.plan
	}
	return nil
}

// Forget drops the plan of the last launch.
func (p *Product) Forget() { p.planned.Store(nil) }

// Values is the loads, the Dot and the store that the product is made of.
func (p *Product) Values() []*ir.Value { return p.m.Values() }

// Epilogue is the code that finishes accumulators where columns lie side by side, nil if it cannot be made.
func (p *Product) Epilogue() Routine { return p.unitEpilogue.Get() }

// EndRoutines gives the routines that have been made, and makes none from now on.
func (p *Product) EndRoutines() (made []Routine) {
	for _, e := range []Routine{p.epilogue.End(), p.unitEpilogue.End(), p.maker.End()} {
		if e != nil {
			made = append(made, e)
		}
	}
	return made
}

// A part is a piece that is made when it is first asked for.
type part = frame.Part[*frame.Piece]

// kernels are for strips of a with rows along K, and for such whose rows lie side by
// side.
type kernels struct {
	part
	across part
}

// of is one of them.
func (k *kernels) of(across bool) *frame.Piece {
	if across {
		return k.across.Get()
	}
	return k.Get()
}

// packs are ways of copying an operand: contiguous along rows of the copy, the other way
// round, or anyhow; what lies anyhow is not copied by code if there is none for it.
type packs struct{ straight, turned, gather part }

// get is the way for elements that lie so many bytes apart.
func (p *packs) get(apart, size int64) *frame.Piece {
	if apart == size || p.gather.Make == nil {
		return p.straight.Get()
	}
	return p.gather.Get()
}

// Blocking: B is packed for blockCols columns at a time and all of K; sums
// are kept for blockRows rows while the chain is gone through in steps of blockK. If the
// second-level cache does not hold that much of B, it is packed for blockK steps at a time,
// and sums are kept for all rows: see slices.go.
const (
	blockCols = 288
	blockRows = 128
	maxPacked = 8 << 20 // bytes of packed B per worker
	// taskStrips is how many strips of rows a task has at most.
	taskStrips = 8
)

// Options say how products are multiplied.
type Options struct {
	Tier    *lir.Tier
	Pairs   Pairs
	NoTiles bool // keeps products out of tile registers
	Listing bool
	// Code makes the code of a Func: that finishes a block of accumulators, whose accesses are known to lie inside
	// their tensors, or that makes blocks of B, of which its last argument says which is first.
	Code func(f *ir.Func, inside bool) (Routine, error)
}

// A Routine is code that finishes a block of accumulators, or makes blocks of B.
type Routine interface{ Worker() RoutineWorker }

// A RoutineWorker runs instances of it, with the arguments of its Func, until it is released.
type RoutineWorker interface {
	RunAll(args []ir.Arg, n int)
	Release()
}

// New is the code of a product. Its parts are made when a launch first needs them.
func New(m *product.Match, o Options) *Product {
	p := &Product{m: m, panels: panels{t: micro.TilingOf(o.Tier, m.D)}}
	// vecs are registers of columns, for code that depends on that.
	makes := func(dst *part, k micro.Key) {
		k.To, k.Tier, k.Tiles = m.D, o.Tier, p.tiles
		dst.Make = func() (*frame.Piece, error) { return micro.Shared(k, o.Listing) }
	}
	later := func(dst *part, kind micro.Kind, from dtype.DType, vecs int) {
		makes(dst, micro.Key{Kind: kind, From: from, Vecs: vecs})
	}
	both := func(dst *kernels, k micro.Key) {
		makes(&dst.part, k)
		k.Across = true
		makes(&dst.across, k)
	}
	switch {
	case m.Bytes():
		p.bytesParts(o.Tier, later, byteTiles(o), o.Listing)
	case m.Chain == dot.Pairs && o.Pairs.ByInstruction(o.Tier):
		later(&p.kernel.part, micro.MultiplyPairsPiece, dtype.Int32, p.t.Vecs)
		p.pairsParts(later)
	case m.Chain == dot.Tiles && bf16Tiles(o):
		p.tilesParts(later, m.A.D, o.Listing)
		p.pairsParts(later)
	default:
		multiply := [...]micro.Kind{
			dot.Ascending: micro.MultiplyPiece, dot.Pairs: micro.MultiplyTurnsPiece, dot.Tiles: micro.MultiplyBlocksPiece,
		}[m.Chain]
		multiplies := func(x *panels) {
			both(&x.kernel, micro.Key{Kind: multiply, From: m.A.D, Vecs: x.t.Vecs})
			both(&x.first, micro.Key{Kind: micro.MultiplyPackPiece, From: m.B.D, Vecs: x.t.Vecs})
			if e := m.Ending(); e.Some() {
				both(&x.ends, micro.Key{Kind: multiply, From: m.A.D, Vecs: x.t.Vecs, Ends: e})
			}
			later(&x.packs.straight, micro.PackPiece, m.B.D, x.t.Vecs)
			later(&x.packs.turned, micro.TurnPiece, m.B.D, 0)
		}
		if o.Tier.EVEX {
			p.narrow = &panels{t: p.t}
			multiplies(p.narrow)
			p.t = p.t.Of(micro.WideVecs, o.Tier)
		}
		multiplies(&p.panels)
		later(&p.packs.gather, micro.GatherPiece, m.B.D, 0)
		later(&p.strips.straight, micro.StripPiece, m.A.D, 0)
		later(&p.strips.turned, micro.AcrossPiece, m.A.D, 0)
		later(&p.strips.gather, micro.GatherPiece, m.A.D, 0)
		if m.Chain == dot.Ascending {
			p.thin.make(o.Tier, p.t.Rows, m.B.D, m.D, makes)
		}
	}
	code := func(dst *frame.Part[Routine], inside bool, f func() *ir.Func) {
		dst.Make = func() (Routine, error) {
			f := f()
			if err := ir.Verify(f); err != nil {
				panic("gemm: a part of a product: " + err.Error())
			}
			return o.Code(f, inside)
		}
	}
	code(&p.epilogue, true, func() *ir.Func { return m.Epilogue(blockRows, blockCols, false) })
	code(&p.unitEpilogue, true, func() *ir.Func { return m.Epilogue(blockRows, blockCols, true) })
	code(&p.maker, false, m.Maker)
	return p
}

// A Run is a launch of what a plan is for.
type Run struct {
	*Plan
	args []ir.Arg
	stop *atomic.Bool
	w    product.Launch // the plan's shape at the launch's tensors
	from []int64        // where rows of A begin, if numbers pick them
}

// Begin makes r the run of a launch; false if that is not one product. The last plan is
// kept: launches of the same sizes need no planning.
func (r *Run) Begin(p *Product, args []ir.Arg, grid [3]int, stop *atomic.Bool, workers int) bool {
	last := p.planned.Load()
	if last == nil || !last.same(args, grid, workers) {
		last = &planned{grid, workers, signature(args), p.Plan(args, grid, workers)}
		p.planned.Store(last)
	}
	r.Plan, r.args, r.stop = last.plan, args, stop
	if r.Plan == nil {
		return false
	}
	r.w.Move(r.shape, p.m, args)
	ok := true
	if r.w.Picked.On() {
		r.from, ok = r.w.From(r.from[:0], args)
	}
	return ok
}

// Only has a run in tiles use one of the kernels, of which the clock would choose one.
func (r *Run) Only(kernel int) {
	plan := *r.Plan
	for k := range plan.tiles {
		plan.tiles[k] = r.tiles[kernel]
	}
	r.Plan = &plan
}

// Tasks is how many tasks the run is cut into.
func (r *Run) Tasks() int { return r.tasks.N }

// stopped reports whether the launch is to end early.
func (r *Run) stopped() bool { return r.stop != nil && r.stop.Load() }

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// Worker is the memory that a worker's part takes.
type Worker struct {
	packer
	sums    dtype.Buf
	first   dtype.Buf     // of bytes: what is added to sums of rows
	partly  dtype.Buf     // of tiles: sums while the chain has not ended
	epi     RoutineWorker // nil: not needed so far
	args    []ir.Arg      // of the epilogue
	bands   [2]band       // of rows that lie side by side: the one at hand, the next
	waiting tileStrips
}

// A packer packs blocks of B. Until A is copied to strip, that has room for rows of B that code cannot read.
type packer struct {
	frame.Frame
	run    *Run
	packed dtype.Buf
	strip  dtype.Buf
	column int // of the block, -1 for none
	cols   int // of it
	cut    cut.Panels
	seen   int           // panels of it that a strip has gone through, packing them
	b      product.Plane // B, or the part of it that has been computed
	making making
	kinds  [2]span // room for spans
}

// Begin makes w a worker of a run, until end.
func (w *Worker) Begin(r *Run) {
	w.makeRoom(r.Plan)
	w.column, w.run = -1, r
}

// End lets go of what the worker has of the run.
func (w *Worker) End() {
	if w.epi != nil {
		w.epi.Release()
		clear(w.args)
	}
	w.making.end()
	w.run, w.epi = nil, nil
}

// Tasks carries out tasks lo to hi-1, those that share columns as one.
func (w *Worker) Tasks(lo, hi int) {
	for lo < hi {
		g := w.run.tasks.Of(lo)
		end := min(hi, g.First+g.Tasks)
		w.rowsOf(g, lo-g.First, end-g.First)
		lo = end
	}
}

// rowsOf carries out tasks of a region.
func (w *Worker) rowsOf(g cut.Region, lo, hi int) {
	r := w.run
	col, cols, row := g.Col, g.Cols, g.Row+lo*g.Each
	rows := min((hi-lo)*g.Each, g.Row+g.Rows-row)
	if rows <= 0 {
		return
	}
	if r.thin != nil && cols%r.p.t.Lanes() == 0 {
		w.thinBlock(col, cols)
		return
	}
	if r.slice < r.chain {
		for end := row + rows; row < end; row += g.Each {
			w.slices(row, min(g.Each, end-row), col, cols)
		}
		return
	}
	if w.column != col {
		w.newBlock(col, cols)
		switch m := r.p.m; {
		case m.Bytes():
			for _, s := range w.spans(0, w.cut.Len()) {
				w.packBytes(s)
			}
		case r.p.pairs:
			for _, s := range w.spans(0, w.cut.Len()) {
				w.packPairs(s)
			}
		case r.p.m.Makes():
			w.packBlock(0, r.chain)
		case r.first == nil:
			w.packBlock(0, r.w.K)
			w.padPanels()
		}
	}
	block := r.p.t.Strips(blockRows)
	for lo := row; lo < row+rows; lo += block {
		if r.stopped() {
			return
		}
		w.part(lo, min(block, row+rows-lo), col, cols)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
