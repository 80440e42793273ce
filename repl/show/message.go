package show

import (
	"errors"
	"strings"

	"github.com/tiler-go/tiler/tilelang/diag"
)

// Message is what is wrong, with its place, the line of source, and what to do. src
// gives the text of a file, or "".
func Message(d *diag.Diagnostic, src func(file string) string) Picture {
	var p Picture
	head, rest, more := strings.Cut(diag.Render(d, src), "\n")
	place := ""
	if d.Pos.IsValid() {
		place = d.Pos.String() + ": "
	}
	p.add(Head, place, Bad, strings.TrimPrefix(head, place))
	if more {
		p.details(rest)
	}
	return p
}

// Error is any error: each message of a list, and what else there is as text.
func Error(err error, src func(file string) string) Picture {
	var list diag.List
	var one *diag.Diagnostic
	var p Picture
	switch {
	case errors.As(err, &list):
		for _, d := range list {
			p.Append(Message(d, src))
		}
	case errors.As(err, &one):
		p.Append(Message(one, src))
	default:
		head, rest, more := strings.Cut(err.Error(), "\n")
		p.add(Bad, head)
		if more {
			p.details(rest)
		}
	}
	return p
}

// details are the lines of a message after its first.
func (p *Picture) details(text string) {
	for l := range strings.SplitSeq(text, "\n") {
		switch trimmed := strings.TrimSpace(l); {
		case trimmed == "^":
			p.add(Bad, l)
		case strings.HasPrefix(trimmed, "fix: "):
			p.add(Good, l)
		default:
			p.add(l)
		}
	}
}
