package gemm

import (
	"time"

	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/gemm/micro"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/product"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// byteTiles reports whether products of bytes are to be in tiles, bf16Tiles those by tiles
// of bfloat16.
func byteTiles(o Options) bool { return useTiles(o) && cpu.Tiles(cpu.HasAMXINT8) }
func bf16Tiles(o Options) bool { return useTiles(o) && micro.TilesAgree() }

func useTiles(o Options) bool { return o.Tier.EVEX && !o.NoTiles && cpu.AVX512.Available() }

// tilesParts says by which kernels operands of type d are multiplied in tiles.
func (p *Product) tilesParts(later func(*part, micro.Kind, dtype.DType, int), d dtype.DType, listing bool) {
	p.tiles, p.t = true, micro.TilesTiling()
	later(&p.kernel.part, micro.TilesNearPiece, d, 0)
	later(&p.past, micro.TilesPastPiece, d, 0)
	if p.finish = p.m.Finish(); p.finish == nil {
		return
	}
	for k := range p.finished {
		p.finished[k].Make = func() (*frame.Piece, error) {
			return micro.FinishedTiles(d, k == tilesPast, p.finish, listing)
		}
	}
}

// There are two kernels. Where the core is a thread's own, the strip should stay in the
// first-level cache, past which B's tiles are loaded then. Where another thread has half of
// the cache, it is faster to fetch everything ahead of time. Which one it is, is tried
// (tilesTrial).
const (
	tilesNear = iota
	tilesPast
	NumTilesKernels
)

// multiplyTiles is multiply in tiles. A strip goes through all of its chain, in equal
// parts, before the next one; meanwhile its sums are in blocks of their own.
func (w *Worker) multiplyTiles(row, rows, lo, hi int, sums place) {
	r := w.run
	t := r.p.t
	parts := (r.chain + t.Block - 1) / t.Block
	block := roundUp((r.chain+parts-1)/parts, micro.TileSteps)
	partly, finishes := frame.At(w.partly, 0), w.ends(rows, hi)
	for i := 0; i < rows; i += t.Rows {
		for k := 0; k < r.chain; k += block {
			n, steps := min(t.Rows, rows-i), min(block, r.chain-k)
			copied := !r.inPlace(n, k, steps)
			if copied && w.waiting.copies == mostCopies {
				w.runStrips()
			}
			c := micro.TileCall{
				A:     w.rows(row+i, n, k, steps),
				B:     frame.At(w.packed, lo*w.run.panelBytes()+k*t.Cols*t.Size),
				Panel: int64(w.run.panelBytes()), Steps: int64(steps), Count: int64(hi - lo), Fresh: int64(btoi(k == 0)),
				First: partly, Sums: partly, Ld: 2 * micro.TileBytes, Apart: micro.BlockSums, Raw: 1,
			}
			switch {
			case k+steps < r.chain:
			case finishes:
				to, size := r.result(row+i, w.column+w.cut.Start(lo)), r.p.finish.Value.Type.D.Size()
				c.Sums, c.Ld, c.Apart, c.Raw = to.at, to.ld, int64(t.Cols*size), 0
				w.setLeaves(row+i, w.column+w.cut.Start(lo))
			default:
				c.Sums, c.Ld, c.Apart = sums.at+int64(i)*sums.ld, sums.ld, 2*micro.TileBytes
			}
			c.Set(&w.Frame)
			w.waiting.copies += btoi(copied)
			w.addStrip((hi - lo) * steps / micro.TileSteps)
			if hi-lo == 1 { // sums of the last panel arrive while the next one is multiplied
				w.runStrips()
			}
		}
	}
	w.runStrips()
}

// setLeaves tells the kernel where the leaves begin of what it makes of sums from (row, col) on.
func (w *Worker) setLeaves(row, col int) {
	r := w.run
	w.Set(micro.WordZeros, int64(product.ZeroBits(r.p.m.D, r.w.Zeros)))
	for k, l := range r.p.finish.Leaves {
		at, ld := int64(0), int64(0)
		if l.Extra < 0 {
			at = int64(l.Bits(r.args))
		} else {
			x := r.w.Extras[l.Extra]
			at = int64(x.Base)
			if l.Rows {
				at, ld = at+int64(row)*x.Row, x.Row
			}
			if l.Cols {
				at += int64(col) * x.Col
			}
		}
		w.Set(micro.WordLeaves+16*k, at)
		w.Set(micro.WordLeaves+16*k+8, ld)
	}
}

// tileStrips are strips that wait for a call of the kernel, which then takes them one after
// the other: what comes before and after a call costs as much as a panel.
type tileStrips struct {
	words  dtype.Buf // of the frame, for each
	n      int
	copies int // that they are read from
	steps  int // of all panels together
	trial  tilesTrial
}

// A call has callSteps steps, some 50 microseconds, or mostStrips strips.
const callSteps, mostStrips = 2048, 32

// addStrip adds one as the frame's words have it.
func (w *Worker) addStrip(steps int) {
	s := &w.waiting
	copy(s.words.Bytes()[s.n*micro.StripWords:], w.Bytes(0, micro.StripWords))
	s.n++
	s.steps += steps
	if s.steps >= callSteps || s.n == mostStrips {
		w.runStrips()
	}
}

// runStrips multiplies those that wait.
func (w *Worker) runStrips() {
	s := &w.waiting
	if s.n == 0 {
		return
	}
	w.Set(micro.WordA, frame.At(s.words, 0))
	w.Set(micro.WordCount, int64(s.n))
	kernel, start := s.trial.next(), time.Now()
	w.Call(w.run.tiles[kernel])
	s.trial.took(kernel, time.Since(start), s.steps)
	s.n, s.copies, s.steps = 0, 0, 0
}

// A tilesTrial chooses between the kernels: every so often each makes a few calls, by the
// clock, and the faster one goes on. Bits do not depend on it.
type tilesTrial struct {
	calls int                      // so far
	cost  [NumTilesKernels]float64 // nanoseconds of a step in the last trial
	best  int
}

const (
	trialEvery = 64
	trialCalls = 2 * NumTilesKernels
)

// next is the kernel for the next call.
func (t *tilesTrial) next() int {
	turn := t.calls % trialEvery
	t.calls++
	if turn < trialCalls {
		return turn % NumTilesKernels
	}
	return t.best
}

// took says how long the kernel took for so many steps.
func (t *tilesTrial) took(kernel int, d time.Duration, steps int) {
	turn := (t.calls - 1) % trialEvery
	if turn >= trialCalls {
		return
	}
	cost := float64(d) / float64(steps)
	if turn < NumTilesKernels || cost < t.cost[kernel] { // the least, as others may come in between
		t.cost[kernel] = cost
	}
	if turn == trialCalls-1 {
		t.best = tilesNear
		if t.cost[tilesPast] < t.cost[tilesNear] {
			t.best = tilesPast
		}
	}
}
