//go:build unix

package site_test

import (
	_ "embed"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tiler-go/tiler/notebooks/site"
	"github.com/tiler-go/tiler/repl/learn"
	"github.com/tiler-go/tiler/repl/learn/puzzles"
)

// TestPage does in a browser what somebody does who learns.
func TestPage(t *testing.T) {
	files := build(t)
	server := httptest.NewServer(files.Handler())
	defer server.Close()
	b := newBrowser(t)
	home := server.URL + "/"
	b.homes = []string{home}

	for _, step := range []struct {
		name string
		do   func(t *testing.T, b *browser, home string)
	}{
		{"the first result", firstResult},
		{"the 6", theSix},
		{"a mask", aMask},
		{"hovering", hovering},
		{"completion and errors", typing},
		{"puzzles", solvePuzzles},
		{"steps", walking},
		{"a loop without an end", endless},
		{"a shared link", sharing},
		{"keys alone", keys},
		{"injection", injection},
		{"every page", func(t *testing.T, b *browser, home string) { everyPage(t, b, home, files) }},
		{"another host", func(t *testing.T, b *browser, _ string) { otherHost(t, b, files) }},
		{"without a network", func(t *testing.T, b *browser, home string) { offline(t, b, home, server) }},
	} {
		if only := os.Getenv("TILER_STEP"); only != "" && only != step.name {
			continue
		}
		if !t.Run(step.name, func(t *testing.T) {
			outer := b.t
			b.t = t
			defer func() { b.t = outer }()
			step.do(t, b, home)
		}) {
			break
		}
	}
	b.clean()
}

// output is what a cell shows.
func output(cell int) string {
	return fmt.Sprintf("(document.querySelectorAll('.cell .output')[%d]?.innerText ?? '')", cell)
}

// firstResult: nothing is in any cache yet.
func firstResult(t *testing.T, b *browser, home string) {
	began := time.Now()
	b.open(home)
	b.until("the first cell's value", output(0)+".includes('i32[4,4]')")
	within(t, "the first cell's value, nothing being in any cache,", time.Since(began), 3*time.Second)
	b.until("all cells", idle)
}

func theSix(t *testing.T, b *browser, home string) {
	b.open(home + "#lesson/start")
	b.until("pointers", output(1)+".includes('16 elements touched')")
	if n := 0; true {
		if b.eval("document.querySelectorAll('td.row').length", &n); n != 0 {
			t.Errorf("%d lanes are marked before the change", n)
		}
	}
	b.until("all cells", idle)
	b.edit(1, "+ 2)", "+ 6)")
	b.until("the lanes in the wrong row", output(1)+".includes('8 lanes have run past the end of the row')")
	var marked []string
	b.eval("[...document.querySelectorAll('.tile .row')].map((e) => e.textContent)", &marked)
	if want := []string{"8»", "9»", "16»", "17»", "24»", "25»", "32»", "33»"}; !slices.Equal(marked, want) {
		t.Errorf("marked lanes are %q, want %q", marked, want)
	}
}

func aMask(t *testing.T, b *browser, home string) {
	b.open(home + "#lesson/start")
	b.until("all cells", idle)
	b.edit(2, "< 8)", "< 9)")
	b.until("a broken mask", output(2)+".includes('12 of 16 lanes true')")
	b.until("what is loaded with it", output(3)+".replace(/\\s+/g, ' ').includes('6. 7. 8. 0.')")
	b.edit(2, "< 9)", "< 8)")
	b.until("a mended mask", output(2)+".includes('8 of 16 lanes true')")
	b.until("what is loaded with it", output(3)+".replace(/\\s+/g, ' ').includes('6. 7. 0. 0.')")
	b.until("all cells", idle)
	b.edit(4, " & (j[None, :] < cols)", "")
	b.until("a failed check", output(5)+".includes('wrong-row')")
	b.until("the check's line in the other cell", "document.querySelectorAll('.cell')[4].querySelector('.gutter .bad')")
	b.edit(4, "(i[:, None] < rows)", "(i[:, None] < rows) & (j[None, :] < cols)")
	b.until("a check that passes", output(5)+".trim().startsWith('ok')")
	b.until("all cells", idle)
	b.eval("localStorage.clear()", nil)
}

