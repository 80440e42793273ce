package kerneltest_test

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"
)

const exampleHead = `// Code generated from the kernels of examples/ by the tests of this package; DO NOT EDIT.

package kernels

import (
	"math"

	tl "github.com/tiler-go/tiler/tilelang"
)
`

// TestExamples: the corpus has every kernel of examples/, as it stands there.
// UPDATE=1 copies them.
func TestExamples(t *testing.T) {
	names, err := filepath.Glob("../../examples/*/main.go")
	if err != nil || len(names) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	var b bytes.Buffer
	b.WriteString(exampleHead)
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !isKernel(fn) {
				continue
			}
			example := filepath.Base(filepath.Dir(name))
			full := "Example_" + example + "_" + fn.Name.Name
			b.WriteString("\n// " + full + " is " + fn.Name.Name + " of examples/" + example + ".\nfunc " + full)
			b.Write(text[fset.Position(fn.Name.End()).Offset:fset.Position(fn.End()).Offset])
			b.WriteString("\n")
		}
	}
	text := b.Bytes()
	if !bytes.Contains(text, []byte("math.")) {
		text = bytes.Replace(text, []byte("import (\n\t\"math\"\n\n\ttl \"github.com/tiler-go/tiler/tilelang\"\n)"), []byte("import tl \"github.com/tiler-go/tiler/tilelang\""), 1)
	}
	want, err := format.Source(text)
	if err != nil {
		t.Fatal(err)
	}
	const file = "kernels/z_examples.go"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not what examples/ has: UPDATE=1 go test ./exec/kerneltest -run TestExamples", file)
	}
}

// isKernel reports whether a function's first parameter is *tl.Program.
func isKernel(fn *ast.FuncDecl) bool {
	if len(fn.Type.Params.List) == 0 {
		return false
	}
	star, ok := fn.Type.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	sel, ok := star.X.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Program"
}
