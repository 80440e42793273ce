package micro

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/product"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Products of int8 matrices, and of bfloat16 by tiles, in tile registers (AMX), where the
// processor has them and the system allows them. A tile is 16 rows of 64 bytes. One
// instruction multiplies 16 rows of A, 64 bytes of K each, by 16 groups of rows of
// B, 16 columns wide, four bytes of a column together, which is how panels hold them, and
// adds to 16 × 16 sums: signed bytes, modulo 2^32, so the bits are those of every other
// way; or bfloat16, with what the chain by tiles is defined to be.
//
// Tiles are state that the system must save. Code loads their shapes when it is entered
// and gives them up before it leaves, so that none are live in Go; a signal in between
// keeps them in its frame.

const (
	tileRows  = 16
	TileBytes = 64 // of a row
	TileSteps = TileBytes / GroupBytes
)

// The register block: sums of 2 × 2 tiles, and what is multiplied. Nothing allocates tile registers.
var (
	tileSums = [2][2]lir.Arg{{lir.Tile(0), lir.Tile(1)}, {lir.Tile(2), lir.Tile(3)}}
	tilesOfA = [2]lir.Arg{lir.Tile(4), lir.Tile(5)}
	tilesOfB = [2]lir.Arg{lir.Tile(6), lir.Tile(7)}
)

// tileShapes is what LDTILECFG reads: all tiles are whole.
func tileShapes() []byte {
	b := make([]byte, 64)
	b[0] = 1 // the palette
	for i := range 8 {
		b[16+2*i] = TileBytes
		b[48+i] = tileRows
	}
	return b
}

// TilesTiling is the register block in bytes of B and sums.
func TilesTiling() Tiling {
	return Tiling{Rows: 2 * tileRows, Vecs: 2, Cols: 2 * tileRows, Size: 4, Block: BlockOfTiles * TileSteps}
}

// BlockOfTiles is the steps of a chain in a call of the kernel, in tiles: a strip of so
// many takes two thirds of the first-level cache.
const BlockOfTiles = 16

// tileProduct is the instruction that multiplies tiles of elements of type d.
func tileProduct(d dtype.DType) asm.Op {
	if d == dtype.BFloat16 {
		return asm.TDPBF16PS
	}
	return asm.TDPBSSD
}

// A tileUse is an instruction of a step: the load of a tile of A or B, or a product of two.
type tileUse struct {
	what        tileInst
	row, column int // of the register block
}

type tileInst uint8

const (
	loadsA tileInst = iota
	loadsB
	multiplies
)

// What was measured to be fastest: products between loads that prefetch, and behind those that do not.
var (
	orderNear = []tileUse{{loadsA, 0, 0}, {loadsB, 0, 0}, {multiplies, 0, 0}, {loadsB, 0, 1}, {multiplies, 0, 1}, {loadsA, 1, 0}, {multiplies, 1, 0}, {multiplies, 1, 1}}
	orderPast = []tileUse{{loadsB, 0, 0}, {loadsA, 0, 0}, {loadsB, 0, 1}, {loadsA, 1, 0}, {multiplies, 0, 0}, {multiplies, 0, 1}, {multiplies, 1, 1}, {multiplies, 1, 0}}
)

const (
	tileSize  = tileRows * TileBytes
	stepBytes = 2 * tileSize // what a step takes of a strip, and of a panel of B
	BlockSums = 4 * tileSize // the sums of a strip times a panel, in rows of two tiles
)

// rowsPerStep is how many rows of a panel's sums have their turn in a step.
const rowsPerStep = 2 * tileRows / BlockOfTiles

// tileKernel writes the code that multiplies strips of 32 rows by all panels of B and adds to
// the sums, as kernelCode does; the steps of a chain make up whole tiles. What sums begin with
// lies in blocks of BlockSums, panel after panel. A call takes WordCount strips: from WordA on
// lies the first words of a frame for each.
//
// The tiles of the strip are kept in the frame, as the first panel meets them. The sums of
// a panel go to a block of the frame, and while the next panel is multiplied they move on
// from there, some rows in each step.
type tileKernel struct {
	g          *writer
	multiplies asm.Op
	past       bool

	strip, block int     // in the frame
	b            lir.Reg // the panel
	moved        rowMove
	line, pair   lir.Reg   // bytes from row to row: of tiles, of two side by side
	finish       *finisher // nil: sums stay sums
}

