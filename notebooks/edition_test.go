package notebooks_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/notebooks/jupyter"
	"github.com/tiler-go/tiler/notebooks/nb"
	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/repl/learn"
	"github.com/tiler-go/tiler/repl/learn/puzzles"
)

// An edition of the notebooks is for one of the kernels. Both are made of the same text: cells as
// one types them at the prompt, and the same in Go that gonb compiles.
type edition struct {
	kernel string
	dir    string // of its notebooks
	cells  func(t *testing.T, parts []part) []jupyter.Cell
	stamps func(code []string) []nb.Stamp // of its code cells
}

var editions = []edition{
	{jupyter.Tiler, ".", tilerCells, chained},
	{jupyter.Gonb, "gonb", gonbCells, nb.Stamps},
}

func (e edition) path(name string) string {
	return filepath.Join(e.dir, name+".ipynb")
}

// A part is a piece of a notebook's text: words, a cell of code, or an exercise.
type part struct {
	words    string
	code     string
	times    bool          // what the cell shows differs from run to run
	exercise *learn.Puzzle // its kernel is to be written, and judged
	number   int           // of the exercise
}

// directive is a line of the text that stands for what is kept elsewhere.
var directive = regexp.MustCompile(`(?m)^<!-- (exercise|solutions|puzzles) ?(\w*) -->\n`)

// parse splits a text into parts.
func parse(t *testing.T, text string) (parts []part) {
	t.Helper()
	var all []*learn.Puzzle
	words := func(text string) {
		if text = strings.Trim(text, "\n"); text != "" {
			parts = append(parts, part{words: text})
		}
	}
	prose := func(text string) {
		for {
			at := directive.FindStringSubmatchIndex(text)
			if at == nil {
				words(text)
				return
			}
			words(text[:at[0]])
			switch kind, name := text[at[2]:at[3]], text[at[4]:at[5]]; kind {
			case "solutions":
				parts = append(parts, part{number: -1})
			case "puzzles":
				for _, p := range puzzles.Course.Puzzles {
					all = append(all, p)
					parts = append(parts, part{exercise: p, number: len(all)})
				}
			default:
				p, err := puzzles.Course.Named(name)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, p)
				parts = append(parts, part{exercise: p, number: len(all)})
			}
			text = text[at[1]:]
		}
	}
	for text != "" {
		at := fence.FindStringSubmatchIndex(text)
		if at == nil {
			prose(text)
			break
		}
		prose(text[:at[0]+1])
		code, rest, _ := strings.Cut(text[at[1]:], "\n```\n")
		parts = append(parts, part{code: strings.Trim(code, "\n"), times: at[2] >= 0})
		text = rest
	}
	return parts
}

var fence = regexp.MustCompile("\n```go( times)?\n")

// textHash is what a compiled edition was made of: the cells of the prompt's edition.
func textHash(t *testing.T, name string) string {
	h := sha256.New()
	for _, c := range editions[0].fromText(t, name).Cells {
		io.WriteString(h, c.Kind+"\n"+c.Source+"\n")
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:6])
}

// metadata is what a notebook of the edition says of itself.
func (e edition) metadata(t *testing.T, name string) map[string]any {
	m := jupyter.New(e.kernel).Metadata
	if e.kernel == jupyter.Gonb {
		m["tiler"] = map[string]any{"text": textHash(t, name)}
	}
	return m
}

// madeOf is the hash of the text that a notebook says it was made of.
func madeOf(book *jupyter.Notebook) string {
	m, _ := book.Metadata["tiler"].(map[string]any)
	text, _ := m["text"].(string)
	return text
}

// fromText is an edition of a notebook without outputs, as its text says.
func (e edition) fromText(t *testing.T, name string) *jupyter.Notebook {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("src", name+".md"))
	if err != nil {
		t.Fatal(err)
	}
	book := jupyter.New(e.kernel)
	book.Metadata = e.metadata(t, name)
	book.Cells = e.cells(t, parse(t, string(text)))
	for i := range book.Cells {
		book.Cells[i].ID = fmt.Sprintf("cell-%02d", i+1)
	}
	return book
}

func words(text string) jupyter.Cell { return jupyter.Cell{Kind: "markdown", Source: text} }

func code(text string, times bool) jupyter.Cell {
	c := jupyter.Cell{Kind: "code", Source: text}
	if times {
		c.Metadata = map[string]any{"tiler": map[string]any{"times": true}}
	}
	return c
}

