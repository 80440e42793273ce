//go:build !js && !wasip1

package edit

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestSuggestion: what the history has is shown behind the cursor, and taken by the keys
// that go there.
func TestSuggestion(t *testing.T) {
	c := newConsole(t, 60, 12, Config{Colour: true})
	for _, x := range []string{"tl.Arange(0, 4)", "f {\n\tone two\n}"} {
		c.e.hist.add(x)
	}
	c.send("tl")
	c.shows("> tl|.Arange(0, 4)")
	c.send("\x1b[1;5C")
	c.shows("> tl.Arange|(0, 4)")
	c.send("\x1b[D")
	c.shows("> tl.Arang|e")
	c.send("\x05", "\x05")
	c.shows("> tl.Arange(0, 4)|")
	c.send("\r")
	c.want("tl.Arange(0, 4)")
	c.send("f", "\x1b[C", "\r") // line by line
	c.shows("> tl.Arange(0, 4)\n> f {\n.     |one two")
	c.send("x")
	c.shows("> tl.Arange(0, 4)\n> f {\n.     x|")
	c.send("\x7f\x1bf", "\x06", "\r")
	c.shows("> tl.Arange(0, 4)\n> f {\n.     one two\n.     |")
	c.send("}\r")
	c.want("f {\n\tone two\n}")
	c.send("tl\r") // what is not taken is not entered
	c.want("tl")

	plain := newConsole(t, 60, 12, Config{})
	plain.e.hist.add("tl.Arange(0, 4)")
	plain.send("tl")
	plain.shows("> tl|")
}

// TestPage: a text that is longer than the screen.
func TestPage(t *testing.T) {
	var lines []string
	for i := range 30 {
		lines = append(lines, fmt.Sprintf("line %d", i+1))
	}
	lines[19] = "\x1b[31m" + strings.Repeat("Wide ", 9) + "\x1b[0m"
	c := newConsole(t, 40, 6, Config{})
	c.page = strings.Join(lines, "\n")
	c.send("\r")
	c.sees("line 1", "1 to 5 of 31 lines   space: on  b: bac")
	for _, x := range []struct{ keys, first, status string }{
		{" ", "line 6", "6 to 10 of"},
		{"\x1b[6~", "line 11", "11 to 15 of"},
		{"b", "line 6", "6 to 10 of"},
		{"\x1b[B", "line 7", "7 to 11 of"},
		{"\r", "line 8", "8 to 12 of"},
		{"k", "line 7", "7 to 11 of"},
		{"G", "line 26", "27 to 31 of 31 lines   the end"},
		{" ", "line 26", "the end   b: back"},
		{"g", "line 1", "1 to 5 of"},
		{"/wide", "line 1", "/wide"},
		{"\r", strings.Repeat("Wide ", 8), "20 to 24 of"},
		{"N", strings.Repeat("Wide ", 8), "wide: not found"},
		{"/line 28\x7f9\r", "line 26", `"line 29" is in line 30`},
		{"/nothing\r", "line 26", "nothing: not found"},
		{"/abc\x1b", "line 26", "27 to 31"},
		{"h", "line 26", "space, PageDown: on"},
	} {
		for _, k := range splitKeys(x.keys) {
			c.send(k)
		}
		c.sees(x.first, x.status)
	}
	c.mu.Lock()
	c.w, c.h = 20, 8
	c.mu.Unlock()
	c.vt.Resize(20, 8)
	c.e.resized()
	c.sees("line 24", "26 to 32 of 32 line")
	c.send("q")
	c.want("")
	c.send("2\r") // the terminal is read as before
	c.sees("line 1", "1 to 7")
	c.send("\x03")
	c.want("2")
	c.sees("line 1", ">") // what was in sight stays
}

// sees waits until the screen has a first line, and a last one that begins so.
func (c *console) sees(first, status string) {
	c.t.Helper()
	for range 2000 {
		lines := strings.Split(c.screen(), "\n")
		if lines[0] == strings.TrimSpace(first) && strings.HasPrefix(lines[len(lines)-1], status) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	c.t.Fatalf("the screen is\n%s\nwant %q … %q", c.screen(), first, status)
}
