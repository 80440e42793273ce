package amd64

import (
	"strings"
	"time"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Products of int8 matrices, and of bfloat16 by tiles, in tile registers (AMX), where the
// processor has them and the system allows them. A tile is 16 rows of 64 bytes. One
// instruction multiplies 16 rows of a, 64 bytes of the chain each, by 16 groups of rows of
// b, 16 columns wide, four bytes of a column together, which is how panels hold them, and
// adds to 16 × 16 sums: signed bytes, modulo 2^32, so the bits are those of every other
// way; or bfloat16, with what the chain by tiles is defined to be.
//
// Tiles are state that the system must save. Code loads their shapes when it is entered
// and gives them up before it leaves, so that none are live in Go; a signal in between
// keeps them in its frame.

const (
	tileRows  = 16
	tileBytes = 64 // of a row
	tileSteps = tileBytes / groupBytes
)

// The register block: sums of 2 × 2 tiles, and what is multiplied.
var (
	tileSums = [2][2]arg{{tile(0), tile(1)}, {tile(2), tile(3)}}
	tilesOfA = [2]arg{tile(4), tile(5)}
	tilesOfB = [2]arg{tile(6), tile(7)}
)

// tile is tile register n. Those of a kernel are fixed: nothing allocates them.
func tile(n int) arg { return arg{kind: tileArg, n: int64(n)} }

// tileShapes is what LDTILECFG reads: all tiles are whole.
func tileShapes() []byte {
	b := make([]byte, 64)
	b[0] = 1 // the palette
	for i := range 8 {
		b[16+2*i] = tileBytes
		b[48+i] = tileRows
	}
	return b
}

// byteTiles reports whether products of bytes are to be in tiles, bf16Tiles those by tiles
// of bfloat16.
func byteTiles(o Options) bool { return useTiles(o) && cpu.Tiles(cpu.HasAMXINT8) }
func bf16Tiles(o Options) bool { return useTiles(o) && tilesAgree() }

func useTiles(o Options) bool { return o.AVX512 && !o.NoTiles && cpu.AVX512.Available() }

// tilesParts says by which kernels operands of type d are multiplied in tiles.
func (p *Product) tilesParts(later func(*part[piece], pieceKind, dtype.DType, int), d dtype.DType) {
	p.tiles, p.t = true, tilesTiling()
	later(&p.kernel, tilesNearPiece, d, 0)
	later(&p.past, tilesPastPiece, d, 0)
}

// tilesTiling is the register block in bytes of b and sums.
func tilesTiling() tiling {
	return tiling{rows: 2 * tileRows, vecs: 2, cols: 2 * tileRows, size: 4, block: blockOfTiles * tileSteps}
}

// blockOfTiles is the steps of a chain in a call of the kernel, in tiles: a strip of so
// many takes two thirds of the first-level cache.
const blockOfTiles = 16

// There are two kernels. Where the core is a thread's own, the strip should stay in the
// first-level cache, past which b's tiles are loaded then; and what is stored to rows far
// apart, which no cache has, should trickle. Where another thread has half of the cache,
// it is faster to fetch everything ahead of time. Which one it is, is tried (tilesTrial).
const (
	tilesNear = iota
	tilesPast
	numTilesKernels
)

// tileProduct is the instruction that multiplies tiles of elements of type d.
func tileProduct(d dtype.DType) asm.Op {
	if d == dtype.BFloat16 {
		return asm.TDPBF16PS
	}
	return asm.TDPBSSD
}

// tilesKernelCode multiplies a strip of 32 rows by all panels of b and adds to the sums,
// as kernelCode does; the steps of a chain make up whole tiles.
func tilesKernelCode(product asm.Op, past bool) *gen {
	g := bareGen(true, true)
	g.use(asm.LDTILECFG, g.bytesConst(tileShapes()))
	b, c := g.word(gemmB), g.word(gemmC)
	var done panelRows
	if past {
		done = g.noRows()
	}
	top := g.newLabel()
	l := g.beginLoop()
	g.bind(top)
	g.beginSums(c)
	if past {
		g.panelPast(product, b, done)
		g.move64(done.to, c)
		g.def(asm.MOV, g.r64(done.ld), frameAt(gemmLdC))
	} else {
		g.panelNear(product, b, c)
	}
	g.rmw(asm.ADD, g.r64(b), frameAt(gemmStepB))
	g.addConst(c, 2*tileBytes)
	g.use(asm.SUB, frameAt(gemmCount).sized(8), imm(1))
	g.jump(asm.JNE, top)
	g.endLoop(l)
	g.use(asm.TILERELEASE)
	if past {
		g.copyRest(g.rowsOf(done), g.newInt(2*tileRows))
	}
	g.add(inst{kind: leave})
	return g
}

// A tileOrder is the instructions of a step: loads of tiles of a and b, products of two.
type tileOrder string

// What was measured to be fastest: products between loads that fetch, and behind those
// that do not.
const (
	orderNear tileOrder = "a0 b0 00 b1 01 a1 10 11"
	orderPast tileOrder = "b0 a0 b1 a1 00 01 11 10"
)

// tileSteps multiplies a strip by a panel of b, whose tiles it loads by the given
// instruction; fetch runs behind each of the four loads of a step, each at its end.
func (g *gen) tileSteps(product asm.Op, order tileOrder, b reg, load asm.Op, fetch func(pb reg, part int), each func()) {
	ldA, ldB := g.word(gemmLdA), g.newInt(2*tileBytes)
	high := g.word(gemmA)
	low := g.copyInt(ldA)
	g.rmw(asm.SHL, g.r64(low), imm(int64(log2(tileRows))))
	g.rmw(asm.ADD, g.r64(low), g.r64(high))
	pb := g.copyInt(b)
	left := g.word(gemmK)
	top := g.newLabel()
	l := g.beginLoop()
	g.bind(top)
	loads := 0
	for _, s := range strings.Fields(string(order)) {
		j := s[1] - '0'
		switch s[0] {
		case 'a':
			g.use(asm.TILELOADD, tilesOfA[j], memIndex([]reg{high, low}[j], ldA, 1, 0))
		case 'b':
			g.use(load, tilesOfB[j], memIndex(pb, ldB, 1, int(j)*tileBytes))
		default:
			i := s[0] - '0'
			g.use(product, tileSums[i][j], tilesOfA[i], tilesOfB[j])
			continue
		}
		fetch(pb, loads)
		loads++
	}
	each()
	g.addConst(high, tileBytes)
	g.addConst(low, tileBytes)
	g.addConst(pb, stepBytes)
	g.rmw(asm.SUB, g.r64(left), imm(tileSteps))
	g.jump(asm.JG, top)
	g.endLoop(l)
}

// stepBytes is what a step takes of b.
const stepBytes = 2 * tileRows * tileBytes

// rowsPerStep is how many rows of a panel's sums have their turn in a step.
const rowsPerStep = 2 * tileRows / blockOfTiles

// panelNear is a panel for tilesNear: each step fetches what the next one takes of b, and
// rows of where the next panel's sums will go.
func (g *gen) panelNear(product asm.Op, b, c reg) {
	ahead, ld := g.copyInt(c), g.word(gemmLdC)
	fetch := func(pb reg, part int) {
		for i := range stepBytes / 4 / 64 {
			g.use(asm.PREFETCHT0, mem(pb, stepBytes+part*stepBytes/4+64*i).sized(1))
		}
	}
	g.tileSteps(product, orderNear, b, asm.TILELOADD, fetch, func() {
		for range rowsPerStep {
			g.use(asm.PREFETCHW, mem(ahead, 2*tileBytes).sized(1))
			g.use(asm.PREFETCHW, mem(ahead, 3*tileBytes).sized(1))
			g.rmw(asm.ADD, g.r64(ahead), g.r64(ld))
		}
	})
	g.eachSum(c, g.word(gemmLdC), func(sum, at arg) { g.use(asm.TILESTORED, at, sum) })
}

// panelPast is a panel for tilesPast: its sums go to a block of the frame; those of the
// panel before move on from there, some rows in each step.
func (g *gen) panelPast(product asm.Op, b reg, before panelRows) {
	moved := g.rowsOf(before)
	g.tileSteps(product, orderPast, b, asm.TILELOADDT1, func(reg, int) {}, func() {
		for range rowsPerStep {
			g.copyRow(moved)
		}
	})
	rest := g.word(gemmK)
	g.rmw(asm.SHR, g.r64(rest), imm(int64(log2(tileSteps/rowsPerStep))))
	g.rmw(asm.NEG, g.r64(rest))
	g.addConst(rest, 2*tileRows)
	g.copyRest(moved, rest)
	block := g.newReg(gpr)
	g.def(asm.LEA, g.r64(block), frameAt(before.block))
	g.eachSum(block, g.newInt(2*tileBytes), func(sum, at arg) { g.use(asm.TILESTORED, at, sum) })
}

// panelRows is where the sums of a panel belong, ld bytes from row to row, and the block
// of the frame where they are.
type panelRows struct {
	to, ld reg
	block  int
}

// noRows is before the first panel: the block is copied to itself.
func (g *gen) noRows() panelRows {
	p := panelRows{to: g.newReg(gpr), ld: g.newInt(2 * tileBytes), block: g.alloc(2 * tileRows * 2 * tileBytes)}
	g.def(asm.LEA, g.r64(p.to), frameAt(p.block))
	return p
}

// A rowMove is rows on their way: cursors.
type rowMove struct{ from, to, ld reg }

func (g *gen) rowsOf(p panelRows) rowMove {
	m := rowMove{g.newReg(gpr), g.copyInt(p.to), p.ld}
	g.def(asm.LEA, g.r64(m.from), frameAt(p.block))
	return m
}

// copyRow moves one row on.
func (g *gen) copyRow(m rowMove) {
	var x [2]reg
	for i := range x {
		x[i] = g.newVec()
		g.def(asm.VMOVUPS, g.v(x[i]), mem(m.from, i*tileBytes))
	}
	for i := range x {
		g.use(asm.VMOVUPS, mem(m.to, i*tileBytes), g.v(x[i]))
	}
	g.addConst(m.from, 2*tileBytes)
	g.rmw(asm.ADD, g.r64(m.to), g.r64(m.ld))
}

// copyRest moves the rows that are left, if any.
func (g *gen) copyRest(m rowMove, left reg) {
	top, end := g.newLabel(), g.newLabel()
	g.use(asm.CMP, g.r64(left), imm(0))
	g.jump(asm.JLE, end)
	l := g.beginLoop()
	g.bind(top)
	g.copyRow(m)
	g.rmw(asm.SUB, g.r64(left), imm(1))
	g.jump(asm.JNE, top)
	g.endLoop(l)
	g.bind(end)
}

// beginSums loads the sums of a panel, or makes them zeros in the first block of the chain.
func (g *gen) beginSums(c reg) {
	fresh, begin := g.newLabel(), g.newLabel()
	g.use(asm.CMP, frameAt(gemmFresh).sized(8), imm(0))
	g.jump(asm.JNE, fresh)
	g.eachSum(c, g.word(gemmLdC), func(sum, at arg) { g.use(asm.TILELOADD, sum, at) })
	g.jump(asm.JMP, begin)
	g.bind(fresh)
	for _, row := range tileSums {
		for _, sum := range row {
			g.use(asm.TILEZERO, sum)
		}
	}
	g.bind(begin)
}

// eachSum runs f for every tile of sums and where it lies, in rows ld bytes apart.
func (g *gen) eachSum(first, ld reg, f func(sum, at arg)) {
	low := g.copyInt(ld)
	g.rmw(asm.SHL, g.r64(low), imm(int64(log2(tileRows))))
	g.rmw(asm.ADD, g.r64(low), g.r64(first))
	for i, row := range []reg{first, low} {
		for j, sum := range tileSums[i] {
			f(sum, memIndex(row, ld, 1, j*tileBytes))
		}
	}
}

// inPlace reports whether strips of a can be read where they lie: their rows do not
// compete for places in the first-level cache.
func (r *productRun) inPlace() bool {
	l1 := cpu.CacheSizes().L1
	taken := make([]int, l1.Sets())
	for row := range int64(2 * tileRows) {
		at := (int64(r.w.a.base) + row*r.w.a.row) / int64(l1.Line)
		for line := range int64(blockOfTiles*tileBytes/l1.Line + 1) {
			set := &taken[(at+line)%int64(len(taken))]
			if *set++; *set > l1.Ways*3/4 {
				return false
			}
		}
	}
	return true
}

// A tilesTrial chooses between the kernels: every so often each multiplies a few strips,
// by the clock, and the faster one goes on. Bits do not depend on it.
type tilesTrial struct {
	calls int
	cost  [numTilesKernels]time.Duration
	best  int
}

const (
	trialEvery = 64
	trialCalls = 2 * numTilesKernels
)

// multiplyTiles calls a kernel.
func (w *productWorker) multiplyTiles() {
	t, kernels := &w.trial, &w.run.tiles
	turn := t.calls % trialEvery
	t.calls++
	if turn >= trialCalls {
		w.call(kernels[t.best])
		return
	}
	i := turn % numTilesKernels
	start := time.Now()
	w.call(kernels[i])
	t.cost[i] += time.Since(start)
	if turn == trialCalls-1 {
		t.best = tilesNear
		if t.cost[tilesPast] < t.cost[tilesNear] {
			t.best = tilesPast
		}
		t.cost = [numTilesKernels]time.Duration{}
	}
}
