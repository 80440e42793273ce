package frame_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// TestSpills keeps more and more values at once, of two classes, through a loop that
// uses all of them: where registers run out they live in the frame, and are the same.
func TestSpills(t *testing.T) {
	for _, tier := range []cpu.Tier{cpu.AVX2, cpu.AVX512} {
		if !tier.Available() {
			continue
		}
		for _, n := range []int{1, 9, 10, 11, 13, 14, 28, 29, 30, 31, 64} {
			t.Run(fmt.Sprint(tier, n), func(t *testing.T) {
				spill(t, map[cpu.Tier]*lir.Tier{cpu.AVX2: lir.AVX2, cpu.AVX512: lir.AVX512}[tier], n)
			})
		}
	}
}

// spill sums n vectors and n integers three times, in an order that leaves none of them
// out of use before the end.
func spill(t *testing.T, tier *lir.Tier, n int) {
	const rounds = 3
	g := lir.NewUnit(tier)
	g.Alloc(128)
	in, numbers, out := g.Alloc(64*n), g.Alloc(8*n), g.Alloc(128)
	vecs, ints := make([]lir.Reg, n), make([]lir.Reg, n)
	for i := range n {
		vecs[i], ints[i] = g.NewReg(lir.Vec), g.LoadInt(lir.Frame(numbers+8*i))
		g.Def(asm.VMOVUPS, g.V(vecs[i]), lir.Frame(in+64*i))
	}
	sum, total, left := g.NewReg(lir.Vec), g.NewInt(0), g.NewInt(rounds)
	g.ZeroVec(sum)
	top := g.NewLabel()
	l := g.BeginLoop()
	g.Bind(top)
	for i := range n {
		g.RMW(asm.VPADDD, g.V(sum), g.V(sum), g.V(vecs[n-1-i]))
		g.RMW(asm.IMUL, g.R64(ints[i]), g.R64(ints[(i+1)%n]))
		g.RMW(asm.ADD, g.R64(total), g.R64(ints[i]))
		g.RMW(asm.VPADDD, g.V(vecs[i]), g.V(vecs[i]), g.V(sum))
	}
	g.RMW(asm.SUB, g.R64(left), lir.Imm(1))
	g.Jump(asm.JNE, top)
	g.EndLoop(l)
	g.Use(asm.VMOVUPS, lir.Frame(out), g.V(sum))
	g.Use(asm.MOV, lir.Frame(out+64), g.R64(total))
	g.Return(0)
	p, err := frame.NewPiece(g, false)
	if err != nil {
		t.Fatal(err)
	}

	mem := dtype.NewBuf(dtype.Uint8, p.FrameSize)
	b := mem.Bytes()
	wantVecs, wantInts := make([]uint32, n), make([]int64, n)
	for i := range n {
		wantVecs[i], wantInts[i] = uint32(i*i+1), int64(2*i+1)
		for lane := range 16 {
			binary.LittleEndian.PutUint32(b[in+64*i+4*lane:], wantVecs[i]+uint32(lane))
		}
		binary.LittleEndian.PutUint64(b[numbers+8*i:], uint64(wantInts[i]))
	}
	p.Entry.Call(mem.Pointer())

	wantTotal := int64(0)
	for lane := range uint32(g.Lanes) {
		vs, sum := make([]uint32, n), uint32(0)
		for i := range vs {
			vs[i] = wantVecs[i] + lane
		}
		for range rounds {
			for i := range n {
				sum += vs[n-1-i]
				vs[i] += sum
			}
		}
		if got := binary.LittleEndian.Uint32(b[out+int(4*lane):]); got != sum {
			t.Errorf("lane %d is %d, want %d", lane, got, sum)
		}
	}
	for range rounds {
		for i := range n {
			wantInts[i] *= wantInts[(i+1)%n]
			wantTotal += wantInts[i]
		}
	}
	if got := int64(binary.LittleEndian.Uint64(b[out+64:])); got != wantTotal {
		t.Errorf("the integers give %d, want %d", got, wantTotal)
	}
}
