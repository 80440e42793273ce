package edit

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tiler-go/tiler/tilelang/overwrite"
)

// A history is the texts that were entered, the last one last. Sessions share a file:
// each appends what it enters, a line for a text.
type history struct {
	file  string
	list  []string
	at    int    // the one being looked at; len(list) is none
	draft string // what was being typed before
	begin string // the beginning that texts must have to be looked at
}

// mostHistory is how many texts are kept.
const mostHistory = 5000

const (
	mostBytes = 8 << 20  // how much of the file is read
	longest   = 64 << 10 // how long a text may be to be kept for later sessions
)

var escapeNewlines = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
var unescapeNewlines = strings.NewReplacer(`\\`, `\`, `\n`, "\n")

// load reads the file, if there is one, and shortens it if it is far too long.
func (h *history) load(file string) {
	h.file = file
	defer h.reset()
	if file == "" {
		return
	}
	lines := 0
	for line := range strings.SplitSeq(end(file, mostBytes), "\n") {
		lines++
		text := unescapeNewlines.Replace(line)
		if strings.TrimSpace(text) != "" && utf8.ValidString(text) && !strings.Contains(text, "\x00") {
			h.list = append(h.list, text)
		}
	}
	if n := len(h.list); n > mostHistory {
		h.list = h.list[n-mostHistory:]
	}
	if lines > mostHistory*3/2 {
		h.rewrite()
	}
}

// end is the last lines of a file, of at most so many bytes; "" of what is no file.
func end(file string, most int64) string {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	from := max(0, info.Size()-most)
	text := make([]byte, info.Size()-from)
	n, _ := f.ReadAt(text, from)
	text = text[:n]
	if from > 0 { // the first line may have begun before
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	return string(text)
}

func (h *history) rewrite() {
	var b strings.Builder
	for _, text := range h.list {
		b.WriteString(escapeNewlines.Replace(text) + "\n")
	}
	_ = overwrite.Bytes(h.file, 0o600, []byte(b.String())) // it stays too long
}

// add notes a text; one that repeats the last is not noted again. A history that
// cannot be written is kept for this session.
func (h *history) add(text string) {
	defer h.reset()
	if strings.TrimSpace(text) == "" || len(h.list) > 0 && h.list[len(h.list)-1] == text {
		return
	}
	h.list = append(h.list, text)
	if info, err := os.Stat(h.file); h.file == "" || len(text) > longest || err == nil && !info.Mode().IsRegular() {
		return
	}
	if os.MkdirAll(filepath.Dir(h.file), 0o700) != nil {
		return
	}
	f, err := os.OpenFile(h.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	if n, err := f.WriteString(escapeNewlines.Replace(text) + "\n"); err != nil && n > 0 {
		if info, err := f.Stat(); err == nil {
			f.Truncate(info.Size() - int64(n)) // half a text is none
		}
	}
	f.Close()
}

func (h *history) reset() { h.at, h.draft, h.begin = len(h.list), "", "" }

// step goes to the next older (-1) or younger (1) text that begins as what was typed
// does; ok is false if there is none.
func (h *history) step(by int, typed string) (text string, ok bool) {
	if h.at == len(h.list) {
		h.draft, h.begin = typed, typed
		if strings.Contains(typed, "\n") {
			h.begin = ""
		}
	}
	for i := h.at + by; i >= 0 && i <= len(h.list); i += by {
		if i == len(h.list) {
			h.at = i
			return h.draft, true
		}
		if strings.HasPrefix(h.list[i], h.begin) && (h.at == len(h.list) || h.list[i] != h.list[h.at]) {
			h.at = i
			return h.list[i], true
		}
	}
	return "", false
}

// find is the place of a text that contains what is asked for, from a place on, older
// or younger; -1 if there is none.
func (h *history) find(what string, from, by int) int {
	for i := from; i >= 0 && i < len(h.list); i += by {
		if strings.Contains(h.list[i], what) {
			return i
		}
	}
	return -1
}

// follows is what stood, in the latest text that begins as what is typed, in the rest of
// the line.
func (h *history) follows(typed string) string {
	for _, text := range slices.Backward(h.list) {
		if rest, ok := strings.CutPrefix(text, typed); ok && rest != "" {
			rest, _, _ = strings.Cut(rest, "\n")
			return rest
		}
	}
	return ""
}

// texts is a copy of all texts.
func (h *history) texts() []string { return slices.Clone(h.list) }
