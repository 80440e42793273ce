package repl

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/show"
)

// mostRecent is how much of the history is listed.
const mostRecent = 50

// remember notes what is evaluated, for :history.
func (s *Session) remember(text string) {
	if s.nested == 0 && strings.TrimSpace(text) != "" {
		s.typed = append(s.typed, strings.TrimSpace(text))
	}
}

// passing is the commands that a notebook of the session leaves out: they ask, or are about
// the session itself.
var passing = []string{":notebook", ":save", ":history", ":help", ":quit", ":reset", "?", ":doc", ":vars"}

// keep notes what did not fail, for a notebook. What was written in an editor is kept
// instead of the command that opened it.
func (s *Session) keep(text string, err error) {
	if s.nested > 0 || err != nil || strings.TrimSpace(text) == "" {
		return
	}
	if isCommand(text) && !holdsCommands(text) {
		name, _, _ := strings.Cut(cell.Spelled(s.meant(text)), " ")
		if c, err := commandNamed(name); err != nil || slices.Contains(passing, c.name) {
			return
		} else if c.name == ":edit" {
			text = s.last
		}
	}
	s.worked = append(s.worked, strings.TrimSpace(text))
}

// cmdHistory lists what was typed: in all sessions if they are kept.
func (s *Session) cmdHistory(_ context.Context, arg string) error {
	list := s.typed
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

// cmdTime evaluates a cell, and says how long that took.
func (s *Session) cmdTime(ctx context.Context, arg string) error {
	if arg == "" {
		return usage(":time")
	}
	start := time.Now()
	err := s.evalAt(ctx, "", 0, arg)
	if err == nil {
		s.view.Say(show.Aside("took " + show.Seconds(time.Since(start).Seconds())))
	}
	return err
}
