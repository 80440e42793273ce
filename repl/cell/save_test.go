package cell

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The files hold a session's cells, and the program that they are saved as. It prints
// what the cells showed, unless functions have been redefined meanwhile.
func TestSave(t *testing.T) {
	files, _ := filepath.Glob("testdata/save/*.txt")
	if len(files) == 0 {
		t.Fatal("no sessions")
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		cells, want, _ := strings.Cut(string(text), "\n==== saved\n")
		c := newConsole(t)
		var shown strings.Builder
		for src := range strings.SplitSeq(cells, "\n----\n") {
			if out := c.eval(src); out != "" && !strings.HasPrefix(out, "note:") && !strings.Contains(out, "error: ") {
				shown.WriteString(out + "\n")
			}
		}
		got := c.Save()
		if os.Getenv("UPDATE") != "" {
			if err := os.WriteFile(file, []byte(cells+"\n==== saved\n"+got), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if got != want {
			t.Errorf("%s: got\n%s", file, got)
		}
		var out bytes.Buffer
		s := New(Options{Out: &out})
		if err := s.RunFile(context.Background(), "saved.go", got); err != nil {
			t.Errorf("%s: the program does not run: %s", file, s.Render(err))
		}
		if strings.Contains(cells, "// redefined") {
			continue
		}
		if plain := strings.ReplaceAll(shown.String(), "nil\n", ""); out.String() != plain {
			t.Errorf("%s: the program prints\n%s\nand the session\n%s", file, out.String(), plain)
		}
	}
}

// TestCompiled: a cell as a program of its own makes the variables that it uses, and does not
// repeat what was only shown or launched.
func TestCompiled(t *testing.T) {
	c := newConsole(t)
	c.mustEval(t, addCell)
	for _, cell := range []struct{ text, decls, body string }{
		{"x := tl.Arange(0, 3)\nn := 2\nx", "", "x := tl.Arange(0, 3)\nn := 2\nnb.Show(x)\n_ = n"},
		{"n++\ny := x * n", "", "x := tl.Arange(0, 3)\nn := 2\n\nn++\ny := x.Mul(n)\n_ = y"},
		{"func twice(v int) int { return 2 * v }\ntwice(n)", "func twice(v int) int { return 2 * v }", "n := 2\nn++\n\nnb.Show(twice(n))"},
		{"func thrice(v int) int { return 3 * v }", "func thrice(v int) int { return 3 * v }", ""},
		{"a := x * 8\na[:, None] + x[None, :]", "", "x := tl.Arange(0, 3)\n\na := x.Mul(8)\nnb.Show(a.Col().Add(x.Row()))"},
		{"y[:, None] + x", "", "x := tl.Arange(0, 3)\nn := 2\nn++\ny := x.Mul(n)\n\nnb.Show(y.Col().Add(x))"},
	} {
		c.mustEval(t, cell.text)
		if got := c.Compiled(); got.Decls != cell.decls || got.Body != cell.body {
			t.Errorf("%s: got\n%s\n%%%%\n%s\nwant\n%s\n%%%%\n%s", cell.text, got.Decls, got.Body, cell.decls, cell.body)
		}
	}
}

// TestNotebook: a cell of gonb's for each cell, which does again what made its variables, and
// what was launched with them; one for all, where functions use variables.
func TestNotebook(t *testing.T) {
	c := newConsole(t)
	for _, text := range []string{addCell, "x := tl.Arange(0, 3)\nx * 2",
		"func f(p *tl.Program, x tl.Ptr) {\n\ttl.Store(x, 7)\n}", "y := tensor.Zeros(tl.Int32, 1)\nz := 1",
		"exec.New(f).Launch(exec.Grid{1}, y)", "z + 1", "y"} {
		c.mustEval(t, text)
	}
	cells := gonbCells(t, c.Notebook())
	if got := cells[0]; !strings.Contains(got, "notebooks/nb") || !strings.Contains(got, "tl \"github.com/") {
		t.Errorf("imports are %s", got)
	}
	want := []string{"// add adds two vectors.", "%%\nx := tl.Arange(0, 3)\nnb.Show(x.Mul(2))",
		"func f(p *tl.Program, x tl.Ptr) {\n\ttl.Store(x, 7)\n}",
		"%%\ny := tensor.Zeros(tl.Int32, 1)\nz := 1\n_ = y\n_ = z",
		"%%\ny := tensor.Zeros(tl.Int32, 1)\n\nnb.Show(exec.New(f).Launch(exec.Grid{1}, y))",
		"%%\nz := 1\n\nnb.Show(z + 1)",
		"%%\ny := tensor.Zeros(tl.Int32, 1)\nexec.New(f).Launch(exec.Grid{1}, y)\n\nnb.Show(y)"}
	if len(cells) != len(want)+1 {
		t.Fatalf("%d cells, want %d: %q", len(cells), len(want)+1, cells)
	}
	for i, w := range want {
		if got := cells[i+1]; got != w && !(i == 0 && strings.HasPrefix(got, w)) {
			t.Errorf("cell %d is\n%s\nwant\n%s", i+1, got, w)
		}
	}
	c.mustEval(t, "func g() int { return z }\ng()")
	if cells := gonbCells(t, c.Notebook()); strings.Count(strings.Join(cells, "\n"), "%%\n") != 1 {
		t.Errorf("a function uses a variable, and its cells are %q", cells)
	}
}

// gonbCells is the cells of a notebook.
func gonbCells(t *testing.T, text []byte) (cells []string) {
	t.Helper()
	var f struct {
		Format int `json:"nbformat"`
		Cells  []struct{ Source []string }
	}
	if err := json.Unmarshal(text, &f); err != nil || f.Format != 4 {
		t.Fatal(f.Format, err)
	}
	for _, c := range f.Cells {
		cells = append(cells, strings.Join(c.Source, ""))
	}
	return cells
}
