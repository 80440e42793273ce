package repl

import (
	"fmt"
	"go/token"
	"strings"
)

// cutCall reads NAME, NAME[grid], NAME(arguments) or NAME[grid](arguments).
func cutCall(text string) (name, grid, args string, err error) {
	rest := strings.TrimSpace(text)
	name = rest
	if i := strings.IndexAny(rest, "[( \t"); i >= 0 {
		name, rest = rest[:i], strings.TrimSpace(rest[i:])
	} else {
		rest = ""
	}
	if name != "" && !token.IsIdentifier(name) {
		return "", "", "", fmt.Errorf("%s is not the name of a kernel", name)
	}
	if strings.HasPrefix(rest, "[") {
		if grid, rest, err = brackets(rest); err != nil {
			return "", "", "", err
		}
	}
	if strings.HasPrefix(rest, "(") {
		if args, rest, err = brackets(rest); err != nil {
			return "", "", "", err
		}
	}
	if rest != "" {
		return "", "", "", fmt.Errorf("got %s, want NAME[grid](arguments)", text)
	}
	return name, grid, args, nil
}

// brackets is what stands between the bracket that text begins with and the one that
// closes it, and what follows.
func brackets(text string) (inside, rest string, err error) {
	depth := 0
	quote := rune(0)
	for i, r := range text {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '\'' || r == '`':
			quote = r
		case strings.ContainsRune("([{", r):
			depth++
		case strings.ContainsRune(")]}", r):
			if depth--; depth == 0 {
				return strings.TrimSpace(text[1:i]), strings.TrimSpace(text[i+1:]), nil
			}
		}
	}
	return "", "", fmt.Errorf("%s: a bracket is not closed", text)
}
