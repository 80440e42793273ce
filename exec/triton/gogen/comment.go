package gogen

import "strings"

// A comment is one of the file's.
type comment struct {
	text  string
	own   bool // it has its line for itself
	blank bool // an empty line
}

// comments finds those of a text, by line.
func comments(text string) map[int32]comment {
	found := map[int32]comment{}
	quote := ""
	for n, line := range strings.Split(text, "\n") {
		if quote == "" && strings.TrimSpace(line) == "" {
			found[int32(n+1)] = comment{blank: true}
		}
		for i := 0; i < len(line); i++ {
			switch rest := line[i:]; {
			case quote != "" && rest[0] == '\\':
				i++
			case quote != "":
				if strings.HasPrefix(rest, quote) {
					i += len(quote) - 1
					quote = ""
				}
			case strings.HasPrefix(rest, `"""`), strings.HasPrefix(rest, "'''"):
				quote = rest[:3]
				i += 2
			case rest[0] == '"', rest[0] == '\'':
				quote = rest[:1]
			case rest[0] == '#':
				text := strings.TrimSpace(strings.TrimLeft(rest, "#"))
				found[int32(n+1)] = comment{text: text, own: strings.TrimSpace(line[:i]) == ""}
				i = len(line)
			}
		}
		if len(quote) == 1 {
			quote = ""
		}
	}
	return found
}

// above prints the comments and empty lines that stand before a line and are not printed yet.
func (f *fn) above(line int32) {
	for ; f.line < line; f.line++ {
		c, ok := f.notes[f.line]
		switch {
		case !ok || f.noted[f.line]:
		case c.blank:
			f.emit("")
		default:
			f.noted[f.line] = true
			f.emit("// %s", c.text)
		}
	}
}

// beside is a line's own comment, behind what is printed of it.
func (f *fn) beside(line int32) string {
	c, ok := f.notes[line]
	if !ok || c.own || c.blank || f.noted[line] {
		return ""
	}
	f.noted[line] = true
	return " // " + c.text
}