func hovering(t *testing.T, b *browser, home string) {
	b.open(home + "#blank") // the page that is left may still keep what was changed in it
	b.until("all cells", idle)
	b.eval("localStorage.clear()", nil)
	b.open(home + "#lesson/start")
	b.until("all cells", idle)
	linked := "[...document.querySelectorAll('.linked')].map((e) => e.className.split(' ')[0] + ' ' + e.textContent).join()"
	over := func(selector string) {
		b.eval("document.querySelector('"+selector+"').dispatchEvent(new MouseEvent('mouseenter'))", nil)
	}
	over(".lane[data-lane=\"5\"]")
	if got := b.text(linked); got != "lane 11,element ■" {
		t.Errorf("over a lane: %s", got)
	}
	if got := b.text("document.querySelector('.says').textContent"); !strings.Contains(got, "lane [1,1] is A[1,3]") {
		t.Errorf("over a lane it says %q", got)
	}
	over(".map tr:nth-child(2) td.on")
	if got := b.text(linked); got != "lane 2,element ■" {
		t.Errorf("over an element: %s", got)
	}
}

func typing(t *testing.T, b *browser, home string) {
	b.open(home + "#blank")
	b.until("the first value", output(0)+".includes('16 elements touched')")
	b.until("all cells", idle)
	b.edit(0, "", "tl.Aran")
	b.until("candidates", "[...document.querySelectorAll('.complete li b')].some((e) => e.textContent === 'Arange')")
	b.key("Tab")
	b.until("the candidate taken", "document.querySelector('textarea').value === 'tl.Arange'")
	b.edit(0, "", "x := tl.Arange(0, 4)\nx + nothing")
	b.until("the error", output(0)+".includes('undefined: nothing')")
	b.until("its place", "document.querySelector('.back .wrong')?.textContent.includes('nothing') && document.querySelector('.gutter .bad')")
	b.edit(0, "", "f((1))")
	b.eval("document.querySelector('textarea').setSelectionRange(2, 2); document.querySelector('textarea').dispatchEvent(new Event('click'))", nil)
	if got := b.text("[...document.querySelectorAll('.back .pair')].map((e) => e.textContent).join(' ')"); got != "( )" {
		t.Errorf("brackets that belong together: %q", got)
	}
	b.eval("localStorage.clear()", nil)
}

func solvePuzzles(t *testing.T, b *browser, home string) {
	for _, n := range []string{"1", "5", "9"} {
		p, err := puzzles.Course.Named(n)
		if err != nil {
			t.Fatal(err)
		}
		b.open(home + "#puzzle/" + n)
		b.until("a verdict on the skeleton", "document.querySelector('.verdict.not')")
		b.until("all cells", idle)
		b.edit(0, "", learn.Sugar(p.Solution()))
		b.until("the verdict on puzzle "+n, "document.querySelector('.verdict.right')")
		b.until("the tick", "[...document.querySelectorAll('nav a[aria-current] .tick')].some((e) => e.textContent === '✓')")
	}
	b.open(home + "#puzzle/5")
	b.until("the verdict after a reload", "document.querySelector('.verdict.right')")
	b.edit(0, " & (j[None, :] < cols)", "")
	b.until("a wrong answer", "document.querySelector('.verdict.not')")
	b.until("what is wrong", output(0)+".includes('wrong-row') && "+output(0)+".includes('in the wrong row: a GPU would not')")
	if got := b.text("document.querySelectorAll('nav h2')[1].textContent"); got != "Puzzles, 3 of 16 solved" {
		t.Errorf("after a reload the page says %q", got)
	}
	b.eval("[...document.querySelectorAll('.help button')].find((e) => e.textContent === 'A hint').click()", nil)
	if got := b.text("document.querySelector('.hints').textContent"); !strings.Contains(got, "A lane counts if its row") {
		t.Errorf("the hint is %q", got)
	}
}

func walking(t *testing.T, b *browser, home string) {
	b.open(home + "#lesson/stray")
	b.until("the steps", "document.querySelectorAll('.steps').length === 2")
	b.until("all cells", idle)
	const second = "document.querySelectorAll('.steps')[1]"
	slide := func(which, event string, to int) {
		b.eval(fmt.Sprintf("(() => { const i = %s.querySelector('input[aria-label=%s]'); i.value = %d; i.dispatchEvent(new Event('%s')) })()", second, which, to, event), nil)
	}
	slide("statement", "input", 5)
	b.until("x_ptrs", second+".querySelector('.fresh').textContent === 'x_ptrs' && "+second+".querySelector('.source .now').textContent.includes('x_ptrs :=')")
	if got := b.text(second + ".querySelector('.values').innerText"); strings.Contains(got, "outside the tensor") {
		t.Errorf("the first program is outside: %s", got)
	}
	slide("program", "change", 2)
	b.until("another program", second+".innerText.includes('3 of 6')")
	slide("statement", "input", 5)
	b.until("stray lanes", second+".querySelector('.values').innerText.includes('12 outside the tensor')")
	before := b.text(second + ".querySelector('.source .now').textContent")
	b.eval("[..."+second+".querySelectorAll('button')].at(-1).click()", nil)
	if after := b.text(second + ".querySelector('.source .now').textContent"); after == before {
		t.Errorf("the next statement is still %s", after)
	}
}

