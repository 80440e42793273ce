package learn

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// TestSolutions: every solution is right, in every engine of this machine; without TILER_LONG=1 for its first case in
// one of them.
func TestSolutions(t *testing.T) {
	long, engines := os.Getenv("TILER_LONG") != "", exec.Engines()
	for n, p := range slices.Concat(puzzles, exercises) {
		t.Run(p.Name, func(t *testing.T) {
			k := exec.New(p.kernel)
			if k.Name() != p.Name {
				t.Fatalf("the solution is called %s", k.Name())
			}
			v, err := p.Judge(context.Background(), k, io.Discard)
			if err != nil || !v.Right() || v.Engine == "" {
				t.Fatalf("%v\n%s", err, v.Picture())
			}
			for i, c := range p.Cases {
				if i > 0 && !long {
					break
				}
				var want []any
				for j, engine := range engines {
					if j > 0 && j-1 != n%(len(engines)-1) && !long {
						continue
					}
					args := c.Values()
					if err := k.With(exec.Options{Engine: engine}).Launch(c.Grid, args...); err != nil {
						t.Fatalf("case %d, %s: %v", i, engine, err)
					}
					if want == nil {
						want = args
					}
					for j := range args {
						if x, ok := args[j].(*tensor.Tensor); ok && !tensor.Equal(x, want[j].(*tensor.Tensor)) {
							t.Errorf("case %d: %s gives other bits for %s", i, engine, p.Params()[j])
						}
					}
				}
			}
		})
	}
}

// TestRows: every row is whole.
func TestRows(t *testing.T) {
	seen := map[string]bool{}
	for i, p := range slices.Concat(puzzles, exercises) {
		if i < len(puzzles) && p.Number() != i+1 || (p.Number() == 0) == (p.Notebook == "") || seen[p.Name] || p.Title == "" || p.Text == "" || p.After == "" || len(p.Hints) < 2 || len(p.Cases) < 3 {
			t.Errorf("%s is not whole", p.Name)
		}
		seen[p.Name] = true
		for _, c := range p.Cases {
			if len(c.Args) != len(p.Params()) {
				t.Errorf("%s: %d arguments for %v", p.Name, len(c.Args), p.Params())
			}
		}
		for l := range strings.SplitSeq(p.Text, "\n") {
			if n := len([]rune(strings.ReplaceAll(l, "\t", "        "))); n > 80 || strings.TrimRight(l, " ") != l {
				t.Errorf("%s: %d columns: %q", p.Name, n, l)
			}
		}
	}
	files, err := filepath.Glob("p[0-9][0-9]_*.go")
	if err != nil || len(files) != len(puzzles) {
		t.Errorf("%d files for %d puzzles", len(files), len(puzzles))
	}
}

// TestNames: what texts and hints mention exists.
func TestNames(t *testing.T) {
	mentioned := regexp.MustCompile(`\b(tl|exec|tensor|math)\.([A-Z]\w*)|\.([A-Z]\w*)\(|\b(examples/\w+)|[Nn]otebook (\d\d)|tiler (\w+)|(:[a-z]+)`)
	exported := map[string]bool{}
	for _, dir := range []string{"../../tilelang", "../../tilelang/tensor", "../../tilelang/dtype"} {
		for name := range exportedNames(t, dir) {
			exported[name] = true
		}
	}
	for _, name := range []string{"Inf", "ID", ":step", ":check", ":pid", ":promote", ":bench", ":asm", "check", "bench", "learn"} {
		exported[name] = true
	}
	for _, p := range slices.Concat(puzzles, exercises) {
		texts := append([]string{p.Text, p.After}, p.Hints...)
		for _, lesson := range p.Lessons {
			texts = append(texts, lesson)
		}
		for _, m := range mentioned.FindAllStringSubmatch(strings.Join(texts, "\n"), -1) {
			switch {
			case m[4] != "":
				if _, err := os.Stat("../../" + m[4] + "/main.go"); err != nil {
					t.Errorf("%s mentions %s: %v", p.Name, m[4], err)
				}
			case m[5] != "":
				if found, _ := filepath.Glob("../../notebooks/" + m[5] + "_*.ipynb"); len(found) != 1 {
					t.Errorf("%s mentions notebook %s", p.Name, m[5])
				}
			default:
				if name := m[2] + m[3] + m[6] + m[7]; !exported[name] {
					t.Errorf("%s mentions %s, which is not there", p.Name, name)
				}
			}
		}
	}
}

// exportedNames is the names that the files of a folder declare.
func exportedNames(t *testing.T, dir string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	paths, err := filepath.Glob(dir + "/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				names[n.Name.Name] = true
			case *ast.TypeSpec:
				names[n.Name.Name] = true
			case *ast.ValueSpec:
				for _, id := range n.Names {
					names[id.Name] = true
				}
			}
			return true
		})
	}
	return names
}

