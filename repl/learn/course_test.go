package learn_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/tiler-go/tiler/repl/learn/puzzles"
)

// TestProgress: it lasts, also that of two processes, and harms nothing where it cannot be kept.
func TestProgress(t *testing.T) {
	all := puzzles.Course.Puzzles
	load := puzzles.Course.Progress
	file := filepath.Join(t.TempDir(), "new", "learned")
	a, b := load(file), load(file)
	a.Solve(all[0])
	b.Solve(all[2])
	b.Hint(all[1])
	c := load(file)
	if !c.Has(all[0]) || !c.Has(all[2]) || c.Has(all[1]) || c.Next() != all[1] {
		t.Errorf("got %+v", c)
	}
	for i, want := range []int{2, len(all[1].Hints), len(all[1].Hints)} {
		c.Hint(all[1])
		if n := c.Hints[all[1].Name]; n != want {
			t.Errorf("hint %d: got %d, want %d", i, n, want)
		}
	}
	for _, text := range []string{"", "nonsense", `{"solved": 3}`, `{"solved": ["gone"], "hints": null}`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p := load(file)
		p.Hint(all[0])
		if p.Solve(all[0]); !p.Has(all[0]) || !load(file).Has(all[0]) {
			t.Errorf("%q: got %+v", text, p)
		}
	}
	for _, nowhere := range []string{"", filepath.Join(file, "below", "a", "file")} {
		p := load(nowhere)
		if p.Solve(all[0]); !p.Has(all[0]) {
			t.Errorf("%q: got %+v", nowhere, p)
		}
	}
	done := load("")
	for _, p := range all {
		done.Solve(p)
	}
	if done.Next() != nil {
		t.Error("there is a next puzzle after the last")
	}
}

func TestNamed(t *testing.T) {
	for name, want := range map[string]string{
		"1": "addTen", "matmul": "matmul", "matmull": "no puzzle matmull (did you mean matmul?)",
		"0": fmt.Sprintf("no puzzle 0: choose 1 to %d", len(puzzles.Course.Puzzles)),
	} {
		p, err := puzzles.Course.Named(name)
		if err == nil && p.Name != want || err != nil && err.Error() != want {
			t.Errorf("%s: got %v, %v", name, p, err)
		}
	}
}
