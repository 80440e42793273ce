package repl

import (
	"context"
	"go/token"
	"strings"

	"github.com/tiler-go/tiler/repl/launch"
	"github.com/tiler-go/tiler/repl/show"
)

// cmdPlain turns plain values on or off, or prints one.
func (s *Session) cmdPlain(ctx context.Context, arg string) error {
	switch arg {
	case "", "on":
		s.view.Plain = true
		s.view.Note("values are printed as in PyTorch; :plain off for pictures")
	case "off":
		s.view.Plain = false
		s.view.Note("values are shown as pictures")
	default:
		v, err := s.cells.Evaluate(ctx, arg)
		if err != nil {
			return err
		}
		s.view.Say(show.Text(show.AsPlain(v.Box)))
	}
	return nil
}

// cmdGo prints definitions in plain Go.
func (s *Session) cmdGo(_ context.Context, arg string) error {
	if arg != "" {
		d, ok := s.cells.Def(arg)
		if !ok {
			return launch.Unknown(s.cells, arg, "function, type or constant")
		}
		s.view.Say(show.Source(d.Go))
		return nil
	}
	var texts []string
	for _, d := range s.cells.Defs() {
		if d.Kind != token.IMPORT && d.Kind != token.VAR {
			texts = append(texts, d.Go)
		}
	}
	if len(texts) == 0 {
		s.view.Note("nothing is defined yet")
		return nil
	}
	s.view.Say(show.Source(strings.Join(texts, "\n\n")))
	return nil
}

func (s *Session) cmdTrace(_ context.Context, arg string) error {
	if !s.kernels.Log.Trace(arg) {
		return usage(":trace")
	}
	return nil
}

func (s *Session) cmdBegin(context.Context, string) error {
	s.begun = s.cells.Mark()
	s.view.Note("type the lines of a kernel; :kernel NAME turns them into one")
	return nil
}

// cmdKernel makes a kernel of the statements since :begin.
func (s *Session) cmdKernel(ctx context.Context, arg string) error {
	if arg == "" {
		return usage(":kernel")
	}
	text, err := s.cells.KernelText(arg, s.begun)
	if err != nil {
		return err
	}
	s.view.Say(show.Source(text))
	return s.evalAt(ctx, "", 0, text)
}
