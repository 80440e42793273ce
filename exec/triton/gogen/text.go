package gogen

import (
	"fmt"
	"strings"
)

// printed is the text so far, and how far it is.
type printed struct {
	out   strings.Builder
	notes map[int32]comment
	noted map[int32]bool
	line  int32
	temps int
}

func (p *printed) emit(format string, args ...any) { fmt.Fprintf(&p.out, format+"\n", args...) }

func (p *printed) temp() string {
	p.temps++
	return fmt.Sprint("t_", p.temps)
}

// tail is what is printed from a place on, which is taken back.
func (p *printed) tail(mark int) string {
	text := p.out.String()
	p.out.Reset()
	p.out.WriteString(text[:mark])
	return text[mark:]
}

// elseBlock prints the other block of an if; an if that is alone in it stands behind else.
func (p *printed) elseBlock(els func()) {
	mark := p.out.Len()
	els()
	text := p.tail(mark)
	if onlyIf(text) {
		p.out.WriteString("} else " + text)
		return
	}
	p.emit("} else {\n%s}", text)
}

// onlyIf reports whether lines are an if and what belongs to it.
func onlyIf(text string) bool {
	if !strings.HasPrefix(text, "if ") {
		return false
	}
	depth := 0
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if depth == 0 && !strings.HasPrefix(line, "if ") || depth < 0 {
			return false
		}
		if strings.HasPrefix(line, "}") {
			depth--
			if depth == 0 && !strings.HasPrefix(line, "} else") {
				depth = -1
			}
		}
		if code, _, _ := strings.Cut(line, " // "); strings.HasSuffix(code, "{") {
			depth++
		}
	}
	return depth == -1
}

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
func (p *printed) above(line int32) {
	for ; p.line < line; p.line++ {
		c, ok := p.notes[p.line]
		switch {
		case !ok || p.noted[p.line]:
		case c.blank:
			p.emit("")
		default:
			p.noted[p.line] = true
			p.emit("// %s", c.text)
		}
	}
}

// beside is a line's own comment, behind what is printed of it.
func (p *printed) beside(line int32) string {
	c, ok := p.notes[line]
	if !ok || c.own || c.blank || p.noted[line] {
		return ""
	}
	p.noted[line] = true
	return " // " + c.text
}
