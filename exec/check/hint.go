package check

import (
	"fmt"
	"strings"
	"unicode"
)

// lives is how many lanes there are to carry out, in bounds or not.
func (w *visitor) lives() (n int) {
	for i := range w.a.Offsets {
		if w.on(i) {
			n++
		}
	}
	return n
}

// maskHint is a mask for the access, in the kernel's own names as far as they are known.
func (w *visitor) maskHint() string {
	size := fmt.Sprint(w.v.span)
	if s := w.c.Size; s != nil {
		if name := s(int(w.v.span)); name != "" {
			size = name
		}
	}
	return fmt.Sprintf("tl.Mask(%s.Lt(%s))", w.indexName(), size)
}

// indexName is what the kernel calls the index of the access, where its line tells.
func (w *visitor) indexName() string {
	const unknown = "offs"
	if w.c.Source == nil {
		return unknown
	}
	pos := w.c.pos(w.a.Pos)
	line := w.c.Source(pos.File, pos.Line)
	for _, begin := range []string{w.a.Base.Name + ".Add(", w.a.Base.Name + " + ", w.a.Base.Name + "+"} {
		_, rest, ok := strings.Cut(line, begin)
		if !ok {
			continue
		}
		end := strings.IndexFunc(rest, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if end > 0 && strings.HasPrefix(rest[end:], ")") {
			return rest[:end]
		}
	}
	return unknown
}
