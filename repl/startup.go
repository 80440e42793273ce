package repl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/repl/screen"
)

// startup evaluates the user's startup file. What is wrong in it is said, with its place,
// and the rest goes on.
func (s *Session) startup() {
	if s.o.Startup == "" {
		return
	}
	text, err := os.ReadFile(s.o.Startup)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			s.Report(err)
		}
		return
	}
	s.view.Starting = true
	defer func() { s.view.Starting = false }()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	for _, c := range scan.Split(string(text)) {
		if err := s.startupCell(ctx, c); err != nil && ctx.Err() != nil {
			s.Report(fmt.Errorf("%s:%d: interrupted", s.o.Startup, c.Line))
			return
		} else if err != nil {
			s.Report(err)
		}
		if s.quit {
			return
		}
	}
}

func (s *Session) startupCell(ctx context.Context, c scan.Cell) error {
	if !isCommand(c.Text) {
		return s.evalAt(ctx, s.o.Startup, c.Line, c.Text)
	}
	s.history.nested++
	defer func() { s.history.nested-- }()
	if err := s.Eval(ctx, c.Text); err != nil && !errors.Is(err, screen.ErrSaid) {
		return fmt.Errorf("%s:%d: %s: %w", s.o.Startup, c.Line, strings.Fields(c.Text)[0], err)
	}
	return nil
}
