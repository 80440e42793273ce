package edit

import (
	"fmt"
	"io"
	"strings"
)

// A screen draws a text of several lines below its prompt, and draws it anew after
// every change. It knows where it left the cursor, and nothing else of the terminal.
type screen struct {
	w             io.Writer
	width, height int
	row           int // where the cursor is, counted from the first row drawn
	rows          int // how many rows are drawn
}

// A picture is what a screen draws: the text with its prompts, and lines below.
type picture struct {
	prompt, more string // before the first line, and before the others
	promptColour string
	grey, chosen string // the colours of lines below, and of the one that is marked
	text         []rune
	pos          int
	colours      []string // by character; "" for none
	below        []string // without colours, cut to the width
	marked       int      // which of them is marked; -1 for none
}

// tabWidth is how wide a tab is drawn.
const tabWidth = 4

// runeWidth is how many columns a character takes.
func runeWidth(r rune) int {
	switch {
	case r == '\t':
		return tabWidth
	case r < ' ' || r == 0x7f:
		return 2
	case r >= 0x1F300 && r <= 0x1FAFF:
		return 2
	case r < 0x300:
		return 1
	}
	return wide(r)
}

func stringWidth(s string) (w int) {
	for _, r := range s {
		w += runeWidth(r)
	}
	return w
}

// A drawing is the rows of a picture, and where the cursor stands in them.
type drawing struct {
	rows     []string
	row, col int
}

// layout breaks a picture into rows of at most width-1 columns, so that a terminal
// never breaks one itself.
func (p *picture) layout(width int) drawing {
	width = max(width, 8)
	var d drawing
	row, col := strings.Builder{}, 0
	ink := "" // the colour that is on
	paint := func(colour string) {
		if colour != ink {
			row.WriteString(change(ink, colour))
			ink = colour
		}
	}
	begin := func(prompt string) {
		row.WriteString(coloured(prompt, p.promptColour))
		col = stringWidth(prompt)
	}
	end := func() {
		paint("")
		d.rows = append(d.rows, row.String())
		row.Reset()
		col = 0
	}
	begin(p.prompt)
	for i := 0; i <= len(p.text); i++ {
		w := 0
		if i < len(p.text) && p.text[i] != '\n' {
			w = runeWidth(p.text[i])
		}
		if col+max(w, 1) > width-1 && (i == len(p.text) || p.text[i] != '\n') {
			end()
		}
		if i == p.pos {
			d.row, d.col = len(d.rows), col
		}
		if i == len(p.text) {
			break
		}
		if p.text[i] == '\n' {
			end()
			begin(p.more)
			continue
		}
		if p.colours != nil {
			paint(p.colours[i])
		}
		writeRune(&row, p.text[i])
		col += w
	}
	end()
	return d
}

func writeRune(b *strings.Builder, r rune) {
	switch {
	case r == '\t':
		b.WriteString(strings.Repeat(" ", tabWidth))
	case r < ' ':
		b.WriteString("^" + string(r+'@'))
	case r == 0x7f:
		b.WriteString("^?")
	default:
		b.WriteRune(r)
	}
}

// change is what turns one colour into another.
func change(from, to string) string {
	switch {
	case to == "":
		return "\x1b[0m"
	case from == "":
		return "\x1b[" + to + "m"
	}
	return "\x1b[0;" + to + "m"
}

func coloured(s, colour string) string {
	if colour == "" {
		return s
	}
	return "\x1b[" + colour + "m" + s + "\x1b[0m"
}

// draw puts a picture in the place of the last one.
func (s *screen) draw(p *picture) {
	d := p.layout(s.width)
	room := max(1, s.height-1-len(p.below))
	first := 0
	if len(d.rows) > room { // show the rows around the cursor
		first = max(0, min(d.row-room/2, len(d.rows)-room))
	}
	rows := d.rows[first:min(len(d.rows), first+room)]
	var b strings.Builder
	b.WriteString("\x1b[?25l")
	s.erase(&b)
	b.WriteString(strings.Join(rows, "\r\n"))
	for i, l := range p.below {
		b.WriteString("\r\n" + p.line(l, s.width, i == p.marked))
	}
	s.rows = len(rows) + len(p.below)
	s.row = d.row - first
	if up := s.rows - 1 - s.row; up > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", up)
	}
	b.WriteString("\r")
	if d.col > 0 {
		fmt.Fprintf(&b, "\x1b[%dC", d.col)
	}
	b.WriteString("\x1b[?25h")
	io.WriteString(s.w, b.String())
}

// line is a line below the text.
func (p *picture) line(l string, width int, marked bool) string {
	w, cut := 0, len(l)
	for i, r := range l {
		if w += runeWidth(r); w > width-1 {
			cut = i
			break
		}
	}
	if marked {
		return coloured(l[:cut], p.chosen)
	}
	return coloured(l[:cut], p.grey)
}

// erase goes to where the picture begins, and clears the screen from there.
func (s *screen) erase(b *strings.Builder) {
	if s.row > 0 {
		fmt.Fprintf(b, "\x1b[%dA", s.row)
	}
	b.WriteString("\r\x1b[J")
	s.row, s.rows = 0, 0
}

// clear empties the terminal, row by row: what is cleared at once some terminals keep a
// copy of among the lines that have scrolled away.
func (s *screen) clear() {
	io.WriteString(s.w, "\x1b[H"+strings.Repeat("\x1b[2K\x1b[B", max(1, s.height)-1)+"\x1b[2K\x1b[H")
	s.row, s.rows = 0, 0
}

// leave draws a picture for the last time and goes to the line below it.
func (s *screen) leave(p *picture) {
	p.below = nil
	p.pos = len(p.text)
	s.draw(p)
	io.WriteString(s.w, "\r\n")
	s.row, s.rows = 0, 0
}

// resize adapts to a terminal of another size. The rows that are there are taken to be
// where they were: of what a terminal broke anew, something may stay above.
func (s *screen) resize(width, height int) { s.width, s.height = width, height }
