package picture

import (
	"bytes"
	"fmt"
	pixels "image"
	"image/color"
	"image/png"
	"math"
	"strings"
)

// A Raster is numbers as colours, or, where there are none, as characters that get darker.
type Raster struct {
	Rows, Cols int
	At         func(row, col int) float64 // NaN for what was never written
	Lo, Hi     float64                    // the ends of the scale
	Width      int                        // columns that it may take
	Height     int                        // lines
}

// mostSeen is how many elements tell the ends of the scale, and how many each point.
const mostSeen = 1 << 20

// FindScale finds the ends of the scale; with values of both signs it is as long on both
// sides of 0.
func (r *Raster) FindScale() {
	r.Lo, r.Hi = math.Inf(1), math.Inf(-1)
	step := 1 + r.Rows*r.Cols/mostSeen
	for i := 0; i < r.Rows*r.Cols; i += step {
		if v := r.At(i/r.Cols, i%r.Cols); !math.IsNaN(v) && !math.IsInf(v, 0) {
			r.Lo, r.Hi = min(r.Lo, v), max(r.Hi, v)
		}
	}
	switch {
	case r.Lo > r.Hi:
		r.Lo, r.Hi = 0, 0
	case r.Lo < 0 && r.Hi > 0:
		r.Hi = max(r.Hi, -r.Lo)
		r.Lo = -r.Hi
	}
}

func (r *Raster) diverges() bool { return r.Lo < 0 && r.Hi > 0 }

// points is the size of the raster in points: at most so many columns and rows. What is
// smaller than small is shown larger, and so is the thin side of a vector.
func (r *Raster) points(cols, rows, small int) (w, h int) {
	switch {
	case r.Rows == 1 && r.Cols > small:
		return min(r.Cols, cols), min(rows, small/4)
	case r.Cols == 1 && r.Rows > small:
		return min(cols, small/4), min(r.Rows, rows)
	case r.Cols <= cols && r.Rows <= rows:
		zoom := max(1, min(cols/r.Cols, rows/r.Rows, small/max(r.Cols, r.Rows)))
		return r.Cols * zoom, r.Rows * zoom
	}
	shrink := max(float64(r.Cols)/float64(cols), float64(r.Rows)/float64(rows))
	return max(1, int(float64(r.Cols)/shrink)), max(1, int(float64(r.Rows)/shrink))
}

// Says is what a point stands for.
func (r *Raster) Says() string {
	text := "from " + number(r.Lo) + " to " + number(r.Hi)
	if r.Lo == r.Hi {
		text = "all " + number(r.Lo)
	}
	if w, h := r.points(r.Width, 2*r.Height, 16); w < r.Cols || h < r.Rows {
		text += ", each point the mean of its part"
	}
	return text
}

func number(v float64) string { return fmt.Sprintf("%.4g", v) }

// level is where point (i, j) of h × w is on the scale, 0 to 1: the mean of its part,
// of some of its elements if they are many.
func (r *Raster) level(i, j, h, w int) float64 {
	part := func(k, n, size int) (lo, hi, step int) {
		lo, hi = k*size/n, (k+1)*size/n
		hi = max(hi, lo+1)
		return lo, hi, max(1, (hi-lo)/8)
	}
	r0, r1, rs := part(i, h, r.Rows)
	c0, c1, cs := part(j, w, r.Cols)
	sum, n := 0.0, 0
	for row := r0; row < r1; row += rs {
		for col := c0; col < c1; col += cs {
			if v := r.At(row, col); !math.IsNaN(v) {
				sum += max(r.Lo, min(r.Hi, v))
				n++
			}
		}
	}
	switch {
	case n == 0:
		return math.NaN()
	case r.Hi == r.Lo:
		return 0.5
	}
	return (sum/float64(n) - r.Lo) / (r.Hi - r.Lo)
}

