package sugar

import (
	"go/ast"
	"reflect"
)

// rewrite replaces the expressions below n, innermost first, by what fn makes of
// them, and calls visit for each statement after its expressions.
func rewrite(n ast.Node, fn func(ast.Expr) ast.Expr, visit func(ast.Stmt)) {
	if n == nil || reflect.ValueOf(n).IsNil() {
		return
	}
	v := reflect.ValueOf(n).Elem()
	for i := range v.NumField() {
		rewriteField(v.Field(i), fn, visit)
	}
	if s, ok := n.(ast.Stmt); ok {
		visit(s)
	}
}

var (
	exprType = reflect.TypeFor[ast.Expr]()
	nodeType = reflect.TypeFor[ast.Node]()
)

func rewriteField(f reflect.Value, fn func(ast.Expr) ast.Expr, visit func(ast.Stmt)) {
	switch {
	case f.Type() == exprType:
		if e, ok := f.Interface().(ast.Expr); ok {
			rewrite(e, fn, visit)
			f.Set(reflect.ValueOf(fn(e)))
		}
	case f.Kind() == reflect.Slice:
		for i := range f.Len() {
			rewriteField(f.Index(i), fn, visit)
		}
	case f.Type().Implements(nodeType) && !f.IsNil():
		if _, comment := f.Interface().(*ast.CommentGroup); !comment {
			rewrite(f.Interface().(ast.Node), fn, visit)
		}
	}
}
