package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Shape ops that are more than dimensions in another order. Those of one operand put it
// into memory and are that memory, read in another way; those of several put all of them
// into the same memory.

// rearrange translates one.
func (g *gen) rearrange(v *ir.Value) {
	switch {
	case v.Op == op.Join:
		g.join(v)
	case v.Op == op.Cat:
		g.cat(v)
	case !v.Type.IsTile():
		b := g.whole(v.Args[0])
		g.setScalar(v, 0, g.loadCell(v.Type.D, lir.Frame(b.off+v.Index*b.cell)))
	default:
		g.tiles[v] = g.view(v)
	}
}

// view is the memory of v's operand, read as v.
func (g *gen) view(v *ir.Value) *buffer {
	b := *g.whole(v.Args[0])
	b.shape = v.Type.Shape
	switch v.Op {
	case op.Reshape:
		b.stride = denseStrides(b.shape)
	case op.Split:
		b.off += v.Index * b.cell
	case op.Flip:
		b.off += (b.shape.D[v.Axis] - 1) * b.stride[v.Axis] * b.cell
		b.stride[v.Axis] *= -1
	}
	return &b
}

// part is the memory of the elements of b that begin at an index of an axis, as a tile
// of some shape, which may have fewer dimensions.
func (b *buffer) part(axis, at int, shape ir.Shape) *buffer {
	z := *b
	z.off += at * b.stride[axis] * b.cell
	z.shape = shape
	return &z
}

// cat writes its operands one after the other into their parts of the result.
func (g *gen) cat(v *ir.Value) {
	g.oneTensor(v)
	b, at := g.newBuffer(v.Type), 0
	for _, x := range v.Args {
		g.spillInto(b.part(v.Axis, at, x.Type.Shape), x)
		at += x.Type.Shape.D[v.Axis]
	}
	g.tiles[v] = b
}

// oneTensor refuses pointers into different tensors.
func (g *gen) oneTensor(v *ir.Value) {
	for _, x := range v.Args[1:] {
		if v.Type.D.IsPointer() && fuse.TensorOf(x) != fuse.TensorOf(v.Args[0]) {
			unsupported("%s of pointers into different tensors", ir.OpName(v.Op))
		}
	}
}

// join interleaves its operands' lanes. They are stored in full blocks, in the order in
// which they lie: what is too much at the end of a row the next one overwrites, and after
// the last row there is room for it.
func (g *gen) join(v *ir.Value) {
	g.oneTensor(v)
	x, y := v.Args[0], v.Args[1]
	b := g.newBuffer(v.Type)
	g.FrameSize += g.Lanes * b.cell
	n, m := g.newNest(x.Type.Shape), affine.Identity(x.Type.Shape)
	pairs := b.part(0, 0, x.Type.Shape)
	n.run(func() {
		at, step := n.place(pairs, m)
		if step.n != 0 {
			at = n.blockStart(at, step)
		}
		low, high := g.interleaved(n.eval(x, m).as(cellType(b.d)), n.eval(y, m).as(cellType(b.d)))
		g.storeLanes(low, at, nil)
		g.storeLanes(high, at.Plus(g.Lanes*b.cell), nil)
	})
	g.tiles[v] = b
}

// interleaved is the lanes of x and y by turns: the first half of them, and the second.
func (g *gen) interleaved(x, y lanes) (low, high lanes) {
	low, high = lanes{d: x.d}, lanes{d: x.d}
	switch {
	case x.d == dtype.Bool && g.EVEX:
		low.r[0], high.r[0] = g.interleavedBits(g.vr(x, 0), g.vr(y, 0))
	case wide(x.d):
		low.r[0], low.r[1] = g.interleavedRegs(8, g.vr(x, 0), g.vr(y, 0))
		high.r[0], high.r[1] = g.interleavedRegs(8, g.vr(x, 1), g.vr(y, 1))
	default:
		a, b := g.interleavedRegs(4, g.vr(x, 0), g.vr(y, 0))
		low.r, high.r = [2]lir.Reg{a, a}, [2]lir.Reg{b, b}
	}
	return low, high
}

// interleavedRegs is that for registers of elements of so many bytes.
func (g *gen) interleavedRegs(size int, x, y lir.Reg) (low, high lir.Reg) {
	o := bothOps{asm.VPERMI2D, asm.VPERMI2Q}
	if !g.EVEX {
		return g.interleavedAVX2(size, x, y)
	}
	pick := func(first int) lir.Reg {
		order := make([]byte, 64)
		for i := range 64 / size { // the bit above an element's number says that it is y's
			order[size*i] = byte(first + i/2 + i%2*64/size)
		}
		z := g.NewVec()
		g.loadReg(z, g.BytesConst(order), 4, 0)
		op := o.w32
		if size == 8 {
			op = o.w64
		}
		g.RMW(op, g.V(z), g.V(x), g.V(y))
		return z
	}
	return pick(0), pick(32 / size)
}

func (g *gen) interleavedAVX2(size int, x, y lir.Reg) (low, high lir.Reg) {
	pair := func(o asm.Op, rest ...lir.Arg) lir.Reg {
		z := g.NewVec()
		g.Def(o, append([]lir.Arg{g.V(z)}, rest...)...)
		return z
	}
	first, second := asm.VUNPCKLPS, asm.VUNPCKHPS
	if size == 8 {
		first, second = asm.VUNPCKLPD, asm.VUNPCKHPD
	}
	a, b := pair(first, g.V(x), g.V(y)), pair(second, g.V(x), g.V(y))
	return pair(asm.VPERM2F128, g.V(a), g.V(b), lir.Imm(0x20)), pair(asm.VPERM2F128, g.V(a), g.V(b), lir.Imm(0x31))
}

// interleavedBits is that for masks.
func (g *gen) interleavedBits(x, y lir.Reg) (low, high lir.Reg) {
	spread := func(k lir.Reg, to int64) lir.Reg {
		bits, z := g.NewReg(lir.GPR), g.NewReg(lir.GPR)
		g.Def(asm.KMOVW, g.R32(bits), g.K(k))
		g.Def(asm.PDEP, g.R64(z), g.R64(bits), g.R64(g.NewInt(to)))
		return z
	}
	bits := spread(x, 0x55555555)
	g.RMW(asm.OR, g.R64(bits), g.R64(spread(y, 0xaaaaaaaa)))
	low, high = g.NewReg(lir.Mask), g.NewReg(lir.Mask)
	g.Def(asm.KMOVW, g.K(low), g.R32(bits))
	g.RMW(asm.SHR, g.R64(bits), lir.Imm(16))
	g.Def(asm.KMOVW, g.K(high), g.R32(bits))
	return low, high
}
