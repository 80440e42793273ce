package gemm

import (
	"encoding/binary"

	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/gemm/micro"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// pairsParts says how the code of a product by an instruction on pairs is made, but for
// its kernel.
func (p *Product) pairsParts(later func(*part, micro.Kind, dtype.DType, int)) {
	p.pairs = true
	later(&p.packs.straight, micro.PackPairsPiece, p.m.B.D, p.t.Vecs)
	later(&p.packs.turned, micro.PackTurnedPiece, p.m.B.D, p.t.Vecs)
	later(&p.strips.straight, micro.CopyPiece, p.m.A.D, 0)
	later(&p.strips.turned, micro.TurnGroupsPiece, p.m.A.D, 0)
	later(&p.strips.gather, micro.MoveGatherPiece, dtype.Int16, 0)
}

// packPairs packs columns of B for an instruction.
func (w *packer) packPairs(s span) {
	r := w.run
	b, y := r.w.B, r.groups(s.t)
	done := 0 // pairs of each column that code packs
	switch {
	case b.Row == 2: // rows of columns side by side
		done = r.w.K / 2
		for i, n := 0, min(micro.BlockK/2, y.Rows); i < done; i += n {
			micro.Packing{
				From: w.source(s, 2*i), Step: b.Col, To: frame.At(w.packed, y.At(i)), Panel: int64(w.run.panelBytes()),
				Steps: int64(min(n, done-i)), Count: int64(w.cols),
			}.Call(&w.Frame, s.pack)
		}
	case b.Col == 2: // columns of pairs
		done = 2 * r.w.K / micro.TurnBytes * (micro.TurnBytes / micro.PairSize)
		w.packTurned(s, micro.PairSize*done)
	}
	w.packPairsLoose(done)
}

// packPairsLoose packs pairs from one on, element by element, of all columns and of those that
// make them whole panels; what lies beyond B is zeros.
func (w *packer) packPairsLoose(from int) {
	r := w.run
	t, b, y := r.p.t, r.w.B, r.groups(r.p.t)
	arg := r.args[r.p.m.B.Form.Base].Mem
	src, first := dtype.View[uint16](arg), (int64(b.Base)-frame.At(arg, 0))/2
	packed := w.packed.Bytes()
	for j := range roundUp(w.cols, t.Cols) {
		for k := 2 * from; k < 2*r.chain; k++ {
			x := uint16(0)
			if k < r.w.K && j < w.cols {
				x = src[first+(int64(w.column+j)*b.Row+int64(k)*b.Col)/2]
			}
			column := j%t.Cols/micro.TurnCols*y.Part + j%micro.TurnCols*micro.PairSize
			at := j/t.Cols*w.run.panelBytes() + y.At(k/2) + column + k%2*2
			binary.LittleEndian.PutUint16(packed[at:], x)
		}
	}
}

// padPanels makes what a chain of widened elements is rounded up by zeros: in panels of b.
func (w *packer) padPanels() {
	r := w.run
	for p := range w.cut.Len() {
		step := w.cut.NR(p) * r.p.t.Size
		clear(w.packed.Bytes()[p*w.run.panelBytes()+r.w.K*step:][:(r.chain-r.w.K)*step])
	}
}

// padRows makes zeros of what n rows of a copied strip lack, the first one given, that have
// count elements for so many steps.
func (w *Worker) padRows(first, n, count, steps int) {
	r := w.run
	t, size := r.p.t, r.p.t.Size/r.p.perStep() // of an element in the strip
	for i := first; i < first+n; i++ {
		clear(w.strip.Bytes()[i*micro.StripRow(t)+count*size:][:steps*t.Size-count*size])
	}
}
