package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/repl/lower/exprs"
	"github.com/tiler-go/tiler/repl/lower/naming"
	"github.com/tiler-go/tiler/repl/lower/source"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// Package is the path of the package that the type checker takes a session's code
// for.
const Package = source.Package

// Host is the import path, and the name in lowered code, of the host's functions.
const Host = naming.Host

// A Unit is what is lowered together: a cell, with the functions of earlier cells
// that must follow it, or a file.
type Unit struct {
	Info  *types.Info
	Funcs []*ast.FuncDecl // functions and methods

	// Methods says which functions are methods of types of earlier cells: they are
	// declared as functions whose first parameter is the receiver.
	Methods map[*types.Func]*types.Func

	Variables
	Inits []*types.Initializer   // of package-level variables, in order
	Body  []ast.Stmt             // the cell's statements
	Show  map[*ast.ExprStmt]bool // those of Body whose value goes to the host
	Main  *types.Func            // called after everything else; nil for a cell
	Step  *types.Func            // given to the host
	Told  map[*types.Func]bool   // the host is told of each of their statements

	Line func(token.Pos) int      // a position as the number that lowered code marks it with
	Pos  func(token.Pos) diag.Pos // and as messages say it
}

// Variables are what becomes of those of a unit, and of earlier cells.
type Variables struct {
	Keep   []*types.Var                // outlive the unit
	Same   map[*types.Var]types.Object // are those of earlier cells
	Stands []*types.Var                // stand for variables of Keep in functions, as Same says
	Given  []*types.Var                // get values from the host
	Drop   []types.Object              // of earlier cells: nothing refers to them any more
	Reset  []*types.Var                // get their zero value first
}

// Check is what of a unit is valid Go and cannot be lowered, or would not mean the
// same.
func (u *Unit) Check() diag.List { return source.Check(u.Info, u.Funcs, u.Body, u.Pos) }

// Code is a lowered unit: a Go file for the interpreter. Running it runs the unit.
type Code struct {
	Text    string
	Imports []string // packages that no earlier code imported
}

// A compiler lowers one unit.
type compiler struct {
	assigner
	u     *Unit
	fn    *function
	at    token.Pos // of the statement that is being lowered
	jumps []jump    // that it is inside of
}

// A World is what the cells of a session share.
type World struct{ *naming.Table }

// NewWorld is a session's world.
func NewWorld() *World { return &World{naming.NewTable()} }

// Lower compiles a unit. On an error the world is as it was; after success the
// caller may still undo it with Rollback.
func (w *World) Lower(u *Unit) (code *Code, err error) {
	c := &compiler{u: u}
	c.Compiler = exprs.NewCompiler(naming.NewFile(w.Table, source.Checked{Info: u.Info, Line: u.Line}), c.closure)
	w.Begin()
	defer func() {
		if r := recover(); r != nil {
			why, ok := r.(source.Unsupported)
			if !ok {
				panic(r)
			}
			w.Rollback()
			code, err = nil, diag.At(u.Pos(c.at), "%s", string(why))
		}
	}()
	w.Recovers = w.Recovers || source.Recovers(u.Info)
	for _, v := range u.Keep {
		if old := u.Same[v]; old != nil {
			w.Alias(v, old)
		}
	}
	for _, v := range u.Keep {
		if w.Name(v) == "" {
			c.at = v.Pos()
			c.KeepVar(v)
		}
	}
	for _, v := range u.Stands {
		w.Alias(v, u.Same[v])
	}
	recursive := source.Recursive(u.Info, u.Funcs, u.Methods)
	for _, d := range u.Funcs {
		o, _ := u.Info.Defs[d.Name].(*types.Func)
		c.NameFunc(d, u.Methods[o], recursive[o])
	}
	for _, d := range u.Funcs {
		c.topFunc(d)
	}
	body := c.body()
	for i, ok := c.NextInstance(); ok; i, ok = c.NextInstance() {
		code := c.Checked
		c.Checked = i.Code
		c.funcDecl(i.Decl, i.Func, i.Name)
		c.Checked = code
	}
	return &Code{c.Text(body), c.Paths}, nil
}

