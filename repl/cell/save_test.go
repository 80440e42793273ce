package cell

import (
	"bytes"
	"context"
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

func TestNotebook(t *testing.T) {
	c := newConsole(t)
	c.mustEval(t, addCell)
	c.mustEval(t, "x := tl.Arange(0, 3)\nx * 2")
	got := string(c.Notebook())
	for _, want := range []string{`"nbformat": 4`, `"// add adds two vectors.\n"`, `"%%\n"`, `"x := tl.Arange(0, 3)\n"`, `"nb.Show(x.Mul(2))"`, `notebooks/nb`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}
