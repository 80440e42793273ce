package gemm

import "github.com/tiler-go/tiler/exec/amd64/frame"

// Calls of code: for each kind of it, what it reads in the words of its frame.

// A packing is steps of K of columns of B that lie side by side, and where they go in panels.
type packing struct {
	from, step   int64 // the first column, and bytes from step to step
	to, panel    int64 // the first panel, and bytes from panel to panel
	steps        int64
	count, whole int64 // columns, or panels; columns of whole panels
}

func (w *Worker) pack(code *frame.Piece, p packing) {
	w.Set(wordA, p.from)
	w.Set(wordLdK, p.step)
	w.Set(wordB, p.to)
	w.Set(wordStepB, p.panel)
	w.Set(wordK, p.steps)
	w.Set(wordCount, p.count)
	w.Set(wordWhole, p.whole)
	w.Call(code)
}

// A copying is rows × elements of an operand, and where rows of them go.
type copying struct {
	from, row, step int64 // the first element, bytes from row to row and along a row
	to, toRow       int64 // where it goes, and bytes from row to row there
	elements, rows  int64
}

func (w *Worker) copy(code *frame.Piece, c copying) {
	w.Set(wordA, c.from)
	w.Set(wordLdA, c.row)
	w.Set(wordLdK, c.step)
	w.Set(wordB, c.to)
	w.Set(wordStepB, c.toRow)
	w.Set(wordK, c.elements)
	w.Set(wordCount, c.rows)
	w.Call(code)
}

// A transposing is blocks of an operand, and where their rows become columns. What is read by way of setRows has only
// an offset from there.
type transposing struct {
	from, step int64 // bytes from step to step of K
	to, toStep int64
	blocks     int64
}

func (w *Worker) transpose(code *frame.Piece, t transposing) {
	w.Set(wordA, t.from)
	w.Set(wordLdK, t.step)
	w.Set(wordB, t.to)
	w.Set(wordStepB, t.toStep)
	w.Set(wordK, t.blocks)
	w.Call(code)
}

// A thinRows is a copied strip of few rows times columns of B where they lie.
type thinRows struct {
	strip    int64
	b, step  int64 // the first column, and bytes from step to step, or from column to column
	sums, ld int64 // where they are added to, and bytes from row to row
	steps    int64 // of K, or blocks of them
	count    int64 // registers of columns
	fresh    bool  // sums begin as 0
}

func (w *Worker) thin(code *frame.Piece, t thinRows) {
	w.Set(wordA, t.strip)
	w.Set(wordFrom, t.b)
	w.Set(wordLdK, t.step)
	w.Set(wordC, t.sums)
	w.Set(wordLdC, t.ld)
	w.Set(wordK, t.steps)
	w.Set(wordCount, t.count)
	w.Set(wordFresh, int64(btoi(t.fresh)))
	w.Call(code)
}

// A tileCall is a strip times panels in tiles, which waits for others.
type tileCall struct {
	a, b  int64 // row to row of a is as rows has set it
	panel int64 // bytes from panel to panel
	steps int64
	count int64 // panels
	fresh bool
	first int64 // what sums begin with if they are not fresh
	sums  place
	apart int64 // bytes from panel to panel of the sums
}

func (w *Worker) setTiles(t tileCall) {
	w.Set(wordA, t.a)
	w.Set(wordB, t.b)
	w.Set(wordStepB, t.panel)
	w.Set(wordK, t.steps)
	w.Set(wordCount, t.count)
	w.Set(wordFresh, int64(btoi(t.fresh)))
	w.Set(wordFirst, t.first)
	w.Set(wordC, t.sums.at)
	w.Set(wordLdC, t.sums.ld)
	w.Set(wordStepC, t.apart)
}
