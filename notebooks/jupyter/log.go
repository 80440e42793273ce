package jupyter

import (
	"bytes"
	"fmt"
	"io"
	osexec "os/exec"
	"strings"
)

// A Log is what an installation says while it works.
type Log struct {
	W io.Writer

	// Busy shows that something takes its time: detail what it is at, until end is called.
	// Without it a line is printed instead.
	Busy func(what string) (detail func(string), end func())
}

// row prints a fact.
func (l Log) row(name, format string, args ...any) {
	fmt.Fprintf(l.W, "%-9s%s\n", name, fmt.Sprintf(format, args...))
}

// run runs a go command that takes its time, and shows what it is at by the lines that it
// prints: modules that it fetches, and with -v packages that it compiles. The error has
// all that it printed.
func (l Log) run(cmd *osexec.Cmd, what string) error {
	steps := &steps{}
	if l.Busy == nil {
		fmt.Fprintln(l.W, what+": a minute or two the first time, seconds later")
	} else {
		detail, end := l.Busy(what)
		defer end()
		steps.show = detail
	}
	cmd.Stdout, cmd.Stderr = steps, steps
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w\n\t%s", what, err, strings.ReplaceAll(strings.TrimSpace(steps.all.String()), "\n", "\n\t"))
	}
	return nil
}

// steps collects what the go command prints, and shows its lines as they come.
type steps struct {
	all      bytes.Buffer
	shown    int // bytes of all
	packages int
	show     func(string)
}

func (s *steps) Write(text []byte) (int, error) {
	s.all.Write(text)
	for s.show != nil {
		line, _, whole := strings.Cut(string(s.all.Bytes()[s.shown:]), "\n")
		if !whole {
			break
		}
		s.shown += len(line) + 1
		if fetched, ok := strings.CutPrefix(line, "go: downloading "); ok {
			s.show("fetching " + fetched)
			continue
		}
		s.packages++
		s.show(fmt.Sprintf("package %d: %s", s.packages, line))
	}
	return len(text), nil
}
