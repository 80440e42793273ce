// Package call takes calls of kernels apart, as commands and Python write them.
package call

import (
	"fmt"
	"go/token"
	"slices"
	"strings"
)

// Cut reads NAME, NAME[grid], NAME(arguments) or NAME[grid](arguments).
func Cut(text string) (name, grid, args string, err error) {
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
	end := -1
	unquoted(text, func(i int, r rune, depth int) {
		if end < 0 && depth == 0 && strings.ContainsRune(")]}", r) {
			end = i
		}
	})
	if end < 0 {
		return "", "", fmt.Errorf("%s: a bracket is not closed", text)
	}
	return strings.TrimSpace(text[1:end]), strings.TrimSpace(text[end+1:]), nil
}

// unquoted calls f with each character that is in no string, and how many brackets are open behind it.
func unquoted(text string, f func(i int, r rune, depth int)) {
	depth, quote := 0, rune(0)
	for i, r := range text {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
			continue
		case strings.ContainsRune("\"'`", r):
			quote = r
			continue
		case strings.ContainsRune("([{", r):
			depth++
		case strings.ContainsRune(")]}", r):
			depth--
		}
		f(i, r, depth)
	}
}

// Line is Cut of a line of a cell that is a launch as Python writes one, NAME[grid](arguments);
// ok is false if it is none.
func Line(text string) (name, grid, args string, ok bool) {
	name, grid, args, err := Cut(text)
	if err != nil || grid == "" || !strings.HasSuffix(strings.TrimSpace(text), ")") {
		return "", "", "", false
	}
	if inside, rest, err := brackets(grid); err == nil && rest == "" && grid[0] == '(' {
		grid = inside // of (2,) and (4, 4)
	}
	return name, strings.TrimSuffix(strings.TrimSpace(grid), ","), args, true
}

// Positional is arguments in the order of parameters, those by name among them: n=8 and BLOCK=4.
func Positional(args string, params []string) (string, error) {
	var parts []string
	for i, a := range Split(args) {
		name, value, named := strings.Cut(a, "=")
		name = strings.TrimSpace(name)
		if !named || !token.IsIdentifier(name) || strings.HasPrefix(value, "=") {
			if len(parts) > i {
				return "", fmt.Errorf("%s stands behind an argument by name", a)
			}
			parts = append(parts, a)
			continue
		}
		at := slices.Index(params, name)
		if at < 0 {
			return "", fmt.Errorf("there is no parameter %s; there is %s", name, strings.Join(params, ", "))
		}
		for len(parts) <= at {
			parts = append(parts, "")
		}
		parts[at] = strings.TrimSpace(value)
	}
	for i, p := range parts {
		if p == "" {
			return "", fmt.Errorf("no argument for %s", params[i])
		}
	}
	return strings.Join(parts, ", "), nil
}

// Split is a list's parts between its commas.
func Split(list string) (parts []string) {
	from := 0
	unquoted(list, func(i int, r rune, depth int) {
		if r == ',' && depth == 0 {
			parts = append(parts, strings.TrimSpace(list[from:i]))
			from = i + 1
		}
	})
	if last := strings.TrimSpace(list[from:]); last != "" {
		parts = append(parts, last)
	}
	return parts
}
