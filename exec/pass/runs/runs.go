// Package runs takes blocks of elements that are numbered through rows run by run.
package runs

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass/write"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Kernels over flat indices find rows and columns by division: r, c = o/cols, o%cols. As vectors that is a division
// and a gather for each element. But o ascends, so that a block falls into runs, within which the quotient is one
// number and the remainder ascends, too: addresses are affine again, and what the quotient alone finds is a scalar.

// The least divisors for which a block is taken run by run: shorter runs are slower than vectors of quotients, or of
// remainders, and longer ones if there are both. A vector of fewer lanes takes as long to divide, and longer to gather.
const (
	minShort = 12 // with vectors of 8 lanes
	minRun   = 16
	minOnly  = 24  // if there are quotients only, or remainders by constants
	minPlain = 128 // if no address is found by a division: vectors of quotients need no gather then
	minLane  = 32  // if there are divisions lane by lane as well, whose inverse each run computes
)

// Want says which runs are wanted.
type Want struct {
	Lanes int  // of a vector
	Long  bool // only long runs are gathered for
}

// least is the least divisors, of quotients and remainders, and of either.
func (w Want) least() (both, only int64) {
	if w.Lanes <= 8 {
		return minShort, minShort
	}
	return minRun, minOnly
}

// fewRuns is how many runs a block may have if something is computed for all of the block in each.
const fewRuns = 4

// Where only values depend on divisions, as those on one side of a diagonal do, there is no gather to be saved: a run
// saves the divisions of its vectors, and comparisons that are one all along it.

// minBlock is how many elements a block has at least.
const minBlock = 64

// By is the text of an If whose first block does by runs what the second one does otherwise.
const By = "runs"

// Of is f, if it has no stores of such blocks, or a Func that does the same run by run, where divisors turn out to
// be large enough. In that one the loads of later runs come after the stores of earlier ones: it is for tensors that
// do not share memory. With long, only long runs are gathered for.
func Of(f *ir.Func, want Want) *ir.Func {
	if !dividesLines(f) {
		return f
	}
	c := f.Clone()
	var blocks []*ir.Block
	c.Walk(func(b *ir.Block) { blocks = append(blocks, b) })
	changed := false
	for _, b := range blocks {
		changed = inRuns(c, b, want, false) || changed
	}
	if !changed {
		return f
	}
	return c
}

// Likely visits the values of a Func but for those of blocks that are not taken by runs.
func Likely(f *ir.Func, visit func(v *ir.Value)) {
	rare := map[*ir.Block]bool{}
	f.Walk(func(b *ir.Block) {
		for _, v := range b.Values {
			for i, inner := range v.Blocks {
				rare[inner] = rare[b] || i == 1 && v.Op == ir.If && v.Text == By
			}
			if !rare[b] {
				visit(v)
			}
		}
	})
}

// dividesLines reports whether f divides blocks of ascending numbers by one number.
func dividesLines(f *ir.Func) (yes bool) {
	f.Values(func(v *ir.Value) { yes = yes || dividesLine(v) })
	return yes
}

func dividesLine(v *ir.Value) bool {
	if v.Op != op.FloorDiv && v.Op != op.Mod || !counts(v.Type.D) || !isBlock(v.Type) {
		return false
	}
	_, ok := lineOf(v.Args[0])
	return ok && v.Args[1].Op == op.Broadcast && !v.Args[1].Args[0].Type.IsTile()
}

func isBlock(t ir.Type) bool { return t.Shape.N == 1 && t.Shape.D[0] >= minBlock }

// counts reports whether numbers of a type number elements.
func counts(d dtype.DType) bool { return d == dtype.Int32 || d == dtype.Int64 }

// lineOf is the scalars whose sum is the first of numbers that ascend by one.
func lineOf(v *ir.Value) (start []*ir.Value, ok bool) {
	switch {
	case v.Op == op.Arange:
		return nil, v.Index == 0
	case v.Op == op.Cast && v.Type.D == dtype.Int64 && v.Args[0].Type.D == dtype.Int32:
		return lineOf(v.Args[0])
	case v.Op != op.Add || !counts(v.Type.D):
		return nil, false
	}
	for i, a := range v.Args {
		b := v.Args[1-i]
		if b.Op != op.Broadcast || b.Args[0].Type.IsTile() {
			continue
		}
		if start, ok := lineOf(a); ok {
			return append(start, b.Args[0]), true
		}
	}
	return nil, false
}

// A region is values of a block that are taken run by run: from the first division to the last store that depends on
// one.
type region struct {
	f     *ir.Func
	b     *ir.Block
	t     ir.Type // bools of the block's shape
	first int
	last  int
	place map[*ir.Value]int  // in the block
	users map[*ir.Value]int  // how many uses a value has
	divs  []*ir.Value        // that give runs
	slice map[*ir.Value]bool // depends on these
	touched
	moved  map[*ir.Value]bool // values that nobody else uses
	fixed  map[*ir.Value]bool // loads ahead of it, for the whole block
	stills map[*ir.Value]bool // see still
	want   Want               // its Long: runs are to be few
	short  bool               // quotients of remainders may be of short runs, and are taken lane by lane
}

