package storage

import (
	"slices"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A Plan assigns memory to buffers once it is known which steps touch them. Values
// that a loop or branch merges are given one buffer where that is harmless, so that
// the move between them is none; then buffers whose lives do not overlap share
// memory.
type Plan struct {
	bufs    []buffer
	pending []touch // of the step that is being made
	touches []touch
	loops   []Span
	merges  []Merge
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
// writes begin at the given moments; AnyTime means from the start to the end.
type touch struct {
	buf, pos int
	write    bool
	moment   int
}

// AnyTime is the moment of a read that lasts as long as its step.
const AnyTime = 1 << 30

// A Span is steps First to Last; of a loop, Last jumps back to First.
type Span struct{ First, Last int }

// A Merge is a move from one buffer to another that would be none if they were one.
type Merge struct {
	Kind     MergeKind
	To, From int
	Pos      int // of the move
	Within   Span
}

// A MergeKind is why a value moves.
type MergeKind uint8

const (
	Entering  MergeKind = iota // the first value of what a loop carries
	Repeating                  // the next value of what a loop carries; Within is the loop
	Leaving                    // the result of a branch; Within is the branch
)

// Buffer is a new buffer.
func (s *Plan) Buffer(d dtype.DType, n int) int {
	s.bufs = append(s.bufs, buffer{d: d, n: n, same: len(s.bufs)})
	return len(s.bufs) - 1
}

// Dtype is the type of a buffer's elements.
func (s *Plan) Dtype(buf int) dtype.DType { return s.bufs[buf].d }

// SameSize reports whether two buffers have as many elements.
func (s *Plan) SameSize(a, b int) bool { return s.bufs[a].n == s.bufs[b].n }

// Read and Write record what the step that is being made does. A read is known by its number until the
// step is made.
func (s *Plan) Read(buf, until int) (number int) {
	s.pending = append(s.pending, touch{buf: buf, moment: until})
	return len(s.pending) - 1
}

// ReadUntil says that a read of the step that is being made ends at a moment.
func (s *Plan) ReadUntil(number, moment int) { s.pending[number].moment = moment }

func (s *Plan) Write(buf, from int) {
	s.pending = append(s.pending, touch{buf: buf, write: true, moment: from})
}

// Made dates what the step at pos does.
func (s *Plan) Made(pos int) {
	for _, t := range s.pending {
		t.pos = pos
		s.touches = append(s.touches, t)
	}
	s.pending = s.pending[:0]
}

// Before lets fn make steps while another step is being made, ahead of that.
func (s *Plan) Before(fn func()) {
	pending := s.pending
	s.pending = nil
	fn()
	s.pending = pending
}

// Loop notes that steps are a loop.
func (s *Plan) Loop(steps Span) { s.loops = append(s.loops, steps) }

// Merge notes a move.
func (s *Plan) Merge(m Merge) { s.merges = append(s.merges, m) }

// find is the buffer that b has been merged into.
func (s *Plan) find(b int) int {
	for s.bufs[b].same != b {
		b = s.bufs[b].same
	}
	return b
}

// Finish merges buffers and places them all.
func (s *Plan) Finish() Layout {
	byBuf := make([][]touch, len(s.bufs))
	for _, t := range s.touches {
		byBuf[t.buf] = append(byBuf[t.buf], t)
	}
	for _, kind := range []MergeKind{Repeating, Entering, Leaving} {
		for _, m := range s.merges {
			m.To, m.From = s.find(m.To), s.find(m.From)
			if m.Kind == kind && m.To != m.From && s.harmless(m, byBuf[m.To], byBuf[m.From]) {
				s.bufs[m.From].same = m.To
				byBuf[m.To] = append(byBuf[m.To], byBuf[m.From]...)
				byBuf[m.From] = nil
			}
		}
	}
	l := Layout{s.bufs, s.arrange(byBuf)}
	for i := range s.bufs {
		root := s.find(i)
		s.bufs[i].at, s.bufs[i].used, s.bufs[i].same = s.bufs[root].at, s.bufs[root].used, root
	}
	return l
}

// A Layout is where a program's buffers lie in a worker's memory.
type Layout struct {
	bufs []buffer
	size int // bytes that they take together
}

// Alloc gives the buffers their memory: places in one piece of it, or, against fences, pieces of their
// own, which only buffers that are one have in common.
func (l Layout) Alloc() []dtype.Buf {
	const name = "a tile of the portable engine"
	bufs := make([]dtype.Buf, len(l.bufs))
	if dtype.Fenced() == dtype.NoFence {
		arena := dtype.Alloc(name, dtype.Uint8, l.size)
		for i, b := range l.bufs {
			if b.used {
				bufs[i] = dtype.RawBuf(b.d, arena.Slice(b.at, b.at+b.n*b.d.Size()).Pointer(), b.n)
			}
		}
		return bufs
	}
	for i, b := range l.bufs {
		if b.used && b.same == i {
			bufs[i] = dtype.Alloc(name, b.d, b.n)
		}
	}
	for i, b := range l.bufs {
		bufs[i] = bufs[b.same]
	}
	return bufs
}

// loopOf is the innermost loop around a step.
func (s *Plan) loopOf(pos int) Span {
	best := Span{-1, 1 << 30}
	for _, l := range s.loops {
		if l.First <= pos && pos <= l.Last && l.Last-l.First < best.Last-best.First {
			best = l
		}
	}
	return best
}

// harmless reports whether the move m may be left out because both buffers can be
// one; to and from are the touches of the two.
func (s *Plan) harmless(m Merge, to, from []touch) bool {
	switch m.Kind {
	case Repeating:
		return s.mayReplace(m, to, from)
	case Entering:
		// What is moved was made for this entry, and nothing reads it later.
		first := from[0].pos
		for _, t := range from {
			if t.pos > m.Pos {
				return false
			}
			first = min(first, t.pos)
		}
		for _, t := range to {
			if t.pos < m.Pos {
				return false
			}
		}
		return s.loopOf(first) == s.loopOf(m.Pos)
	}
	for _, t := range from {
		if t.pos < m.Within.First || t.pos > m.Pos {
			return false
		}
	}
	for _, t := range to {
		if t.pos >= m.Within.First && t.pos < m.Pos {
			return false
		}
	}
	return true
}

// mayReplace reports whether a loop's next value may be written over the present one:
// it is made by one step of the loop itself, after which nothing reads the present
// value.
func (s *Plan) mayReplace(m Merge, to, from []touch) bool {
	made, moment := -1, AnyTime
	for _, t := range from {
		if t.write {
			if made >= 0 && t.pos != made {
				return false
			}
			made, moment = t.pos, min(moment, t.moment)
		}
	}
	if made < 0 || s.loopOf(made) != m.Within {
		return false
	}
	for _, t := range from {
		if t.pos < made || t.pos > m.Pos || t.pos == made && !t.write {
			return false
		}
	}
	for _, t := range to {
		inLoop := t.pos >= m.Within.First && t.pos <= m.Within.Last
		if t.write {
			if inLoop && t.pos >= made && t.pos < m.Pos {
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
func (s *Plan) arrange(byBuf [][]touch) int {
	slices.SortFunc(s.loops, func(a, b Span) int { return (a.Last - a.First) - (b.Last - b.First) })
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
			if l.first < loop.First && l.last >= loop.First {
				l.last = max(l.last, loop.Last) // for the next round
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
