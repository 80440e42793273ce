package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/multiply"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A matrix product within one program: operands and accumulator lie in memory (multiply has the code).

// dot translates one.
func (g *operations) dot(v *ir.Value) {
	a, b := v.Args[0], v.Args[1]
	s, d := a.Type.Shape, v.Type.D.Compute()
	p := multiply.Product{Builder: g.Builder, D: d, Chain: v.Chain, Batches: 1}
	p.M, p.K, p.N = s.D[s.N-2], s.D[s.N-1], b.Type.Shape.D[s.N-1]
	if s.N == 3 {
		p.Batches = s.D[0]
	}
	p.A, p.B = g.operand(a, d).Off, g.operand(b, d).Off
	p.Fresh = v.Flags&ir.HasAcc == 0 && v.Chain != dot.Tiles // the sums of tiles are added to memory
	c := g.accumulator(v)
	p.C = c.Off
	p.Wanted = g.WantedOf(v)
	p.Instruction = v.Chain == dot.Pairs && p.K%2 == 0 && g.o.pairs.ByInstruction(g.Tier)
	if p.MayRun() && p.Wanted[2] == 0 && affine.LowerOnes(a) {
		p.WriteRunning()
	} else {
		p.Write()
	}
	if v.Type.D != d { // the chain is rounded once
		g.roundBuffer(c, v.Type.D)
	}
	g.Tiles[v] = c
}

// operand is a Dot's operand in memory, dense. A transposed one is laid out in its own
// order first, then turned around block by block.
func (g *operations) operand(v *ir.Value, d dtype.DType) *tiles.Buffer {
	if v.Type.D == dtype.Bool {
		b := g.NewBuffer(v.Type.As(d))
		n, m := g.NewNest(v.Type.Shape), affine.Identity(v.Type.Shape)
		n.Run(func() { n.Write(b, m, g.Cast(d, n.Eval(v, m))) })
		return b
	}
	if g.FallingLoad(v) {
		return g.TransposeOnce(v, v.Type, func() *tiles.Buffer { return g.TransposedLoad(v) })
	}
	if v.Op == op.Permute && v.Type.Shape.N == 2 && g.Tiles[v] == nil && v.Axes[0] == 1 && lane.CellSize(v.Type.D) == 4 {
		return g.TransposeOnce(v, v.Type, func() *tiles.Buffer { return g.Whole(v.Args[0]) })
	}
	return g.Whole(v)
}

// accumulator is the memory that a product is added to: that of the accumulator if nobody else needs it, else a copy.
// Where there is none nothing is in it yet.
func (g *operations) accumulator(v *ir.Value) *tiles.Buffer {
	t := v.Type.As(v.Type.D.Compute())
	if v.Flags&ir.HasAcc == 0 {
		c := g.NewBuffer(t)
		if v.Chain == dot.Tiles {
			g.clearBuffer(c)
		}
		return c
	}
	acc := v.Args[2]
	c := g.homeFor(v, acc)
	if c == nil {
		c = g.NewBuffer(t)
	}
	if g.Tiles[acc] == c {
		return c
	}
	n, m := g.NewNest(acc.Type.Shape), affine.Identity(acc.Type.Shape)
	n.Atoms = g.WantedRows(acc)
	n.Run(func() { n.Write(c, m, n.Fresh(acc, m)) })
	return c
}

// homeFor is the memory of the loop-carried value that v becomes at the end of the
// round, if the accumulator is made of that value and nothing else reads it.
func (g *operations) homeFor(v, acc *ir.Value) *tiles.Buffer {
	users := g.Plan.Of(v).Users
	if len(users) != 1 || !users[0].IsTerm() || len(g.controls) == 0 {
		return nil
	}
	c := g.controls[len(g.controls)-1]
	homes := c.carried
	if c.v.Op == ir.If || users[0].Op != ir.Yield && users[0].Op != ir.Continue || g.Plan.Of(users[0]).Block != g.Plan.Of(v).Block {
		return nil
	}
	for i, a := range users[0].Args {
		if a != v || homes[i].buf == nil {
			continue
		}
		args := c.v.Blocks[0].Args
		arg := args[len(args)-len(homes)+i]
		if g.feedsOnly(arg, acc, v) && homes[i].buf.D == v.Type.D.Compute() {
			return homes[i].buf
		}
	}
	return nil
}

// feedsOnly reports whether arg is read by nothing but the computation, lane by lane,
// of acc for v.
func (g *operations) feedsOnly(arg, acc, v *ir.Value) bool {
	for _, u := range g.Plan.Of(arg).Users {
		switch {
		case u == v && arg == acc:
		case fuse.Lazy(u) && !g.Plan.Of(u).Keep && ir.Family(u.Op) != op.Shape && g.feedsOnly(u, acc, v):
		default:
			return false
		}
	}
	return len(g.Plan.Of(arg).Users) > 0 && (arg == acc || fuse.Lazy(arg) || arg.Op == op.None)
}

func (g *operations) clearBuffer(b *tiles.Buffer) {
	zero := g.NewVec()
	g.ZeroVec(zero)
	g.overBuffer(b, func(at lir.Arg) { g.Use(asm.VMOVUPS, at, g.V(zero)) })
}

// overBuffer runs f for every vector of a buffer's memory.
func (g *operations) overBuffer(b *tiles.Buffer, f func(at lir.Arg)) {
	g.UpTo(b.Cell*b.Shape.Len(), g.Bytes, func(j lir.Reg) { f(lir.FrameIndex(j, 1, b.Off)) })
}

// roundBuffer makes float32 cells values of a narrow type.
func (g *operations) roundBuffer(b *tiles.Buffer, d dtype.DType) {
	g.overBuffer(b, func(at lir.Arg) {
		x := g.Load(dtype.Float32, at, nil)
		g.Store(g.Normalize(d, x).As(dtype.Float32), at, nil)
	})
	b.D = d
}