// touched is what a region stores to.
type touched struct {
	stores []*ir.Value           // and atomics, in order
	shared map[*ir.Value][]place // of tensors that are touched in several places
}

// inRuns rewrites a block if it has a region. Where runs may end with quotients of remainders that may be short, the
// runs of all other divisions stand beside these.
func inRuns(f *ir.Func, b *ir.Block, want Want, short bool) bool {
	r := &region{
		f: f, b: b, want: want, short: short, first: -1, last: -1, place: map[*ir.Value]int{}, users: map[*ir.Value]int{},
		slice: map[*ir.Value]bool{}, moved: map[*ir.Value]bool{}, fixed: map[*ir.Value]bool{},
		stills: map[*ir.Value]bool{}, touched: touched{shared: map[*ir.Value][]place{}},
	}
	plain, ok := r.find()
	if !ok || plain && slices.ContainsFunc(r.divs, dividesByFew) {
		return false
	}
	f.Values(func(v *ir.Value) {
		for _, a := range v.Args {
			r.users[a]++
		}
	})
	if !r.allowed() {
		return false
	}
	w, ok := r.straight()
	if ok {
		w.plain = plain
		r.want.Long = want.Long && w.gathered(true) != nil
		r.move()
		beside := !short && slices.ContainsFunc(w.again, r.mayBeShort)
		if otherwise := w.write(); beside {
			inRuns(f, otherwise, want, true)
		}
	}
	return ok
}

// dividesByFew reports whether v divides by a constant that is too small for runs if no address is found by it.
func dividesByFew(v *ir.Value) bool {
	by := divisor(v)
	return by.Op == op.Const && dtype.ToInt(by.Type.D, by.Bits) < minPlain
}

// mayBeShort reports whether v divides a remainder by what is likely small: it is none of the number's factors, or its
// quotient is that of what is repeated a few times.
func (r *region) mayBeShort(v *ir.Value) bool {
	return r.mayRepeat(v) || !multiple(divisor(v.Args[0]), divisor(v))
}

// mayRepeat reports whether v is a quotient, by a number that is not known, whose remainder is not taken.
func (r *region) mayRepeat(v *ir.Value) bool {
	by := v.Args[1].Args[0]
	return v.Op == op.FloorDiv && by.Op != op.Const && !slices.ContainsFunc(r.b.Values, func(u *ir.Value) bool {
		return u.Op == op.Mod && u.Args[0] == v.Args[0] && u.Args[1].Op == op.Broadcast && u.Args[1].Args[0] == by
	})
}

// straight is the region's runs if addresses ascend within them, but for those of loads that depend on divisions. A
// load by others, which depends on none, is done ahead of the runs: for each of them it would be done for all of the
// block.
func (r *region) straight() (w *runWriter, ok bool) {
	for range r.last + 1 {
		w = newRunWriter(r)
		bent := w.bent()
		if bent == nil {
			return w, true
		}
		if bent.Op != op.Load {
			return nil, false
		}
		r.fixed[bent] = true
		clear(r.stills)
	}
	return nil, false
}

// find looks for the region's divisions, stores and all that depends on divisions: plain if no address does.
func (r *region) find() (plain, ok bool) {
	plain = true
	for i, v := range r.b.Values {
		r.place[v] = i
		depends := slices.ContainsFunc(v.Args, func(a *ir.Value) bool { return r.slice[a] })
		if dividesLine(v) && (r.first < 0 || v.Type.Shape == r.t.Shape) {
			if r.first < 0 {
				r.first, r.t = i, v.Type.As(dtype.Bool)
			}
			r.divs = append(r.divs, v)
			depends = true
		}
		if !depends {
			continue
		}
		r.slice[v] = true
		if v.IsMemory() {
			plain = plain && !r.slice[v.Memory().Ptr]
		}
		if v.Writes() && v.Memory().Ptr.Type.Shape == r.t.Shape {
			r.last = i
		}
	}
	r.divs = slices.DeleteFunc(r.divs, func(v *ir.Value) bool { return r.place[v] > r.last })
	return plain, r.last >= 0
}

// allowed reports whether all between the region's ends is lane by lane, and may be done for one run after the other.
func (r *region) allowed() bool {
	written := map[*ir.Value][]*ir.Value{} // addresses by tensor
	for _, v := range r.b.Values[r.first : r.last+1] {
		switch {
		case v.IsControl() || v.IsTerm():
			return false
		case v.Writes():
			ptr := v.Memory().Ptr
			root := rootOf(ptr)
			if root == nil || ptr.Type.Shape != r.t.Shape {
				return false
			}
			if v.Op == op.AtomicCAS || r.users[v] > 0 {
				return false
			}
			if written[root] = append(written[root], ptr); len(written[root]) > 1 && !r.share(root, written[root]...) {
				return false
			}
			r.stores = append(r.stores, v)
		case v.IsMemory() || v.Pure() || v.CanFail():
			if r.slice[v] && (v.Type.Shape != r.t.Shape || !laneByLane(v) || failsElsewhere(v)) {
				return false
			}
		default:
			return false // prints, and what else has effects
		}
	}
	for _, v := range r.b.Values[:r.last] {
		if v.Op == op.Load && r.reads(v, written) {
			return false
		}
	}
	return true
}

