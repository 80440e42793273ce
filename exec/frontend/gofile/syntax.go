package gofile

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Assigned is the variables that a piece of syntax assigns, other than by declaring
// them, in order of first assignment. Assignments in functions that it calls are not
// among them.
func (f *File) Assigned(n ast.Node) (objs []types.Object) {
	seen := map[types.Object]bool{}
	add := func(e ast.Expr) {
		id := variableIn(e)
		if id == nil {
			return
		}
		if o := f.Info.Uses[id]; o != nil && !seen[o] {
			seen[o] = true
			objs = append(objs, o)
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				add(e)
			}
		case *ast.IncDecStmt:
			add(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN && n.Key != nil {
				add(n.Key)
			}
			if n.Tok == token.ASSIGN && n.Value != nil {
				add(n.Value)
			}
		}
		return true
	})
	return objs
}

// DeclaredBy is the variables that the first clause of a for statement declares.
func DeclaredBy(f *File, s ast.Stmt) (objs []types.Object) {
	loop, _ := s.(*ast.ForStmt)
	if loop == nil || loop.Init == nil {
		return nil
	}
	init, _ := loop.Init.(*ast.AssignStmt)
	if init == nil || init.Tok != token.DEFINE {
		return nil
	}
	for _, e := range init.Lhs {
		if o := f.Info.Defs[identOf(e)]; o != nil {
			objs = append(objs, o)
		}
	}
	return objs
}

// variableIn is the variable that an assignment to an expression changes, or a part of it.
func variableIn(e ast.Expr) *ast.Ident {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			return x
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// OwnsElements reports whether the elements of a slice are a variable's alone: it holds literals and what was appended
// to it, and is only indexed, measured and ranged over. Then the slice is as good as an array. Where it need only be
// safe to append to it, others may read it.
func (f *File) OwnsElements(o types.Object, toAppend bool) bool {
	alone, written, shared := map[*ast.Ident]bool{}, map[*ast.Ident]bool{}, map[*ast.Ident]bool{}
	for _, file := range f.files {
		ast.Inspect(file, func(n ast.Node) bool {
			mark(alone, keepsElements(n))
			mark(shared, shares(f, n))
			mark(written, rebinds(n))
			return true
		})
	}
	for id, is := range f.Info.Uses {
		if is == o && (shared[id] || !alone[id] && (!toAppend || written[id])) {
			return false
		}
	}
	for id, is := range f.Info.Defs {
		if is == o && (shared[id] || !alone[id]) {
			return false
		}
	}
	return true
}

// shares is the slices in a piece of syntax that look as if it did not hand them on, but it does: of a function that is
// named like one of Go's own, and of a loop, each round of which has a variable of its own.
func shares(f *File, n ast.Node) (es []ast.Expr) {
	switch n := n.(type) {
	case *ast.CallExpr:
		if name := nameOf(n.Fun); (name == "len" || name == "append") && !f.Info.Types[ast.Unparen(n.Fun)].IsBuiltin() {
			return n.Args
		}
	case *ast.ForStmt:
		if init, ok := n.Init.(*ast.AssignStmt); ok {
			return init.Lhs
		}
	}
	return nil
}

// mark adds the names among expressions to a set.
func mark(set map[*ast.Ident]bool, es []ast.Expr) {
	for _, e := range es {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			set[id] = true
		}
	}
}

// rebinds is what a piece of syntax gives another value, or another name.
func rebinds(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return n.Lhs
	case *ast.RangeStmt:
		return []ast.Expr{n.Key, n.Value}
	case *ast.SelectorExpr:
		return []ast.Expr{n.X} // a method may
	case *ast.CallExpr:
		if id := AppendsTo(n); id != nil {
			return []ast.Expr{id} // what it gives may share elements
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			return []ast.Expr{n.X}
		}
	}
	return nil
}

