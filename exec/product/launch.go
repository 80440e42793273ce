package product

import (
	"math"
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/product/reach"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A Plane is a two-dimensional piece of a tensor in memory: element (i, j) lies at
// Base + i·Row + j·Col bytes.
type Plane struct {
	Base     uintptr
	Row, Col int64
}

// A Launch is a launch as one product: C[M×N] = epilogue(A[M×K] × B[K×N]). Planes begin at offsets in their tensors,
// until Move adds where these are.
type Launch struct {
	M, N, K int
	A, B    Plane // B's rows are columns of C
	Out     Plane
	Extras  []Plane
	Picked
	Made
	// Zeros says that K ends with steps of zeros that are not carried out, which would turn an accumulator of -0 into
	// +0.
	Zeros bool
}

// Launch is the launch as one product, nil if it is not one.
func (m *Match) Launch(args []ir.Arg, grid [3]int) *Launch {
	p := &planning{m: m, args: args, grid: grid, e: affine.NewEnv(args, grid, m.f.NumIDs())}
	if w := p.plan(); !p.e.Failed {
		return w
	}
	return nil
}

// Move makes w the launch z with its planes at a launch's tensors.
func (w *Launch) Move(z *Launch, m *Match, args []ir.Arg) {
	extras := append(w.Extras[:0], z.Extras...)
	*w = *z
	w.Extras = extras
	at := func(p *Plane, arg int) { p.Base += uintptr(args[arg].Mem.Pointer()) }
	at(&w.A, m.A.Form.Base)
	if !m.Makes() {
		at(&w.B, m.B.Form.Base)
	}
	at(&w.Out, m.Out.Base)
	for i, x := range m.Extras {
		at(&w.Extras[i], x.Form.Base)
	}
}

// A planning examines one launch.
type planning struct {
	m    *Match
	args []ir.Arg
	grid [3]int
	e    *affine.Env
	next []int64 // room for what the loop carries
	// columns is what blocks of B depend on that are computed, as far as it is known.
	columns [][]int64
	all     []instance // where there is control flow around the product
}

// blocks says how the grid's instances cover the result: ni × nj blocks, first and
// last instances by row and column.
type blocks struct {
	ni, nj int
	at     func(i, j int) instance
	each   bool // nothing is known of instances that have not been looked at
}

func (p *planning) plan() *Launch {
	m := p.m
	var first instance
	if m.walked {
		all, ok := p.instances()
		if !ok || len(all) == 0 {
			return nil
		}
		p.all, first = all, all[0]
	}
	origin := p.at(first)
	if p.e.Failed || origin.trips < 1 {
		return nil
	}
	b := p.blocks(origin)
	if b == nil {
		return nil
	}
	w := &Launch{K: int(origin.k)}
	if origin.kb != origin.k && !m.Makes() {
		return nil
	}
	w.Zeros = int64(roundUp(w.K, ChainUnit(m.Chain))) < origin.trips*int64(m.bk) && !m.Makes()
	w.M, w.N = p.edge(b, true), p.edge(b, false)
	if w.M < 1 || w.N < 1 || w.K < 1 || p.e.Failed {
		return nil
	}
	if !p.inside(w, b, origin) {
		return nil
	}
	return w
}

// A sample is what one instance does.
type sample struct {
	trips int64
	steps
	a, b, out    int64 // first elements
	k, kb        int64 // length of the chain as a's and b's masks have it
	rowsA, colsB int64 // rows and columns that the loads' masks let through
	rows, cols   int64 // and the store's
	picked       picked
	extras       []int64
	loaded       [][2]int64 // rows and columns that the masks of the epilogue's loads let through
	made         []int64    // of a B that is computed: what its blocks depend on, and by how much that moves in a round
}

// steps are strides of a, from row to row and along the chain, of b, and of what is stored.
type steps struct{ am, ak, bn, bk, om, on int64 }

// set makes the env that of an instance.
func (p *planning) set(i instance) *affine.Env {
	p.e.At(i.id)
	for k, x := range i.vars {
		p.e.Fix(p.m.vars[k], x)
	}
	return p.e
}

// at is what an instance does; e.failed is set if it is not a product's part.
func (p *planning) at(i instance) (s sample) {
	m, e := p.m, p.set(i)
	loop := m.loop
	lo, hi, step := e.Value(loop.Args[0]), e.Value(loop.Args[1]), int64(loop.Index)
	s.trips = max(0, (hi-lo+step-1)/step)
	// Addresses move on by one block of the chain per round, masks back by as much.
	const rounds = 3
	var a, b, ka, kb [rounds]int64
	var from [rounds]picked
	for t := range rounds {
		e.Forget()
		p.round(int64(t), lo, step)
		a[t], b[t] = e.Sym(m.A.Form.Start), e.Sym(m.B.Form.Start)
		if m.A.picks != nil {
			from[t] = m.A.picks.pickedFrom(e)
		}
		if x := m.B.made; x != nil && t < 2 {
			s.made = x.at(s.made, e, t)
		}
		ka[t], kb[t] = m.A.limit(e, m.A.k, math.MaxInt64), m.B.limit(e, m.B.k, math.MaxInt64)
		if t == 0 {
			s.am, s.ak = e.Coef(m.A.Form.Coef[m.A.row]), e.Coef(m.A.Form.Coef[m.A.k])
			s.bn, s.bk = e.Coef(m.B.Form.Coef[m.B.row]), e.Coef(m.B.Form.Coef[m.B.k])
			s.rowsA, s.colsB = m.A.limit(e, m.A.row, int64(m.bm)), m.B.limit(e, m.B.row, int64(m.bn))
		}
	}
	block := int64(m.bk)
	for t := 1; t < rounds; t++ {
		e.Failed = e.Failed || a[t]-a[t-1] != block*s.ak || b[t]-b[t-1] != block*s.bk ||
			from[t].by != from[0].by || ka[t] != falling(ka[t-1], block) || kb[t] != falling(kb[t-1], block)
	}
	p.narrowHolds(s.trips)
	e.DropLocals()
	e.Forget()
	if s.picked = from[0]; m.A.picks != nil {
		m.A.picks.numbers(e, &s.picked, int64(m.bm))
	}
	s.a, s.b, s.out = a[0], b[0], e.Sym(m.Out.Start)
	s.k, s.kb = min(ka[0], s.trips*block), min(kb[0], s.trips*block)
	s.om, s.on = e.Coef(m.Out.Coef[0]), e.Coef(m.Out.Coef[1])
	s.rows, s.cols = limitOf(e, m.outMask, 0, int64(m.bm)), limitOf(e, m.outMask, 1, int64(m.bn))
	for _, v := range m.checks {
		if v.Op == op.Assert {
			v = v.Args[0]
		}
		e.Failed = e.Value(v) == 0 && v.Type.D == dtype.Bool || e.Failed
	}
	for _, x := range m.Extras {
		s.extras = append(s.extras, e.Sym(x.Form.Start))
		s.loaded = append(s.loaded, [2]int64{limitOf(e, x.mask, 0, int64(m.bm)), limitOf(e, x.mask, 1, int64(m.bn))})
	}
	return s
}

// sameColumns reports whether an instance's blocks of B are those of another one.
func (s *sample) sameColumns(as sample) bool { return s.b == as.b && slices.Equal(s.made, as.made) }

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// falling is a limit one round later: none stays none, and it is never below 0.
func falling(k, by int64) int64 {
	if k == math.MaxInt64 {
		return k
	}
	return max(0, k-by)
}

// round sets the loop's counter and its carried scalars to what they are in round t.
func (p *planning) round(t, lo, step int64) {
	b := p.m.loop.Blocks[0]
	e := p.e
	if p.next == nil {
		p.next = make([]int64, 2*len(b.Args))
	}
	next, after := p.next[:len(b.Args)], p.next[len(b.Args):]
	next[0] = lo
	for i, a := range b.Args[1:] {
		if !a.Type.IsTile() && a.Type.D.IsInt() {
			next[1+i] = e.Value(p.m.loop.Args[2+i])
		}
	}
	for {
		for i, a := range b.Args {
			e.SetLocal(a, next[i])
		}
		e.Forget()
		if t == 0 {
			return
		}
		t--
		after[0] = next[0] + step
		for i, y := range b.Term().Args {
			if !y.Type.IsTile() && y.Type.D.IsInt() {
				after[1+i] = e.Value(y)
			}
		}
		next, after = after, next
	}
}

// limit is how many indices of a dimension an operand's mask lets through, most if it
// has no limit there.
func (o *Operand) limit(e *affine.Env, dim int, most int64) int64 {
	return limitOf(e, o.mask, dim, most)
}

func limitOf(e *affine.Env, atoms []affine.Atom, dim int, most int64) int64 {
	for _, a := range atoms {
		switch {
		case a.Dim != dim:
		case a.Hi != nil:
			most = min(most, max(0, e.Sym(a.Hi)))
		case e.Sym(a.Lo) > 0:
			e.Failed = true
		}
	}
	return most
}

// blocks finds how instances make up rows and columns of blocks: along two axes of the
// grid, or else by looking at every instance.
func (p *planning) blocks(origin sample) *blocks {
	if b := p.byAxes(origin); b != nil {
		return b
	}
	return p.byInstance(origin)
}

// byAxes is the usual case: one axis of the grid moves a by whole blocks of rows,
// another b by whole blocks of columns.
func (p *planning) byAxes(origin sample) *blocks {
	g := p.grid
	rowAxis, colAxis := -1, -1
	m := p.m
	if !m.linear {
		return nil
	}
	for axis, n := range g {
		if n == 1 {
			continue
		}
		var id [3]int
		id[axis] = 1
		s := p.at(instance{id: id})
		switch {
		case p.e.Failed:
			return nil
		case s.a == origin.a+int64(m.bm)*origin.am && s.sameColumns(origin) && s.a != origin.a && rowAxis < 0:
			rowAxis = axis
		case (s.b == origin.b+int64(m.bn)*origin.bn || m.Makes()) && s.a == origin.a && !s.sameColumns(origin) && colAxis < 0:
			colAxis = axis
		default:
			return nil
		}
	}
	b := &blocks{ni: 1, nj: 1}
	if rowAxis >= 0 {
		b.ni = g[rowAxis]
		if m.Makes() && reach.Wrap(m.B.made.scalars(m.loop), rowAxis) {
			return nil
		}
	}
	if colAxis >= 0 {
		b.nj = g[colAxis]
	}
	b.at = func(i, j int) (at instance) {
		if rowAxis >= 0 {
			at.id[rowAxis] = i
		}
		if colAxis >= 0 {
			at.id[colAxis] = j
		}
		return at
	}
	if !p.consistent(b, origin) {
		return nil
	}
	return b
}

// allLinear reports whether everything that a plan looks at is a sum of program ids
// times what does not depend on them: then a few instances speak for all.
func (m *Match) allLinear() bool {
	ok := degreeOf(m.loop.Args[0]) == 0 && degreeOf(m.loop.Args[1]) == 0
	oneForm := func(f *affine.Form) {
		ok = ok && degree(f.Start) <= 1
		for _, c := range f.Coef {
			ok = ok && (c == nil || degree(c) == 0)
		}
	}
	conds := func(cs []affine.Cond) {
		for _, c := range cs {
			oneForm(c.Form)
			ok = ok && (c.Below == nil || degree(c.Below) == 0)
		}
	}
	for _, v := range m.checks {
		ok = ok && degreeOf(v) <= 1
	}
	limits := func(as []affine.Atom) {
		for _, a := range as {
			ok = ok && (a.Hi == nil || degree(a.Hi) <= 1) && (a.Lo == nil || degree(a.Lo) <= 1)
		}
	}
	if m.Makes() && !m.B.made.linear(m.loop) {
		return false
	}
	fs := append(m.A.allForms(), m.B.Form, m.Out)
	for _, x := range m.Extras {
		fs = append(fs, x.Form)
	}
	for _, f := range fs {
		oneForm(f)
		conds(f.Conds)
	}
	for _, x := range m.Extras {
		limits(x.mask)
		conds(x.conds)
	}
	for _, as := range [][]affine.Atom{m.A.mask, m.B.mask, m.outMask} {
		limits(as)
	}
	if m.A.picks != nil {
		limits(m.A.picks.mask)
	}
	for _, cs := range append(m.A.allConds(), m.B.conds, m.outConds) {
		conds(cs)
	}
	return ok
}

func degree(x *affine.Sym) int {
	switch x.Kind {
	case affine.Const:
		return 0
	case affine.Sum:
		return max(degree(x.A), degree(x.B))
	case affine.Product:
		return degree(x.A) + degree(x.B)
	case affine.Value:
		return degreeOf(x.V)
	}
	return 2
}

func degreeOf(v *ir.Value) int {
	switch {
	case v.Op == ir.Param, v.Type.IsTile():
		return 0
	case len(v.Args) == 0:
		if v.Op == op.ProgramID {
			return 1
		}
		return 0
	case v.Op == ir.Fits || v.Op == op.Cast && (v.Type.D == dtype.Int64 || v.Type.D == dtype.Int32) || v.Op == op.Neg:
		return degreeOf(v.Args[0])
	case v.Op == op.Add || v.Op == op.Sub:
		return max(degreeOf(v.Args[0]), degreeOf(v.Args[1]))
	case v.Op == op.Mul:
		return degreeOf(v.Args[0]) + degreeOf(v.Args[1])
	}
	n := 0
	for _, a := range v.Args {
		n += 2 * degreeOf(a) // whatever the op does, it may not be linear
	}
	return n
}

// maxInstances bounds how many are looked at one by one.
const maxInstances = 1 << 14

// byInstance sorts instances into rows by where they read a and columns by where they
// read b.
func (p *planning) byInstance(origin sample) *blocks {
	m, all, ok := p.m, p.all, true
	if !m.walked {
		all, ok = p.instances()
	}
	cols := origin.bn
	if m.Makes() {
		cols = origin.on
	}
	if !ok || origin.am == 0 || cols == 0 {
		return nil
	}
	cols *= int64(m.bn)
	at := make(map[[2]int64]instance, len(all))
	var ni, nj int64
	for _, i := range all {
		s := p.at(i)
		da, db := s.a-origin.a, s.b-origin.b
		rows := origin.am * int64(m.bm)
		if m.Makes() { // results say which columns these are
			db = s.out - origin.out - da/origin.am*origin.om
		}
		if p.e.Failed || da%rows != 0 || db%cols != 0 || da/rows < 0 || db/cols < 0 {
			return nil
		}
		key := [2]int64{da / rows, db / cols}
		if _, twice := at[key]; twice {
			return nil
		}
		at[key] = i
		ni, nj = max(ni, key[0]+1), max(nj, key[1]+1)
	}
	if ni*nj != int64(len(all)) {
		return nil
	}
	b := &blocks{ni: int(ni), nj: int(nj), each: true}
	b.at = func(i, j int) instance { return at[[2]int64{int64(i), int64(j)}] }
	if !p.consistent(b, origin) {
		return nil
	}
	return b
}

// consistent checks that the instances along the first row and column, and the last,
// do what the origin does, moved on: same chain, same strides, results side by side.
func (p *planning) consistent(b *blocks, origin sample) bool {
	p.columns = nil
	for _, ij := range b.samples() {
		s := p.at(b.at(ij[0], ij[1]))
		if p.e.Failed || !p.moved(s, origin, ij[0], ij[1]) || p.m.Makes() && !slices.Equal(s.made, p.column(b, ij[1])) ||
			b.ragged(s, p.m, ij[0], ij[1]) {
			return false
		}
	}
	return true
}

// moved reports whether an instance does what the origin does, i blocks further down and j to the right.
func (p *planning) moved(s, origin sample, i, j int) bool {
	m, down, right := p.m, int64(i)*int64(p.m.bm), int64(j)*int64(p.m.bn)
	if s.trips != origin.trips || s.k != origin.k || s.kb != origin.kb || s.steps != origin.steps {
		return false
	}
	if m.A.picks != nil && (!s.picked.follows(origin.picked, down) || s.picked.rows < s.rows) {
		return false
	}
	if s.a != origin.a+down*s.am || s.b != origin.b+right*s.bn || s.out != origin.out+down*s.om+right*s.on {
		return false
	}
	for k, x := range m.Extras {
		rows, cols := p.extraStrides(x)
		if s.extras[k] != origin.extras[k]+down*rows+right*cols || s.loaded[k][0] < s.rows || s.loaded[k][1] < s.cols {
			return false
		}
	}
	return true
}

// ragged reports whether a block is ragged where only the last row or column of blocks may be.
func (b *blocks) ragged(s sample, m *Match, i, j int) bool {
	return i < b.ni-1 && min(s.rows, s.rowsA) < int64(m.bm) || j < b.nj-1 && min(s.cols, s.colsB) < int64(m.bn)
}

// samples are the instances that must be looked at: all, or, where everything is
// linear in rows and columns, the corners and the last blocks that must be whole.
func (b *blocks) samples() (ids [][2]int) {
	if !b.each {
		i, j := b.ni-1, b.nj-1
		return [][2]int{{0, 0}, {i, 0}, {0, j}, {i, j}, {max(0, i-1), j}, {i, max(0, j-1)}, {max(0, i-1), 0}, {0, max(0, j-1)}}
	}
	for i := range b.ni {
		for j := range b.nj {
			ids = append(ids, [2]int{i, j})
		}
	}
	return ids
}

// extraStrides is how an epilogue's load moves with the result's rows and columns.
func (p *planning) extraStrides(x Extra) (rows, cols int64) {
	for i, c := range x.Form.Coef {
		switch {
		case c == nil:
		case x.m[i] == 0:
			rows += p.e.Coef(c)
		case x.m[i] == 1:
			cols += p.e.Coef(c)
		}
	}
	return rows, cols
}

// edge is the number of rows, or columns, of the result: whole blocks, and what the
// store's mask lets through of the last. It is 0 if a load's mask lets less through.
func (p *planning) edge(b *blocks, rows bool) int {
	s := p.at(b.at(b.ni-1, b.nj-1))
	if rows {
		if s.rowsA < s.rows {
			return 0
		}
		return (b.ni-1)*p.m.bm + int(s.rows)
	}
	if s.colsB < s.cols {
		return 0
	}
	return (b.nj-1)*p.m.bn + int(s.cols)
}
