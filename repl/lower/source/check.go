package source

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/tilelang/diag"
)

// Check is what of functions and statements of a cell is valid Go and cannot be lowered, or
// would not mean the same.
func Check(info *types.Info, funcs []*ast.FuncDecl, body []ast.Stmt, pos func(token.Pos) diag.Pos) diag.List {
	k := &checker{info: info, funcs: funcs, pos: pos, deferred: map[*ast.FuncLit]bool{}}
	for _, d := range funcs {
		k.walk(d)
	}
	for _, s := range body {
		k.walk(s)
	}
	for _, s := range body {
		ast.Inspect(s, k.topLevel)
	}
	return k.list
}

type checker struct {
	info     *types.Info
	funcs    []*ast.FuncDecl
	pos      func(token.Pos) diag.Pos
	list     diag.List
	deferred map[*ast.FuncLit]bool
}

func (k *checker) report(n ast.Node, format string, args ...any) *diag.Diagnostic {
	d := diag.At(k.pos(n.Pos()), format, args...)
	k.list = append(k.list, d)
	return d
}

// topLevel refuses defer and return outside functions.
func (k *checker) topLevel(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		return false
	case *ast.DeferStmt:
		k.report(n, "defer outside a function").Fix("put it in one: func() { defer …; … }()")
	case *ast.ReturnStmt:
		k.report(n, "return outside a function")
	}
	return true
}

// walk looks at one declaration or statement, with the function around each node at
// hand.
func (k *checker) walk(root ast.Node) {
	var funcs []ast.Node
	var stack []ast.Node
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil {
			last := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if len(funcs) > 0 && funcs[len(funcs)-1] == last {
				funcs = funcs[:len(funcs)-1]
			}
			return true
		}
		stack = append(stack, n)
		switch n := n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			funcs = append(funcs, n)
		case *ast.DeferStmt:
			if lit, ok := ast.Unparen(n.Call.Fun).(*ast.FuncLit); ok {
				k.deferred[lit] = true
			}
		case *ast.CallExpr:
			k.call(n, funcs)
		}
		return true
	})
}

// refused are functions that could end the process, or that see the interpreter's values.
var refused = map[string]string{
	"runtime.SetFinalizer":          "values belong to the interpreter",
	"runtime.Caller":                "the stack belongs to the interpreter",
	"runtime.Callers":               "the stack belongs to the interpreter",
	"runtime.Breakpoint":            "it would end the session",
	"runtime/debug.SetMaxStack":     "it could end the session",
	"runtime/debug.SetMaxThreads":   "it could end the session",
	"runtime/debug.SetPanicOnFault": "it could end the session",
	"runtime/debug.WriteHeapDump":   "it would stop the session",
	"runtime/debug.SetMemoryLimit":  "it would slow the session down",
}

func (k *checker) call(e *ast.CallExpr, funcs []ast.Node) {
	if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok && k.info.Types[id].IsBuiltin() && id.Name == "recover" {
		k.recover(e, funcs)
		return
	}
	id := IdentOf(Unindexed(ast.Unparen(e.Fun)))
	if id == nil {
		return
	}
	f, ok := k.info.Uses[id].(*types.Func)
	if !ok || f.Pkg() == nil {
		return
	}
	if why := refused[f.FullName()]; why != "" {
		k.report(e, "%s.%s cannot be called here: %s", f.Pkg().Name(), f.Name(), why)
	}
	if strings.HasPrefix(f.Pkg().Path(), "encoding/") {
		for _, a := range e.Args {
			if t := k.info.TypeOf(a); t != nil && hidden(t, 0) {
				k.report(a, "%s.%s would see the fields of %s that are not exported", f.Pkg().Name(), f.Name(), types.TypeString(t, types.RelativeTo(nil))).
					Note("compiled Go does not see them: the interpreter cannot hide them").Fix("give it a type whose fields are all exported")
			}
		}
	}
}

// recover must be in a function literal that is deferred: the interpreter cannot
// tell how else a function was called.
func (k *checker) recover(e *ast.CallExpr, funcs []ast.Node) {
	if len(funcs) > 0 {
		switch f := funcs[len(funcs)-1].(type) {
		case *ast.FuncLit:
			if k.deferred[f] {
				return
			}
		case *ast.FuncDecl:
			if o, ok := k.info.Defs[f.Name].(*types.Func); ok && k.onlyDeferred(o) {
				return
			}
		}
	}
	k.report(e, "recover does nothing here: it works only in a deferred function").
		Fix("write defer func() { if r := recover(); r != nil { … } }()")
}

// onlyDeferred reports whether every use of a function in the unit is a deferred
// call.
func (k *checker) onlyDeferred(o *types.Func) bool {
	ok := true
	for _, d := range k.funcs {
		deferredUse := map[*ast.Ident]bool{}
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.DeferStmt:
				if id := IdentOf(n.Call.Fun); id != nil {
					deferredUse[id] = true
				}
			case *ast.Ident:
				if f, isFunc := k.info.Uses[n].(*types.Func); isFunc && f.Origin() == o && !deferredUse[n] {
					ok = false
				}
			}
			return true
		})
	}
	return ok
}

// hidden reports whether a type has fields of the session that are not exported.
func hidden(t types.Type, depth int) bool {
	if depth > 8 {
		return false
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return Session(t.Obj()) && hidden(t.Underlying(), depth+1)
	case *types.Pointer:
		return hidden(t.Elem(), depth+1)
	case *types.Slice:
		return hidden(t.Elem(), depth+1)
	case *types.Array:
		return hidden(t.Elem(), depth+1)
	case *types.Map:
		return hidden(t.Elem(), depth+1)
	case *types.Struct:
		for f := range t.Fields() {
			if !f.Exported() || hidden(f.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}

// Unsupported is what a type or expression that cannot be lowered panics with.
type Unsupported string

// Refuse leaves lowering: what it says is the message that the user reads.
func Refuse(format string, args ...any) { panic(Unsupported(fmt.Sprintf(format, args...))) }