// reads reports whether a load could see what an earlier run has stored: of a lane's own element it does not.
func (r *region) reads(v *ir.Value, written map[*ir.Value][]*ir.Value) bool {
	ptr := v.Memory().Ptr
	root := rootOf(ptr)
	if root == nil {
		return true
	}
	at := written[root]
	if len(at) == 0 || len(at) == 1 && at[0] == ptr && apart(ptr) {
		return false
	}
	return !r.share(root, append(slices.Clip(at), ptr)...)
}

// apart reports whether pointers are known to be different ones.
func apart(ptr *ir.Value) bool {
	if ptr.Op != ir.PtrAdd || ptr.Args[0].Op != op.Broadcast {
		return false
	}
	by := ptr.Args[1]
	if by.Op == op.Cast {
		by = by.Args[0]
	}
	_, ok := lineOf(by)
	return ok
}

// rootOf is the parameter that pointers come from, nil if there are several.
func rootOf(v *ir.Value) *ir.Value {
	for {
		switch v.Op {
		case ir.Param:
			return v
		case ir.PtrAdd, op.Broadcast:
			v = v.Args[0]
		default:
			return nil
		}
	}
}

// laneByLane reports whether lanes of v depend on the same lanes of its operands alone.
func laneByLane(v *ir.Value) bool { return affine.LaneByLane(v) || v.Op == op.Load }

// copies reports whether a value is computed in the region, and not taken from outside: a load only if nothing is
// stored between.
func (r *region) copies(v *ir.Value) bool {
	if v.Type.Shape != r.t.Shape || r.fixed[v] {
		return false
	}
	at, here := r.place[v]
	switch {
	case v.Op == op.Load:
		return here && (at >= r.first || r.quiet(at))
	case v.Op == op.Arange:
		return true
	case v.Op == op.Broadcast:
		return !v.Args[0].Type.IsTile()
	}
	if !laneByLane(v) || r.still(v) || failsElsewhere(v) {
		return false
	}
	return !v.CanFail() || here && (at >= r.first || r.quiet(at))
}

// failsElsewhere reports whether a value that fails in no lane of a run may fail in others, which hold anything:
// divided by a tile.
func failsElsewhere(v *ir.Value) bool {
	division := v.Op == op.FloorDiv || v.Op == op.Mod
	return division && v.CanFail() && (v.Args[1].Op != op.Broadcast || v.Args[1].Args[0].Type.IsTile())
}

// still reports whether a value is floats that depend on nothing of the region: they are computed once.
func (r *region) still(v *ir.Value) bool {
	if r.slice[v] || !v.Type.D.IsFloat() || v.Op == op.Load {
		return false
	}
	z, ok := r.stills[v]
	if !ok {
		z = !slices.ContainsFunc(v.Args, func(a *ir.Value) bool {
			return a.Type.D.IsFloat() && a.Op != op.Broadcast && r.copies(a)
		})
		r.stills[v] = z
	}
	return z
}

// quiet reports whether the block has no effects from a place to the region.
func (r *region) quiet(at int) bool {
	return !slices.ContainsFunc(r.b.Values[at:r.first], func(v *ir.Value) bool {
		return !v.Pure() && !v.CanFail() && v.Op != op.Load || v.IsControl() || v.Writes()
	})
}

// move finds the values that only the region uses.
func (r *region) move() {
	uses := map[*ir.Value]int{}
	for i := r.last; i >= 0; i-- {
		v := r.b.Values[i]
		store := slices.Contains(r.stores, v)
		if !store && (!r.copies(v) || r.users[v] == 0 || uses[v] < r.users[v]) {
			continue
		}
		r.moved[v] = true
		for _, a := range v.Args {
			uses[a]++
		}
	}
}

// A writer writes integers, too.
type writer struct{ write.Writer }

var wide, flag = ir.Scalar(dtype.Int64), ir.Scalar(dtype.Bool)

func (w *writer) number(n int64) *ir.Value {
	v := w.Add(op.Const, wide)
	v.Bits = uint64(n)
	return v
}

// widened is an integer as int64: what a Fits was made of, if it is one.
func (w *writer) widened(v *ir.Value) *ir.Value {
	switch {
	case v.Type.D == dtype.Int64:
		return v
	case v.Op == ir.Fits:
		return v.Args[0]
	}
	return w.Add(op.Cast, wide, v)
}

// as is an int64 as a number of a type, which it fits.
func (w *writer) as(d dtype.DType, v *ir.Value) *ir.Value {
	if d == dtype.Int64 {
		return v
	}
	return w.Add(op.Cast, ir.Scalar(d), v)
}
