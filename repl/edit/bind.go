package edit

import (
	"io"
	"strings"
	"unicode"
)

// bindings is what keys do. Keys without a row are characters, which are inserted.
var bindings map[rune]func(*Editor)

func init() {
	bindings = map[rune]func(*Editor){
		ctrlA: (*Editor).home, keyHome: (*Editor).home,
		ctrlE: (*Editor).end, keyEnd: (*Editor).end,
		ctrlB: func(e *Editor) { e.buf.move(-1) }, keyLeft: func(e *Editor) { e.buf.move(-1) },
		ctrlF: func(e *Editor) { e.buf.move(1) }, keyRight: func(e *Editor) { e.buf.move(1) },
		keyWordLeft:  func(e *Editor) { e.buf.moveTo(e.buf.wordLeft(e.buf.pos)) },
		keyWordRight: func(e *Editor) { e.buf.moveTo(e.buf.wordRight(e.buf.pos)) },
		ctrlP:        (*Editor).up, keyUp: (*Editor).up,
		ctrlN: (*Editor).down, keyDown: (*Editor).down,
		keyFirst: func(e *Editor) { e.buf.moveTo(0) }, keyLast: func(e *Editor) { e.buf.moveTo(len(e.buf.text)) },

		ctrlH: func(e *Editor) { e.buf.backspace() }, backspace: func(e *Editor) { e.buf.backspace() },
		keyDelete:        func(e *Editor) { e.buf.delete() },
		keyWordDelete:    func(e *Editor) { e.buf.cut(e.buf.pos, e.buf.wordRight(e.buf.pos)) },
		keyWordBackspace: func(e *Editor) { e.buf.cut(e.buf.wordLeft(e.buf.pos), e.buf.pos) },
		ctrlW:            func(e *Editor) { e.buf.cut(e.buf.blankLeft(e.buf.pos), e.buf.pos) },
		ctrlU:            func(e *Editor) { e.buf.cut(e.buf.lineStart(e.buf.pos), e.buf.pos) },
		ctrlK:            (*Editor).killLine,
		ctrlY:            func(e *Editor) { e.buf.insert(e.buf.kill...) },
		ctrlT:            func(e *Editor) { e.buf.transpose() },

		enter: func(e *Editor) { e.enter(true) }, ctrlJ: func(e *Editor) { e.enter(true) },
		keyMore:    func(e *Editor) { e.enter(false) },
		keyNewline: func(e *Editor) { e.buf.newline() },
		keyPaste:   (*Editor).startPaste,
		tab:        (*Editor).complete,
		ctrlR:      func(e *Editor) { e.startSearch(-1) },
		ctrlS:      func(e *Editor) { e.startSearch(1) },
		ctrlC:      (*Editor).interrupt,
		ctrlD:      (*Editor).endOfInput,
		ctrlL:      (*Editor).clearScreen,
		ctrlX:      (*Editor).external,
		ctrlZ:      func(e *Editor) { e.outside(e.term.SleepToResume) },
		'}':        func(e *Editor) { e.buf.closing('}') },
		')':        func(e *Editor) { e.buf.closing(')') },
		']':        func(e *Editor) { e.buf.closing(']') },
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

func (e *Editor) home() { e.buf.moveTo(e.buf.lineStart(e.buf.pos)) }
func (e *Editor) end()  { e.buf.moveTo(e.buf.lineEnd(e.buf.pos)) }

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
		e.bell()
		return
	}
	e.buf.set(text)
}

func (e *Editor) bell() { io.WriteString(e.cfg.Out, "\a") }

func (e *Editor) killLine() {
	end := e.buf.lineEnd(e.buf.pos)
	if end == e.buf.pos && end < len(e.buf.text) {
		end++
	}
	e.buf.cut(e.buf.pos, end)
}

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

func (e *Editor) clearScreen() {
	io.WriteString(e.cfg.Out, "\x1b[H\x1b[2J")
	e.screen.row = 0
}

// external changes the text in the user's editor.
func (e *Editor) external() {
	if e.cfg.Edit == nil {
		e.bell()
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
