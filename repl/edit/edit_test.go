//go:build !js && !wasip1

package edit

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chzyer/readline"
	"github.com/hinshun/vt10x"
)

// A console is an editor on a terminal in memory.
type console struct {
	t    *testing.T
	in   *io.PipeWriter
	vt   vt10x.Terminal
	e    *Editor
	mu   sync.Mutex
	w, h int
	got  chan string // what Read returned
	page string      // what is paged through after a text
}

func (c *console) size() (int, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.w, c.h
}

// newlines does what a terminal's driver does: it sends a carriage return with each
// newline.
type newlines struct{ w io.Writer }

func (n newlines) Write(b []byte) (int, error) {
	_, err := io.WriteString(n.w, strings.ReplaceAll(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n", "\r\n"))
	return len(b), err
}

func newConsole(t *testing.T, w, h int, cfg Config) *console {
	t.Helper()
	r, in := io.Pipe()
	c := &console{t: t, in: in, vt: vt10x.New(vt10x.WithSize(w, h)), w: w, h: h, got: make(chan string, 100)}
	cfg.In, cfg.Out = r, newlines{c.vt}
	if cfg.Incomplete == nil {
		cfg.Incomplete = func(s string) bool { return strings.Count(s, "{") > strings.Count(s, "}") }
	}
	var err error
	c.e, err = newEditor(cfg, &readline.Config{
		FuncMakeRaw: func() error { return nil }, FuncExitRaw: func() error { return nil },
		FuncIsTerminal: func() bool { return true },
	}, c.size)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			text, err := c.e.Read("> ", ". ")
			if err != nil {
				text = "error: " + err.Error()
			}
			if c.page != "" {
				c.e.Page(c.page)
			}
			c.got <- text
			if err == io.EOF {
				return
			}
		}
	}()
	t.Cleanup(func() { in.Close(); c.e.Close() })
	return c
}

func (c *console) send(keys ...string) {
	for _, k := range keys {
		io.WriteString(c.in, k)
	}
}

// want is the text that Read must return next.
func (c *console) want(text string) {
	c.t.Helper()
	select {
	case got := <-c.got:
		if got != text {
			c.t.Errorf("got %q, want %q", got, text)
		}
	case <-time.After(10 * time.Second):
		c.t.Fatalf("no text, want %q; screen:\n%s", text, c.screen())
	}
}

