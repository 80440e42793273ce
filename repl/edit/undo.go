package edit

import "slices"

// edits is how a text came to be: what it was before each step that can be undone. What
// is typed of a word is one step, and so is what is pasted.
type edits struct {
	past, future []version
	within       bool // the last key was part of a word
	travelling   bool // the key undoes or redoes
}

// A version is a text with its cursor.
type version struct {
	text []rune
	pos  int
}

func (b *buffer) version() version { return version{slices.Clone(b.text), b.pos} }

// Steps that can be undone are at most so many, of texts of at most so many characters.
const mostSteps, mostUndone = 1000, 1 << 14

// watch notes what a key changes.
func (d *edits) watch(e *Editor, r rune, act func()) {
	if e.pasting || len(e.buf.text) > mostUndone {
		act()
		d.within = e.pasting
		return
	}
	before := e.buf.version()
	d.travelling = false
	act()
	switch {
	case d.travelling:
		return
	case !e.pasting && slices.Equal(before.text, e.buf.text):
		d.within = false
		return
	}
	word := r < keyUp && isWord(r)
	if !d.within || !word {
		d.past = append(d.past[max(0, len(d.past)-mostSteps):], before)
	}
	d.within, d.future = word, nil
}

func (d *edits) undo(e *Editor) { d.travel(e, &d.past, &d.future) }
func (d *edits) redo(e *Editor) { d.travel(e, &d.future, &d.past) }

// travel goes to the last version of from, and leaves the present one in to.
func (d *edits) travel(e *Editor, from, to *[]version) {
	d.travelling, d.within = true, false
	n := len(*from)
	if n == 0 {
		e.cfg.bell()
		return
	}
	*to = append(*to, e.buf.version())
	e.buf.text, e.buf.pos, e.buf.want = (*from)[n-1].text, (*from)[n-1].pos, -1
	*from = (*from)[:n-1]
}
