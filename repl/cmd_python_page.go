//go:build tiler_page

package repl

import (
	"context"
	"errors"
)

// The program of the page does not read Python: its lessons have none, and the reader is a
// twelfth of what would have to be loaded.
type script struct{}

func (k script) text(string) string { return "" }

var errNoPython = errors.New("the page does not read Python\n\tfix: install tiler, and try it there")

func (s *Session) loadPython(string) error { return errNoPython }

func (s *Session) script(string) (script, bool) { return script{}, false }

func (s *Session) scriptTarget(context.Context, script, string, string, string) (again, error) {
	return again{}, errNoPython
}

func pythonLaunches(context.Context, *Session, string, int, string) (bool, error) {
	return false, nil
}
