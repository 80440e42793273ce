package tilelang_test

import (
	"go/ast"
	"go/parser"
	"go/token"
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
