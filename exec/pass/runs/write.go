package runs

import (
	"math"
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass/write"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A runWriter writes a region's runs: scalars first, then what stays a tile.
type runWriter struct {
	*region
	writer
	lines map[*ir.Value]bool // the dividends
	index *ir.Value          // 0, 1, 2, ... of the block
	end   *ir.Value          // how many
	lo    *ir.Value          // where the run begins
	hi    *ir.Value          // and ends, as far as it is known
	leave *ir.Value          // the loop's Break
	sides []side
	spot
	guarded
	carries
}

// guarded is what the guard asks about beside the region's divisions.
type guarded struct {
	other  []*ir.Value // numbers that ascend as dividends do, which nothing divides
	again  []*ir.Value // divisions of remainders
	apart  []*ir.Value // and of quotients
	turned []*ir.Value // and of remainders that are shifted
	plain  bool        // no address depends on a division
	least  []*ir.Value // ahead of the loop: of divisors of what is divided lane by lane, and 1, the maximum
	limited
}

// A part is what a value is within a run: one number, numbers that ascend from start + lo on, or, with neither, a tile.
type part struct {
	one   *ir.Value
	start *ir.Value // int64: of the block's first element, as if the run began there
}

// mostWide is how large dividends of int64 may be.
const mostWide = 1 << 60

// guard is whether divisors are large enough, and dividends neither negative nor beyond int32.
func (w *runWriter) guard() *ir.Value {
	n := int64(w.t.Shape.D[0])
	var all *ir.Value
	and := func(o op.Op, x *ir.Value, y int64) {
		c := w.Add(o, flag, x, w.number(y))
		if all != nil {
			c = w.Add(op.And, flag, all, c)
		}
		all = c
	}
	both, least := w.want.least()
	if slices.ContainsFunc(w.divs, func(v *ir.Value) bool {
		return v.Op != w.divs[0].Op || v.Op == op.Mod && divisor(v).Op != op.Const
	}) {
		least = both
	}
	if w.want.Lanes <= 8 && strided(w) {
		least = minStrided
	}
	if len(w.least) > 0 {
		least = minLane
	}
	if w.plain {
		least = minPlain
	}
	if w.want.Long {
		least = max(least, n/fewRuns)
	}
	for _, v := range w.again {
		by, whole := w.widened(divisor(v)), divisor(v.Args[0])
		if w.uneven(v) { // twice as many runs
			and(op.Ge, by, 2*least)
			continue
		}
		and(op.Ge, by, least)
		if whole.Op != op.Const { // a product that has wrapped is none
			and(op.Eq, w.Add(op.Mod, wide, w.widened(whole), w.Add(op.Maximum, wide, by, w.number(1))), 0)
		}
	}
	for _, v := range w.apart {
		and(op.Ge, w.widened(divisor(v)), 1)
	}
	for _, v := range w.least {
		and(op.Ge, w.widened(v.Args[0]), 1)
	}
	for _, v := range w.sound {
		and(op.Ne, w.widened(v), 0)
	}
	bounded := func(line *ir.Value, sign int64) { // so that no sum of its scalars wraps
		scalars, _ := lineOf(line)
		for _, s := range scalars {
			most := int64(math.MaxInt32)
			if s.Type.D == dtype.Int64 {
				most = mostWide
			}
			most = (most - n) / int64(len(scalars))
			and(op.Ge, w.widened(s), sign*most)
			and(op.Le, w.widened(s), most)
		}
	}
	for _, v := range w.divs {
		and(op.Ge, w.widened(divisor(v)), least)
		bounded(v.Args[0], 0)
	}
	for _, v := range w.other {
		bounded(v, -1)
	}
	apartInRows(w, and)
	turnedRows(w, 2*both, and)
	return all
}

// divisor is the number that a division of the region divides by, nil if it is none that is repeated.
func divisor(v *ir.Value) *ir.Value {
	if by := v.Args[1]; by.Op == op.Broadcast {
		return by.Args[0]
	}
	return nil
}

// newRunWriter has written the scalars of a run.
func newRunWriter(r *region) *runWriter {
	w := &runWriter{
		region: r, writer: writer{write.Writer{Fn: r.f, Pos: r.stores[0].Pos}},
		lines: map[*ir.Value]bool{}, spot: newSpot(),
		carries: carries{of: map[*ir.Value]*count{}, rests: map[*ir.Value]*quotient{}},
	}
	for _, v := range r.divs {
		w.lines[v.Args[0]] = true
	}
	w.index = w.Fn.NewValue(op.Arange, w.t.As(dtype.Int32), w.Pos)
	w.lo = w.Fn.NewValue(op.None, wide, w.Pos)
	w.ends()
	w.hi = w.end
	more := w.Add(op.Lt, flag, w.lo, w.end)
	branch := w.Add(ir.If, ir.Type{}, more)
	w.leave = w.Fn.NewValue(ir.Break, ir.Type{}, w.Pos)
	branch.Blocks = []*ir.Block{
		{Values: []*ir.Value{w.Fn.NewValue(ir.Yield, ir.Type{}, w.Pos)}}, {Values: []*ir.Value{w.leave}},
	}
	for _, v := range w.stores {
		for _, a := range v.Args {
			w.part(a)
		}
	}
	return w
}

// bent is a memory op of the region whose addresses do not ascend evenly within a run, nil if there is none. A load
// that depends on a division may have such: it gathers the lanes of each run alone.
func (w *runWriter) bent() *ir.Value {
	if v := w.gathered(false); v != nil {
		return v
	}
	for _, v := range w.stores {
		if !w.even(v.Memory().Ptr) {
			return v
		}
	}
	return nil
}

// gathered is a load of such addresses that depends on a division or not.
func (w *runWriter) gathered(depends bool) *ir.Value {
	for _, v := range w.b.Values[:w.last] {
		p, ok := w.parts[v]
		if !ok || v.Op != op.Load || w.slice[v] != depends || p.one != nil || !w.copies(v) {
			continue
		}
		if !w.even(v.Memory().Ptr) {
			return v
		}
	}
	return nil
}

// even reports whether a value ascends evenly within a run, or not at all.
func (w *runWriter) even(v *ir.Value) bool {
	if p := w.part(v); p.one != nil || p.start != nil {
		return true
	}
	if !w.copies(v) {
		return false
	}
	switch v.Op {
	case op.Add, op.Sub, ir.PtrAdd:
		return w.even(v.Args[0]) && w.even(v.Args[1])
	case op.Mul:
		return w.even(v.Args[0]) && w.even(v.Args[1]) && (w.part(v.Args[0]).one != nil || w.part(v.Args[1]).one != nil)
	case op.Cast, op.Neg:
		return w.even(v.Args[0])
	case op.Where:
		return w.ascends(v) != nil
	}
	return false
}

// write puts an If in the region's place: runs if the divisors are large enough, otherwise what was there.
func (w *runWriter) write() (otherwise *ir.Block) {
	var before, old []*ir.Value
	for _, v := range w.b.Values[:w.last+1] {
		if w.moved[v] {
			old = append(old, v)
		} else {
			before = append(before, v)
		}
	}
	body := w.body()
	w.Out = before
	large := w.guard()
	before, w.Out = w.Out, append([]*ir.Value{w.index}, w.ahead...)
	for _, v := range w.least {
		w.Out = append(w.Out, v.Args[1], v)
	}
	begin := w.begin()
	loop := w.Add(ir.Loop, ir.Type{}, begin...)
	loop.Text, loop.Index = By, w.t.Shape.D[0]
	loop.Results, loop.Blocks = slices.Repeat([]ir.Type{wide}, len(begin)), []*ir.Block{body}
	w.Add(ir.Yield, ir.Type{})
	branch := w.Fn.NewValue(ir.If, ir.Type{}, w.Pos, large)
	branch.Text = By
	otherwise = &ir.Block{Values: append(old, w.Fn.NewValue(ir.Yield, ir.Type{}, w.Pos))}
	branch.Blocks = []*ir.Block{{Values: w.Out}, otherwise}
	w.b.Values = append(append(before, branch), w.b.Values[w.last+1:]...)
	return otherwise
}

// body is the loop's block: behind the scalars, the stores of a run.
func (w *runWriter) body() *ir.Block {
	for _, v := range w.stores {
		for _, before := range loadedBefore(w, v) {
			w.tile(before)
		}
		w.store(v, mostPicks)
	}
	args, next := w.next()
	w.leave.Args = slices.Clone(args)
	w.Add(ir.Continue, ir.Type{}, next...)
	return &ir.Block{Args: args, Values: w.Out}
}

// loadedBefore is loads that come before a store, of what is stored to: it may be of what was there. Those that come
// behind it are of what it leaves.
func loadedBefore(w *runWriter, store *ir.Value) (list []*ir.Value) {
	for _, v := range w.b.Values[:w.place[store]] {
		p, ok := w.parts[v]
		if len(w.stores) < 2 || !ok || v.Op != op.Load || p.one != nil || !w.copies(v) {
			continue
		}
		root := rootOf(v.Memory().Ptr)
		if slices.ContainsFunc(w.stores, func(s *ir.Value) bool { return rootOf(s.Memory().Ptr) == root }) {
			list = append(list, v)
		}
	}
	return list
}

// part is what a value is within a run; the scalars of it are written.
func (w *runWriter) part(v *ir.Value) part {
	if !v.Type.IsTile() {
		return part{one: v}
	}
	p, ok := w.parts[v]
	if !ok {
		p = w.partOf(v)
		w.parts[v] = p
	}
	return p
}

func (w *runWriter) partOf(v *ir.Value) part {
	switch {
	case !w.copies(v):
		return part{}
	case v.Op == op.Broadcast:
		return part{one: v.Args[0]}
	case slices.Contains(w.divs, v):
		return w.divided(v)
	case w.lines[v]:
		return part{start: w.startOf(v)}
	case isLine(v):
		w.other = append(w.other, v)
		return part{start: w.startOf(v)}
	case w.dividesAgain(v):
		return w.dividedAgain(v)
	case w.dividesCount(v):
		return w.dividedCount(v)
	}
	if s, ok := shiftOf(v); ok && w.part(s.rest).start != nil {
		return w.shifted(v, s)
	}
	parts := make([]part, len(v.Args))
	one := true
	for i, a := range v.Args {
		parts[i] = w.part(a)
		one = one && parts[i].one != nil
	}
	switch {
	case v.Op == op.Arange:
		return part{start: w.number(int64(v.Index))}
	case v.Op == op.Cast && v.Type.D == dtype.Int64 && parts[0].start != nil:
		return parts[0]
	case one && len(parts) > 0:
		args := make([]*ir.Value, len(parts))
		for i, p := range parts {
			args[i] = p.one
		}
		return part{one: w.scalar(v, args)}
	case len(parts) == 2:
		return w.compared(v, parts[0], parts[1])
	}
	return part{}
}

// divided is a quotient, one number within the run, which ends where it is another one; or the remainder, which
// ascends.
func (w *runWriter) divided(v *ir.Value) part {
	by := w.widened(divisor(v))
	return w.partOfQuotient(v, w.quotient(v, by, nil), w.startOf(v.Args[0]), by)
}

// partOfQuotient is a quotient, or the remainder, of numbers that ascend from start on.
func (w *runWriter) partOfQuotient(v *ir.Value, q *quotient, start, by *ir.Value) part {
	if v.Op == op.FloorDiv {
		w.of[v] = &q.count
		return part{one: w.as(v.Type.D, q.now)}
	}
	w.rests[v] = q
	return part{start: w.Add(op.Sub, wide, start, w.Add(op.Mul, wide, q.now, by))}
}

// dividesAgain reports whether v divides a remainder by a number: planes have rows. A row may be too short for runs
// where a plane is not, above all if the plane is no multiple of it: see inRuns.
func (w *runWriter) dividesAgain(v *ir.Value) bool {
	if v.Op != op.FloorDiv && v.Op != op.Mod || v.Args[1].Op != op.Broadcast || v.Args[0].Op != op.Mod {
		return false
	}
	by := divisor(v)
	if w.part(v.Args[0]); by.Type.IsTile() || w.rests[v.Args[0]] == nil || w.short && w.mayBeShort(v) {
		return false
	}
	return by.Op != op.Const || by.Bits >= minRun && by.Bits < 1<<31
}

// uneven reports whether v divides a remainder of a number that may be no multiple of v's divisor: the last of its
// quotients ends with the remainders.
func (w *runWriter) uneven(v *ir.Value) bool { return !multiple(divisor(v.Args[0]), divisor(v)) }

// dividedAgain is divided for a remainder.
func (w *runWriter) dividedAgain(v *ir.Value) part {
	w.again = append(w.again, v)
	by := w.widened(divisor(v))
	return w.partOfQuotient(v, w.quotient(v, by, w.rests[v.Args[0]]), w.part(v.Args[0]).start, by)
}

// multiple reports whether a number is known to be a multiple of another one, as a product is of its factors.
func multiple(x, of *ir.Value) bool {
	if x.Op == op.Const && of.Op == op.Const {
		return of.Bits >= minRun && x.Bits%of.Bits == 0
	}
	have := factors(x, nil)
	for _, a := range factors(of, nil) {
		i := slices.Index(have, a)
		if i < 0 {
			return false
		}
		have = slices.Delete(have, i, i+1)
	}
	return true
}

// factors adds the factors of a product.
func factors(x *ir.Value, to []*ir.Value) []*ir.Value {
	switch {
	case x.Op == ir.Fits:
		return factors(x.Args[0], to)
	case x.Op == op.Mul:
		return factors(x.Args[1], factors(x.Args[0], to))
	}
	return append(to, x)
}

// isLine reports whether v is sums that ascend by one.
func isLine(v *ir.Value) bool {
	if v.Op != op.Add {
		return false
	}
	_, ok := lineOf(v)
	return ok
}

// startOf is the first of numbers that ascend.
func (w *runWriter) startOf(v *ir.Value) *ir.Value {
	scalars, _ := lineOf(v)
	var sum *ir.Value
	for _, s := range scalars {
		if s = w.widened(s); sum != nil {
			s = w.Add(op.Add, wide, sum, s)
		}
		sum = s
	}
	if sum == nil {
		sum = w.number(0)
	}
	return sum
}

// compared is a comparison of numbers that ascend with one, which is the same in all of the run: it ends where that
// changes.
func (w *runWriter) compared(v *ir.Value, x, y part) part {
	if w.cuts[v] {
		return part{one: w.yes}
	}
	o, line, limit := v.Op, x, y
	if x.one != nil {
		o, line, limit = mirrored[o], y, x
	}
	plus, ok := changes[o]
	if !ok || line.start == nil || limit.one == nil || !counts(limit.one.Type.D) {
		return part{}
	}
	s := w.side(line.start, limit.one, plus)
	if o == op.Lt || o == op.Le {
		return part{one: s.ahead}
	}
	return part{one: s.behind}
}

// mostOf is a limit of numbers that ascend, with which nothing wraps: these are smaller.
func mostOf(w *runWriter, limit *ir.Value) *ir.Value {
	if limit.Type.D != dtype.Int64 {
		return w.widened(limit)
	}
	return w.Add(op.Maximum, wide, w.Add(op.Minimum, wide, limit, w.number(2*mostWide)), w.number(-2*mostWide))
}

// A side is flags that say on which side of a limit a run lies: it ends there. Plus is as in changes.
type side struct {
	start, limit  *ir.Value
	plus          int64
	ahead, behind *ir.Value
}

// side is that of numbers that ascend from a start on.
func (w *runWriter) side(start, limit *ir.Value, plus int64) side {
	for _, s := range w.sides {
		if s.start == start && s.limit == limit && s.plus == plus {
			return s
		}
	}
	at := w.Add(op.Sub, wide, mostOf(w, limit), start)
	if plus != 0 {
		at = w.Add(op.Add, wide, at, w.number(plus))
	}
	s := side{start: start, limit: limit, plus: plus, ahead: w.Add(op.Lt, flag, w.lo, at)}
	w.hi = w.Add(op.Where, wide, s.ahead, w.Add(op.Minimum, wide, w.hi, at), w.hi)
	s.behind = w.Add(op.Not, flag, s.ahead)
	w.sides = append(w.sides, s)
	return s
}

// mirrored is comparisons with their operands in the other order.
var mirrored = map[op.Op]op.Op{op.Lt: op.Gt, op.Gt: op.Lt, op.Le: op.Ge, op.Ge: op.Le}

// changes is how far behind the number that it is compared with an ascending one changes a comparison.
var changes = map[op.Op]int64{op.Lt: 0, op.Ge: 0, op.Le: 1, op.Gt: 1}

// tile is a value as a tile whose lanes hold within the run.
func (w *runWriter) tile(v *ir.Value) *ir.Value {
	if !w.copies(v) {
		return v
	}
	z := w.tiles[v]
	if z == nil {
		z = w.tileOf(v)
		w.tiles[v] = z
	}
	return z
}

func (w *runWriter) tileOf(v *ir.Value) *ir.Value {
	p := w.part(v)
	switch {
	case p.one != nil:
		return w.Add(op.Broadcast, v.Type, p.one)
	case v.Op == op.Arange && v.Index == 0:
		return w.index
	case v.Op == op.Arange:
		return w.Clone(v, v.Type)
	case p.start != nil:
		return w.from(p.start, v.Type)
	case v.Op == op.Where && pickedOf(w, v) != nil:
		return w.tile(pickedOf(w, v))
	case v.Op == op.Where && w.ascends(v) != nil:
		return w.from(w.ascends(v).start, v.Type)
	case v.Op == op.Load:
		return w.access(v, nil, nil)
	case w.byScalar(v):
		return w.Clone(v, v.Type, w.tile(v.Args[0]), w.Add(op.Broadcast, v.Type, w.positive(divisor(v))))
	}
	args := make([]*ir.Value, len(v.Args))
	for i, a := range v.Args {
		args[i] = w.tile(a)
	}
	return w.Clone(v, v.Type, args...)
}

// from is numbers that ascend from start on.
func (w *runWriter) from(start *ir.Value, t ir.Type) *ir.Value {
	index := w.index
	if t.D != dtype.Int32 {
		index = w.Add(op.Cast, t, index)
	}
	return w.Add(op.Add, t, index, w.Add(op.Broadcast, t, w.as(t.D, start)))
}

// byScalar reports whether v is divided, lane by lane, by a scalar that may be 0.
func (w *runWriter) byScalar(v *ir.Value) bool {
	division := (v.Op == op.FloorDiv || v.Op == op.Mod) && counts(v.Type.D) && v.CanFail()
	return division && divisor(v) != nil && !divisor(v).Type.IsTile()
}

// positive is a divisor that is greater than 0, and is known to be: what it divides is computed where it is needed.
func (w *runWriter) positive(v *ir.Value) *ir.Value {
	one := w.Fn.NewValue(op.Const, v.Type, w.Pos)
	one.Bits = 1
	z := w.Fn.NewValue(op.Maximum, v.Type, w.Pos, v, one)
	w.least = append(w.least, z)
	return z
}

// access is a memory op of the run's lanes, if a scalar is true or nil.
func (w *runWriter) access(v, val, on *ir.Value) *ir.Value {
	m := v.Memory()
	mask := w.mask(m.Mask, on) // ahead of what is computed for it alone
	args := []*ir.Value{w.tile(m.Ptr)}
	if val != nil {
		args = append(args, w.tile(val))
	}
	args = append(args, mask)
	if m.Other != nil {
		args = append(args, w.tile(m.Other))
	}
	z := w.Clone(v, v.Type, args...)
	z.Flags |= ir.Masked
	return z
}

// mask is the lanes of the run that a mask lets through, nil for all.
func (w *runWriter) mask(m, on *ir.Value) *ir.Value {
	if m == nil {
		return w.box(on)
	}
	switch p := w.part(m); {
	case p.one != nil && on != nil:
		return w.box(w.Add(op.And, flag, p.one, on))
	case p.one != nil:
		return w.box(p.one)
	}
	return w.Add(op.And, w.t, w.tile(m), w.box(on))
}

// box is the lanes of the run if a scalar is true, or always for nil.
func (w *runWriter) box(on *ir.Value) *ir.Value {
	on, never := asked(w, on)
	switch {
	case never && w.none == nil:
		w.none = lanes(w, w.lo)
		return w.none
	case never:
		return w.none
	case w.boxes[on] != nil:
		return w.boxes[on]
	}
	hi := w.hi
	if on != nil {
		hi = w.Add(op.Where, wide, on, hi, w.lo)
	}
	b := lanes(w, hi)
	w.boxes[on] = b
	return b
}

// lanes is those of the run that come before another one.
func lanes(w *runWriter, hi *ir.Value) *ir.Value {
	limit := func(o op.Op, x *ir.Value) *ir.Value {
		return w.Add(o, w.t, w.index, w.Add(op.Broadcast, w.t.As(dtype.Int32), w.as(dtype.Int32, x)))
	}
	return w.Add(op.And, w.t, limit(op.Ge, w.lo), limit(op.Lt, hi))
}
