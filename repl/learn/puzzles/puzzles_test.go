package puzzles

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// TestSolutions: every solution is right, in every engine of this machine; without TILER_LONG=1 for its first case in
// one of them.
func TestSolutions(t *testing.T) {
	long, engines := os.Getenv("TILER_LONG") != "", exec.Engines()
	for n, p := range Course.All() {
		t.Run(p.Name, func(t *testing.T) {
			k := exec.New(p.Kernel)
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
	for i, p := range Course.All() {
		if i < len(Course.Puzzles) && p.Number() != i+1 || (p.Number() == 0) == (p.Notebook == "") || seen[p.Name] || p.Title == "" || p.Text == "" || p.After == "" || len(p.Hints) < 2 || len(p.Cases) < 3 {
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
	if err != nil || len(files) != len(Course.Puzzles) {
		t.Errorf("%d files for %d puzzles", len(files), len(Course.Puzzles))
	}
}

// TestNames: what texts and hints mention exists.
func TestNames(t *testing.T) {
	mentioned := regexp.MustCompile(`\b(tl|exec|tensor|math)\.([A-Z]\w*)|\.([A-Z]\w*)\(|\b(examples/\w+)|[Nn]otebook (\d\d)|tiler (\w+)|(:[a-z]+)`)
	exported := map[string]bool{}
	for _, dir := range []string{"../../../tilelang", "../../../tilelang/tensor", "../../../tilelang/dtype"} {
		for name := range exportedNames(t, dir) {
			exported[name] = true
		}
	}
	for _, name := range []string{"Inf", "ID", ":step", ":check", ":pid", ":promote", ":bench", ":asm", "check", "bench", "learn"} {
		exported[name] = true
	}
	for _, p := range Course.All() {
		texts := append([]string{p.Text, p.After}, p.Hints...)
		for _, lesson := range p.Lessons {
			texts = append(texts, lesson)
		}
		for _, m := range mentioned.FindAllStringSubmatch(strings.Join(texts, "\n"), -1) {
			switch {
			case m[4] != "":
				if _, err := os.Stat("../../../" + m[4] + "/main.go"); err != nil {
					t.Errorf("%s mentions %s: %v", p.Name, m[4], err)
				}
			case m[5] != "":
				if found, _ := filepath.Glob("../../../notebooks/" + m[5] + "_*.ipynb"); len(found) != 1 {
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
