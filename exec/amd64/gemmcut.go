package amd64

import "sort"

// narrowPanels are panels of fewer columns than others, for the last columns of a block:
// with both, less than half a register of columns is computed for nothing.
type narrowPanels struct {
	t             tiling
	kernel, first kernels
	ends          kernels // as those of wide panels
	packs         packs   // as first: of columns that lie side by side, or turned
}

// last is the tiling with the fewest columns.
func (p *Product) last() tiling {
	if p.narrow != nil {
		return p.narrow.t
	}
	return p.t
}

// narrowParts finds the code of narrow panels, if there are any.
func (r *productPlan) narrowParts() bool {
	n := r.p.narrow
	if n == nil {
		return true
	}
	r.narrow.kernel, r.narrow.pack = n.kernel.of(r.across), n.packs.straight.get()
	if r.first != nil {
		r.narrow.first = n.first.of(r.across)
	}
	if r.turn != nil {
		r.narrow.turn = n.packs.turned.get()
	}
	return r.narrow.kernel != nil && r.narrow.pack != nil && (r.first == nil) == (r.narrow.first == nil) && (r.turn == nil) == (r.narrow.turn == nil)
}

// columnBlocks cuts n columns into blocks of whole panels, as equal as these can be and at most so
// wide, and gives their starts and the end. Workers get equal columns, where tasks are few and
// large or blocks too few to go round: all end at the same time, though more panels are narrow.
func (p *Product) columnBlocks(n, widest, workers int, large bool) []int {
	spans, unit := 1, p.t.cols
	if blocks := (n + widest - 1) / widest; p.tiles || large || blocks%workers != 0 && blocks < 4*workers {
		spans = max(1, min(workers, n/p.last().cols))
	}
	if p.narrow != nil {
		unit = p.narrow.t.cols / 2 // wide and narrow panels make up any number of these
	}
	starts := []int{0}
	for i := range spans {
		from, to := starts[len(starts)-1], min(n, roundUp(n*(i+1)/spans, unit))
		blocks, panels := (to-from+widest-1)/widest, (to-from+p.t.cols-1)/p.t.cols
		for j := 1; j < blocks; j++ {
			starts = append(starts, from+panels*j/blocks*p.t.cols)
		}
		if to > from {
			starts = append(starts, to)
		}
	}
	return starts
}

// A cut is how columns are cut into panels: wide ones, then narrow ones.
type cut struct {
	t [2]tiling
	n [2]int
}

// cut is the one with the fewest columns that do not exist, and then the fewest
// panels.
func (p *Product) cut(cols int) cut {
	y := cut{t: [2]tiling{p.t, p.last()}}
	wide, narrow := y.t[0].cols, y.t[1].cols
	y.n[0] = (cols + wide - 1) / wide
	if p.narrow == nil {
		return y
	}
	for n := 1; n*narrow < cols+narrow && n < 3; n++ {
		z := y
		z.n = [2]int{max(0, cols-n*narrow+wide-1) / wide, n}
		if z.start(z.panels()) < y.start(y.panels()) {
			y = z
		}
	}
	return y
}

func (y cut) panels() int { return y.n[0] + y.n[1] }

// of is the tiling of a panel.
func (y cut) of(panel int) tiling { return y.t[btoi(panel >= y.n[0])] }

// start is the first column of a panel.
func (y cut) start(panel int) int {
	wide := min(panel, y.n[0])
	return wide*y.t[0].cols + (panel-wide)*y.t[1].cols
}

// A span is panels of one kind.
type span struct {
	t                               tiling
	kernel, first, ends, pack, turn *piece
	lo, hi                          int
}

// cut is the panels of a span before one, and the others.
func (s span) cut(at int) (before, others span) {
	before, others = s, s
	at = min(max(at, s.lo), s.hi)
	before.hi, others.lo = at, at
	return before, others
}

// spans is panels lo to hi-1 by their kind, until the next call.
func (w *productWorker) spans(lo, hi int) []span {
	r, wide := w.run, w.cut.n[0]
	s := w.kinds[:0]
	if lo < wide {
		s = append(s, span{r.p.t, r.kernel, r.first, r.ends, r.pack, r.turn, lo, min(hi, wide)})
	}
	if hi > wide {
		s = append(s, span{r.p.last(), r.narrow.kernel, r.narrow.first, r.narrow.ends, r.narrow.pack, r.narrow.turn, max(lo, wide), hi})
	}
	return s
}

// A region is part of the result whose columns share a packed block of b. It is cut into
// tasks of so many rows each; some at the end may have none.
type region struct {
	columns
	row, rows   int
	first       int // task
	tasks, each int // tasks, rows of one
}

// columns are some that lie side by side.
type columns struct{ col, cols int }

// between is the columns from each of some starts to the next.
func between(starts []int) (all []columns) {
	for i, end := range starts[1:] {
		all = append(all, columns{starts[i], end - starts[i]})
	}
	return all
}

// addRegion appends tasks for rows of the result, as far as there are so many from one on.
func (r *productPlan) addRegion(c columns, row, rows, each int) {
	g := region{c, row, max(0, min(rows, r.shape.m-row)), r.tasks, (rows + each - 1) / each, each}
	r.regions = append(r.regions, g)
	r.tasks += g.tasks
}

// regionOf is where a task belongs.
func (r *productPlan) regionOf(task int) region {
	i := sort.Search(len(r.regions), func(i int) bool { return r.regions[i].first > task })
	return r.regions[i-1]
}

// cutRegions cuts the result into tasks. Each of several workers gets as many blocks of whole wide
// panels, and some rows of the columns that are left, if these are enough for a panel and not
// too many: who is ahead takes over rows there, and has packed what it needs for them.
func (r *productPlan) cutRegions(widest, workers int) {
	p, m, cols := r.p, r.shape.m, r.p.t.cols
	sliced := r.slice < r.chain
	blocks := between(p.columnBlocks(r.shape.n, widest, workers, sliced))
	for workers > 1 && !sliced && len(blocks)*((m+r.rows-1)/r.rows) < tasksEach*workers && r.rows >= 2*p.t.rows {
		r.rows /= 2
	}
	own, panels := len(blocks)/workers, r.shape.n/cols/workers // of a worker
	left := columns{panels * workers * cols, r.shape.n - panels*workers*cols}
	even := workers > 1 && !sliced && !p.tiles && len(blocks)%workers == 0 && panels >= own
	if !even || left.cols < cols || left.cols > min(widest, left.col) {
		for _, c := range blocks {
			r.addRegion(c, 0, m, r.rows)
		}
		return
	}
	rows := roundUp((m+workers-1)/workers, p.t.rows)
	each := r.rows * max(1, left.col/len(blocks)/left.cols)
	for w := range workers {
		for i := range own {
			from, to := w*panels+panels*i/own, w*panels+panels*(i+1)/own
			r.addRegion(columns{from * cols, (to - from) * cols}, 0, m, r.rows)
		}
		r.addRegion(left, w*rows, rows, each)
	}
}
