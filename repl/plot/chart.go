package plot

import (
	"fmt"
	"math"
	"strings"

	"github.com/tiler-go/tiler/repl/picture"
)

// Measures of a plot as a drawing, in pixels.
const (
	chartWidth, chartHeight = 640, 320
	chartLeft, chartRight   = 84, 20
	chartTop, chartBottom   = 46, 44
)

// chart is a plot as a drawing: each series in a colour of its own, with its mark at its points.
func chart(list []Series, x, y Axis, text picture.Picture) *picture.Figure {
	x0, x1 := ends(list, func(s Series) []float64 { return s.X })
	y0, y1 := ends(list, func(s Series) []float64 { return s.Y })
	wide, high := float64(chartWidth-chartLeft-chartRight), float64(chartHeight-chartTop-chartBottom)
	at := func(px, py float64) (float64, float64) {
		return chartLeft + wide*x.place(x0, x1, px), chartTop + high*(1-y.place(y0, y1, py))
	}
	var w picture.Sketch
	for i := range 5 {
		v := y.value(y0, y1, float64(i)/4)
		row := chartTop + high*(1-float64(i)/4)
		fmt.Fprintf(&w, "<path d=\"M%d %.1fH%d\" class=\"g\"/>", chartLeft, row, chartWidth-chartRight)
		w.Text(chartLeft-6, row+4, "t e", y.text(v))
	}
	w.Text(chartLeft, chartHeight-24, "t m", x.text(x0))
	w.Text(chartWidth-chartRight, chartHeight-24, "t e", x.text(x1))
	w.Text(chartLeft+wide/2, chartHeight-12, "s m", x.Name)
	w.Text(picture.SketchMargin, 18, "s", y.Name)
	w.Rect(chartLeft, chartTop, wide, high, "x")
	names, places := make([]string, len(list)), float64(chartLeft)
	for k, s := range list {
		names[k] = s.Name
		mark := plotMarks[k%len(plotMarks) : k%len(plotMarks)+1]
		drawSeries(&w, s, k, mark, at)
		w.Rect(places, 26, 14, 14, picture.Hue(k).Class())
		w.Text(places+7, 33, "i b", mark)
		w.Text(places+20, 37, "", s.Name)
		places += 34 + picture.SketchChar*float64(picture.Width(s.Name))
	}
	return &picture.Figure{Text: text, W: chartWidth, H: chartHeight, Drawing: w.Document(chartWidth, chartHeight),
		Label: fmt.Sprintf("plot of %s from %s to %s, for %s from %s to %s", strings.Join(names, ", "), y.text(y0), y.text(y1), x.Name, x.text(x0), x.text(x1))}
}

// drawSeries draws a line through points, each with a mark.
func drawSeries(w *picture.Sketch, s Series, k int, mark string, at func(x, y float64) (float64, float64)) {
	class := picture.Hue(k).Class()
	path, move := "", "M"
	marks := ""
	for i := range min(len(s.X), len(s.Y)) {
		px, py := at(s.X[i], s.Y[i])
		if math.IsNaN(px+py) || math.IsInf(px+py, 0) {
			move = "M"
			continue
		}
		path += fmt.Sprintf("%s%.1f %.1f", move, px, py)
		move = "L"
		if len(s.X) <= 40 {
			marks += fmt.Sprintf("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"7\" class=\"%s\"/><text x=\"%.1f\" y=\"%.1f\" class=\"i b\">%s</text>", px, py, class, px, py, mark)
		}
	}
	if path != "" {
		fmt.Fprintf(w, "<path d=\"%s\" class=\"l %sl\"/>%s", path, class, marks)
	}
}
