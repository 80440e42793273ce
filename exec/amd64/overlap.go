package amd64

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
)

// Software pipelining of instances (fuse/overlap.go says of which) as code.

// A head is the code of an instance's head, written twice.
type head struct {
	own, next   *lir.Seq // for the instance itself, and for the one that follows
	early, late *lir.Seq // what comes after it, ahead of the gap and behind it
	abandoned   int      // label at the end of next
	ready       lir.Reg  // 1 if next has been done
	// given are the registers that the rest of the instance reads, and from those that
	// next has them in.
	given, from []lir.Reg
}

// head takes an instance's code apart, nil if it is not overlapped with the next one's.
// What it writes belongs ahead of the loop over instances.
func (g *gen) head(body *lir.Seq) *head {
	if g.Plan.Overlap.Last == nil {
		return nil
	}
	h := &head{own: &lir.Seq{}, abandoned: g.NewLabel()}
	h.late = body.CutBehind(g.gapAt)
	h.early = body.CutBehind(g.headEnd)
	g.Into(h.own, func() { g.Append(g.Entry); g.Append(body) })
	other := g.Renamed(h.own)
	h.next = g.WriteAgain(h.own, other, h.abandoned)
	read := map[lir.Reg]bool{}
	for _, s := range []*lir.Seq{h.early, h.late} {
		s.EachRead(func(r lir.Reg) { read[r] = true })
	}
	h.own.EachWrite(func(r lir.Reg) {
		if read[r] {
			read[r] = false
			h.given, h.from = append(h.given, r), append(h.from, other[r])
		}
	})
	h.ready = g.NewInt(0)
	for _, r := range h.from {
		g.Clear(r)
	}
	return h
}

// overlapped writes an instance, and on its way the head of the next one, if that is the
// next along the first axis of the grid and is run by the same call.
func (g *gen) overlapped(h *head) {
	do, done, skip := g.NewLabel(), g.NewLabel(), g.NewLabel()
	g.Use(asm.TEST, g.R64(h.ready), g.R64(h.ready))
	g.Jump(asm.JE, do)
	for i, r := range h.given {
		g.CopyReg(r, h.from[i])
	}
	g.SetImm(h.ready, 0)
	g.Jump(asm.JMP, done)
	g.Bind(do)
	g.Append(h.own)
	g.Bind(done)
	g.Append(h.early)
	x := g.BinInt(asm.ADD, g.Word(scalar.OffID), lir.Imm(1))
	g.Use(asm.CMP, g.R64(x), lir.Frame(scalar.OffNum))
	g.Jump(asm.JGE, skip)
	g.RMW(asm.ADD, g.R64(x), lir.Frame(scalar.OffRow))
	g.Use(asm.CMP, g.R64(x), lir.Frame(scalar.OffEnd))
	g.Jump(asm.JGE, skip)
	g.Use(asm.ADD, lir.Frame(scalar.OffID).Sized(8), lir.Imm(1))
	g.Append(h.next)
	g.SetImm(h.ready, 1)
	g.Bind(h.abandoned)
	g.Use(asm.SUB, lir.Frame(scalar.OffID).Sized(8), lir.Imm(1))
	g.Bind(skip)
	g.Append(h.late)
}
