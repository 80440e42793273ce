package repl

import (
	"context"
	"errors"
	"go/token"
	"os"
	"strings"
	"time"

	"github.com/tiler-go/tiler/repl/launch"
	"github.com/tiler-go/tiler/repl/screen"
	"github.com/tiler-go/tiler/repl/show"
)

// cmdPlain turns plain values on or off, or prints one.
func cmdPlain(v *screen.View, ctx context.Context, arg string) error {
	switch arg {
	case "", "on":
		v.Plain = true
		v.Note("values are printed as in PyTorch; :plain off for pictures")
	case "off":
		v.Plain = false
		v.Note("values are shown as pictures")
	default:
		x, err := v.Cells.Evaluate(ctx, arg)
		if err != nil {
			return err
		}
		v.Say(show.Text(show.AsPlain(x.Box)))
	}
	return nil
}

// cmdGo prints definitions in plain Go.
func cmdGo(v *screen.View, _ context.Context, arg string) error {
	if arg != "" {
		d, ok := v.Cells.Def(arg)
		if !ok {
			return launch.Unknown(v.Cells, arg, "function, type or constant")
		}
		v.Say(show.Source(d.Go))
		return nil
	}
	var texts []string
	for _, d := range v.Cells.Defs() {
		if d.Kind != token.IMPORT && d.Kind != token.VAR {
			texts = append(texts, d.Go)
		}
	}
	if len(texts) == 0 {
		v.Note("nothing is defined yet")
		return nil
	}
	v.Say(show.Source(strings.Join(texts, "\n\n")))
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

// cmdEdit changes a definition or the last cell in the user's editor.
func (s *Session) cmdEdit(ctx context.Context, arg string) error {
	before := s.history.last
	if arg != "" {
		d, ok := s.cells.Def(arg)
		if !ok || d.Source == "" {
			return launch.Unknown(s.cells, arg, "function, type or constant")
		}
		before = d.Source
	}
	after, err := editText(s.o.Edit, before)
	if err != nil {
		return err
	}
	if strings.TrimSpace(after) == strings.TrimSpace(before) {
		s.view.Note("nothing was changed")
		return nil
	}
	return s.evalAt(ctx, "", 0, after)
}

// editText changes a text in the user's editor.
func editText(edit func(file string) error, text string) (string, error) {
	if edit == nil {
		return "", errors.New("no editor found\n\tfix: set the environment variable EDITOR")
	}
	f, err := os.CreateTemp("", "cell*.go")
	if err != nil {
		return "", err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(strings.TrimRight(text, "\n") + "\n")
	if err := errors.Join(err, f.Close()); err != nil {
		return "", err
	}
	if err := edit(f.Name()); err != nil {
		return "", err
	}
	out, err := os.ReadFile(f.Name())
	return strings.TrimRight(string(out), "\n"), err
}

func (s *Session) cmdReset(context.Context, string) error {
	s.cells.Reset()
	s.begun, s.shown, s.history.last, s.history.worked = 0, nil, "", nil
	s.kernels.Log.Forget()
	s.lessons.Forget()
	s.view.Note("the session is empty again")
	return nil
}
