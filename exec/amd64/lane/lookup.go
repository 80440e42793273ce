package lane

import (
	"encoding/binary"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// lookup is the entries of a constant table that lanes of indices name. Tables lie in
// the frame; small ones fit registers and are permuted.
func (g *Builder) lookup(in *op.Inst, index Lanes) Lanes {
	d, n := in.Type, len(in.Table)
	if index.Known {
		return Lanes{D: d, Known: true, Bits: laneBits(d, in.Table[index.Bits&uint64(n-1)])}
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
	masked := g.Elementwise(op.And, index.D, index, Lanes{D: index.D, Known: true, Bits: uint64(n - 1)})
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
func (g *Builder) permuteTable(d dtype.DType, index Lanes, table []byte) Lanes {
	t := g.NewVec()
	g.Def(asm.VMOVDQU32, g.V(t), g.BytesConst(table))
	if Wide(d) {
		ix := g.Cast(dtype.Int64, index.As(index.D.WithSign(true)))
		return g.eachHalf(d, func(i int) lir.Reg {
			r := g.NewVec()
			g.Def(asm.VPERMQ, g.V(r), g.V(g.Reg(ix, i)), g.V(t))
			return r
		})
	}
	ix := g.Cast(dtype.Int32, index)
	r := g.NewVec()
	g.Def(asm.VPERMD, g.V(r), g.V(g.Reg(ix, 0)), g.V(t))
	return Lanes{D: d, R: [2]lir.Reg{r, r}}
}

// gatherFrom gathers elements of 4 or 8 bytes, or of 1 with what follows them, from memory.
func (g *Builder) gatherFrom(d dtype.DType, index Lanes, at lir.Arg) Lanes {
	gather := func(o asm.Op, ix lir.Reg, size int) lir.Reg {
		r := g.NewVec()
		g.ZeroVec(r)
		g.GatherInto(o, r, at, ix, size, g.constMask(true))
		return r
	}
	if Wide(d) {
		ix := g.Cast(dtype.Int64, index)
		return g.eachHalf(d, func(i int) lir.Reg { return gather(asm.VPGATHERQQ, g.Reg(ix, i), 8) })
	}
	ix := g.Cast(dtype.Int32, index)
	r := gather(asm.VPGATHERDD, g.Reg(ix, 0), CellSize(d))
	return Lanes{D: d, R: [2]lir.Reg{r, r}}
}

// GatherCells is elements of a tile in memory that lie so many cells behind a place.
func (g *Builder) GatherCells(d dtype.DType, index Lanes, at lir.Arg) Lanes {
	if d != dtype.Bool {
		return g.gatherFrom(CellType(d), index, at).As(d)
	}
	u := dtype.Uint32
	bytes := g.gatherFrom(d, index, at).As(u)
	return g.Cast(d, g.Prim(op.And, u, bytes, Const(u, 0xff)))
}

// Multiples is 0, by, 2·by, ... as int32 lanes.
func (g *Builder) Multiples(by int) Lanes {
	b := make([]byte, g.Bytes)
	for i := range g.Lanes {
		binary.LittleEndian.PutUint32(b[4*i:], uint32(i*by))
	}
	r := g.NewVec()
	g.LoadReg(r, g.BytesConst(b), 4, 0)
	return Lanes{D: dtype.Int32, R: [2]lir.Reg{r, r}}
}

// GatherElements is elements of 4 bytes whose numbers are int32 lanes, from an address on; those of lanes that are masked
// off are 0, and not touched.
func (g *Builder) GatherElements(d dtype.DType, index Lanes, base lir.Reg, mask *Lanes) Lanes {
	k := g.constMask(true)
	if mask != nil {
		g.Def(asm.KMOVW, g.K(k), g.K(g.Reg(*mask, 0)))
	}
	r := g.NewVec()
	g.ZeroVec(r)
	g.GatherInto(asm.VPGATHERDD, r, lir.Mem(base, 0), g.Reg(index, 0), 4, k)
	return Lanes{D: d, R: [2]lir.Reg{r, r}}
}

// GatherNear is GatherElements for places, all of which are numbers of count elements, that are likely to be close
// together: those of a block that lie among the elements from the first lane's on, as many as two registers hold, are
// loaded at once and permuted. No more is touched than the tensor has.
func GatherNear(g *Builder, d dtype.DType, index Lanes, base, count lir.Reg, mask *Lanes) Lanes {
	u, ix := dtype.Uint32, g.Reg(index, 0)
	first, near, z := g.NewVec(), g.NewVec(), g.NewVec()
	g.Def(asm.VPBROADCASTD, g.V(first), g.VW(ix, 16))
	g.Def(asm.VPSUBD, g.V(near), g.V(ix), g.V(first))
	away := g.Compare(op.Ge, u, Lanes{D: u, R: [2]lir.Reg{near, near}}, Const(u, uint64(2*g.Lanes)))
	if mask != nil {
		away = g.PrimBool(op.And, []Lanes{away, *mask})
	}
	close, done := g.NewLabel(), g.NewLabel()
	g.SkipUnlessAny(away, close)
	g.MoveVec(z, g.GatherElements(d, index, base, mask).R[0])
	g.Jump(asm.JMP, done)
	g.Bind(close)
	at := g.NewReg(lir.GPR)
	g.Def(asm.VMOVD, g.R32(at), g.VW(ix, 16))
	left, most := g.CopyInt(count), g.NewInt(int64(2*g.Lanes))
	g.RMW(asm.SUB, g.R64(left), g.R64(at))
	g.Use(asm.CMP, g.R64(left), g.R64(most))
	g.RMW(asm.CMOVG, g.R64(left), g.R64(most))
	there := g.NewReg(lir.GPR)
	g.Def(asm.BZHI, g.R64(there), g.R64(g.NewInt(-1)), g.R64(left))
	var parts [2]lir.Reg
	for i := range parts {
		k := g.NewMask()
		g.Def(asm.KMOVW, g.K(k.R[0]), g.R32(there))
		g.RMW(asm.SHR, g.R64(there), lir.Imm(int64(g.Lanes)))
		parts[i] = g.NewVec()
		g.Def(asm.VMOVUPS, g.V(parts[i]), lir.MemIndex(base, at, 4, i*g.Bytes)).ZeroMasked(k.R[0])
	}
	g.RMW(asm.VPERMI2D, g.V(near), g.V(parts[0]), g.V(parts[1]))
	g.MoveVec(z, near)
	if mask != nil {
		g.Def(asm.VMOVDQU32, g.V(z), g.V(near)).ZeroMasked(g.Reg(*mask, 0))
	}
	g.Bind(done)
	return Lanes{D: d, R: [2]lir.Reg{z, z}}
}
