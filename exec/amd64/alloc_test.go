package amd64

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// TestSpills keeps more and more values at once, of two classes, through a loop that
// uses all of them: where registers run out they live in the frame, and are the same.
func TestSpills(t *testing.T) {
	for _, avx512 := range []bool{false, true} {
		tier := cpu.AVX2
		if avx512 {
			tier = cpu.AVX512
		}
		if !tier.Available() {
			continue
		}
		for _, n := range []int{1, 9, 10, 11, 13, 14, 28, 29, 30, 31, 64} {
			t.Run(fmt.Sprint(avx512, n), func(t *testing.T) { spill(t, avx512, n) })
		}
	}
}

// spill sums n vectors and n integers three times, in an order that leaves none of them
// out of use before the end.
func spill(t *testing.T, avx512 bool, n int) {
	const rounds = 3
	g := bareGen(avx512, false)
	in, numbers, out := g.alloc(64*n), g.alloc(8*n), g.alloc(128)
	vecs, ints := make([]reg, n), make([]reg, n)
	for i := range n {
		vecs[i], ints[i] = g.newReg(vec), g.loadInt(frameAt(numbers+8*i))
		g.def(asm.VMOVUPS, g.v(vecs[i]), frameAt(in+64*i))
	}
	sum, total, left := g.newReg(vec), g.newInt(0), g.newInt(rounds)
	g.zeroVec(sum)
	top := g.newLabel()
	l := g.beginLoop()
	g.bind(top)
	for i := range n {
		g.rmw(asm.VPADDD, g.v(sum), g.v(sum), g.v(vecs[n-1-i]))
		g.rmw(asm.IMUL, g.r64(ints[i]), g.r64(ints[(i+1)%n]))
		g.rmw(asm.ADD, g.r64(total), g.r64(ints[i]))
		g.rmw(asm.VPADDD, g.v(vecs[i]), g.v(vecs[i]), g.v(sum))
	}
	g.rmw(asm.SUB, g.r64(left), imm(1))
	g.jump(asm.JNE, top)
	g.endLoop(l)
	g.use(asm.VMOVUPS, frameAt(out), g.v(sum))
	g.use(asm.MOV, frameAt(out+64), g.r64(total))
	g.add(inst{kind: leave, n: exitDone})
	p, err := g.piece(false)
	if err != nil {
		t.Fatal(err)
	}

	frame := dtype.NewBuf(dtype.Uint8, p.frame)
	b := frame.Bytes()
	wantVecs, wantInts := make([]uint32, n), make([]int64, n)
	for i := range n {
		wantVecs[i], wantInts[i] = uint32(i*i+1), int64(2*i+1)
		for lane := range 16 {
			binary.LittleEndian.PutUint32(b[in+64*i+4*lane:], wantVecs[i]+uint32(lane))
		}
		binary.LittleEndian.PutUint64(b[numbers+8*i:], uint64(wantInts[i]))
	}
	p.entry.Call(frame.Pointer())

	wantTotal := int64(0)
	for lane := range uint32(g.step()) {
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
