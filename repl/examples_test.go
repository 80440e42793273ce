package repl

import (
	"strings"
	"testing"

	"github.com/tiler-go/tiler/repl/symbols"
)

// TestExamples: every example that is carried out shows something, and no error.
func TestExamples(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	s := New(Options{})
	n := 0
	for _, pkg := range []string{"tl", "tensor", "exec"} {
		path, list, _ := s.cells.PackageNames(pkg)
		seen := map[string]bool{}
		for _, sub := range list {
			for _, name := range sub.Names {
				e, _ := symbols.ExampleOf(path, name)
				if !e.Run || seen[e.Text] {
					continue
				}
				seen[e.Text] = true
				n++
				out, err := runExample(e)
				if err != nil {
					t.Errorf("%s.%s: %v\n%s", pkg, name, err, out)
				}
			}
		}
	}
	if n < 150 {
		t.Errorf("only %d examples", n)
	}
	if out, err := runExample(symbols.Example{Text: "x := 1\nx + y\nx", Run: true}); err == nil || strings.Contains(out, "x\n") {
		t.Errorf("an example that fails is not told: %s", out)
	}
}
