package repl

import (
	"context"
	"go/token"
	"strings"

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

func (s *Session) cmdKernels(ctx context.Context, _ string) error {
	grids := map[string]string{}
	for _, l := range s.launches.list() {
		grids[l.Name()] = gridText(l.Grid)
	}
	var rows [][]string
	for _, name := range s.cells.Kernels() {
		k, err := s.cells.Kernel(name)
		if err != nil {
			return err
		}
		state := k.State()
		how := "interpreted"
		if state.Promoted {
			how = strings.TrimSuffix("promoted, "+state.Engine, ", ")
		}
		rows = append(rows, []string{name, how, grids[name], signature(s, name)})
	}
	if len(rows) == 0 {
		s.view.Note("there are no kernels; func add(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) { … } is one")
		return nil
	}
	s.view.Say(show.Table([]string{"kernel", "runs", "last grid", ""}, rows))
	return nil
}

// signature is a function's parameters.
func signature(s *Session, name string) string {
	doc, _ := s.cells.Doc(name)
	return strings.Join(strings.Fields(strings.TrimPrefix(doc.Decl, "func "+name)), " ")
}

func indent(text string) string {
	return strings.ReplaceAll("    "+strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    "), "\n    \n", "\n\n")
}

// cmdGo prints definitions in plain Go.
func (s *Session) cmdGo(_ context.Context, arg string) error {
	if arg != "" {
		d, ok := s.cells.Def(arg)
		if !ok {
			return s.unknown(arg, "function, type or constant")
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
	switch {
	case arg == "on", arg == "" && s.trace == "off":
		s.trace = "on"
		s.view.Note("each launch is reported; :trace off stops that")
	case arg == "off", arg == "":
		s.trace = "off"
		s.view.Note("launches are not reported")
	case arg == "cells":
		s.trace = "cells"
		s.view.Note("each cell is shown as it is interpreted, and each launch is reported")
	default:
		return usage(":trace")
	}
	s.tracing.Store(s.trace != "off")
	return nil
}

// traceCell is told what becomes of a cell.
func (s *Session) traceCell(stage, text string) {
	if s.trace == "cells" {
		s.view.Say(show.Aside(stage + ":\n" + strings.TrimRight(text, "\n")))
	}
}
