package notebooks_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tiler-go/tiler/notebooks/jupyter"
	"github.com/tiler-go/tiler/notebooks/nb"
)

// A notebook is written as text in src: Markdown whose blocks of Go are the code cells, as they
// are typed at the prompt. Both editions of it are made of that text, and have besides what their
// cells showed when they last ran.
//
//	go test ./notebooks                          cells are those of the text, outputs are not stale
//	TILER_LONG=1 go test ./notebooks             … and every cell shows the same when it runs now
//	UPDATE=1 go test ./notebooks                 writes the cells
//	UPDATE=1 TILER_LONG=1 go test ./notebooks    … and runs them, and writes what they show
var (
	update = os.Getenv("UPDATE") != ""
	long   = os.Getenv("TILER_LONG") != ""
)

const runThem = "UPDATE=1 TILER_LONG=1 go test ./notebooks"

// names is the notebooks, without folder and extension.
func names(t *testing.T) (list []string) {
	t.Helper()
	paths, err := filepath.Glob("src/*.md")
	if err != nil || len(paths) < 6 {
		t.Fatalf("the notebooks' text: %d files, %v", len(paths), err)
	}
	for _, p := range paths {
		list = append(list, strings.TrimSuffix(filepath.Base(p), ".md"))
	}
	return list
}

// fromFile is a notebook as it is committed, empty if there is none.
func (e edition) fromFile(t *testing.T, name string) *jupyter.Notebook {
	t.Helper()
	text, err := os.ReadFile(e.path(name))
	if os.IsNotExist(err) {
		return &jupyter.Notebook{}
	}
	if err != nil {
		t.Fatal(err)
	}
	nb, err := jupyter.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", e.path(name), err)
	}
	return nb
}

