package micro

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// fillTile makes values for a trial: of which one in some is not zero, from tile to tile of
// another kind.
func (t *tileTrial) fill(r *rand.Rand, kind int) {
	some := []int{1, 2, 8, 20}[kind%4]
	value := func() uint16 {
		switch {
		case r.IntN(some) > 0:
			return uint16(r.Uint32N(2) << 15)
		case kind/4%4 == 0:
			return pairValue(r)
		}
		// Numbers whose products, and sums of them, are near 2^-126, 1 and 2^127.
		exponent := []uint32{0, 60, 124, 187}[kind/4%4]
		return uint16(r.Uint32N(2)<<15 | (exponent+r.Uint32N(8))<<7 | r.Uint32N(128))
	}
	for i := range t.a.Len() {
		t.a.SetBits(i, uint64(value()))
		t.b.SetBits(i, uint64(value()))
	}
	for i := range t.z.Len() {
		t.z.SetBits(i, uint64(pairSum(r)))
		if i%2 == 1 { // about what the product is, so that they cancel
			k := 2 * r.IntN(16)
			p := dtype.FromBFloat16(uint16(t.a.Bits(i/16*32+k))) * dtype.FromBFloat16(uint16(t.b.Bits(k*16+i%16)))
			t.z.SetBits(i, uint64(math.Float32bits(-p)))
		}
	}
}

// TestTileInstruction compares the machine's product of tiles with its definition.
func TestTileInstruction(t *testing.T) {
	if !cpu.Tiles(cpu.HasAMXBF16) {
		t.Skip("no tiles of bfloat16 here")
	}
	if !TilesAgree() {
		t.Error("the machine and the definition differ at the edges")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 400 {
		p := newTileTrial()
		p.fill(r, i)
		before := append([]float32(nil), dtype.View[float32](p.z)...)
		if e := p.disagree(); e >= 0 {
			t.Fatalf("tile %d: the machine differs from the definition in sum %d of %x, %x", i, e, before[e], dtype.View[float32](p.z)[e])
		}
	}
}
