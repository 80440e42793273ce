package micro

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// edgePairs are bfloat16 from which pairs are made that show how a processor rounds and
// what it does with subnormals: products and their sums end below, at and above 2^-126.
var edgePairs = [...]uint16{
	0, 0x8000, 0x0001, 0x807f, 0x0080, 0x8081, 0x1380, 0x9381, 0x1f80, 0x2000, 0xa001, 0x3380,
	0x3f80, 0xbf81, 0x7f00, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0,
}

var edgeSums = [...]uint32{0, 1 << 31, 1, 0x807fffff, 0x00800000, 0x80800001, 0x3f800000, 0xbf7fffff, 0x4b800000, 0x7f7fffff, 0xff800000}

// PairsAgree reports whether the machine's instruction is dot.AddPairs for a number of
// pairs at the edges.
func PairsAgree() bool {
	code, err := frame.NewPiece(pairCode().Unit, false)
	if err != nil {
		return false
	}
	t := newPairTrial(1 << 11)
	n := 0
	next := func(of int) int { n = (n*1103515245 + 12345) & (1<<31 - 1); return (n >> 8) % of }
	for i := range t.n {
		t.z.SetBits(i, uint64(edgeSums[next(len(edgeSums))]))
		for j := range 2 {
			t.a.SetBits(2*i+j, uint64(edgePairs[next(len(edgePairs))]))
			t.b.SetBits(2*i+j, uint64(edgePairs[next(len(edgePairs))]))
		}
	}
	return t.disagree(code) < 0
}

// A pairTrial is n sums with a pair each.
type pairTrial struct {
	n       int
	z, a, b dtype.Buf
}

func newPairTrial(n int) *pairTrial {
	return &pairTrial{n, dtype.NewBuf(dtype.Float32, n), dtype.NewBuf(dtype.BFloat16, 2*n), dtype.NewBuf(dtype.BFloat16, 2*n)}
}

// disagree carries out code, which is pairCode's, and gives the first sum that is not as
// dot.AddPairs has it; -1 if there is none. Sums become the definition's.
func (t *pairTrial) disagree(code *frame.Piece) int {
	sums := dtype.NewBuf(dtype.Float32, t.n)
	copy(sums.Bytes(), t.z.Bytes())
	w := frame.New(code.FrameSize)
	w.Set(WordA, frame.At(t.a, 0))
	w.Set(WordB, frame.At(t.b, 0))
	w.Set(WordC, frame.At(sums, 0))
	w.Set(WordK, int64(t.n/16))
	w.Call(code)
	x, y := dtype.NewBuf(dtype.Float32, 2), dtype.NewBuf(dtype.Float32, 2)
	first := -1
	for i := range t.n {
		for j := range 2 {
			x.SetBits(j, t.a.Bits(2*i+j)<<16)
			y.SetBits(j, t.b.Bits(2*i+j)<<16)
		}
		dot.AddPairs(t.z.Slice(i, i+1), x, y, 1, 1, 2)
		got, want := dtype.View[float32](sums)[i], dtype.View[float32](t.z)[i]
		if first < 0 && math.Float32bits(got) != math.Float32bits(want) && (got == got || want == want) {
			first = i
		}
	}
	return first
}

// pairCode adds to sums at WordC the products of pairs at WordA and WordB, WordK vectors
// of each, by the instruction.
func pairCode() *writer {
	g := newWriter(lir.AVX512, false)
	a, b, c := g.Word(WordA), g.Word(WordB), g.Word(WordC)
	g.repeat(WordK, []int{1}, func(int) {
		x, y := g.NewVec(), g.NewVec()
		g.Def(asm.VMOVUPS, g.V(x), lir.Mem(c, 0))
		g.Def(asm.VMOVUPS, g.V(y), lir.Mem(a, 0))
		g.RMW(asm.VDPBF16PS, g.V(x), g.V(y), lir.Mem(b, 0))
		g.Use(asm.VMOVUPS, lir.Mem(c, 0), g.V(x))
		for _, p := range []lir.Reg{a, b, c} {
			g.AddConst(p, 64)
		}
	})
	g.Return(0)
	return g
}
