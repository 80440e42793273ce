package jupyter

import (
	"regexp"
	"strings"
)

// This file becomes one of gonb's, too: errors of its cells say what a cell of the prompt is in
// compiled Go.

var (
	newAxis   = regexp.MustCompile(`([\w.]*)\[(:, *None|None, *:)\]`)
	undefined = regexp.MustCompile(`operator (\S+) not defined on .*\btilelang\.(?:Tile|Ptr)\b`)
	unequal   = regexp.MustCompile(`invalid operation: (\S+) (\S+) (\S+) \(mismatched types .*\btilelang\.(?:Tile|Ptr)\b`)
	indexed   = regexp.MustCompile(`cannot index (\w+) \(.*func\(p \*tilelang\.Program`)
	launched  = regexp.MustCompile(`(\w+)\[([\w, ]+)\]\(`)
	command   = regexp.MustCompile(`^\s*:(\w+)`)
	methods   = map[string]string{"+": "Add", "-": "Sub", "*": "Mul", "/": "Div", "%": "Mod",
		"&": "And", "|": "Or", "^": "Xor", "<<": "Shl", ">>": "Shr",
		"<": "Lt", "<=": "Le", ">": "Gt", ">=": "Ge", "==": "Eq", "!=": "Ne"}
	flipped = map[string]string{"+": "Add", "*": "Mul", "&": "And", "|": "Or", "^": "Xor",
		"<": "Gt", "<=": "Ge", ">": "Lt", ">=": "Le", "==": "Eq", "!=": "Ne"}
)

// sugarHint is what to write instead of what the compiler complains of in a line; "" if that is
// nothing that the prompt would take.
func sugarHint(message, line string) string {
	const begin = "\n\tfix: this is a cell of compiled Go: "
	if m := newAxis.FindStringSubmatch(line); m != nil && strings.Contains(message, "expected") {
		method := ".Col()"
		if strings.HasPrefix(m[2], "None") {
			method = ".Row()"
		}
		return begin + m[0] + " is " + m[1] + method
	}
	if m := undefined.FindStringSubmatch(message); m != nil && methods[m[1]] != "" {
		return begin + "a " + m[1] + " b of tiles is a." + methods[m[1]] + "(b)"
	}
	if m := unequal.FindStringSubmatch(message); m != nil && methods[m[2]] != "" {
		x, op, y := m[1], m[2], m[3]
		call := x + "." + methods[op] + "(" + y + ")"
		if strings.Contains(message, "types untyped") { // the tile is on the right
			call = "tl." + methods[op] + "(" + x + ", " + y + ")"
			if flipped[op] != "" {
				call = y + "." + flipped[op] + "(" + x + ")"
			}
		}
		return begin + x + " " + op + " " + y + " is " + call
	}
	m := launched.FindStringSubmatch(line)
	if m != nil && (indexed.MatchString(message) || strings.Contains(message, "expected ]")) {
		return begin + m[1] + "[" + m[2] + "](…) is exec.New(" + m[1] +
			").Launch(exec.Grid{" + m[2] + "}, …)"
	}
	if m := command.FindStringSubmatch(line); m != nil && strings.Contains(message, "unexpected :") {
		return begin + "it has no commands such as :" + m[1] + "; package nb has functions for them"
	}
	return ""
}
