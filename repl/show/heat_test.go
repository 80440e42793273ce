package show_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/repl/show"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// TestHeat: maps of values, without colours and with them.
func TestHeat(t *testing.T) {
	partly := tensor.Empty(tl.Float32, 2, 3)
	partly.Set(7, 1, 1)
	partly.Set(math.Inf(1), 0, 1)
	wave := tl.Sin(tl.Arange(0, 200).To(tl.Float32).Mul(0.1))
	var b strings.Builder
	for _, x := range []struct {
		name string
		v    any
		o    show.Options
	}{
		{"rising", tl.Arange(0, 64).Reshape(8, 8), show.Options{}},
		{"both signs", tensor.Arange(tl.Int32, -4, 5).Reshape(3, 3), show.Options{}},
		{"larger than the screen", wave.Col().Mul(wave.Row()), show.Options{Width: 60, Rows: 12}},
		{"a vector", wave, show.Options{Width: 60}},
		{"a column", tl.Arange(0, 40).Col(), show.Options{Rows: 8}},
		{"truth", tl.Arange(0, 4).Col().Le(tl.Arange(0, 4).Row()), show.Options{}},
		{"not written, and infinite", partly, show.Options{}},
		{"all the same", tl.Zeros(tl.Float32, 2, 2), show.Options{}},
		{"a scalar", tl.Full(tl.Float32, 3), show.Options{}},
		{"three dimensions", tensor.Arange(tl.Int8, 0, 24).Reshape(2, 3, 4), show.Options{}},
	} {
		p, ok := show.Heat(x.v, x.o)
		if !ok {
			t.Errorf("%s: there is no map", x.name)
		}
		fmt.Fprintf(&b, "-- %s --\n%s\n", x.name, p.String())
		if x.name == "both signs" || x.name == "rising" {
			fmt.Fprintf(&b, "%s\n", strings.ReplaceAll(p.ANSI(false), "\x1b", "^"))
		}
		for _, text := range []string{p.String(), stripped(p.ANSI(true))} {
			for l := range strings.SplitSeq(text, "\n") {
				if w := x.o.Width; w > 0 && len([]rune(l)) > w && !strings.Contains(l, "from") {
					t.Errorf("%s: a line of %d columns: %s", x.name, len([]rune(l)), l)
				}
			}
		}
		if page := p.HTML(); strings.Count(page, "<td") != strings.Count(page, "</td>") || !strings.Contains(page, "<img src=\"data:image/png;base64,") {
			t.Errorf("%s: %s", x.name, page)
		}
	}
	golden(t, "heat.txt", b.String())
	for _, v := range []any{tl.Tile{}, (*tensor.Tensor)(nil), tensor.Zeros(tl.Int8, 0), 3} {
		if _, ok := show.Heat(v, show.Options{}); ok {
			t.Errorf("%v has a map", v)
		}
	}
}
