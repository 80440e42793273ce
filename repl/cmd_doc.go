package repl

import (
	"bytes"
	"context"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/repl/screen"
	"github.com/tiler-go/tiler/repl/symbols"
)

// cmdDoc says what a name means.
func (s *Session) cmdDoc(_ context.Context, arg string) error {
	if arg == "" {
		return usage(":doc")
	}
	p, err := s.names.Of(arg)
	if err == nil {
		s.view.Say(p)
	}
	return err
}

// runExample is the cells of an example with what they print, as at a prompt, up to the
// first that fails.
func runExample(e symbols.Example) (text string, err error) {
	var b, out bytes.Buffer
	s := New(Options{Out: &out, Size: func() (int, int) { return 72, 24 }})
	for _, c := range scan.Split(e.Text) {
		b.WriteString("    " + screen.Prompt + strings.ReplaceAll(c.Text, "\n", "\n    "+screen.More) + "\n")
		if !e.Run {
			continue
		}
		out.Reset()
		err = s.Eval(context.Background(), c.Text)
		s.Report(err)
		if text := strings.TrimRight(out.String(), "\n"); text != "" && !strings.HasPrefix(text, "imported ") {
			b.WriteString("    " + strings.ReplaceAll(text, "\n", "\n    ") + "\n")
		}
		if err != nil {
			break
		}
	}
	return strings.TrimRight(b.String(), "\n"), err
}
