//go:build js || wasip1

package edit

import "errors"

// errNone is the answer of every terminal where there is none.
var errNone = errors.New("there is no terminal on this system")

// A terminal is none: nothing can be typed.
type terminal struct{}

func (*terminal) ReadRune() rune      { return 0 }
func (*terminal) EnterRawMode() error { return errNone }
func (*terminal) ExitRawMode() error  { return errNone }
func (*terminal) KickRead()           {}
func (*terminal) SleepToResume()      {}
func (*terminal) Close() error        { return nil }

// wide is how many columns a character takes that is not of the usual ones.
func wide(rune) int { return 1 }

// New is an error: there is no terminal.
func New(Config) (*Editor, error) { return nil, errNone }

// IsTerminal reports whether a text can be edited.
func IsTerminal() bool { return false }

// size is unknown.
func size() (width, height int) { return 0, 0 }
