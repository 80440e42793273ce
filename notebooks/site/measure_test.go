//go:build unix

package site_test

import (
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
		b.eval("document.querySelectorAll('details').forEach((d) => { d.open = true }); document.querySelectorAll('.help > button').forEach((h) => h.click())", nil)
		contrast(t, b, page)
		widths(t, b, page)
		if strings.HasPrefix(page, "lesson/") {
			all = append(all, changes(t, b, page)...)
		}
	}
	slices.Sort(all)
	within(t, fmt.Sprintf("a changed cell's picture, in the median of %d,", len(all)), milliseconds(all[len(all)/2]), 60*time.Millisecond)
	b.eval("localStorage.clear()", nil)
}

func milliseconds(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }

// measured is the text with the least contrast, of all that is on the page.
const measured = `(() => {
	const canvas = document.createElement('canvas'), ink = canvas.getContext('2d', { willReadFrequently: true });
	canvas.width = canvas.height = 1;
	const over = (colours) => { ink.clearRect(0, 0, 1, 1); for (const c of colours) { ink.fillStyle = c; ink.fillRect(0, 0, 1, 1); } return [...ink.getImageData(0, 0, 1, 1).data].slice(0, 3); };
	const light = (rgb) => { const [r, g, b] = rgb.map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const worst = { ratio: 99, text: '', texts: 0 };
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let n; (n = walk.nextNode());) {
		const e = n.parentElement;
		if (!n.textContent.trim() || !e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || e.closest('.hidden, textarea, script, noscript, .none')) continue;
		const grounds = [];
		let opacity = 1;
		for (let p = e; p; p = p.parentElement) { const s = getComputedStyle(p); grounds.unshift(s.backgroundColor); opacity *= +s.opacity; }
		const ground = over(grounds), solid = over([...grounds, getComputedStyle(e).color]);
		const text = solid.map((v, i) => v * opacity + ground[i] * (1 - opacity));
		const a = light(ground), c = light(text), ratio = (Math.max(a, c) + 0.05) / (Math.min(a, c) + 0.05);
		worst.texts++;
		if (ratio < worst.ratio) { worst.ratio = ratio; worst.text = n.textContent.trim().slice(0, 40) + ' (' + e.className + ')'; }
	}
	return worst;
})()`

func contrast(t *testing.T, b *browser, page string) {
	for _, scheme := range []string{"light", "dark"} {
		b.do("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}}})
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
	b.do("Emulation.setEmulatedMedia", map[string]any{"features": []any{}})
}

// cut is what does not fit: the page into the window, or text into an element that hides
// the rest without a way to scroll to it.
const cut = `(() => {
	const out = [];
	if (document.documentElement.scrollWidth > innerWidth) out.push('the page is ' + document.documentElement.scrollWidth + ' wide');
	for (const e of document.querySelectorAll('header *, main *, nav *')) {
		if (!e.checkVisibility() || e.closest('.editor, .hidden') || !e.textContent.trim()) continue;
		const s = getComputedStyle(e), r = e.getBoundingClientRect();
		if (['hidden', 'clip'].includes(s.overflowX) && e.scrollWidth > e.clientWidth + 1) out.push(e.className + ' cuts ' + e.textContent.slice(0, 40));
		if (r.right > innerWidth + 1 && !e.closest('.scroll, .formula, nav')) out.push(e.tagName + ' ' + e.className + ' leaves the window at ' + Math.round(r.right));
	}
	return out.slice(0, 5);
})()`

func widths(t *testing.T, b *browser, page string) {
	resize := func(width int) {
		b.do("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false})
	}
	for _, width := range []int{360, 400, 620, 768, 900, 1024, 1280, 1600} {
		resize(width)
		var problems []string
		b.eval(cut, &problems)
		for _, p := range problems {
			t.Errorf("%s at %d pixels: %s", page, width, p)
		}
	}
	resize(1280)
}

// changed changes a cell of a page by a blank at its end, and is how many milliseconds it
// takes from the end of the pause to what it shows; -1 if the cell does not run as one types.
const changed = `(async (area) => {
	if (/^\s*:(bench|plot|promote|asm)\b/m.test(area.value)) return -1;
	const cell = area.closest('.cell'), old = cell.querySelector('.output');
	const began = performance.now(), idle = document.body.dataset.idle;
	area.value += ' ';
	area.dispatchEvent(new Event('input'));
	while (cell.querySelector('.output') === old) await new Promise((r) => setTimeout(r, 1));
	const took = performance.now() - began - 90;
	while (document.body.dataset.idle === idle) await new Promise((r) => setTimeout(r, 5)); // of the cells below
	return took;
})(document.querySelectorAll('.cell textarea')[%d])`

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
	t.Logf("%s: a change takes %.0f ms, median of %d of %d cells; at most %.0f", page, list[len(list)/2], len(list), cells, list[len(list)-1])
	return list
}
