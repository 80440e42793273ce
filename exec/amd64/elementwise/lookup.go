package elementwise

import (
	"encoding/binary"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// lookup is the entries of a constant table that lanes of indices name. Tables lie in
// the frame; small ones fit registers and are permuted.
func (g *Builder) lookup(in *op.Inst, index lane.Lanes) lane.Lanes {
	d, n := in.Type, len(in.Table)
	if index.Known {
		return lane.Const(d, in.Table[index.Bits&uint64(n-1)])
	}
	size := d.Size()
	if g.EVEX && n*size <= 64 {
		b := make([]byte, 64)
		for i := range 64 / size {
			putElement(b[i*size:], size, in.Table[i%n])
		}
		return g.permuteTable(d, index, b)
	}
	b := make([]byte, n*size)
	for i, e := range in.Table {
		putElement(b[i*size:], size, e)
	}
	table := g.Alloc(len(b))
	g.Data = append(g.Data, Data{table, b})
	masked := g.Elementwise(op.And, index.D, index, lane.Lanes{D: index.D, Known: true, Bits: uint64(n - 1)})
	return g.gatherFrom(d, masked, lir.Frame(table))
}

func putElement(b []byte, size int, bits uint64) {
	if size == 8 {
		binary.LittleEndian.PutUint64(b, bits)
	} else {
		binary.LittleEndian.PutUint32(b, uint32(bits))
	}
}

// permuteTable looks entries up in a register; the permutation takes the low bits of
// an index.
func (g *Builder) permuteTable(d dtype.DType, index lane.Lanes, table []byte) lane.Lanes {
	t := g.NewVec()
	g.Def(asm.VMOVDQU32, g.V(t), g.BytesConst(table))
	if lane.Wide(d) {
		ix := g.Cast(dtype.Int64, index.As(index.D.WithSign(true)))
		return lane.EachHalf(d, func(i int) lir.Reg {
			r := g.NewVec()
			g.Def(asm.VPERMQ, g.V(r), g.V(g.Reg(ix, i)), g.V(t))
			return r
		})
	}
	ix := g.Cast(dtype.Int32, index)
	r := g.NewVec()
	g.Def(asm.VPERMD, g.V(r), g.V(g.Reg(ix, 0)), g.V(t))
	return lane.Lanes{D: d, R: [2]lir.Reg{r, r}}
}

// gatherFrom gathers elements of 4 or 8 bytes, or of 1 with what follows them, from memory.
func (g *Builder) gatherFrom(d dtype.DType, index lane.Lanes, at lir.Arg) lane.Lanes {
	gather := func(o asm.Op, ix lir.Reg, size int) lir.Reg {
		r := g.NewVec()
		g.ZeroVec(r)
		g.GatherInto(o, r, at, ix, size, g.ConstMask(true))
		return r
	}
	if lane.Wide(d) {
		ix := g.Cast(dtype.Int64, index)
		return lane.EachHalf(d, func(i int) lir.Reg { return gather(asm.VPGATHERQQ, g.Reg(ix, i), 8) })
	}
	ix := g.Cast(dtype.Int32, index)
	r := gather(asm.VPGATHERDD, g.Reg(ix, 0), lane.CellSize(d))
	return lane.Lanes{D: d, R: [2]lir.Reg{r, r}}
}

// GatherCells is elements of a tile in memory that lie so many cells behind a place.
func (g *Builder) GatherCells(d dtype.DType, index lane.Lanes, at lir.Arg) lane.Lanes {
	if d != dtype.Bool {
		return g.gatherFrom(lane.CellType(d), index, at).As(d)
	}
	u := dtype.Uint32
	bytes := g.gatherFrom(d, index, at).As(u)
	return g.Cast(d, g.Prim(op.And, u, bytes, lane.Const(u, 0xff)))
}