// tilerCells is a notebook for the prompt's kernel: the cells as they are in the text.
func tilerCells(t *testing.T, parts []part) (cells []jupyter.Cell) {
	for _, p := range parts {
		switch {
		case p.exercise != nil:
			cells = append(cells, task(p),
				code(broken(learn.Sugar(p.exercise.Skeleton()))+"\n:judge "+p.exercise.Name, true), hints(p))
		case p.code != "":
			cells = append(cells, code(p.code, p.times))
		default:
			cells = append(cells, words(p.text(parts, func(p *learn.Puzzle) string { return learn.Sugar(p.Solution()) })))
		}
	}
	return cells
}

// widest is how many columns a line of code has, with tabs of four.
const widest = 88

func columns(line string) int { return utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    ")) }

// broken is Go whose long lines are broken after a comma, the outermost there is.
func broken(text string) string {
	var lines []string
	for l := range strings.SplitSeq(text, "\n") {
		indent := l[:len(l)-len(strings.TrimLeft(l, "\t"))] + "\t"
		for columns(l) > widest {
			at := outermost(l)
			if at < 0 {
				break
			}
			lines = append(lines, l[:at+1])
			l = indent + l[at+2:]
		}
		lines = append(lines, l)
	}
	return strings.Join(lines, "\n")
}

// outermost is the last of the least nested commas that a line can be broken after; -1 if there is
// none.
func outermost(l string) int {
	best, least, depth := -1, 1<<10, 0
	for i, c := range l {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if columns(l[:i+1]) <= widest && depth > 0 && depth <= least && l[i+1] == ' ' {
				best, least = i, depth
			}
		}
	}
	return best
}

// text is a part's words. Solutions are folded away.
func (p part) text(parts []part, solution func(*learn.Puzzle) string) string {
	if p.number != -1 {
		return p.words
	}
	list := []string{"## Solutions"}
	for _, q := range parts {
		if q.exercise != nil {
			list = append(list, folded(fmt.Sprintf("show solution %d: %s", q.number, q.exercise.Title), "<pre><code>"+escaped(solution(q.exercise))+"</code></pre>\n<p>"+escaped(q.exercise.After)+"</p>"))
		}
	}
	return strings.Join(list, "\n\n")
}

// folded is HTML that is folded away. It has no empty lines, which would end it where Markdown is
// read: not everybody who shows notebooks goes on with Markdown inside.
func folded(title, text string) string {
	return "<details><summary>" + escaped(title) + "</summary>\n" + text + "\n</details>"
}

func escaped(text string) string {
	return html.EscapeString(strings.ReplaceAll(text, "\n\n", "\n"))
}

// task is what is to be done.
func task(p part) jupyter.Cell {
	return words(fmt.Sprintf("### %d. %s\n\n%s", p.number, p.exercise.Title, p.exercise.Text))
}

func hints(p part) jupyter.Cell {
	var list []string
	for _, h := range p.exercise.Hints {
		list = append(list, "<li>"+escaped(h)+"</li>")
	}
	return words(folded("show hints", "<ol>\n"+strings.Join(list, "\n")+"\n</ol>"))
}

// gonbCells is a notebook of compiled cells. They are what the prompt says that the cells of the
// text are in plain Go; nothing is launched for it.
func gonbCells(t *testing.T, parts []part) (cells []jupyter.Cell) {
	t.Helper()
	s := cell.New(cell.Options{AutoImport: true, Launch: notLaunched, Out: io.Discard, Err: io.Discard})
	s.ImportUsual()
	if err := s.Eval(context.Background(), standIns); err != nil {
		t.Fatal(s.Render(err))
	}
	var imports []string
	first := -1
	add := func(text string, times bool) {
		if first < 0 {
			first = len(cells)
		}
		cells = append(cells, code(text, times))
	}
	for i, p := range parts {
		switch {
		case p.exercise != nil:
			cells = append(cells, task(p))
			add(broken(p.exercise.Skeleton())+"\n\n%%\nnb.Judge("+p.exercise.Name+")", true)
			cells = append(cells, hints(p))
			imports = append(imports, importsOf(p.exercise)...)
		case p.code != "":
			if err := s.Eval(context.Background(), inGo(t, p.code)); err != nil {
				t.Fatalf("%s\n%s", s.Render(err), p.code)
			}
			e := s.Compiled()
			imports = append(imports, e.Imports...)
			add(strings.TrimSpace(e.Decls+asMain(t, e.Body)), p.times)
		default:
			cells = append(cells, words(p.text(parts, (*learn.Puzzle).Solution)))
		}
		if i == 0 {
			cells = append(cells, words(reading))
		}
	}
	if first >= 0 {
		cells[first].Source = strings.TrimSpace(importBlock(imports) + "\n\n" + cells[first].Source)
	}
	return cells
}