func endless(t *testing.T, b *browser, home string) {
	b.open(home + "#lesson/start")
	b.until("all cells", idle)
	b.edit(2, "", "for {\n}")
	b.until("a button that stops it", "document.querySelector('.stop')")
	b.eval("document.querySelector('.stop').click()", nil)
	b.until("that it was stopped", output(2)+".includes('stopped')")
	b.edit(2, "", "mask := a[:, None]+b[None, :] < 12\nmask")
	b.until("the next value, of what earlier cells defined", output(2)+".includes('8 of 16 lanes true')")
	// The next key stops it, too.
	b.edit(2, "", "for { }")
	b.until("that it runs", "document.querySelector('.running')")
	b.edit(2, "", "a[:, None] * 2")
	b.until("what was typed after it", output(2)+".includes('48')")
	b.eval("localStorage.clear()", nil)
}

func sharing(t *testing.T, b *browser, home string) {
	b.open(home + "#blank")
	b.until("all cells", idle)
	b.edit(0, "", "tl.Sum(tl.Arange(0, 101)) // wörter ✓")
	b.until("its value", output(0)+".includes('5050')")
	b.until("the code in the address", "location.hash.includes('?c=')")
	address := b.text("location.href")
	b.eval("localStorage.clear()", nil)
	b.open(address)
	b.until("the same code", "document.querySelector('textarea').value === 'tl.Sum(tl.Arange(0, 101)) // wörter ✓'")
	b.until("its value", output(0)+".includes('5050')")
	b.eval("localStorage.clear()", nil)
}

func keys(t *testing.T, b *browser, home string) {
	b.open(home + "#lesson/start")
	b.until("all cells", idle)
	seen := map[string]bool{}
	for range 60 {
		b.key("Escape") // so that Tab leaves a cell
		b.key("Tab")
		seen[b.text("(document.activeElement.getAttribute('aria-label') || document.activeElement.textContent || document.activeElement.tagName).slice(0, 30)")] = true
	}
	for _, want := range []string{"Skip to the text", "Copy link", "1 · Ten more", "cell 1", "Run this cell", "cell 2"} {
		if !seen[want] {
			t.Errorf("Tab never comes to %q: %v", want, seen)
		}
	}
	b.eval("document.querySelector('.lane').focus()", nil)
	b.key("ArrowRight")
	b.key("ArrowDown")
	if got := b.text("document.querySelector('.says').textContent"); !strings.Contains(got, "lane [1,1] is A[1,3]") {
		t.Errorf("the lane that the arrows lead to says %q", got)
	}
}

const attack = `<img src=x onerror=window.attacked=1><script>window.attacked=1</script>`

// hostile is cells whose texts try to become markup, and what the page shows of each.
var hostile = []struct{ cell, shown string }{
	{"s := `" + attack + "`\nfmt.Println(s)\ns", attack},
	{"panic(`" + attack + "`)", attack},
	{"undefined_" + attack, "<img"},
	{"func k(p *tl.Program, x tl.Ptr) {\n\ttl.StaticAssert(false, `" + attack + "`)\n}\n" +
		"exec.New(k).Launch(exec.Grid{1}, tensor.Zeros(tl.Float32, 4))", attack},
	{"func k(p *tl.Program, x tl.Ptr) {\n\tp.Print(`" + attack + "`, tl.Load(x))\n}\n" +
		"exec.New(k).Launch(exec.Grid{1}, tensor.Zeros(tl.Float32, 4))", attack},
	{"func k(p *tl.Program, x tl.Ptr) {\n\ts := `" + attack + "`\n\tp.Assert(p.ID(0) > 0, s)\n}\n" +
		":step k[1](tensor.Zeros(tl.Float32, 4))", "<img"},
	{"func k(p *tl.Program, x tl.Ptr) {\n\ttl.Store(x, 1) // " + attack + "\n\tp.Assert(false, `" + attack + "`)\n}\n" +
		":check k[1](tensor.Zeros(tl.Float32, 4))", attack},
	{"errors.New(`" + attack + "`)", attack},
	{"tl.PointerTo(tensor.Zeros(tl.Float32, 8), `" + attack + "`, nil) + tl.Arange(0, 4)", attack},
	{"tl.PointerTo(tensor.Zeros(tl.Float32, 2, 2, 2), `" + attack + "`, nil) + tl.Arange(0, 4)", attack},
	{"map[string]int{`" + attack + "`: 1}", attack},
	{":check " + attack, "<img"},
	{":puzzle " + attack, "<img"},
	{":blocks " + attack, "<img"},
	{":step " + attack, "<img"},
}

