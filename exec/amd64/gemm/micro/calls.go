package micro

import "github.com/tiler-go/tiler/exec/amd64/frame"

// Calls of code: for each kind of it, what it reads in the words of its frame.

// A Packing is steps of K of columns of B that lie side by side, and where they go in panels.
type Packing struct {
	From, Step   int64 // the first column, and bytes from step to step
	To, Panel    int64 // the first panel, and bytes from panel to panel
	Steps        int64
	Count, Whole int64 // columns, or panels; columns of whole panels
}

func (p Packing) Call(w *frame.Frame, code *frame.Piece) {
	w.Set(WordA, p.From)
	w.Set(WordLdK, p.Step)
	w.Set(WordB, p.To)
	w.Set(WordStepB, p.Panel)
	w.Set(WordK, p.Steps)
	w.Set(WordCount, p.Count)
	w.Set(WordWhole, p.Whole)
	w.Call(code)
}

// A Copying is rows × elements of an operand, and where rows of them go.
type Copying struct {
	From, Row, Step int64 // the first element, bytes from row to row and along a row
	To, ToRow       int64 // where it goes, and bytes from row to row there
	Elements, Rows  int64
}

func (c Copying) Call(w *frame.Frame, code *frame.Piece) {
	w.Set(WordA, c.From)
	w.Set(WordLdA, c.Row)
	w.Set(WordLdK, c.Step)
	w.Set(WordB, c.To)
	w.Set(WordStepB, c.ToRow)
	w.Set(WordK, c.Elements)
	w.Set(WordCount, c.Rows)
	w.Call(code)
}

// A Transposing is blocks of an operand, and where their rows become columns. What is read by way of WordRows has only
// an offset from there.
type Transposing struct {
	From, Step int64 // bytes from step to step of K
	To, ToStep int64
	Blocks     int64
}

func (t Transposing) Call(w *frame.Frame, code *frame.Piece) {
	w.Set(WordA, t.From)
	w.Set(WordLdK, t.Step)
	w.Set(WordB, t.To)
	w.Set(WordStepB, t.ToStep)
	w.Set(WordK, t.Blocks)
	w.Call(code)
}

// A ThinRows is a copied strip of few rows times columns of B where they lie.
type ThinRows struct {
	Strip    int64
	B, Step  int64 // the first column, and bytes from step to step, or from column to column
	Sums, Ld int64 // where they are added to, and bytes from row to row
	Steps    int64 // of K, or blocks of them
	Count    int64 // registers of columns
	Fresh    int64 // 1: sums begin as 0
}

func (t ThinRows) Call(w *frame.Frame, code *frame.Piece) {
	w.Set(WordA, t.Strip)
	w.Set(WordFrom, t.B)
	w.Set(WordLdK, t.Step)
	w.Set(WordC, t.Sums)
	w.Set(WordLdC, t.Ld)
	w.Set(WordK, t.Steps)
	w.Set(WordCount, t.Count)
	w.Set(WordFresh, t.Fresh)
	w.Call(code)
}

// A TileCall is a strip times panels in tiles, which waits for others.
type TileCall struct {
	A, B  int64 // row to row of a is as rows has set it
	Panel int64 // bytes from panel to panel
	Steps int64
	Count int64 // panels
	Fresh int64 // 1: sums begin as 0
	First int64 // what they begin with otherwise
	Sums  int64
	Ld    int64 // bytes from row to row of them
	Apart int64 // bytes from panel to panel of the sums
	Raw   int64 // 1 if they stay sums, where the kernel makes results
}

func (t TileCall) Set(w *frame.Frame) {
	w.Set(WordA, t.A)
	w.Set(WordB, t.B)
	w.Set(WordStepB, t.Panel)
	w.Set(WordK, t.Steps)
	w.Set(WordCount, t.Count)
	w.Set(WordFresh, t.Fresh)
	w.Set(WordFirst, t.First)
	w.Set(WordC, t.Sums)
	w.Set(WordLdC, t.Ld)
	w.Set(WordStepC, t.Apart)
	w.Set(WordRaw, t.Raw)
}
