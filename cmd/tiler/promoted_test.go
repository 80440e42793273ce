package main

import (
	"go/ast"
	"math"
	"path"
	"strconv"
	"strings"
	"testing"
)

// maxPromoted is how many methods a type may have from what it embeds. For each the Go compiler writes a function, and
// another for the pointer: such functions were half of what compiling exec/amd64 took, and most of what it left. A type
// beside a vocabulary has it in a field.
const maxPromoted = 100

// vocabularies is types beyond maxPromoted: all code of their rooms is written in their words.
var vocabularies = []string{
	"exec/amd64 gen", "exec/amd64 operations",
	"exec/amd64/elementwise Builder", "exec/amd64/elementwise Casts", "exec/amd64/elementwise Primitives",
	"exec/amd64/gemm/micro writer",
	"exec/amd64/lane Memory", "exec/amd64/lane Values",
	"exec/amd64/nest Nests", "exec/amd64/scalar Scalars", "exec/amd64/scalar scopes", "exec/amd64/tiles Memory",
	"repl/lower assigner", "repl/lower compiler",
}

func TestPromoted(t *testing.T) {
	own, embeds := map[string]int{}, map[string][]string{}
	for _, s := range sources(t) {
		if s.test() || s.generated() {
			continue
		}
		measureTypes(s, own, map[string]int{})
		embedded(s, embeds)
	}
	limits := map[string]ceiling{}
	for _, name := range vocabularies {
		limits[name] = ceiling{most: math.MaxInt}
	}
	promoted := map[string]int{}
	var reach func(name string) int // how many methods a value of a type has
	reach = func(name string) int {
		n := own[name]
		for _, e := range embeds[name] {
			n += reach(e)
		}
		return n
	}
	for name := range embeds {
		promoted[name] = reach(name) - own[name]
	}
	compare(t, "methods that come with embedded types", promoted, maxPromoted, limits)
}

// embedded adds the types, named "package Type", that each struct of a file embeds.
func embedded(s source, embeds map[string][]string) {
	from := map[string]string{} // packages, by the name that the file knows them by
	for _, imp := range s.ast.Imports {
		full, _ := strconv.Unquote(imp.Path.Value)
		name := path.Base(full)
		if imp.Name != nil {
			name = imp.Name.Name
		}
		from[name] = strings.TrimPrefix(full, "github.com/tiler-go/tiler/")
	}
	ast.Inspect(s.ast, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		structure, ok := spec.Type.(*ast.StructType)
		if !ok {
			return true
		}
		for _, f := range structure.Fields.List {
			if len(f.Names) > 0 {
				continue
			}
			of := f.Type
			if star, ok := of.(*ast.StarExpr); ok {
				of = star.X
			}
			name := s.pkg() + " " + receiver(of)
			if sel, ok := of.(*ast.SelectorExpr); ok {
				name = from[sel.X.(*ast.Ident).Name] + " " + sel.Sel.Name
			}
			embeds[s.pkg()+" "+spec.Name.Name] = append(embeds[s.pkg()+" "+spec.Name.Name], name)
		}
		return true
	})
}