func TestSugar(t *testing.T) {
	for plain, want := range map[string]string{
		"x.Add(offs)":                                 "x + offs",
		"a.Add(b).Mul(c)":                             "(a + b) * c",
		"a.Mul(b).Add(c)":                             "a * b + c",
		"a.Sub(b.Sub(c))":                             "a - (b - c)",
		"a.Sub(b + c)":                                "a - (b + c)",
		"i.Col().Lt(n).And(j.Row().Lt(m))":            "(i[:, None] < n) & (j[None, :] < m)",
		"i.Mul(n).Col().Add(j.Row())":                 "(i * n)[:, None] + j[None, :]",
		"acc = acc.Add(tl.Dot(a, b.To(d)))":           "acc += tl.Dot(a, b.To(d))",
		"tl.Load(x.Add(p.ID(0)*N), tl.Mask(m.Lt(n)))": "tl.Load(x + p.ID(0)*N, tl.Mask(m < n))",
		"q := v.Shr(k.Mod(2).Mul(4).Col()).And(15)":   "q := v >> (k % 2 * 4)[:, None] & 15",
		"w := a.And(15).To(f).Sub(8)":                 "w := (a & 15).To(f) - 8",
		"a := tl.Load(x.Add(tl.Sub(n-1, offs)))":      "a := tl.Load(x + (n-1 - offs))",
		"x := a.FloorDiv(2).Shl(1)":                   "x := a.FloorDiv(2) << 1",
	} {
		got := strings.TrimSuffix(strings.TrimPrefix(Sugar("func f() {\n\t"+plain+"\n}"), "func f() {\n\t"), "\n}")
		if got != want {
			t.Errorf("%s: got %s, want %s", plain, got, want)
		}
	}
}

// TestProgress: it lasts, also that of two processes, and harms nothing where it cannot be kept.
func TestProgress(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new", "learned")
	a, b := LoadProgress(file), LoadProgress(file)
	a.Solve(puzzles[0])
	b.Solve(puzzles[2])
	b.Hint(puzzles[1])
	c := LoadProgress(file)
	if !c.Has(puzzles[0]) || !c.Has(puzzles[2]) || c.Has(puzzles[1]) || c.Next() != puzzles[1] {
		t.Errorf("got %+v", c.kept)
	}
	for i, want := range []int{2, len(puzzles[1].Hints), len(puzzles[1].Hints)} {
		c.Hint(puzzles[1])
		if n := c.Hints[puzzles[1].Name]; n != want {
			t.Errorf("hint %d: got %d, want %d", i, n, want)
		}
	}
	for _, text := range []string{"", "nonsense", `{"solved": 3}`, `{"solved": ["gone"], "hints": null}`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p := LoadProgress(file)
		p.Hint(puzzles[0])
		if p.Solve(puzzles[0]); !p.Has(puzzles[0]) || !LoadProgress(file).Has(puzzles[0]) {
			t.Errorf("%q: got %+v", text, p.kept)
		}
	}
	for _, nowhere := range []string{"", filepath.Join(file, "below", "a", "file")} {
		p := LoadProgress(nowhere)
		if p.Solve(puzzles[0]); !p.Has(puzzles[0]) {
			t.Errorf("%q: got %+v", nowhere, p.kept)
		}
	}
	all := LoadProgress("")
	for _, p := range puzzles {
		all.Solve(p)
	}
	if all.Next() != nil {
		t.Error("there is a next puzzle after the last")
	}
}

func TestNamed(t *testing.T) {
	for name, want := range map[string]string{
		"1": "addTen", "matmul": "matmul", "matmull": "no puzzle matmull (did you mean matmul?)",
		"0": fmt.Sprintf("no puzzle 0: choose 1 to %d", len(puzzles)),
	} {
		p, err := Named(name)
		if err == nil && p.Name != want || err != nil && err.Error() != want {
			t.Errorf("%s: got %v, %v", name, p, err)
		}
	}
}

func TestWrapped(t *testing.T) {
	for text, want := range map[string]string{
		"one two three":               "one two\nthree",
		"a call f(x, y, z) is one":    "a call\nf(x, y, z)\nis one",
		"so are i < n and x[:, None]": "so are\ni < n and\nx[:, None]",
		"(this is prose)":             "(this is\nprose)",
		"  spaces\n and lines ":       "spaces and\nlines",
		"":                            "",
	} {
		if got := wrapped(text, 10); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	text := "one two\n\n\tcode that is longer than any line may be, and that nobody breaks\n\nthree"
	if got := paragraphs(text); got != text {
		t.Errorf("got %q", got)
	}
}