func tilesKernelCode(multiplies asm.Op, past bool, finish *product.Finish) *writer {
	g := newWriter(lir.AVX512, finish == nil)
	t := &tileKernel{g: g, multiplies: multiplies, past: past}
	t.strip, t.block = g.Alloc(BlockOfTiles*stepBytes), g.Alloc(BlockSums)
	if finish != nil {
		t.finish = g.newFinisher(finish)
	}
	g.Use(asm.LDTILECFG, g.BytesConst(tileShapes()))
	t.line, t.pair = g.NewInt(TileBytes), g.NewInt(2*TileBytes)
	// Before the first panel, the block moves to itself.
	t.moved = rowMove{from: g.NewReg(lir.GPR), to: g.NewReg(lir.GPR), ld: g.NewInt(2 * TileBytes)}
	g.Def(asm.LEA, g.R64(t.moved.from), lir.Frame(t.block))
	g.Def(asm.LEA, g.R64(t.moved.to), lir.Frame(t.block))
	words, left := g.Word(WordA), g.Word(WordCount)
	top := g.NewLabel()
	l := g.BeginLoop()
	g.Bind(top)
	g.takeWords(words)
	t.panels()
	g.AddConst(words, StripWords)
	g.RMW(asm.SUB, g.R64(left), lir.Imm(1))
	g.Jump(asm.JNE, top)
	g.EndLoop(l)
	g.Use(asm.TILERELEASE)
	t.moveRest(g.NewInt(2 * tileRows))
	g.Return(0)
	return g
}

// takeWords makes what lies at from the frame's first words.
func (g *writer) takeWords(from lir.Reg) {
	x := g.NewVec()
	for off := 0; off < StripWords; off += 32 {
		g.Def(asm.VMOVUPS, g.VW(x, 32), lir.Mem(from, off))
		g.Use(asm.VMOVUPS, lir.Frame(off), g.VW(x, 32))
	}
}

// panels is a strip times all panels.
func (t *tileKernel) panels() {
	g := t.g
	t.b = g.Word(WordB)
	top, end := g.NewLabel(), g.NewLabel()
	t.panel(true)
	g.Use(asm.SUB, lir.Frame(WordCount).Sized(8), lir.Imm(1))
	g.Jump(asm.JE, end)
	l := g.BeginLoop()
	g.Bind(top)
	t.panel(false)
	g.Use(asm.SUB, lir.Frame(WordCount).Sized(8), lir.Imm(1))
	g.Jump(asm.JNE, top)
	g.EndLoop(l)
	g.Bind(end)
}

// panel is the strip times a panel.
func (t *tileKernel) panel(first bool) {
	g := t.g
	t.beginSums()
	t.steps(first)
	rest := g.Word(WordK)
	g.RMW(asm.SHR, g.R64(rest), lir.Imm(int64(lir.Log2(TileSteps/rowsPerStep))))
	g.RMW(asm.NEG, g.R64(rest))
	g.AddConst(rest, 2*tileRows)
	t.moveRest(rest)
	g.Def(asm.LEA, g.R64(t.moved.from), lir.Frame(t.block))
	t.eachSum(t.moved.from, func(sum, at lir.Arg) { g.Use(asm.TILESTORED, at, sum) })
	g.Def(asm.MOV, g.R64(t.moved.to), lir.Frame(WordC))
	g.Def(asm.MOV, g.R64(t.moved.ld), lir.Frame(WordLdC))
	if t.finish != nil {
		t.finish.next(g)
	}
	by := g.Word(WordStepC)
	g.Use(asm.ADD, lir.Frame(WordC), g.R64(by))
	g.Use(asm.ADD, lir.Frame(WordFirst).Sized(8), lir.Imm(BlockSums))
	g.RMW(asm.ADD, g.R64(t.b), lir.Frame(WordStepB))
}

// steps goes through K. In the first panel A's tiles come from its rows, past the
// first-level cache, and are kept.
func (t *tileKernel) steps(first bool) {
	g := t.g
	pa, pb, left := g.NewReg(lir.GPR), g.CopyInt(t.b), g.Word(WordK)
	g.Def(asm.LEA, g.R64(pa), lir.Frame(t.strip))
	kept := func(j int) lir.Arg { return lir.MemIndex(pa, t.line, 1, j*tileSize) }
	a, load := kept, asm.TILELOADD
	var rows [2]lir.Reg
	if first {
		ld := g.Word(WordLdA)
		rows[0], rows[1] = g.Word(WordA), g.CopyInt(ld)
		g.RMW(asm.SHL, g.R64(rows[1]), lir.Imm(int64(lir.Log2(tileRows))))
		g.RMW(asm.ADD, g.R64(rows[1]), g.R64(rows[0]))
		a, load = func(j int) lir.Arg { return lir.MemIndex(rows[j], ld, 1, 0) }, asm.TILELOADDT1
	}
	sums := g.Word(WordFirst)
	top := g.NewLabel()
	l := g.BeginLoop()
	g.Bind(top)
	t.products(load, a, pb)
	if first {
		for j, x := range tilesOfA {
			g.Use(asm.TILESTORED, kept(j), x)
			g.AddConst(rows[j], TileBytes)
		}
	}
	g.fetchSums(sums)
	for range rowsPerStep {
		t.moveRow()
	}
	g.AddConst(pa, stepBytes)
	g.AddConst(pb, stepBytes)
	g.RMW(asm.SUB, g.R64(left), lir.Imm(TileSteps))
	g.Jump(asm.JG, top)
	g.EndLoop(l)
}

