package gemm

import (
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/gemm/micro"
)

// Strips of rows of a on their way through panels of b.

// place is where sums are: of the first row and column, and bytes from row to row.
type place struct{ at, ld int64 }

// result is where the result has an element.
func (r *Run) result(row, col int) place {
	out := r.w.Out
	return place{int64(out.Base) + int64(row)*out.Row + int64(col)*out.Col, out.Row}
}

// multiply goes on with sums for rows × panels lo to hi-1 of the result, with the steps of
// the chain from which on B is packed, and makes results of them where it can.
func (w *Worker) multiply(row, rows, lo, hi int, sums place, from int) {
	r := w.run
	t := r.p.t
	switch {
	case rows == 0 || lo == hi:
		return
	case r.p.tiles:
		w.multiplyTiles(row, rows, lo, hi, sums)
		return
	}
	first := r.first != nil && lo >= w.seen // strip through these panels, which it packs
	w.seen = max(w.seen, hi)
	spans := w.spans(lo, hi)
	end, ends := min(from+r.slice, r.chain), w.ends(rows, hi)
	for k := from; k < end; k += t.Block {
		steps := min(t.Block, end-k)
		for i, n := 0, 1; i < rows; i += n * t.Rows {
			x := strip{a: w.stripAt(row, rows, i, k, steps), sums: sums, lo: lo, k: k, steps: steps, at: k - from}
			x.sums.at += int64(i) * sums.ld
			if ends && k+steps == r.chain {
				x.result = r.result(row+i, w.column+w.cut.Start(lo))
			}
			w.Set(micro.WordStepB, int64(w.run.panelBytes()))
			w.Set(micro.WordLdC, sums.ld)
			w.Set(micro.WordFirst, w.firstSums(x.a, steps))
			w.fetchOut(row, rows, i, lo, hi, k, steps, sums)
			packs := first && i == 0
			if n = 1; !packs {
				n = w.alike(rows-i, k, steps)
			}
			x.out, x.next = w.Word(micro.WordOut), w.Word(micro.WordNext)
			for _, s := range spans {
				if packs {
					s = w.packing(x, s)
				}
				w.alikeThrough(n, x, s)
			}
		}
	}
}

// A strip is rows of a on their way through panels lo and those after it, with steps of the
// chain from k on, which are those of the panels from at on.
type strip struct {
	a            int64
	sums         place
	lo           int
	k, steps, at int
	out, next    int64 // what is prefetched meanwhile: of C, of A
	result       place // where the kernel puts results, if it makes some of the sums
}

// ends reports whether the kernel makes results of the sums.
func (x *strip) ends() bool { return x.result.at != 0 }

// callWork bounds what a call multiplies of strips that are alike: multiply-adds, times the
// bytes of an element. It takes some 50 us with AVX-512, 90 with AVX2.
const callWork = 16 << 20

// alike is how many strips the kernel can take in a call, of so many rows of a block that are
// left: each has to lie where the one before expects the next.
func (w *Worker) alike(rows, k, steps int) int {
	r, t := w.run, w.run.p.t
	if r.across || r.p.m.Bytes() || !r.inPlace(t.Rows, k, steps) {
		return 1
	}
	most := callWork / (steps * t.Rows * w.cut.Start(w.cut.Len()) * t.Size)
	return max(1, min(most, rows/t.Rows-1)) // after the last one come others than the next rows
}

// alikeThrough multiplies n strips, x and those after it, by a span's panels.
func (w *Worker) alikeThrough(n int, x strip, s span) {
	w.Set(micro.WordStrips, int64(n))
	if n > 1 {
		t, panels := w.run.p.t, s.hi-s.lo
		w.Set(micro.WordPanels, int64(panels))
		w.Set(micro.WordOut, x.out)
		w.Set(micro.WordOutStrip, x.out)
		w.Set(micro.WordByOut, int64(t.Rows)*w.Word(micro.WordLdOut))
		w.Set(micro.WordNext, x.next)
		w.Set(micro.WordNextStrip, x.next)
		w.Set(micro.WordRowsNext, int64(t.Rows))
		w.Set(micro.WordByA, int64(t.Rows)*w.Word(micro.WordLdA))
		w.Set(micro.WordByB, int64(panels*w.run.panelBytes()))
		w.Set(micro.WordByC, int64(t.Rows)*x.sums.ld-int64(panels*s.t.Cols*t.Size))
		w.Set(micro.WordByResult, int64(t.Rows)*x.result.ld-int64(panels*s.t.Cols)*w.run.w.Out.Col)
	}
	if x.ends() {
		w.through(s.ends, x, s)
		return
	}
	w.through(s.kernel, x, s)
}

