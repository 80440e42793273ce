package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/tiler-go/tiler/exec/frontend/flow"
	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/tilelang/op"
)

// switchStmt lowers a switch as the chain of ifs that it is.
func (l *lowering) switchStmt(s *ast.SwitchStmt, label string, after []ast.Stmt, rest func(bool), tail bool) bool {
	if s.Init != nil {
		l.stmt(s.Init, nil, nil, false)
	}
	tag := value.Bool(true)
	if s.Tag != nil {
		tag = l.expr(s.Tag)
		l.Frame.Reads = l.Frame.Reads[:0]
	}
	c := &cases{l: l, tag: tag, bare: s.Tag == nil}
	for _, stmt := range s.Body.List {
		clause := stmt.(*ast.CaseClause)
		if clause.List == nil {
			c.byDefault = clause
		} else {
			c.clauses = append(c.clauses, clause)
		}
	}
	if !gofile.Breaks(s.Body, label) {
		c.after = after
		return c.lower(0, rest, tail)
	}
	l.Breakable(&flow.Region{Kind: flow.Switch, Label: label}, s.Pos(), func() { c.lower(0, nil, true) })
	return false
}

// cases is a switch being lowered.
type cases struct {
	l         *lowering
	tag       value.Value
	bare      bool
	clauses   []*ast.CaseClause
	byDefault *ast.CaseClause
	after     []ast.Stmt
}

// lower lowers the clauses from i on.
func (c *cases) lower(i int, rest func(bool), tail bool) bool {
	l := c.l
	if i == len(c.clauses) {
		return c.body(c.byDefault, tail)
	}
	clause := c.clauses[i]
	cond := c.matches(clause.List)
	switch {
	case cond.Kind != value.ScalarKind:
		l.Suspect(clause.Pos())
		l.both(clause.Body)
		return c.lower(i+1, rest, tail)
	case cond.Known && !cond.Bool():
		return c.lower(i+1, rest, tail)
	case cond.Known:
		return c.body(clause, tail)
	}
	// Within a branch, what follows the switch is rest, not part of a clause.
	inner := *c
	inner.after = nil
	return l.Branch(clause.Pos(), cond.IR,
		func(tail bool) { inner.body(clause, tail) },
		func(tail bool) { inner.lower(i+1, nil, tail) }, rest, tail)
}

// body is a clause that is certainly taken, and what follows the switch.
func (c *cases) body(clause *ast.CaseClause, tail bool) bool {
	var stmts []ast.Stmt
	if clause != nil {
		stmts = clause.Body
	}
	c.l.list(joined(stmts, c.after), tail)
	return len(c.after) > 0
}

// matches is whether the tag equals one of a clause's values.
func (c *cases) matches(es []ast.Expr) value.Value {
	l := c.l
	z := value.Bool(false)
	for _, e := range es {
		v := l.expr(e)
		if !c.bare {
			v = l.Operator(token.EQL, e.Pos(), c.tag, v)
		}
		if v.Kind != value.ScalarKind {
			z = value.Bad
			continue
		}
		switch {
		case z.Kind != value.ScalarKind || z.Known && z.Bool():
		case v.Known && v.Bool():
			z = v
		case v.Known:
		case z.Known:
			z = v
		default:
			l.At(e.Pos())
			z = l.Apply(op.Or, types.Bool, z, v)
		}
	}
	return z
}
