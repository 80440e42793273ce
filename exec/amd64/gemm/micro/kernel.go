package micro

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/product"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// The micro-kernel multiplies a strip of A by panels of B, and adds to accumulators, "sums", in C or in memory of their
// own.

// Words of the frame by which Go tells code what to do: calls.go says which code reads which. What the micro-kernel
// reads strip.go sets, as some of it changes from strip to strip and some from panel to panel.
const (
	WordA         = 8 * iota // strip of A, or source
	WordLdA                  // bytes from row to row
	WordB                    // panels of B, or where packing writes
	WordStepB                // bytes from panel to panel
	WordC                    // sums
	WordLdC                  // bytes from row to row
	WordK                    // steps of K
	WordCount                // panels; of packing, columns or rows
	WordFresh                // 1: the sums begin as 0
	WordLdK                  // of a source: bytes from step to step
	WordNext                 // where the strip comes from that is multiplied next
	WordLdNext               // bytes from row to row there
	WordRowsNext             // rows left of it
	WordFirst                // what sums begin with, or is added to them: of bytes one for each row, of tiles blocks
	WordOut                  // where the strip's results will go
	WordLdOut                // bytes from row to row there
	WordStepOut              // bytes to prefetch there in groupSteps steps of K
	WordWhole                // of packing: columns of whole panels
	WordStepC                // of tiles: bytes from panel to panel of the sums
	WordFrom                 // what is packed on the way: from its first step on
	WordNextTo               // where to copy the strip that comes next, if its rows lie side by side
	WordStepsNext            // steps of it that are left to be copied
	WordStrips               // that the kernel takes one after another; if there are several:
	WordPanels               // panels
	WordNextStrip            // WordNext for the strip at hand
	WordOutStrip             // WordOut for it
	WordByA                  // bytes from strip to strip
	WordByB                  // bytes of the panels
	WordByC                  // bytes from the last panel's sums to those of the next strip
	WordByOut                // bytes from strip to strip of what WordOut prefetches
	WordResult               // where results go that the kernel makes of sums
	WordLdResult             // bytes from row to row there
	WordByResult             // as WordByC, of the results
	WordZeros                // 1: steps of zeros were not carried out, which make +0 of -0
	WordRaw                  // of tiles: 1 if sums stay sums
	WordLeaves               // of tiles: of each leaf where it begins, and bytes from row to row

	// WordRows is, of transposing, where each row of a block begins.
	WordRows  = WordLeaves + 16*product.MostLeaves
	WordFrame = WordRows + 16*8
)

// A Tiling is the register block: rows of A times vecs registers of columns.
type Tiling struct {
	Rows, Vecs, Cols int
	Size             int // bytes of an element of the chain
	Block            int // steps of K in a call of the kernel
}

// TilingOf is a tier's, for chains of a type, with two registers of columns.
func TilingOf(tier *lir.Tier, d dtype.DType) Tiling {
	t := Tiling{Rows: 8, Vecs: 2, Size: d.Size(), Block: BlockK}
	if !tier.EVEX {
		t.Rows = 6
	}
	return t.Of(2, tier)
}

// BlockK is how many steps of a chain are gone through at a time, while sums are kept.
const BlockK = 512

// WideVecs are the registers of columns where there are enough: a multiply-add then takes
// the fewest loads, which is what a core is short of beside another busy thread.
const WideVecs = 3

// Of is the tiling with so many registers of columns.
func (t Tiling) Of(vecs int, tier *lir.Tier) Tiling {
	t.Vecs, t.Cols = vecs, vecs*tier.Bytes/t.Size
	return t
}

// Strips is the rows of so many whole strips as n rows have.
func (t Tiling) Strips(n int) int { return n / t.Rows * t.Rows }

// Words is what an element of the chain is to packCode: one, or two.
func (t Tiling) Words() int { return t.Size / 4 }

// StripRow is the bytes of a row of a copied strip: an odd number of lines, so that
// rows do not compete for the same sets of the cache.
func StripRow(t Tiling) int { return t.Block*t.Size + 64 }

// A writer writes code that is called with a frame whose words are those above, and returns.
type writer struct{ *elementwise.Builder }

// newWriter writes code for a tier. Code that is tight needs all registers, and is known to need no more.
func newWriter(t *lir.Tier, tight bool) *writer {
	g := &writer{elementwise.New(t)}
	g.FrameSize = WordFrame
	g.Tight = tight
	return g
}

