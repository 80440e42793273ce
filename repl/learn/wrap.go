package learn

import (
	"strings"
	"unicode"

	"github.com/tiler-go/tiler/repl/picture"
)

// columns is how long lines may be, so that a terminal does not break them.
const columns = 78

// words splits a text at spaces, but for those in the brackets of a call or an index, and around
// operators: f(x, y) is one word, and so is i < n.
func words(text string) (list []string) {
	depth, from := 0, 0
	runes := []rune(text)
	for i, r := range runes {
		switch {
		case (r == '(' || r == '[') && (depth > 0 || i > 0 && (unicode.IsLetter(runes[i-1]) || unicode.IsDigit(runes[i-1]))):
			depth++
		case (r == ')' || r == ']') && depth > 0:
			depth--
		case unicode.IsSpace(r) && depth == 0 && !beside(runes, i):
			if i > from {
				list = append(list, string(runes[from:i]))
			}
			from = i + 1
		}
	}
	if from < len(runes) {
		list = append(list, string(runes[from:]))
	}
	return list
}

// beside reports whether a space stands beside an operator.
func beside(runes []rune, i int) bool {
	operator := func(j int) bool { return j >= 0 && j < len(runes) && strings.ContainsRune("<>=+-·×%&|", runes[j]) }
	return operator(i-1) || operator(i+1)
}

// wrapped is a text in lines of at most so many columns, as far as its words allow.
func wrapped(text string, most int) string {
	var b strings.Builder
	at := 0
	for i, word := range words(text) {
		n := len([]rune(word))
		switch {
		case i == 0:
		case at+1+n > most:
			b.WriteByte('\n')
			at = 0
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}

// paragraphs is a text of several: lines that begin with a tab stay as they are, the others are
// wrapped.
func paragraphs(text string) string {
	parts := strings.Split(text, "\n\n")
	for i, part := range parts {
		if !strings.HasPrefix(part, "\t") {
			parts[i] = wrapped(part, columns)
		}
	}
	return strings.Join(parts, "\n\n")
}

// folded is a picture whose long lines are several, those after the first indented. Lines of source
// stay as they are.
func folded(p picture.Picture) picture.Picture {
	var q picture.Picture
	for _, b := range p.Blocks {
		if b.Figure != nil {
			f := *b.Figure
			f.Text = folded(f.Text)
			q.Blocks = append(q.Blocks, picture.Block{Figure: &f})
			continue
		}
		text := ""
		for _, s := range b.Line {
			text += s.Text
		}
		indent := strings.Repeat("\t", len(text)-len(strings.TrimLeft(text, "\t")))
		room := columns - 8*len(indent)
		if b.Grid != nil || len(b.Line) == 0 || b.Line[len(b.Line)-1].Style == picture.Code || len([]rune(text))-len(indent) <= room {
			q.Blocks = append(q.Blocks, b)
			continue
		}
		last := &b.Line[len(b.Line)-1] // places and kinds, which stand before it, are short
		before := len([]rune(text)) - len([]rune(last.Text))
		lines := strings.Split(wrapped(strings.Repeat("x", before)+strings.TrimLeft(last.Text, "\t"), room), "\n")
		for i, l := range lines {
			line := picture.Line{{Text: indent + "\t" + l, Style: last.Style}}
			if i == 0 {
				line = append(append(picture.Line{}, b.Line[:len(b.Line)-1]...), picture.Span{Text: indent + string([]rune(l)[before:]), Style: last.Style})
			}
			q.Blocks = append(q.Blocks, picture.Block{Line: line})
		}
	}
	return q
}
