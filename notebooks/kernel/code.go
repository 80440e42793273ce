package kernel

import (
	"strings"

	"github.com/tiler-go/tiler/repl"
	"github.com/tiler-go/tiler/repl/cell/scan"
)

// A place is a text and a cursor in it, which counts characters.
type place struct {
	Code   string `json:"code"`
	Cursor *int   `json:"cursor_pos"` // nil: at the end
	Detail int    `json:"detail_level"`
}

// at is the cursor in bytes.
func (p place) at() int {
	if p.Cursor == nil {
		return len(p.Code)
	}
	n := 0
	for i := range p.Code {
		if n >= *p.Cursor {
			return i
		}
		n++
	}
	return len(p.Code)
}

// characters is how many characters a text has.
func characters(text string) int { return len([]rune(text)) }

// part is the command, or the Go between two commands, that a place in a cell is in.
func part(code string, at int) (from, to int) {
	from, to = 0, len(code)
	for begin := 0; begin <= len(code); {
		end := len(code)
		if i := strings.IndexByte(code[begin:], '\n'); i >= 0 {
			end = begin + i
		}
		switch command := scan.IsCommand(code[begin:end]); {
		case command && begin <= at && at <= end:
			return begin, end
		case command && end < at:
			from = end + 1
		case command && begin > at:
			return from, begin - 1
		}
		begin = end + 1
	}
	return from, to
}

type completeReply struct {
	Status   string         `json:"status"`
	Matches  []string       `json:"matches"`
	Start    int            `json:"cursor_start"`
	End      int            `json:"cursor_end"`
	Metadata map[string]any `json:"metadata"`
}

// candidate is a match as editors list it.
type candidate struct {
	Text  string `json:"text"`
	Type  string `json:"type"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

func (k *kernel) complete(_ request, p place) any {
	at := p.at()
	from, to := part(p.Code, at)
	start, list := k.session.Complete(p.Code[from:to], at-from)
	r := completeReply{Status: "ok", Matches: []string{}, Start: characters(p.Code[:from+start]), End: characters(p.Code[:at])}
	types := []candidate{}
	for _, c := range list {
		if c.Text == "" {
			continue // it says what a function takes
		}
		r.Matches = append(r.Matches, c.Text)
		types = append(types, candidate{c.Text, c.Detail, r.Start, r.End})
	}
	r.Metadata = map[string]any{"_jupyter_types_experimental": types}
	return r
}

type inspectReply struct {
	Status   string            `json:"status"`
	Found    bool              `json:"found"`
	Data     map[string]string `json:"data"`
	Metadata map[string]any    `json:"metadata"`
}

func (k *kernel) inspect(_ request, p place) any {
	r := inspectReply{Status: "ok", Data: map[string]string{}, Metadata: map[string]any{}}
	picture, found := k.session.Inspect(p.Code, p.at(), p.Detail > 0)
	if r.Found = found; found {
		r.Data = bundle(picture)
		r.Data["text/plain"] = picture.ANSI(false) // shown in a pager
	}
	return r
}

// isComplete says whether a console should wait for more lines, and how far the next one
// is indented.
func (k *kernel) isComplete(_ request, p place) any {
	from, _ := part(p.Code, len(p.Code))
	code := p.Code[from:]
	if !repl.Incomplete(code) {
		return map[string]string{"status": "complete"}
	}
	last := strings.TrimRight(code, " \t\n")
	last = last[strings.LastIndexByte(last, '\n')+1:]
	indent := last[:len(last)-len(strings.TrimLeft(last, " \t"))]
	if strings.HasSuffix(last, "{") || strings.HasSuffix(last, "(") {
		indent += "\t"
	}
	return map[string]string{"status": "incomplete", "indent": indent}
}