// through multiplies a strip by a span's panels.
func (w *Worker) through(kernel *frame.Piece, x strip, s span) {
	if s.lo == s.hi {
		return
	}
	w.Set(micro.WordA, x.a)
	w.Set(micro.WordB, w.packedAt(s, x.at))
	col := w.cut.Start(s.lo) - w.cut.Start(x.lo)
	w.Set(micro.WordC, x.sums.at+int64(col*w.run.p.t.Size))
	w.Set(micro.WordResult, x.result.at+int64(col)*w.run.w.Out.Col)
	w.Set(micro.WordLdResult, x.result.ld)
	w.Set(micro.WordZeros, int64(btoi(w.run.w.Zeros)))
	w.Set(micro.WordK, int64(x.steps))
	w.Set(micro.WordFresh, int64(btoi(x.k == 0)))
	w.Set(micro.WordCount, int64(s.hi-s.lo))
	w.Call(kernel)
}

// packingSteps is how many steps of K a strip that packs B takes through all panels at
// a time: few, so that a processor that fetches rows of B ahead goes along them.
const packingSteps = 64

// packing multiplies a strip by those panels of a span that lack no columns, and packs them on
// the way. It packs the others, which are the span that it leaves.
func (w *Worker) packing(x strip, s span) span {
	r := w.run
	whole, others := s.cut(s.lo + (w.cols-w.cut.Start(s.lo))/s.t.Cols)
	w.packSpan(others, x.k, x.steps, x.at)
	w.Set(micro.WordLdK, r.w.B.Col)
	stride := r.p.t.Size // of a strip, from step to step
	if r.across {
		stride *= micro.AcrossRows
	}
	for end := x.k + x.steps; x.k < end; {
		x.steps = min(packingSteps, end-x.k)
		w.Set(micro.WordFrom, w.source(whole, x.k))
		w.through(s.first, x, whole)
		x.a += int64(x.steps * stride)
		x.k += x.steps
		x.at += x.steps
	}
	if x.ends() {
		x.steps = 0
		w.alikeThrough(1, x, whole)
	}
	return others
}

// fetchOut tells the kernel what to prefetch, rows while it goes through panels:
// sums of the strip that comes after row i, if they are results or not in a cache, else, the
// last time, where the epilogue will write results of row i's own.
func (w *Worker) fetchOut(row, rows, i, lo, hi, k, steps int, sums place) {
	r := w.run
	at, ld, size := sums.at+int64(i+r.p.t.Rows)*sums.ld, sums.ld, int64(r.p.t.Size)
	fetch := i+r.p.t.Rows < rows && (k == 0 || r.slice < r.chain)
	if out := r.w.Out; !r.direct && r.slice == r.chain {
		size = int64(r.args[r.p.m.Out.Base].Mem.DType().Size())
		at, ld = int64(out.Base)+int64(row+i)*out.Row+int64(w.column+w.cut.Start(lo))*size, out.Row
		fetch = k+steps == r.chain && out.Col == size
	}
	if !fetch {
		at, ld, size = frame.At(w.sums, 0), 0, 0
	}
	w.Set(micro.WordOut, at)
	w.Set(micro.WordLdOut, ld)
	bytes := int64(w.cut.Start(hi)-w.cut.Start(lo)) * size
	w.Set(micro.WordStepOut, min(64, (bytes*micro.GroupSteps+int64(steps)-1)/int64(steps)))
}