// A stepping is how the kernel takes the steps of chains of type d: by which instruction,
// and how A lies in memory, which it prefetches. It may pack panels on the way,
// from elements of B as they lie in memory. The rows of a strip may lie side by side,
// AcrossRows of them for each step. Where chains end it may make results of sums.
type stepping struct {
	from, d dtype.DType
	vecs    int // registers of columns
	op      asm.Op
	chain   dot.Chain // as float32 multiply-adds
	packs   dtype.DType
	across  bool
	ends    product.Ending
}

// kernelCode multiplies a strip of rows by all panels of B and adds to the sums. While
// it does, it prefetches the strip that comes next.
func kernelCode(s stepping, tier *lir.Tier) *writer {
	g := newWriter(tier, true)
	if s.chain != dot.Ascending { // they know no subnormals
		g.Flushing(func() { g.alike(s) })
	} else {
		g.alike(s)
	}
	g.Return(0)
	return g
}

// alike is a strip of rows times all panels of B, then the strips that are alike. Who packs
// panels has one strip.
func (g *writer) alike(s stepping) {
	t := TilingOf(g.Tier, s.d).Of(s.vecs, g.Tier)
	if s.packs != dtype.Invalid {
		g.panels(t, s)
		return
	}
	strip := g.NewLabel()
	l := g.BeginLoop()
	g.Bind(strip)
	g.panels(t, s)
	g.nextStrip(strip, t.Rows, s)
	g.EndLoop(l)
}

// panels is a strip of rows times all panels of b.
func (g *writer) panels(t Tiling, s stepping) {
	top := g.NewLabel()
	l := g.BeginLoop()
	g.Bind(top)
	g.panel(t, s)
	step := g.Word(WordStepB)
	g.Use(asm.ADD, lir.Frame(WordB), g.R64(step))
	g.Use(asm.ADD, lir.Frame(WordC).Sized(8), lir.Imm(int64(t.Cols*t.Size)))
	if s.packs != dtype.Invalid {
		g.Use(asm.ADD, lir.Frame(WordFrom).Sized(8), lir.Imm(int64(t.Cols*s.packs.Size())))
	}
	if s.ends.Some() {
		g.Use(asm.ADD, lir.Frame(WordResult).Sized(8), lir.Imm(int64(t.Cols*s.ends.As.Size())))
	}
	g.Use(asm.SUB, lir.Frame(WordCount).Sized(8), lir.Imm(1))
	g.Jump(asm.JNE, top)
	g.EndLoop(l)
}

// nextStrip jumps to where the next strip begins, if there is one. It is so many rows after the
// last in A and in the sums, and so is what is prefetched meanwhile.
func (g *writer) nextStrip(begin, rows int, s stepping) {
	end := g.NewLabel()
	g.Use(asm.SUB, lir.Frame(WordStrips).Sized(8), lir.Imm(1))
	g.Jump(asm.JLE, end)
	move := func(op asm.Op, word, by int) {
		x := g.Word(by)
		g.Use(op, lir.Frame(word), g.R64(x))
	}
	move(asm.ADD, WordA, WordByA)
	move(asm.ADD, WordC, WordByC)
	if s.ends.Some() {
		move(asm.ADD, WordResult, WordByResult)
	}
	move(asm.SUB, WordB, WordByB)
	move(asm.MOV, WordCount, WordPanels)
	move(asm.ADD, WordNextStrip, WordByA)
	move(asm.MOV, WordNext, WordNextStrip)
	move(asm.ADD, WordOutStrip, WordByOut)
	move(asm.MOV, WordOut, WordOutStrip)
	g.Use(asm.MOV, lir.Frame(WordRowsNext).Sized(8), lir.Imm(int64(rows)))
	g.Jump(asm.JMP, begin)
	g.Bind(end)
}

// GroupSteps is how many steps of a chain the kernel takes at a time. Other instructions than
// loads and multiply-adds come once in a group: a core whose other thread is busy has few to
// spare. Hence nothing prefetches B, which is read from one end to the other.
const GroupSteps = 8

