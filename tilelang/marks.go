package tilelang

import (
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// marks is what a watched launch knows of a tile beyond its elements. It is immutable:
// tiles share it. Every tile that depends on watched memory has one, mostly the same
// one, without bits.
type marks struct {
	watch   Observer // nil: of a tile that nothing watched went into
	bits    *node    // a Mark for each element, as a tile of Uint8 in the tile's shape; nil: none
	from    []*Origin
	notices []Notice    // what there is to say as soon as there is an observer
	narrow  dtype.DType // what the elements were rounded from, if that was the last operation
	data    Sources     // what was loaded on the way to it
	sum     diag.Pos    // of the addition of narrow floats that it is the result of
}

// watched is t's marks, nil if nobody watches. It computes a product.
func (t *node) watched() *marks {
	if t.dot != nil && watching.Load() > 0 {
		return t.real().marks
	}
	return t.marks
}

// plain reports whether m says nothing but who watches.
func (m *marks) plain() bool {
	return m.bits == nil && m.from == nil && m.notices == nil && m.narrow == Invalid && m.sum == diag.Pos{}
}

// justWatched is m without bits.
func (m *marks) justWatched() *marks {
	if m == nil || m.watch == nil && m.notices == nil {
		return nil
	}
	if m.plain() {
		return m
	}
	return &marks{watch: m.watch, notices: m.notices, data: m.data}
}

// joined is what the marks of several tiles have in common but for their bits.
func joined(ts ...*node) *marks {
	var one *marks
	for _, t := range ts {
		m := t.watched()
		switch {
		case m == nil || m == one:
		case one == nil:
			one = m
		case one.plain() && m.plain() && one.watch == m.watch && one.data == m.data:
		default:
			return joinedAll(ts)
		}
	}
	if one == nil || one.plain() {
		return one
	}
	return &marks{watch: one.watch, from: one.from, notices: one.notices, data: one.data}
}

func joinedAll(ts []*node) *marks {
	z := &marks{}
	for _, t := range ts {
		m := t.watched()
		if m == nil {
			continue
		}
		if z.watch == nil {
			z.watch = m.watch
		}
		z.data |= m.data
		z.from = joinOrigins(z.from, m.from)
		z.notices = joinNotices(z.notices, m.notices)
	}
	z.tell()
	return z
}

// maxOrigins bounds how many origins of marks a tile remembers.
const maxOrigins = 8

func joinOrigins(a, b []*Origin) []*Origin {
	out := a
next:
	for _, o := range b {
		for _, have := range out {
			if have == o {
				continue next
			}
		}
		if len(out) < maxOrigins {
			out = append(out[:len(out):len(out)], o)
		}
	}
	return out
}

// maxNotices bounds how many notices wait for an observer.
const maxNotices = 8

func joinNotices(a, b []Notice) []Notice {
	out := a
next:
	for _, n := range b {
		for _, have := range out {
			if have.Pos == n.Pos && have.Text == n.Text {
				continue next
			}
		}
		if len(out) < maxNotices {
			out = append(out[:len(out):len(out)], n)
		}
	}
	return out
}

// tell hands over what waited for an observer.
func (m *marks) tell() {
	if m.watch == nil {
		return
	}
	for _, n := range m.notices {
		m.watch.Notice(n)
	}
	m.notices = nil
}

// note is t's marks with a notice: told at once if somebody watches.
func (t *node) note(m *marks, n Notice) {
	switch {
	case m != nil && m.watch != nil:
		m.watch.Notice(n)
		if t.marks == nil {
			t.marks = m
		}
	case m == nil:
		t.marks = &marks{notices: []Notice{n}}
	default:
		z := *m
		z.notices = joinNotices(m.notices, []Notice{n})
		t.marks = &z
	}
}

// withBits gives z marks: what the operands have in common, with bits, which may be nil.
func (z *node) withBits(m *marks, bits *node) {
	if bits == nil && (m == nil || m.from == nil && m.narrow == Invalid && m.sum == diag.Pos{}) {
		z.marks = m
		return
	}
	n := marks{bits: bits}
	if m != nil {
		n.watch, n.notices, n.data = m.watch, m.notices, m.data
		if bits != nil {
			n.from = m.from
		}
	}
	z.marks = &n
}

// rearranged is z with the marks of x, whose elements it has in another arrangement,
// which by makes of their tile.
func rearranged(z, x Tile, by func(m Tile) Tile) Tile {
	m := x.t.watched()
	if m == nil {
		return z
	}
	n := *m
	if m.bits != nil {
		n.bits = by(tile(m.bits)).t
	}
	if z.t.marks = m; n.bits != m.bits {
		z.t.marks = &n
	}
	return z
}

// rearrangedAll is rearranged for several operands; by gets a tile of marks for each.
func rearrangedAll(z Tile, xs []Tile, by func(ms []Tile) Tile) Tile {
	ts := make([]*node, len(xs))
	marked := false
	for i, x := range xs {
		ts[i] = x.t
		m := x.t.watched()
		marked = marked || m != nil && m.bits != nil
	}
	m := joined(ts...)
	if m == nil {
		return z
	}
	var bits *node
	if marked {
		ms := make([]Tile, len(xs))
		for i, t := range ts {
			ms[i] = tile(t.markBits())
		}
		bits = by(ms).t
	}
	z.t.withBits(m, bits)
	return z
}

// markBits is the marks of t's elements as a tile, also if it has none.
func (t *node) markBits() *node {
	if m := t.watched(); m != nil && m.bits != nil {
		return m.bits
	}
	return newScalar(Uint8, 0).broadcastTo(t.shape)
}

// anyAlong is the marks of a reduction of t to z's shape.
func anyAlong(z, t *node, a reduceArgs) {
	m := t.watched()
	if m == nil {
		return
	}
	var bits *node
	if m.bits != nil {
		a.as = Invalid
		bits = reduceBy("tl", op.Or, Uint8, Uint8, m.bits, a).t
	}
	z.withBits(m, bits)
}

// anywhere makes every element of z carry the marks of all elements of ts.
func anywhere(z *node, ts ...*node) {
	m := joined(ts...)
	if m == nil {
		return
	}
	var all Mark
	for _, t := range ts {
		if n := t.watched(); n != nil {
			all |= n.any()
		}
	}
	if all == 0 {
		z.marks = m.justWatched()
		return
	}
	z.withBits(m, newScalar(Uint8, uint64(all)).broadcastTo(z.shape))
}

// has reports whether an element has a mark.
func (m *marks) has(k Mark) bool { return m != nil && m.any()&k != 0 }

// any is the marks that at least one element has.
func (m *marks) any() (all Mark) {
	if m.bits == nil {
		return 0
	}
	b, temp := m.bits.borrow(Uint8)
	defer temp.free()
	for _, v := range dtype.View[uint8](b) {
		all |= Mark(v)
	}
	return all
}

// lanes is the marks of t's elements repeated to a shape, nil if there are none.
func (t *node) markLanes(shape shape.Shape) (Marked, *temp) {
	m := t.watched()
	switch {
	case m == nil:
		return Marked{}, nil
	case m.bits == nil:
		return Marked{Data: m.data}, nil
	}
	b, temp := m.bits.broadcastTo(shape).borrow(Uint8)
	return Marked{marksOf(b), m.from, m.data}, temp
}

// marksOf is bytes as marks.
func marksOf(b dtype.Buf) []Mark {
	raw := dtype.View[uint8](b)
	out := make([]Mark, len(raw))
	for i, v := range raw {
		out[i] = Mark(v)
	}
	return out
}
