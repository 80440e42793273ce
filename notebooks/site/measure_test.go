//go:build unix

package site_test

import (
	_ "embed"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tiler-go/tiler/notebooks/site"
)

// mostBytes is what a browser may have to load, all of it compressed.
const mostBytes = 7_000_000

// TestSize: the page is small, with all that it needs.
func TestSize(t *testing.T) {
	files := build(t)
	t.Logf("%d bytes compressed, %d of them the program", files.Size(), len(files[site.Program]))
	if files.Size() > mostBytes {
		t.Errorf("the page is %d bytes, of at most %d", files.Size(), mostBytes)
	}
}

// within prints how long something took, and fails if that was more than a bar: the bar
// itself if TILER_TIMES asks for it, on a machine that does nothing else, or else ten times
// as much, which no load explains.
func within(t *testing.T, what string, took, bar time.Duration) {
	t.Helper()
	t.Logf("%s took %v, the bar is %v", what, took.Round(time.Millisecond), bar)
	if os.Getenv("TILER_TIMES") == "" {
		bar *= 10
	}
	if took > bar {
		t.Errorf("%s took %v, more than %v", what, took.Round(time.Millisecond), bar)
	}
}

// everyPage measures every lesson, a puzzle that is not solved, and the blank sheet, with
// all that is folded away unfolded: contrast and widths, and how long changes take.
func everyPage(t *testing.T, b *browser, home string, files site.Files) {
	pages := []string{"puzzle/5", "blank"}
	for _, l := range lessonsOf(t, files) {
		pages = append(pages, "lesson/"+l)
	}
	var all []float64
	for _, page := range pages {
		b.open(home + "#" + page)
		b.until("all cells", idle)
		b.eval("document.querySelectorAll('details').forEach((d) => { d.open = true })", nil)
		b.eval("document.querySelectorAll('.help > button').forEach((h) => h.click())", nil)
		contrast(t, b, page)
		widths(t, b, page)
		if strings.HasPrefix(page, "lesson/") {
			all = append(all, changes(t, b, page)...)
		}
	}
	slices.Sort(all)
	what := fmt.Sprintf("a changed cell's picture, in the median of %d,", len(all))
	within(t, what, milliseconds(all[len(all)/2]), 60*time.Millisecond)
	b.eval("localStorage.clear()", nil)
}

func milliseconds(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }

// measured is the text with the least contrast, of all that is on the page.
//
//go:embed testdata/measured.js
var measured string

func contrast(t *testing.T, b *browser, page string) {
	for _, scheme := range []string{"light", "dark"} {
		b.prefers(scheme)
		var worst struct {
			Ratio float64
			Text  string
			Texts int
		}
		b.eval(measured, &worst)
		t.Logf("%s, %s: at least %.1f:1 of %d texts, at %q", page, scheme, worst.Ratio, worst.Texts, worst.Text)
		if worst.Ratio < 4.5 || worst.Texts < 50 {
			t.Errorf("%s, %s: %q has a contrast of %.2f:1, of %d texts", page, scheme, worst.Text, worst.Ratio, worst.Texts)
		}
	}
	b.prefers("light")
}

// cut is what does not fit: the page into the window, or text into an element that hides
// the rest without a way to scroll to it.
//
//go:embed testdata/cut.js
var cut string

func widths(t *testing.T, b *browser, page string) {
	for _, width := range []int{360, 400, 620, 768, 900, 1024, 1280, 1600} {
		b.resize(width, 900)
		var problems []string
		b.eval(cut, &problems)
		for _, p := range problems {
			t.Errorf("%s at %d pixels: %s", page, width, p)
		}
	}
	b.resize(1280, 900)
}

// changed changes a cell of a page by a blank at its end, and is how many milliseconds it
// takes from the end of the pause to what it shows; -1 if the cell does not run as one types.
//
//go:embed testdata/changed.js
var changed string

// changes is how long the cells of a lesson take to their pictures, the last first. All cells
// below a changed one run again, so that those above a slow one are left out when it is enough.
func changes(t *testing.T, b *browser, page string) (list []float64) {
	const enough = 30 * time.Second
	cells, began := 0, time.Now()
	b.eval("document.querySelectorAll('.cell textarea').length", &cells)
	for i := cells - 1; i >= 0 && time.Since(began) < enough; i-- {
		took := 0.
		if b.eval(fmt.Sprintf(changed, i), &took); took >= 0 {
			list = append(list, took)
		}
	}
	slices.Sort(list)
	t.Logf("%s: a change takes %.0f ms, median of %d of %d cells; at most %.0f",
		page, list[len(list)/2], len(list), cells, list[len(list)-1])
	return list
}
