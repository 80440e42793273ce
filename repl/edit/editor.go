// Package edit reads texts from a terminal: lines, and whole functions with all their
// lines at hand. It stands on the terminal of chzyer/readline, which puts the terminal
// into its raw state and back on every system, and does its own editing: that of
// readline knows single lines only, and has no paste.
//
// What is typed goes through four parts, each of which can be seen alone: keyReader
// turns sequences of bytes into keys; buffer is the text with its cursor; screen draws
// it; Editor knows what each key does. A text that is not complete when Enter is
// pressed gets another line.
package edit

import (
	"errors"
	"io"
	"sync"
	"time"
)

// ErrInterrupt is what Read returns after Ctrl-C.
var ErrInterrupt = errors.New("interrupted")

// A Candidate is what an unfinished word may become.
type Candidate struct {
	Text   string // what stands in the word's place
	Detail string // a type or a signature, shown beside
}

// Config says what an editor works with. The zero value reads standard input.
type Config struct {
	In      io.Reader
	Out     io.Writer
	History string // the file that sessions share; "" keeps none
	Colour  bool
	Light   bool // the colours are those for a light ground
	// Incomplete reports whether a text needs more lines.
	Incomplete func(text string) bool
	// Cells is the texts that were typed in one copied from a screen, without their prompts;
	// none if it has no prompts.
	Cells func(text string) []string
	// Complete says what the word before pos, a place in bytes, may become: the word
	// begins at start.
	Complete func(text string, pos int) (start int, list []Candidate)
	// Edit changes a text in an editor of the user's.
	Edit func(text string) (string, error)
}

// An Editor reads texts from a terminal.
type Editor struct {
	cfg Config
	device

	mu sync.Mutex // held while a key or a change of size is dealt with
	state
	pic    picture // its prompts
	screen screen
	hist   history
	buf    buffer
	below
	refresh
	texts
	edits edits
	held  []byte // the beginning of a line that is to be written above the text
}

// device is the terminal.
type device struct {
	term *terminal
	keys io.ReadCloser
	size func() (width, height int)
	kick bool // the terminal waits to be told to read on
}

// state is what the editor is doing.
type state struct {
	reading bool
	pasting bool
	asking  bool
	force   bool // the Enter that comes ends the text
	done    bool
	err     error
}

// below is what may stand below the text, or instead of it.
type below struct {
	menu   *menu
	search *search
	hint   string // a line, until the next key
	page   *page  // what is being paged through
}

// refresh is when the screen is drawn.
type refresh struct {
	drawn time.Time     // when it was last
	took  time.Duration // and how long that took
	later *time.Timer   // draws what has changed since; nil if nothing has
}

// texts are those before and behind the present one.
type texts struct {
	preset string   // what the next text begins as
	given  string   // what the present text began as
	follow []string // the texts that Read returns next, as if they were typed
}

// Size is the terminal's width and height, 80 by 24 if it does not say.
func Size() (width, height int) {
	width, height = size()
	if width <= 0 {
		width = 80
	}
	if height <= 0 {
		height = 24
	}
	return width, height
}

// Close puts the terminal back into its former state.
func (e *Editor) Close() error {
	e.keys.Close()
	go func() {
		for e.term.ReadRune() != 0 { // drop what was typed ahead, so that the terminal can end
		}
	}()
	return e.term.Close()
}

// History is the texts that were entered, in this session and earlier ones.
func (e *Editor) History() []string { return e.hist.texts() }

// Preset is what the next text begins as. It is called between texts.
func (t *texts) Preset(text string) { t.preset = text }

// Drop forgets the cells of a copied text that are still to come.
func (t *texts) Drop() { t.follow = nil }

// Read reads one text. Lines after the first have the prompt more. The error is
// ErrInterrupt after Ctrl-C, io.EOF after Ctrl-D in an empty text.
func (e *Editor) Read(prompt, more string) (string, error) {
	if err := e.term.EnterRawMode(); err != nil {
		return "", err
	}
	defer e.term.ExitRawMode()
	e.begin(prompt, more)                    // not earlier: a terminal takes Ctrl-D for itself until then
	io.WriteString(e.cfg.Out, "\x1b[?2004h") // mark what is pasted
	defer io.WriteString(e.cfg.Out, "\x1b[?2004l")
	if e.following() {
		return e.buf.String(), nil
	}
	for {
		if e.key(e.rune()) {
			return e.buf.String(), e.err
		}
	}
}

