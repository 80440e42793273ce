package cell

import (
	"io"

	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/repl/cell/sugar"
)

// What owners of sessions ask about texts is answered by package scan.

type (
	Cell     = scan.Cell
	Splitter = scan.Splitter
)

// Split cuts text into cells.
func Split(src string) []Cell { return scan.Split(src) }

// Incomplete reports whether more lines must follow before src can be evaluated.
func Incomplete(src string) bool { return scan.Incomplete(src) }

// IsProgram reports whether a text begins with a package clause.
func IsProgram(text string) bool { return scan.IsProgram(text) }

// IsCommand reports whether a text is no Go, but for the owner of the session.
func IsCommand(text string) bool { return scan.IsCommand(text) }

// CommandIncomplete reports whether a command needs more lines.
func CommandIncomplete(text string) bool { return scan.CommandIncomplete(text) }

// Spelled is a command that begins with a colon.
func Spelled(text string) string { return scan.Spelled(text) }

// ReadText reads a source file. What is no text, or has no end, is an error.
func ReadText(path string) (string, error) { return scan.ReadText(path) }

// TextOf is ReadText of what has been opened.
func TextOf(name string, r io.Reader) (string, error) { return scan.TextOf(name, r) }

// PlainSyntax is a text as Go's parser reads it, with each byte in its place.
func PlainSyntax(src string) string { return sugar.PlainSyntax(src) }
