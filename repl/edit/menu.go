package edit

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A menu is what a word may become, below the text.
type menu struct {
	list  []Candidate
	start int // where the word begins, in characters
	end   int // where what stands there now ends
	word  string
	at    int // which one stands there; -1: none, but the word as it was typed
}

// lines is the menu as lines, at most so many, and which of them is marked.
func (m *menu) lines(most int) (out []string, marked int) {
	most = max(2, most)
	first := 0
	if len(m.list) > most {
		most--
		first = max(0, min(m.at-most/2, len(m.list)-most))
	}
	shown := m.list[first:min(len(m.list), first+most)]
	wide := 0
	for _, c := range shown {
		wide = max(wide, stringWidth(c.Text))
	}
	for _, c := range shown {
		out = append(out, strings.TrimRight(c.Text+strings.Repeat(" ", wide-stringWidth(c.Text)+2)+oneLine(c.Detail), " "))
	}
	if rest := len(m.list) - len(shown); rest > 0 {
		out = append(out, fmt.Sprintf("… %d more", rest))
	}
	if m.at < 0 {
		return out, -1
	}
	return out, m.at - first
}

// oneLine is a text as one line: of what has more, such as a type, the first.
func oneLine(text string) string {
	first, rest, more := strings.Cut(text, "\n")
	if more && strings.TrimSpace(rest) != "" {
		first = strings.TrimRight(first, " ") + " …"
	}
	return strings.Join(strings.Fields(first), " ")
}

// complete finishes the word before the cursor as far as it is certain, and shows the
// choice if there is one. Where there is no word it indents.
func (e *Editor) complete() {
	if e.buf.blankBefore() {
		e.buf.insert('\t')
		return
	}
	if e.cfg.Complete == nil {
		return
	}
	text := e.buf.String()
	pos := len(string(e.buf.text[:e.buf.pos]))
	at, list := e.cfg.Complete(text, pos)
	if len(list) == 0 || at < 0 || at > pos {
		e.cfg.bell()
		return
	}
	start := utf8.RuneCountInString(text[:at])
	m := &menu{list: list, start: start, end: e.buf.pos, word: text[at:pos], at: -1}
	if len(list) == 1 {
		m.put(&e.buf, list[0].Text)
		e.hint = oneLine(list[0].Detail)
		return
	}
	if p := commonPrefix(list); len(p) > len(m.word) && strings.HasPrefix(p, m.word) {
		m.put(&e.buf, p)
		m.word = p
	}
	e.menu = m
}

// put stands a text in the word's place.
func (m *menu) put(b *buffer, text string) {
	b.moveTo(m.end)
	b.remove(m.start, m.end)
	b.insert([]rune(text)...)
	m.end = b.pos
}

// choosing deals with a key while there is a menu; it reports false for keys that are
// then what they always are.
func (e *Editor) choosing(r rune) bool {
	m := e.menu
	switch r {
	case tab, keyDown:
		m.choose(&e.buf, m.at+1)
	case keyBackTab, keyUp:
		if m.at < 0 {
			m.at = len(m.list)
		}
		m.choose(&e.buf, m.at-1)
	case enter, ctrlJ, keyMore:
		e.menu = nil
		return m.at >= 0 // with nothing chosen it ends the text
	case keyEscape, ctrlG:
		m.put(&e.buf, m.word)
		e.menu = nil
	default:
		e.menu = nil
		return false
	}
	return true
}

// choose stands a candidate in the word's place; beyond the ends is the word again.
func (m *menu) choose(b *buffer, i int) {
	if i < 0 || i >= len(m.list) {
		m.at = -1
		m.put(b, m.word)
		return
	}
	m.at = i
	m.put(b, m.list[i].Text)
}

func commonPrefix(list []Candidate) string {
	p := list[0].Text
	for _, c := range list[1:] {
		for !strings.HasPrefix(c.Text, p) {
			p = p[:len(p)-1]
		}
	}
	for !utf8.ValidString(p) {
		p = p[:len(p)-1]
	}
	return p
}
