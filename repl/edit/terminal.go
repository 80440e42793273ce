//go:build !js && !wasip1

package edit

import (
	"os"

	"github.com/chzyer/readline"
)

// A terminal is in its raw state while a text is typed.
type terminal = readline.Terminal

// wide is how many columns a character takes that is not of the usual ones.
func wide(r rune) int { return readline.Runes{}.Width(r) }

// New is an editor on the process's terminal.
func New(c Config) (*Editor, error) {
	if c.In == nil {
		c.In = readline.Stdin
	}
	if c.Out == nil {
		c.Out = readline.Stdout
	}
	e, err := newEditor(c, &readline.Config{}, Size)
	if err != nil {
		return nil, err
	}
	readline.DefaultOnWidthChanged(e.resized)
	return e, nil
}

func newEditor(c Config, r *readline.Config, size func() (width, height int)) (*Editor, error) {
	e := &Editor{cfg: c, screen: screen{w: c.Out}, buf: buffer{want: -1}, device: device{size: size}}
	e.keys = &keyReader{r: readline.NewCancelableStdin(c.In)}
	r.Stdin, r.Stdout, r.HistoryLimit = e.keys, c.Out, -1
	var err error
	e.term, err = readline.NewTerminal(r)
	e.hist.load(c.History)
	return e, err
}

// IsTerminal reports whether a text can be edited: standard input and output are a
// terminal.
func IsTerminal() bool {
	return readline.IsTerminal(int(os.Stdin.Fd())) && readline.IsTerminal(int(os.Stdout.Fd()))
}
