package amd64

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// pairCode makes sums at gemmC of pairs at gemmA and gemmB, gemmK vectors of each, by
// the machine's instruction.
func pairCode() *gen {
	g := bareGen(true, false)
	a, b, c := g.word(gemmA), g.word(gemmB), g.word(gemmC)
	g.repeat(gemmK, 1, func(int) {
		x, y := g.newVec(), g.newVec()
		g.def(asm.VMOVUPS, g.v(x), mem(c, 0))
		g.def(asm.VMOVUPS, g.v(y), mem(a, 0))
		g.rmw(asm.VDPBF16PS, g.v(x), g.v(y), mem(b, 0))
		g.use(asm.VMOVUPS, mem(c, 0), g.v(x))
		for _, p := range []reg{a, b, c} {
			g.addConst(p, 64)
		}
	})
	g.add(inst{kind: leave})
	return g
}

// pairValues are what pairs are made of: any, at the edges of what is subnormal, and
// what meets it when multiplied.
func pairValue(r *rand.Rand) uint16 {
	special := [...]uint16{0, 0x8000, 1, 0x8001, 0x7f, 0x80, 0x8080, 0x81, 0x7f80, 0xff80, 0x7fc0, 0x7f81, 0x7f7f, 0xff7f, 0x3f80, 0xbf80}
	sign := uint16(r.Uint32N(2) << 15)
	switch r.IntN(6) {
	case 0:
		return special[r.IntN(len(special))]
	case 1:
		return uint16(r.Uint32())
	case 2:
		return sign | uint16(r.Uint32N(512))
	case 3:
		return sign | uint16((61+r.Uint32N(4))<<7|r.Uint32N(128))
	case 4:
		return sign | uint16((33+r.Uint32N(60))<<7|r.Uint32N(128))
	}
	return sign | uint16((123+r.Uint32N(8))<<7|r.Uint32N(128))
}

func pairSum(r *rand.Rand) uint32 {
	special := [...]uint32{0, 1 << 31, 1, 0x7fffff, 0x800000, 0x80800000, 0x800001, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f7fffff, 0xff7fffff, 0x3f800000}
	sign := r.Uint32N(2) << 31
	switch r.IntN(5) {
	case 0:
		return special[r.IntN(len(special))]
	case 1:
		return r.Uint32()
	case 2:
		return sign | r.Uint32N(4)<<23 | r.Uint32N(4)
	case 3:
		return sign | r.Uint32N(30)<<23 | r.Uint32N(1<<23)
	}
	return sign | (110+r.Uint32N(30))<<23 | r.Uint32N(1<<23)
}

// TestPairInstruction compares the machine's pair product with its definition.
func TestPairInstruction(t *testing.T) {
	if !cpu.Detected().Has(cpu.HasAVX512BF16) {
		t.Skip("this processor has no AVX-512 BF16")
	}
	code, err := pairCode().piece(false)
	if err != nil {
		t.Fatal(err)
	}
	const n = 1 << 12
	a, b := dtype.NewBuf(dtype.BFloat16, 2*n), dtype.NewBuf(dtype.BFloat16, 2*n)
	c, want, frame := dtype.NewBuf(dtype.Float32, n), dtype.NewBuf(dtype.Float32, n), dtype.NewBuf(dtype.Uint8, code.frame)
	x, y := dtype.NewBuf(dtype.Float32, 2*n), dtype.NewBuf(dtype.Float32, 2*n)
	w := &productWorker{frame: frame}
	r := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		for i := range 2 * n {
			v, u := pairValue(r), pairValue(r)
			if i%4 == 3 { // about what the sum is, so that they cancel
				u = uint16(math.Float32bits(-dtype.FromBFloat16(uint16(c.Bits(i/2)>>16))/dtype.FromBFloat16(v))>>16) + uint16(r.Uint32N(2))
			}
			if i%2 == 0 {
				c.SetBits(i/2, uint64(pairSum(r)))
			}
			a.SetBits(i, uint64(v))
			b.SetBits(i, uint64(u))
			x.SetBits(i, uint64(v)<<16)
			y.SetBits(i, uint64(u)<<16)
		}
		copy(want.Bytes(), c.Bytes())
		before := dtype.BufOf(dtype.Float32, append([]float32(nil), dtype.View[float32](c)...))
		for off, buf := range map[int]dtype.Buf{gemmA: a, gemmB: b, gemmC: c} {
			w.set(off, address(buf, 0))
		}
		w.set(gemmK, n/16)
		w.call(code)
		for i := range n {
			op.DotPairs(want.Slice(i, i+1), x.Slice(2*i, 2*i+2), y.Slice(2*i, 2*i+2), 1, 1, 2)
			g, v := dtype.View[float32](c)[i], dtype.View[float32](want)[i]
			if math.Float32bits(g) != math.Float32bits(v) && (g == g || v == v) {
				t.Fatalf("%#08x + %#04x·%#04x + %#04x·%#04x: the machine has %#08x, the definition %#08x", before.Bits(i),
					a.Bits(2*i+1), b.Bits(2*i+1), a.Bits(2*i), b.Bits(2*i), math.Float32bits(g), math.Float32bits(v))
			}
		}
	}
}
