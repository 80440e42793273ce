package cut

import (
	"math"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A lin is an integer that depends on variables, c + Σ k·variable: the place of a program in a box along each
// axis of the grid, and the round of each loop, all of which count from 0.
type lin struct {
	c int64
	k []int64 // shorter than the variables where the rest is 0
}

// limit bounds what is computed with, so that nothing wraps.
const limit = 1 << 60

func (x lin) at(i int) int64 {
	if i < len(x.k) {
		return x.k[i]
	}
	return 0
}

func (x lin) constant() bool {
	for _, k := range x.k {
		if k != 0 {
			return false
		}
	}
	return true
}

// plus is x + n·y; ok is false if that is beyond limits.
func (x lin) plus(y lin, n int64) (z lin, ok bool) {
	c, ok := fma(x.c, y.c, n)
	z = lin{c, make([]int64, max(len(x.k), len(y.k)))}
	for i := range z.k {
		k, within := fma(x.at(i), y.at(i), n)
		z.k[i], ok = k, ok && within
	}
	return z, ok
}

func fma(x, y, n int64) (int64, bool) {
	return x + y*n, math.Abs(float64(x)+float64(y)*float64(n)) < limit
}

// A view looks at the values of a kernel for a box of programs.
type view struct {
	a     *analysis
	from  [3]int  // the first program
	count []int64 // of each variable: its values are 0 ... count-1; -1 if that is not known
	memo  []known // by the ID of a value
}

type known struct {
	x        lin
	ok, seen bool
}

// span is the least and greatest value of x.
func (w *view) span(x lin) (lo, hi int64, ok bool) {
	lo, hi = x.c, x.c
	for i, k := range x.k {
		n := w.count[i] - 1
		switch {
		case k == 0 || n == 0:
		case n < 0:
			return 0, 0, false
		default:
			last, within := fma(0, k, n)
			if !within {
				return 0, 0, false
			}
			lo, hi = lo+min(0, last), hi+max(0, last)
		}
	}
	return lo, hi, lo > -limit && hi < limit
}

// of is what is known of a scalar.
func (w *view) of(v *ir.Value) (lin, bool) {
	z := &w.memo[v.ID]
	if z.seen {
		return z.x, z.ok
	}
	z.seen = true // of what depends on itself nothing is known
	x, ok := w.compute(v)
	if d := v.Type.D; ok && d.IsInt() && d != dtype.Int64 {
		lo, hi, bounded := w.span(x)
		ok = bounded && lo >= d.MinInt() && uint64(max(hi, 0)) <= d.MaxInt()
	}
	z.x, z.ok = x, ok
	return x, ok
}

func (w *view) compute(v *ir.Value) (lin, bool) {
	d := v.Type.D
	if v.Type.IsTile() || !d.IsInt() {
		return lin{}, false
	}
	switch v.Op {
	case op.Const:
		return lin{c: dtype.ToInt(d, v.Bits)}, true
	case ir.Param:
		return lin{c: dtype.ToInt(d, w.a.args[v.Index].Bits)}, true
	case op.NumPrograms:
		return lin{c: int64(w.a.grid[v.Index])}, true
	case op.ProgramID:
		x := lin{c: int64(w.from[v.Index])}
		if w.count[v.Index] > 1 {
			x.k = make([]int64, 3)
			x.k[v.Index] = 1
		}
		return x, true
	case op.None:
		return w.carried(v)
	case ir.Result:
		return w.result(v)
	}
	return w.arithmetic(v)
}

func (w *view) arithmetic(v *ir.Value) (lin, bool) {
	xs := make([]lin, len(v.Args))
	fixed := true
	for i, a := range v.Args {
		x, ok := w.of(a)
		if !ok {
			return lin{}, false
		}
		xs[i], fixed = x, fixed && x.constant()
	}
	switch v.Op {
	case op.Add:
		return xs[0].plus(xs[1], 1)
	case op.Sub:
		return xs[0].plus(xs[1], -1)
	case op.Neg:
		return lin{}.plus(xs[0], -1)
	case ir.Fits, op.Cast:
		return xs[0], true // of checks that it fits
	case op.Mul:
		return times(xs[0], xs[1])
	case op.Minimum:
		return w.least(xs[0], xs[1])
	case op.Maximum:
		return w.greatest(xs[0], xs[1])
	}
	if !fixed || v.Op >= op.NumOps || ir.Family(v.Op) != op.Elementwise && ir.Family(v.Op) != op.Change {
		return lin{}, false
	}
	return computed(v, xs)
}

func times(x, y lin) (lin, bool) {
	switch {
	case y.constant():
		return lin{}.plus(x, y.c)
	case x.constant():
		return lin{}.plus(y, x.c)
	}
	return lin{}, false
}

// computed is an operation on constants, as the language has it.
func computed(v *ir.Value, xs []lin) (lin, bool) {
	in := make([]uint64, len(xs))
	for i, x := range xs {
		in[i] = uint64(x.c)
		if b := v.Args[i].Type.D.Bits(); b < 64 {
			in[i] &= 1<<b - 1
		}
	}
	if (v.Op == op.FloorDiv || v.Op == op.Mod) && in[1] == 0 {
		return lin{}, false
	}
	d := v.Args[len(v.Args)-1].Type.D
	return lin{c: dtype.ToInt(v.Type.D, op.Scalar(v.Op, d, in...))}, true
}

// least is the smaller one, where that is the same everywhere.
func (w *view) least(x, y lin) (lin, bool) {
	d, ok := x.plus(y, -1)
	if !ok {
		return lin{}, false
	}
	switch lo, hi, ok := w.span(d); {
	case !ok:
	case hi <= 0:
		return x, true
	case lo >= 0:
		return y, true
	}
	return lin{}, false
}

func (w *view) greatest(x, y lin) (lin, bool) {
	z, ok := w.least(x, y)
	if !ok {
		return z, false
	}
	d, _ := x.plus(z, -1)
	if d.c == 0 && d.constant() {
		return y, true
	}
	return x, true
}

// carried is an argument of a block: the counter of a loop, or what it carries, where a round adds the same to it.
func (w *view) carried(v *ir.Value) (lin, bool) {
	at, ok := w.a.carries[v]
	if !ok || at.loop.Op != ir.For {
		return lin{}, false
	}
	round := lin{k: make([]int64, at.variable+1)}
	round.k[at.variable] = 1
	if at.index < 0 {
		lo, ok := w.of(at.loop.Args[0])
		if !ok {
			return lin{}, false
		}
		return lo.plus(round, int64(at.loop.Index))
	}
	init, ok := w.of(at.loop.Args[2+at.index])
	step, stepped := w.step(v, at)
	if !ok || !stepped {
		return lin{}, false
	}
	return init.plus(round, step)
}

// step is what a round of a loop adds to what it carries.
func (w *view) step(v *ir.Value, at carry) (int64, bool) {
	term := at.loop.Blocks[0].Term()
	if term.Op != ir.Yield {
		return 0, false
	}
	return w.grown(term.Args[at.index], v)
}

// grown is v - from, where that is a constant. Nothing is known of from itself meanwhile.
func (w *view) grown(v, from *ir.Value) (int64, bool) {
	if v == from {
		return 0, true
	}
	sign := int64(1)
	switch v.Op {
	case op.Sub:
		sign = -1
	case op.Add:
	default:
		return 0, false
	}
	for i, a := range v.Args {
		n, ok := w.grown(a, from)
		if !ok || i == 1 && sign < 0 {
			continue
		}
		x, ok := w.of(v.Args[1-i])
		return n + sign*x.c, ok && x.constant()
	}
	return 0, false
}

// result is what a loop has carried to its end, where it always makes as many rounds.
func (w *view) result(v *ir.Value) (lin, bool) {
	loop := v.Args[0]
	if loop.Op != ir.For {
		return lin{}, false
	}
	arg := loop.Blocks[0].Args[1+v.Index]
	at := w.a.carries[arg]
	init, ok := w.of(loop.Args[2+v.Index])
	lo, known := w.of(loop.Args[0])
	hi, knownToo := w.of(loop.Args[1])
	if _, carried := w.of(arg); !carried || !ok || !known || !knownToo || !lo.constant() || !hi.constant() {
		return lin{}, false
	}
	step, ok := w.step(arg, at)
	if !ok {
		return lin{}, false
	}
	return init.plus(lin{c: rounds(lo.c, hi.c, int64(loop.Index))}, step)
}

// rounds is how many a loop makes from lo to hi.
func rounds(lo, hi, step int64) int64 {
	if step < 0 {
		return max(0, (lo-hi-step-1)/-step)
	}
	return max(0, (hi-lo+step-1)/step)
}

// sym is a sym's value.
func (w *view) sym(x *affine.Sym) (lin, bool) {
	switch x.Kind {
	case affine.Const:
		return lin{c: x.N}, true
	case affine.Value:
		return w.of(x.V)
	}
	a, ok := w.sym(x.A)
	b, too := w.sym(x.B)
	if !ok || !too {
		return lin{}, false
	}
	switch x.Kind {
	case affine.Sum:
		return a.plus(b, 1)
	case affine.Product:
		return times(a, b)
	case affine.Min:
		return w.least(a, b)
	}
	return w.greatest(a, b)
}
