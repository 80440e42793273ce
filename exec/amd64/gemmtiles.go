package amd64

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/cpu"
)

// Products of int8 matrices in tile registers (AMX), where the processor has them and
// the system allows them. A tile is 16 rows of 64 bytes. One instruction multiplies 16
// rows of a, 64 bytes of the chain each, by 16 groups of four rows of b, 16 columns wide,
// which is how panels hold them, and adds to 16 × 16 sums: signed bytes, modulo 2^32, so
// the bits are those of every other way.
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

// tileProducts reports whether products of bytes are to be in tiles.
func tileProducts(o Options) bool { return !o.NoTiles && cpu.AVX512.Available() && cpu.Tiles() }

// tilesTiling is the register block in bytes of b and sums.
func tilesTiling() tiling {
	return tiling{rows: 2 * tileRows, vecs: 2, cols: 2 * tileRows, size: 4, block: 16 * tileSteps}
}

// tilesKernelCode multiplies a strip of 32 rows by all panels of b and adds to the sums,
// as kernelCode does; the steps of a chain make up whole tiles.
func tilesKernelCode() *gen {
	g := bareGen(true, true)
	g.use(asm.LDTILECFG, g.bytesConst(tileShapes()))
	b, c := g.word(gemmB), g.word(gemmC)
	top := g.newLabel()
	l := g.beginLoop()
	g.bind(top)
	g.tilePanel(b, c)
	g.rmw(asm.ADD, g.r64(b), frameAt(gemmStepB))
	g.addConst(c, 2*tileBytes)
	g.use(asm.SUB, frameAt(gemmCount).sized(8), imm(1))
	g.jump(asm.JNE, top)
	g.endLoop(l)
	g.use(asm.TILERELEASE)
	g.add(inst{kind: leave})
	return g
}

// tilePanel is a strip times one panel. It fetches where the next panel's sums are.
func (g *gen) tilePanel(b, c reg) {
	fresh, begin := g.newLabel(), g.newLabel()
	g.use(asm.CMP, frameAt(gemmFresh).sized(8), imm(0))
	g.jump(asm.JNE, fresh)
	g.eachSum(c, func(sum, at arg) { g.use(asm.TILELOADD, sum, at) })
	g.jump(asm.JMP, begin)
	g.bind(fresh)
	for _, row := range tileSums {
		for _, sum := range row {
			g.use(asm.TILEZERO, sum)
		}
	}
	g.bind(begin)
	ldA, ldB, ldC := g.word(gemmLdA), g.newInt(2*tileBytes), g.word(gemmLdC)
	high := g.word(gemmA)
	low := g.copyInt(ldA)
	g.rmw(asm.SHL, g.r64(low), imm(int64(log2(tileRows))))
	g.rmw(asm.ADD, g.r64(low), g.r64(high))
	pb, ahead := g.copyInt(b), g.copyInt(c)
	left := g.word(gemmK)
	top := g.newLabel()
	l := g.beginLoop()
	g.bind(top)
	const step = 2 * tileRows * tileBytes // bytes of b
	lines := 0
	load := func(t arg, at arg) {
		g.use(asm.TILELOADD, t, at)
		for range step / 64 / 4 { // what the next step takes of b
			g.use(asm.PREFETCHT0, mem(pb, step+64*lines).sized(1))
			lines++
		}
	}
	times := func(i, j int) { g.use(asm.TDPBSSD, tileSums[i][j], tilesOfA[i], tilesOfB[j]) }
	load(tilesOfA[0], memIndex(high, ldA, 1, 0))
	load(tilesOfB[0], memIndex(pb, ldB, 1, 0))
	times(0, 0)
	load(tilesOfB[1], memIndex(pb, ldB, 1, tileBytes))
	times(0, 1)
	load(tilesOfA[1], memIndex(low, ldA, 1, 0))
	times(1, 0)
	times(1, 1)
	for range 2 {
		for off := 2 * tileBytes; off < 4*tileBytes; off += 64 {
			g.use(asm.PREFETCHW, mem(ahead, off).sized(1))
		}
		g.rmw(asm.ADD, g.r64(ahead), g.r64(ldC))
	}
	g.addConst(high, tileBytes)
	g.addConst(low, tileBytes)
	g.addConst(pb, step)
	g.rmw(asm.SUB, g.r64(left), imm(tileSteps))
	g.jump(asm.JG, top)
	g.endLoop(l)
	g.eachSum(c, func(sum, at arg) { g.use(asm.TILESTORED, at, sum) })
}

// eachSum runs f for every tile of sums and where it lies.
func (g *gen) eachSum(c reg, f func(sum, at arg)) {
	ld, row := g.word(gemmLdC), g.copyInt(c)
	for i, sums := range tileSums {
		for j, sum := range sums {
			f(sum, memIndex(row, ld, 1, j*tileBytes))
		}
		if i == 0 {
			down := g.copyInt(ld)
			g.rmw(asm.SHL, g.r64(down), imm(int64(log2(tileRows))))
			g.rmw(asm.ADD, g.r64(row), g.r64(down))
		}
	}
}

// wholeTiles reports whether a strip of a can be read where it lies: its part of the
// chain ends within the rows, and they do not compete for places in the cache.
func (w *productWorker) wholeTiles(k, steps int) bool {
	return k+steps*groupBytes <= w.run.w.k && w.run.w.a.row%4096 != 0
}
