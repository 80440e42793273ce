package builtin

import (
	"go/ast"
	"go/types"
	"testing"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
)

// TestTableComplete proves that every function and method of the language is either
// lowered or refused with a reason, and that the table has no others.
func TestTableComplete(t *testing.T) {
	want := map[string]bool{}
	add := func(key string) {
		want[key] = true
		why, isRefused := refused[key]
		if (table[key] != nil) == isRefused {
			t.Errorf("%s: lowered %v, refused %v", key, table[key] != nil, isRefused)
		}
		if isRefused && (why.why == "" || why.fix == "") {
			t.Errorf("%s is refused without a reason and advice", key)
		}
	}
	methods := func(n *types.Named) {
		for i := range n.NumMethods() {
			if m := n.Method(i); m.Exported() {
				add(n.Obj().Name() + "." + m.Name())
			}
		}
	}
	scope := gofile.Package(gofile.LanguagePath).Scope()
	for _, name := range scope.Names() {
		if !ast.IsExported(name) {
			continue
		}
		switch o := scope.Lookup(name).(type) {
		case *types.Func:
			add(name)
		case *types.TypeName:
			if n, ok := o.Type().(*types.Named); ok && !o.IsAlias() {
				methods(n)
			}
		}
	}
	methods(gofile.Package(gofile.DTypePath).Scope().Lookup("DType").Type().(*types.Named))
	for key := range table {
		if !want[key] {
			t.Errorf("%s is lowered, but the language has no such function", key)
		}
	}
	for key := range refused {
		if !want[key] {
			t.Errorf("%s is refused, but the language has no such function", key)
		}
	}
	for key := range ops {
		if table[key] == nil {
			t.Errorf("%s is an op without a lowering", key)
		}
	}
	for key := range laneFuncs {
		if table[key] == nil {
			t.Errorf("%s may be called by a combining function, but is not lowered", key)
		}
	}
}
