package repl_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/tiler-go/tiler/repl"
	"github.com/tiler-go/tiler/repl/cell/scan"
)

// The files of testdata/session are sessions as they look on the screen: what is typed
// after a prompt, what is printed below. Other files of an archive are there when the
// session begins; those whose names begin with "want " are what it must have written.
//
//	UPDATE=1 go test ./repl    writes what is printed into the sessions

const (
	prompt = "tiler> "
	more   = "     . "
)

// A screen is a session and what it printed.
type screen struct {
	*repl.Session
	out paper
}

// paper is what is printed on, by goroutines of cells too.
type paper struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (p *paper) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.b.Write(b)
}

func (p *paper) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.b.String()
}

func (p *paper) Reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.b.Reset()
}

func newScreen(o repl.Options) *screen {
	s := &screen{}
	o.Out, o.Err = &s.out, &s.out
	s.Session = repl.New(o)
	return s
}

// input evaluates a text as the prompt does, and is what is printed.
func (s *screen) input(text string) string {
	s.out.Reset()
	s.Report(s.Eval(context.Background(), text))
	return s.out.String()
}

func TestSessions(t *testing.T) {
	files, err := filepath.Glob("testdata/session/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no sessions", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { testSession(t, file) })
	}
}

func testSession(t *testing.T, file string) {
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	path, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // promotions of other days have no say
	at := -1
	for i, f := range a.Files {
		switch {
		case f.Name == "session":
			at = i
		case !strings.HasPrefix(f.Name, "want "):
			if err := os.WriteFile(f.Name, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if at < 0 {
		t.Fatal("no file named session")
	}
	want := string(a.Files[at].Data)
	got := replay(inputs(want))
	update := os.Getenv("UPDATE") != ""
	if got != want && !update {
		t.Errorf("the session differs:\n%s", difference(want, got))
	}
	a.Files[at].Data = []byte(got)
	for i, f := range a.Files {
		name, ok := strings.CutPrefix(f.Name, "want ")
		if !ok {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(data, f.Data) && !update {
			t.Errorf("%s differs:\n%s", name, difference(string(f.Data), string(data)))
		}
		a.Files[i].Data = data
	}
	if update {
		if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// inputs is what is typed in a session.
func inputs(session string) (list []string) {
	for l := range strings.SplitSeq(session, "\n") {
		if text, ok := strings.CutPrefix(l, prompt); ok {
			list = append(list, text)
		} else if text, ok := strings.CutPrefix(l, strings.TrimRight(more, " ")); ok && len(list) > 0 {
			list[len(list)-1] += "\n" + strings.TrimPrefix(text, " ")
		}
	}
	return list
}

// replay types texts into a new session.
func replay(list []string) string { return replayIn(newScreen(repl.Options{Edit: fakeEditor}), list) }

// replayIn types texts into a session; without one nothing is printed.
func replayIn(s *screen, list []string) string {
	var b strings.Builder
	for _, text := range list {
		lines := strings.ReplaceAll(prompt+strings.ReplaceAll(text, "\n", "\n"+more), more+"\n", strings.TrimRight(more, " ")+"\n")
		b.WriteString(lines + "\n")
		if s == nil {
			continue
		}
		b.WriteString(stable(s.input(text)))
		if _, done := s.Done(); done {
			break
		}
	}
	return b.String()
}

// fakeEditor replaces 1 by 2.
func fakeEditor(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if bytes.Contains(text, []byte("quit")) {
		return errors.New("the editor failed")
	}
	return os.WriteFile(file, bytes.ReplaceAll(text, []byte("1"), []byte("2")), 0o644)
}

// unstable is what differs from run to run and from machine to machine.
var unstable = []struct {
	re   *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`\b[0-9.]+(e[+-]?\d+)? ?(ns|µs|ms|s|m\d+s)\b`), "TIME"},
	{regexp.MustCompile(`\b[0-9.]+ ?×`), "N×"},
	{regexp.MustCompile(`\b[0-9.]+(e\+\d+)? times as fast`), "N times as fast"},
	{regexp.MustCompile(`interpreter in \d+ of \d+ programs`), "interpreter in N of N programs"}, // as many as there is time for
	{regexp.MustCompile(`has left \([0-9.]+ [A-Z]iB\)`), "has left (SIZE)"},
	{regexp.MustCompile(`\b(avx512|avx2|portable)\b`), "ENGINE"},
	{regexp.MustCompile(`TIME +`), "TIME  "},
	{regexp.MustCompile(`ENGINE {2,}`), "ENGINE  "},
	{regexp.MustCompile(`(?m)^(kernel +runs) +`), "$1  "}, // as wide as the engine's name
	{regexp.MustCompile(`(?m) +$`), ""},
	{regexp.MustCompile(`(?m)^what was running cannot be stopped.*\n`), ""}, // a busy machine unwinds deep stacks slowly
}

// stable is output without what differs; lines that are then equal are one.
func stable(out string) string {
	for _, u := range unstable {
		out = u.re.ReplaceAllString(out, u.with)
	}
	lines := strings.SplitAfter(out, "\n")
	lines = slices.CompactFunc(lines, func(a, b string) bool { return a == b && strings.HasPrefix(a, "ENGINE") })
	return strings.Join(lines, "")
}

// difference is the first line that differs, with those around it.
func difference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	i := 0
	for i < len(w) && i < len(g) && w[i] == g[i] {
		i++
	}
	part := func(lines []string) string {
		return strings.Join(lines[max(0, min(i-2, len(lines))):min(len(lines), i+12)], "\n")
	}
	return "want\n" + part(w) + "\ngot\n" + part(g)
}

// TestStream: what comes through a pipe is evaluated cell by cell, with its lines, and
// goes on after an error.
func TestStream(t *testing.T) {
	s := newScreen(repl.Options{})
	in := "x := 20\n\nfunc f() int { return g() }\n\nfunc g() int { return 2 * x }\nf()\n\tnonsense\n:doc nonsense\nfor i := range 2 {\n\tfmt.Println(i)\n}\n// a comment\nx"
	status := s.Stream(context.Background(), strings.NewReader(in), "in")
	want := "40\nin:7:2: undefined: nonsense\n\tnonsense\n\t^\nno documentation for nonsense\n\tfix: name a package's function (:doc tl.Load), a method (:doc Tile.Add) or a function of yours; :doc tl lists what there is, :help explains commands\n0\n1\n20\n"
	if s.out.String() != want || status != 1 {
		t.Errorf("status %d, got\n%s\nwant\n%s", status, s.out.String(), want)
	}
}

// TestStreamAnswers: a cell is evaluated when it is complete, not when the input ends.
func TestStreamAnswers(t *testing.T) {
	in, answers := newPipe(t)
	for _, x := range []struct{ text, want string }{
		{"1+2\n", "3\n"},
		{"func f(n int) int {\n\treturn n * n\n}\nf(\n7)\n", "49\n"},
		{":plain tl.Arange(0, 3)\n", "tensor([0, 1, 2])\n"},
	} {
		in.WriteString(x.text)
		buf := make([]byte, len(x.want))
		if _, err := answers.Read(buf); err != nil || string(buf) != x.want {
			t.Errorf("%q: got %q, %v", x.text, buf, err)
		}
	}
	in.WriteString("os.Exit(3)\n")
}

// newPipe is a session that reads one pipe and writes to the other.
func newPipe(t *testing.T) (in, answers *os.File) {
	t.Helper()
	r, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	answers, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan int)
	go func() {
		s := repl.New(repl.Options{Out: w})
		s.Eval(context.Background(), `import "os"`)
		done <- s.Stream(context.Background(), r, "in")
	}()
	t.Cleanup(func() {
		in.Close()
		if status := <-done; status != 3 {
			t.Errorf("status %d, want 3", status)
		}
		for _, f := range []*os.File{r, w, answers} {
			f.Close()
		}
	})
	return in, answers
}

func TestIncomplete(t *testing.T) {
	for text, want := range map[string]bool{"f(": true, "x": false, ":check f(": false, "": false, "x +": true} {
		if got := repl.Incomplete(text); got != want || got && !scan.Incomplete(text) {
			t.Errorf("Incomplete(%q) = %t", text, got)
		}
	}
}

// TestInspect: the intermediate form and the machine code of a kernel.
func TestInspect(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	s := newScreen(repl.Options{})
	s.input("func double(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) {\n\toffs := tl.Arange(0, BLOCK) + p.ID(0)*BLOCK\n\ttl.Store(out+offs, tl.Load(x+offs, tl.Mask(offs < n))*2, tl.Mask(offs < n))\n}\nx, out := tensor.Ones(tl.Float32, 100), tensor.Ones(tl.Float32, 100)")
	for _, x := range []struct{ text, want string }{
		{":ir double", "double has not been launched yet"},
		{":ir double[4](x, out)", "got 2 arguments, want 4"},
		{":asm double", "double has not been launched yet"},
		{":promote double[4](x, out, 100, 32)", `(?s)^check double on grid \(4\): ok`},
		{":ir double", `^double\(x f32, `},
		{":asm double", `(?s)^double\(x f32, .*tl\.Load\(x\+offs, `},
		{":ir double[4](x, out, 100, 16)", `^double\(x f32, out f32, n int, BLOCK=16\)`},
		{":ir double", `^double\(x f32, out f32, n int, BLOCK=16\)`},
		{":ir double[4](x, out, 100, 32)", `(?s)^double\(x f32, out f32, n int, BLOCK=32\) after \w+: .*load .*store `},
		{":ir double[4](x, out, 100, 32) lower", `(?s)^double\(.*\) after lower: .*func double`},
		{":ir double[4](x, out, 100, 32) all", `(?s)after lower: .*after fold: .*after dce: `},
		{":ir double[4](x, out, 100, 32) nonsense", `^no pass nonsense; there is lower, fold, `},
		{"exec.New(double).Launch(exec.Grid{4}, x, out, 100, 32)", `^double on \[4\]: `},
		{":ir double", `^double\(x f32, `},
		{":asm double avx2", `(?s)^double\(x f32, .*tl\.Load\(x\+offs, .*ymm`},
		{":asm double avx512", `(?s)zmm`},
		{":asm double sse9", "sse9"},
		{":asm double portable", "portable"},
	} {
		if strings.HasPrefix(x.text, ":asm") && runtime.GOARCH != "amd64" {
			continue
		}
		if got := s.input(x.text); !regexp.MustCompile(x.want).MatchString(got) {
			t.Errorf("%s\ngot %.400s\nwant %s", x.text, got, x.want)
		}
	}
}

// TestComplete: commands, their arguments, and Go's names with what they take.
func TestComplete(t *testing.T) {
	s := newScreen(repl.Options{})
	s.input("func add(p *tl.Program, x tl.Ptr) {}\nvar offsets tl.Tile\nvar k = exec.New(add)")
	t.Chdir(t.TempDir())
	for _, name := range []string{"one.go", "two.ipynb", "three.txt"} {
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("under", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ text, want string }{
		{":che", "0 [:check]"},
		{":t", "0 [:tensors :trace :time]"},
		{"  :qu", "2 [:quit]"},
		{":check a", "7 [add]"},
		{":check add[2](off", "14 [offsets]"},
		{"add[2](off", "7 [offsets]"},
		{"add[2, 2](off", "10 [offsets]"},
		{":trace c", "7 [cells]"},
		{":help :pi", "6 [:pid]"},
		{":load ", "6 [one.go two.ipynb under/]"},
		{":save o", "6 [one.go]"},
		{":doc tl.Arang", "8 [Arange]"},
		{"?tl.Arang", "4 [Arange]"},
		{"??ad", "2 [add]"},
		{"?:che", "1 [:check]"},
		{":time tl.Arang", "9 [Arange]"},
		{":heat off", "6 [offsets]"},
		{":set the", "5 [theme]"},
		{"strings.ToUppe", "8 [ToUpper ToUpperSpecial]"},
		{":go ad", "4 [add]"},
		{":reset x", "7 []"},
		{":nothing x", "10 []"},
		{"tl.Arang", "3 [Arange]"},
		{"x := offs", "5 [offsets]"},
		{"tl.Arange(", "10 [: func Arange(lo, hi int) Tile]"},
	} {
		start, list := s.Complete(x.text, len(x.text))
		var words []string
		for _, c := range list {
			if c.Text == "" {
				c.Text = ": " + c.Detail
			}
			words = append(words, c.Text)
		}
		if got := fmt.Sprint(start, " ", words); got != x.want {
			t.Errorf("%q: got %s, want %s", x.text, got, x.want)
		}
	}
}

// TestReadmes: the sessions that READMEs print are what is printed; a line … stands
// for some lines, and a session without any output for itself.
func TestReadmes(t *testing.T) {
	for _, file := range []string{"README.md", "../README.md"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv("XDG_CACHE_HOME", t.TempDir())
		s := newScreen(repl.Options{})
		for i, block := range strings.Split(string(text), "```") {
			block, ok := strings.CutPrefix(block, "\n")
			if i%2 == 0 || !ok || !strings.HasPrefix(block, prompt) {
				continue
			}
			got, want := replayIn(s, inputs(block)), stable(block)
			typed := replayIn(nil, inputs(block))
			if want != typed && !regexp.MustCompile("^"+strings.ReplaceAll(regexp.QuoteMeta(want), "…\n", "(.*\n)*")+"$").MatchString(got) {
				t.Errorf("%s: a session differs:\n%s", file, difference(want, got))
			}
		}
	}
}