// The scales, as colours of 256: from dark to bright, and from blue over white to red.
var (
	rising    = []int{53, 54, 55, 61, 25, 31, 30, 36, 35, 41, 77, 113, 149, 185, 221, 228}
	diverging = []int{20, 26, 32, 38, 74, 110, 152, 195, 231, 224, 217, 210, 203, 197, 160, 124}
)

// shades is the scale without colours.
const shades = " .:-=+*#%@"

// unknown is a point without a value, in both ways.
const unknownShade, unknownColour = "?", 240

func (r *Raster) colour(level float64) int {
	table := rising
	if r.diverges() {
		table = diverging
	}
	if math.IsNaN(level) {
		return unknownColour
	}
	return table[min(len(table)-1, int(level*float64(len(table))))]
}

func shadeOf(level float64) string {
	if math.IsNaN(level) {
		return unknownShade
	}
	i := min(len(shades)-1, int(level*float64(len(shades))))
	return shades[i : i+1]
}

// raster draws points: two in a character with colours, and one in two characters
// without, so that they are about as high as wide.
func (w *textWriter) raster(r *Raster) {
	if !w.colour {
		cols, rows := r.points(max(1, (r.Width-1)/2), r.Height, 8)
		for i := range rows {
			line := ""
			for j := range cols {
				line += strings.Repeat(shadeOf(r.level(i, j, rows, cols)), 2)
			}
			w.WriteString(strings.TrimRight("│"+line, " ") + "\n")
		}
		w.WriteString(number(r.Lo) + " [" + shades + "] " + number(r.Hi))
		return
	}
	cols, rows := r.points(r.Width, 2*r.Height, 16)
	for i := 0; i < rows; i += 2 {
		for j := range cols {
			fmt.Fprintf(w, "\x1b[38;5;%d", r.colour(r.level(i, j, rows, cols)))
			if i+1 < rows {
				fmt.Fprintf(w, ";48;5;%d", r.colour(r.level(i+1, j, rows, cols)))
			}
			w.WriteString("m▀\x1b[0m")
		}
		w.WriteString("\n")
	}
	w.span(number(r.Lo)+" ", Head)
	for i := range rising {
		fmt.Fprintf(w, "\x1b[38;5;%dm█\x1b[0m", r.colour(float64(i)/float64(len(rising))))
	}
	w.span(" "+number(r.Hi), Head)
}

// pngSize is how many pixels wide and high a raster is at most on a page.
const pngWidth, pngHeight, pngSmall = 640, 400, 192

// htmlRaster draws points as an image, with its scale below.
func htmlRaster(b *strings.Builder, r *Raster) {
	w, h := r.points(pngWidth, pngHeight, pngSmall)
	b.WriteString(image("png", r.png(h, w), w, h, "map of values "+r.Says(), "") + below)
	var scale Grid
	for i := range 9 {
		level := float64(i) / 8
		cell := Cell{Heat: level, Text: number(r.Lo + (r.Hi-r.Lo)*level)}
		if i%4 != 0 {
			cell.Text = ""
		}
		if r.diverges() {
			cell.Heat = 2*level - 1
		}
		scale.Cells = append(scale.Cells, nil)
		scale.Cells[0] = append(scale.Cells[0], cell)
	}
	scale.Cells, scale.Shaded = scale.Cells[:1], true
	if r.Hi > r.Lo {
		htmlGrid(b, &scale)
	}
}

// png is the points as an image; those without a value are grey.
func (r *Raster) png(h, w int) []byte {
	img := pixels.NewRGBA(pixels.Rect(0, 0, w, h))
	for i := range h {
		for j := range w {
			level := r.level(i, j, h, w)
			c := color.RGBA{0xb0, 0xb0, 0xb0, 0xff}
			if !math.IsNaN(level) {
				if r.diverges() {
					level = 2*level - 1
				}
				v := shaded(level)
				c = color.RGBA{v[0], v[1], v[2], 0xff}
			}
			img.SetRGBA(j, i, c)
		}
	}
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestCompression}
	if err := e.Encode(&b, img); err != nil {
		return nil // a buffer takes everything, and the image is not empty
	}
	return b.Bytes()
}
