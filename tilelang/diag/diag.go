// Package diag is how tiler says that something is wrong: a fact with its place,
// notes that explain it, and what to write instead. Errors are data; Render turns
// them into text with the source line and a caret.
package diag

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// ShortPath is a file below the working directory relative to it.
func ShortPath(file string) string {
	wd, err := os.Getwd()
	if err != nil || !filepath.IsAbs(file) {
		return file
	}
	if rel, err := filepath.Rel(wd, file); err == nil && !strings.HasPrefix(rel, "..") {
		return rel
	}
	return file
}

// Pos is a place in source text. Line and Col count from 1; 0 means unknown.
type Pos struct {
	File string
	Line int
	Col  int
}

// String is file:line:col without the unknown parts.
func (p Pos) String() string {
	if p.Line == 0 {
		if p.File == "" {
			return "?"
		}
		return p.File
	}
	s := strconv.Itoa(p.Line)
	if p.File != "" {
		s = p.File + ":" + s
	}
	if p.Col > 0 {
		s += ":" + strconv.Itoa(p.Col)
	}
	return s
}

// IsValid reports whether p names a line.
func (p Pos) IsValid() bool { return p.Line > 0 }

// A Diagnostic is one message: what is wrong and where, why, and the fix.
type Diagnostic struct {
	Pos   Pos
	Msg   string // lower case, no full stop: "tl.Dot: inner sizes differ: 64 and 32"
	Notes []Note
	Fixes []string // what to do, each a sentence fragment: "load it as [64, n]"
}

// A Note adds a fact, at a place of its own if Pos is valid.
type Note struct {
	Pos  Pos
	Text string // may have Here
}

// Here stands in a note's text for its place, which else comes before the text:
// "the other access is tl.Load at " + Here.
const Here = "{here}"

// String is the note with its place.
func (n Note) String() string { return n.At(n.Pos.String()) }

// At is the note with its place under another name.
func (n Note) At(place string) string {
	switch {
	case strings.Contains(n.Text, Here):
		return strings.ReplaceAll(n.Text, Here, place)
	case n.Pos.IsValid():
		return place + ": " + n.Text
	}
	return n.Text
}

// At begins a diagnostic.
func At(pos Pos, format string, args ...any) *Diagnostic {
	return &Diagnostic{Pos: pos, Msg: fmt.Sprintf(format, args...)}
}

// Note adds a fact and returns d.
func (d *Diagnostic) Note(format string, args ...any) *Diagnostic {
	d.Notes = append(d.Notes, Note{Text: fmt.Sprintf(format, args...)})
	return d
}

// NoteAt adds a fact about another place and returns d.
func (d *Diagnostic) NoteAt(pos Pos, format string, args ...any) *Diagnostic {
	d.Notes = append(d.Notes, Note{pos, fmt.Sprintf(format, args...)})
	return d
}

// Fix adds a suggestion and returns d.
func (d *Diagnostic) Fix(format string, args ...any) *Diagnostic {
	d.Fixes = append(d.Fixes, fmt.Sprintf(format, args...))
	return d
}

// Error is the message with its place on the first line, then notes and fixes,
// indented.
func (d *Diagnostic) Error() string {
	var b strings.Builder
	if d.Pos.Line > 0 || d.Pos.File != "" {
		b.WriteString(d.Pos.String() + ": ")
	}
	b.WriteString(d.Msg)
	b.WriteString(d.Details())
	return b.String()
}

// Details is the notes and fixes alone, each on a line of its own that starts with
// a newline and is indented.
func (d *Diagnostic) Details() string {
	var b strings.Builder
	for _, n := range d.Notes {
		b.WriteString("\n\t" + n.String())
	}
	for _, f := range d.Fixes {
		b.WriteString("\n\tfix: " + f)
	}
	return b.String()
}

// A List is the diagnostics of one piece of source, in order of place.
type List []*Diagnostic

// Error joins the messages, a line or more each.
func (l List) Error() string {
	parts := make([]string, len(l))
	for i, d := range l {
		parts[i] = d.Error()
	}
	return strings.Join(parts, "\n")
}

// Err is l as an error, nil if it is empty.
func (l List) Err() error {
	if len(l) == 0 {
		return nil
	}
	return l
}

// Render is d with the line of source it is about and a caret under its column.
// src gives the text of a file, or "" where it is not at hand.
func Render(d *Diagnostic, src func(file string) string) string {
	head, details, _ := strings.Cut(d.Error(), "\n")
	if details != "" {
		details = "\n" + details
	}
	return head + excerpt(d.Pos, src) + details
}

func excerpt(p Pos, src func(string) string) string {
	if !p.IsValid() || src == nil {
		return ""
	}
	lines := strings.Split(src(p.File), "\n")
	if p.Line > len(lines) || strings.TrimSpace(lines[p.Line-1]) == "" {
		return ""
	}
	line := strings.TrimRight(lines[p.Line-1], "\r")
	if p.Col < 1 || p.Col > len(line)+1 {
		_, after := window("", strings.TrimSpace(line))
		return "\n\t" + after
	}
	text := strings.TrimLeft(line, " \t")
	blank := len(line) - len(text)
	before, after := window(text[:max(0, p.Col-1-blank)], text[max(0, p.Col-1-blank):])
	// The caret's indent repeats the line's tabs, so that it aligns however wide they are.
	indent := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, before)
	return "\n\t" + before + after + "\n\t" + indent + "^"
}

// window is what is shown of a line before and after a place in it: all of it, if it is
// no longer than lines are.
func window(before, after string) (string, string) {
	const most, side = 160, 60
	b, a := []rune(before), []rune(after)
	if len(b)+len(a) <= most {
		return before, after
	}
	if len(b) > side {
		before = "…" + string(b[len(b)-side:])
	}
	if room := most - min(len(b), side); len(a) > room {
		after = string(a[:room]) + "…"
	}
	return before, after
}
