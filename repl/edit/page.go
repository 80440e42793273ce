package edit

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A page shows a text that is longer than the screen, a screen at a time. It draws on a
// screen of its own; what was in sight last stays when it is left.
type page struct {
	w             io.Writer
	inks          inks
	source        []string // the lines, with their colours
	rows          []string // the lines, broken where the screen ends
	width, height int
	top           int // the first row in sight
	asking        bool
	what          []rune // what is searched
	said          string // in place of the status, until the next key
}

// tabSpaces is a tab as a terminal shows it at the start of a line.
const tabSpaces = "        "

// PageKeys is what keys do while one pages, for help.
const PageKeys = "space, PageDown: on · b, PageUp: back · ↑ ↓, Enter: a line · g G: first, last · /text: search, n N: next, last · q: leave"

// Page shows a text that may have colours, and returns when it is left.
func (e *Editor) Page(text string) {
	if err := e.term.EnterRawMode(); err != nil {
		io.WriteString(e.cfg.Out, text+"\n")
		return
	}
	defer e.term.ExitRawMode()
	p := &page{w: e.cfg.Out, inks: e.cfg.inks(), source: strings.Split(strings.ReplaceAll(text, "\t", tabSpaces), "\n")}
	e.mu.Lock()
	e.page = p
	io.WriteString(p.w, "\x1b[?1049h\x1b[H")
	p.resize(e.size())
	e.mu.Unlock()
	for {
		r := e.rune()
		e.mu.Lock()
		done := r == 0 || p.key(r)
		if !done {
			p.draw()
		} else {
			e.page = nil
		}
		e.mu.Unlock()
		if done {
			break
		}
	}
	io.WriteString(p.w, "\x1b[?1049l"+strings.Join(p.sight(), "\r\n")+"\r\n")
}

// resize breaks the lines for a screen, and draws.
func (p *page) resize(width, height int) {
	line := 0 // the one in sight first
	for i, at := 0, 0; i < len(p.source) && p.rows != nil; i++ {
		if at += len(fold(p.source[i], p.width)); at > p.top {
			line = i
			break
		}
	}
	p.width, p.height, p.rows, p.said = width, height, nil, ""
	for i, l := range p.source {
		if i == line {
			p.top = len(p.rows)
		}
		p.rows = append(p.rows, fold(l, width)...)
	}
	p.goTo(p.top)
	p.draw()
}

// room is how many rows are in sight: one is the status.
func (p *page) room() int { return max(1, p.height-1) }

func (p *page) sight() []string { return p.rows[p.top:min(len(p.rows), p.top+p.room())] }

func (p *page) goTo(row int) { p.top = max(0, min(row, len(p.rows)-p.room())) }

func (p *page) draw() {
	var b strings.Builder
	b.WriteString("\x1b[?25l\x1b[H")
	rows := p.sight()
	for i := range p.room() {
		if i < len(rows) {
			b.WriteString(rows[i])
		}
		b.WriteString("\x1b[0m\x1b[K\r\n")
	}
	b.WriteString(coloured(p.status(), p.inks.chosen) + "\x1b[K\x1b[?25h")
	io.WriteString(p.w, b.String())
}

func (p *page) status() string {
	text := p.said
	switch {
	case p.asking:
		return "/" + string(p.what)
	case text == "":
		last := min(len(p.rows), p.top+p.room())
		text = fmt.Sprintf("%d to %d of %d lines   space: on  b: back  /: search  q: leave", p.top+1, last, len(p.rows))
		if last == len(p.rows) {
			text = fmt.Sprintf("%d to %d of %d lines   the end   b: back  /: search  q: leave", p.top+1, last, len(p.rows))
		}
	}
	return fold(text, p.width-1)[0]
}

// key does what a key says; it reports whether the page is left.
func (p *page) key(r rune) bool {
	p.said = ""
	if p.asking {
		p.ask(r)
		return false
	}
	switch r {
	case 'q', 'Q', ctrlC, ctrlD, keyEscape:
		return true
	case ' ', 'f', keyLast, ctrlF:
		if p.top+p.room() >= len(p.rows) {
			p.said = "the end   b: back  q: leave"
		}
		p.goTo(p.top + p.room())
	case 'b', keyFirst, ctrlB, backspace:
		p.goTo(p.top - p.room())
	case 'd', 'u':
		p.goTo(p.top + map[rune]int{'d': 1, 'u': -1}[r]*p.room()/2)
	case enter, ctrlJ, keyMore, 'j', keyDown, ctrlN:
		p.goTo(p.top + 1)
	case 'k', keyUp, ctrlP:
		p.goTo(p.top - 1)
	case 'g', keyHome:
		p.goTo(0)
	case 'G', keyEnd:
		p.goTo(len(p.rows))
	case '/':
		p.asking, p.what = true, nil
	case 'n':
		p.find(p.top+1, 1)
	case 'N':
		p.find(p.top-1, -1)
	case '?', 'h':
		p.said = PageKeys
	}
	return false
}

// ask deals with a key while one types what to search.
func (p *page) ask(r rune) {
	switch {
	case r == enter || r == ctrlJ || r == keyMore:
		p.asking = false
		p.find(p.top, 1)
	case r == keyEscape || r == ctrlC || r == ctrlG:
		p.asking = false
	case (r == backspace || r == ctrlH) && len(p.what) > 0:
		p.what = p.what[:len(p.what)-1]
	case r == backspace || r == ctrlH:
		p.asking = false
	case r < keyUp && unicode.IsPrint(r):
		p.what = append(p.what, r)
	}
}

// find goes to the first row from a place on that contains what is searched. If it has no
// capitals, they do not count.
func (p *page) find(from, by int) {
	what := string(p.what)
	if what == "" {
		p.said = "nothing to search: /text"
		return
	}
	for i := from; i >= 0 && i < len(p.rows); i += by {
		row := escapes.ReplaceAllString(p.rows[i], "")
		if what == strings.ToLower(what) {
			row = strings.ToLower(row)
		}
		if strings.Contains(row, what) {
			p.goTo(i)
			if p.top < i {
				p.said = fmt.Sprintf("%q is in line %d", what, i+1)
			}
			return
		}
	}
	p.said = what + ": not found"
}

// escapes is what a terminal is told, which takes no room.
var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// fold breaks a line into rows of at most width columns. A colour that is on at the break
// is on in the next row, too.
func fold(line string, width int) (rows []string) {
	width = max(width, 1)
	col, start, colour, open := 0, 0, "", ""
	for i := 0; i < len(line); {
		if code := escapes.FindString(line[i:min(len(line), i+20)]); line[i] == escape && code != "" {
			colour = strings.TrimSuffix(code, "\x1b[0m")
			i += len(code)
			continue
		}
		r, n := utf8.DecodeRuneInString(line[i:])
		if w := runeWidth(r); col+w > width && col > 0 {
			rows = append(rows, open+line[start:i])
			start, col, open = i, 0, colour
		}
		col += runeWidth(r)
		i += n
	}
	return append(rows, open+line[start:])
}

// Rows is how many rows of a terminal a text takes.
func Rows(text string, width int) (n int) {
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\t", tabSpaces), "\n") {
		n += len(fold(line, width))
	}
	return n
}
