package tilelang_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/tilelang/op"
)

// exported is the names that kernels can use: "tl.Load", "x.Add", "p.ID", and the
// functions' comments.
func exported(t *testing.T) map[string]string {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	receivers := map[string]string{"": "tl.", "Tile": "x.", "Program": "p.", "Desc": "d.", "BlockPtr": "b."}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() {
				continue
			}
			recv := ""
			if f.Recv != nil {
				e := f.Recv.List[0].Type
				if s, ok := e.(*ast.StarExpr); ok {
					e = s.X
				}
				recv = e.(*ast.Ident).Name
			}
			if prefix, ok := receivers[recv]; ok {
				names[prefix+f.Name.Name] = f.Doc.Text()
			}
		}
	}
	return names
}

// TestTableIsTheLanguage: what the op table calls an op exists here under that name.
func TestTableIsTheLanguage(t *testing.T) {
	names := exported(t)
	called := regexp.MustCompile(`\b(tl|x|p)\.[A-Z]\w*`)
	for o := op.None + 1; o < op.NumOps; o++ {
		row := o.Row()
		if row.Name == "" || row.Doc == "" {
			t.Errorf("op %d has no name or no documentation", o)
		}
		if row.Family == op.Primitive {
			continue
		}
		name := called.FindString(row.Go)
		if _, ok := names[name]; !ok {
			t.Errorf("%s: %q is not in this package", row.Name, row.Go)
		}
	}
	for name, doc := range names {
		if doc == "" {
			t.Errorf("%s has no comment", name)
		}
	}
}

// families is the op table's families in the order of the reference.
var families = []struct {
	title   string
	members []op.Family
}{
	{"Elementwise", []op.Family{op.Elementwise}},
	{"Dtypes", []op.Family{op.Change}},
	{"Creation and shape", []op.Family{op.Create, op.Shape}},
	{"Along an axis", []op.Family{op.Reducing, op.Scanning, op.Ordering}},
	{"Products", []op.Family{op.DotProduct}},
	{"Memory", []op.Family{op.Memory, op.Atomic}},
	{"The program", []op.Family{op.Effect}},
}

// reference is the op table as Markdown.
func reference() string {
	var b strings.Builder
	for _, f := range families {
		fmt.Fprintf(&b, "\n**%s**\n\n| | Triton | |\n|---|---|---|\n", f.title)
		for o := op.None + 1; o < op.NumOps; o++ {
			row := o.Row()
			for _, m := range f.members {
				if row.Family == m {
					fmt.Fprintf(&b, "| %s | %s | %s |\n", code(row.Go), code(row.Triton), strings.ReplaceAll(row.Doc, "|", "\\|"))
				}
			}
		}
	}
	return b.String() + "\n"
}

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + strings.ReplaceAll(s, "|", "\\|") + "`"
}

// TestReference: the reference in the README is the op table.
func TestReference(t *testing.T) {
	const begin, end = "<!-- ops -->\n", "<!-- /ops -->"
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("no %q ... %q in README.md", begin, end)
	}
	want := before + begin + reference() + end + after
	if string(text) == want {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Fatal("the tables of operations are stale: UPDATE=1 go test ./tilelang")
	}
	if err := os.WriteFile("README.md", []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