// rune is the next character or key; 0 at the end of the input.
func (d *device) rune() rune {
	if d.kick {
		d.term.KickRead()
	}
	r := d.term.ReadRune()
	switch r {
	case ctrlC, enter, ctrlJ, ctrlD:
		d.kick = true // after these readline waits, for what they start may read itself
	default:
		d.kick = false
	}
	return r
}

// Ask reads an answer: one line, which is not kept.
func (e *Editor) Ask(prompt string) (string, error) {
	e.asking = true
	defer func() { e.asking = false }()
	return e.Read(prompt, "")
}

func (e *Editor) begin(prompt, more string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.reading, e.kick, e.done, e.err = true, !e.ahead(), false, nil
	e.took = 0
	e.pic = picture{prompt: prompt, more: more, marked: -1}
	e.pic.promptColour = e.cfg.inks().prompt
	e.given, e.preset = e.preset, ""
	e.buf.set(e.given)
	e.edits = edits{}
	e.hist.reset()
	e.screen.width, e.screen.height = e.size()
	e.draw()
}

// ahead reports whether the terminal was not told to wait after the last text, because
// more had been typed.
func (e *Editor) ahead() bool { return e.reading && !e.kick }

// key deals with one key; it reports whether the text is finished.
func (e *Editor) key(r rune) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.hint = ""
	if r == 0 { // the input has ended
		e.finish(io.EOF)
	} else {
		e.edits.watch(e, r, func() { e.act(r) })
	}
	if !e.done {
		e.draw()
	}
	return e.done
}

// finish ends the text.
func (e *Editor) finish(err error) {
	e.done, e.err = true, err
	if e.later != nil {
		e.later.Stop()
		e.later = nil
	}
	e.menu, e.search = nil, nil
	p := e.picture()
	e.screen.leave(&p)
	e.release()
	switch {
	case err != nil:
		e.buf.set("")
	case !e.asking:
		e.hist.add(e.buf.String())
	}
}

// resized is called when the terminal's size has changed.
func (e *Editor) resized() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.page != nil {
		e.page.resize(e.size())
		return
	}
	if !e.reading || e.done {
		return
	}
	e.screen.resize(e.size())
	e.draw()
}

// picture is what the screen shows.
func (e *Editor) picture() picture {
	p := e.pic
	p.text, p.pos = e.buf.text, e.buf.pos
	p.grey, p.chosen = e.cfg.inks().grey, e.cfg.inks().chosen
	if e.cfg.Colour {
		p.colours = paint(e.buf.text, e.cfg.inks())
		if !e.done {
			e.cfg.inks().brackets(e.buf.text, e.buf.pos, p.colours)
		}
		for _, r := range e.suggestion() {
			p.text = append(p.text[:len(p.text):len(p.text)], r)
			p.colours = append(p.colours, p.grey)
		}
	}
	switch {
	case e.search != nil:
		p.below = []string{e.search.String()}
	case e.menu != nil:
		p.below, p.marked = e.menu.lines(e.screen.height / 2)
	case e.hint != "":
		p.below = []string{e.hint}
	}
	return p
}

// draw draws the screen, or leaves that for later, so that a fifth of the time at most
// goes into drawing: when a text is pasted there is a key for every character of it.
func (e *Editor) draw() {
	switch wait := 4*e.took - time.Since(e.drawn); {
	case e.later != nil:
		return
	case wait > 0:
		e.later = time.AfterFunc(wait, e.drawLate)
		return
	}
	start := time.Now()
	p := e.picture()
	e.screen.draw(&p)
	e.drawn = time.Now()
	e.took = e.drawn.Sub(start)
}

// drawLate draws what draw left.
func (e *Editor) drawLate() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.later == nil { // the text was finished meanwhile
		return
	}
	e.later, e.took = nil, 0
	e.draw()
}

// outside runs something that needs the terminal as it was.
func (e *Editor) outside(run func()) {
	e.term.ExitRawMode()
	run()
	e.term.EnterRawMode()
	e.screen.row = 0
}
