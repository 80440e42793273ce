package check_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// The corpus is small kernels with what a check must find in them, as comments on the
// lines that it must find it in:
//
//	x := tl.Load(ptr) // want: out-of-bounds "past the end"
//
// Several wants follow one another, separated by semicolons. What is wanted is an error,
// or a warning where the arguments are varied; a note if the comment says so, or the kind
// is always one. An error that no comment wants fails the test; so does an error or a
// warning about a correct kernel.

type kase struct {
	name   string
	kernel any
	grid   exec.Grid
	space  exec.Space // in place of grid
	args   []any
	ref    any               // reference; nil without
	opts   exec.CheckOptions // faulty kernels are not varied unless vary is set
	vary   bool
}

// A want is one expectation.
type want struct {
	line int
	kind check.Kind
	text *regexp.Regexp
	note bool
	met  bool
}

var wantSyntax = regexp.MustCompile(`^(note )?([a-z-]+) "([^"]*)"$`)

// corpusFile is a source file of the corpus with its comments and function literals.
type corpusFile struct {
	fset *token.FileSet
	ast  *ast.File
}

func parseFile(t *testing.T, name string) corpusFile {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return corpusFile{fset, f}
}

// wants is the expectations within the function that begins on a line.
func (f corpusFile) wants(t *testing.T, line int) (ws []*want) {
	t.Helper()
	first, last := 0, 0
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			if f.fset.Position(n.Pos()).Line == line && last == 0 {
				first, last = line, f.fset.Position(n.End()).Line
			}
		}
		return true
	})
	if last == 0 {
		t.Fatalf("no function begins on line %d", line)
	}
	for _, g := range f.ast.Comments {
		for _, c := range g.List {
			text, isWant := strings.CutPrefix(c.Text, "// want: ")
			at := f.fset.Position(c.Pos()).Line
			if !isWant || at < first || at > last {
				continue
			}
			for _, part := range strings.SplitAfter(text, `"; `) {
				m := wantSyntax.FindStringSubmatch(strings.TrimSuffix(part, "; "))
				if m == nil || !slices.Contains(check.Kinds(), check.Kind(m[2])) {
					t.Fatalf("line %d: not an expectation: %s", at, part)
				}
				kind := check.Kind(m[2])
				note := m[1] != "" || kind == check.NotPortable || kind == check.DType
				ws = append(ws, &want{line: at, kind: kind, text: regexp.MustCompile(m[3]), note: note})
			}
		}
	}
	return ws
}

// is reports whether a finding is what is wanted; of kernels, the line that they begin on.
func (w *want) is(f check.Finding, begin int) bool {
	there := f.Pos.Line == w.line || f.Pos.Line == 0 && w.line == begin
	return there && f.Kind == w.kind && (f.Severity == check.Note) == w.note && w.text.MatchString(f.Msg)
}

func (c kase) run(t *testing.T) *check.Report {
	t.Helper()
	o := c.opts
	o.NoVariations = o.NoVariations || !c.vary
	k := exec.New(c.kernel, exec.Options{Check: o, Output: io.Discard})
	if c.ref != nil {
		k.Against(c.ref)
	}
	space := c.space
	if space == nil {
		space = c.grid
	}
	r, err := k.Check(space, c.args...)
	if r == nil {
		t.Fatal(err)
	}
	return r
}

