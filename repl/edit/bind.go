package edit

import (
	"io"
	"maps"
	"strings"
	"unicode"
)

// A Key is a row: what keys do, and how help and README say it.
type Key struct {
	Label, Help string
	acts        acts
}

// acts is what each key of a row does.
type acts map[rune]func(*Editor)

// Keys is the keys that do something, the most wanted first. Keys without a row are
// characters, which are inserted.
func Keys() []Key {
	return []Key{
		{"Enter", "evaluates the text if it is complete, begins another line if not", acts{
			enter: func(e *Editor) { e.enter(true) }, ctrlJ: func(e *Editor) { e.enter(true) },
			keyMore: func(e *Editor) { e.enter(false) }, keyForce: func(e *Editor) { e.force = true }}},
		{"Alt-Enter", "evaluates the text as it is, from wherever the cursor is", nil},
		{"Ctrl-O, Shift-Enter", "begins another line", acts{
			ctrlO: func(e *Editor) { e.buf.newline() }, keyNewline: func(e *Editor) { e.buf.newline() }}},
		{"Tab", "completes a name, a command or its argument; again: the next one; in front of a line it indents", acts{
			tab: (*Editor).complete}},
		{"→, End, Ctrl-E", "at the end of the text: accept the grey suggestion from the history", nil},
		{"Ctrl-→, Alt-F", "at the end of the text: accept one word of it", nil},
		{"↑ ↓, Ctrl-P Ctrl-N", "the line above or below; from the first and last line the history, of all sessions, with what begins as the line does", acts{
			ctrlP: (*Editor).up, keyUp: (*Editor).up, ctrlN: (*Editor).down, keyDown: (*Editor).down}},
		{"Ctrl-R, Ctrl-S", "search the history, backwards and forwards", acts{
			ctrlR: (*Editor).startSearch, ctrlS: (*Editor).startSearch}},
		{"Ctrl-_, Alt-_", "undo, and redo; Ctrl-/ is Ctrl-_ on most terminals", acts{
			ctrlUnderscore: func(e *Editor) { e.edits.undo(e) }, keyRedo: func(e *Editor) { e.edits.redo(e) }}},
		{"Ctrl-X", "edits the text in `$EDITOR`", acts{ctrlX: (*Editor).external}},
		{"Ctrl-C", "drops the text; stops what runs", acts{ctrlC: (*Editor).interrupt}},
		{"Ctrl-D", "leaves, if the text is empty", acts{ctrlD: (*Editor).endOfInput}},
		{"Ctrl-L", "clears the screen", acts{ctrlL: func(e *Editor) { e.screen.clear() }}},
		{"Ctrl-Z", "suspends tiler; fg resumes it", acts{
			ctrlZ: func(e *Editor) { e.outside(e.term.SleepToResume) }}},
		{"Home, Ctrl-A", "to the start of the line", acts{
			ctrlA: func(e *Editor) { e.buf.home() }, keyHome: func(e *Editor) { e.buf.home() }}},
		{"End, Ctrl-E", "to its end", acts{ctrlE: (*Editor).end, keyEnd: (*Editor).end}},
		{"← →, Ctrl-B Ctrl-F", "by a character", acts{
			ctrlB: func(e *Editor) { e.buf.move(-1) }, keyLeft: func(e *Editor) { e.buf.move(-1) },
			ctrlF: (*Editor).right, keyRight: (*Editor).right}},
		{"Ctrl-← Ctrl-→, Alt-B Alt-F", "by a word", acts{
			keyWordLeft: func(e *Editor) { e.buf.moveTo(e.buf.wordLeft(e.buf.pos)) }, keyWordRight: (*Editor).wordRight}},
		{"PageUp, PageDown", "to the start and to the end of the text", acts{
			keyFirst: func(e *Editor) { e.buf.moveTo(0) }, keyLast: func(e *Editor) { e.buf.moveTo(len(e.buf.text)) }}},
		{"Backspace, Delete", "delete a character; so do Ctrl-H and, within a text, Ctrl-D", acts{
			ctrlH: func(e *Editor) { e.buf.backspace() }, backspace: func(e *Editor) { e.buf.backspace() },
			keyDelete: func(e *Editor) { e.buf.delete() }}},
		{"Ctrl-W, Alt-Backspace, Alt-D", "cuts what is before the cursor up to a blank, a word before it, a word after it", acts{
			keyWordDelete:    func(e *Editor) { e.buf.cut(e.buf.pos, e.buf.wordRight(e.buf.pos)) },
			keyWordBackspace: func(e *Editor) { e.buf.cut(e.buf.wordLeft(e.buf.pos), e.buf.pos) },
			ctrlW:            func(e *Editor) { e.buf.cut(e.buf.blankLeft(e.buf.pos), e.buf.pos) }}},
		{"Ctrl-U, Ctrl-K", "cuts the line before the cursor, after it", acts{
			ctrlU: func(e *Editor) { e.buf.cut(e.buf.lineStart(e.buf.pos), e.buf.pos) }, ctrlK: func(e *Editor) { e.buf.killLine() }}},
		{"Ctrl-Y", "inserts what was cut last", acts{ctrlY: func(e *Editor) { e.buf.insert(e.buf.kill...) }}},
		{"Ctrl-T", "swaps two characters", acts{ctrlT: func(e *Editor) { e.buf.transpose() }}},
	}
}

