package sanitizer

import (
	"fmt"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/exec/check/layout"
	"github.com/tiler-go/tiler/exec/check/shadow"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A visitor looks at the lanes of one access.
type visitor struct {
	c *Checker
	a *tl.Access
	v *view
	s *site
}

// Access looks at an access before it happens: what lies outside is left out and
// counted, what is undefined is marked.
func (c *Checker) Access(a *tl.Access) {
	w := &visitor{c, a, c.views[a.Base], c.at(a)}
	c.cover(w.s, a)
	if a.Kind != tl.Loads {
		w.v.written = true
	}
	w.c.directing |= a.Pointers.Data | a.Masks.Data
	w.turn()
	w.c.came = true
	w.c.updates = w.c.updates || a.Kind == tl.Updates
	w.s.fromData = w.s.fromData || (a.Masks.Data|a.Pointers.Data|w.c.decided) != 0
	w.outputs()
	w.walked()
	w.masks()
	w.bounds()
	w.rows()
	if a.Kind != tl.Stores {
		w.definedness()
	}
	if a.Kind != tl.Loads {
		w.stored()
	}
	if a.Kind == tl.Stores {
		w.duplicates()
	}
	w.meet()
	if a.Kind == tl.Stores {
		w.remember()
	}
}

func (w *visitor) on(i int) bool { return w.a.Active == nil || w.a.Active[i] != 0 }

// live reports whether lane i is carried out.
func (w *visitor) live(i int) bool { return w.on(i) && (w.a.Skip == nil || w.a.Skip[i] == 0) }

// coord is lane i's place in the tile.
func (w *visitor) coord(i int) []int { return layout.IndexOf(w.a.Shape, i) }

// lane names lane i in a sentence.
func (w *visitor) lane(i int) string {
	if len(w.a.Shape) == 0 {
		return "the address"
	}
	return fmt.Sprintf("lane %s of %s", check.IndexText(w.coord(i)), check.IndexText(w.a.Shape))
}

// finding counts lanes of a finding at this access, of which i is the first.
func (w *visitor) finding(k check.Kind, extra string, i, lanes int, fill func(f *check.Finding)) *found {
	a := w.a
	f := w.c.report(foundKey{kind: k, op: a.Op, tensor: a.Base.Name, extra: extra}, a.Pos, func(f *check.Finding) {
		f.At, f.Index = w.coord(i), a.Base.Index(a.Offsets[i])
		fill(f)
	})
	f.Data |= a.Pointers.Data | a.Masks.Data | w.c.decided
	f.Lanes += lanes
	return f
}

// masks reports a mask that is undefined where it is looked at: everywhere.
func (w *visitor) masks() {
	m := w.a.Masks
	if m.Marks == nil {
		return
	}
	n, first := 0, -1
	var all tl.Mark
	for i, b := range m.Marks {
		if all |= b; b&tl.Undefined != 0 {
			if n++; first < 0 {
				first = i
			}
		}
	}
	w.c.reach(all, m.From)
	if n > 0 {
		f := w.c.undefined(w.a.Pos, w.a.Op, w.a.Base.Name, "is the mask of "+w.a.Op, n, m.From)
		if f.At == nil {
			f.At = w.coord(first)
		}
	}
}

// skip leaves lane i out.
func (w *visitor) skip(i int) {
	if w.a.Skip == nil {
		w.a.Skip = make([]uint8, len(w.a.Offsets))
	}
	w.a.Skip[i] = 1
}

// bounds finds the active lanes whose address is undefined, overflowed or outside.
func (w *visitor) bounds() {
	a, v := w.a, w.v
	if a.Pointers.Marks != nil {
		w.addresses()
	}
	n, first, furthest := 0, -1, 0
	for i, off := range a.Offsets {
		if uint64(off) < uint64(v.span) && !v.gaps || !w.live(i) || v.inside(off) {
			continue
		}
		if n++; first < 0 {
			first = i
		}
		furthest = max(furthest, int(off-v.span)+1)
		w.skip(i)
		if a.Kind == tl.Loads { // what stands there in its place is not known to be a zero
			w.mark(i, tl.Misplaced, w.s.origin(&w.s.stray, tl.Misplaced, "outside of "+a.Base.Name))
		}
	}
	if n == 0 {
		return
	}
	f := w.finding(check.OutOfBounds, "", first, n, func(f *check.Finding) {
		f.Msg = fmt.Sprintf("%s: %s is %s", a.Op, w.lane(first), a.Base.Place(a.Offsets[first]))
		f.Note("%s", a.Base.Describe())
		f.Picture = w.picture(first, signBad, func(i int) bool { return w.on(i) && !v.inside(a.Offsets[i]) })
		f.Fix("%s", hint{w}.outside(n))
	})
	f.Furthest = max(f.Furthest, furthest)
}

// addresses reports addresses that are undefined or come from an overflow; these are
// left out, since nothing that happens there was meant.
func (w *visitor) addresses() {
	a := w.a
	undefined, wrapped, firstU, firstW := 0, 0, -1, -1
	var all tl.Mark
	for i, m := range a.Pointers.Marks {
		if m == 0 || !w.on(i) {
			continue
		}
		all |= m
		if m&tl.Undefined != 0 {
			if undefined++; firstU < 0 {
				firstU = i
			}
		}
		if m&tl.Wrapped != 0 {
			if wrapped++; firstW < 0 {
				firstW = i
			}
			w.skip(i)
		}
	}
	w.c.reach(all, a.Pointers.From)
	if undefined > 0 {
		f := w.c.undefined(a.Pos, a.Op, a.Base.Name, "is an address of "+a.Op, undefined, a.Pointers.From)
		if f.At == nil {
			f.At = w.coord(firstU)
		}
	}
	if wrapped > 0 {
		w.overflow(firstW, wrapped)
	}
}

// overflow reports addresses that an int32 overflow made, at the line of the overflow.
func (w *visitor) overflow(first, lanes int) {
	a := w.a
	pos, op := a.Pos, a.Op
	for _, o := range a.Pointers.From {
		if o.Mark != tl.Wrapped {
			continue
		}
		if op = o.Op; o.Pos.IsValid() {
			pos = o.Pos
		}
	}
	key := foundKey{kind: check.Overflow, op: op, tensor: a.Base.Name, extra: "address"}
	f := w.c.report(key, pos, func(f *check.Finding) {
		f.At = w.coord(first)
		f.Msg = fmt.Sprintf("%s overflows int32 and is used as an address: %s of %s would be %s", op, w.lane(first), a.Op, a.Base.Place(a.Offsets[first]))
		f.NoteAt(w.c.pos(a.Pos), "the address is used by %s at %s", a.Op, diag.Here).Note("%s", a.Base.Describe())
		f.Fix("compute it in 64 bits: offs.To(tl.Int64).Mul(stride)")
	})
	f.Lanes += lanes
}

// definedness marks the lanes of a load that are undefined.
func (w *visitor) definedness() {
	a, v := w.a, w.v
	hole := a.Kind == tl.Loads && a.Active != nil && !a.Other
	if !hole && !v.partial {
		return
	}
	n, first := 0, -1
	for i, off := range a.Offsets {
		switch {
		case !w.on(i):
			if hole {
				w.mark(i, tl.Undefined, w.s.origin(&w.s.masked, tl.Undefined, "the lane is masked off, and there is no Other"))
			}
		case v.partial && w.live(i) && !a.Base.Tensor.IsDefinedAt(int(off)):
			w.mark(i, tl.Undefined, w.s.origin(&w.s.unwritten, tl.Undefined, a.Base.Place(off)+" was never written"))
			if n++; first < 0 {
				first = i
			}
		}
	}
	if a.Kind != tl.Updates || n == 0 || a.Op == "tl.AtomicXchg" {
		return
	}
	f := w.c.undefined(a.Pos, a.Op, a.Base.Name, "in "+a.Base.Name+" is updated but was never written", n, a.From)
	if f.At == nil {
		f.At, f.Index = w.coord(first), a.Base.Index(a.Offsets[first])
	}
}

// mark marks lane i of what is loaded.
func (w *visitor) mark(i int, m tl.Mark, from *tl.Origin) {
	if w.a.Marks == nil {
		w.a.Marks = make([]tl.Mark, len(w.a.Offsets))
	}
	w.a.Marks[i] |= m
	w.a.From = with(w.a.From, from)
}

// stored reports values that should not be stored.
func (w *visitor) stored() {
	w.strangers()
	w.made()
	m := w.a.Stored
	if m.Marks == nil {
		return
	}
	n, first := 0, -1
	var all tl.Mark
	for i, b := range m.Marks {
		if b == 0 || !w.live(i) {
			continue
		}
		all |= b
		if b&tl.Undefined != 0 {
			if n++; first < 0 {
				first = i
			}
		}
	}
	w.c.reach(all, m.From)
	if n == 0 {
		return
	}
	f := w.c.undefined(w.a.Pos, w.a.Op, w.a.Base.Name, fmt.Sprintf("is stored in %s", w.a.Base.Name), n, m.From)
	if f.At == nil {
		f.At, f.Index = w.coord(first), w.a.Base.Index(w.a.Offsets[first])
		f.Picture = w.picture(first, signUndef, func(i int) bool { return w.live(i) && m.Marks[i]&tl.Undefined != 0 })
	}
}

// racing is the lanes of an access that meet another instance's, and the first of them.
type racing struct {
	lanes, first int
	other        uint32 // instance, 0 if several
	site         uint32 // of the other
	did          string // what the other did
	same         int    // lanes that store what another instance has stored there
	sameFirst    int
	own          []int // lanes that load what the instance has stored
}

func (r *racing) add(lane int, other, site uint32, did string) {
	if r.lanes++; r.lanes == 1 {
		r.first, r.other, r.site, r.did = lane, other, site, did
	}
}

// touch enters one lane into one cell.
func (w *visitor) touch(p *shadow.Cell, i int, r *racing) {
	c, kind := w.c, w.a.Kind
	past := &c.past
	switch {
	case past.Apart(p.Write) && w.stores(i) && (p.Read == 0 || !past.Apart(p.Read)):
		if r.same++; r.same == 1 {
			r.sameFirst = i
		}
	case past.Apart(p.Write):
		r.add(i, past.Owner(p.Write), p.WrittenAt(), "writes")
	case kind != tl.Updates && past.UpdatedApart(p):
		r.add(i, past.Owner(p.Atomic), p.WrittenAt(), "updates")
	case kind != tl.Loads && past.Apart(p.Read):
		r.add(i, past.Owner(p.Read), p.ReadAt(), "reads")
	}
	n := min(w.s.number, 0xffff)
	switch kind {
	case tl.Loads:
		if p.Write != 0 && past.Owner(p.Write) == c.instance {
			r.own = append(r.own, i)
		}
		past.Read(p, n)
	case tl.Stores:
		past.Write(p, n)
	default:
		past.Update(p, n, len(w.a.Offsets) == 1)
	}
}

// stores reports whether lane i stores what is there already.
func (w *visitor) stores(i int) bool {
	return w.a.Kind == tl.Stores && w.v.shadow.sparse == nil && w.a.Base.Bits(w.a.Offsets[i]) == w.a.Values.Bits(i)
}

// sameStore notes that instances store the same value to one element.
func (w *visitor) sameStore(r racing) {
	w.finding(check.Race, "same", r.sameFirst, r.same, func(f *check.Finding) {
		f.Severity = check.Note
		f.Msg = fmt.Sprintf("program %s writes %s, as another program did before, and the same value", check.Tuple(f.PID), w.a.Base.Place(w.a.Offsets[r.sameFirst]))
		f.Note("which of them comes last does not matter as long as the values are equal")
	})
}

var verbs = map[tl.AccessKind]string{tl.Loads: "reads", tl.Stores: "writes", tl.Updates: "updates"}

func (w *visitor) race(r racing) {
	a, c := w.a, w.c
	there := diag.Pos{File: c.order[r.site].key.file, Line: c.order[r.site].key.line}
	w.finding(check.Race, r.did, r.first, r.lanes, func(f *check.Finding) {
		other := "another program"
		if r.other != c.instance {
			other = "program " + check.Tuple(c.pid(r.other))
		}
		f.Msg = fmt.Sprintf("program %s %s %s, which %s %s", check.Tuple(f.PID), verbs[a.Kind], a.Base.Place(a.Offsets[r.first]), other, r.did)
		f.NoteAt(there, "the other access is %s at %s", c.order[r.site].key.op, diag.Here).Note("programs run in any order and at the same time")
		f.Fix("give each program its own elements, or use an atomic")
	})
}
