package nest

import (
	"math/bits"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Rows whose elements several lanes in turn read: of packed weights, k/2, of scales of groups, k/32. A block is a load
// of the few elements that it has, and a permutation.

// turnsOf is how many lanes in turn of v's rows read an element, 0 if they do not, and which of them does if any: the
// one that a mask lets through, or the first one, if what a mask lets through of a row begins with its first lane.
func turnsOf(n *values, v *ir.Value, axis int) (turns, phase int, widened []fuse.Read) {
	mem := v.Memory()
	if v.Op != op.Load || n.start != nil {
		return 0, 0, nil
	}
	if lo, _ := n.Bounds(n.Inner()); lo != lir.Imm(0) {
		return 0, 0, nil
	}
	turns, widened = fuse.TurnsInRow(mem.Ptr)
	if turns == 0 || mem.Mask == nil {
		return turns, 0, widened
	}
	if phase = fuse.PhaseInRow(mem.Mask, axis, turns); phase < 0 && !fromFirst(n, mem.Mask, axis) {
		return 0, 0, nil
	}
	return turns, max(0, phase), widened
}

// fromFirst reports whether a mask that lets any lane of a row through does so from the first one on.
func fromFirst(n *values, mask *ir.Value, axis int) bool {
	if by, _, ok := fuse.Along(mask, axis, affine.Axes{}); ok && by == 0 {
		return true
	}
	if mask.Op == op.And {
		return fromFirst(n, mask.Args[0], axis) && fromFirst(n, mask.Args[1], axis)
	}
	if fuse.EndsInRow(mask, axis) {
		return true
	}
	b := n.G.Boxes.Of(mask)
	ok := b.Ok && n.G.Require(b.Conds)
	for _, a := range b.Atoms {
		ok = ok && (a.Dim != axis || a.Lo == nil)
	}
	return ok
}

// prepareTurns puts what the loads of blocks need into registers.
func (g *Nests) prepareTurns(a *tiles.Access) {
	if t := a.Rows.Turns; t > 0 {
		a.Rows.Lanes = lir.Words(g.Unit, func(i int) int { return i / t })
		a.Rows.Few = lane.FirstLanes(g.Vectors, max(1, g.Lanes/t))
	}
}

// packTurns makes a copy, of an element for each lane, what the tensor has: an element for each turn.
func (g *Nests) packTurns(a *tiles.Access) {
	shape, t, size := a.V.Memory().Ptr.Type.Shape, a.Rows.Turns, a.D.Size()
	if t == 0 {
		return
	}
	row := shape.D[a.Rows.Axis]
	g.UpTo(shape.Len()/row, 1, func(j lir.Reg) {
		at := g.NewReg(lir.GPR)
		g.Def(asm.LEA, g.R64(at), lir.FrameIndex(g.BinInt(asm.IMUL, j, lir.Imm(int64(row*size))), 1, a.Copy))
		g.UpTo(row/t, 1, func(k lir.Reg) {
			from := g.BinInt(asm.IMUL, k, lir.Imm(int64(t*size)))
			of := lir.MemIndex(at, from, 1, a.Rows.Phase*size)
			g.CopyElement(size, g.NewReg(lir.GPR), lir.MemIndex(at, k, size, 0), of)
		})
	})
}

// loadTurns is the lanes of a block of such a row, those that a mask lets through if there is one.
func loadTurns(n *values, a *tiles.Access, m affine.Axes, on *lane.Lanes) lane.Lanes {
	g, t, few := n.G, a.Rows.Turns, &a.Rows.Few
	if lo, _ := n.Bounds(n.Inner()); lo != lir.Imm(0) {
		scalar.Refuse("rows of %s that begin in between", a.V.Name())
	}
	by := lir.Imm(int64(bits.TrailingZeros(uint(t))))
	k := g.NewReg(lir.GPR)
	g.Def(asm.LEA, g.R64(k), lir.Mem(n.Index[n.Inner()], n.Off))
	g.RMW(asm.SHR, g.R64(k), by)
	// Where rounds fill a row, it has all that the last one reads.
	if round := max(1, len(n.Tails)) * g.Lanes; on != nil && n.Shape.D[n.Inner()]%round != 0 {
		count, some, bits := g.NewReg(lir.GPR), g.NewMask(), g.NewReg(lir.GPR)
		g.Def(asm.LEA, g.R64(bits), lir.MemIndex(g.NewInt(1), g.MaskBits(on), 2, 0))
		g.Def(asm.BSR, g.R64(count), g.R64(bits)) // lanes up to the last one
		g.RMW(asm.ADD, g.R64(count), lir.Imm(int64(t-1)))
		g.RMW(asm.SHR, g.R64(count), by)
		g.SetFirstLanes(some, count)
		few = &some
	}
	x := g.Load(a.D, lir.MemIndex(n.RowStart(a, m, 0), k, a.D.Size(), 0), few)
	r := g.NewVec()
	g.Def(asm.VPERMD, g.V(r), g.V(a.Rows.Lanes), g.V(g.Reg(x, 0)))
	x.R = [2]lir.Reg{r, r}
	if on != nil {
		x = g.Blend(*on, x, lane.Const(a.D, 0))
	}
	return x
}
