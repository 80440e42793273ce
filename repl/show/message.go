package show

import (
	"errors"
	"regexp"
	"strings"

	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// Text is a picture of a text, unchanged.
func Text(text string) picture.Picture {
	var p picture.Picture
	p.AddLines(picture.Plain, strings.TrimSuffix(text, "\n"))
	return p
}

// Message is what is wrong, with its place, the line of source, and what to do. src
// gives the text of a file, or "".
func Message(d *diag.Diagnostic, src func(file string) string) picture.Picture {
	return ErrorText(diag.Render(d, src))
}

// Error is any error: each message of a list, and what else there is as text.
func Error(err error, src func(file string) string) picture.Picture {
	var list diag.List
	var one *diag.Diagnostic
	var p picture.Picture
	switch {
	case errors.As(err, &list):
		for _, d := range list {
			p.Append(Message(d, src))
		}
	case errors.As(err, &one):
		p.Append(Message(one, src))
	default:
		p.Append(ErrorText(err.Error()))
	}
	return p
}

// messagePlace is what a message begins with: file:line:col, and a colon.
var messagePlace = regexp.MustCompile(`^[^\t]*?:\d+(:\d+)?: `)

// ErrorText is messages that are text already: lines that are not indented say what is
// wrong, those that are explain it.
func ErrorText(text string) picture.Picture {
	var p picture.Picture
	for l := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		switch trimmed := strings.TrimSpace(l); {
		case trimmed == "^":
			p.Add(picture.Bad, l)
		case strings.HasPrefix(trimmed, "fix: "):
			p.Add(picture.Good, l)
		case strings.HasPrefix(l, "\t") || strings.HasPrefix(l, "  "):
			p.Add(l)
		default:
			at := messagePlace.FindString(l)
			p.Add(picture.Head, at, picture.Bad, l[len(at):])
		}
	}
	return p
}

// Aside is a remark beside what was asked for.
func Aside(text string) picture.Picture {
	var p picture.Picture
	p.AddLines(picture.Head, text)
	return p
}

// Source is Go text.
func Source(text string) picture.Picture {
	var p picture.Picture
	p.AddLines(picture.Code, strings.TrimRight(text, "\n"))
	return p
}

// Table is rows below headers, the first column a name.
func Table(cols []string, rows [][]string) picture.Picture {
	widths := make([]int, len(cols))
	for _, row := range append([][]string{cols}, rows...) {
		for i, s := range row {
			widths[i] = max(widths[i], picture.Width(s))
		}
	}
	var p picture.Picture
	for i, row := range append([][]string{cols}, rows...) {
		var l picture.Line
		for k, s := range row {
			style := picture.Plain
			switch {
			case i == 0:
				style = picture.Head
			case k == 0:
				style = picture.Name
			}
			if strings.Join(row[k+1:], "") != "" {
				s += strings.Repeat(" ", widths[k]-picture.Width(s)+2)
			}
			l = append(l, picture.Span{Text: s, Style: style})
		}
		if i > 0 || strings.Join(cols, "") != "" {
			p.Blocks = append(p.Blocks, picture.Block{Line: l})
		}
	}
	return p
}
