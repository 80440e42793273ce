package product

import (
	"math"

	"github.com/tiler-go/tiler/exec/affine"
)

// inside checks that every element that any instance would load or store lies in its
// tensor, that no int32 in an address wraps and no remainder folds an index that
// matters, and sets the planes.
func (p *planning) inside(w *Launch, b *blocks, origin sample) bool {
	m := p.m
	last := p.at(b.at(b.ni-1, b.nj-1))
	// Rows that are loaded though nobody stores them must exist too.
	loadedRows := int64(b.ni-1)*int64(m.bm) + last.rowsA
	loadedCols := int64(b.nj-1)*int64(m.bn) + last.colsB
	var ok bool
	if loadedRows, ok = p.folded(m.A.Form.Conds, b.at(0, 0), loadedRows, int64(w.M)); !ok {
		return false
	}
	if loadedCols, ok = p.folded(m.B.Form.Conds, b.at(0, 0), loadedCols, int64(w.N)); !ok {
		return false
	}
	k := int64(w.K)
	if m.A.picks != nil {
		ok = p.pickedPlane(w, b, origin, loadedRows)
	} else {
		w.A, ok = p.plane(m.A.Form.Base, origin.a, origin.am, origin.ak, loadedRows, k)
	}
	if !ok {
		return false
	}
	if m.Makes() {
		ok = p.makes(w, b, origin)
		w.B.Row = int64(m.B.D.Size())
	} else {
		w.B, ok = p.plane(m.B.Form.Base, origin.b, origin.bn, origin.bk, loadedCols, k)
	}
	if !ok {
		return false
	}
	if w.Out, ok = p.plane(m.Out.Base, origin.out, origin.om, origin.on, int64(w.M), int64(w.N)); !ok {
		return false
	}
	only := p.args[m.Out.Base].Only
	if only != nil && !only.HasRows(int(origin.out), int(origin.om), int(origin.on), w.M, w.N) {
		return false
	}
	for i, x := range m.Extras {
		rows, cols := p.extraStrides(x)
		// What the epilogue's loads let through must exist, stored or not.
		loadedRows, loadedCols := int64(b.ni-1)*int64(m.bm)+last.loaded[i][0], int64(b.nj-1)*int64(m.bn)+last.loaded[i][1]
		e, ok := p.plane(x.Form.Base, origin.extras[i], rows, cols, loadedRows, loadedCols)
		if !ok {
			return false
		}
		w.Extras = append(w.Extras, e)
	}
	for _, ij := range b.samples() {
		id := b.at(ij[0], ij[1])
		s := p.at(id)
		rows, cols := s.rows, s.cols
		if !p.hold(m.A.Form.Conds, id, s.trips, rows) || !p.hold(m.B.Form.Conds, id, s.trips, cols) ||
			!p.hold(m.Out.Conds, id, s.trips, math.MaxInt32) || !p.hold(m.A.conds, id, s.trips, math.MaxInt32) ||
			!p.hold(m.B.conds, id, s.trips, math.MaxInt32) || !p.hold(m.outConds, id, s.trips, math.MaxInt32) {
			return false
		}
		if !p.pickedHold(w, id, s.trips) {
			return false
		}
		for _, x := range m.Extras {
			if !p.hold(x.Form.Conds, id, s.trips, math.MaxInt32) || !p.hold(x.conds, id, s.trips, math.MaxInt32) {
				return false
			}
		}
	}
	return !p.e.Failed
}

// folded is how many rows (or columns) must exist of those that are loaded, where remainders
// fold those beyond a divisor back: all, if none is folded; else, as indices are counted from
// 0 one by one, as many as the divisor. Those that are stored are never folded: see hold.
func (p *planning) folded(conds []affine.Cond, first instance, loaded, stored int64) (rows int64, ok bool) {
	e := p.set(first)
	defer e.DropLocals()
	rows, folds := stored, false
	for _, c := range conds {
		if c.Below == nil {
			continue
		}
		if !folds {
			folds = true
			p.lastRound(0)
		}
		start, step := e.Sym(c.Form.Start), int64(0)
		for _, x := range c.Form.Coef {
			step += e.Coef(x)
		}
		switch n := e.Sym(c.Below); {
		case abs(start) > affine.StartLimit || abs(step) > affine.CoefLimit:
			return 0, false
		case step >= 0 && start >= 0 && start+step*(loaded-1) < n:
			rows = max(rows, loaded)
		case start == 0 && step == 1:
			rows = max(rows, n)
		default:
			return 0, false
		}
	}
	if !folds {
		return loaded, true
	}
	return rows, true
}

// hold checks conditions in the first and last rounds of an instance. A remainder's
// is checked for the rows (or columns) that are stored only: of others it does not matter
// which they are, and folded sees that they lie in the tensor.
func (p *planning) hold(conds []affine.Cond, id instance, trips, stored int64) bool {
	if len(conds) == 0 {
		return true
	}
	e := p.set(id)
	defer e.DropLocals()
	for _, t := range []int64{0, trips - 1} {
		p.lastRound(t)
		for _, c := range conds {
			if !p.holds(c, stored) {
				return false
			}
		}
	}
	return true
}

func (p *planning) holds(c affine.Cond, stored int64) bool {
	e := p.e
	lo := e.Sym(c.Form.Start)
	hi := lo
	if abs(lo) > affine.StartLimit {
		return false
	}
	for i, x := range c.Form.Coef {
		n := int64(c.Shape.D[i] - 1)
		if c.Below != nil {
			n = min(n, stored-1)
		}
		v := e.Coef(x)
		if abs(v) > affine.CoefLimit {
			return false
		}
		lo, hi = lo+min(0, v*n), hi+max(0, v*n)
	}
	if c.Below != nil {
		return lo >= 0 && hi < e.Sym(c.Below)
	}
	return lo >= c.Lo && hi <= c.Hi
}

// lastRound sets the loop's scalars for round t without going through all before it:
// carried scalars move evenly, as three rounds have shown.
func (p *planning) lastRound(t int64) {
	e, b := p.e, p.m.loop.Blocks[0]
	e.DropLocals()
	e.Forget()
	lo, step := e.Value(p.m.loop.Args[0]), int64(p.m.loop.Index)
	p.round(0, lo, step)
	first := make([]int64, len(b.Args))
	for i, a := range b.Args {
		first[i] = e.Value(a)
	}
	p.round(1, lo, step)
	for i, a := range b.Args {
		e.SetLocal(a, first[i]+t*(e.Value(a)-first[i]))
	}
	e.Forget()
}

func abs(x int64) int64 { return max(x, -x) }

// plane is rows × cols elements of an argument, if all lie inside it.
func (p *planning) plane(arg int, start, row, col, rows, cols int64) (z Plane, ok bool) {
	x := p.args[arg]
	if row < 0 || col < 0 || abs(start) > affine.StartLimit || abs(row) > affine.CoefLimit || abs(col) > affine.CoefLimit || rows > 1<<20 && abs(row) > 1<<30 || cols > 1<<20 && abs(col) > 1<<30 {
		return z, false
	}
	lo, hi := start, start
	for _, s := range [][2]int64{{row, rows - 1}, {col, cols - 1}} {
		span := s[0] * s[1]
		lo, hi = lo+min(0, span), hi+max(0, span)
	}
	if lo < 0 || hi >= int64(x.Mem.Len()) {
		return z, false
	}
	size := int64(x.Mem.DType().Size())
	return Plane{uintptr(start * size), row * size, col * size}, true
}
