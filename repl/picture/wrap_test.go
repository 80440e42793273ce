package picture

import (
	"strings"
	"testing"
)

// text is a picture of a text.
func text(s string) (p Picture) {
	p.AddLines(Plain, s)
	return p
}

// TestWrapped: lines are broken between words, what follows is indented, and nothing is lost.
func TestWrapped(t *testing.T) {
	for _, x := range []struct {
		width int
		in    string
		want  string
	}{
		{20, "short", "short"},
		{20, "exactly twenty chars", "exactly twenty chars"},
		{20, "one two three four five six", "one two three four\n  five six"},
		{30, "  :ask NAME   say what a name means, at length", "  :ask NAME   say what a name\n              means, at length"},
		{20, "\tfix: write it in another way", "\tfix: write\n\t  it in\n\t  another\n\t  way"},
		{10, "a_word_that_is_longer_than_all b c", "a_word_tha\n  t_is_lon\n  ger_than\n  _all b c"},
		{10, "éééé éééé éééé", "éééé éééé\n  éééé"},
		{8, "", ""},
	} {
		if got := text(x.in).Wrapped(x.width).String(); got != x.want {
			t.Errorf("%q in %d columns:\n%s\nwant\n%s", x.in, x.width, got, x.want)
		}
	}
	var p Picture
	p.Add(Head, "head head head ", Bad, "bad bad", Plain, " and so on")
	if got, want := p.Wrapped(18).ANSI(false), "\x1b[90mhead head head \x1b[0m\x1b[1;31mbad\x1b[0m\n  \x1b[1;31mbad\x1b[0m and so on"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, w := range []int{8, 20, 40, 80} {
		words := strings.Repeat("word  and, word ", 20)
		got := strings.Join(strings.Fields(text(words).Wrapped(w).String()), " ")
		if want := strings.Join(strings.Fields(words), " "); got != want {
			t.Errorf("%d columns: words are lost: %s", w, got)
		}
	}
	source := strings.Repeat("abc + ", 20)
	caret := text("\t" + source + "\n\t" + strings.Repeat(" ", 60) + "^\nand so on")
	if got, want := caret.Wrapped(30).String(), "…abc + abc + abc + abc + abc …\n"+strings.Repeat(" ", 19)+"^\nand so on"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
