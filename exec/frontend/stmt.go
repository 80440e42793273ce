package frontend

import (
	"go/ast"
	"go/token"

	"github.com/tiler-go/tiler/exec/frontend/flow"
	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// list lowers statements in order, as far as control reaches. tail says that its end
// is the end of the innermost region.
func (l *lowering) list(stmts []ast.Stmt, tail bool) {
	for i, s := range stmts {
		after := stmts[i+1:]
		var rest func(tail bool)
		if len(after) > 0 {
			rest = func(tail bool) { l.list(after, tail) }
		}
		if l.stmt(s, after, rest, tail) || l.Flow.Kind != flow.Falls {
			return
		}
	}
}

// stmt lowers a statement. after is what follows it, and rest lowers that; stmt
// reports whether it has done so.
func (l *lowering) stmt(s ast.Stmt, after []ast.Stmt, rest func(tail bool), tail bool) (consumed bool) {
	l.Frame.Reads = l.Frame.Reads[:0]
	switch s := s.(type) {
	case *ast.EmptyStmt:
	case *ast.ExprStmt:
		l.exprStmt(s)
	case *ast.AssignStmt:
		l.assign(s)
	case *ast.IncDecStmt:
		l.incDec(s)
	case *ast.DeclStmt:
		l.declStmt(s)
	case *ast.BlockStmt:
		l.list(joined(s.List, after), tail)
		return true
	case *ast.IfStmt:
		return l.ifStmt(s, after, rest, tail)
	case *ast.SwitchStmt:
		return l.switchStmt(s, "", after, rest, tail)
	case *ast.ForStmt:
		l.forStmt(s, "")
	case *ast.RangeStmt:
		l.rangeStmt(s, "")
	case *ast.ReturnStmt:
		l.returnStmt(s)
	case *ast.BranchStmt:
		l.branchStmt(s)
	case *ast.LabeledStmt:
		return l.labeled(s, after, rest, tail)
	default:
		l.RefuseStatement(s)
	}
	return false
}

func joined(a, b []ast.Stmt) []ast.Stmt {
	if len(b) == 0 {
		return a
	}
	return append(append(make([]ast.Stmt, 0, len(a)+len(b)), a...), b...)
}

func (l *lowering) exprStmt(s *ast.ExprStmt) {
	if call, ok := ast.Unparen(s.X).(*ast.CallExpr); ok {
		l.call(call)
		return
	}
	l.expr(s.X)
}

// values is the values of expressions, one of which may be a call with several.
func (l *lowering) values(es []ast.Expr, n int) []value.Value {
	if len(es) == 1 && n > 1 {
		if call, ok := ast.Unparen(es[0]).(*ast.CallExpr); ok {
			vs := l.call(call)
			for len(vs) < n {
				vs = append(vs, value.Bad)
			}
			return vs
		}
		l.expr(es[0]) // of two values, which no expression of a kernel has
		return make([]value.Value, n)
	}
	vs := make([]value.Value, n)
	for i, e := range es {
		v := l.expr(e)
		if i < n {
			vs[i] = v
		}
	}
	return vs
}

func (l *lowering) assign(s *ast.AssignStmt) {
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		p := placeOf(l, s.Lhs[0])
		x := p.value(l)
		l.Frame.Read(p.Ref, p.e.Pos())
		p.assign(l, l.Operator(s.Tok-token.ADD_ASSIGN+token.ADD, s.TokPos, x, l.expr(s.Rhs[0])))
		return
	}
	places := places(l, s)
	vs := l.values(s.Rhs, len(s.Lhs))
	for i, e := range s.Lhs {
		id, isName := e.(*ast.Ident)
		if o := l.File.Info.Defs[id]; s.Tok == token.DEFINE && isName && o != nil {
			if vs[i].Kind == value.Poison {
				l.Suspect(id.Pos())
			}
			l.Declare(o, id.Name, vs[i], id.Pos())
			continue
		}
		places[i].assign(l, vs[i])
	}
}

// places is where an assignment goes: as in Go, indices are evaluated ahead of what is assigned.
func places(l *lowering, s *ast.AssignStmt) []place {
	ps := make([]place, len(s.Lhs))
	for i, e := range s.Lhs {
		ps[i] = placeOf(l, e)
	}
	for i, p := range ps {
		for _, o := range ps {
			if p.Var != nil && p.Var == o.Var && p.Var.Val.Kind == value.ListKind && len(p.Path) > len(o.Path) {
				l.Refuse(s.Pos(), "an assignment to a slice and to its element", "", "use two statements")
				ps[i] = place{e: p.e}
			}
		}
	}
	return ps
}

