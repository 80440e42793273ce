package micro

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
)

// What the micro-kernel does ahead of time, while it goes through a panel: it prefetches rows of C, and rows of the
// next strip of A, or copies these (across.go).

// rowsFetched is how many rows of the next strip, and of C, are prefetched while a panel is gone through.
const rowsFetched = 2

// meanwhile gives what is done in step k of a group, and at the end of the panel.
func (g *writer) meanwhile(s stepping) (step func(k int), end func()) {
	strip := g.fetchRows
	if s.across {
		strip = g.copySteps
	}
	row, end := strip(s)
	var out [rowsFetched]lir.Reg
	for i := range out {
		out[i] = g.Word(WordOut)
		if i > 0 {
			g.RMW(asm.ADD, g.R64(out[i]), lir.Frame(WordLdOut))
		}
	}
	return func(k int) {
		const apart = GroupSteps / rowsFetched
		if i := k / apart; k%apart == 0 {
			row(i)
			g.Use(asm.PREFETCHW, lir.Mem(out[i], 0).Sized(1))
			g.RMW(asm.ADD, g.R64(out[i]), lir.Frame(WordStepOut))
		}
	}, end
}

// fetchRows prefetches rows of the next strip: some more of each, rowsFetched times in a group.
func (g *writer) fetchRows(s stepping) (step func(row int), end func()) {
	var ahead [rowsFetched]lir.Reg
	for i := range ahead {
		ahead[i] = g.Word(WordNext)
		if i > 0 {
			g.RMW(asm.ADD, g.R64(ahead[i]), lir.Frame(WordLdNext))
		}
	}
	step = func(row int) {
		g.Use(asm.PREFETCHT1, lir.Mem(ahead[row], 0).Sized(1))
		g.AddConst(ahead[row], int64(GroupSteps*s.from.Size()))
	}
	return step, func() { g.nextRows(WordNext, WordOut) }
}

// nextRows makes the next panel prefetch the next rows. The words given say where they are, and
// those that follow how many bytes lie between rows.
func (g *writer) nextRows(words ...int) {
	end := g.NewLabel()
	g.Use(asm.SUB, lir.Frame(WordRowsNext).Sized(8), lir.Imm(rowsFetched))
	g.Jump(asm.JLE, end)
	for _, word := range words {
		by := g.Word(word + 8)
		for range rowsFetched {
			g.Use(asm.ADD, lir.Frame(word), g.R64(by))
		}
	}
	g.Bind(end)
}
