package edit

import "strings"

// suggestion is what the history has after what is typed, for the rest of the line. It
// is shown in grey, and therefore only with colours.
func (e *Editor) suggestion() []rune {
	if !e.cfg.Colour || e.asking || e.pasting || e.done || e.menu != nil || e.search != nil ||
		e.buf.pos != len(e.buf.text) || e.hist.at != len(e.hist.list) {
		return nil
	}
	typed := e.buf.String()
	if strings.TrimSpace(typed) == "" {
		return nil
	}
	return []rune(e.hist.follows(typed))
}

// take adds the first n characters of what is suggested; it reports whether there were
// any.
func (e *Editor) take(n int) bool {
	if n > 0 {
		e.buf.insert(e.suggestion()[:n]...)
	}
	return n > 0
}
