// Package palette is the colours of all pictures: those of the prompt and of notebooks,
// the page of a trace, and drawings. A name means one thing everywhere.
//
// The hues are those of Okabe and Ito, which people with any kind of colour vision tell
// apart, lightened or darkened until text can be read on them. Whoever draws with them
// writes a sign or a letter as well.
package palette

import "strings"

// A Colour is what a name looks like. A ground has Ink written on it; what is no ground is
// itself an ink, and Any is one that can be read on light and dark pages.
type Colour struct {
	Name, Light, Dark, Any string
	Ground                 bool
}

// Ink is the text on grounds.
const Ink, InkDark = "#111827", "#f3f4f6"

// Grounds of lanes and elements, and the hues of several things of one kind.
var (
	On       = ground("on", "#93cbf1", "#1f5f8f")
	Masked   = ground("masked", "#d8dce2", "#454d58")
	Outside  = ground("bad", "#f39c83", "#b64427")
	WrongRow = ground("row", "#f5d547", "#5a4c05")
	Undef    = ground("undef", "#b685cd", "#4a2363")
	Hues     = []Colour{
		ground("p0", "#93cbf1", "#1f5f8f"), ground("p1", "#f5bd66", "#8a5808"), ground("p2", "#86d3b1", "#17694b"), ground("p3", "#eaaed1", "#803f67"),
		ground("p4", "#efe57e", "#686108"), ground("p5", "#f2a488", "#91401f"), ground("p6", "#c1bcf2", "#4b4699"), ground("p7", "#cdbb9f", "#6b5638"),
	}
)

// Inks.
var (
	Text  = Colour{"ink", "#1f2937", "#d1d5db", "", false}
	Soft  = Colour{"soft", "#5b6472", "#9aa4b1", "#757b85", false}
	Off   = Colour{"off", "#8a929d", "#6b7480", "#757b85", false}
	Wrong = Colour{"wrong", "#b3331a", "#ff8f73", "#dc4a2b", false}
	Warn  = Colour{"warn", "#8a5800", "#f0b849", "#a66e02", false}
	Good  = Colour{"good", "#0a7350", "#4fd1a1", "#0c8963", false}
)

// Surfaces.
var (
	Page = Colour{"ground", "#ffffff", "#161b22", "", true}
	Line = Colour{"line", "#cbd2da", "#3d4651", "", false}
)

func ground(name, light, dark string) Colour { return Colour{name, light, dark, light, true} }

// Colours is every colour.
func Colours() []Colour {
	return append([]Colour{On, Masked, Outside, WrongRow, Undef, Text, Soft, Off, Wrong, Warn, Good, Page, Line}, Hues...)
}

// CSS is the colours as variables of a style sheet: --on, --bad, --p0 and so on, with what
// is written on grounds as --on-ink for all of them.
func CSS(dark bool) string {
	var b strings.Builder
	ink := Ink
	if dark {
		ink = InkDark
	}
	b.WriteString("--on-ink: " + ink + ";")
	for _, c := range Colours() {
		value := c.Light
		if dark {
			value = c.Dark
		}
		b.WriteString(" --" + c.Name + ": " + value + ";")
	}
	return b.String()
}
