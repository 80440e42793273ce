package gemm

import (
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/gemm/micro"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/product"
	"github.com/tiler-go/tiler/exec/product/cut"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/lattice"
)

// How a launch is done that is one product: by what code, and cut into what tasks. It is decided
// from sizes, strides and workers alone, so launches that have the same go by one plan.

// A Plan is a product cut into tasks that workers carry out in any order.
type Plan struct {
	p     *Product
	shape *product.Launch
	frame int // bytes of a worker's
	chain int // steps that the kernel takes for a chain
	slice int // of them B is packed for at a time
	tasks cut.Tasks

	panelCode
	narrow panelCode
	routines
	epilogue Routine
	unit     bool // the epilogue is that for columns side by side
	direct   bool // sums are where results will be
	across   bool // rows of A lie side by side
	crowded  bool // rows of A compete for sets of L1: strips are copied
}

// routines are code beside that of panels.
type routines struct {
	strip            *frame.Piece
	thin, thinTurned *frame.Piece // nil: there are too many rows; B is not to be transposed
	side             *frame.Piece // of groups of A that are transposed
	rowSums          *frame.Piece // of groups only, if at all
	tiles            [NumTilesKernels]*frame.Piece
}

// Takes reports whether launches may be done as a product: rows that numbers pick, and what is computed, are copied by
// code for elements.
func (p *Product) Takes() bool { return !p.m.Picks() && !p.m.Makes() || !p.grouped() && !p.tiles }

// Plan examines a launch and cuts it; nil if it is not one product.
func (p *Product) Plan(args []ir.Arg, grid [3]int, workers int) *Plan {
	w := p.m.Launch(args, grid)
	if w == nil {
		return nil
	}
	r := &Plan{p: p, shape: w, chain: p.chainSteps(w.K)}
	if p.m.Makes() {
		if r.chain = w.Steps; (r.chain-1)/p.t.Block*p.t.Block >= w.K {
			return nil // no strip has nothing but zeros
		}
	}
	if !r.parts(args) {
		return nil
	}
	if r.thin != nil {
		r.slice, r.tasks = r.chain, cut.Thin(w.M, roundUp(w.M, p.t.Rows), r.thinBlocks(workers))
		return r
	}
	widest := roundUp(min(p.widest(), w.N), p.t.Cols)
	rows := r.sliced(workers, widest)
	if most := p.maxPacked() / (r.slice * p.t.Size); widest > most {
		widest = max(p.t.Cols, most/p.t.Cols*p.t.Cols)
	}
	if widest*r.slice*p.t.Size > 8*maxPacked {
		return nil
	}
	if p.m.Makes() {
		r.tasks = cut.Blocked(w.M, w.N, w.Cols, widest, rows, workers)
		return r
	}
	r.tasks = p.shape().Tasks(w.M, w.N, widest, rows, workers, r.slice < r.chain)
	return r
}

// parts finds the code that a launch needs; false if some of it cannot be made.
func (r *Plan) parts(args []ir.Arg) bool {
	if !r.operandParts() || !r.resultParts(args) {
		return false
	}
	if r.kernel == nil || r.pack == nil || r.strip == nil || r.epilogue == nil {
		return false
	}
	code := []*frame.Piece{r.strip, r.thin, r.thinTurned, r.side, r.rowSums, r.tiles[tilesPast]}
	for _, c := range append(append(r.pieces(), r.narrow.pieces()...), code...) {
		if c != nil {
			r.frame = max(r.frame, c.FrameSize)
		}
	}
	return true
}

// operandParts finds the micro-kernels, and what copies strips of A and packs B for them.
func (r *Plan) operandParts() bool {
	p, m, w := r.p, r.p.m, r.shape
	of, size := int64(m.A.D.Size()), int64(m.B.D.Size())
	r.t = p.t
	r.thin, r.thinTurned = r.thinPart()
	r.across = r.thin == nil && p.kernel.across.Make != nil && w.A.Col != of && w.A.Row == of && w.M >= micro.AcrossRows
	r.crowded = w.N >= leastCopied*p.t.Cols && Crowded(p.t.Rows, w.A.Row)
	if r.kernel = p.kernel.of(r.across); r.across {
		r.strip = p.strips.turned.Get()
	} else {
		r.strip = p.strips.get(w.A.Col, of)
	}
	r.pack = p.packs.get(w.B.Row, size)
	if w.B.Row != size && w.B.Col == size {
		r.turn = p.packs.turned.Get()
	}
	if p.grouped() && !r.groupParts() {
		return false
	}
	if m.Chain == dot.Ascending && !m.Bytes() && w.B.Row == size && !m.Makes() {
		if r.first = p.first.of(r.across); r.first == nil {
			return false
		}
	}
	return r.narrowParts() && (!m.Makes() || p.maker.Get() != nil)
}

// resultParts finds what makes results of accumulators.
func (r *Plan) resultParts(args []ir.Arg) bool {
	p, m := r.p, r.p.m
	if r.unit = r.unitColumns(args); r.unit {
		r.epilogue = p.unitEpilogue.Get()
	} else {
		r.epilogue = p.epilogue.Get()
	}
	r.direct = r.unit && m.Plain() && product.ZeroBits(m.D, r.shape.Zeros) == product.ZeroBits(m.D, false)
	if r.unit && !r.direct && p.ends.Make != nil {
		if !r.endParts() {
			return false
		}
		r.direct = m.Ending().As == m.D
	}
	return !r.unit || p.finish == nil || r.finishTiles()
}

// pieces are those of panels, nil for what there is not.
func (c *panelCode) pieces() []*frame.Piece {
	return []*frame.Piece{c.kernel, c.pack, c.first, c.ends, c.turn}
}

// unitColumns reports whether all that the epilogue reads and writes has its columns
// side by side.
func (r *Plan) unitColumns(args []ir.Arg) bool {
	size := func(arg int) int64 { return int64(args[arg].Mem.DType().Size()) }
	ok := r.shape.Out.Col == size(r.p.m.Out.Base)
	for k, x := range r.p.m.Extras {
		ok = ok && (x.CoefOf(1) == nil || r.shape.Extras[k].Col == size(x.Form.Base))
	}
	return ok
}

// Sliced reports whether K is cut into slices.
func (r *Plan) Sliced() bool { return r.slice < r.chain }

// Finishes reports whether the kernel makes results of accumulators, if columns lie side by side.
func (r *Plan) Finishes() bool { return r.ends != nil || !r.unit }

// Thin reports whether there are so few rows that nothing is packed.
func (r *Plan) Thin() bool { return r.thin != nil }

// planned is a plan and what it depends on: the grid, workers, scalars, how much memory
// tensors span, and how views with gaps lie in it.
type planned struct {
	grid    [3]int
	workers int
	args    []planArg
	plan    *Plan // nil: not one product
}

type planArg struct {
	bits uint64
	span int
	only *lattice.Set
}

func signature(args []ir.Arg) []planArg {
	s := make([]planArg, len(args))
	for i, a := range args {
		s[i] = planArg{a.Bits, a.Mem.Len(), a.Only}
	}
	return s
}

func (p *planned) same(args []ir.Arg, grid [3]int, workers int) bool {
	if p.grid != grid || p.workers != workers {
		return false
	}
	for i, a := range args {
		if was := &p.args[i]; was.bits != a.Bits || was.span != a.Mem.Len() || !was.only.Alike(a.Only) {
			return false
		}
	}
	return true
}
