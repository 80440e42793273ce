package show_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/palette"
	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/repl/plot"
	"github.com/tiler-go/tiler/repl/show"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// What notebooks let through when they are not trusted (@jupyterlab/apputils, whose sanitizer
// the classic Notebook has, too): of these elements, these attributes. Other elements lose
// their tags, styles and scripts also what is in them, and no style attribute is left.
var (
	letThrough = map[string]string{
		"a": "href name rel target", "area": "alt coords href shape", "b": "", "br": "clear", "code": "", "div": "align", "em": "",
		"font": "color face size", "img": "align alt border height src usemap width", "i": "", "map": "name", "mark": "", "p": "align",
		"pre": "width", "small": "", "span": "", "strong": "", "table": "align bgcolor border cellpadding cellspacing width",
		"tbody": "align", "td": "align bgcolor colspan height nowrap rowspan valign width", "th": "align bgcolor colspan height rowspan valign width",
		"tr": "align bgcolor valign", "tt": "",
	}
	everywhere = "class dir hidden id lang title"
	withText   = regexp.MustCompile(`(?s)<(style|script|textarea|option)\b.*?</(style|script|textarea|option)>`)
	tags       = regexp.MustCompile(`<(/?)([a-zA-Z0-9]+)((?:\s+[-a-zA-Z:]+="[^"]*")*)\s*/?>`)
	attribute  = regexp.MustCompile(`([-a-zA-Z:]+)="([^"]*)"`)
)

// untrusted is a page as a notebook shows it that is not trusted. A host is stricter: it
// takes grounds, inks and images, too.
func untrusted(page string, host bool) string {
	page = withText.ReplaceAllString(page, "")
	return tags.ReplaceAllStringFunc(page, func(tag string) string {
		m := tags.FindStringSubmatch(tag)
		allowed, ok := letThrough[m[2]]
		switch {
		case host && m[2] == "img":
			alt := regexp.MustCompile(`alt="([^"]*)"`).FindStringSubmatch(m[3])
			return "[" + alt[1] + "]"
		case !ok || host && m[2] == "font":
			return ""
		case m[1] != "":
			return "</" + m[2] + ">"
		}
		out := "<" + m[2]
		for _, a := range attribute.FindAllStringSubmatch(m[3], -1) {
			if host && a[1] == "bgcolor" || !strings.Contains(" "+allowed+" "+everywhere+" ", " "+a[1]+" ") {
				continue
			}
			out += fmt.Sprintf(" %s=%q", a[1], a[2])
		}
		return out + ">"
	})
}

// walk is a program that reads two blocks of a tensor, one after the other, the second one
// with a mask.
func walk(x *tensor.Tensor) *show.Launch {
	l := &show.Launch{Kernel: "walk", Program: []int{1}, Grid: []int{2}}
	for k, active := range [][]uint8{nil, {1, 1, 0, 0}} {
		at := int64(4 * k)
		l.Visits = append(l.Visits, show.Visit{Name: "x", Tensor: x, Verb: "reads", Op: "tl.Load", Line: 3, Nth: k,
			Shape: []int{4}, Offsets: []int64{at, at + 1, at + 2, at + 3}, Active: active})
	}
	return l
}

