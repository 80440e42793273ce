package plot_test

import (
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/repl/plot"
	"github.com/tiler-go/tiler/repl/show"
)

// colours are a terminal's.
var colours = regexp.MustCompile("\x1b\\[[0-9;]*m")

// TestLines: plots of characters.
func TestLines(t *testing.T) {
	var up, down plot.Series
	up.Name, down.Name = "up", "down"
	for i := range 9 {
		x := math.Pow(2, float64(i))
		up.X, up.Y = append(up.X, x), append(up.Y, 1e-6*x)
		down.X, down.Y = append(down.X, x), append(down.Y, 1e-4/x)
	}
	var b strings.Builder
	o := show.Options{Width: 60}
	log := func(name string, text func(float64) string) plot.Axis {
		return plot.Axis{Name: name, Log: true, Text: text}
	}
	for _, p := range []picture.Picture{
		plot.Lines([]plot.Series{up, down}, log("n", nil), log("a launch", show.Seconds), o),
		plot.Lines([]plot.Series{up}, plot.Axis{}, plot.Axis{}, o),
		plot.Lines([]plot.Series{{Name: "one", X: []float64{1}, Y: []float64{2}}}, plot.Axis{}, plot.Axis{}, o),
		plot.Lines([]plot.Series{{Name: "none", X: []float64{1, 2}, Y: []float64{math.NaN(), math.Inf(1)}}}, plot.Axis{}, plot.Axis{}, o),
	} {
		b.WriteString(p.String() + "\n\n")
		if colours.ReplaceAllString(p.ANSI(true), "") != p.String() {
			t.Error("without its colours it is not the text")
		}
	}
	const file = "testdata/plot.txt"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("%s differs; refresh it with UPDATE=1 and read the difference. got:\n%s", file, b.String())
	}
}
