package amd64

import (
	"encoding/binary"

	"github.com/tiler-go/tiler/exec/amd64/asm"
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
	if g.avx512 && n*size <= 64 {
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
	table := g.alloc(len(b))
	g.data = append(g.data, frameData{table, b})
	masked := g.elementwise(op.And, index.d, index, lanes{d: index.d, known: true, bits: uint64(n - 1)})
	return g.gatherFrom(d, masked, frameAt(table))
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
	t := g.newVec()
	g.def(asm.VMOVDQU32, g.v(t), g.bytesConst(table))
	if wide(d) {
		ix := g.cast(dtype.Int64, index.as(index.d.WithSign(true)))
		return g.eachHalf(d, func(i int) reg {
			r := g.newVec()
			g.def(asm.VPERMQ, g.v(r), g.v(g.vr(ix, i)), g.v(t))
			return r
		})
	}
	ix := g.cast(dtype.Int32, index)
	r := g.newVec()
	g.def(asm.VPERMD, g.v(r), g.v(g.vr(ix, 0)), g.v(t))
	return lanes{d: d, r: [2]reg{r, r}}
}

// gatherFrom gathers elements of 4 or 8 bytes, or of 1 with what follows them, from memory.
func (g *gen) gatherFrom(d dtype.DType, index lanes, at arg) lanes {
	gather := func(o asm.Op, ix reg, size int) reg {
		r := g.newVec()
		at.index, at.scale, at.width = ix, uint8(size), g.wide
		g.zeroVec(r) // it is read, so that it is another register than the index
		if g.avx512 {
			k := g.constMask(true)
			g.rmw(o, g.v(r), at).mask = k
			return r
		}
		m := g.constMask(true)
		i := g.rmw(o, g.v(r), at, g.v(m))
		i.def |= 4
		return r
	}
	if wide(d) {
		ix := g.cast(dtype.Int64, index)
		return g.eachHalf(d, func(i int) reg { return gather(asm.VPGATHERQQ, g.vr(ix, i), 8) })
	}
	ix := g.cast(dtype.Int32, index)
	r := gather(asm.VPGATHERDD, g.vr(ix, 0), cellSize(d))
	return lanes{d: d, r: [2]reg{r, r}}
}