// panel is one register block: rows of a strip times one panel. Elements of a are operands of
// the multiply-adds where they can be, without an index, in wide panels only those of every other
// row: the fewer instructions, the more of a core is left to its other thread, or to this one, but
// a core has two loads for two multiply-adds.
func (g *writer) panel(t Tiling, s stepping) {
	d := s.d
	acc := g.NewBlock(t.Rows, t.Vecs)
	g.sums(acc, d, true)
	bases, stride, at := g.strip(t, s)
	pb := g.Word(WordB)
	// load is step k of the panel, which is elements side by side.
	load, aside, end := func(k int) []lir.Reg { return g.panelRow(pb, k, t) }, func(int) {}, func() {}
	if s.packs != dtype.Invalid {
		load = g.packing(s.packs, d, t, pb)
	} else {
		aside, end = g.meanwhile(s)
	}
	step := func(k int) {
		bs := load(k)
		for r := range acc {
			if from := at(r, k); g.EVEX && !from.Indexed() && (t.Vecs < WideVecs || r%2 == 0) {
				for v := range bs {
					g.RMW(s.op, g.V(acc[r][v]), g.V(bs[v]), from.ToAll(t.Size))
				}
				continue
			}
			x := g.broadcast(d, at(r, k))
			for v := range bs {
				g.RMW(s.op, g.V(acc[r][v]), g.V(bs[v]), g.V(x))
			}
		}
	}
	advance := func(steps int) {
		for _, x := range bases {
			g.AddConst(x, int64(steps*stride))
		}
		g.AddConst(pb, int64(steps*t.Vecs*g.Bytes))
	}
	// group is n steps, which end after so many elements.
	group := func(n, elements int, element func(k int) int) {
		for k := range n {
			step(element(k))
			if n == GroupSteps {
				aside(k)
			}
		}
		advance(elements)
	}
	switch s.chain {
	case dot.Ascending:
		g.repeat(WordK, []int{GroupSteps, 1}, func(n int) { group(n, n, func(k int) int { return k }) })
	case dot.Pairs: // the two steps of a pair change places
		g.repeat(WordK, []int{GroupSteps, 2}, func(n int) { group(n, n, func(k int) int { return k ^ 1 }) })
	case dot.Tiles:
		g.sums(acc, d, false)
		g.tileBlocks(acc, func(odd int) { group(GroupSteps, 2*GroupSteps, func(k int) int { return 2*k + odd }) }, func() { advance(-dot.TileSteps) })
	}
	end()
	switch {
	case s.ends.Some():
		g.storeResults(acc, d, s.ends)
	case s.chain != dot.Tiles:
		g.sums(acc, d, false)
	}
}

// broadcast is an element in memory in all lanes of a register.
func (g *writer) broadcast(d dtype.DType, at lir.Arg) lir.Reg {
	x := g.NewVec()
	g.Def(lane.ByWidth(d, asm.VBROADCASTSS, asm.VBROADCASTSD), g.V(x), at)
	return x
}

// panelRow is step k of a panel.
func (g *writer) panelRow(panel lir.Reg, k int, t Tiling) []lir.Reg {
	row := make([]lir.Reg, t.Vecs)
	for v := range row {
		row[v] = g.NewVec()
		g.Def(asm.VMOVUPS, g.V(row[v]), lir.Mem(panel, (k*t.Vecs+v)*g.Bytes))
	}
	return row
}

// strip is how the kernel reads a strip of A: registers that move on by stride bytes with
// each step, and where element (r, k) lies.
func (g *writer) strip(t Tiling, s stepping) (bases []lir.Reg, stride int, at func(r, k int) lir.Arg) {
	bases = []lir.Reg{g.Word(WordA)}
	if s.across {
		stride = AcrossRows * t.Size
		return bases, stride, func(r, k int) lir.Arg { return lir.Mem(bases[0], k*stride+r*t.Size) }
	}
	ld := g.Word(WordLdA)
	// Every second row has a register that points to it, the others are reached from there.
	for i := 2; i < t.Rows; i += 2 {
		next := g.NewReg(lir.GPR)
		g.Def(asm.LEA, g.R64(next), lir.MemIndex(bases[i/2-1], ld, 2, 0))
		bases = append(bases, next)
	}
	return bases, t.Size, func(r, k int) lir.Arg {
		if r%2 == 0 {
			return lir.Mem(bases[r/2], k*t.Size)
		}
		return lir.MemIndex(bases[r/2], ld, 1, k*t.Size)
	}
}