// notLaunched stands for a launch.
func notLaunched(l *cell.Launch) error {
	if strings.HasPrefix(l.Op, "Check") || strings.HasPrefix(l.Op, "Promote") {
		l.Report = &exec.Report{}
	}
	return nil
}

// reading is how cells of compiled Go differ from those of the prompt.
const reading = `*This is the edition in compiled Go. What the text says with operators, its cells say with methods: ` + "`a + b` is `a.Add(b)`, `a < b` is `a.Lt(b)`, `m & k` is `m.And(k)`, " +
	"`a[:, None]` is `a.Col()` and `a[None, :]` is `a.Row()`" + `. Each cell is a program of its own: functions stay, variables do not, so that a cell makes again what it uses. Commands are functions of package nb: ` +
	"`:judge` is `nb.Judge`, `:bench` is `nb.Engines`, `:blocks` is `nb.Blocks` and `nb.BlocksAt`" + `.*`

func importsOf(p *learn.Puzzle) []string {
	list := []string{`tl "github.com/tiler-go/tiler/tilelang"`, `"github.com/tiler-go/tiler/notebooks/nb"`}
	if strings.Contains(p.Skeleton()+p.Solution(), "math.") {
		list = append(list, `"math"`)
	}
	return list
}

func importBlock(lines []string) string {
	var std, own []string
	slices.Sort(lines)
	for _, l := range slices.Compact(lines) {
		if strings.Contains(l, ".") {
			own = append(own, "\t"+l)
		} else {
			std = append(std, "\t"+l)
		}
	}
	path := func(l string) string { return l[strings.Index(l, `"`):] }
	slices.SortFunc(own, func(a, b string) int { return strings.Compare(path(a), path(b)) })
	if len(std) > 0 {
		std = append(std, "")
	}
	return "import (\n" + strings.Join(append(std, own...), "\n") + "\n)"
}

// standIns are functions of package nb that commands become, for the prompt, which has no nb.
const standIns = `func nb_Engines(kernel any, grid exec.Space, args ...any) int { return 0 }
func nb_Blocks(kernel any, grid exec.Space, args ...any) int { return 0 }
func nb_BlocksAt(program []int, kernel any, grid exec.Space, args ...any) int { return 0 }`

// commands is what commands are in Go, for a $kernel, a $grid, $args and the program $at.
var commands = map[string]string{
	":check":   "exec.New($kernel).Check(exec.Grid{$grid}, $args)",
	":promote": "exec.New($kernel).Promote(exec.Grid{$grid}, $args)",
	":bench":   "nb_Engines($kernel, exec.Grid{$grid}, $args)",

	":blocks":    "nb_Blocks($kernel, exec.Grid{$grid}, $args)",
	":blocks at": "nb_BlocksAt([]int{$at}, $kernel, exec.Grid{$grid}, $args)",
}

var launched = regexp.MustCompile(`^(:\w+) (\w+)\[(.*?)\]\((.*?)\)(?: at ([0-9 ]+))?$`)

// inGo is a cell with its commands as Go.
func inGo(t *testing.T, text string) string {
	t.Helper()
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if !scan.IsCommand(l) {
			continue
		}
		m := launched.FindStringSubmatch(l)
		if m != nil && m[5] != "" {
			m[1] += " at"
		}
		if m == nil || commands[m[1]] == "" {
			t.Fatalf("there is no Go for %s", l)
		}
		at := strings.Join(strings.Fields(m[5]), ", ")
		lines[i] = strings.NewReplacer("$kernel", m[2], "$grid", m[3], "$args", m[4], "$at", at).Replace(commands[m[1]])
	}
	return strings.Join(lines, "\n")
}

var standIn = regexp.MustCompile(`(?m)^(?:nb\.Show\()?nb_(\w+)(\(.*?\))\)?$`)

// asMain is statements as gonb has a program's.
func asMain(t *testing.T, body string) string {
	t.Helper()
	if body == "" {
		return ""
	}
	body = standIn.ReplaceAllString(body, "nb.$1$2")
	if strings.Contains(body, "nb_") {
		t.Fatalf("a stand-in is left in\n%s", body)
	}
	return "\n\n%%\n" + body
}

// chained stamps the cells of the prompt's kernel: what one shows may depend on all before it.
func chained(code []string) (list []nb.Stamp) {
	h := sha256.New()
	for _, c := range code {
		io.WriteString(h, c+"\n")
		list = append(list, nb.Stamp{Inputs: fmt.Sprintf("%x", h.Sum(nil)[:6])})
	}
	return list
}
