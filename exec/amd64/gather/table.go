package gather

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A Table is the first elements of a tensor, of up to 4 bytes, in registers: elements of small ones
// are picked by permutations.
type Table struct {
	g     *elementwise.Builder
	d     dtype.DType // of as many bytes as an element, unsigned
	parts []lir.Reg
}

// NewTable loads the table that numbers of elements are looked up in, if they are below a register's lanes or two's, as
// far as the tensor, of count elements from an address on, has it. It is nil if they are not.
func NewTable(g *elementwise.Builder, size int, base, count lir.Reg, below func(n int64) bool) *Table {
	registers := 1
	switch {
	case size < 4 && !g.EVEX:
		return nil
	case below(int64(g.Lanes)):
	case below(int64(2 * g.Lanes)):
		registers = 2
	default:
		return nil
	}
	t := &Table{g: g, d: unsigned(size)}
	for i := range registers {
		there, z := g.NewMask(), g.NewVec()
		left, most := g.AtLeastZero(count, i*g.Lanes), g.NewInt(int64(g.Lanes))
		g.Use(asm.CMP, g.R64(left), g.R64(most))
		g.RMW(asm.CMOVG, g.R64(left), g.R64(most))
		g.SetFirstLanes(there, left)
		at := lir.Mem(base, i*g.Lanes*size)
		if g.EVEX {
			g.Def(extending(size), g.V(z), at.Sized(g.Lanes*size)).ZeroMasked(g.Reg(there, 0))
		} else {
			g.LoadReg(z, at, 4, g.Reg(there, 0))
		}
		t.parts = append(t.parts, z)
	}
	return t
}

// Look is the elements that index numbers, 0 where a mask is off.
func (t *Table) Look(index lane.Lanes, mask *lane.Lanes) lane.Lanes {
	g := t.g
	z, ix := g.NewVec(), g.V(g.Reg(index, 0))
	switch {
	case len(t.parts) == 1:
		g.Def(asm.VPERMD, g.V(z), ix, g.V(t.parts[0]))
	case g.EVEX:
		g.MoveVec(z, g.Reg(index, 0))
		g.RMW(asm.VPERMI2D, g.V(z), g.V(t.parts[0]), g.V(t.parts[1]))
	default:
		low, high, second := g.NewVec(), g.NewVec(), g.NewVec()
		g.Def(asm.VPERMD, g.V(low), ix, g.V(t.parts[0]))
		g.Def(asm.VPERMD, g.V(high), ix, g.V(t.parts[1]))
		g.Def(asm.VPSLLD, g.V(second), ix, lir.Imm(28)) // the bit of 8 becomes the sign
		g.Def(asm.VBLENDVPS, g.V(z), g.V(low), g.V(high), g.V(second))
	}
	found := lane.Lanes{D: t.d, R: [2]lir.Reg{z, z}}
	if mask != nil {
		found = g.Blend(*mask, found, lane.Const(t.d, 0))
	}
	return found
}
