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
	*elementwise.Builder
	d           dtype.DType // of as many bytes as an element, unsigned
	base, count lir.Reg
	last        lane.Lanes // of narrow elements: the last one from which on it has 4 bytes
}

// Least is how many elements a tensor to gather from has at least.
func Least(size int) int64 { return int64(4 / size) }

// New is the tensor at an address of so many elements, Least at least, which are in registers.
func New(g *elementwise.Builder, size int, base, count lir.Reg) *Tensor {
	t := &Tensor{Builder: g, d: dtype.Uint32, base: base, count: count}
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
	u, size := dtype.Uint32, t.d.Size()
	if size == 4 {
		return t.dwords(index, mask)
	}
	index = index.As(u)
	from := t.Prim(op.Minimum, u, index, t.last)
	bits := map[int]uint64{1: 3, 2: 4}[size]
	behind := t.Prim(op.Shl, u, t.Prim(op.Sub, u, index, from), lane.Const(u, bits))
	return t.Prim(op.Shr, u, t.dwords(from, mask), behind).As(t.d)
}

// dwords is the 4 bytes that elements begin with.
func (t *Tensor) dwords(index lane.Lanes, mask *lane.Lanes) lane.Lanes {
	if Slow() {
		return OneByOne(t.Builder, index, mask, t.base, t.d.Size())
	}
	k := t.NewMask().R[0] // the gather leaves it empty
	if mask != nil {
		t.Def(asm.KMOVW, t.K(k), t.K(t.Reg(*mask, 0)))
	} else {
		t.Idiom(asm.KXNORW, t.K(k))
	}
	r := t.NewVec()
	t.ZeroVec(r)
	t.GatherInto(asm.VPGATHERDD, r, lir.Mem(t.base, 0), t.Reg(index, 0), t.d.Size(), k)
	return lane.Lanes{D: dtype.Uint32, R: [2]lir.Reg{r, r}}
}

// Near is Elements for numbers that are likely to be close together: those of a block that lie among the elements
// from the first lane's on, as many as two registers hold, are loaded at once and permuted. No more is touched than
// the tensor has.
func (t *Tensor) Near(index lane.Lanes, mask *lane.Lanes) lane.Lanes {
	u, ix := dtype.Uint32, t.Reg(index, 0)
	first, near, z := t.NewVec(), t.NewVec(), t.NewVec()
	t.Def(asm.VPBROADCASTD, t.V(first), t.VW(ix, 16))
	t.Def(asm.VPSUBD, t.V(near), t.V(ix), t.V(first))
	away := t.Compare(op.Ge, u, lane.Lanes{D: u, R: [2]lir.Reg{near, near}}, lane.Const(u, uint64(2*t.Lanes)))
	if mask != nil {
		away = t.PrimBool(op.And, []lane.Lanes{away, *mask})
	}
	close, done := t.NewLabel(), t.NewLabel()
	t.SkipUnlessAny(away, close)
	t.MoveVec(z, t.Reg(t.Elements(index, mask), 0))
	t.Jump(asm.JMP, done)
	t.Bind(close)
	at := t.NewReg(lir.GPR)
	t.Def(asm.VMOVD, t.R32(at), t.VW(ix, 16))
	parts := t.window(at)
	t.RMW(asm.VPERMI2D, t.V(near), t.V(parts[0]), t.V(parts[1]))
	t.MoveVec(z, near)
	if mask != nil {
		t.Def(asm.VMOVDQU32, t.V(z), t.V(near)).ZeroMasked(t.Reg(*mask, 0))
	}
	t.Bind(done)
	return lane.Lanes{D: t.d, R: [2]lir.Reg{z, z}}
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

// Window copies a block of 4-byte elements of a tensor of so many at once if those of active lanes lie among a
// register's from the first lane's on, and jumps behind what copies them otherwise. It is Near for AVX2.
func Window(g *elementwise.Builder, index lane.Lanes, mask *lane.Lanes, base, count lir.Reg, to lir.Arg, behind int) {
	u := dtype.Uint32
	first, near := g.NewVec(), g.NewVec()
	g.Def(asm.VPBROADCASTD, g.V(first), g.VW(g.Reg(index, 0), 16))
	g.Def(asm.VPSUBD, g.V(near), g.V(g.Reg(index, 0)), g.V(first))
	away := g.Compare(op.Ge, u, lane.Lanes{D: u, R: [2]lir.Reg{near, near}}, lane.Const(u, uint64(g.Lanes)))
	if mask != nil {
		away = g.PrimBool(op.And, []lane.Lanes{away, *mask})
	}
	apart, together := g.NewLabel(), g.NewLabel()
	g.SkipUnlessAny(away, together)
	g.Jump(asm.JMP, apart)
	g.Bind(together)
	at, left, most := g.NewReg(lir.GPR), g.CopyInt(count), g.NewInt(int64(g.Lanes))
	g.Def(asm.VMOVD, g.R32(at), g.VW(g.Reg(index, 0), 16))
	g.RMW(asm.SUB, g.R64(left), g.R64(at))
	g.Use(asm.CMP, g.R64(left), g.R64(most))
	g.RMW(asm.CMOVG, g.R64(left), g.R64(most))
	there := g.NewMask()
	g.SetFirstLanes(there, left)
	x, z := g.NewVec(), g.NewVec()
	g.LoadReg(x, lir.MemIndex(base, at, 4, 0), 4, g.Reg(there, 0))
	g.Def(asm.VPERMD, g.V(z), g.V(near), g.V(x))
	elements := lane.Lanes{D: u, R: [2]lir.Reg{z, z}}
	if mask != nil {
		elements = g.Blend(*mask, elements, lane.Const(u, 0))
	}
	g.Store(elements, to, nil)
	g.Jump(asm.JMP, behind)
	g.Bind(apart)
}

// window is two registers of elements from one on, each in 4 bytes, as far as the tensor has them.
func (t *Tensor) window(at lir.Reg) (parts [2]lir.Reg) {
	left, most := t.CopyInt(t.count), t.NewInt(int64(2*t.Lanes))
	t.RMW(asm.SUB, t.R64(left), t.R64(at))
	t.Use(asm.CMP, t.R64(left), t.R64(most))
	t.RMW(asm.CMOVG, t.R64(left), t.R64(most))
	there := t.NewReg(lir.GPR)
	t.Def(asm.BZHI, t.R64(there), t.R64(t.NewInt(-1)), t.R64(left))
	size := t.d.Size()
	load := extending(size)
	for i := range parts {
		k := t.NewMask().R[0]
		t.Def(asm.KMOVW, t.K(k), t.R32(there))
		t.RMW(asm.SHR, t.R64(there), lir.Imm(int64(t.Lanes)))
		parts[i] = t.NewVec()
		from := lir.MemIndex(t.base, at, size, i*t.Lanes*size)
		t.Def(load, t.V(parts[i]), from.Sized(t.Lanes*size)).ZeroMasked(k)
	}
	return parts
}
