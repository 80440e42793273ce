package tiles

import (
	"github.com/tiler-go/tiler/exec/amd64/cost"
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/instance"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Memory is where tiles lie, and what code leaves to Go.
type Memory struct {
	*scalar.Scalars
	F         *ir.Func
	Plan      *fuse.Schedule
	Unchecked bool // that accesses lie inside their tensors is not checked, to measure what that costs

	Tiles      map[*ir.Value]*Buffer
	Transposes map[*ir.Value]*Buffer // operands of Dots, and loads that nests cross
	Filling    map[*ir.Value]bool    // tiles whose memory is being filled
	Pending    map[*ir.Value]*Buffer // tiles that an open nest fills on its way
	results    map[resultKey]*Buffer
	bypassed   map[*ir.Value]lir.Reg // of stores: 1 if the row at hand is stored non-temporally

	Helpers []instance.Helper
	Current *ir.Value // whose code is being written
	Costs   cost.Notes
}

// New is memory without tiles, for the code of a Func.
func New(f *ir.Func, p *fuse.Schedule, t *lir.Tier) Memory {
	return Memory{
		Scalars: scalar.New(elementwise.New(t), f), F: f, Plan: p,
		Tiles: map[*ir.Value]*Buffer{}, Transposes: map[*ir.Value]*Buffer{}, Filling: map[*ir.Value]bool{},
		Pending: map[*ir.Value]*Buffer{}, results: map[resultKey]*Buffer{}, bypassed: map[*ir.Value]lir.Reg{},
	}
}

// SetScalar makes lanes the value of v, or of its result i.
func (g *Memory) SetScalar(v *ir.Value, i int, x lane.Lanes) {
	for _, t := range g.ResultValues(v, i) {
		if x.D.IsFloat() {
			g.Floats[t] = x
		} else {
			if g.Ints[t] == 0 {
				g.Ints[t] = g.NewReg(lir.GPR)
			}
			g.Move64(g.Ints[t], g.FirstInt(x))
		}
	}
}

// ResultValues is the values that stand for v's result i: v itself, or Results of it.
func (g *Memory) ResultValues(v *ir.Value, i int) (vs []*ir.Value) {
	if len(v.Results) == 0 {
		return []*ir.Value{v}
	}
	for _, u := range g.Plan.Of(v).Users {
		if u.Op == ir.Result && u.Index == i {
			vs = append(vs, u)
		}
	}
	return vs
}

// ResultBuffer is the memory of v's result i.
func (g *Memory) ResultBuffer(v *ir.Value, i int, t ir.Type) *Buffer {
	key := resultKey{v, i}
	b := g.results[key]
	if b == nil {
		b = g.NewBuffer(t)
		g.results[key] = b
	}
	for _, u := range g.ResultValues(v, i) {
		g.Tiles[u] = b
		if g.IsCold() {
			g.NoteCold(u)
		}
	}
	return b
}

type resultKey struct {
	v *ir.Value
	i int
}

// Helpers are what code leaves to Go: operations that are rare or long, exact
// accesses, printing. Code puts operands into the frame, leaves with the helper's
// number and is called again when it is done.

// Helper registers one and gives its exit code.
func (g *Memory) Helper(f instance.Helper) int {
	g.Helpers = append(g.Helpers, f)
	return scalar.HelperBase + len(g.Helpers) - 1
}

// Leave lets a helper do what the code leaves to Go whenever it comes here.
func (g *Memory) Leave(what string, f instance.Helper) {
	g.Costs.Goes(g.Current, what)
	g.CallOut(g.Helper(f))
}

// Besides has Go work on the frame.
func (g *Memory) Besides(what string, rarely bool, f func(*frame.Frame)) {
	run := func(w *instance.Instance) *ir.Failure {
		f(&w.Frame)
		return nil
	}
	if rarely {
		g.CallOut(g.Helper(run))
		return
	}
	g.Leave(what, run)
}

// Keeps reports whether v lies in memory, now or once it has been put there.
func (g *Memory) Keeps(v *ir.Value) bool { return g.Tiles[v] != nil || g.Plan.Kept(v) }

// InMemory reports whether reading v is reading memory that is already filled.
func (g *Memory) InMemory(v *ir.Value) bool { return g.Tiles[v] != nil }

// Rounded is what of a value is computed before it is stored: a store rounds it.
func Rounded(g *Memory, v *ir.Value) *ir.Value {
	wide := ir.Type{D: dtype.Float32, Shape: v.Type.Shape}
	if v.Op != op.Cast || !lane.RoundsStored(v.Type.D) || v.Args[0].Type != wide || g.Keeps(v) {
		return v
	}
	return v.Args[0]
}
