package edit

import (
	"bytes"
	"io"
	"strings"
)

// Above writes what a goroutine of the program prints above the text that is being typed,
// line by line; it reports false, and does nothing, if no text is.
func (e *Editor) Above(text []byte) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.reading || e.done || e.page != nil {
		return false
	}
	e.held = append(e.held, text...)
	if n := bytes.LastIndexByte(e.held, '\n') + 1; n > 0 {
		var b strings.Builder
		e.screen.erase(&b)
		b.Write(e.held[:n])
		io.WriteString(e.cfg.Out, b.String())
		e.held = append(e.held[:0], e.held[n:]...)
		e.draw()
	}
	return true
}

// release writes what Above holds back: a line without an end.
func (e *Editor) release() {
	if len(e.held) > 0 {
		e.cfg.Out.Write(append(e.held, '\n'))
		e.held = nil
	}
}
