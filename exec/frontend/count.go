package frontend

import (
	"go/ast"
	"go/token"
	"go/types"
	"math"

	"github.com/tiler-go/tiler/exec/frontend/value"
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
	i := l.File.Info.Defs[id]
	x := l.Frame.Lookup(i)
	if x == nil || x.Val.Kind != value.ScalarKind || x.Val.Basic != types.Int || !p.steps(s.Post, i) {
		return
	}
	for _, o := range l.Assigned(s.Body) {
		if o == i {
			return
		}
	}
	bound, inclusive := p.bound(s.Cond, i)
	if bound == nil || !p.invariant(bound) {
		return
	}
	hi := l.expr(bound)
	if hi.Kind != value.ScalarKind {
		return
	}
	if inclusive {
		past, last := 1, int64(math.MaxInt64)
		if p.step < 0 {
			past, last = -1, math.MinInt64
		}
		if hi.Known && hi.Int() == last {
			return
		}
		l.At(bound.Pos())
		hi = l.ScalarBinary(token.ADD, bound.Pos(), hi, value.Int(past))
	}
	p.counts, p.index, p.lo, p.hi = true, i, x.Val, hi
}

// steps recognises i++, i += c and i = i + c, for a known c above 0, and the same with minus.
func (p *loop) steps(s ast.Stmt, i types.Object) bool {
	signs := map[token.Token]int64{
		token.INC: 1, token.ADD: 1, token.ADD_ASSIGN: 1, token.DEC: -1, token.SUB: -1, token.SUB_ASSIGN: -1,
	}
	switch s := s.(type) {
	case *ast.IncDecStmt:
		p.step = signs[s.Tok]
		return p.is(s.X, i)
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || !p.is(s.Lhs[0], i) {
			return false
		}
		o, by := s.Tok, s.Rhs[0]
		if sum, ok := by.(*ast.BinaryExpr); ok && o == token.ASSIGN && p.is(sum.X, i) {
			o, by = sum.Op, sum.Y
		}
		if signs[o] == 0 || !p.invariant(by) {
			return false
		}
		if v := p.l.expr(by); v.Kind == value.ScalarKind && v.Known && v.Int() > 0 {
			p.step = signs[o] * v.Int()
			return true
		}
	}
	return false
}

// is reports whether an expression is a variable.
func (p *loop) is(e ast.Expr, i types.Object) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && p.l.File.Info.Uses[id] == i
}

// bound is the other side of a comparison with the index.
func (p *loop) bound(cond ast.Expr, i types.Object) (hi ast.Expr, inclusive bool) {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return nil, false
	}
	below, inclusive := b.Op == token.LSS || b.Op == token.LEQ, b.Op == token.LEQ || b.Op == token.GEQ
	switch up := p.step > 0; {
	case !below && b.Op != token.GTR && b.Op != token.GEQ:
	case p.is(b.X, i) && below == up:
		return ast.Unparen(b.Y), inclusive
	case p.is(b.Y, i) && below != up:
		return ast.Unparen(b.X), inclusive
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
	for _, o := range l.Assigned(p.stmt) {
		changed[o] = true
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			o, isVar := l.File.Info.Uses[n].(*types.Var)
			if !isVar {
				return true
			}
			if l.File.IsGlobal(o) {
				return true // it is never assigned, or refused
			}
			if x := l.Frame.Lookup(o); x != nil && !changed[o] {
				p.fixed = x.Val.Targets(append(p.fixed, x))
			} else {
				ok = false
			}
		case *ast.SelectorExpr:
			if _, isField := isField(l.File, n); isField {
				ok = ok && p.invariant(n.X)
				return false
			}
		case *ast.CallExpr:
			ok = ok && l.File.Computes(n)
		case *ast.FuncLit, *ast.CompositeLit:
			ok = false
		} // division fails where Go's does, in the first evaluation of the condition
		return ok
	})
	return ok
}

// rounds is how often a counting loop runs, -1 if that is not known.
func (p *loop) rounds() int64 {
	if !p.counts || !p.lo.Known || !p.hi.Known {
		return -1
	}
	lo, hi, step := p.lo.Int(), p.hi.Int(), p.step
	if step < 0 {
		lo, hi, step = hi, lo, -step
	}
	if hi <= lo {
		return 0
	}
	n := uint64(hi) - uint64(lo)
	return int64(min((n-1)/uint64(step)+1, 1<<62))
}
