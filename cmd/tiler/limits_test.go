package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Limits of a room: a package, a type, a line. A test file counts for its lines' width only, a generated one not at all.
const (
	maxPackage = 2500
	maxMethods = 40
	maxFields  = 15
	maxColumns = 120 // a tab is one
)

// A ceiling is a number beyond a limit that may shrink and not grow: when it is at the limit, its row goes.
type ceiling struct {
	most int
	why  string
}

const (
	surface = "the language's own surface"
	tables  = "most of it is rows of tables"
	uncut   = "no cut found that a reader would draw himself"
)

// bigPackages is packages beyond maxPackage lines.
var bigPackages = map[string]ceiling{
	"tilelang":       {5958, surface},
	"exec/amd64/asm": {2945, tables},
}

// bigTypes is types beyond maxMethods methods.
var bigTypes = map[string]ceiling{
	"tilelang Tile":          {46, surface},
	"tilelang/tensor Tensor": {67, surface},
}

// wideTypes is structs beyond maxFields fields.
var wideTypes = map[string]ceiling{
	"tilelang Access":    {18, surface},
	"exec/check Finding": {18, surface},
}

// maxWide is how many lines of the module are beyond maxColumns: rows of tables, most of them.
const maxWide = 2250

func TestLimits(t *testing.T) {
	lines, methods, fields, wide := map[string]int{}, map[string]int{}, map[string]int{}, 0
	for _, s := range sources(t) {
		if s.generated() {
			continue
		}
		for line := range strings.Lines(string(s.text)) {
			if utf8.RuneCountInString(strings.TrimRight(line, "\n")) > maxColumns {
				wide++
			}
		}
		if s.test() {
			continue
		}
		lines[s.pkg()] += bytes.Count(s.text, []byte("\n"))
		measureTypes(s, methods, fields)
	}
	compare(t, "lines of a package", lines, maxPackage, bigPackages)
	compare(t, "methods of a type", methods, maxMethods, bigTypes)
	compare(t, "fields of a struct", fields, maxFields, wideTypes)
	if wide > maxWide {
		t.Errorf("%d lines are wider than %d columns, and %d were", wide, maxColumns, maxWide)
	}
}

// measureTypes counts the methods and fields of each type, named "package Type".
func measureTypes(s source, methods, fields map[string]int) {
	ast.Inspect(s.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv != nil {
				methods[s.pkg()+" "+receiver(n.Recv.List[0].Type)]++
			}
		case *ast.TypeSpec:
			structure, ok := n.Type.(*ast.StructType)
			if !ok {
				break
			}
			for _, f := range structure.Fields.List {
				fields[s.pkg()+" "+n.Name.Name] += max(1, len(f.Names))
			}
		}
		return true
	})
}

// receiver is the name of a receiver's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return fmt.Sprintf("%T", e)
}

// compare holds what was measured against a limit and the ceilings of what is beyond it.
func compare(t *testing.T, of string, measured map[string]int, limit int, ceilings map[string]ceiling) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(measured)) {
		switch c, ok := ceilings[name]; {
		case !ok && measured[name] > limit:
			t.Errorf("%s: %s has %d, at most %d are allowed", of, name, measured[name], limit)
		case ok && measured[name] > c.most:
			t.Errorf("%s: %s has %d, beyond the limit of %d, and may not grow past %d", of, name, measured[name], limit, c.most)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(ceilings)) {
		if measured[name] <= limit {
			t.Errorf("%s: %s has %d, which is within the limit: its row is not needed", of, name, measured[name])
		}
	}
}

// touched is how many files name a thing by its Go name, which is what adding another of its kind touches. The corpus and
// the recorded cases are counted, tests and generated files are not.
var touched = map[string]ceiling{
	"Erf":        {9, "an elementwise function"}, // and a function of package math
	"XorSum":     {11, "a reduction"},
	"Flip":       {16, "an operation on shapes"},
	"Float8E4NV": {17, "a dtype"},
}

func TestTouched(t *testing.T) {
	files := map[string]int{}
	for _, s := range sources(t) {
		if s.test() || s.generated() {
			continue
		}
		for name := range touched {
			if names(s, name) {
				files[name]++
			}
		}
	}
	for name, c := range touched {
		if files[name] > c.most {
			t.Errorf("%s, %s, is named in %d files, and was in %d", name, c.why, files[name], c.most)
		}
	}
}

// names reports whether a file uses an identifier.
func names(s source, name string) (found bool) {
	if !bytes.Contains(s.text, []byte(name)) {
		return false
	}
	ast.Inspect(s.ast, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}