func (l *lowering) incDec(s *ast.IncDecStmt) {
	o := token.ADD
	if s.Tok == token.DEC {
		o = token.SUB
	}
	p := placeOf(l, s.X)
	x := p.value(l)
	if x.Kind != value.ScalarKind {
		return
	}
	unit := value.Value{Kind: value.ScalarKind, Basic: x.Basic, Known: true, Bits: dtype.FromInt(x.DType(), 1, false)}
	p.assign(l, l.Operator(o, s.TokPos, x, unit))
}

func (l *lowering) declStmt(s *ast.DeclStmt) {
	d, ok := s.Decl.(*ast.GenDecl)
	if !ok || d.Tok != token.VAR {
		return
	}
	for _, spec := range d.Specs {
		s, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		var vs []value.Value
		if len(s.Values) > 0 {
			vs = l.values(s.Values, len(s.Names))
		}
		for i, id := range s.Names {
			o := l.File.Info.Defs[id]
			if o == nil {
				continue
			}
			if vs == nil {
				l.Declare(o, id.Name, l.Zero(o.Type(), id.Pos()), id.Pos())
			} else {
				l.Declare(o, id.Name, vs[i], id.Pos())
			}
		}
	}
}

func (l *lowering) ifStmt(s *ast.IfStmt, after []ast.Stmt, rest func(bool), tail bool) bool {
	if s.Init != nil {
		l.stmt(s.Init, nil, nil, false)
	}
	var otherwise []ast.Stmt
	if s.Else != nil {
		otherwise = []ast.Stmt{s.Else}
	}
	cond := l.expr(s.Cond)
	if cond.Kind != value.ScalarKind {
		l.Suspect(s.Cond.Pos())
		l.both(s.Body.List, otherwise)
		return false
	}
	if cond.Known {
		if cond.Bool() {
			otherwise = s.Body.List
		}
		l.list(joined(otherwise, after), tail)
		return true
	}
	return l.Branch(s.If, cond.IR,
		func(tail bool) { l.list(s.Body.List, tail) },
		func(tail bool) { l.list(otherwise, tail) }, rest, tail)
}

// both lowers the sides of a branch whose condition was refused, for their messages.
func (l *lowering) both(sides ...[]ast.Stmt) {
	mark, seq := len(l.Journal), l.Seq
	var written []*value.Variable
	for _, side := range sides {
		l.list(side, false)
		l.Flow = flow.Flow{}
		written = append(written, l.Since(mark, seq).Variables()...)
		l.Undo(mark)
	}
	for _, x := range written {
		l.Set(x, value.Bad, x.At)
	}
}

func (l *lowering) returnStmt(s *ast.ReturnStmt) {
	r := l.Regions[0]
	for _, x := range l.Regions {
		if x.Kind == flow.Function {
			r = x
		}
	}
	if r.Kind == flow.Kernel {
		l.At(s.Pos())
		l.Leave(r)
		return
	}
	results := l.Frame.Results
	if len(s.Results) > 0 {
		for i, v := range l.values(s.Results, len(results)) {
			l.Set(results[i], v, s.Results[min(i, len(s.Results)-1)].Pos())
		}
	}
	l.At(s.Pos())
	l.Leave(r)
}

func (l *lowering) branchStmt(s *ast.BranchStmt) {
	label := ""
	if s.Label != nil {
		label = s.Label.Name
	}
	switch s.Tok {
	case token.GOTO:
		l.Refuse(s.Pos(), "goto", "", "use a loop with break and continue")
		return
	case token.FALLTHROUGH:
		l.Refuse(s.Pos(), "fallthrough", "", "list the values in one case, or call a function from both")
		return
	}
	for i := len(l.Regions) - 1; i >= 0; i-- {
		r := l.Regions[i]
		if r.Kind == flow.Function {
			return // go/types has said that there is nothing to leave
		}
		leaves := r.Kind == flow.Loop || r.Kind == flow.Switch
		if s.Tok == token.CONTINUE {
			leaves = r.Kind == flow.Body
		}
		if leaves && (label == "" || r.Label == label) {
			l.At(s.Pos())
			l.Leave(r)
			return
		}
	}
}

func (l *lowering) labeled(s *ast.LabeledStmt, after []ast.Stmt, rest func(bool), tail bool) bool {
	switch inner := s.Stmt.(type) {
	case *ast.ForStmt:
		l.forStmt(inner, s.Label.Name)
	case *ast.RangeStmt:
		l.rangeStmt(inner, s.Label.Name)
	case *ast.SwitchStmt:
		return l.switchStmt(inner, s.Label.Name, after, rest, tail)
	default:
		return l.stmt(inner, after, rest, tail)
	}
	return false
}
