package edit

import (
	"strings"
	"unicode"
)

// startPaste begins a text that is pasted. It takes the place of what the text began as,
// if nobody has touched that.
func (e *Editor) startPaste() {
	e.pasting = true
	if e.given != "" && e.buf.String() == e.given && e.buf.pos == len(e.buf.text) {
		e.buf.set("")
	}
}

// paste inserts what is pasted as it is.
func (e *Editor) paste(r rune) {
	switch {
	case r == keyPasted:
		e.pasting = false
		if t := e.buf.text; e.buf.pos == len(t) && strings.Count(string(t), "\n") > 0 {
			e.buf.set(strings.TrimRight(string(t), " \t\n"))
		}
	case r == '\n' || r == '\t' || r < 0xF0000 && unicode.IsPrint(r):
		e.buf.insert(r)
	}
}

// enter ends the text if it is complete and the cursor is in its last line, or if it is
// told to, and begins another line otherwise.
func (e *Editor) enter(indent bool) {
	text := e.buf.String()
	if rest, ok := strings.CutPrefix(text, e.given); ok && len(e.cells(rest)) > 0 {
		text = rest
		e.buf.set(text)
	}
	cells := e.cells(text)
	if len(cells) > 0 {
		text = cells[len(cells)-1]
	}
	more := !e.force && (!e.buf.onLastLine() || !e.asking && e.cfg.Incomplete != nil && e.cfg.Incomplete(text))
	e.force = false
	switch {
	case !more:
		if len(cells) > 0 {
			e.buf.set(cells[0])
			e.follow = cells[1:]
		}
		e.finish(nil)
	case indent:
		e.buf.newline()
	default:
		e.buf.insert('\n')
	}
}

// cells is the texts that were typed in one that was copied from a screen.
func (e *Editor) cells(text string) []string {
	if e.asking || e.cfg.Cells == nil {
		return nil
	}
	return e.cfg.Cells(text)
}

// Follows reports whether texts that were pasted wait for their turn.
func (e *Editor) Follows() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.follow) > 0
}

// following ends the text that has begun, if it is one of those that follow a copied one.
func (e *Editor) following() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.follow) == 0 || e.asking {
		return false
	}
	e.buf.set(e.follow[0])
	e.follow = e.follow[1:]
	e.finish(nil)
	return true
}
