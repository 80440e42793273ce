package amd64

import "github.com/tiler-go/tiler/tilelang/op"

// How a launch is done that is one product: by what code, and cut into what tasks. It is decided
// from sizes, strides and workers alone, so launches that have the same go by one plan.

// A productPlan is a product cut into tasks that workers carry out in any order.
type productPlan struct {
	p     *Product
	shape *whole
	frame int // bytes of a worker's
	chain int // steps that the kernel takes for a chain
	slice int // of them b is packed for at a time
	rows  int // of a task of a whole block
	tasks int

	regions []region // all of the result

	kernel, pack, strip *piece
	first               *piece // nil: b is packed beforehand
	thin, thinTurned    *piece // nil: there are too many rows; b is not to be turned
	ends                *piece // nil: the epilogue makes results of sums
	narrow              struct{ kernel, first, ends, pack, turn *piece }
	turn                *piece // of b that lies the other way round
	side                *piece // of groups of a that lie the other way round
	rowSums             *piece // of groups only, if at all
	epilogue            *routine
	unit                bool // the epilogue is that for columns side by side
	direct              bool // sums are where results will be
	across              bool // rows of a lie side by side
	tiles               [numTilesKernels]*piece
}

// plan examines a launch and cuts it; nil if it is not one product.
func (p *Product) plan(l *Launch, workers int) *productPlan {
	w := p.m.whole(l)
	if w == nil {
		return nil
	}
	r := &productPlan{p: p, shape: w, chain: p.chainSteps(w.k), rows: taskStrips * p.t.rows}
	if !r.parts(l) {
		return nil
	}
	if r.thin != nil {
		r.slice, r.rows = r.chain, roundUp(w.m, p.t.rows)
		for _, s := range between(r.thinBlocks(workers)) {
			r.addRegion(s, 0, w.m, r.rows)
		}
		return r
	}
	widest := roundUp(min(p.widest(), w.n), p.t.cols)
	r.sliced(workers, widest)
	if most := p.maxPacked() / (r.slice * p.t.size); widest > most {
		widest = max(p.t.cols, most/p.t.cols*p.t.cols)
	}
	if widest*r.slice*p.t.size > 8*maxPacked {
		return nil
	}
	r.cutRegions(widest, workers)
	return r
}

// parts finds the code that a launch needs; false if some of it cannot be made.
func (r *productPlan) parts(l *Launch) bool {
	p, m, w := r.p, r.p.m, r.shape
	of := int64(m.a.d.Size())
	r.thin, r.thinTurned = r.thinPart()
	r.across = r.thin == nil && p.kernel.across.make != nil && w.a.col != of && w.a.row == of && w.m >= acrossRows
	if r.kernel = p.kernel.of(r.across); r.across {
		r.strip = p.strips.turned.get()
	} else {
		r.strip = p.strips.get(w.a.col, of)
	}
	size := int64(m.b.d.Size())
	r.pack = p.packs.get(w.b.row, size)
	if w.b.row != size && w.b.col == size {
		r.turn = p.packs.turned.get()
	}
	if m.grouped() && !r.groupParts() {
		return false
	}
	if m.chain == op.Ascending && !m.bytes() && w.b.row == size {
		if r.first = p.first.of(r.across); r.first == nil {
			return false
		}
	}
	if !r.narrowParts() {
		return false
	}
	if r.unit = r.unitColumns(l); r.unit {
		r.epilogue = p.unitEpilogue.get()
	} else {
		r.epilogue = p.epilogue.get()
	}
	r.direct = r.unit && m.plain() && zeroBits(m.d, w.zeros) == zeroBits(m.d, false)
	if r.unit && !r.direct && p.ends.make != nil {
		if !r.endParts() {
			return false
		}
		r.direct = m.ending().as == m.d
	}
	if r.kernel == nil || r.pack == nil || r.strip == nil || r.epilogue == nil {
		return false
	}
	for _, c := range []*piece{r.kernel, r.pack, r.strip, r.thin, r.thinTurned, r.first, r.side, r.rowSums, r.turn, r.ends, r.tiles[tilesPast], r.narrow.kernel, r.narrow.first, r.narrow.ends, r.narrow.pack, r.narrow.turn} {
		if c != nil {
			r.frame = max(r.frame, c.frame)
		}
	}
	return true
}

// unitColumns reports whether all that the epilogue reads and writes has its columns
// side by side.
func (r *productPlan) unitColumns(l *Launch) bool {
	size := func(arg int) int64 { return int64(l.Args[arg].Mem.DType().Size()) }
	ok := r.shape.out.col == size(r.p.m.out.Base)
	for k, x := range r.p.m.extras {
		ok = ok && (x.coefOf(1) == nil || r.shape.extras[k].col == size(x.form.Base))
	}
	return ok
}

// planned is a plan and what it depends on: the grid, workers, scalars, and how much memory
// tensors span.
type planned struct {
	grid    [3]int
	workers int
	args    []int64
	plan    *productPlan // nil: not one product
}

func signature(l *Launch) []int64 {
	s := make([]int64, 0, 3*len(l.Args))
	for _, a := range l.Args {
		s = append(s, int64(a.Bits), int64(a.Mem.Len()), int64(btoi(a.Owns != nil)))
	}
	return s
}

func (p *planned) same(l *Launch, workers int) bool {
	if p.grid != l.Grid || p.workers != workers {
		return false
	}
	for i, a := range l.Args {
		if p.args[3*i] != int64(a.Bits) || p.args[3*i+1] != int64(a.Mem.Len()) || p.args[3*i+2] != int64(btoi(a.Owns != nil)) {
			return false
		}
	}
	return true
}