// bindings is what each key does.
var bindings map[rune]func(*Editor)

func init() {
	bindings = map[rune]func(*Editor){
		keyPaste: (*Editor).startPaste,
		'}':      func(e *Editor) { e.buf.closing('}') },
		')':      func(e *Editor) { e.buf.closing(')') },
		']':      func(e *Editor) { e.buf.closing(']') },
	}
	for _, k := range Keys() {
		maps.Copy(bindings, k.acts)
	}
}

// act deals with a key: what is pasted and what is searched come first, then the menu.
func (e *Editor) act(r rune) {
	switch {
	case e.pasting:
		e.paste(r)
	case e.search != nil && e.searching(r):
	case e.menu != nil && e.choosing(r):
	case bindings[r] != nil:
		bindings[r](e)
	case r < 0xF0000 && (unicode.IsPrint(r) || unicode.Is(unicode.Mn, r)):
		e.buf.insert(r)
	}
}

// end goes to the end of the line; there it takes what is suggested.
func (e *Editor) end() {
	if !e.take(len(e.suggestion())) {
		e.buf.moveTo(e.buf.lineEnd(e.buf.pos))
	}
}

func (e *Editor) right() {
	if !e.take(len(e.suggestion())) {
		e.buf.move(1)
	}
}

func (e *Editor) wordRight() {
	rest := buffer{text: e.suggestion()}
	if !e.take(rest.wordRight(0)) {
		e.buf.moveTo(e.buf.wordRight(e.buf.pos))
	}
}

// up goes to the line above, and from the first one to an older text.
func (e *Editor) up() {
	if !e.buf.onFirstLine() {
		e.buf.vertical(-1)
		return
	}
	e.recall(-1)
}

func (e *Editor) down() {
	if !e.buf.onLastLine() {
		e.buf.vertical(1)
		return
	}
	e.recall(1)
}

func (e *Editor) recall(by int) {
	text, ok := e.hist.step(by, e.buf.String())
	if !ok {
		e.cfg.bell()
		return
	}
	e.buf.set(text)
}

func (c *Config) bell() { io.WriteString(c.Out, "\a") }

// interrupt drops the text.
func (e *Editor) interrupt() {
	e.buf.moveTo(len(e.buf.text))
	e.buf.insert([]rune("^C")...)
	e.finish(ErrInterrupt)
}

// endOfInput leaves if there is no text, and deletes a character if there is.
func (e *Editor) endOfInput() {
	if len(e.buf.text) == 0 {
		e.finish(io.EOF)
		return
	}
	e.buf.delete()
}

// external changes the text in the user's editor.
func (e *Editor) external() {
	if e.cfg.Edit == nil {
		e.cfg.bell()
		return
	}
	var text string
	var err error
	e.outside(func() { text, err = e.cfg.Edit(e.buf.String()) })
	if err != nil {
		e.hint = err.Error()
		return
	}
	e.buf.set(strings.TrimRight(text, "\n"))
}