// tileBlocks is the blocks of a chain by tiles, whose sums are in memory. Each is gone
// through twice, along its even elements and along its odd ones, a few of them with each
// call of steps, so that there are as many sums in registers as for other chains.
func (g *writer) tileBlocks(acc [][]lir.Reg, steps func(odd int), back func()) {
	const calls = dot.TileSteps / 2 / GroupSteps
	evens := g.Alloc(len(acc) * len(acc[0]) * g.Bytes)
	even := func(r, v int) lir.Arg { return lir.Frame(evens + (r*len(acc[0])+v)*g.Bytes) }
	g.repeat(WordK, []int{dot.TileSteps}, func(int) {
		for odd := range 2 {
			g.ZeroBlock(acc)
			left, top := g.NewInt(calls), g.NewLabel()
			l := g.BeginLoop()
			g.Bind(top)
			steps(odd)
			g.RMW(asm.SUB, g.R64(left), lir.Imm(1))
			g.Jump(asm.JNE, top)
			g.EndLoop(l)
			if odd == 1 {
				break
			}
			back()
			for r, sums := range acc {
				for v, x := range sums {
					g.Use(asm.VMOVUPS, even(r, v), g.V(x))
				}
			}
		}
		row, ld := g.Word(WordC), g.Word(WordLdC)
		for r, sums := range acc {
			for v, x := range sums {
				at := lir.Mem(row, v*g.Bytes)
				g.RMW(asm.VADDPS, g.V(x), g.V(x), even(r, v))
				g.RMW(asm.VADDPS, g.V(x), g.V(x), at)
				g.Use(asm.VMOVUPS, at, g.V(x))
			}
			g.RMW(asm.ADD, g.R64(row), g.R64(ld))
		}
	})
}

// multiplyAdd is the instruction of one step of sums of type d.
func multiplyAdd(d dtype.DType) asm.Op {
	if d == dtype.Int32 {
		return asm.VPDPBUSD
	}
	return lane.ByWidth(d, asm.VFMADD231PS, asm.VFMADD231PD)
}

// repeat runs f(n) for groups of so many out of a count in the frame, as long as there are
// any, then for smaller ones.
func (g *writer) repeat(count int, groups []int, f func(n int)) {
	left := g.Word(count)
	for i, m := range groups {
		top, end := g.NewLabel(), g.NewLabel()
		g.RMW(asm.SUB, g.R64(left), lir.Imm(int64(m)))
		g.Jump(asm.JL, end)
		l := g.BeginLoop()
		g.Bind(top)
		f(m)
		g.RMW(asm.SUB, g.R64(left), lir.Imm(int64(m)))
		g.Jump(asm.JGE, top)
		g.EndLoop(l)
		g.Bind(end)
		if i < len(groups)-1 {
			g.RMW(asm.ADD, g.R64(left), lir.Imm(int64(m)))
		}
	}
}

// sums loads the sums of a register block, zeros in the first block of K, or stores them. To
// those of bytes it adds what A's row wants.
func (g *writer) sums(acc [][]lir.Reg, d dtype.DType, load bool) {
	g.sumsAt(g.Word(WordC), acc, d, load)
}

// sumsAt is sums for a block whose first row lies at a register, which moves on.
func (g *writer) sumsAt(row lir.Reg, acc [][]lir.Reg, d dtype.DType, load bool) {
	ld := g.Word(WordLdC)
	move := func() {
		for r := range acc {
			for v, x := range acc[r] {
				if load {
					g.Def(asm.VMOVUPS, g.V(x), lir.Mem(row, v*g.Bytes))
				} else {
					g.Use(asm.VMOVUPS, lir.Mem(row, v*g.Bytes), g.V(x))
				}
			}
			if r < len(acc)-1 {
				g.RMW(asm.ADD, g.R64(row), g.R64(ld))
			}
		}
	}
	if !load {
		move()
		return
	}
	fresh, done := g.NewLabel(), g.NewLabel()
	g.Use(asm.CMP, lir.Frame(WordFresh).Sized(8), lir.Imm(0))
	g.Jump(asm.JNE, fresh)
	move()
	g.Jump(asm.JMP, done)
	g.Bind(fresh)
	g.ZeroBlock(acc)
	g.Bind(done)
	if d == dtype.Int32 {
		first := g.Word(WordFirst)
		for r := range acc {
			for _, x := range acc[r] {
				g.RMW(asm.VPADDD, g.V(x), g.V(x), lir.Mem(first, r*d.Size()).ToAll(d.Size()))
			}
		}
	}
}
