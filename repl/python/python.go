// Package python recognises what people write at the prompt whose fingers know Python, and
// says what Go writes instead.
//
// There are three ways in. Line is for a line that Go cannot read: the rows of one table are
// tried on it, in order. FloorDiv and Chain are for what Go reads as something else, without a
// word. Name and Member are for names that nothing declares. What a text means is known to
// the caller alone; here it is characters.
package python

import (
	"regexp"
	"strings"
)

// A Mistake is something that is no Go.
type Mistake struct {
	At       int // the byte of the text
	Msg, Fix string
}

// A Language says what the words of a text are.
type Language struct {
	// Spell is how package tilelang spells a name, such as Zeros for zeros, "" if it has none.
	Spell func(name string) string
	// Kernel reports whether a name is that of a kernel.
	Kernel func(name string) bool
	// Import is the path of a package that a name may mean, "" if there is none.
	Import func(name string) string
}

// A row recognises one thing.
type row struct {
	re  *regexp.Regexp // of a line without its comments and what its strings say; group at is the place
	msg string         // $name is what the group of that name matched
	fix string
	say func(l *Language, m groups) (msg, fix string) // in place of msg and fix, if they depend on more
}

// groups is what the groups of a row matched, as it was written.
type groups map[string]string

func says(re, msg, fix string) row { return row{re: regexp.MustCompile(re), msg: msg, fix: fix} }

func asks(re string, say func(l *Language, m groups) (msg, fix string)) row {
	return row{re: regexp.MustCompile(re), say: say}
}

// Line is what is wrong with a line of a text, counted from 0; ok is false if that is not known.
func (l *Language) Line(text string, line int) (m Mistake, ok bool) {
	bare := strings.SplitAfter(bare(text), "\n")
	if line >= len(bare) {
		return m, false
	}
	from := len(strings.Join(bare[:line], ""))
	code := strings.TrimRight(bare[line], "\n")
	return l.match(text[from:from+len(code)], code, from)
}

// match tries the rows on a line; bare is the line without comments and what strings say.
func (l *Language) match(line, bare string, from int) (m Mistake, ok bool) {
	for _, r := range rows {
		loc := r.re.FindStringSubmatchIndex(bare)
		if loc == nil {
			continue
		}
		g := groups{}
		for i, name := range r.re.SubexpNames() {
			if name != "" && loc[2*i] >= 0 {
				g[name] = strings.TrimSpace(line[loc[2*i]:loc[2*i+1]])
			}
		}
		msg, fix := r.msg, r.fix
		if r.say != nil {
			msg, fix = r.say(l, g)
		}
		at := r.re.SubexpIndex("at")
		return Mistake{At: from + loc[2*at], Msg: g.fill(msg, nil), Fix: g.fill(fix, l)}, true
	}
	return m, false
}

var hole = regexp.MustCompile(`\$(\w+)`)

// fill puts what was matched into a sentence, spelled as Go does if a language is given.
func (g groups) fill(text string, l *Language) string {
	return hole.ReplaceAllStringFunc(text, func(name string) string {
		if l == nil {
			return g[name[1:]]
		}
		return l.spelled(g[name[1:]])
	})
}

// spellings is what words of an expression are in Go, in order.
var spellings = []struct {
	re   *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`\bis\s+not\s+None\b`), "!= nil"},
	{regexp.MustCompile(`\bis\s+None\b`), "== nil"},
	{regexp.MustCompile(`\bNone\b`), "nil"},
	{regexp.MustCompile(`\bTrue\b`), "true"},
	{regexp.MustCompile(`\bFalse\b`), "false"},
	{regexp.MustCompile(`\bnot\s+`), "!"},
	{regexp.MustCompile(`\s+and\s+`), " && "},
	{regexp.MustCompile(`\s+or\s+`), " || "},
	{regexp.MustCompile(`'([^'\\]{2,})'`), `"$1"`},
	{regexp.MustCompile(`\bmask\s*=\s*(\w+(?:\([^()]*\))?)`), "tl.Mask($1)"},
	{regexp.MustCompile(`\bother\s*=\s*([\w.-]+)`), "tl.Other($1)"},
	{regexp.MustCompile(`\baxis\s*=\s*(\w+)`), "tl.Axis($1)"},
	{regexp.MustCompile(`\bacc\s*=\s*(\w+)`), "tl.Acc($1)"},
	{regexp.MustCompile(`\bkeep_dims\s*=\s*\w+`), "tl.KeepDims"},
	{regexp.MustCompile(`\bdtype\s*=\s*`), ""},
	{regexp.MustCompile(`\btl\.program_id\((?:axis\s*=\s*)?`), "p.ID("},
	{regexp.MustCompile(`\btl\.num_programs\((?:axis\s*=\s*)?`), "p.Num("},
}

