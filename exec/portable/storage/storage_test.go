package storage

import (
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// steps records steps, each of which reads buffers and then writes one; -1 is none.
func steps(p *Plan, all ...[2]int) {
	for pos, s := range all {
		if s[0] >= 0 {
			p.Read(s[0], 0)
		}
		if s[1] >= 0 {
			p.Write(s[1], 0)
		}
		p.Made(pos)
	}
}

// TestLives: buffers whose lives do not overlap share memory, others do not, and what is read in the
// next round of a loop lives until its end.
func TestLives(t *testing.T) {
	for _, loop := range []bool{false, true} {
		var p Plan
		a, b, c := p.Buffer(dtype.Float32, 100), p.Buffer(dtype.Float32, 100), p.Buffer(dtype.Float32, 100)
		steps(&p, [2]int{-1, a}, [2]int{a, b}, [2]int{b, c}, [2]int{c, -1})
		if loop {
			p.Loop(Span{1, 3})
		}
		l := p.Finish()
		at := func(i int) int { return l.bufs[i].at }
		if at(a) == at(b) || at(b) == at(c) {
			t.Errorf("loop %v: buffers that live at the same time lie at %d, %d and %d", loop, at(a), at(b), at(c))
		}
		if shared := at(a) == at(c); shared == loop {
			t.Errorf("loop %v: the first and the last buffer share memory: %v", loop, shared)
		}
	}
}

// TestMerge: the next value of what a loop carries is made in the buffer of the present one, unless that
// is read after it.
func TestMerge(t *testing.T) {
	for _, late := range []bool{false, true} {
		var p Plan
		carried, next, other := p.Buffer(dtype.Int32, 8), p.Buffer(dtype.Int32, 8), p.Buffer(dtype.Int32, 8)
		read := next
		if late {
			read = carried
		}
		steps(&p, [2]int{-1, carried}, [2]int{carried, next}, [2]int{read, other}, [2]int{next, carried})
		rounds := Span{1, 3}
		p.Loop(rounds)
		p.Merge(Merge{Kind: Repeating, To: carried, From: next, Pos: 3, Within: rounds})
		bufs := p.Finish().Alloc()
		if one := bufs[carried].Pointer() == bufs[next].Pointer(); one == late {
			t.Errorf("read late %v: one buffer %v", late, one)
		}
	}
}
