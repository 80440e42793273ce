// Package gather loads elements of a tensor that do not lie side by side, a block of lanes at a time: by their numbers,
// or a constant stride apart (apart.go). It knows no tiles and no IR.
//
// AVX-512 gathers 4 bytes. Elements of 1 and 2 bytes are the low ones of such 4 bytes, except for the tensor's last
// elements: behind these is memory that is not the tensor's. Their lanes gather the tensor's last 4 bytes and shift.
package gather

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A Tensor is what elements of up to 4 bytes are gathered from. Their numbers are int32 lanes, and all of active
// lanes are numbers of elements it has; lanes that are masked off are 0, and nothing is loaded for them.
type Tensor struct {
	g           *elementwise.Builder
	d           dtype.DType // of as many bytes as an element, unsigned
	base, count lir.Reg
	last        lane.Lanes // of narrow elements: the last one from which on it has 4 bytes
}

// Least is how many elements a tensor to gather from has at least.
func Least(size int) int64 { return int64(4 / size) }

// New is the tensor at an address of so many elements, Least at least, which are in registers.
func New(g *elementwise.Builder, size int, base, count lir.Reg) *Tensor {
	t := &Tensor{g: g, d: dtype.Uint32, base: base, count: count}
	if size < 4 {
		t.d = unsigned(size)
		u := dtype.Uint32
		t.last = g.Prim(op.Sub, u, g.SplatInt(u, count), lane.Const(u, uint64(Least(size))))
	}
	return t
}

// unsigned is the unsigned integers of as many bytes as an element, and extending what loads these, each into 4 bytes.
func unsigned(size int) dtype.DType {
	return map[int]dtype.DType{1: dtype.Uint8, 2: dtype.Uint16, 4: dtype.Uint32}[size]
}

func extending(size int) asm.Op {
	return map[int]asm.Op{1: asm.VPMOVZXBD, 2: asm.VPMOVZXWD, 4: asm.VMOVUPS}[size]
}

// Elements is the elements that index numbers, as unsigned integers of their size.
func (t *Tensor) Elements(index lane.Lanes, mask *lane.Lanes) lane.Lanes {
	g := t.g
	u, size := dtype.Uint32, t.d.Size()
	if size == 4 {
		return t.dwords(index, mask)
	}
	index = index.As(u)
	from := g.Prim(op.Minimum, u, index, t.last)
	bits := map[int]uint64{1: 3, 2: 4}[size]
	behind := g.Prim(op.Shl, u, g.Prim(op.Sub, u, index, from), lane.Const(u, bits))
	return g.Prim(op.Shr, u, t.dwords(from, mask), behind).As(t.d)
}

// dwords is the 4 bytes that elements begin with.
func (t *Tensor) dwords(index lane.Lanes, mask *lane.Lanes) lane.Lanes {
	g := t.g
	if Slow() {
		return OneByOne(g, index, mask, t.base, t.d.Size())
	}
	k := g.NewMask().R[0] // the gather leaves it empty
	if mask != nil {
		g.Def(asm.KMOVW, g.K(k), g.K(g.Reg(*mask, 0)))
	} else {
		g.Idiom(asm.KXNORW, g.K(k))
	}
	r := g.NewVec()
	g.ZeroVec(r)
	g.GatherInto(asm.VPGATHERDD, r, lir.Mem(t.base, 0), g.Reg(index, 0), t.d.Size(), k)
	return lane.Lanes{D: dtype.Uint32, R: [2]lir.Reg{r, r}}
}

// Row copies a block of elements of size bytes at once if they lie in a row, and jumps behind what copies them
// otherwise.
func Row(g *elementwise.Builder, size int, index lane.Lanes, base lir.Reg, to lir.Arg, behind int) {
	row(g, size, index, behind, func(first lir.Reg, off int) (lir.Arg, lir.Arg) {
		return lir.MemIndex(base, first, size, off), to.Plus(off)
	})
}

// ToRows copies n elements of size bytes, a multiple of a block, to a tensor: from the frame, where places and elements
// are, a block at once if it is a row, and one by one by a function otherwise.
func ToRows(g *elementwise.Builder, n, size, places int, base lir.Reg, from int, one func(l Lane, place lir.Reg)) {
	g.UpTo(n, g.Lanes, func(j lir.Reg) {
		behind, index := g.NewLabel(), g.Load(dtype.Int32, lir.FrameIndex(j, 4, places), nil)
		row(g, size, index, behind, func(first lir.Reg, off int) (lir.Arg, lir.Arg) {
			return lir.FrameIndex(j, size, from+off), lir.MemIndex(base, first, size, off)
		})
		Each(g, Lane{j, 0}, g.Lanes, places, one)
		g.Bind(behind)
	})
}

// row copies what places gives by the number of the first element, at so many bytes from there.
func row(
	g *elementwise.Builder, size int, index lane.Lanes, behind int, places func(first lir.Reg, off int) (from, to lir.Arg),
) {
	first, row := g.NewVec(), g.NewVec()
	g.Def(asm.VPBROADCASTD, g.V(first), g.VW(g.Reg(index, 0), 16))
	g.Def(asm.VPSUBD, g.V(row), g.V(g.Reg(index, 0)), g.V(first))
	apart, together := g.NewLabel(), g.NewLabel()
	g.SkipUnlessAny(g.Compare(op.Ne, index.D, lane.Lanes{D: index.D, R: [2]lir.Reg{row, row}}, g.Iota(0)), together)
	g.Jump(asm.JMP, apart)
	g.Bind(together)
	at := g.NewReg(lir.GPR)
	g.Def(asm.VMOVD, g.R32(at), g.VW(g.Reg(index, 0), 16))
	x := g.NewVec()
	for done, n := 0, g.Lanes*size; done < n; {
		move, wide := asm.VMOVUPS, min(g.Bytes, n-done)
		if wide == 8 {
			move = asm.VMOVQ
		}
		from, to := places(at, done)
		g.Def(move, g.VW(x, max(wide, 16)), from.Sized(wide))
		g.Use(move, to.Sized(wide), g.VW(x, max(wide, 16)))
		done += wide
	}
	g.Jump(asm.JMP, behind)
	g.Bind(apart)
}
