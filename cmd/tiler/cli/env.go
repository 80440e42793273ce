package cli

import (
	"fmt"
	"io"

	"github.com/tiler-go/tiler/repl/edit"
	"github.com/tiler-go/tiler/repl/show"
)

// Env is what a command works on: the streams, and its own row.
type Env struct {
	In       io.Reader
	Out, Err io.Writer

	program *Program
	command *Command
	lost    *error // why something that was printed is lost
}

// Noting is a stream that notes its first error, as if it were a command's own output.
func (e Env) Noting(w io.Writer) io.Writer { return written{w, e.lost} }

// written notes the first error of what a command prints: a disk may be full.
type written struct {
	io.Writer
	lost *error
}

// Write implements io.Writer.
func (w written) Write(b []byte) (int, error) {
	n, err := w.Writer.Write(b)
	if err != nil && *w.lost == nil {
		*w.lost = err
	}
	return n, err
}

// told is a command's exit status, 1 if what it printed is lost.
func (e Env) told(status int) int {
	if *e.lost == nil {
		return status
	}
	return max(status, e.Fail(*e.lost))
}

// Fail prints an error as every command does, and is exit status 1.
func (e Env) Fail(err error) int {
	fmt.Fprintln(e.Err, Fitted(e.Err, fmt.Sprint(e.program.Name, ": ", err)))
	return 1
}

// Fitted is a text with lines that are broken between words, if it goes to a terminal.
func Fitted(w io.Writer, text string) string {
	if !IsTerminal(w) {
		return text
	}
	columns, _ := edit.Size()
	return show.ErrorText(text).Wrapped(columns).String()
}

// Usage prints how the command is called, and is exit status 2.
func (e Env) Usage() int {
	name := e.program.Name
	fmt.Fprintf(e.Err, "%s\nrun '%s help %s' for its flags and examples\n", e.command.usage(name), name, e.command.Name)
	return 2
}
