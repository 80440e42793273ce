//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTypedStartup: the prompt begins with the user's script; what is wrong in it is said
// with its place, and the rest goes on.
func TestTypedStartup(t *testing.T) {
	config := t.TempDir()
	file := filepath.Join(config, "tiler", "init.go")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	text := "// mine\nfunc half(x tl.Tile) tl.Tile { return x / 2 }\n\nwrong\n:set width 40\n:set nothing\nready := 7\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	env := []string{"TILER_HOME=", "HOME=" + config, "XDG_CONFIG_HOME=" + config, "XDG_CACHE_HOME=" + config}
	x := startREPL(t, t.TempDir(), env...)
	// Lines are broken at 40 columns, in words, too.
	unbroken := func(text string) string { return strings.Join(strings.Fields(text), "") }
	for _, want := range []string{"init.go:4:1: undefined: wrong", "init.go:6: :set: unknown setting nothing"} {
		if !strings.Contains(unbroken(x.screen()), unbroken(want)) {
			t.Errorf("no %s on\n%s", want, x.screen())
		}
	}
	x.types("half(tl.Full(tl.Float32, ready)).Float()\r")
	x.sees("\n3.5\ntiler> ")
	x.types("tl.Arange(0, 20)\r")
	x.sees(" 8 │  8   9  10  11  12  13  14  15\n16 │ 16  17  18  19\ntiler> ")
	y := start(t, t.TempDir(), []string{"-norc"}, env...)
	y.sees("tiler> ")
	y.types("ready\r")
	y.sees("undefined: ready\n        ready\n        ^\ntiler> ")
}

// TestTypedPager: what is longer than the terminal is shown a screen at a time, unless
// that is off.
func TestTypedPager(t *testing.T) {
	x := startREPL(t, t.TempDir())
	x.types(":help\r")
	x.sees(" lines   space: on  b: back  /: search  q: leave")
	x.types("/:notebook\r", "G")
	x.sees("the end   b: back  /: search  q: leave")
	x.types("q")
	x.sees("says more.\ntiler> ")
	x.types("6 * 7\r")
	x.sees("says more.\ntiler> 6 * 7\n42\ntiler> ")
	x.types("\x1b[200~tiler> :help\rtiler> 6 * 7\r\x1b[201~", "\r") // more follows
	x.sees("says more.\ntiler> 6 * 7\n42\ntiler> ")
	x.types(":set pager off\r", ":help\r")
	x.sees("says more.\ntiler> ")
}

// TestTypedQuestions: what one asks as in IPython, and what is suggested.
func TestTypedQuestions(t *testing.T) {
	x := startREPL(t, t.TempDir())
	x.types("6 * 7\r", "ans?\r")
	x.sees("var ans int\n42\ntiler> ")
	x.types("tl.Cdiv?\r")
	x.sees("    tiler> tl.Cdiv(1000, 256)\n    4\ntiler> ")
	x.types("6 ")
	x.sees("tiler> 6 * 7") // the end of it in grey
	x.types("\x1b[F + 1\r")
	x.sees("tiler> 6 * 7 + 1\n43\ntiler> ")
	x.types(":time for i := range 2 {\r", "fmt.Println(i)\r", "}\r")
	x.sees("s\ntiler> ") // in µs or ms, as busy as the machine is
	x.types("func f() int {\r", "return 3\r", "}", "\x1b[A\x1b[A", "\x1b\r", "f()\r")
	x.sees("tiler> f()\n3\ntiler> ")
	x.types("f() + 1 1\x1f\r") // undone
	x.sees("tiler> f() + 1\n4\ntiler> ")
	x.types("strings.ToUpper(`a`)\r")
	x.sees("imported \"strings\"\n\"A\"\ntiler> ")
	x.types(":set theme none\r", "f() ")
	x.sees("tiler> f()")
}
