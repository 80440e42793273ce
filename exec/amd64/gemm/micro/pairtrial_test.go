package micro

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// pairValue is what pairs are made of: any, at the edges of what is subnormal, and what
// meets it when multiplied.
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
	code, err := frame.NewPiece(pairCode().Unit, false)
	if err != nil {
		t.Fatal(err)
	}
	if !PairsAgree() {
		t.Error("the machine and the definition differ at the edges")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		p := newPairTrial(1 << 12)
		for i := range p.n {
			p.z.SetBits(i, uint64(pairSum(r)))
			for j := 2 * i; j < 2*i+2; j++ {
				p.a.SetBits(j, uint64(pairValue(r)))
				p.b.SetBits(j, uint64(pairValue(r)))
			}
			if i%4 == 3 { // about what the sum is, so that they cancel
				z, x := dtype.View[float32](p.z)[i], dtype.FromBFloat16(uint16(p.a.Bits(2*i+1)))
				p.b.SetBits(2*i+1, uint64(math.Float32bits(-z/x)>>16))
			}
		}
		before := append([]float32(nil), dtype.View[float32](p.z)...)
		if i := p.disagree(code); i >= 0 {
			t.Fatalf("%x + %#04x·%#04x + %#04x·%#04x: the machine differs from the definition, %x", before[i],
				p.a.Bits(2*i+1), p.b.Bits(2*i+1), p.a.Bits(2*i), p.b.Bits(2*i), dtype.View[float32](p.z)[i])
		}
	}
}
