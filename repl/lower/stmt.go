package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/repl/lower/exprs"
	"github.com/tiler-go/tiler/repl/lower/naming"
	"github.com/tiler-go/tiler/repl/lower/source"
)

func (c *compiler) stmts(list []ast.Stmt) {
	for _, s := range list {
		c.stmt(s)
		if c.steps {
			c.step(s)
		}
	}
}

func (c *compiler) block(b *ast.BlockStmt) {
	c.Emit("{\n")
	c.stmts(b.List)
	c.Emit("}")
}

func (c *compiler) stmt(s ast.Stmt) { c.labelled(s, "") }

// labelled lowers a statement that has a label in lowered code.
func (c *compiler) labelled(s ast.Stmt, label string) {
	c.at, c.First = s.Pos(), false
	switch s := s.(type) {
	case *ast.ForStmt:
		c.forStmt(s, label)
		return
	case *ast.RangeStmt:
		c.rangeStmt(s, label)
		return
	case *ast.SwitchStmt:
		c.switchStmt(s, label)
		return
	case *ast.TypeSwitchStmt:
		c.typeSwitch(s, label)
		return
	case *ast.SelectStmt:
		c.selectStmt(s, label)
		return
	}
	if label != "" {
		c.Emit("%s:\n", label)
	}
	switch s := s.(type) {
	case *ast.BlockStmt:
		c.block(s)
		c.Emit("\n")
	case *ast.ExprStmt:
		c.Mark(s)
		c.exprStmt(s.X)
	case *ast.AssignStmt:
		c.Mark(s)
		c.assign(s)
	case *ast.IncDecStmt:
		c.Mark(s)
		c.Emit("%s%s\n", c.Place(s.X), s.Tok)
	case *ast.DeclStmt:
		c.declStmt(s.Decl.(*ast.GenDecl))
	case *ast.IfStmt:
		c.ifStmt(s)
		c.Emit("\n")
	case *ast.ReturnStmt:
		c.returnStmt(s)
	case *ast.LabeledStmt:
		c.labeledStmt(s)
	case *ast.BranchStmt:
		c.branch(s)
	case *ast.GoStmt:
		c.Mark(s)
		c.Emit("%s.Go(%s)\n", naming.Host, c.delayed(s.Call, "ſl *int"))
	case *ast.DeferStmt:
		c.Mark(s)
		c.Emit("%s.Push(%s)\n", c.deferList(), c.delayed(s.Call, ""))
	case *ast.SendStmt:
		c.Mark(s)
		elem := c.TypeOf(s.Chan).Underlying().(*types.Chan).Elem()
		c.Emit("%s.Send(%s, %s)\n", naming.Host, c.Expr(s.Chan), c.Convert(s.Value, elem))
	case *ast.EmptyStmt:
	default:
		source.Refuse("this statement cannot be used here")
	}
}

// deferList is the enclosing function's list of deferred calls.
func (c *compiler) deferList() string {
	if c.fn.defers == "" {
		source.Refuse("defer outside a function: put it in one, func() { defer ...; ... }()")
	}
	return c.fn.defers
}

// exprStmt lowers an expression whose value is not used.
func (c *compiler) exprStmt(e ast.Expr) {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		text, ok := c.CallsBefore(call, true)
		if !ok {
			text = c.Call(call)
		}
		c.Emit("%s\n", text)
		return
	}
	c.Emit("_ = %s\n", c.Expr(e))
}

func (c *compiler) ifStmt(s *ast.IfStmt) {
	if s.Init != nil {
		c.Emit("{\n")
		c.stmt(s.Init)
	}
	c.Mark(s.Cond)
	c.First = true
	c.Emit("if %s ", c.Expr(s.Cond))
	c.block(s.Body)
	switch e := s.Else.(type) {
	case *ast.BlockStmt:
		c.Emit(" else ")
		c.block(e)
	case *ast.IfStmt:
		c.Emit(" else {\n")
		c.ifStmt(e)
		c.Emit("\n}")
	}
	if s.Init != nil {
		c.Emit("\n}")
	}
}

// A jump is a statement that break or continue may leave.
type jump struct {
	label  types.Object // its label in the source
	name   string       // its label in lowered code
	loop   bool
	onNext string     // what must be done before continue
	inFunc *rangeFunc // the loop is a range over a function
}

func (c *compiler) labeledStmt(s *ast.LabeledStmt) {
	o := c.Info.Defs[s.Label]
	name := c.Fresh(s.Label.Name)
	c.Local[o] = name
	c.labelled(s.Stmt, name)
}

// labelOf is the object of the label whose lowered name is label, among local names.
func labelOf(local map[types.Object]string, label string) types.Object {
	for o, name := range local {
		if name == label {
			if _, ok := o.(*types.Label); ok {
				return o
			}
		}
	}
	return nil
}

// push enters a statement that can be left by break; the result leaves it.
func (c *compiler) push(j jump) func() {
	if j.name != "" {
		j.label = labelOf(c.Local, j.name)
	}
	c.jumps = append(c.jumps, j)
	return func() { c.jumps = c.jumps[:len(c.jumps)-1] }
}

func (c *compiler) branch(s *ast.BranchStmt) {
	switch s.Tok {
	case token.FALLTHROUGH:
		c.Emit("fallthrough\n")
		return
	case token.GOTO:
		o := c.Info.Uses[s.Label]
		if c.Local[o] == "" {
			c.Local[o] = c.Fresh(s.Label.Name)
		}
		c.Emit("goto %s\n", c.Local[o])
		return
	}
	crossed := []*rangeFunc{}
	for i := len(c.jumps) - 1; i >= 0; i-- {
		j := c.jumps[i]
		target := s.Label == nil && (s.Tok == token.BREAK || j.loop) || s.Label != nil && j.label == c.Info.Uses[s.Label] && j.label != nil
		if !target {
			if j.inFunc != nil {
				crossed = append(crossed, j.inFunc)
			}
			continue
		}
		if j.inFunc != nil || len(crossed) > 0 {
			c.leaveRangeFunc(s.Tok, j, crossed, i)
			return
		}
		if s.Tok == token.CONTINUE {
			c.Emit("%s", j.onNext)
		}
		c.Emit("%s", s.Tok)
		if s.Label != nil {
			c.Emit(" %s", j.name)
		}
		c.Emit("\n")
		return
	}
	source.Refuse("%s outside a loop", s.Tok)
}

// delayed is a call as a function literal that makes it later, with the function and
// the arguments as they are now.
func (c *compiler) delayed(call *ast.CallExpr, param string) string {
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok && len(call.Args) == 0 {
		return c.nested(param, func() {
			c.Emit("%s()\n", c.funcLit(lit.Type, lit.Body, c.Info.Types[lit].Type.(*types.Signature)))
		})
	}
	later := exprs.Frozen(c.Compiler, call)
	return c.nested(param, func() { c.exprStmt(later) })
}

// nested is a function literal around what write emits.
func (c *compiler) nested(param string, write func()) string {
	leave := c.within(&function{Frame: c.Frame.Inner(), sig: c.fn.sig})
	if param != "" {
		c.fn.Line = c.Fresh("ſl")
		param = strings.Replace(param, "ſl", c.fn.Line, 1)
	}
	c.Emit("func(%s) {\n", param)
	write()
	c.Emit("}")
	text := leave()
	name := c.Fresh("f")
	c.Emit("%s := %s\n", name, text)
	return name
}