func (e edition) write(t *testing.T, name string, nb *jupyter.Notebook) {
	t.Helper()
	text, err := nb.Bytes()
	if err == nil {
		err = os.WriteFile(e.path(name), text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// stampsOf is the stamp of each cell, the zero Stamp for text.
func (e edition) stampsOf(cells []jupyter.Cell) []nb.Stamp {
	var code []string
	for _, c := range cells {
		if c.Kind == "code" {
			code = append(code, c.Source)
		}
	}
	list, all := e.stamps(code), make([]nb.Stamp, len(cells))
	for i, c := range cells {
		if c.Kind == "code" {
			all[i], list = list[0], list[1:]
		}
	}
	return all
}

// stampOf is the stamp that a cell's outputs were made with.
func stampOf(c jupyter.Cell) (s nb.Stamp) {
	if m, ok := c.Metadata["tiler"].(map[string]any); ok {
		s.Kernel, _ = m["kernel"].(string)
		s.Inputs, _ = m["inputs"].(string)
	}
	return s
}

// stamped is the metadata of a cell whose outputs were made with a stamp.
func stamped(s nb.Stamp, times bool) map[string]any {
	m := map[string]any{}
	if s != (nb.Stamp{}) {
		m["kernel"], m["inputs"] = s.Kernel, s.Inputs
	}
	if times {
		m["times"] = true
	}
	if len(m) == 0 {
		return nil
	}
	return map[string]any{"tiler": m}
}

// differs reports whether what a cell shows differs from run to run.
func differs(c jupyter.Cell) bool {
	m, _ := c.Metadata["tiler"].(map[string]any)
	return m["times"] == true
}

// TestCells: a notebook's cells are those of its text. In short, a compiled edition says that it was
// made of that.
func TestCells(t *testing.T) {
	for _, e := range editions {
		for _, name := range names(t) {
			have := e.fromFile(t, name)
			if hash := madeOf(have); hash != "" && hash == textHash(t, name) && !update && !long {
				continue // to make it again, every cell is evaluated
			}
			want := e.fromText(t, name)
			same := slices.EqualFunc(want.Cells, have.Cells, func(a, b jupyter.Cell) bool {
				return a.Kind == b.Kind && a.Source == b.Source && a.ID == b.ID && differs(a) == differs(b)
			})
			switch {
			case same && madeOf(want) == madeOf(have):
			case update:
				e.write(t, name, e.withOutputs(want, have))
			default:
				t.Errorf("%s does not have the cells of src/%s.md: %s", e.path(name), name, runThem)
			}
		}
	}
}

// TestLimits: a cell of code fits a screen, and its lines a window.
func TestLimits(t *testing.T) {
	for _, name := range names(t) {
		for i, c := range editions[0].fromText(t, name).Cells {
			if c.Kind != "code" {
				continue
			}
			lines := strings.Split(c.Source, "\n")
			if len(lines) > 25 {
				t.Errorf("%s: cell %d has %d lines", name, i+1, len(lines))
			}
			for _, l := range lines {
				if n := columns(l); n > widest {
					t.Errorf("%s: cell %d has a line of %d columns: %s", name, i+1, n, l)
				}
			}
		}
	}
}

// withOutputs is a notebook with those outputs of another that are not stale.
func (e edition) withOutputs(nb, old *jupyter.Notebook) *jupyter.Notebook {
	fresh := e.stampsOf(nb.Cells)
	for i := range nb.Cells {
		at := slices.IndexFunc(old.Cells, func(c jupyter.Cell) bool { return c.Source == nb.Cells[i].Source && stampOf(c) == fresh[i] })
		if at >= 0 && nb.Cells[i].Kind == "code" {
			nb.Cells[i].Outputs, nb.Cells[i].Count = old.Cells[at].Outputs, old.Cells[at].Count
			nb.Cells[i].Metadata = stamped(fresh[i], differs(nb.Cells[i]))
		}
	}
	return nb
}

var attributes = regexp.MustCompile(`data-kernel="([^"]*)" data-inputs="([^"]*)"`)

// TestFresh: every output was made by the kernels and from the inputs that its notebook
// has now. Of outputs that come from package nb, that is also what they say themselves.
func TestFresh(t *testing.T) {
	for _, e := range editions {
		for _, name := range names(t) {
			have := e.fromFile(t, name)
			want := e.stampsOf(have.Cells)
			for i, c := range have.Cells {
				if c.Kind != "code" {
					continue
				}
				if c.Count == 0 {
					t.Errorf("%s: cell %d has not run: %s", e.path(name), i+1, runThem)
				} else if stampOf(c) != want[i] {
					t.Errorf("%s: the output of cell %d is stale, it was made with %+v, the cells are %+v: %s", e.path(name), i+1, stampOf(c), want[i], runThem)
				}
				for _, o := range c.Outputs {
					if m := attributes.FindStringSubmatch(string(o.Data["text/html"])); m != nil && (nb.Stamp{Kernel: m[1], Inputs: m[2]}) != want[i] {
						t.Errorf("%s: an output of cell %d is stale, it says %s, the cell is %+v: %s", e.path(name), i+1, m[0], want[i], runThem)
					}
				}
			}
		}
	}
}

// installed is the kernels, installed once below a folder of the tests.
var installed = sync.OnceValues(func() (r jupyter.Runner, err error) {
	ctx := context.Background()
	if r.Python, err = jupyter.FindPython(ctx); err != nil {
		return r, err
	}
	if folder, err = os.MkdirTemp("", "tiler-notebooks-"); err != nil {
		return r, err
	}
	if r.Place, err = jupyter.Prefix(folder); err != nil {
		return r, err
	}
	program := filepath.Join(folder, "tiler")
	if out, err := osexec.Command("go", "build", "-o", program, "../cmd/tiler").CombinedOutput(); err != nil {
		return r, fmt.Errorf("%w\n%s", err, out)
	}
	var log strings.Builder
	clone := func() (string, error) { return jupyter.Clone("..") }
	if err := jupyter.Install(ctx, jupyter.Installation{Place: r.Place, Program: program, Kernels: jupyter.Kernels(), Clone: clone, Log: jupyter.Log{W: &log}}); err != nil {
		return r, fmt.Errorf("%w\n%s", err, &log)
	}
	cache, err := osexec.Command("go", "env", "GOCACHE").Output()
	r.Env = []string{"GOCACHE=" + strings.TrimSpace(string(cache))}
	return r, err
})

var folder string // of the tests, removed at the end

func TestMain(m *testing.M) {
	status := m.Run()
	if folder != "" {
		os.RemoveAll(folder)
	}
	os.Exit(status)
}

// runner runs notebooks in a kernel, for which nothing is remembered of promotions in earlier runs.
func runner(t *testing.T, kernel string) jupyter.Runner {
	t.Helper()
	if !long {
		t.Skip("TILER_LONG=1 runs this in Jupyter")
	}
	r, err := installed()
	if missing := (*jupyter.Missing)(nil); errors.As(err, &missing) {
		t.Skipf("left out: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	r.Kernel = kernel
	home := t.TempDir()
	r.Env = append(slices.Clone(r.Env), "XDG_CACHE_HOME="+home, "TILER_HOME="+home)
	return r
}

// most is how long all notebooks of the prompt's kernel may take together. If TILER_TIMES is set,
// on a machine that does nothing else, they may not take longer by the clock; or else not more
// than three times as much processor time, since tests of another package may run beside this one.
const most = 30 * time.Second

// TestRun runs every notebook in its kernel, from top to bottom. No cell fails, and what they
// show is what is committed.
func TestRun(t *testing.T) {
	runner(t, "") // or skip
	for _, e := range editions {
		t.Run(e.kernel, func(t *testing.T) {
			var processor time.Duration
			began := time.Now()
			for _, name := range names(t) {
				t.Run(name, func(t *testing.T) { processor += e.run(t, name) })
			}
			took, most := time.Since(began), most
			t.Logf("all in %.1f s, with %.1f s of processor time", took.Seconds(), processor.Seconds())
			if os.Getenv("TILER_TIMES") == "" {
				took, most = processor, 3*most
			}
			if e.kernel == jupyter.Tiler && took > most {
				t.Errorf("all take %v, want %v", took, most)
			}
		})
	}
}

// run runs a notebook, and is the processor time that this took.
func (e edition) run(t *testing.T, name string) time.Duration {
	r := runner(t, e.kernel)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	began := time.Now()
	run, err := r.Run(ctx, e.fromText(t, name), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d cells in %v", len(run.Cells), time.Since(began).Round(time.Second/10))
	code := slices.DeleteFunc(slices.Sorted(slices.Values(run.Cells)), func(took float64) bool { return took == 0 })
	t.Logf("kernel ready in %.2f s; a cell takes %.0f ms, the slowest %.1f s", run.Start, code[len(code)/2]*1e3, code[len(code)-1])
	now := run.Notebook
	e.tidy(now)
	now.Metadata = e.metadata(t, name)
	for i, c := range now.Cells {
		for _, o := range c.Outputs {
			if o.Kind == "error" {
				t.Errorf("cell %d fails: %s\n%s", i+1, o.Value, outputsText(c.Outputs))
			}
		}
	}
	if update && !t.Failed() {
		e.write(t, name, now)
	} else {
		compare(t, now, e.fromFile(t, name))
	}
	return run.Processor
}

// compare reports the cells that show something else than is committed.
func compare(t *testing.T, now, committed *jupyter.Notebook) {
	t.Helper()
	for i, c := range now.Cells {
		if c.Kind != "code" || i >= len(committed.Cells) || differs(c) {
			continue
		}
		got, want := withoutTimes(outputsText(c.Outputs)), withoutTimes(outputsText(committed.Cells[i].Outputs))
		if got != want {
			t.Errorf("cell %d shows something else than is committed (%s):\n%s", i+1, runThem, firstDifference(got, want))
		}
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		a, b := "(nothing)", "(nothing)"
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			return "now       " + a + "\ncommitted " + b
		}
	}
	return ""
}

// tidy makes a notebook that was run one to commit: folders of this run are left out,
// pieces of a stream joined, and every cell has its stamp.
func (e edition) tidy(nb *jupyter.Notebook) {
	fresh, count := e.stampsOf(nb.Cells), 0
	for i := range nb.Cells {
		c := &nb.Cells[i]
		c.Metadata = stamped(fresh[i], differs(*c))
		if c.Kind != "code" {
			continue
		}
		count++
		c.Count = count
		c.Outputs = joined(c.Outputs)
	}
}

// joined is outputs with adjacent pieces of one stream as one.
func joined(list []jupyter.Output) (out []jupyter.Output) {
	for _, o := range list {
		if progress.MatchString(string(o.Data["text/plain"])) {
			continue // of what took long on this machine
		}
		o.Text = jupyter.MultiLine(folders.ReplaceAllString(string(o.Text), ""))
		for kind, text := range o.Data {
			o.Data[kind] = jupyter.MultiLine(folders.ReplaceAllString(string(text), ""))
		}
		if n := len(out); n > 0 && o.Kind == "stream" && out[n-1].Kind == "stream" && out[n-1].Name == o.Name {
			out[n-1].Text += o.Text
			continue
		}
		out = append(out, o)
	}
	return out
}

// progress is what a cell shows of a launch that takes longer than a second.
var progress = regexp.MustCompile(`^((checking|promoting|judging) \w+|` +
	`(check of |promotion of )?\w+ on \[[0-9, ]+\]): [^\n]*\s*$`)

// folders is the folder that gonb keeps the cells' file in.
var folders = regexp.MustCompile(`/[^\s"<>]*/gonb_[0-9a-f]+/`)

// outputsText is outputs as one text.
func outputsText(list []jupyter.Output) string {
	var s strings.Builder
	for _, o := range list {
		s.WriteString("[" + o.Kind + " " + o.Name + "]\n" + string(o.Text) + o.Error + o.Value + "\n")
		var kinds []string
		for kind := range o.Data {
			kinds = append(kinds, kind)
		}
		slices.Sort(kinds)
		for _, kind := range kinds {
			text, page := string(o.Data[kind]), string(o.Data["text/html"])
			switch {
			case strings.Contains(page, "tiler-output tiler-times"):
				text = bars.ReplaceAllString(numbers.ReplaceAllString(drawing.ReplaceAllString(text, "src"), "#"), " ")
			case strings.Contains(page, "tiler-output tiler-machine"):
				text = "what this machine and its libraries reach"
			}
			s.WriteString(kind + ": " + text + "\n")
		}
	}
	return s.String()
}

var (
	numbers = regexp.MustCompile(`[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?`)
	drawing = regexp.MustCompile(`src="data:[^"]*"`)
	bars    = regexp.MustCompile(`[ █]+`)
	times   = regexp.MustCompile(`\b([0-9]+m)?[0-9]+(\.[0-9]+)?(e[-+][0-9]+)? ?(ns|µs|us|ms|s)\b`)
	style   = regexp.MustCompile(`(?s)<style>.*?</style>`)
	speedup = regexp.MustCompile(`[0-9.]+(e[-+][0-9]+)? times as fast`)
	engines = regexp.MustCompile(`\b(avx512|avx2|portable)\b`)
)

// withoutTimes is a text without what differs from run to run and machine to machine: times
// and the engine that was fastest; and without the style of pictures.
func withoutTimes(text string) string {
	text = style.ReplaceAllString(text, "")
	text = times.ReplaceAllString(speedup.ReplaceAllString(text, "faster"), "some time")
	return engines.ReplaceAllString(text, "some engine")
}
