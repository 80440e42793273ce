package edit

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A search is looking for an older or younger text while it is being typed what the
// text contains.
type search struct {
	what   []rune
	at     int // in the history; len of it before anything is found
	failed bool
	before string // what the text was
	pos    int
}

func (s *search) String() string {
	text := "search: " + string(s.what)
	if s.failed {
		text += "   nothing found"
	}
	return text
}

func (e *Editor) startSearch() {
	e.search = &search{at: len(e.hist.list), before: e.buf.String(), pos: e.buf.pos}
}

// searching deals with a key during a search; it reports false for keys that end the
// search and are then what they always are.
func (e *Editor) searching(r rune) bool {
	s := e.search
	switch {
	case r == ctrlR || r == keyUp:
		s.look(e, min(s.at, len(e.hist.list))-1, -1)
	case r == ctrlS || r == keyDown:
		s.look(e, s.at+1, 1)
	case r == backspace || r == ctrlH:
		if len(s.what) > 0 {
			s.what = s.what[:len(s.what)-1]
		}
		s.look(e, len(e.hist.list)-1, -1)
	case r == ctrlG || r == ctrlC:
		e.search = nil
		e.buf.set(s.before)
		e.buf.moveTo(s.pos)
	case r == keyEscape:
		e.search = nil
	case r < 0xF0000 && unicode.IsPrint(r):
		s.what = append(s.what, r)
		s.look(e, min(s.at, len(e.hist.list)-1), -1)
	default:
		e.search = nil
		return false
	}
	return true
}

// look finds a text from a place in the history on.
func (s *search) look(e *Editor, from, by int) {
	what := string(s.what)
	if what == "" {
		return
	}
	i := e.hist.find(what, from, by)
	if s.failed = i < 0; s.failed {
		e.cfg.bell()
		return
	}
	s.at, e.hist.at = i, i
	e.hist.begin = ""
	text := e.hist.list[i]
	e.buf.set(text)
	e.buf.moveTo(utf8.RuneCountInString(text[:strings.Index(text, what)]))
}
