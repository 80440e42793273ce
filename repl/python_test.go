package repl_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/tiler-go/tiler/repl"
)

// TestOneMistake: of each form of Python in the session about them one thing is said, and all of
// them are complete at once: nobody is asked for more lines.
func TestOneMistake(t *testing.T) {
	a, err := txtar.ParseFile("testdata/session/python.txtar")
	if err != nil {
		t.Fatal(err)
	}
	place := regexp.MustCompile(`(?m)^cell \d+:\d+:\d+: `)
	mistakes := 0
	for _, part := range strings.Split(string(a.Files[0].Data), prompt)[1:] {
		input, printed, _ := strings.Cut(part, "\n")
		n := len(place.FindAllString(printed, -1))
		if n > 1 {
			t.Errorf("%s: %d things are said about it:\n%s", input, n, printed)
		}
		if n == 0 {
			continue
		}
		mistakes++
		if !strings.Contains(printed, "\tfix: ") && input != "return x" {
			t.Errorf("%s: it is not said what to write", input)
		}
		if repl.Incomplete(input) && input != "try:" && input != "~" {
			t.Errorf("%s: it is taken for incomplete", input)
		}
	}
	if mistakes < 100 {
		t.Errorf("%d forms, want 100 at least", mistakes)
	}
}
