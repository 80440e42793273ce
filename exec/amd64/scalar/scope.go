package scalar

import (
	"fmt"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// scopes are the blocks of the Func whose code is being written, and the scalars that are defined in them. Integers and
// bools live in general registers, extended to 64 bits by their own signedness; floats are vectors of equal lanes.
type scopes struct {
	*elementwise.Builder
	Enclosing []*lir.Seq            // code of the enclosing blocks, outermost first
	depths    []int                 // scope in which a value is defined, by ID: 1 is the outermost, 0 none yet
	Ints      map[*ir.Value]lir.Reg // integer and bool scalars
	Floats    map[*ir.Value]lane.Lanes
	quotients map[[2]*ir.Value]quotient // of scalars
}

func newScopes(b *elementwise.Builder, f *ir.Func) *scopes {
	ints, floats := map[*ir.Value]lir.Reg{}, map[*ir.Value]lane.Lanes{}
	quotients := map[[2]*ir.Value]quotient{}
	return &scopes{Builder: b, depths: make([]int, f.NumIDs()), Ints: ints, Floats: floats, quotients: quotients}
}

// At writes code into the scope of the given depth.
func (g *scopes) At(depth int, f func()) {
	if depth >= len(g.Enclosing) {
		f()
		return
	}
	g.Into(g.Enclosing[depth], f)
}

// Open starts a scope for a nested block's code; close returns it.
func (g *scopes) Open() *lir.Seq {
	s := &lir.Seq{}
	g.Enclosing = append(g.Enclosing, s)
	g.Cur = s
	return s
}

func (g *scopes) Close() {
	g.Enclosing = g.Enclosing[:len(g.Enclosing)-1]
	g.Cur = g.Enclosing[len(g.Enclosing)-1]
}

// Define records that v is defined in the scope that is open.
func (g *scopes) Define(v *ir.Value) { g.depths[v.ID] = len(g.Enclosing) }

func (g *scopes) Defined(v *ir.Value) bool { return g.depths[v.ID] > 0 }

func (g *scopes) DepthOf(v *ir.Value) int { return max(0, g.depths[v.ID]-1) }

// Innermost reports whether v is defined in the scope that is open, not in one around it.
func (g *scopes) Innermost(v *ir.Value) bool { return g.DepthOf(v) == len(g.Enclosing)-1 }

// IntReg is the register of an integer or bool scalar.
func (g *scopes) IntReg(v *ir.Value) lir.Reg {
	if r, ok := g.Ints[v]; ok {
		return r
	}
	switch v.Op {
	case op.Const:
		return g.NewInt(dtype.ToInt(v.Type.D, v.Bits))
	case ir.Fits: // which is not looked at yet: whatever it is, it is a number of its type
		return g.Extend(v.Type.D, g.IntReg(v.Args[0]))
	}
	Refuse("%s of type %s as a scalar", ir.OpName(v.Op), v.Type)
	return 0
}

// IntArg is an integer scalar as an operand.
func (g *scopes) IntArg(v *ir.Value) lir.Arg {
	if v.Op == op.Const {
		if n := dtype.ToInt(v.Type.D, v.Bits); n == int64(int32(n)) {
			return lir.Imm(n)
		}
	}
	return g.R64(g.IntReg(v))
}

// FloatLanes is a float scalar as equal lanes.
func (g *scopes) FloatLanes(v *ir.Value) lane.Lanes {
	if x, ok := g.Floats[v]; ok {
		return x
	}
	if v.Op == op.Const {
		return lane.Const(v.Type.D, v.Bits)
	}
	Refuse("%s of type %s as a scalar", ir.OpName(v.Op), v.Type)
	return lane.Lanes{}
}

// Param loads a scalar parameter into a register for good.
func (g *scopes) Param(p *ir.Value) {
	switch {
	case p.Type.D.IsPointer():
	case p.Type.D.IsFloat():
		g.Floats[p] = g.LoadSplat(p.Type.D, lir.Frame(ArgOffset(p.Index)))
	default:
		r := g.NewReg(lir.GPR)
		g.Def(asm.MOV, g.R64(r), lir.Frame(ArgOffset(p.Index)))
		g.Ints[p] = r
	}
}

// InScopeOf writes code into the scope where v is defined, ahead of what is open now.
func (g *Scalars) InScopeOf(v *ir.Value, f func()) {
	depth := g.DepthOf(v)
	if depth >= len(g.Enclosing)-1 {
		f()
		return
	}
	enclosing, cold := g.Enclosing, g.cold
	g.cold = nil // only code of the innermost scope may be jumped over
	g.At(depth, func() {
		g.Enclosing = g.Enclosing[:depth+1]
		f()
	})
	g.Enclosing, g.cold = enclosing, cold
}

// AheadInScopeOf writes code into the scope where v is defined, ahead of the nest that is open.
func (g *scopes) AheadInScopeOf(v *ir.Value, f func()) {
	depth := g.DepthOf(v)
	g.At(depth, func() {
		outer := g.Enclosing
		g.Enclosing = g.Enclosing[:depth+1]
		f()
		g.Enclosing = outer
	})
}

// Unsupported is what the engine cannot translate; the caller falls back.
type Unsupported struct{ What string }

func (e Unsupported) Error() string { return "amd64: " + e.What }

// Refuse gives the Func up: Compile returns it as Unsupported.
func Refuse(format string, args ...any) { panic(Unsupported{fmt.Sprintf(format, args...)}) }
