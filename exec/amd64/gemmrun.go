package amd64

import (
	"slices"
	"sync/atomic"

	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/product"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Product is the code of a Func that is a matrix product over the whole grid. Its
// parts are made when a launch first needs them.
type Product struct {
	m      *product.Match
	t      tiling
	kernel kernels
	first  kernels       // those that pack b on the way, if there are any
	ends   kernels       // those that make results of sums, if there are any
	narrow *narrowPanels // nil if there are none
	packs  packs         // of b
	strips packs         // of a
	pairs  bool          // of bfloat16, by an instruction that takes two steps of K
	tiles  bool          // in tile registers: by kernel, or by past
	past   frame.Part[frame.Piece]
	// rowSums finds what is added to sums of bytes, where they are not in tiles.
	rowSums frame.Part[frame.Piece]
	// thin is for products with so few rows that nothing is packed, if there are any.
	thin thinParts
	// The epilogue works on a block of sums: strided, or along columns that lie side
	// by side in every tensor, as they nearly always do.
	epilogue, unitEpilogue frame.Part[routine]

	planned atomic.Pointer[planned] // the last launch examined
}

// kernels are for strips of a with rows along the chain, and for such whose rows lie side by
// side.
type kernels struct {
	frame.Part[frame.Piece]
	across frame.Part[frame.Piece]
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
type packs struct{ straight, turned, gather frame.Part[frame.Piece] }

// get is the way for elements that lie so many bytes apart.
func (p *packs) get(apart, size int64) *frame.Piece {
	if apart == size || p.gather.Make == nil {
		return p.straight.Get()
	}
	return p.gather.Get()
}

// Blocking: b is packed for blockCols columns at a time and all of the chain; sums
// are kept for blockRows rows while the chain is gone through in steps of blockK. If the
// second-level cache does not hold that much of b, it is packed for blockK steps at a time,
// and sums are kept for all rows: see gemmslices.go.
const (
	blockCols = 288
	blockRows = 128
	blockK    = 512
	maxPacked = 8 << 20 // bytes of packed b per worker
	// taskStrips is how many strips of rows a task has at most.
	taskStrips = 8
)

// compileProduct is the code if g's Func is such a product; nil if it is not.
func (g *gen) compileProduct(o Options) *Product {
	m := product.Find(g.f, g.plan, g.EVEX && byteProducts())
	if m == nil {
		return nil
	}
	p := &Product{m: m, t: g.tiling(m.D)}
	// vecs are registers of columns, for code that depends on that.
	makes := func(dst *frame.Part[frame.Piece], k pieceKey) {
		k.to, k.tier, k.tiles = m.D, g.Tier, p.tiles
		dst.Make = func() (*frame.Piece, error) { return shared(k, o.Listing) }
	}
	later := func(dst *frame.Part[frame.Piece], kind pieceKind, from dtype.DType, vecs int) {
		makes(dst, pieceKey{kind: kind, from: from, vecs: vecs})
	}
	both := func(dst *kernels, k pieceKey) {
		makes(&dst.Part, k)
		k.across = true
		makes(&dst.across, k)
	}
	switch {
	case m.Bytes():
		p.bytesParts(g, later, byteTiles(o))
	case m.Chain == op.Pairs && g.pairInstruction():
		later(&p.kernel.Part, multiplyPairsPiece, dtype.Int32, p.t.vecs)
		p.pairsParts(later)
	case m.Chain == op.Tiles && bf16Tiles(o):
		p.tilesParts(later, m.A.D)
		p.pairsParts(later)
	default:
		multiply := [...]pieceKind{op.Ascending: multiplyPiece, op.Pairs: multiplyTurnsPiece, op.Tiles: multiplyBlocksPiece}[m.Chain]
		multiplies := func(kernel, first, ends *kernels) {
			both(kernel, pieceKey{kind: multiply, from: m.A.D, vecs: p.t.vecs})
			both(first, pieceKey{kind: multiplyPackPiece, from: m.B.D, vecs: p.t.vecs})
			if e := m.Ending(); e.Some() {
				both(ends, pieceKey{kind: multiply, from: m.A.D, vecs: p.t.vecs, ends: e})
			}
		}
		if g.EVEX {
			p.narrow = &narrowPanels{t: p.t}
			multiplies(&p.narrow.kernel, &p.narrow.first, &p.narrow.ends)
			later(&p.narrow.packs.straight, packPiece, m.B.D, p.t.vecs)
			later(&p.narrow.packs.turned, turnPiece, m.B.D, 0)
			p.t = p.t.of(wideVecs, g)
		}
		multiplies(&p.kernel, &p.first, &p.ends)
		later(&p.packs.straight, packPiece, m.B.D, p.t.vecs)
		later(&p.packs.turned, turnPiece, m.B.D, 0)
		later(&p.packs.gather, gatherPiece, m.B.D, 0)
		later(&p.strips.straight, stripPiece, m.A.D, 0)
		later(&p.strips.turned, acrossPiece, m.A.D, 0)
		later(&p.strips.gather, gatherPiece, m.A.D, 0)
		if m.Chain == op.Ascending {
			p.thin.make(g.Tier, p.t.rows, m.B.D, m.D, makes)
		}
	}
	epilogue := func(dst *frame.Part[routine], unit bool) {
		dst.Make = func() (*routine, error) {
			f := m.Epilogue(blockRows, blockCols, unit)
			if err := ir.Verify(f); err != nil {
				panic("amd64: the epilogue of a product: " + err.Error())
			}
			g := newGen(f, fuse.Plan(f, false), Options{Tier: o.Tier, Runner: o.Runner})
			g.inside = true
			return compileRoutine(g, o.Listing)
		}
	}
	epilogue(&p.epilogue, false)
	epilogue(&p.unitEpilogue, true)
	return p
}

// A productRun is a launch of what a plan is for.
type productRun struct {
	*productPlan
	l *Launch
	w product.Launch // the plan's shape at the launch's tensors
}

// begin makes r the run of a launch; false if that is not one product. The last plan is
// kept: launches of the same sizes need no planning.
func (r *productRun) begin(p *Product, l *Launch, workers int) bool {
	last := p.planned.Load()
	if last == nil || !last.same(l, workers) {
		last = &planned{l.Grid, workers, signature(l), p.plan(l, workers)}
		p.planned.Store(last)
	}
	r.productPlan, r.l = last.plan, l
	if r.productPlan == nil {
		return false
	}
	r.w.Move(r.shape, p.m, l.Args)
	return true
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// productWorker is the memory that a worker's part takes.
type productWorker struct {
	frame.Frame
	packed  dtype.Buf
	strip   dtype.Buf
	sums    dtype.Buf
	first   dtype.Buf // of bytes: what is added to sums of rows
	partly  dtype.Buf // of tiles: sums while the chain has not ended
	epi     *Worker   // nil: not needed so far
	launch  Launch
	column  int // of the block of b that is packed, -1 for none
	cols    int // of it
	cut     product.Panels
	kinds   [2]span // room for spans
	seen    int     // panels of it that a strip has gone through, packing them
	bands   [2]band // of rows that lie side by side: the one at hand, the next
	run     *productRun
	waiting tileStrips
	job     JobWorker // the worker as a part of a job
	slot    int       // among those that wait
}

// productWorkers are workers that wait for use, by whatever product.
var productWorkers frame.Spares[productWorker]

func (r *productRun) newWorker() *productWorker {
	w, slot := productWorkers.Take()
	if w == nil {
		w = &productWorker{}
	}
	w.slot = slot
	w.makeRoom(r.productPlan)
	w.column, w.run = -1, r
	return w
}

// beginEpilogue prepares the epilogue: not every product has one.
func (w *productWorker) beginEpilogue() {
	r := w.run
	w.epi = r.epilogue.worker()
	args := append(w.launch.Args[:0], r.l.Args...)
	args = slices.Grow(args, len(r.epilogue.f.Params)-len(args))[:len(r.epilogue.f.Params)]
	w.launch = Launch{Grid: [3]int{1, 1, 1}, Args: args, Exact: outside}
}

// stripRow is the bytes of a row of a copied strip: an odd number of lines, so that
// rows do not compete for the same sets of the cache.
func stripRow(t tiling) int { return t.block*t.size + 64 }

func (r *productRun) release(w *productWorker) {
	if w.epi != nil {
		w.epi.release()
		clear(w.launch.Args)
	}
	w.run, w.epi, w.job = nil, nil, JobWorker{}
	productWorkers.Give(w, w.slot)
}

func address(b dtype.Buf, off int) int64 { return int64(uintptr(b.Pointer())) + int64(off) }

// tasks carries out tasks lo to hi-1, those that share columns as one.
func (w *productWorker) tasks(lo, hi int) {
	for lo < hi {
		g := w.run.tasks.Of(lo)
		end := min(hi, g.First+g.Tasks)
		w.rowsOf(g, lo-g.First, end-g.First)
		lo = end
	}
}

// rowsOf carries out tasks of a region.
func (w *productWorker) rowsOf(g product.Region, lo, hi int) {
	r := w.run
	col, cols, row := g.Col, g.Cols, g.Row+lo*g.Each
	rows := min((hi-lo)*g.Each, g.Row+g.Rows-row)
	if rows <= 0 {
		return
	}
	if r.thin != nil && cols%r.p.t.lanes() == 0 {
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
		case r.first == nil:
			w.pack(0, r.w.K)
			w.padPanels()
		}
	}
	block := r.p.t.strips(blockRows)
	for lo := row; lo < row+rows; lo += block {
		if r.l.Stop != nil && r.l.Stop.Load() {
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