// keepsElements is the slices in a piece of syntax that it does not hand on.
func keepsElements(n ast.Node) (es []ast.Expr) {
	isLiteral := func(e ast.Expr) bool { _, ok := e.(*ast.CompositeLit); return ok }
	switch n := n.(type) {
	case *ast.IndexExpr:
		return []ast.Expr{n.X}
	case *ast.RangeStmt:
		return []ast.Expr{n.X}
	case *ast.CallExpr:
		if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "len" {
			return n.Args
		}
	case *ast.AssignStmt:
		for i, e := range n.Rhs {
			to := AppendsTo(e) // := may declare another variable of its name
			again := to != nil && n.Tok == token.ASSIGN && to.Name == nameOf(n.Lhs[i])
			if len(n.Rhs) == len(n.Lhs) && (isLiteral(e) || again) {
				es = append(es, n.Lhs[i])
				if to != nil {
					es = append(es, to)
				}
			}
		}
	case *ast.ValueSpec:
		for i, id := range n.Names {
			if len(n.Values) == 0 || len(n.Values) == len(n.Names) && isLiteral(n.Values[i]) {
				es = append(es, id)
			}
		}
	}
	return es
}

// AppendsTo is the variable that a call of append begins with, nil if an expression is none.
func AppendsTo(e ast.Expr) *ast.Ident {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || nameOf(call.Fun) != "append" || len(call.Args) == 0 {
		return nil
	}
	return identOf(ast.Unparen(call.Args[0]))
}

// nameOf is an expression that is a name, or "".
func nameOf(e ast.Expr) string {
	if id := identOf(ast.Unparen(e)); id != nil {
		return id.Name
	}
	return ""
}

// Computes reports whether a call only computes.
func (f *File) Computes(e *ast.CallExpr) bool {
	fun := ast.Unparen(e.Fun)
	if t := f.Info.Types[fun]; t.IsType() || t.IsBuiltin() {
		return true
	}
	s, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	if p := f.PackageOf(s); p != nil {
		return p.Imported().Path() == MathPath || s.Sel.Name == "Cdiv" || s.Sel.Name == "NextPow2"
	}
	switch s.Sel.Name {
	case "ID", "Num", "Dim", "Shape", "Int":
		sel := f.Info.Selections[s]
		return sel != nil && IsForeign(Deref(sel.Recv()))
	}
	return false
}

// Instantiated is the name of the function that a call instantiates.
func Instantiated(fun ast.Expr) *ast.Ident {
	switch f := fun.(type) {
	case *ast.Ident:
		return f
	case *ast.IndexExpr:
		return identOf(f.X)
	case *ast.IndexListExpr:
		return identOf(f.X)
	}
	return nil
}

// ResultCount is how many results a call has; one that go/types found wrong has one.
func (f *File) ResultCount(e *ast.CallExpr) int {
	if t, ok := f.Info.TypeOf(e).(*types.Tuple); ok {
		return t.Len()
	}
	return 1
}

// Breaks reports whether a break within n leaves it: one without a label that stands
// in no inner loop or switch, or one with its label.
func Breaks(n ast.Node, label string) (found bool) {
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.SelectStmt, *ast.TypeSwitchStmt:
			if m != n {
				found = found || label != "" && breaksLabel(m, label)
				return false
			}
		case *ast.BranchStmt:
			if m.Tok == token.BREAK && (m.Label == nil || m.Label.Name == label) {
				found = true
			}
		}
		return !found
	})
	return found
}

func breaksLabel(n ast.Node, label string) (found bool) {
	ast.Inspect(n, func(m ast.Node) bool {
		if b, ok := m.(*ast.BranchStmt); ok && b.Tok == token.BREAK && b.Label != nil && b.Label.Name == label {
			found = true
		}
		return !found
	})
	return found
}

// PackageOf is the package that the left side of a selector names, if it does.
func (f *File) PackageOf(e *ast.SelectorExpr) *types.PkgName {
	id, ok := e.X.(*ast.Ident)
	if !ok {
		return nil
	}
	p, _ := f.Info.Uses[id].(*types.PkgName)
	return p
}

func identOf(e ast.Expr) *ast.Ident {
	id, _ := e.(*ast.Ident)
	return id
}
