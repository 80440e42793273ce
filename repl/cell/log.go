package cell

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

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
func (c *check) logStmts(u *lower.Unit) {
	s := c.s
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
	if c.program() || s.sources[c.cell].name == argument {
		return
	}
	c.sugar.Mark = func(id *ast.Ident) string {
		o := c.info.Uses[id]
		if o == nil {
			o = c.info.Defs[id]
		}
		if n := s.varIDs[o]; n > 0 {
			return marked(id.Name, n)
		}
		return ""
	}
	defer func() { c.sugar.Mark = nil }()
	for _, f := range c.decls {
		if c.parts[c.fset.File(f.Package)].dep != nil {
			continue
		}
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				c.logVars(g)
			}
		}
	}
	for _, stmt := range c.topStmts() {
		c.logStmt(stmt, u)
	}
}

func (c *check) logStmt(stmt ast.Stmt, u *lower.Unit) {
	switch x := stmt.(type) {
	case *ast.DeclStmt:
		if g := x.Decl.(*ast.GenDecl); g.Tok == token.VAR {
			c.logVars(g)
		}
		return
	case *ast.AssignStmt:
		if x.Tok == token.DEFINE {
			c.logDefine(x.Lhs, x.Rhs)
			return
		}
	}
	l := logged{cell: c.cell, text: c.plainText(stmt)}
	if e, ok := stmt.(*ast.ExprStmt); ok {
		t, tuple := c.info.TypeOf(e.X).(*types.Tuple)
		l.shown, l.results = u.Show[e] && !(tuple && t.Len() == 0), 1
		if tuple {
			l.results = t.Len()
		}
		if _, call := ast.Unparen(e.X).(*ast.CallExpr); !call && !l.shown {
			return
		}
	}
	c.s.log = append(c.s.log, l)
}

func (c *check) logVars(g *ast.GenDecl) {
	for _, spec := range g.Specs {
		v := spec.(*ast.ValueSpec)
		lhs := make([]ast.Expr, len(v.Names))
		for i, id := range v.Names {
			lhs[i] = id
		}
		c.logDefine(lhs, v.Values)
		if v.Type != nil {
			c.s.log[len(c.s.log)-1].define = false
		}
	}
}

func (c *check) logDefine(lhs, rhs []ast.Expr) {
	l := logged{cell: c.cell, define: len(rhs) > 0}
	for _, e := range lhs {
		id, _ := e.(*ast.Ident)
		name, typ := "_", ""
		if id != nil && id.Name != "_" {
			name = c.sugar.Mark(id)
			typ = c.s.typeText(c.info.ObjectOf(id).Type())
		}
		l.lhs, l.types = append(l.lhs, name), append(l.types, typ)
	}
	var texts []string
	for _, e := range rhs {
		texts = append(texts, c.plainText(e))
	}
	l.rhs = strings.Join(texts, ", ")
	c.s.log = append(c.s.log, l)
}