// products is the loads and products of a step; loadA loads tiles of A. The kernel that does
// not load past the first-level cache prefetches what the next step takes of B.
func (t *tileKernel) products(loadA asm.Op, a func(j int) lir.Arg, pb lir.Reg) {
	g := t.g
	order, load := orderNear, asm.TILELOADD
	if t.past {
		order, load = orderPast, asm.TILELOADDT1
	}
	fetched := stepBytes
	for _, u := range order {
		switch i, j := u.row, u.column; u.what {
		case loadsA:
			g.Use(loadA, tilesOfA[i], a(i))
		case loadsB:
			g.Use(load, tilesOfB[j], lir.MemIndex(pb, t.line, 1, j*tileSize))
		default:
			g.Use(t.multiplies, tileSums[i][j], tilesOfA[i], tilesOfB[j])
			continue
		}
		for range stepBytes / 4 / 64 {
			if !t.past {
				g.Use(asm.PREFETCHT0, lir.Mem(pb, fetched).Sized(1))
			}
			fetched += 64
		}
	}
}

// fetchSums prefetches some of what the next panel's sums begin with, from a cursor on.
func (g *writer) fetchSums(at lir.Reg) {
	fresh := g.NewLabel()
	g.Use(asm.CMP, lir.Frame(WordFresh).Sized(8), lir.Imm(0))
	g.Jump(asm.JNE, fresh)
	const some = BlockSums / BlockOfTiles
	for i := range some / 64 {
		g.Use(asm.PREFETCHT0, lir.Mem(at, BlockSums+64*i).Sized(1))
	}
	g.AddConst(at, some)
	g.Bind(fresh)
}

// A rowMove is rows on their way: cursors.
type rowMove struct{ from, to, ld lir.Reg }

// moveRow moves one row on, of sums or of what is made of them.
func (t *tileKernel) moveRow() {
	g := t.g
	if t.finish != nil {
		t.finish.move(g, t.moved)
		return
	}
	g.copyBlocks(t.moved)
	g.AddConst(t.moved.from, 2*TileBytes)
	g.RMW(asm.ADD, g.R64(t.moved.to), g.R64(t.moved.ld))
}

// copyBlocks copies a row.
func (g *writer) copyBlocks(m rowMove) {
	var x [2]lir.Reg
	for i := range x {
		x[i] = g.NewVec()
		g.Def(asm.VMOVUPS, g.V(x[i]), lir.Mem(m.from, i*TileBytes))
	}
	for i := range x {
		g.Use(asm.VMOVUPS, lir.Mem(m.to, i*TileBytes), g.V(x[i]))
	}
}

// moveRest moves the rows that are left, if any.
func (t *tileKernel) moveRest(left lir.Reg) {
	g := t.g
	top, end := g.NewLabel(), g.NewLabel()
	g.Use(asm.CMP, g.R64(left), lir.Imm(0))
	g.Jump(asm.JLE, end)
	l := g.BeginLoop()
	g.Bind(top)
	t.moveRow()
	g.RMW(asm.SUB, g.R64(left), lir.Imm(1))
	g.Jump(asm.JNE, top)
	g.EndLoop(l)
	g.Bind(end)
}

// beginSums loads the sums of a panel, or makes them zeros in the first block of K.
func (t *tileKernel) beginSums() {
	g := t.g
	fresh, begin := g.NewLabel(), g.NewLabel()
	g.Use(asm.CMP, lir.Frame(WordFresh).Sized(8), lir.Imm(0))
	g.Jump(asm.JNE, fresh)
	t.eachSum(g.Word(WordFirst), func(sum, at lir.Arg) { g.Use(asm.TILELOADD, sum, at) })
	g.Jump(asm.JMP, begin)
	g.Bind(fresh)
	for _, row := range tileSums {
		for _, sum := range row {
			g.Use(asm.TILEZERO, sum)
		}
	}
	g.Bind(begin)
}

// eachSum runs f for every tile of sums and where it lies in a block of them.
func (t *tileKernel) eachSum(block lir.Reg, f func(sum, at lir.Arg)) {
	for i, row := range tileSums {
		for j, sum := range row {
			f(sum, lir.MemIndex(block, t.pair, 1, i*BlockSums/2+j*TileBytes))
		}
	}
}

// StripWords is bytes: the words that the kernel takes are among these.
const StripWords = (WordRows + 31) &^ 31