func (c *console) screen() string {
	lines := strings.Split(c.vt.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// shows waits until the screen is as wanted; | stands for the cursor.
func (c *console) shows(want string) {
	c.t.Helper()
	for range 2000 {
		if c.withCursor() == want {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	c.t.Fatalf("the screen is\n%s\nwant\n%s", c.withCursor(), want)
}

func (c *console) withCursor() string {
	c.vt.Lock()
	cur := c.vt.Cursor()
	c.vt.Unlock()
	lines := strings.Split(c.screen(), "\n")
	for len(lines) <= cur.Y {
		lines = append(lines, "")
	}
	l := []rune(lines[cur.Y])
	for len(l) < cur.X {
		l = append(l, ' ')
	}
	lines[cur.Y] = string(l[:cur.X]) + "|" + string(l[cur.X:])
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// TestKeys: what is typed, and the text that comes of it.
func TestKeys(t *testing.T) {
	const (
		left, right, home, end, del = "\x1b[D", "\x1b[C", "\x1b[H", "\x1b[F", "\x1b[3~"
	)
	for _, x := range []struct{ name, keys, want string }{
		{"plain", "1+2\r", "1+2"},
		{"other enter", "1+2\n", "1+2"},
		{"left and insert", "ac" + left + "b\r", "abc"},
		{"home and end", "bc" + home + "a" + end + "d\r", "abcd"},
		{"home and end of tmux", "bc\x1b[1~a\x1b[4~d\r", "abcd"},
		{"home and end of rxvt", "bc\x1b[7~a\x1b[8~d\r", "abcd"},
		{"control keys", "bc\x01a\x05d\x02\x02X\x06Y\r", "abXcYd"},
		{"backspace", "abx\x7fc\x08d\r", "abd"},
		{"delete", "axb" + left + left + del + "\r", "ab"},
		{"delete on an empty line", del + del + "ok\r", "ok"},
		{"control-d in a text", "axb" + left + left + "\x04\r", "ab"},
		{"words", "foo bar\x1bb\x1bbX\x1bfY\r", "XfooY bar"},
		{"words with control", "foo bar\x1b[1;5D\x1b[1;5DX\x1b[1;5CY\r", "XfooY bar"},
		{"delete words", "foo bar baz\x1b\x7f\x1bb\x1bd\r", "foo  "},
		{"control-w", "a b.c\x17x\r", "a x"},
		{"kill and yank", "abc\x01\x06\x0bX\x19\x19\r", "aXbcbc"},
		{"kill to the front", "abc\x15d\r", "d"},
		{"transpose", "ab\x14\r", "ba"},
		{"wide characters", "日本" + left + "x\x7fy\r", "日y本"},
		{"composed", "e\u0301x\r", "e\u0301x"},
		{"unknown keys", "a\x1b[15~\x1b[99;5ub\x1bOPc\r", "abc"},
		{"several lines", "f {\r1\r}\r", "f {\n\t1\n}"},
		{"nested", "f {\rg {\r1\r}\r}\r", "f {\n\tg {\n\t\t1\n\t}\n}"},
		{"newline in a complete text", "a\x0fb\r", "a\nb"},
		{"enter within", "a\x0fb\x1b[A\x05\rc\x1b[6~\r", "a\nc\nb"},
		{"up and down", "abcd\x0fe\x0ffghi\x1b[A\x1b[AX\x1b[BY\x1b[B\x05Z\r", "abcdX\neY\nfghiZ"},
		{"a paste", "\x1b[200~f {\r\tx\r}\r\x1b[201~\r", "f {\n\tx\n}"},
		{"a paste within", "ac\x1b[D\x1b[200~b\x1b[201~\r", "abc"},
		{"a paste with keys in it", "\x1b[200~a\x1b[3~\x01b\x1b[201~\r", "a[3~b"},
		{"two cells in a paste", "\x1b[200~a := 1\n\nb := 2\n\x1b[201~\r", "a := 1\n\nb := 2"},
		{"tab indents", "f\x0f\tx\r", "f\n\tx"},
		{"nothing", "\r", ""},
		{"evaluate from the middle", "f {\r1\r}\x1b[A\x1b\r", "f {\n\t1\n}"},
		{"evaluate what is not complete", "f {\x1b\r", "f {"},
		{"shift and enter", "a\x1b[13;2ub\x1b[27;2;13~c\x1b[13;3u", "a\nb\nc"},
		{"undo a word", "one two\x1f\r", "one "},
		{"undo and redo", "one two\x1f\x1f\x1f\x1f\x1b_\x1b_\r", "one "},
		{"redo is of the past", "one two\x1fx\x1b_\r", "one x"},
		{"undo a deletion", "one two\x17\x17\x1f\r", "one "},
		{"undo where the cursor was", "ab\x01x\x1fy\r", "yab"},
		{"undo a paste", "a\x1b[200~b c d\x1b[201~e\x1f\x1f\r", "a"},
		{"nothing to undo", "\x1fa\r", "a"},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := newConsole(t, 80, 24, Config{})
			for _, k := range splitKeys(x.keys) {
				c.send(k)
			}
			c.want(x.want)
		})
	}
}

// splitKeys is keys as a person types them, one at a time, but a paste as a terminal
// sends it.
func splitKeys(s string) (keys []string) {
	for len(s) > 0 {
		n := 1
		switch {
		case strings.HasPrefix(s, "\x1b[200~"):
			n = strings.Index(s, "\x1b[201~") + 6
		case s[0] == '\x1b':
			n = min(len(s), sequenceLen([]byte(s)))
		case s[0] >= 0x80:
			n = len(string([]rune(s)[:1]))
		}
		keys = append(keys, s[:n])
		s = s[n:]
	}
	return keys
}

func TestInterruptAndEnd(t *testing.T) {
	c := newConsole(t, 40, 10, Config{})
	c.send("f {\r", "half")
	c.shows("> f {\n.     half|")
	c.send("\x03")
	c.want("error: interrupted")
	c.shows("> f {\n.     half^C\n> |")
	c.send("1\r")
	c.want("1")
	c.send("\x04")
	c.want("error: EOF")
}

func TestEndOfInput(t *testing.T) {
	c := newConsole(t, 40, 10, Config{})
	c.in.Close()
	c.want("error: EOF")
}

// TestTypedAhead: what comes in one piece is read text by text.
func TestTypedAhead(t *testing.T) {
	c := newConsole(t, 40, 10, Config{})
	c.send("a := 1\rb := 2\rc\r")
	c.want("a := 1")
	c.want("b := 2")
	c.want("c")
}

// TestLongPaste: a long text is not drawn for every character of it.
func TestLongPaste(t *testing.T) {
	for _, x := range []struct {
		name, begin, end string
		times            int
	}{
		{"marked", "\x1b[200~", "\x1b[201~", 5_000},
		{"as if typed", "", "", 500}, // drawn for every character where those come one by one
	} {
		text := strings.Repeat(" x := 1 + 2 // a long line, and more of it", x.times)
		c := newConsole(t, 80, 24, Config{Colour: true})
		c.send("x\x0f", x.begin+text+x.end, "\r")
		select {
		case got := <-c.got:
			if got != "x\n"+text {
				t.Errorf("%s: got %d bytes", x.name, len(got))
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s: no text", x.name)
		}
	}
}

// TestPasteWithoutMarks: text that comes in one piece is not indented twice.
func TestPasteWithoutMarks(t *testing.T) {
	c := newConsole(t, 40, 10, Config{})
	c.send("f {\r\tx\r}\r")
	c.want("f {\n\tx\n}")
}

// TestSplitSequences: a key may come in pieces.
func TestSplitSequences(t *testing.T) {
	c := newConsole(t, 40, 10, Config{})
	c.send("bc", "\x1b[", "1~", "a", "\x1b[20", "0~x\xe6", "\x97", "\xa5\x1b[20", "1~", "\r")
	c.want("ax日bc")
}

// TestHostileHistory: what is no history of texts is no harm, and is not lost.
func TestHostileHistory(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "history")
	long := strings.Repeat("long ", 100_000)
	garbage := "\xff\xfe\x00garbage\n\x00\none\n" + long + "\n"
	if err := os.WriteFile(file, []byte(garbage), 0o600); err != nil {
		t.Fatal(err)
	}
	c := newConsole(t, 60, 10, Config{History: file})
	if got := c.e.History(); len(got) != 2 || got[0] != "one" || got[1] != long {
		t.Errorf("of garbage %.80q is read", got)
	}
	c.send("two\r")
	c.want("two")
	c.send("\x1b[200~" + long + "again\x1b[201~\r") // not kept in the file
	c.want(long + "again")
	text, err := os.ReadFile(file)
	if err != nil || string(text) != garbage+"two\n" {
		t.Errorf("the file ends in %q, %v", text[max(0, len(text)-20):], err)
	}
	if err := os.WriteFile(file, []byte(strings.Repeat(strings.Repeat("x", 1000)+"\n", 20_000)+"last\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var h history
	h.load(file)
	if n := len(h.list); n != mostHistory || h.list[n-1] != "last" {
		t.Errorf("of 20 MB %d texts are kept", n)
	}
	for _, file := range []string{dir, filepath.Join(dir, "history", "below"), "/dev/zero"} {
		var h history
		h.load(file)
		h.add("a text")
		if len(h.list) != 1 {
			t.Errorf("%s: %d texts", file, len(h.list))
		}
	}
}

func TestHistory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "deep", "history")
	c := newConsole(t, 60, 10, Config{History: file})
	for _, x := range []string{"one", "two", "two", `back\slash\n`} {
		c.send(x + "\r")
		c.want(x)
	}
	c.send("f {\r", "1\r", "}\r")
	c.want("f {\n\t1\n}")

	d := newConsole(t, 60, 10, Config{History: file})
	d.send("\x1b[A")
	d.shows("> f {\n.     1\n. }|")
	d.send("\x1b[A\x1b[A\x1b[A")
	d.shows(`> back\slash\n|`)
	d.send("\x1b[A\x1b[A")
	d.shows("> one|")
	d.send("\x1b[A") // there is none before
	d.send("\x1b[B\r")
	d.want("two")
	d.send("dra\x1b[A") // none begins so
	d.send("ft\x1b[B\r")
	d.want("draft")
	d.send("o\x1b[A\r") // only what begins so
	d.want("one")
	d.send("x\x1b[A\x10\x0e\x0e\r")
	d.want("x")
}

func TestLongHistory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history")
	var b strings.Builder
	for i := range 2 * mostHistory {
		fmt.Fprintf(&b, "x%d\n", i)
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	var h history
	h.load(file)
	if len(h.list) != mostHistory || h.list[mostHistory-1] != fmt.Sprintf("x%d", 2*mostHistory-1) {
		t.Errorf("%d texts, the last is %s", len(h.list), h.list[len(h.list)-1])
	}
	var again history
	again.load(file)
	if text, _ := os.ReadFile(file); strings.Count(string(text), "\n") != mostHistory || len(again.list) != mostHistory {
		t.Errorf("the file was not shortened")
	}
}

func TestSearch(t *testing.T) {
	c := newConsole(t, 60, 10, Config{})
	for _, x := range []string{"alpha one", "beta", "alpha two"} {
		c.send(x + "\r")
		c.want(x)
	}
	const before = "> alpha one\n> beta\n> alpha two\n"
	c.send("typed\x12")
	c.shows(before + "> typed|\nsearch:")
	c.send("pha")
	c.shows(before + "> al|pha two\nsearch: pha")
	c.send("\x12")
	c.shows(before + "> al|pha one\nsearch: pha")
	c.send("\x12")
	c.shows(before + "> al|pha one\nsearch: pha   nothing found")
	c.send("\x13")
	c.shows(before + "> al|pha two\nsearch: pha")
	c.send("x")
	c.shows(before + "> al|pha two\nsearch: phax   nothing found")
	c.send("\x07")
	c.shows(before + "> typed|")
	c.send("\x12one\x05!\r") // a key that moves takes what was found
	c.want("alpha one!")
	c.send("\x12bet\r")
	c.want("beta")
	c.send("\x12tw\x7f\x7fone", "\x1b", "\x05?\r")
	c.want("alpha one!?")
}

// words completes words from a list.
func words(list ...string) func(string, int) (int, []Candidate) {
	return func(text string, pos int) (int, []Candidate) {
		start := strings.LastIndexAny(text[:pos], " \t\n(") + 1
		var out []Candidate
		for _, w := range list {
			if strings.HasPrefix(w, text[start:pos]) {
				out = append(out, Candidate{w, "is " + w})
			}
		}
		return start, out
	}
}

func TestCompletion(t *testing.T) {
	cfg := Config{Complete: words("tl.Load", "tl.Log", "tl.Log2", "tl.Store", "日本")}
	c := newConsole(t, 40, 12, cfg)
	c.send("x := tl.S\t")
	c.shows("> x := tl.Store|\nis tl.Store")
	c.send("(")
	c.shows("> x := tl.Store(|")
	c.send("\x15", "tl.\t")
	c.shows("> tl.|\ntl.Load   is tl.Load\ntl.Log    is tl.Log\ntl.Log2   is tl.Log2\ntl.Store  is tl.Store")
	c.send("L\t")
	c.shows("> tl.Lo|\ntl.Load  is tl.Load\ntl.Log   is tl.Log\ntl.Log2  is tl.Log2")
	c.send("\t\t")
	c.shows("> tl.Log|\ntl.Load  is tl.Load\ntl.Log   is tl.Log\ntl.Log2  is tl.Log2")
	c.send("\x1b[Z")
	c.shows("> tl.Load|\ntl.Load  is tl.Load\ntl.Log   is tl.Log\ntl.Log2  is tl.Log2")
	c.send("\x1b[A\x1b[A") // beyond the first is what was typed, before that the last
	c.shows("> tl.Log2|\ntl.Load  is tl.Load\ntl.Log   is tl.Log\ntl.Log2  is tl.Log2")
	c.send("\r")
	c.shows("> tl.Log2|")
	c.send(" 日\t!\r")
	c.want("tl.Log2 日本!")
	c.send("tl.L\t\t", "\x1b", "\r")
	c.want("tl.Lo")
	c.send("none\t\r")
	c.want("none")
}

func TestExternalEditor(t *testing.T) {
	fail := errors.New("no editor")
	c := newConsole(t, 40, 12, Config{Edit: func(text string) (string, error) {
		if text == "" {
			return "", fail
		}
		return text + "\nmore\n", nil
	}})
	c.send("\x18")
	c.shows("> |\nno editor")
	c.send("a\x18")
	c.shows("> a\n. more|")
	c.send("\r")
	c.want("a\nmore")
}

func TestPreset(t *testing.T) {
	var c *console
	c = newConsole(t, 40, 12, Config{Incomplete: func(text string) bool {
		if text == "first" {
			c.e.Preset("next")
		}
		return false
	}})
	c.send("first\r")
	c.want("first")
	c.send("!\r")
	c.want("next!")
	if got := c.e.History(); len(got) != 2 {
		t.Errorf("history %q", got)
	}
}

// TestAsk: an answer is one line, and is not kept.
func TestAsk(t *testing.T) {
	var c *console
	c = newConsole(t, 40, 12, Config{Incomplete: func(text string) bool {
		if text == "ask" {
			c.e.asking = true // as Ask does, for the text that is next
		}
		return text == "{"
	}})
	c.send("ask\r")
	c.want("ask")
	c.send("{\r")
	c.want("{")
	if got := c.e.History(); len(got) != 0 {
		t.Errorf("history %q", got)
	}
}

// dollars is the texts of one with the prompt "$ ".
func dollars(text string) (cells []string) {
	for l := range strings.SplitSeq(text, "\n") {
		if c, ok := strings.CutPrefix(l, "$ "); ok {
			cells = append(cells, c)
		}
	}
	return cells
}

// TestCopied: of what was copied from a screen the texts are returned one by one, and each is in
// the history.
func TestCopied(t *testing.T) {
	c := newConsole(t, 40, 12, Config{Cells: dollars})
	c.send("$ one\r")
	c.want("one")
	c.send("\x1b[200~$ two\r2\r$ three\r$ four\r4\r\x1b[201~")
	c.shows("> one\n> $ two\n. 2\n. $ three\n. $ four\n. 4|")
	c.send("\r")
	c.want("two")
	c.want("three")
	c.want("four")
	c.shows("> one\n> two\n> three\n> four\n> |")
	c.send("five\r")
	c.want("five")
	if got := fmt.Sprint(c.e.History()); got != "[one two three four five]" {
		t.Errorf("history %s", got)
	}
}

// TestPasteOverPreset: what is pasted takes the place of what the text began as, if nobody has
// touched that; so does what is typed with a prompt.
func TestPasteOverPreset(t *testing.T) {
	var c *console
	c = newConsole(t, 40, 12, Config{Cells: dollars, Incomplete: func(text string) bool {
		c.e.Preset("given")
		return false
	}})
	c.send("0\r")
	c.want("0")
	c.send("\x1b[200~pasted\x1b[201~", "\r")
	c.want("pasted")
	c.send("!\x1b[200~pasted\x1b[201~", "\r")
	c.want("given!pasted")
	c.send("$ typed\r")
	c.want("typed")
	c.send("$ typed")
	c.shows("> 0\n> pasted\n> given!pasted\n> typed\n> given$ typed|")
}
