package amd64

import (
	"testing"

	"github.com/tiler-go/tiler/exec/amd64/asm"
)

// TestLongLoops: a loop looks at the budget, once a round, exactly if it takes longer
// altogether than may go unseen; what it does not spend itself is spent behind it, and
// looked at there when it has become much.
func TestLongLoops(t *testing.T) {
	for _, tt := range []struct {
		name   string
		code   func(g *gen)
		inside int // looks in the code
		left   int // nanoseconds unseen at its end
	}{
		{"a short loop", func(g *gen) { g.upTo(100, 1, plain) }, 0, 100},
		{"a long loop", func(g *gen) { g.upTo(100*maxUnseen, 1, plain) }, 1, 0},
		{"many short loops", func(g *gen) {
			for range 25 {
				g.upTo(maxUnseen/10, 1, plain)
			}
		}, 2, 3 * maxUnseen / 10},
		{"a loop around a long loop", func(g *gen) {
			g.upTo(4, 1, func(reg) { g.upTo(100*maxUnseen, 1, plain) })
		}, 1, 4},
		{"a long loop around a short one", func(g *gen) {
			g.upTo(100*maxUnseen, 1, func(reg) { g.upTo(10, 1, plain) })
		}, 1, 0},
	} {
		g := bareGen(true, false)
		tt.code(g)
		looks := 0
		for _, in := range g.cur.all() {
			if in.kind == helper && in.n == exitYield {
				looks++
			}
		}
		if looks != tt.inside || g.unseen != tt.left {
			t.Errorf("%s: %d looks, %d ns unseen, want %d and %d", tt.name, looks, g.unseen, tt.inside, tt.left)
		}
	}
}

// plain is code of a nanosecond.
func plain(reg) {}

// TestWork: what code is taken for. Loops count as often as one says.
func TestWork(t *testing.T) {
	g := bareGen(true, false)
	v, p := g.newReg(vec), g.newReg(gpr)
	g.def(asm.VMOVUPS, g.v(v), mem(p, 0)) // 3 ns
	l := g.beginLoop()
	g.rmw(asm.VDIVPS, g.v(v), g.v(v), g.v(v)) // 5 ns
	g.endLoop(l)
	for rounds, want := range map[int]int{0: 3, 1: 8, 8: 43} {
		if got := work(g.cur.first, rounds) - 1; got != want {
			t.Errorf("%d rounds: %d ns, want %d", rounds, got, want)
		}
	}
}
