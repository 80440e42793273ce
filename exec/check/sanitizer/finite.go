package sanitizer

import (
	"fmt"
	"math"

	"github.com/tiler-go/tiler/exec/check"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// That something which is no number is stored is seen in passing. What made it is found
// by running one program again with every operation looked at.

// A Strange is a store of NaN or an infinity.
type Strange struct {
	Program         int // the first, by number
	lanes, programs int
	last            uint32
	key             siteKey
}

// Strange is the stores of what is no number, by place.
func (c *Checker) Strange() []*Strange { return c.strange }

// strangers counts the lanes that store NaN or an infinity.
func (w *visitor) strangers() {
	d := w.a.Values.DType()
	if !d.IsFloat() || w.v.shadow.sparse != nil {
		return
	}
	n := 0
	finite := finiteIn(w.a.Values)
	for i := range w.a.Offsets {
		if !finite(i) && w.live(i) {
			n++
		}
	}
	if n == 0 {
		return
	}
	c := w.c
	var s *Strange
	for _, have := range c.strange {
		if have.key == w.s.key {
			s = have
		}
	}
	if s == nil {
		s = &Strange{Program: c.programs[c.instance-1], key: w.s.key}
		c.strange = append(c.strange, s)
	}
	if s.lanes += n; s.last != c.instance {
		s.last = c.instance
		s.programs++
	}
}

// finiteIn tells which elements are numbers.
func finiteIn(b dtype.Buf) func(i int) bool {
	switch b.DType() {
	case tl.Float32:
		vs := dtype.View[uint32](b)
		return func(i int) bool { return vs[i]&0x7f800000 != 0x7f800000 }
	case tl.Float16:
		vs := dtype.View[uint16](b)
		return func(i int) bool { return vs[i]&0x7c00 != 0x7c00 }
	}
	return func(i int) bool {
		v := dtype.ToFloat(b.DType(), b.Bits(i))
		return !math.IsNaN(v) && !math.IsInf(v, 0)
	}
}

// made reports what is stored and was made of numbers, in a launch under tl.Tracing.
func (w *visitor) made() {
	m := w.a.Stored
	for i, b := range m.Marks {
		if b&tl.NotFinite == 0 || !w.live(i) {
			continue
		}
		w.finding(check.NotFinite, "", i, 1, func(f *check.Finding) {
			f.Severity = check.Note
			f.Msg = fmt.Sprintf("%v is stored in %s", dtype.ToFloat(w.a.Values.DType(), w.a.Values.Bits(i)), w.a.Base.Place(w.a.Offsets[i]))
			for _, o := range m.From {
				if o.Mark != tl.NotFinite {
					continue
				}
				if o.Pos.IsValid() {
					f.NoteAt(o.Pos, "it is made at %s: %s", diag.Here, o.Text)
				} else { // an interpreter's
					f.Note("it is made of numbers: %s", o.Text)
				}
				break
			}
		})
	}
}

// Explains is s with what a traced run of its program has found, nil if that found
// nothing: it was loaded, or meant.
func (c *seen) Explains(s *Strange) *check.Finding {
	for _, f := range c.list {
		if f.Kind == check.NotFinite && f.Pos.File == s.key.file && f.Pos.Line == s.key.line && f.Tensor == s.key.name {
			z := f.Finding
			z.Lanes, z.Programs = s.lanes, s.programs
			return &z
		}
	}
	return nil
}
