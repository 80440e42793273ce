package amd64

import (
	"encoding/binary"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// lookup is the entries of a constant table that lanes of indices name. Tables lie in
// the frame; small ones fit registers and are permuted.
func (g *gen) lookup(in *op.Inst, index lanes) lanes {
	d, n := in.Type, len(in.Table)
	if index.known {
		return lanes{d: d, known: true, bits: laneBits(d, in.Table[index.bits&uint64(n-1)])}
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
	g.data = append(g.data, frameData{table, b})
	masked := g.elementwise(op.And, index.d, index, lanes{d: index.d, known: true, bits: uint64(n - 1)})
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
func (g *gen) permuteTable(d dtype.DType, index lanes, table []byte) lanes {
	t := g.NewVec()
	g.Def(asm.VMOVDQU32, g.V(t), g.BytesConst(table))
	if wide(d) {
		ix := g.cast(dtype.Int64, index.as(index.d.WithSign(true)))
		return g.eachHalf(d, func(i int) lir.Reg {
			r := g.NewVec()
			g.Def(asm.VPERMQ, g.V(r), g.V(g.vr(ix, i)), g.V(t))
			return r
		})
	}
	ix := g.cast(dtype.Int32, index)
	r := g.NewVec()
	g.Def(asm.VPERMD, g.V(r), g.V(g.vr(ix, 0)), g.V(t))
	return lanes{d: d, r: [2]lir.Reg{r, r}}
}

// gatherFrom gathers elements of 4 or 8 bytes, or of 1 with what follows them, from memory.
func (g *gen) gatherFrom(d dtype.DType, index lanes, at lir.Arg) lanes {
	gather := func(o asm.Op, ix lir.Reg, size int) lir.Reg {
		r := g.NewVec()
		g.ZeroVec(r)
		g.GatherInto(o, r, at, ix, size, g.constMask(true))
		return r
	}
	if wide(d) {
		ix := g.cast(dtype.Int64, index)
		return g.eachHalf(d, func(i int) lir.Reg { return gather(asm.VPGATHERQQ, g.vr(ix, i), 8) })
	}
	ix := g.cast(dtype.Int32, index)
	r := gather(asm.VPGATHERDD, g.vr(ix, 0), cellSize(d))
	return lanes{d: d, r: [2]lir.Reg{r, r}}
}
