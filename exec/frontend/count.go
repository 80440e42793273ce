package frontend

import (
	"go/ast"
	"go/token"
	"go/types"
)

// countedFor recognises for i := lo; i < hi; i += step, or i > hi and i -= step, with a step that is known, a bound that
// the body does not change, and an index that it does not assign.
func (p *loop) countedFor(s *ast.ForStmt) {
	l := p.l
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE || len(init.Lhs) != 1 {
		return
	}
	id, ok := init.Lhs[0].(*ast.Ident)
	if !ok {
		return
	}
	i := l.f.info.Defs[id]
	x := l.frame.lookup(i)
	if x == nil || x.val.kind != scalarKind || x.val.basic != types.Int || !p.steps(s.Post, i) {
		return
	}
	for _, o := range l.assigned(s.Body) {
		if o == i {
			return
		}
	}
	bound, inclusive := p.bound(s.Cond, i)
	if bound == nil || !p.invariant(bound) {
		return
	}
	hi := l.expr(bound)
	if hi.kind != scalarKind {
		return
	}
	if inclusive {
		more := int64(1)
		if p.step < 0 {
			more = -1
		}
		if hi.known && hi.int()+more > hi.int() != (more > 0) {
			return
		}
		l.at(bound.Pos())
		hi = l.scalarBinary(token.ADD, bound.Pos(), hi, intValue(int(more)))
	}
	p.counts, p.index, p.lo, p.hi = true, i, x.val, hi
}

// steps recognises i++, i += c and i = i + c, for a known c above 0, and the same with minus.
func (p *loop) steps(s ast.Stmt, i types.Object) bool {
	l := p.l
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && l.f.info.Uses[id] == i
	}
	var by ast.Expr
	sign := int64(1)
	switch s := s.(type) {
	case *ast.IncDecStmt:
		p.step = 1
		if s.Tok == token.DEC {
			p.step = -1
		}
		return is(s.X)
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || !is(s.Lhs[0]) {
			return false
		}
		sum, isSum := s.Rhs[0].(*ast.BinaryExpr)
		switch {
		case s.Tok == token.ADD_ASSIGN || s.Tok == token.SUB_ASSIGN:
			by = s.Rhs[0]
		case s.Tok == token.ASSIGN && isSum && (sum.Op == token.ADD || sum.Op == token.SUB) && is(sum.X):
			by = sum.Y
		default:
			return false
		}
		if s.Tok == token.SUB_ASSIGN || isSum && s.Tok == token.ASSIGN && sum.Op == token.SUB {
			sign = -1
		}
	default:
		return false
	}
	if !p.invariant(by) {
		return false
	}
	v := l.expr(by)
	if v.kind != scalarKind || !v.known || v.int() <= 0 {
		return false
	}
	p.step = sign * v.int()
	return true
}

// bound is the other side of a comparison with the index.
func (p *loop) bound(cond ast.Expr, i types.Object) (hi ast.Expr, inclusive bool) {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return nil, false
	}
	less := map[token.Token]bool{token.LSS: true, token.LEQ: true, token.GTR: false, token.GEQ: false}
	left, compares := less[b.Op]
	x, y := ast.Unparen(b.X), ast.Unparen(b.Y)
	for _, side := range []struct {
		index, hi ast.Expr
		below     bool
	}{{x, y, left}, {y, x, !left}} {
		id, ok := side.index.(*ast.Ident)
		if ok && compares && p.l.f.info.Uses[id] == i && side.below == (p.step > 0) {
			return side.hi, b.Op == token.LEQ || b.Op == token.GEQ
		}
	}
	return nil, false
}

// invariant reports whether an expression has the same value in every round and can
// be evaluated before the first: it is computed from variables that the loop does
// not assign, without memory.
func (p *loop) invariant(e ast.Expr) bool {
	l := p.l
	ok := true
	changed := map[types.Object]bool{}
	for _, o := range l.assigned(p.stmt) {
		changed[o] = true
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			o, isVar := l.f.info.Uses[n].(*types.Var)
			if !isVar {
				return true
			}
			if x := l.frame.lookup(o); x != nil && !changed[o] {
				p.fixed = append(p.fixed, x)
			} else {
				ok = false
			}
		case *ast.CallExpr:
			ok = ok && l.invariantCall(n)
		case *ast.SelectorExpr:
			ast.Inspect(n.X, func(m ast.Node) bool { return ok })
		case *ast.FuncLit, *ast.CompositeLit:
			ok = false
		case *ast.BinaryExpr:
			// Division fails where Go's does, in the first evaluation of the condition.
		}
		return ok
	})
	return ok
}

// invariantCall reports whether a call only computes.
func (l *lowering) invariantCall(e *ast.CallExpr) bool {
	fun := ast.Unparen(e.Fun)
	if t := l.f.info.Types[fun]; t.IsType() || t.IsBuiltin() {
		return true
	}
	s, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	if p := l.packageOf(s); p != nil {
		return p.Imported().Path() == mathPath || s.Sel.Name == "Cdiv" || s.Sel.Name == "NextPow2"
	}
	switch s.Sel.Name {
	case "ID", "Num", "Dim", "Shape":
		return true
	}
	return false
}

// rounds is how often a counting loop runs, -1 if that is not known.
func (p *loop) rounds() int64 {
	if !p.counts || !p.lo.known || !p.hi.known {
		return -1
	}
	lo, hi, step := p.lo.int(), p.hi.int(), p.step
	if step < 0 {
		lo, hi, step = hi, lo, -step
	}
	if hi <= lo {
		return 0
	}
	n := uint64(hi) - uint64(lo)
	return int64(min((n-1)/uint64(step)+1, 1<<62))
}
