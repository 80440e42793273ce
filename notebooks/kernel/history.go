package kernel

import (
	"path"
	"slices"
	"strings"
)

// A history is the cells of a session, in order.
type history []entry

type entry struct {
	line      int
	code, out string
}

func (h *history) add(line int, code string) { *h = append(*h, entry{line: line, code: code}) }

// shown notes what a cell's result looks like.
func (h history) shown(line int, text string) {
	if n := len(h); n > 0 && h[n-1].line == line {
		h[n-1].out = text
	}
}

type historyRequest struct {
	Output  bool   `json:"output"`
	Access  string `json:"hist_access_type"`
	Session int    `json:"session"`
	Start   int    `json:"start"`
	Stop    *int   `json:"stop"` // nil: to the end
	N       int    `json:"n"`
	Pattern string `json:"pattern"`
	Unique  bool   `json:"unique"`
}

// thisSession is the number of the only session whose cells are known.
const thisSession = 1

// past is the cells that are asked for.
func (k *kernel) past(_ request, r historyRequest) any {
	rows := []any{}
	for _, e := range k.history.find(r) {
		var text any = e.code
		if r.Output {
			var out any
			if e.out != "" {
				out = e.out
			}
			text = []any{e.code, out}
		}
		rows = append(rows, []any{thisSession, e.line, text})
	}
	return map[string]any{"status": "ok", "history": rows}
}

func (h history) find(r historyRequest) (list []entry) {
	switch r.Access {
	case "range":
		for _, e := range h {
			if (r.Session == 0 || r.Session == thisSession) && e.line >= r.Start && (r.Stop == nil || e.line < *r.Stop) {
				list = append(list, e)
			}
		}
		return list
	case "search":
		for _, e := range h {
			if !matches(r.Pattern, e.code) {
				continue
			}
			if r.Unique {
				list = slices.DeleteFunc(list, func(o entry) bool { return o.code == e.code })
			}
			list = append(list, e)
		}
	case "tail":
		list = h
	}
	if r.N > 0 {
		list = list[max(0, len(list)-r.N):]
	}
	return list
}

// matches reports whether a text is like a pattern with * and ?.
func matches(pattern, text string) bool {
	if pattern == "" {
		return true
	}
	flat := func(s string) string { return strings.ReplaceAll(s, "/", "\n") } // * stands for slashes, too
	ok, err := path.Match(flat(pattern), flat(text))
	return ok && err == nil
}
