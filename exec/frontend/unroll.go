package frontend

import (
	"go/ast"
	"go/types"
)

// maxRounds bounds unrolling.
const maxRounds = 1000

// inLane is a loop in a combining function: it must be unrolled.
func (p *loop) inLane() {
	p.l.unroll[p.stmt] = reasonToUnroll{p.stmt.Pos(), "a loop in a combining function"}
	if p.isGo {
		p.unrolledRange()
	} else {
		p.unrolled()
	}
}

// unrolled lowers a loop round by round: its condition must be known each time.
func (p *loop) unrolled() {
	l := p.l
	l.breakable(p.region, p.stmt.Pos(), func() {
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
			if p.post != nil {
				l.stmt(p.post, nil, nil, false)
			}
		}
	})
}

// decided is the condition of an unrolled loop.
func (p *loop) decided(e ast.Expr) (holds, ok bool) {
	l := p.l
	n := len(l.diags)
	bits, ok := l.static(l.expr(e), e.Pos(), "the condition of this loop")
	p.explainUnrolling(n)
	return bits != 0, ok
}

// explainUnrolling adds to the messages from the n-th on why the loop is unrolled.
func (p *loop) explainUnrolling(n int) {
	why := p.l.unroll[p.stmt]
	for _, d := range p.l.diags[n:] {
		d.NoteAt(p.l.f.Position(why.pos), "the loop is unrolled because %s depends on it", why.what)
	}
}

// unrolledRound lowers one round, and reports whether another may follow.
func (p *loop) unrolledRound(n int) bool {
	l := p.l
	if n == maxRounds {
		l.error(p.stmt.Pos(), "a loop of more than %d iterations would have to be unrolled", maxRounds)
		p.explainUnrolling(len(l.diags) - 1)
		return false
	}
	body := &region{kind: bodyRegion, label: p.region.label, loop: p}
	l.breakable(body, p.body.Pos(), func() { l.list(p.body.List, true) })
	return l.flow.kind == falls
}

// unrolledRange is unrolled for a range over an int.
func (p *loop) unrolledRange() {
	l := p.l
	n := len(l.diags)
	bits, ok := l.static(p.hi, p.stmt.Pos(), "the range of this loop")
	p.explainUnrolling(n)
	if !ok {
		return
	}
	l.breakable(p.region, p.stmt.Pos(), func() {
		for i := 0; i < int(bits); i++ {
			p.setIndex(value{kind: scalarKind, basic: types.Int, known: true, bits: uint64(i)})
			if !p.unrolledRound(i) {
				return
			}
		}
	})
}
