package show

// A Style says what a piece of a picture is, and so how it looks.
type Style uint8

// The styles. The hues tell several things of one kind apart.
const (
	Plain  Style = iota
	Head         // headers of rows and columns, and what is said beside
	Name         // a name or a type at the top of a picture
	On           // a true lane, a touched element
	Off          // a false lane, an element that nothing touches
	Masked       // what a mask keeps away
	Bad          // wrong: out of bounds, an error
	Good         // right, or faster
	Warn         // worth a look
	Code         // source text
	Hue1
	Hue2
	Hue3
	Hue4
	Hue5
	Hue6
	numStyles
)

// hues is how many things can be told apart by colour.
const hues = int(numStyles - Hue1)

// hue is the style of the i-th of several things.
func hue(i int) Style { return Hue1 + Style(i%hues) }

// look is a style as each way of drawing needs it: the terminal's code on dark ground and on
// light, and colours on light and dark ground in HTML. An empty one changes nothing. (Notebooks give the
// classes h1 to h6 the sizes of headings, so no look is called that.)
type look struct {
	class       string
	terminal    string
	onLight     string
	light, dark string
	fill        bool // in HTML the colour is the ground of a cell
}

var looks = [numStyles]look{
	Plain:  {class: ""},
	Head:   {"h", "90", "38;5;244", "#6b7280", "#8b949e", false},
	Name:   {"n", "1", "1", "#111827", "#f0f6fc", false},
	On:     {"on", "36", "34", "#bae6fd", "#0c4a6e", true},
	Off:    {"off", "90", "38;5;244", "#9ca3af", "#6e7681", false},
	Masked: {"mk", "90", "38;5;244", "#9ca3af", "#6e7681", false},
	Bad:    {"bad", "1;31", "1;31", "#fecaca", "#7f1d1d", true},
	Good:   {"ok", "32", "38;5;28", "#15803d", "#4ade80", false},
	Warn:   {"warn", "33", "38;5;130", "#a16207", "#facc15", false},
	Code:   {"c", "", "", "#374151", "#c9d1d9", false},
	Hue1:   {"t1", "36", "34", "#bae6fd", "#075985", true},
	Hue2:   {"t2", "33", "38;5;130", "#fde68a", "#854d0e", true},
	Hue3:   {"t3", "32", "38;5;28", "#bbf7d0", "#166534", true},
	Hue4:   {"t4", "35", "35", "#f5d0fe", "#86198f", true},
	Hue5:   {"t5", "34", "38;5;30", "#c7d2fe", "#3730a3", true},
	Hue6:   {"t6", "1;33", "1;38;5;130", "#fed7aa", "#9a3412", true},
}
