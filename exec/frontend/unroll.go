package frontend

import (
	"go/ast"
	"go/types"

	"github.com/tiler-go/tiler/exec/frontend/flow"
	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/frontend/value"
)

// maxRounds bounds unrolling.
const maxRounds = 1000

// inLane is a loop in a combining function: it must be unrolled.
func (p *loop) inLane() {
	p.l.Unroll[p.stmt] = value.ReasonToUnroll{Pos: p.stmt.Pos(), What: "a loop in a combining function"}
	if p.isGo {
		p.unrolledRange()
	} else {
		p.unrolled()
	}
}

// unrolled lowers a loop round by round: its condition must be known each time. Each round has variables of its own.
func (p *loop) unrolled() {
	l := p.l
	objs := gofile.DeclaredBy(l.File, p.stmt)
	first := make([]*value.Variable, len(objs))
	for i, o := range objs {
		first[i] = l.Frame.Vars[o]
	}
	l.Breakable(p.region, p.stmt.Pos(), func() {
		for i, o := range objs {
			l.Frame.Vars[o] = first[i]
		}
		for n := 0; ; n++ {
			if p.cond != nil {
				holds, ok := p.decided(p.cond)
				if !ok || !holds {
					return
				}
			}
			if !p.unrolledRound(n) {
				return
			}
			for _, o := range objs {
				x := l.Frame.Vars[o]
				l.Declare(o, x.Name, x.Val, x.At)
			}
			if p.post != nil {
				l.stmt(p.post, nil, nil, false)
			}
		}
	})
}

// decided is the condition of an unrolled loop.
func (p *loop) decided(e ast.Expr) (holds, ok bool) {
	l := p.l
	n := len(l.Diags)
	l.Frame.Reads = l.Frame.Reads[:0]
	bits, ok := l.Static(l.expr(e), e.Pos(), "the condition of this loop")
	p.explainUnrolling(n)
	return bits != 0, ok
}

// explainUnrolling adds to the messages from the n-th on why the loop is unrolled.
func (p *loop) explainUnrolling(n int) {
	why := p.l.Unroll[p.stmt]
	for _, d := range p.l.Diags[n:] {
		d.NoteAt(p.l.File.Position(why.Pos), "the loop is unrolled because %s depends on it", why.What)
	}
}

// unrolledRound lowers one round, and reports whether another may follow.
func (p *loop) unrolledRound(n int) bool {
	l := p.l
	if n == maxRounds {
		l.Error(p.stmt.Pos(), "a loop of more than %d iterations would have to be unrolled", maxRounds)
		p.explainUnrolling(len(l.Diags) - 1)
		return false
	}
	body := &flow.Region{Kind: flow.Body, Label: p.region.Label, Of: p.region}
	l.Breakable(body, p.body.Pos(), func() { l.list(p.body.List, true) })
	return l.Flow.Kind == flow.Falls
}

// unrolledRange is unrolled for a range over an int.
func (p *loop) unrolledRange() {
	l := p.l
	n := len(l.Diags)
	bits, ok := l.Static(p.hi, p.stmt.Pos(), "the range of this loop")
	p.explainUnrolling(n)
	if !ok {
		return
	}
	l.Breakable(p.region, p.stmt.Pos(), func() {
		for i := 0; i < int(bits); i++ {
			p.setIndex(value.Value{Kind: value.ScalarKind, Basic: types.Int, Known: true, Bits: uint64(i)})
			if !p.unrolledRound(i) {
				return
			}
		}
	})
}
