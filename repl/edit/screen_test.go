//go:build !js && !wasip1

package edit

import (
	"fmt"
	"strings"
	"testing"
)

// What is drawn; edit_test.go is about what is typed.

func TestDrawing(t *testing.T) {
	c := newConsole(t, 20, 8, Config{})
	c.send("0123456789abcdefghij")
	c.shows("> 0123456789abcdefg\nhij|")
	c.send("\x01")
	c.shows("> |0123456789abcdefg\nhij")
	c.send("\x05", "\x15", "日本語日本語日本語日本語")
	c.shows("> 日本語日本語日本\n語日本語    |")
	c.send("\x15", "f {\r", "x\r")
	c.shows("> f {\n.     x\n.     |")
	c.send("}")
	c.shows("> f {\n.     x\n. }|")
	c.send("\x1b[A\x1b[A\x05", "\x0b")
	c.shows("> f {|    x\n. }")
}

// TestTall: of a text that is higher than the terminal the part around the cursor is
// shown.
func TestTall(t *testing.T) {
	c := newConsole(t, 20, 6, Config{})
	c.send("{\r")
	for i := range 9 {
		c.send(fmt.Sprint("x", i, "\r"))
	}
	c.shows(".     x5\n.     x6\n.     x7\n.     x8\n.     |")
	c.send(strings.Repeat("\x1b[A", 10))
	c.shows("> {|\n.     x0\n.     x1\n.     x2\n.     x3")
	c.send("\x1b[6~}\r")
	c.want("{\n\tx0\n\tx1\n\tx2\n\tx3\n\tx4\n\tx5\n\tx6\n\tx7\n\tx8\n}")
}

func TestResize(t *testing.T) {
	c := newConsole(t, 40, 10, Config{})
	c.send("0123456789abcdefghijABCDEFGHIJ")
	c.shows("> 0123456789abcdefghijABCDEFGHIJ|")
	c.mu.Lock()
	c.w = 20
	c.mu.Unlock()
	c.vt.Resize(20, 10)
	c.e.resized()
	c.shows("> 0123456789abcdefg\nhijABCDEFGHIJ|")
	c.e.resized() // to the same size
	c.mu.Lock()
	c.w = 60
	c.mu.Unlock()
	c.vt.Resize(60, 10)
	c.e.resized()
	c.shows("> 0123456789abcdefghijABCDEFGHIJ|")
	c.send("\r")
	c.want("0123456789abcdefghijABCDEFGHIJ")
}

func TestClearScreen(t *testing.T) {
	c := newConsole(t, 20, 6, Config{})
	c.send("a\r")
	c.want("a")
	c.send("bc\x0c")
	c.shows("> bc|")
}

// TestClearKeepsNoCopy: the screen is not cleared at once: terminals then keep a copy of it
// among the lines that have scrolled away.
func TestClearKeepsNoCopy(t *testing.T) {
	var b strings.Builder
	s := screen{w: &b, width: 20, height: 6}
	s.clear()
	if strings.Contains(b.String(), "2J") || strings.Contains(b.String(), "\x1b[J") || strings.Count(b.String(), "\x1b[2K") != 6 {
		t.Errorf("it is cleared with %q", b.String())
	}
}

// TestMenuLines: an entry is a line, whatever it says beside.
func TestMenuLines(t *testing.T) {
	m := &menu{list: []Candidate{{"Access", "type Access struct {\n\tKind int\n}"}, {"Add", "func Add()"}}, at: -1}
	if got, _ := m.lines(10); strings.Join(got, "|") != "Access  type Access struct { …|Add     func Add()" {
		t.Errorf("got %q", got)
	}
}

// TestLongMenu: a menu never takes more than half of the terminal.
func TestLongMenu(t *testing.T) {
	var list []string
	for i := range 30 {
		list = append(list, fmt.Sprintf("w%02d", i))
	}
	c := newConsole(t, 20, 8, Config{Complete: words(list...)})
	c.send("w\t")
	c.shows("> w|\nw00  is w00\nw01  is w01\nw02  is w02\n… 27 more")
	c.send("\x1b[Z\x1b[Z")
	c.shows("> w28|\nw27  is w27\nw28  is w28\nw29  is w29\n… 27 more")
}

// TestPaint: colours do not change a text, and each token has its own.
func TestPaint(t *testing.T) {
	text := []rune("for x := range 3 { s += \"é\" } // 日")
	var b strings.Builder
	last := ""
	for i, c := range paint(text, darkInks) {
		if c != last {
			b.WriteString("<" + c + ">")
			last = c
		}
		b.WriteRune(text[i])
	}
	want := "<35>for<> x := <35>range<> <36>3<> { s += <32>\"é\"<> } <90>// 日"
	if b.String() != want {
		t.Errorf("got  %s\nwant %s", b.String(), want)
	}
	for _, s := range []string{"", ":help x", "`open", "'", "\x00", "a\nb := `x\ny`"} {
		if got := paint([]rune(s), darkInks); len(got) != len([]rune(s)) {
			t.Errorf("%q has %d colours", s, len(got))
		}
	}
	c := newConsole(t, 40, 12, Config{Colour: true})
	c.send("if x {\r")
	c.shows("> if x {\n.     |")
}

// TestBrackets: the bracket at the cursor or before it, and its other end.
func TestBrackets(t *testing.T) {
	for _, x := range []struct{ text, want string }{ // | is the cursor, < > mark, ! is wrong
		{"f(a[1]|)", "f<(>a[1]<)>"},
		{"f(a[1])|", "f<(>a[1]<)>"},
		{"|(a)", "<(>a<)>"},
		{"(a]|", "(a!]!"},
		{"a)|", "a!)!"},
		{"(|", "("},
		{`f("(")|`, `f<(>"("<)>`},
		{"a|b", "ab"},
		{":check f[2](x)|", ":check f[2]<(>x<)>"},
		{"日(é)|", "日<(>é<)>"},
	} {
		text := []rune(strings.Replace(x.text, "|", "", 1))
		pos := len([]rune(x.text[:strings.Index(x.text, "|")]))
		colours := make([]string, len(text))
		inks{match: "m", stray: "s"}.brackets(text, pos, colours)
		var b strings.Builder
		for i, r := range text {
			b.WriteString(map[string]string{"": string(r), "m": "<" + string(r) + ">", "s": "!" + string(r) + "!"}[colours[i]])
		}
		if b.String() != x.want {
			t.Errorf("%s: got %s, want %s", x.text, b.String(), x.want)
		}
	}
}
