package amd64

import "github.com/tiler-go/tiler/exec/amd64/asm"

// What the kernel of a product does ahead of time, while it goes through a panel: it fetches
// rows of results to come, and rows of a, or copies them (gemmacross.go).

// rowsFetched is how many rows of the strip to come, and of where results go, are asked
// for while a panel is gone through.
const rowsFetched = 2

// aside gives what is done in step k of a group, and at the end of the panel.
func (g *gen) aside(s stepping) (step func(k int), end func()) {
	strip := g.fetchRows
	if s.across {
		strip = g.copySteps
	}
	row, end := strip(s)
	var out [rowsFetched]reg
	for i := range out {
		out[i] = g.word(gemmOut)
		if i > 0 {
			g.rmw(asm.ADD, g.r64(out[i]), frameAt(gemmLdOut))
		}
	}
	return func(k int) {
		const apart = groupSteps / rowsFetched
		if i := k / apart; k%apart == 0 {
			row(i)
			g.use(asm.PREFETCHW, mem(out[i], 0).sized(1))
			g.rmw(asm.ADD, g.r64(out[i]), frameAt(gemmStepOut))
		}
	}, end
}

// fetchRows asks for rows of the strip to come: for some more of each, rowsFetched times in a
// group.
func (g *gen) fetchRows(s stepping) (step func(row int), end func()) {
	var ahead [rowsFetched]reg
	for i := range ahead {
		ahead[i] = g.word(gemmNext)
		if i > 0 {
			g.rmw(asm.ADD, g.r64(ahead[i]), frameAt(gemmLdNext))
		}
	}
	step = func(row int) {
		g.use(asm.PREFETCHT1, mem(ahead[row], 0).sized(1))
		g.addConst(ahead[row], int64(groupSteps*s.from.Size()))
	}
	return step, func() { g.nextRows(gemmNext, gemmOut) }
}

// nextRows makes the next panel fetch the next rows. The words given say where they are, and
// those that follow how many bytes lie between rows.
func (g *gen) nextRows(words ...int) {
	end := g.newLabel()
	g.use(asm.SUB, frameAt(gemmRowsNext).sized(8), imm(rowsFetched))
	g.jump(asm.JLE, end)
	for _, word := range words {
		by := g.word(word + 8)
		for range rowsFetched {
			g.use(asm.ADD, frameAt(word), g.r64(by))
		}
	}
	g.bind(end)
}
