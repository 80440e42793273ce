package shadow

import "slices"

// Instances run in any order, but atomics on one element come one after the other, and
// what an instance did before its atomic is there for whoever updates the element later:
// that is how locks and counters work. Two accesses race if neither is known to come
// before the other in this way.
//
// An instance is a chain of segments, each of which ends with an atomic on one element.
// The shadow holds segments; they are numbered as they begin, from 1.

// An Order is what is known of which segments come before which, while one of them runs.
type Order struct {
	segment  uint32
	owner    []uint32             // instance of each segment; of segment 0, none
	meetings map[*Cell]*meeting   // elements that were updated one at a time
	seen     map[uint32][]witness // by instance: what it has seen of others
	known    map[uint32]bool      // segments, whether the running segment comes after them
}

// A meeting is the atomics on one element, in order.
type meeting struct{ releases []release }

// A release is that everything up to a segment of an instance is there for those who
// update the element later.
type release struct {
	segment uint32
	saw     int // how much the instance had seen by then
}

// A witness is that an instance comes after the first releases of a meeting.
type witness struct {
	m    *meeting
	upto int
}

// Begin begins an instance.
func (h *Order) Begin(instance uint32) {
	if h.owner == nil {
		h.owner = []uint32{0}
		h.meetings, h.seen = map[*Cell]*meeting{}, map[uint32][]witness{}
	}
	h.next(instance)
}

// Segment is the one that runs.
func (h *Order) Segment() uint32 { return h.segment }

// Resume goes on with a segment that another instance has interrupted.
func (h *Order) Resume(segment uint32) { h.segment, h.known = segment, nil }

// Owner is the instance of a segment, as a cell has it.
func (h *Order) Owner(segment uint32) uint32 { return h.owner[segment&^others] }

// next begins a segment.
func (h *Order) next(instance uint32) {
	h.segment = uint32(len(h.owner))
	h.owner = append(h.owner, instance)
	h.known = nil
}

// synchronise is an atomic on one element: the instance now comes after those who
// updated it before, and what it did so far before those who do so later.
func (h *Order) synchronise(p *Cell) {
	me := h.owner[h.segment]
	m := h.meetings[p]
	if m == nil {
		m = &meeting{}
		h.meetings[p] = m
	}
	if n := len(m.releases); n > 0 && h.owner[m.releases[n-1].segment] != me {
		h.seen[me] = append(h.seen[me], witness{m, n})
	}
	m.releases = append(m.releases, release{h.segment, len(h.seen[me])})
	h.next(me)
}

// Apart reports whether a segment, of which a cell may say that others did the same, may
// run at the same time as the running one.
func (h *Order) Apart(who uint32) bool {
	segment := who &^ others
	switch {
	case who == 0:
		return false
	case who&others != 0:
		return true
	case h.owner[segment] == h.owner[h.segment]:
		return false
	}
	return !h.before(segment)
}

// UpdatedApart is Apart of the updates of an element. Those before the last one come
// before it if they were made one at a time.
func (h *Order) UpdatedApart(p *Cell) bool {
	if p.Atomic&others != 0 && h.meetings[p] == nil {
		return true
	}
	return h.Apart(p.Atomic &^ others)
}

// before reports whether a segment of another instance is known to come before the
// running one.
func (h *Order) before(segment uint32) bool {
	me := h.owner[h.segment]
	if len(h.seen[me]) == 0 {
		return false
	}
	if v, ok := h.known[segment]; ok {
		return v
	}
	v := h.reaches(segment, h.seen[me], map[*meeting]int{})
	if h.known == nil {
		h.known = map[uint32]bool{}
	}
	h.known[segment] = v
	return v
}

// reaches reports whether something that was seen comes after a segment; done is how
// much of each meeting has been looked at.
func (h *Order) reaches(segment uint32, seen []witness, done map[*meeting]int) bool {
	for _, w := range slices.Backward(seen) {
		from := done[w.m]
		done[w.m] = max(from, w.upto)
		for i := w.upto - 1; i >= from; i-- {
			r := w.m.releases[i]
			owner := h.owner[r.segment]
			if owner == h.owner[segment] && r.segment >= segment || h.reaches(segment, h.seen[owner][:r.saw], done) {
				return true
			}
		}
	}
	return false
}
