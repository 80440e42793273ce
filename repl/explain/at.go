package explain

import (
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"
)

// At is the names that a place in a text may be about, the likeliest first.
func At(text string, pos int) (names []string) {
	add := func(end int) {
		name := text[nameStart(text, end):end]
		if strings.HasPrefix(name, ":") || !token.IsKeyword(name) && strings.Trim(name, ".0123456789") != "" {
			names = append(names, strings.TrimPrefix(name, ":"))
		}
	}
	end := pos
	for end < len(text) {
		r, n := utf8.DecodeRuneInString(text[end:])
		if !isLetter(r) {
			break
		}
		end += n
	}
	add(end)
	for depth := 0; pos > 0; pos-- {
		switch text[pos-1] {
		case ')':
			depth++
		case '(':
			if depth == 0 {
				add(len(strings.TrimRight(text[:pos-1], " ")))
			}
			depth = max(0, depth-1)
		}
	}
	return names
}

// nameStart is where a name with dots begins that ends at a place; a command's has a colon.
func nameStart(text string, end int) int {
	start := end
	for start > 0 {
		r, n := utf8.DecodeLastRuneInString(text[:start])
		if !isLetter(r) && r != '.' {
			break
		}
		start -= n
	}
	if start > 0 && text[start-1] == ':' && strings.TrimSpace(text[strings.LastIndexByte(text[:start], '\n')+1:start]) == ":" {
		start--
	}
	return start
}

func isLetter(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