// topFunc lowers a declared function.
func (c *compiler) topFunc(d *ast.FuncDecl) {
	o := c.Info.Defs[d.Name].(*types.Func)
	if source.Generic(o) || d.Name.Name == "init" && d.Recv == nil || d.Name.Name == "_" {
		return
	}
	c.funcDecl(d, o, c.Name(o))
	if m := c.u.Methods[o]; m != nil {
		o = m
	}
	if recv := o.Signature().Recv(); recv != nil {
		c.RegisterMethod(o, recv.Type())
	}
}

// body lowers what the unit does when it runs.
func (c *compiler) body() string {
	leave := c.within(&function{
		Frame: &exprs.Frame{Line: "ſl", Cell: len(c.u.Body) > 0},
		sig:   types.NewSignatureType(nil, nil, nil, nil, nil, false),
	})
	c.fn.Prepare(&c.Checked, c.u.Body)
	for _, v := range c.u.Reset {
		if c.u.Same[v] != nil {
			c.put(c.Variable(v), c.Zero(v.Type()), v.Type())
		}
	}
	for i, v := range c.u.Given {
		c.Emit("%s.Set(&%s, %s.Given(%d))\n", naming.Host, c.Variable(v), naming.Host, i)
	}
	for _, init := range c.u.Inits {
		c.at = init.Rhs.Pos()
		c.Mark(init.Rhs)
		var lhs []string
		var ts []types.Type
		for _, v := range init.Lhs {
			if v.Name() == "_" {
				lhs = append(lhs, c.Temp(c.Zero(v.Type()), v.Type()))
				ts = append(ts, v.Type())
				continue
			}
			lhs = append(lhs, c.Variable(v))
			ts = append(ts, v.Type())
		}
		c.assignAll(lhs, ts, []ast.Expr{init.Rhs})
	}
	for _, d := range c.u.Funcs {
		if d.Name.Name == "init" && d.Recv == nil {
			c.Emit("%s()\n", c.funcLit(d.Type, d.Body, types.NewSignatureType(nil, nil, nil, nil, nil, false)))
		}
	}
	for _, s := range c.u.Body {
		c.topStmt(s)
	}
	for _, v := range c.u.Drop {
		c.put(c.Name(v), c.Zero(v.Type()), v.Type())
	}
	if c.u.Step != nil {
		c.Emit("%s.Walk(%s)\n", naming.Host, c.AsValue(c.u.Step, c.Name(c.u.Step), nil))
	}
	if c.u.Main != nil {
		c.Emit("%s\n", c.CallFunc(c.u.Main, c.Name(c.u.Main), nil))
	}
	return leave()
}

// topStmt lowers a statement of a cell, whose value may be shown.
func (c *compiler) topStmt(s ast.Stmt) {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		c.stmt(s)
		return
	}
	c.at = s.Pos()
	t := c.TypeOf(e.X)
	_, void := t.(*types.Tuple)
	switch {
	case !c.u.Show[e] && source.IsCall(e.X):
		c.stmt(s)
	case void && c.u.Show[e] && t.(*types.Tuple).Len() > 0:
		c.Mark(e.X)
		c.showTuple(e.X, t.(*types.Tuple))
	case void:
		c.stmt(s)
	case c.u.Show[e] && source.IsNil(c.Info, e.X):
		c.Emit("%s.Show(%s, 0, nil)\n", naming.Host, c.Frame.Line)
	case c.u.Show[e]:
		c.Mark(e.X)
		c.Emit("%s.Show(%s, %d, %s)\n", naming.Host, c.Frame.Line, c.ID(t), c.Convert(e.X, naming.Any))
	case source.IsNil(c.Info, e.X):
	default:
		c.Mark(e.X)
		c.Emit("%s.Ignore(%s)\n", naming.Host, c.Convert(e.X, naming.Any))
	}
}

func (c *compiler) showTuple(e ast.Expr, t *types.Tuple) {
	names, args := c.Tuple(e, t), []string{c.Frame.Line}
	for i, name := range names {
		args = append(args, fmt.Sprint(c.ID(t.At(i).Type())), c.ConvertText(name, t.At(i).Type(), naming.Any, true))
	}
	c.Emit("%s.ShowAll(%s)\n", naming.Host, strings.Join(args, ", "))
}
