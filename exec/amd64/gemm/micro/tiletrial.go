package micro

import (
	"encoding/binary"
	"math"
	"sync"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Products of bfloat16 by tiles, dot.AddTiles. The instruction TDPBF16PS takes a block of
// 32 elements of the chain for 16 × 16 sums. Where it is not, a block is two chains of
// float32 multiply-adds of a processor that is told to take subnormals for zeros and to
// make none, and two additions.

// TilesAgree reports whether the machine has the instruction, and it is dot.AddTiles for a
// number of tiles of values at the edges.
var TilesAgree = sync.OnceValue(func() bool {
	if !cpu.Tiles(cpu.HasAMXBF16) {
		return false
	}
	n := 0
	next := func(of int) int { n = (n*1103515245 + 12345) & (1<<31 - 1); return (n >> 8) % of }
	for i := range 8 {
		t := newTileTrial()
		some := 1 + 4*(i%4) // of so many elements one is not zero
		edge := func() uint16 {
			if next(some) > 0 {
				return 0
			}
			some := edgePairs[:]
			if i > 0 { // infinities and NaNs make all the same
				some = some[:len(some)-4]
			}
			return some[next(len(some))]
		}
		for j := range t.a.Len() {
			t.a.SetBits(j, uint64(edge()))
			t.b.SetBits(j, uint64(edge()))
		}
		for j := range t.z.Len() {
			t.z.SetBits(j, uint64(edgeSums[next(len(edgeSums))]))
		}
		if t.disagree() >= 0 {
			return false
		}
	}
	return true
})

// A tileTrial is the operands of one instruction: z (16×16), a (16×32), b (32×16).
type tileTrial struct{ z, a, b dtype.Buf }

func newTileTrial() *tileTrial {
	const n = tileRows * dot.TileSteps
	return &tileTrial{dtype.NewBuf(dtype.Float32, tileRows*tileRows), dtype.NewBuf(dtype.BFloat16, n), dtype.NewBuf(dtype.BFloat16, n)}
}

// disagree carries out the instruction and gives the first sum that is not as dot.AddTiles
// has it; -1 if there is none. Sums become the definition's.
func (t *tileTrial) disagree() int {
	code, err := Shared(Key{Kind: tileTrialPiece, Tier: lir.AVX512}, false)
	if err != nil {
		return 0
	}
	pairs, sums := dtype.NewBuf(dtype.Uint8, t.b.Len()*2), dtype.NewBuf(dtype.Float32, t.z.Len())
	copy(sums.Bytes(), t.z.Bytes())
	for i := range t.b.Len() {
		k, col := i/tileRows, i%tileRows
		binary.LittleEndian.PutUint16(pairs.Bytes()[k/2*TileBytes+col*PairSize+k%2*2:], uint16(t.b.Bits(i)))
	}
	w := frame.New(code.FrameSize)
	w.Set(WordA, frame.At(t.a, 0))
	w.Set(WordB, frame.At(pairs, 0))
	w.Set(WordC, frame.At(sums, 0))
	w.Call(code)
	x, y := dtype.NewBuf(dtype.Float32, t.a.Len()), dtype.NewBuf(dtype.Float32, t.b.Len())
	for i := range x.Len() {
		x.SetBits(i, t.a.Bits(i)<<16)
		y.SetBits(i, t.b.Bits(i)<<16)
	}
	dot.AddTiles(t.z, x, y, tileRows, tileRows, dot.TileSteps)
	for i, got := range dtype.View[float32](sums) {
		want := dtype.View[float32](t.z)[i]
		if math.Float32bits(got) != math.Float32bits(want) && (got == got || want == want) {
			return i
		}
	}
	return -1
}

// tileTrialCode adds to a tile of sums at WordC the product of tiles at WordA and WordB.
func tileTrialCode() *writer {
	g := newWriter(lir.AVX512, false)
	g.Use(asm.LDTILECFG, g.BytesConst(tileShapes()))
	row := g.NewInt(TileBytes)
	at := func(off int) lir.Arg { return lir.MemIndex(g.Word(off), row, 1, 0) }
	g.Use(asm.TILELOADD, tileSums[0][0], at(WordC))
	g.Use(asm.TILELOADD, tilesOfA[0], at(WordA))
	g.Use(asm.TILELOADD, tilesOfB[0], at(WordB))
	g.Use(asm.TDPBF16PS, tileSums[0][0], tilesOfA[0], tilesOfB[0])
	g.Use(asm.TILESTORED, at(WordC), tileSums[0][0])
	g.Use(asm.TILERELEASE)
	g.Return(0)
	return g
}
