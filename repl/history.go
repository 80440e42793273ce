package repl

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/repl/show"
)

// mostRecent is how much of the history is listed.
const mostRecent = 50

// A history is what was typed.
type history struct {
	typed  []string // what was evaluated
	worked []string // of that, what did not fail, for notebooks
	nested int      // what is evaluated is part of that
	last   string   // the last cell
}

// remember notes what is evaluated, for :history.
func (h *history) remember(text string) {
	if h.nested == 0 && strings.TrimSpace(text) != "" {
		h.typed = append(h.typed, strings.TrimSpace(text))
	}
}

// passing is the commands that a notebook of the session leaves out: they ask, or are about
// the session itself.
var passing = []string{":notebook", ":save", ":history", ":help", ":quit", ":reset", "?", ":doc", ":vars"}

// keep notes what did not fail, for a notebook. What was written in an editor is kept
// instead of the command that opened it.
func (h *history) keep(cells *cell.Session, text string, err error) {
	if h.nested > 0 || err != nil || strings.TrimSpace(text) == "" {
		return
	}
	if isCommand(text) && !holdsCommands(text) {
		name, _, _ := strings.Cut(scan.Spelled(meant(cells, text)), " ")
		if c, err := commandNamed(name); err != nil || slices.Contains(passing, c.name) {
			return
		} else if c.name == ":edit" {
			text = h.last
		}
	}
	h.worked = append(h.worked, strings.TrimSpace(text))
}

// cmdHistory lists what was typed: in all sessions if they are kept.
func (s *Session) cmdHistory(_ context.Context, arg string) error {
	list := s.history.typed
	if s.view.Editor() != nil {
		list = s.view.Editor().History()
	}
	if n := len(list); n > 0 && isCommand(list[n-1]) {
		list = list[:n-1] // this command
	}
	var rows []string
	for i, text := range list {
		if arg == "" && i < len(list)-mostRecent || !strings.Contains(text, arg) {
			continue
		}
		rows = append(rows, fmt.Sprintf("%5d  %s", i+1, strings.ReplaceAll(text, "\n", "\n       ")))
	}
	switch {
	case len(rows) == 0 && arg == "":
		s.view.Note("nothing was typed yet")
	case len(rows) == 0:
		s.view.Note("no cell or command contains %s", arg)
	default:
		s.view.Say(show.Text(strings.Join(rows, "\n")))
	}
	return nil
}
