package cell

import (
	"strings"
	"testing"
)

// TestAns: the value that was shown last, with its type.
func TestAns(t *testing.T) {
	c := newConsole(t)
	for _, x := range []struct{ src, want string }{
		{"ans", "error: cell 2:1:1: undefined: ans (did you mean any?)"},
		{"6 * 7", "42"},
		{"ans + 1", "43"},
		{"ans + 0.5", "error: cell 5:1:7: 0.5 (untyped float constant) truncated to int"},
		{"x := 5", ""},
		{"ans", "43"},
		{`"abc"`, "abc"},
		{"len(ans)", "3"},
		{"`a`\nx", "a\n5"},
		{"ans", "5"},
		{"func two() (int, string) { return 1, `two` }\ntwo()", "1\ntwo"},
		{"ans + 1", "2"},
		{"type point struct{ x, y int }\nfunc (p point) sum() int { return p.x + p.y }\npoint{3, 4}", "{3 4}"},
		{"ans.sum()", "7"},
		{"func twice() int { return 2 * ans }\ntwice()", "14"},
		{"twice()", "28"},
		{"var err error = fmt.Errorf(`bad`)\nerr", "bad"},
		{"ans := 1", ""},
		{"8", "8"},
		{"ans", "1"},
	} {
		got := c.eval(x.src)
		if got != x.want {
			t.Errorf("%s\ngot  %s\nwant %s", x.src, got, x.want)
		}
	}
}

// TestAutoImport: packages of the standard library are there when they are first used.
func TestAutoImport(t *testing.T) {
	c := newConsole(t)
	c.opts.AutoImport = true
	for _, x := range []struct{ src, want string }{
		{"strings.Repeat(`a`, 3)", "note: imported \"strings\"\naaa"},
		{"strings.ToUpper(`a`)", "A"},
		{"sort.Ints(nil); time.Duration(0)", "note: imported \"sort\", \"time\"\n0s"},
		{"rand.IntN(1)", "note: imported \"math/rand/v2\"\n0"},
		{"list.size", "error: cell 6:1:1: undefined: list\n\tfix: import \"container/list\""},
		{"os := 3", ""},
		{"os.Args", "error: cell 8:1:4: os.Args undefined (type int has no field or method Args)"},
		{"func f(bits int) int { return bits }\nf(3)", "3"},
		{"func g() string { return path.Base(`a/b`) }\ng()", "note: imported \"path\"\nb"},
	} {
		if got := c.eval(x.src); got != x.want {
			t.Errorf("%s\ngot  %s\nwant %s", x.src, got, x.want)
		}
	}
	if text := c.Save(); !strings.Contains(text, `"path"`) {
		t.Errorf("the import is not saved:\n%s", text)
	}
}
