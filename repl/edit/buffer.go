package edit

import (
	"slices"
	"strings"
	"unicode"
)

// A buffer is a text of one or more lines and a cursor in it.
type buffer struct {
	text []rune
	pos  int    // 0 ... len(text)
	kill []rune // what was cut last
	want int    // the column that moves between lines aim for; -1 for the present one
}

func (b *buffer) String() string { return string(b.text) }

func (b *buffer) set(text string) {
	b.text = []rune(text)
	b.pos = len(b.text)
	b.want = -1
}

func (b *buffer) insert(rs ...rune) {
	b.text = slices.Insert(b.text, b.pos, rs...)
	b.pos += len(rs)
	b.want = -1
}

// remove deletes from lo to hi.
func (b *buffer) remove(lo, hi int) {
	b.text = slices.Delete(b.text, lo, hi)
	if b.pos > lo {
		b.pos = max(lo, b.pos-(hi-lo))
	}
	b.want = -1
}

// cut is remove, for a later yank.
func (b *buffer) cut(lo, hi int) {
	if lo < hi {
		b.kill = slices.Clone(b.text[lo:hi])
		b.remove(lo, hi)
	}
}

// lineStart is where the line that holds place i begins.
func (b *buffer) lineStart(i int) int {
	for i > 0 && b.text[i-1] != '\n' {
		i--
	}
	return i
}

// lineEnd is where the line that holds place i ends, before its newline.
func (b *buffer) lineEnd(i int) int {
	for i < len(b.text) && b.text[i] != '\n' {
		i++
	}
	return i
}

func (b *buffer) onFirstLine() bool { return b.lineStart(b.pos) == 0 }
func (b *buffer) onLastLine() bool  { return b.lineEnd(b.pos) == len(b.text) }

// move moves the cursor by characters.
func (b *buffer) move(by int) {
	b.pos = max(0, min(len(b.text), b.pos+by))
	b.want = -1
}

func (b *buffer) moveTo(i int) {
	b.pos = i
	b.want = -1
}

// vertical moves the cursor to the line above or below, to the column it came from.
func (b *buffer) vertical(by int) {
	start := b.lineStart(b.pos)
	if b.want < 0 {
		b.want = b.pos - start
	}
	if by < 0 {
		if start == 0 {
			return
		}
		start = b.lineStart(start - 1)
	} else {
		end := b.lineEnd(b.pos)
		if end == len(b.text) {
			return
		}
		start = end + 1
	}
	b.pos = min(start+b.want, b.lineEnd(start))
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// wordLeft is the start of the word before i.
func (b *buffer) wordLeft(i int) int {
	for i > 0 && !isWord(b.text[i-1]) {
		i--
	}
	for i > 0 && isWord(b.text[i-1]) {
		i--
	}
	return i
}

// wordRight is the end of the word after i.
func (b *buffer) wordRight(i int) int {
	for i < len(b.text) && !isWord(b.text[i]) {
		i++
	}
	for i < len(b.text) && isWord(b.text[i]) {
		i++
	}
	return i
}

// blankLeft is the start of what stands before i between blanks.
func (b *buffer) blankLeft(i int) int {
	for i > 0 && unicode.IsSpace(b.text[i-1]) {
		i--
	}
	for i > 0 && !unicode.IsSpace(b.text[i-1]) {
		i--
	}
	return i
}

// transpose swaps the characters around the cursor.
func (b *buffer) transpose() {
	i := b.pos
	if i == len(b.text) {
		i--
	}
	if i > 0 && b.text[i] != '\n' && b.text[i-1] != '\n' {
		b.text[i-1], b.text[i] = b.text[i], b.text[i-1]
		b.moveTo(i + 1)
	}
}

// blankBefore reports whether nothing but blanks stands before the cursor in its line.
func (b *buffer) blankBefore() bool {
	return strings.TrimSpace(string(b.text[b.lineStart(b.pos):b.pos])) == ""
}

// newline begins a line, indented as the one before, and deeper after an opening
// bracket.
func (b *buffer) newline() {
	line := b.text[b.lineStart(b.pos):b.pos]
	indent := 0
	for indent < len(line) && (line[indent] == ' ' || line[indent] == '\t') {
		indent++
	}
	lead := slices.Clone(line[:indent])
	if t := strings.TrimSpace(string(line)); t != "" && strings.ContainsRune("{([", rune(t[len(t)-1])) {
		lead = append(lead, '\t')
	}
	b.insert('\n')
	b.insert(lead...)
}

// closing types a closing bracket, which ends the indentation that stands before it.
func (b *buffer) closing(r rune) {
	if b.blankBefore() && b.pos > b.lineStart(b.pos) && b.text[b.pos-1] == '\t' {
		b.remove(b.pos-1, b.pos)
	}
	b.insert(r)
}

// backspace deletes the character before the cursor.
func (b *buffer) backspace() {
	if b.pos > 0 {
		b.remove(b.pos-1, b.pos)
	}
}

// delete deletes the character under the cursor.
func (b *buffer) delete() {
	if b.pos < len(b.text) {
		b.remove(b.pos, b.pos+1)
	}
}

func (b *buffer) home() { b.moveTo(b.lineStart(b.pos)) }

// killLine cuts the rest of the line, or its end if that is all there is.
func (b *buffer) killLine() {
	end := b.lineEnd(b.pos)
	if end == b.pos && end < len(b.text) {
		end++
	}
	b.cut(b.pos, end)
}
