package scan

import (
	"regexp"
	"strings"
)

// question is a name that is asked about: tl.Load?, and name?? for its source.
var question = regexp.MustCompile(`^:?[\pL_][\pL\d_.]*\?\??$`)

// IsCommand reports whether a text is no Go, but for the owner of the session: it begins
// with a colon or a question mark, or is a name and a question mark.
func IsCommand(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, ":") || strings.HasPrefix(text, "?") || question.MatchString(text)
}

// Spelled is a command that begins with a colon: ?name is :? name, and ??name is
// :go name; ? alone asks for help.
func Spelled(text string) string {
	text = strings.TrimSpace(text)
	if question.MatchString(text) {
		name := strings.TrimRight(text, "?")
		text = text[len(name):] + name
	}
	if name, ok := strings.CutPrefix(text, "??"); ok {
		return ":go " + strings.TrimSpace(name)
	}
	name, ok := strings.CutPrefix(text, "?")
	switch name = strings.TrimSpace(name); {
	case !ok:
		return text
	case name == "":
		return ":help"
	case strings.HasPrefix(name, ":"):
		return ":help " + name
	}
	return "? " + name
}

// timed is the commands whose argument is a cell, which may have several lines.
var timed = regexp.MustCompile(`^\s*:time\s`)

// CommandIncomplete reports whether a command needs more lines.
func CommandIncomplete(text string) bool { return timed.MatchString(text) && Incomplete(text) }