var tlName = regexp.MustCompile(`\btl\.(\w+)`)

// spelled is an expression with the words of Go and of package tilelang.
func (l *Language) spelled(expr string) string {
	for _, s := range spellings {
		expr = s.re.ReplaceAllString(expr, s.with)
	}
	return tlName.ReplaceAllStringFunc(expr, func(name string) string {
		if other := l.Spell(name[len("tl."):]); other != "" {
			return "tl." + other
		}
		return name
	})
}

var block = regexp.MustCompile(`(?m)^[ \t]*(?:(?:def|class|while|for|if|elif|except|with)[ \t].*|else[ \t]*):[ \t]*#?[ \t]*$`)

// Block reports whether a text has a line that begins a block of Python, and no line of Go.
func Block(text string) bool { return block.MatchString(bare(text)) }

// bare is a text with what its strings and comments say blanked out, as long as it was. Of a string
// of several characters in single quotes, which is no Go, underscores are left.
func bare(text string) string {
	b := []byte(text)
	blank := func(lo, hi int, with byte) {
		for i := max(lo, 0); i < min(hi, len(b)); i++ {
			if b[i] != '\n' {
				b[i] = with
			}
		}
	}
	for i := 0; i < len(text); {
		n := piece(text[i:])
		switch s := text[i:min(i+n, len(text))]; {
		case n == 1:
		case s[0] == '#':
			blank(i+1, i+n, ' ')
		case strings.HasPrefix(s, `"""`), strings.HasPrefix(s, `'''`):
			blank(i+3, i+n-3, '_')
		case s[0] == '/':
			blank(i, i+n, ' ')
		case s[0] == '\'' && (s[1] == '\\' || len([]rune(s)) == 3):
			blank(i+1, i+n-1, ' ')
		default:
			blank(i+1, i+n-1, '_')
		}
		i += n
	}
	return string(b)
}

// piece is how long the string or comment is that a text begins with, 1 if there is none.
func piece(s string) int {
	until := func(from int, end string) int {
		if i := strings.Index(s[from:], end); i >= 0 {
			return from + i + len(end)
		}
		return len(s)
	}
	if strings.IndexByte("\"'`#/", s[0]) < 0 {
		return 1
	}
	line := strings.IndexByte(s, '\n')
	if line < 0 {
		line = len(s)
	}
	switch {
	case strings.HasPrefix(s, `"""`), strings.HasPrefix(s, `'''`):
		return until(3, s[:3])
	case s[0] == '#', strings.HasPrefix(s, "//"):
		return max(line, 1)
	case strings.HasPrefix(s, "/*"):
		return until(2, "*/")
	case s[0] == '`':
		return until(1, "`")
	case s[0] == '"' || s[0] == '\'':
		for i := 1; i < line; i++ {
			if s[i] == '\\' {
				i++
			} else if s[i] == s[0] {
				return i + 1
			}
		}
	}
	return 1
}

// list is an advice about what stands in brackets.
func list(l *Language, m groups) (msg, fix string) {
	return "a Go list names the type of its elements", "write []" + elem(m["v"]) + "{$v}"
}

// dict is an advice about what stands in braces.
func dict(l *Language, m groups) (msg, fix string) {
	return "a Go map names the types of its keys and values", "write map[" + elem(m["k"]) + "]" + elem(m["v"]) + "{$k: $v}"
}

// elem is the type of what stands in a list.
func elem(list string) string {
	switch {
	case strings.ContainsAny(list, `"'`):
		return "string"
	case strings.Contains(list, "."):
		return "float64"
	}
	return "int"
}
