package syntax

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// string makes a string, whose quote is at i and whose prefix, if any, begins at x.i.
func (x *lexer) string(i int) {
	at, prefix := x.pos(), strings.ToLower(x.text[x.i:i])
	quote := x.text[i : i+1]
	if strings.HasPrefix(x.text[i:], strings.Repeat(quote, 3)) {
		quote = x.text[i : i+3]
	}
	x.i = i + len(quote)
	from := x.i
	for !strings.HasPrefix(x.text[x.i:], quote) {
		x.textByte(at, quote)
	}
	body := x.text[from:x.i]
	x.i += len(quote)
	if !strings.Contains(prefix, "r") && !strings.Contains(prefix, "f") {
		body = unescape(body)
	}
	t := token{kind: str, text: body, at: at}
	switch {
	case strings.Contains(prefix, "f"):
		t.prefix = 'f'
	case strings.Contains(prefix, "b"):
		t.prefix = 'b'
	}
	x.tokens = append(x.tokens, t)
}

// textByte passes a byte of a string, an escaped one together with its backslash.
func (x *lexer) textByte(at Pos, quote string) {
	if x.i < len(x.text) && x.text[x.i] == '\\' {
		x.i++
	}
	switch {
	case x.i >= len(x.text) || x.text[x.i] == '\n' && len(quote) == 1 && x.text[x.i-1] != '\\':
		fail(x.file, at, "a string without its closing %s", quote)
	case x.text[x.i] == '\n':
		x.newLine()
	default:
		x.i++
	}
}

var escapes = map[byte]string{'n': "\n", 't': "\t", 'r': "\r", '\\': "\\", '\'': "'", '"': "\"", 'a': "\a", 'b': "\b", 'f': "\f", 'v': "\v", '\n': "", '0': "\x00"}

// unescape is what escapes in a string stand for; one that Python does not know stands for
// itself.
func unescape(s string) string {
	if !strings.Contains(s, "\\") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		if text, n := hexEscape(s[i:]); n > 0 {
			b.WriteString(text)
			i += n - 1
		} else if text, ok := escapes[s[i]]; ok {
			b.WriteString(text)
		} else {
			b.WriteString(s[i-1 : i+1])
		}
	}
	return b.String()
}

// hexEscape is what x41, u0041 or U00000041 stands for, and how long it is.
func hexEscape(s string) (text string, n int) {
	width := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[0]]
	if width == 0 || len(s) <= width {
		return "", 0
	}
	r, err := strconv.ParseUint(s[1:1+width], 16, 32)
	if err != nil || r > utf8.MaxRune {
		return "", 0
	}
	return string(rune(r)), 1 + width
}