func TestFaultyKernels(t *testing.T) {
	kernels := slices.Concat(faultyBounds, faultyRows, faultyRaces, faultyUndefined, faultyIndices, faultyOthers,
		faultyUnwritten, faultyRow, faultyNumbers, faultyNotes, faultyUndefinedLanes, faultySizes, faultyOrder, faultyData,
		faultyNorms, faultyHeads, faultyProducts, faultyLists, faultyInvariance, faultyLuck, faultyNaN, faultyWork, faultyMeanings)
	t.Logf("%d faulty kernels", len(kernels))
	if len(kernels) < 40 {
		t.Errorf("%d faulty kernels, want at least 40", len(kernels))
	}
	seen, found, accused := map[check.Kind]bool{}, 0, 0
	files := map[string]corpusFile{}
	for _, c := range kernels {
		t.Run(c.name, func(t *testing.T) {
			name, line := runtime.FuncForPC(reflect.ValueOf(c.kernel).Pointer()).FileLine(reflect.ValueOf(c.kernel).Pointer())
			if _, ok := files[name]; !ok {
				files[name] = parseFile(t, name)
			}
			ws := files[name].wants(t, line)
			if len(ws) == 0 {
				t.Fatal("nothing is expected of it")
			}
			r := c.run(t)
			for _, f := range all(r) {
				expected := false
				for _, w := range ws {
					if w.is(f, line) {
						w.met, expected = true, true
						seen[f.Kind] = true
					}
				}
				if !expected && f.Severity != check.Note {
					accused++
					t.Errorf("not expected:\n%s", f.String())
				}
			}
			if !slices.ContainsFunc(ws, func(w *want) bool { return !w.met }) {
				found++
			}
			for _, w := range ws {
				if !w.met {
					t.Errorf("line %d: no %s %q in\n%s", w.line, w.kind, w.text, r)
				}
			}
		})
	}
	t.Logf("%d found, %d missed, %d accused of more", found, len(kernels)-found, accused)
	for _, k := range check.Kinds() {
		if !seen[k] && k != check.EngineMismatch && k != check.Unsupported {
			t.Errorf("no faulty kernel is for %s", k)
		}
	}
}

// all is a report's findings, with what follows from them.
func all(r *check.Report) (fs []check.Finding) {
	for i := range r.Findings {
		fs = append(fs, r.Findings[i].All()...)
	}
	return fs
}

func TestCorrectKernels(t *testing.T) {
	all := slices.Concat(correctElementwise, correctMatrix, correctOthers,
		correctUnwritten, correctRow, correctNumbers, correctUndefinedLanes, correctSizes, correctOrder,
		correctData, correctNorms, correctHeads, correctProducts, correctLists, correctInvariance, correctNaN, correctWork, correctMeanings)
	t.Logf("%d correct kernels", len(all))
	if len(all) < 40 {
		t.Errorf("%d correct kernels, want at least 40", len(all))
	}
	accused := 0
	defer func() { t.Logf("%d accused falsely", accused) }()
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			c.vary = true
			r := c.run(t)
			if r.Failed() {
				accused++
				t.Errorf("a correct kernel fails:\n%s", r)
			}
		})
	}
}

// TestQuietKernels: of kernels that are right whatever the data, nothing is noted either.
func TestQuietKernels(t *testing.T) {
	for _, c := range correctNaN {
		c.vary = true
		if r := c.run(t); len(r.Findings) > 0 {
			t.Errorf("%s:\n%s", c.name, r)
		}
	}
}

// The corpus's files, so that a new one is not forgotten.
func TestCorpusFiles(t *testing.T) {
	names, err := filepath.Glob("corpus_*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil || !strings.Contains(string(text), "[]kase{") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Arguments of the corpus.

func ones(shape ...int) *tensor.Tensor   { return tensor.Ones(tl.Float32, shape...) }
func zeros(shape ...int) *tensor.Tensor  { return tensor.Zeros(tl.Float32, shape...) }
func empty(shape ...int) *tensor.Tensor  { return tensor.Empty(tl.Float32, shape...) }
func random(shape ...int) *tensor.Tensor { return tensor.Rand(1, tl.Float32, shape...) }

// counting is 0, 1, 2, ... of a dtype.
func counting(d tl.DType, shape ...int) *tensor.Tensor {
	n := 1
	for _, s := range shape {
		n *= s
	}
	return tensor.Arange(d, 0, n).Reshape(shape...)
}

func args(a ...any) []any { return a }
