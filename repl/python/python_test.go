package python

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The sessions of package repl show what each form is told: testdata/session/python.txtar. Here is
// what is none.

// TestGo: no file of Go has a block of Python, or a division in a comment.
func TestGo(t *testing.T) {
	files := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.Contains(path, "repl/python") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		if Block(string(text)) {
			t.Errorf("%s: a block of Python: %q", path, block.FindString(bare(string(text))))
		}
		if m, ok := FloorDiv(string(text), nil); ok {
			t.Errorf("%s: a division: %q", path, text[m.At:][:20])
		}
		return nil
	})
	if err != nil || files < 100 {
		t.Errorf("%d files, %v", files, err)
	}
}

// TestFloorDiv: what follows // is a number, or a comment.
func TestFloorDiv(t *testing.T) {
	known := func(name string) bool { return name == "n" || name == "m" }
	for text, want := range map[string]int{
		"n // 2": 2, "n//2": 1, "f(n) // m": 5, "n // (m + 1)": 2, "f(n // 2)": 4, "x[n // 2]": 4, "f(\n\tn // k,\n)": 6, "f(n // k)": 4,
		"n // two": -1, "n // half of it": -1, "n // k": -1, "n // n.": -1, "// 2": -1, "f(\n\t1, // 2\n)": -1, "return // 2": -1,
		"`n // 2`": -1, "\"n // 2\"": -1, "/* n // 2 */": -1, "import (\n\t\"fmt\" // m\n)": -1, "const (\n\ta = iota // first\n)": -1,
		"[]int{\n\t1 + // 2\n\t3}": -1, "type t struct {\n\tx int // x\n}": -1, "x++ // 2": -1,
	} {
		m, ok := FloorDiv(text, known)
		if !ok {
			m.At = -1
		}
		if m.At != want {
			t.Errorf("%q: at %d, want %d", text, m.At, want)
		}
	}
}

// TestBlock: lines that begin a block of Python, and those that do not.
func TestBlock(t *testing.T) {
	for text, want := range map[string]bool{
		"for i in range(4):": true, "def f(x):\n    return x": true, "if x:": true, "else:": true, "x := 1\nwhile x:  # so": true,
		"case x:": false, "outer:": false, "default:": false, "with:": false, "`\nif x:\n`": false, "// if x:": false, "switch {": false,
		"m := map[string]int{\n\t\"for\":\n\t1}": false, "if x := m[\"a\"]; x > 1 {": false,
	} {
		if got := Block(text); got != want {
			t.Errorf("Block(%q) = %t", text, got)
		}
	}
}
