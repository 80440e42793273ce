package gemm

import (
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/gemm/micro"
)

// A band is copies of strips: of the rows from one on, and the chain from step k on.
type band struct {
	row, strips int
	k, steps    int
	copied      int // steps
	asked       int // those that the kernel has been told to copy since
	at          int // where it is in memory
}

// forgetStrips says that no strip is copied.
func (w *Worker) forgetStrips() {
	const none = -micro.TurnedRows
	w.bands = [2]band{{row: none}, {row: none, at: bandBytes(w.run.p.t)}}
}

// rowsAcross is where the kernel finds the strip of row i of a block of rows. It is told to
// copy a part of the next band.
func (w *Worker) rowsAcross(row, rows, i, k, steps int) int64 {
	r := w.run
	t := r.p.t
	b, next := &w.bands[0], &w.bands[1]
	next.copied += next.asked - max(0, int(w.Word(micro.WordStepsNext)))
	next.asked = 0
	strip := i / t.Rows % micro.BandStrips
	if strip == 0 {
		*b, *next = *next, *b
		if b.row != row+i || b.k != k {
			*b = w.bandOf(row+i, row+rows, k, b.at)
		}
		w.copyRest(b, steps)
		switch i += micro.BandStrips * t.Rows; {
		case i < rows:
			*next = w.bandOf(row+i, row+rows, k, next.at)
		case k+steps < r.chain:
			*next = w.bandOf(row, row+rows, k+steps, next.at)
		default:
			*next = w.bandOf(row+rows, r.w.M, 0, next.at)
		}
	}
	if next.strips == micro.BandStrips && w.shifted(next.row+(micro.BandStrips-1)*t.Rows) == 0 {
		next.asked = min((next.steps+micro.BandStrips-1)/micro.BandStrips, next.steps-next.copied)
	}
	w.Set(micro.WordNext, w.acrossPlace(next.row, next.k+next.copied))
	w.Set(micro.WordLdNext, r.w.A.Col)
	w.Set(micro.WordNextTo, frame.At(w.strip, next.at+next.copied*micro.AcrossRows*t.Size))
	w.Set(micro.WordStepsNext, int64(next.asked))
	w.Set(micro.WordRowsNext, int64(t.Rows))
	return frame.At(w.strip, b.at+strip*micro.AcrossStrip(t)+w.shifted(b.row+strip*t.Rows)*t.Size)
}

// bandOf is a band of the rows up to an end, as far as there are any, that has not been copied.
func (w *Worker) bandOf(row, end, k, at int) band {
	t := w.run.p.t
	strips := max(0, min(micro.BandStrips, (end-row+t.Rows-1)/t.Rows))
	return band{row: row, strips: strips, k: k, steps: min(t.Block, w.run.w.K-k), at: at}
}

// shifted is how many rows before a strip's first its copy begins, for it to end with the
// last of A.
func (w *Worker) shifted(row int) int { return max(0, row+micro.AcrossRows-w.run.w.M) }

// acrossPlace is where a has a row at step k.
func (w *Worker) acrossPlace(row, k int) int64 {
	a := w.run.w.A
	return int64(a.Base) + int64(row)*a.Row + int64(k)*a.Col
}

// copyRest copies what the kernel has not copied of a band, and makes zeros of steps that it
// lacks.
func (w *Worker) copyRest(b *band, steps int) {
	t, step := w.run.p.t, micro.AcrossRows*w.run.p.t.Size
	for s := range b.strips {
		row, at := b.row+s*t.Rows, b.at+s*micro.AcrossStrip(t)
		if b.copied < b.steps {
			micro.Copying{
				From: w.acrossPlace(row-w.shifted(row), b.k+b.copied), Step: w.run.w.A.Col,
				To: frame.At(w.strip, at+b.copied*step), Elements: int64(b.steps - b.copied),
			}.Call(&w.Frame, w.run.strip)
		}
		clear(w.strip.Bytes()[at+b.steps*step : at+steps*step])
	}
	b.copied = b.steps
}
