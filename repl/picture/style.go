package picture

import "github.com/tiler-go/tiler/exec/palette"

// A Style says what a piece of a picture is, and so how it looks.
type Style uint8

// The styles. The hues tell several things of one kind apart.
const (
	Plain    Style = iota
	Head           // headers of rows and columns, and what is said beside
	Name           // a name or a type at the top of a picture
	On             // a true lane, a touched element
	Off            // a false lane, an element that nothing touches
	Masked         // what a mask keeps away
	Bad            // wrong: out of bounds, an error
	WrongRow       // in the tensor, but not in the row that was meant
	Undef          // what nothing has written
	Good           // right, or faster
	Warn           // worth a look
	Code           // source text
	Hue1
	Hue2
	Hue3
	Hue4
	Hue5
	Hue6
	Hue7
	Hue8
	numStyles
)

// hues is how many things can be told apart by colour.
const hues = int(numStyles - Hue1)

// Hue is the style of the i-th of several things.
func Hue(i int) Style { return Hue1 + Style(i%hues) }

// look is a style as each way of drawing needs it: the terminal's code on dark ground and on
// light, and a colour of the palette. An empty one changes nothing. (Notebooks give the
// classes h1 to h6 the sizes of headings, and row and panel a layout, so no look is called that.)
type look struct {
	class    string
	terminal string
	onLight  string
	colour   palette.Colour // a ground of cells, or an ink
}

var looks = [numStyles]look{
	Plain:    {class: ""},
	Head:     {"h", "90", "38;5;244", palette.Soft},
	Name:     {"n", "1", "1", palette.Colour{Name: "n", Light: palette.Text.Light, Dark: palette.InkDark}},
	On:       {"on", "36", "34", palette.On},
	Off:      {"off", "90", "38;5;244", palette.Off},
	Masked:   {"mk", "90", "38;5;244", palette.Masked},
	Bad:      {"bad", "1;31", "1;31", palette.Outside},
	WrongRow: {"wr", "1;33", "1;38;5;130", palette.WrongRow},
	Undef:    {"un", "1;35", "1;35", palette.Undef},
	Good:     {"ok", "32", "38;5;28", palette.Good},
	Warn:     {"warn", "33", "38;5;130", palette.Warn},
	Code:     {"c", "", "", palette.Colour{Name: "c", Light: palette.Text.Light, Dark: palette.Text.Dark}},
	Hue1:     {"t1", "36", "34", palette.Hues[0]},
	Hue2:     {"t2", "33", "38;5;130", palette.Hues[1]},
	Hue3:     {"t3", "32", "38;5;28", palette.Hues[2]},
	Hue4:     {"t4", "35", "35", palette.Hues[3]},
	Hue5:     {"t5", "1;33", "1;38;5;130", palette.Hues[4]},
	Hue6:     {"t6", "31", "31", palette.Hues[5]},
	Hue7:     {"t7", "34", "38;5;30", palette.Hues[6]},
	Hue8:     {"t8", "37", "90", palette.Hues[7]},
}

// Class is what drawings call a style.
func (s Style) Class() string { return looks[s].class }

// IsGround reports whether a style is the ground of a cell, and not an ink.
func (s Style) IsGround() bool { return looks[s].colour.Ground }

// inText is the ink of a look in text that stands on the page: a ground becomes the ink that
// means the same.
func (l look) inText() palette.Colour {
	switch {
	case l.class == "bad":
		return palette.Wrong
	case l.class == "wr":
		return palette.Warn
	case l.colour.Ground:
		return palette.Colour{}
	}
	return l.colour
}
