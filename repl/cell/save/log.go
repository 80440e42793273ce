package save

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/check"
	"github.com/tiler-go/tiler/repl/lower"
)

// A Log is the statements of cells in plain Go, with names of variables that tell apart those which were defined anew
// with another type.
type Log struct {
	scope  *check.Scope // what is defined
	stmts  []logged
	vars   map[types.Object]int // variables of cells, those that are one with one number
	serial int
}

// NewLog is the log of cells that define things in scope.
func NewLog(scope *check.Scope) *Log { return &Log{scope: scope, vars: map[types.Object]int{}} }

// number gives a variable a number of its own.
func (l *Log) number(v types.Object) {
	l.serial++
	l.vars[v] = l.serial
}

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
	return markOpen + name + ":" + strconv.Itoa(number) + markClose
}

// Add keeps what the cell does besides declaring functions, types and constants.
func (l *Log) Add(c *check.Check, u *lower.Unit) {
	for _, v := range u.Keep {
		old := u.Same[v]
		if old == nil {
			l.number(v)
			continue
		}
		l.vars[v] = l.vars[old]
	}
	for _, v := range u.Stands {
		l.vars[v] = l.vars[u.Same[v]]
	}
	if c.Program() || l.scope.Sources[c.Cell].Name == check.Argument {
		return
	}
	b := &logger{log: l, c: c, u: u}
	b.mark = func(id *ast.Ident) string {
		o := c.Info.Uses[id]
		if o == nil {
			o = c.Info.Defs[id]
		}
		if n := l.vars[o]; n > 0 {
			return marked(id.Name, n)
		}
		return ""
	}
	c.Sugar.Mark = b.mark
	defer func() { c.Sugar.Mark = nil }()
	for _, g := range c.VarDecls() {
		b.vars(g)
	}
	for _, stmt := range c.TopStmts() {
		b.stmt(stmt)
	}
}

// A logger keeps the statements of one cell.
type logger struct {
	log  *Log
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
	b.log.stmts = append(b.log.stmts, l)
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
			b.log.stmts[len(b.log.stmts)-1].define = false
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
			typ = b.log.scope.TypeText(b.c.Info.ObjectOf(id).Type())
		}
		l.lhs, l.types = append(l.lhs, name), append(l.types, typ)
	}
	var texts []string
	for _, e := range rhs {
		texts = append(texts, b.c.PlainText(e))
	}
	l.rhs = strings.Join(texts, ", ")
	b.log.stmts = append(b.log.stmts, l)
}

// Name gives the nth value that a cell showed to a variable of a type: the statement that showed it becomes a
// definition, which is then shown, so that a program that is saved has the value, too. The variable is one with same,
// if that is not nil.
func (l *Log) Name(v, same types.Object, t types.Type, cell, nth int) {
	if n, ok := l.vars[same]; ok && same != nil {
		l.vars[v] = n
	} else {
		l.number(v)
	}
	for i, stmt := range l.stmts {
		if stmt.cell != cell || !stmt.shown {
			continue
		}
		if nth--; nth != 0 {
			continue
		}
		mark := marked(v.Name(), l.vars[v])
		def := logged{cell: cell, lhs: []string{mark}, types: []string{l.scope.TypeText(t)}, rhs: stmt.text, define: true}
		for range stmt.results - 1 {
			def.lhs, def.types = append(def.lhs, "_"), append(def.types, "")
		}
		stmt.text, stmt.results = mark, 1
		l.stmts = append(l.stmts[:i:i], append([]logged{def, stmt}, l.stmts[i+1:]...)...)
		return
	}
}
