package cell

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/check"
	"github.com/tiler-go/tiler/repl/lower"
)

// The statements of cells are kept in plain Go, for saving: with names of variables
// that tell apart those which were defined anew with another type.

// A logged is a statement of a cell.
type logged struct {
	cell int
	text string // names of the session's variables are marked
	// A definition or declaration is these instead.
	lhs     []string // marked, or _
	types   []string // of those
	rhs     string   // "" for a declaration without values
	define  bool
	shown   bool // an expression whose value was shown
	results int  // how many it has
}

// A marked name is written ‹name:number›: characters that Go text has in strings and
// comments at most.
const markOpen, markClose = "‹ſ", "ſ›"

func marked(name string, number int) string {
	return markOpen + name + ":" + itoa(number) + markClose
}

// logStmts keeps what the cell does besides declaring functions, types and constants.
func (s *Session) logStmts(c *check.Check, u *lower.Unit) {
	for _, v := range u.Keep {
		old := u.Same[v]
		if old == nil {
			s.varSerial++
			s.varIDs[v] = s.varSerial
			continue
		}
		s.varIDs[v] = s.varIDs[old]
	}
	for _, v := range u.Stands {
		s.varIDs[v] = s.varIDs[u.Same[v]]
	}
	if c.Program() || s.scope.Sources[c.Cell].Name == check.Argument {
		return
	}
	l := &logger{s: s, c: c, u: u}
	l.mark = func(id *ast.Ident) string {
		o := c.Info.Uses[id]
		if o == nil {
			o = c.Info.Defs[id]
		}
		if n := s.varIDs[o]; n > 0 {
			return marked(id.Name, n)
		}
		return ""
	}
	c.Sugar.Mark = l.mark
	defer func() { c.Sugar.Mark = nil }()
	for _, g := range c.VarDecls() {
		l.vars(g)
	}
	for _, stmt := range c.TopStmts() {
		l.stmt(stmt)
	}
}

// A logger keeps the statements of one cell.
type logger struct {
	s    *Session
	c    *check.Check
	u    *lower.Unit
	mark func(*ast.Ident) string
}

func (b *logger) stmt(stmt ast.Stmt) {
	switch x := stmt.(type) {
	case *ast.DeclStmt:
		if g := x.Decl.(*ast.GenDecl); g.Tok == token.VAR {
			b.vars(g)
		}
		return
	case *ast.AssignStmt:
		if x.Tok == token.DEFINE {
			b.define(x.Lhs, x.Rhs)
			return
		}
	}
	l := logged{cell: b.c.Cell, text: b.c.PlainText(stmt)}
	if e, ok := stmt.(*ast.ExprStmt); ok {
		t, tuple := b.c.Info.TypeOf(e.X).(*types.Tuple)
		l.shown, l.results = b.u.Show[e] && !(tuple && t.Len() == 0), 1
		if tuple {
			l.results = t.Len()
		}
		if _, call := ast.Unparen(e.X).(*ast.CallExpr); !call && !l.shown {
			return
		}
	}
	b.s.log = append(b.s.log, l)
}

func (b *logger) vars(g *ast.GenDecl) {
	for _, spec := range g.Specs {
		v := spec.(*ast.ValueSpec)
		lhs := make([]ast.Expr, len(v.Names))
		for i, id := range v.Names {
			lhs[i] = id
		}
		b.define(lhs, v.Values)
		if v.Type != nil {
			b.s.log[len(b.s.log)-1].define = false
		}
	}
}

func (b *logger) define(lhs, rhs []ast.Expr) {
	l := logged{cell: b.c.Cell, define: len(rhs) > 0}
	for _, e := range lhs {
		id, _ := e.(*ast.Ident)
		name, typ := "_", ""
		if id != nil && id.Name != "_" {
			name = b.mark(id)
			typ = b.s.scope.TypeText(b.c.Info.ObjectOf(id).Type())
		}
		l.lhs, l.types = append(l.lhs, name), append(l.types, typ)
	}
	var texts []string
	for _, e := range rhs {
		texts = append(texts, b.c.PlainText(e))
	}
	l.rhs = strings.Join(texts, ", ")
	b.s.log = append(b.s.log, l)
}
