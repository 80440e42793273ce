//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/creack/pty"
)

// size makes the terminal so large.
func (x *typist) size(columns, rows int) {
	x.t.Helper()
	x.vt.Resize(columns, rows)
	if err := pty.Setsize(x.f, &pty.Winsize{Rows: uint16(rows), Cols: uint16(columns)}); err != nil {
		x.t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond)
}

// broken is the words that end in the last column and go on in the first of the next row.
func (x *typist) broken(columns int) (list []string) {
	rows := strings.Split(x.screen(), "\n")
	for i, row := range rows[:len(rows)-1] {
		next := []rune(rows[i+1])
		if r := []rune(row); len(r) == columns && len(next) > 0 && !unicode.IsSpace(r[columns-1]) && !unicode.IsSpace(next[0]) {
			list = append(list, row+"|"+rows[i+1])
		}
	}
	return list
}

// TestWholeWords: what is printed is broken between words, whatever the terminal's width.
func TestWholeWords(t *testing.T) {
	t.Parallel()
	x := startREPL(t, t.TempDir(), "NO_COLOR=1")
	x.types("func far(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) { offs := p.ID(0)*B + tl.Arange(0, B); tl.Store(out+offs, tl.Load(x+offs)) }\r")
	x.types("x, out := tensor.Rand(1, tl.Float32, 10), tensor.Zeros(tl.Float32, 10)\r")
	x.sees("tiler> ")
	for _, columns := range []int{80, 100, 60} {
		x.size(columns, 200)
		x.types("\x0c\x15", "kept := 7\r")
		x.sees("\ntiler> ") // it knows of the new width
		for _, text := range []string{":help", ":help check", ":check far[4](x, out, 10, 4)", "tl.Sum(3) + x.Nothing", ":puzzles", ":doc tl.Load", ":save nothing.txt"} {
			x.types("\x0c\x15", text+"\r")
			x.sees("tiler> ")
			time.Sleep(30 * time.Millisecond)
			for start := time.Now(); !strings.HasSuffix(x.screen(), "tiler>") && time.Since(start) < 10*time.Second; {
				time.Sleep(5 * time.Millisecond)
			}
			if list := x.broken(columns); len(list) > 0 {
				t.Errorf("%s in %d columns breaks\n%s\nthe screen is\n%s", text, columns, strings.Join(list, "\n"), x.screen())
			}
		}
		x.types("\x0c:puzzle\r")
		for start := time.Now(); !strings.Contains(x.screen(), "     . }") && time.Since(start) < 10*time.Second; {
			time.Sleep(5 * time.Millisecond)
		}
		if list := x.broken(columns); len(list) > 0 {
			t.Errorf("a puzzle in %d columns breaks\n%s", columns, strings.Join(list, "\n"))
		}
		x.types("\x03")
		x.sees("tiler> ")
	}
}

// TestPrintedWhileTyping: what goroutines print comes above the text that is being typed.
func TestPrintedWhileTyping(t *testing.T) {
	t.Parallel()
	x := startREPL(t, t.TempDir(), "NO_COLOR=1")
	x.types("import \"time\"\r", "go func() { time.Sleep(300 * time.Millisecond); fmt.Println(\"one\"); fmt.Print(\"t\"); fmt.Println(\"wo\") }()\r")
	x.sees("tiler> ")
	x.types("1 + 2")
	x.sees("\none\ntwo\ntiler> 1 + 2")
	x.types(" + 3\r")
	x.sees("\ntiler> 1 + 2 + 3\n6\ntiler> ")
}

// TestStepAnswers: between steps the keys are told, and expressions have values.
func TestStepAnswers(t *testing.T) {
	t.Parallel()
	const ask = "\nnext (Enter), to the end (c), stop (q), help (?)> "
	x := startREPL(t, t.TempDir(), "NO_COLOR=1")
	x.types("func f(p *tl.Program, out tl.Ptr, n int) {\r", "a := p.ID(0) + n\r", "b := tl.Arange(0, 4) + a\r", "tl.Store(out, a)\r", "_ = b\r", "}\r", "out := tensor.Zeros(tl.Int32, 1)\r")
	x.types(":step f[2](out, 40)\r")
	x.sees("    a = 40" + ask)
	x.types("?\r")
	x.sees("packages." + ask)
	x.types("a*2 + n\r")
	x.sees("\n120" + ask)
	x.types("\r", "b % 3\r")
	x.sees("0  1  2  3\n──────────\n1  2  0  1" + ask)
	x.types("nothing\r")
	x.sees("undefined: nothing\n        nothing\n        ^" + ask)
	x.types("q\r")
	x.sees("\ntiler> ")
}

// TestFilesInFolders: completion goes into folders.
func TestFilesInFolders(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "outer", "inner"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		if err := os.WriteFile(filepath.Join(dir, "outer", "inner", fmt.Sprintf("cells%d.go", i)), []byte("1\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	x := startREPL(t, t.TempDir(), "NO_COLOR=1")
	x.types(":load o\t")
	x.sees("tiler> :load outer/")
	x.types("\t")
	x.sees("tiler> :load outer/inner/")
	x.types("\t")
	x.sees("tiler> :load outer/inner/cells\nouter/inner/cells0.go\nouter/inner/cells1.go")
	x.types("0\t\r")
	x.sees("\n1\ntiler> ")
}
