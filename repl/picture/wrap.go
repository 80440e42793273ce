package picture

import "strings"

// A terminal breaks a line where its last column ends, within words. So what is prose is
// broken here, between words.

// Wrapped is the picture with lines of at most width columns, as far as they have blanks
// to be broken at, or words that are longer. Grids stay. Of a line below which a caret stands the part around it is
// left.
func (p Picture) Wrapped(width int) Picture {
	var q Picture
	for i := 0; i < len(p.Blocks); i++ {
		b := p.Blocks[i]
		switch {
		case b.Figure != nil:
			f := *b.Figure
			f.Text = f.wrapped(width)
			q.Blocks = append(q.Blocks, Block{Figure: &f})
		case !b.isLine():
			q.Blocks = append(q.Blocks, b)
		case i+1 < len(p.Blocks) && p.Blocks[i+1].Line.caret():
			i++
			text, caret := around(b.Line, p.Blocks[i].Line, width)
			q.Blocks = append(q.Blocks, Block{Line: text}, Block{Line: caret})
		default:
			for _, l := range b.Line.wrap(width) {
				q.Blocks = append(q.Blocks, Block{Line: l})
			}
		}
	}
	return q
}

// wrapped is what a terminal of a width shows.
func (f *Figure) wrapped(width int) Picture {
	if f.Width > 0 {
		width = min(width, f.Width)
	}
	return f.Text.Wrapped(width)
}

// text is what is shown where nobody knows how wide that is.
func (f *Figure) text() Picture {
	if f.Width == 0 {
		return f.Text
	}
	return f.Text.Wrapped(f.Width)
}

// around is a line and its caret in at most width columns.
func around(text, caret Line, width int) (Line, Line) {
	x, y := text.glyphs(), caret.glyphs()
	if len(x) <= width {
		return text, caret
	}
	from := max(0, min(len(y)-width*2/3, len(x)-width))
	to, end := min(len(x), from+width), len(x)
	x, y = x[from:to], y[min(from, len(y)-1):]
	if from > 0 {
		x[0].r = '…'
	}
	if to < end {
		x[len(x)-1].r = '…'
	}
	return spans(x), spans(y)
}

// caret reports whether a line marks a place in the one above it.
func (l Line) caret() bool {
	return len(l) == 1 && strings.TrimSpace(l[0].Text) == "^"
}

// A glyph is a character with its style.
type glyph struct {
	r     rune
	style Style
}

// wrap breaks a line. What follows is indented as far as the line's last column of words:
// after a gap of two blanks in its first half, or a little more than the line itself.
func (l Line) wrap(width int) []Line {
	width = max(width, 8)
	text := l.glyphs()
	if len(text) <= width {
		return []Line{l}
	}
	var out []Line
	hang := hanging(text, width)
	for len(text) > width {
		at := breakAt(text, hang, width)
		out = append(out, l.led(spans(trimmed(text[:at]))))
		rest := make([]glyph, hang, hang+len(text)-at)
		for i := range rest {
			rest[i].r = ' '
		}
		for at < len(text) && text[at].r == ' ' {
			at++
		}
		text = append(rest, text[at:]...)
	}
	return append(out, l.led(spans(trimmed(text))))
}

// led is a part of l that begins with a tab if l does.
func (l Line) led(part Line) Line {
	const tab = "        "
	if len(part) > 0 && strings.HasPrefix(l[0].Text, "\t") && strings.HasPrefix(part[0].Text, tab) {
		part[0].Text = "\t" + part[0].Text[len(tab):]
	}
	return part
}

// glyphs is a line as characters, with blanks for tabs.
func (l Line) glyphs() (text []glyph) {
	for _, s := range l {
		for _, r := range s.Text {
			if r == '\t' { // the next multiple of eight
				for n := 8 - len(text)%8; n > 0; n-- {
					text = append(text, glyph{' ', s.Style})
				}
				continue
			}
			text = append(text, glyph{r, s.Style})
		}
	}
	return text
}

// hanging is where the lines that follow begin.
func hanging(text []glyph, width int) int {
	lead := 0
	for lead < len(text) && text[lead].r == ' ' {
		lead++
	}
	hang := min(lead+2, width/2)
	for i := lead + 2; i < min(width/2+1, len(text)); i++ {
		if text[i].r != ' ' && text[i-1].r == ' ' && text[i-2].r == ' ' {
			hang = i
		}
	}
	return hang
}

// breakAt is the last blank at which what stands before fits; a word that is longer than
// the line is broken where the line ends. Code is rather broken after a comma.
func breakAt(text []glyph, from, width int) int {
	if at := afterComma(text[:width], from); at > 0 && text[width-1].style == Code {
		return at
	}
	for i := width; i > from; i-- {
		if text[i].r == ' ' {
			return i
		}
	}
	return max(width, from+1)
}

// afterComma is the last blank after a comma, of those within the fewest brackets; 0 if there is none.
func afterComma(text []glyph, from int) (at int) {
	depth, least := 0, len(text)
	for i, g := range text {
		switch {
		case strings.ContainsRune("([{", g.r):
			depth++
		case strings.ContainsRune(")]}", g.r):
			depth--
		case g.r == ' ' && i > from && text[i-1].r == ',' && depth <= least:
			at, least = i, depth
		}
	}
	return at
}

func trimmed(text []glyph) []glyph {
	for len(text) > 0 && text[len(text)-1].r == ' ' {
		text = text[:len(text)-1]
	}
	return text
}

// spans is characters as a line.
func spans(text []glyph) (l Line) {
	for i, g := range text {
		if i == 0 || g.style != text[i-1].style {
			l = append(l, Span{Style: g.style})
		}
		l[len(l)-1].Text += string(g.r)
	}
	return l
}