// TestUntrusted: what tells lanes and findings apart is still there in a page that is not
// trusted: signs, colours, the legend, and what an element says when one points at it; and in
// one without colours, signs and legend.
func TestUntrusted(t *testing.T) {
	x := tensor.Randn(1, tl.Float32, 8, 8)
	xp := tl.PointerTo(x, "x", nil)
	rows, cols := tl.Arange(5, 10), tl.Arange(5, 9)
	tile := xp.Add(rows.Mul(8).Col().Add(cols.Row()))
	on, masked, bad, row := palette.On.Any, palette.Masked.Any, palette.Outside.Any, palette.WrongRow.Any
	heat, _ := show.Heat(x, show.Options{})
	series := []plot.Series{{Name: "up", X: []float64{1, 2, 4}, Y: []float64{1, 2, 4}},
		{Name: "down", X: []float64{1, 2, 4}, Y: []float64{4, 2, 1}}}
	image, drawing := "<img src=\"data:image/png;base64,", "<img src=\"data:image/svg+xml;base64,"
	for _, c := range []struct {
		name  string
		p     picture.Picture
		parts []string // that a page has which is not trusted
		words []string // that it has without colours
	}{
		{"pointers", show.Pointers([]show.Access{{Ptr: tile, Mask: cols.Lt(7).Row()}}, show.Options{}),
			[]string{"bgcolor=\"" + on + "\"", "bgcolor=\"" + masked + "\"", "bgcolor=\"" + bad + "\"", "title=\"lane [0,0]: x + 45 (byte 180) = x[5,5] = "},
			[]string{"■", "□", "×", "where masked lanes point: ", "outside the tensor: ", "touched", "69×"}},
		{"wrong row", show.Pointers([]show.Access{{Ptr: tile}}, show.Options{}),
			[]string{"bgcolor=\"" + row + "\"", "title=\"lane [0,3]: x + 48 (byte 192) = x[6,0] = "},
			[]string{"»", "in the wrong row: 2 lanes", "48»"}},
		{"mask", show.Tile(rows.Lt(7), show.Options{}), []string{"bgcolor=\"" + on + "\"", "title=\"[0], element 0: true\""}, []string{"■", "·", "true", "false", "2 of 5 lanes true"}},
		{"numbers", show.Tensor(x, show.Options{}), []string{"bgcolor=\"#", "shades", "title=\"[0,0], element 0: "}, []string{"shades"}},
		{"heat", heat, []string{image}, []string{"map of values from "}},
		{"plot", plot.Lines(series, plot.Axis{Name: "n"}, plot.Axis{Name: "seconds"}, show.Options{}), []string{drawing},
			[]string{"plot of up, down from 1 to 4", "for n from 1 to 4"}},
		{"blocks", show.Blocks(walk(x), show.Options{}),
			[]string{drawing, "bgcolor=\"" + palette.Hues[0].Any + "\"", "bgcolor=\"" + palette.Hues[1].Any + "\"", "<area "},
			[]string{"program (1) of (2)", "iteration 0", "iteration 1", "masked off: 2 lanes"}},
		{"overlay", show.Pointers([]show.Access{{Ptr: xp.Add(cols), Name: "this"}, {Ptr: xp.Add(rows), Name: "next"}}, show.Options{}),
			[]string{"bgcolor=\"" + palette.Hues[0].Any + "\""}, []string{"a", "+", "this: 4 lanes", "next: 5 lanes"}},
		{"report", show.Report(report()), []string{"bgcolor=\"" + bad + "\"", "bgcolor=\"" + masked + "\"", "<b>FAILED</b>", "<b>error</b>", "<b>warning</b>", "<b>note</b>"},
			[]string{"FAILED", "out-of-bounds", "■", "□", "×", "masked off", "outside the tensor", "fix: mask the rows"}},
	} {
		page := untrusted(c.p.HTML(), false)
		for _, part := range append(c.parts, c.words...) {
			if !strings.Contains(page, part) {
				t.Errorf("%s: not trusted, it lacks %s:\n%s", c.name, part, page)
			}
		}
		if strings.Contains(page, "style") || strings.Contains(page, "<svg") {
			t.Errorf("%s: what is not trusted is left:\n%s", c.name, page)
		}
		page = untrusted(c.p.HTML(), true)
		text := strings.Join(strings.Fields(tags.ReplaceAllString(page, " ")), " ")
		for _, word := range c.words {
			if !strings.Contains(text, word) {
				t.Errorf("%s: without colours, it lacks %s:\n%s", c.name, word, text)
			}
		}
		if strings.Contains(page, "color") || strings.Contains(page, "<img") {
			t.Errorf("%s: colours are left:\n%s", c.name, page)
		}
	}
}

// TestVerdictFirst: nothing says ok above what is wrong.
func TestVerdictFirst(t *testing.T) {
	r := report()
	if page := show.Report(r).HTML(); strings.Contains(page, "ok") && strings.Contains(page, "<b>ok") {
		t.Errorf("ok above errors: %s", page)
	}
	r.Findings = r.Findings[:0]
	r.Add(report().Findings[0])
	for i := range r.Findings {
		r.Findings[i].Severity = 1
	}
	r.Add()
	p := show.Report(r)
	for _, text := range []string{p.String(), p.HTML()} {
		if regexp.MustCompile(`\bok\b`).MatchString(withText.ReplaceAllString(text, "")) {
			t.Errorf("ok above a warning: %s", text)
		}
	}
}