// explain is Shift-Tab on the name of a call near the end.
//
//go:embed testdata/explain.js
var explain string

// injection tries to become markup by every way in, and is text each time.
func injection(t *testing.T, b *browser, home string) {
	harmless := func(by string) {
		t.Helper()
		attacked, elements := false, 0
		b.eval("!!window.attacked", &attacked)
		b.eval("document.querySelectorAll('main img:not([src^=\"blob:\"]), main script, main iframe').length", &elements)
		if attacked || elements > 0 {
			t.Errorf("%s became markup: attacked %v, %d elements", by, attacked, elements)
		}
	}
	for _, try := range hostile {
		b.open(home + "#blank")
		b.until("all cells", idle)
		b.edit(0, "", try.cell)
		b.until(try.cell+" as text: "+try.shown, output(0)+".includes("+quoted(try.shown)+")")
		harmless(try.cell)
	}
	// What Shift-Tab explains, and Tab completes.
	b.open(home + "#blank")
	b.until("all cells", idle)
	b.edit(0, "", "// f is "+attack+"\nfunc f(a int) int { return a }\nf(41) + 1")
	b.until("its value", output(0)+".includes('42')")
	b.eval(explain, nil)
	b.until("the explanation", "document.querySelector('.explained')")
	harmless("a comment")
	packed := b.text("import('./state.js').then((m) => m.pack([" + quoted("`"+attack+"`") + "]))")
	for _, fragment := range []string{"#lesson/" + attack, "#" + attack, "#puzzle/" + attack,
		"#blank?c=" + attack, "#blank?c=AAAA", "#blank?c=" + packed, "#lesson/start?c=" + packed} {
		b.open(home + fragment)
		b.until("cells", "document.querySelector('.cell')")
		b.until("all cells", "document.body.dataset.idle")
		harmless(fragment)
	}
	b.eval("localStorage.clear()", nil)
	b.eval("localStorage.setItem('tiler.sheet.blank.', JSON.stringify(["+quoted("s := `"+attack+"`\ns")+"]))", nil)
	b.eval("localStorage.setItem('tiler.theme', JSON.stringify("+quoted(attack)+"))", nil)
	b.eval("localStorage.setItem('tiler.solved', JSON.stringify(["+quoted(attack)+"]))", nil)
	b.open(home + "#blank")
	b.until("what was kept, as text", output(0)+".includes('<img')")
	b.until("all cells", idle)
	harmless("what was kept")
	b.eval("localStorage.clear()", nil)
}

func quoted(s string) string { return fmt.Sprintf("%q", s) }

// otherHost: in a folder of a host that says that it has compressed what was compressed.
func otherHost(t *testing.T, b *browser, files site.Files) {
	mux := http.NewServeMux()
	mux.Handle("/some/folder/", http.StripPrefix("/some/folder", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".gz") {
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Content-Type", "application/wasm")
			w.Write(files[site.Program])
			return
		}
		files.Handler().ServeHTTP(w, r)
	})))
	server := httptest.NewServer(mux)
	defer server.Close()
	b.mu.Lock()
	b.homes = append(b.homes, server.URL+"/some/folder/")
	b.mu.Unlock()
	b.open(server.URL + "/some/folder/#blank")
	b.until("the first value", output(0)+".includes('16 elements touched')")
	b.until("all cells", idle)
}

// offline: with the server gone, a reload works.
func offline(t *testing.T, b *browser, home string, server *httptest.Server) {
	b.open(home + "#lesson/start")
	b.until("all cells", idle)
	b.until("the service worker", "navigator.serviceWorker.controller")
	server.Close()
	b.do("Page.reload", nil)
	b.until("the page without a server", "document.querySelector('.cell')")
	b.until("its first value", output(0)+".includes('i32[4,4]')")
	b.edit(1, "+ 2)", "+ 6)")
	b.until("a changed cell", output(1)+".includes('8 lanes have run past')")
	b.mu.Lock()
	b.problems = slices.DeleteFunc(b.problems, func(p string) bool { return strings.Contains(p, "ERR_CONNECTION_REFUSED") }) // as was meant

	b.mu.Unlock()
}
