package repl

import (
	"regexp"
	"slices"
	"strings"
)

// promptPairs are what stands before the lines that are typed at a prompt, the first of
// a cell and the others: this one's, Python's, IPython's.
var promptPairs = []struct{ first, more *regexp.Regexp }{
	{regexp.MustCompile(`^tiler>( |$)`), regexp.MustCompile(`^     \.( |$)`)},
	{regexp.MustCompile(`^>>>( |$)`), regexp.MustCompile(`^\.\.\.( |$)`)},
	{regexp.MustCompile(`^In \[\d+\]:( |$)`), regexp.MustCompile(`^ +\.\.\.:( |$)`)},
}

// transcript is the cells of a text that was copied from a screen: of its lines only
// those with a prompt were typed. It is nil if none has one.
func transcript(text string) (cells []string) {
	indent, pair := "", -1 // of the cell that goes on; -1 if none does
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if p, rest := cutFirst(strings.TrimLeft(line, " \t")); p >= 0 {
			indent, pair = line[:len(line)-len(strings.TrimLeft(line, " \t"))], p
			cells = append(cells, rest)
			continue
		}
		if i == 0 { // its prompt may have been left out of what was copied
			if pair = goesOn(text); pair >= 0 {
				cells = append(cells, line)
			}
			continue
		}
		rest, ok := strings.CutPrefix(line, indent)
		if pair < 0 || !ok || !promptPairs[pair].more.MatchString(rest) {
			pair = -1
			continue
		}
		cells[len(cells)-1] += "\n" + promptPairs[pair].more.ReplaceAllString(rest, "")
	}
	if whole := slices.DeleteFunc(slices.Clone(cells), func(c string) bool { return strings.TrimSpace(c) == "" }); len(whole) > 0 {
		return whole
	}
	return cells
}

// cutFirst is which prompt a cell's first line has, -1 for none, and what follows it.
func cutFirst(line string) (pair int, rest string) {
	for i, p := range promptPairs {
		if at := p.first.FindString(line); at != "" {
			return i, line[len(at):]
		}
	}
	return -1, ""
}

// goesOn is the prompt of a text's second line, if it is one of a cell that goes on.
func goesOn(text string) int {
	_, rest, _ := strings.Cut(text, "\n")
	line, _, _ := strings.Cut(rest, "\n")
	for i, p := range promptPairs {
		if p.more.MatchString(line) {
			return i
		}
	}
	return -1
}
