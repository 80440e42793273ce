package portable

import (
	"slices"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// storage assigns memory to buffers once it is known which steps touch them. Values
// that a loop or branch merges are given one buffer where that is harmless, so that
// the move between them is none; then buffers whose lives do not overlap share
// memory.
type storage struct {
	bufs    []buffer
	pending []touch // of the step that is being made
	touches []touch
	loops   []span
	merges  []merge
}

// A buffer is elements in a worker's memory.
type buffer struct {
	d    dtype.DType
	n    int
	at   int // bytes from the start of the memory; a multiple of dtype.Align
	used bool
	same int // the buffer that this one was merged into, itself if none
}

// A touch is that a step reads or writes a buffer. Within the step, reads end and
// writes begin at the given moments; anyTime means from the start to the end.
type touch struct {
	buf, pos int
	write    bool
	moment   int
}

// anyTime is the moment of a read that lasts as long as its step.
const anyTime = 1 << 30

// A span is steps first to last, in a loop: last jumps back to first.
type span struct{ first, last int }

// A merge is a move from one buffer to another that would be none if they were one.
type merge struct {
	kind     mergeKind
	to, from int
	pos      int // of the move
	within   span
}

type mergeKind uint8

const (
	entering  mergeKind = iota // the first value of what a loop carries
	repeating                  // the next value of what a loop carries; within is the loop
	leaving                    // the result of a branch; within is the branch
)

func (s *storage) buffer(d dtype.DType, n int) int {
	s.bufs = append(s.bufs, buffer{d: d, n: n, same: len(s.bufs)})
	return len(s.bufs) - 1
}

// read and write record what the step that is being made does.
func (s *storage) read(buf, until int) {
	s.pending = append(s.pending, touch{buf: buf, moment: until})
}

func (s *storage) write(buf, from int) {
	s.pending = append(s.pending, touch{buf: buf, write: true, moment: from})
}

// made dates what the step at pos does.
func (s *storage) made(pos int) {
	for _, t := range s.pending {
		t.pos = pos
		s.touches = append(s.touches, t)
	}
	s.pending = s.pending[:0]
}

// find is the buffer that b has been merged into.
func (s *storage) find(b int) int {
	for s.bufs[b].same != b {
		b = s.bufs[b].same
	}
	return b
}

// finish merges, places all buffers and hands them to p.
func (s *storage) finish(p *Program) {
	byBuf := make([][]touch, len(s.bufs))
	for _, t := range s.touches {
		byBuf[t.buf] = append(byBuf[t.buf], t)
	}
	for _, kind := range []mergeKind{repeating, entering, leaving} {
		for _, m := range s.merges {
			m.to, m.from = s.find(m.to), s.find(m.from)
			if m.kind == kind && m.to != m.from && s.harmless(m, byBuf[m.to], byBuf[m.from]) {
				s.bufs[m.from].same = m.to
				byBuf[m.to] = append(byBuf[m.to], byBuf[m.from]...)
				byBuf[m.from] = nil
			}
		}
	}
	p.arena = s.arrange(byBuf)
	for i := range s.bufs {
		root := s.find(i)
		s.bufs[i].at, s.bufs[i].used, s.bufs[i].same = s.bufs[root].at, s.bufs[root].used, root
	}
	p.bufs = s.bufs
}

// loopOf is the innermost loop around a step.
func (s *storage) loopOf(pos int) span {
	best := span{-1, 1 << 30}
	for _, l := range s.loops {
		if l.first <= pos && pos <= l.last && l.last-l.first < best.last-best.first {
			best = l
		}
	}
	return best
}

// harmless reports whether the move m may be left out because both buffers can be
// one; to and from are the touches of the two.
func (s *storage) harmless(m merge, to, from []touch) bool {
	switch m.kind {
	case repeating:
		return s.mayReplace(m, to, from)
	case entering:
		// What is moved was made for this entry, and nothing reads it later.
		first := from[0].pos
		for _, t := range from {
			if t.pos > m.pos {
				return false
			}
			first = min(first, t.pos)
		}
		for _, t := range to {
			if t.pos < m.pos {
				return false
			}
		}
		return s.loopOf(first) == s.loopOf(m.pos)
	}
	for _, t := range from {
		if t.pos < m.within.first || t.pos > m.pos {
			return false
		}
	}
	for _, t := range to {
		if t.pos >= m.within.first && t.pos < m.pos {
			return false
		}
	}
	return true
}

// mayReplace reports whether a loop's next value may be written over the present one:
// it is made by one step of the loop itself, after which nothing reads the present
// value.
func (s *storage) mayReplace(m merge, to, from []touch) bool {
	made, moment := -1, anyTime
	for _, t := range from {
		if t.write {
			if made >= 0 && t.pos != made {
				return false
			}
			made, moment = t.pos, min(moment, t.moment)
		}
	}
	if made < 0 || s.loopOf(made) != m.within {
		return false
	}
	for _, t := range from {
		if t.pos < made || t.pos > m.pos || t.pos == made && !t.write {
			return false
		}
	}
	for _, t := range to {
		inLoop := t.pos >= m.within.first && t.pos <= m.within.last
		if t.write {
			if inLoop && t.pos >= made && t.pos < m.pos {
				return false
			}
			continue
		}
		if inLoop && (t.pos > made || t.pos == made && t.moment > moment) {
			return false
		}
	}
	return true
}

// life is the steps between which a buffer holds something.
type life struct{ buf, first, last int }

// arrange places buffers in memory and returns how much they take.
func (s *storage) arrange(byBuf [][]touch) int {
	slices.SortFunc(s.loops, func(a, b span) int { return (a.last - a.first) - (b.last - b.first) })
	var lives []life
	for b, touches := range byBuf {
		if len(touches) == 0 {
			continue
		}
		l := life{b, touches[0].pos, touches[0].pos}
		for _, t := range touches {
			l.first, l.last = min(l.first, t.pos), max(l.last, t.pos)
		}
		for _, loop := range s.loops { // inner before outer
			if l.first < loop.first && l.last >= loop.first {
				l.last = max(l.last, loop.last) // for the next round
			}
		}
		lives = append(lives, l)
	}
	slices.SortFunc(lives, func(a, b life) int {
		if a.first != b.first {
			return a.first - b.first
		}
		return a.buf - b.buf
	})
	size := 0
	var placed []life // those that may still be alive, by address
	for _, l := range lives {
		placed = slices.DeleteFunc(placed, func(o life) bool { return o.last < l.first })
		b := &s.bufs[l.buf]
		bytes := b.bytes()
		at, i := 0, 0
		for ; i < len(placed); i++ {
			o := &s.bufs[placed[i].buf]
			if at+bytes <= o.at {
				break
			}
			at = o.at + o.bytes()
		}
		b.at, b.used = at, true
		placed = slices.Insert(placed, i, l)
		size = max(size, at+bytes)
	}
	return size
}

// bytes is the memory that b takes, up to where the next may begin.
func (b *buffer) bytes() int {
	return (b.n*b.d.Size() + dtype.Align - 1) &^ (dtype.Align - 1)
}
