package affine

import (
	"math"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Scalars of a launch, computed in Go: what the whole-grid product must know of every
// instance before any of them runs.

// An Env is the values that scalars depend on: the arguments and grid of a launch, an
// instance, and block arguments of loops. Computed values are remembered by their ID
// until the env changes.
type Env struct {
	args   []ir.Arg
	grid   [3]int
	id     [3]int
	vals   []int64
	known  []uint32 // generation in which vals was computed
	local  []uint32 // generation of the locals in which vals was set
	gen    uint32
	scope  uint32 // generation of the locals
	Failed bool   // a value could not be computed; all results are void
}

// NewEnv is the Env of a launch, for values whose IDs are below ids.
func NewEnv(args []ir.Arg, grid [3]int, ids int) *Env {
	return &Env{args: args, grid: grid, vals: make([]int64, ids), known: make([]uint32, ids), local: make([]uint32, ids), gen: 1, scope: 1}
}

// At makes e that of another instance, without locals.
func (e *Env) At(id [3]int) *Env {
	e.id = id
	e.Forget()
	e.DropLocals()
	return e
}

// Forget drops computed values.
func (e *Env) Forget() { e.gen++ }

// DropLocals drops what SetLocal has set.
func (e *Env) DropLocals() { e.scope++ }

// SetLocal makes x the value of v, which is not computed then.
func (e *Env) SetLocal(v *ir.Value, x int64) {
	e.vals[v.ID], e.local[v.ID] = x, e.scope
}

// always is the scope of what Fix has set.
const always = math.MaxUint32

// Fix makes x the value of v, until it is fixed again.
func (e *Env) Fix(v *ir.Value, x int64) {
	e.vals[v.ID], e.local[v.ID] = x, always
	e.Forget()
}

// Fixed is what v was fixed to last, 0 if it was not.
func (e *Env) Fixed(v *ir.Value) int64 {
	if e.local[v.ID] != always {
		return 0
	}
	return e.vals[v.ID]
}

// ID is the instance.
func (e *Env) ID() [3]int { return e.id }

// Sym is a sym's value.
func (e *Env) Sym(x *Sym) int64 {
	switch x.Kind {
	case Const:
		return x.N
	case Value:
		return e.Value(x.V)
	case Sum:
		return e.Sym(x.A) + e.Sym(x.B)
	case Product:
		return e.Sym(x.A) * e.Sym(x.B)
	case Min:
		return min(e.Sym(x.A), e.Sym(x.B))
	}
	return max(e.Sym(x.A), e.Sym(x.B))
}

// Coef is a coefficient's value; nil is 0.
func (e *Env) Coef(x *Sym) int64 {
	if x == nil {
		return 0
	}
	return e.Sym(x)
}

// Value is an integer or bool scalar's value, extended to 64 bits.
func (e *Env) Value(v *ir.Value) int64 {
	if e.local[v.ID] == e.scope || e.local[v.ID] == always || e.known[v.ID] == e.gen {
		return e.vals[v.ID]
	}
	x := e.compute(v)
	e.vals[v.ID], e.known[v.ID] = x, e.gen
	return x
}

func (e *Env) compute(v *ir.Value) int64 {
	d := v.Type.D
	switch v.Op {
	case op.Const:
		return dtype.ToInt(d, v.Bits)
	case ir.Param:
		return dtype.ToInt(d, e.args[v.Index].Bits)
	case op.ProgramID:
		return int64(e.id[v.Index])
	case op.NumPrograms:
		return int64(e.grid[v.Index])
	case ir.Fits:
		x := e.Value(v.Args[0])
		if !d.FitsInt(x) {
			e.Failed = true
		}
		return x
	}
	if v.Op >= op.NumOps || v.Type.IsTile() || !d.IsInt() {
		e.Failed = true
		return 0
	}
	switch ir.Family(v.Op) {
	case op.Elementwise, op.Change:
		return e.scalarOp(v)
	}
	e.Failed = true
	return 0
}

func (e *Env) scalarOp(v *ir.Value) int64 {
	if v.Type.D == dtype.Int64 && len(v.Args) == 2 && v.Args[0].Type.D == dtype.Int64 {
		if f := int64Ops[v.Op]; f != nil {
			x, y := e.Value(v.Args[0]), e.Value(v.Args[1])
			if y == 0 && (v.Op == op.FloorDiv || v.Op == op.Mod) {
				e.Failed = true
				return 0
			}
			return f(x, y)
		}
	}
	in := make([]uint64, len(v.Args))
	for i, a := range v.Args {
		if !a.Type.D.IsInt() {
			e.Failed = true
			return 0
		}
		x := e.Value(a)
		in[i] = uint64(x)
		if b := a.Type.D.Bits(); b < 64 {
			in[i] &= 1<<b - 1
		}
	}
	d := v.Args[len(v.Args)-1].Type.D
	switch v.Op {
	case op.Cast:
		return dtype.ToInt(v.Type.D, dtype.Convert(v.Type.D, d, in[0], false))
	case op.Bitcast:
		return dtype.ToInt(v.Type.D, in[0])
	case op.FloorDiv, op.Mod:
		if in[1] == 0 {
			e.Failed = true
			return 0
		}
	}
	return dtype.ToInt(v.Type.D, op.Scalar(v.Op, d, in...))
}

// int64Ops are the ops that index arithmetic is mostly made of.
var int64Ops = map[op.Op]func(x, y int64) int64{
	op.Add:      func(x, y int64) int64 { return x + y },
	op.Sub:      func(x, y int64) int64 { return x - y },
	op.Mul:      func(x, y int64) int64 { return x * y },
	op.FloorDiv: func(x, y int64) int64 { return x / y },
	op.Mod:      func(x, y int64) int64 { return x % y },
	op.Maximum:  func(x, y int64) int64 { return max(x, y) },
	op.Minimum:  func(x, y int64) int64 { return min(x, y) },
}
