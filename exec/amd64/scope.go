package amd64

import (
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// scopes are the blocks of the Func whose code is being written, and the scalars that are defined in them. Integers and
// bools live in general registers, extended to 64 bits by their own signedness; floats are vectors of equal lanes.
type scopes struct {
	*lane.Builder
	enclosing []*lir.Seq            // code of the enclosing blocks, outermost first
	depths    []int                 // scope in which a value is defined, by ID: 1 is the outermost, 0 none yet
	ints      map[*ir.Value]lir.Reg // integer and bool scalars
	floats    map[*ir.Value]lane.Lanes
}

func newScopes(b *lane.Builder, f *ir.Func) *scopes {
	return &scopes{Builder: b, depths: make([]int, f.NumIDs()), ints: map[*ir.Value]lir.Reg{}, floats: map[*ir.Value]lane.Lanes{}}
}

// at writes code into the scope of the given depth.
func (g *scopes) at(depth int, f func()) {
	if depth >= len(g.enclosing) {
		f()
		return
	}
	g.Into(g.enclosing[depth], f)
}

// open starts a scope for a nested block's code; close returns it.
func (g *scopes) open() *lir.Seq {
	s := &lir.Seq{}
	g.enclosing = append(g.enclosing, s)
	g.Cur = s
	return s
}

func (g *scopes) close() {
	g.enclosing = g.enclosing[:len(g.enclosing)-1]
	g.Cur = g.enclosing[len(g.enclosing)-1]
}

// define records that v is defined in the scope that is open.
func (g *scopes) define(v *ir.Value) { g.depths[v.ID] = len(g.enclosing) }

func (g *scopes) defined(v *ir.Value) bool { return g.depths[v.ID] > 0 }

func (g *scopes) depthOf(v *ir.Value) int { return max(0, g.depths[v.ID]-1) }

// intReg is the register of an integer or bool scalar.
func (g *scopes) intReg(v *ir.Value) lir.Reg {
	if r, ok := g.ints[v]; ok {
		return r
	}
	if v.Op == op.Const {
		return g.NewInt(dtype.ToInt(v.Type.D, v.Bits))
	}
	unsupported("%s of type %s as a scalar", ir.OpName(v.Op), v.Type)
	return 0
}

// intArg is an integer scalar as an operand.
func (g *scopes) intArg(v *ir.Value) lir.Arg {
	if v.Op == op.Const {
		if n := dtype.ToInt(v.Type.D, v.Bits); n == int64(int32(n)) {
			return lir.Imm(n)
		}
	}
	return g.R64(g.intReg(v))
}

// floatLanes is a float scalar as equal lanes.
func (g *scopes) floatLanes(v *ir.Value) lane.Lanes {
	if x, ok := g.floats[v]; ok {
		return x
	}
	if v.Op == op.Const {
		return lane.Const(v.Type.D, v.Bits)
	}
	unsupported("%s of type %s as a scalar", ir.OpName(v.Op), v.Type)
	return lane.Lanes{}
}
