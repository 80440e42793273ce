package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/sugar"
	"github.com/tiler-go/tiler/repl/lower"
)

// topExpr reports whether a position is in an expression statement of the cell's top
// level, whose value need not be used.
func (c *Check) topExpr(pos token.Pos) bool {
	for _, s := range c.TopStmts() {
		if e, ok := s.(*ast.ExprStmt); ok && e.Pos() <= pos && pos <= e.End() {
			found := false
			ast.Inspect(e, func(n ast.Node) bool {
				if lit, ok := n.(*ast.FuncLit); ok && lit.Pos() <= pos && pos <= lit.End() {
					found = true
				}
				return true
			})
			return !found
		}
	}
	return false
}

// Unit is what was checked, for the compiler. The statements of kernels are told if told.
func (c *Check) Unit(world *lower.World, told bool) *lower.Unit {
	u := &lower.Unit{Info: c.Info, Body: c.TopStmts(), Show: map[*ast.ExprStmt]bool{}, Methods: map[*types.Func]*types.Func{}, Variables: lower.Variables{Same: map[*types.Var]types.Object{}}, Line: c.lineMark, Pos: c.position}
	for _, f := range c.Decls {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			u.Funcs = append(u.Funcs, fn)
			if named := c.methods[fn]; named != nil {
				_, name, _ := strings.Cut(fn.Name.Name, MethodSep)
				u.Methods[c.Info.Defs[fn.Name].(*types.Func)] = methodOf(named, name)
			}
		}
	}
	u.Main = c.main()
	initialize(u, c.declVars())
	for _, v := range slices.Concat(c.declVars(), c.topVars()) {
		u.Keep = append(u.Keep, v)
		old := c.s.Live[v.Name()]
		if old == nil || old.Kind != token.VAR || world.Name(old.Obj) == "" {
			continue
		}
		if types.Identical(old.Obj.Type(), v.Type()) {
			u.Same[v] = old.Obj
		} else {
			u.Drop = append(u.Drop, old.Obj)
		}
	}
	for name, stand := range c.plan.stands {
		for _, v := range c.topVars() {
			if v.Name() == name {
				u.Same[stand] = v
				u.Stands = append(u.Stands, stand)
			}
		}
	}
	chooseShown(u)
	if told {
		u.Told = kernels(u)
	}
	return u
}

// kernels is the kernels among what is declared.
func kernels(u *lower.Unit) map[*types.Func]bool {
	found := map[*types.Func]bool{}
	for _, fn := range u.Funcs {
		if o, ok := u.Info.Defs[fn.Name].(*types.Func); ok && fn.Recv == nil && sugar.IsKernelFunc(o) {
			found[o] = true
		}
	}
	return found
}

// initialize says how declared variables get their first values.
func initialize(u *lower.Unit, vars []*types.Var) {
	u.Inits = u.Info.InitOrder
	has := map[*types.Var]bool{}
	for _, init := range u.Inits {
		for _, v := range init.Lhs {
			has[v] = true
		}
	}
	for _, v := range vars {
		if !has[v] {
			u.Reset = append(u.Reset, v)
		}
	}
}

// declVars is the variables that the cell declares outside its statements.
func (c *Check) declVars() (vars []*types.Var) {
	for _, g := range c.VarDecls() {
		for _, spec := range g.Specs {
			for _, id := range spec.(*ast.ValueSpec).Names {
				if v, ok := c.Info.Defs[id].(*types.Var); ok && id.Name != "_" {
					vars = append(vars, v)
				}
			}
		}
	}
	return vars
}

// chooseShown shows the last statement if it is an expression, and others that do
// nothing but have a value.
func chooseShown(u *lower.Unit) {
	for i, s := range u.Body {
		e, ok := s.(*ast.ExprStmt)
		if !ok {
			continue
		}
		_, call := ast.Unparen(e.X).(*ast.CallExpr)
		if i == len(u.Body)-1 && !Quiet(u.Info, e.X) || !call {
			u.Show[e] = true
		}
	}
}

// Quiet reports whether an expression is a call whose results nobody looks at.
func Quiet(info *types.Info, e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := info.Uses[sel.Sel].(*types.Func)
	return ok && f.Pkg() != nil && f.Pkg().Path() == "fmt" && (strings.HasPrefix(f.Name(), "Print") || strings.HasPrefix(f.Name(), "Fprint"))
}

// Commit puts the cell's definitions in force.
func (c *Check) Commit() {
	s := c.s
	for d, why := range c.plan.broken {
		if d.Broken == nil {
			s.note("%s depends on what changed and no longer compiles: %v", d.Name, why)
		}
		d.Broken = why
	}
	var again []string
	for _, d := range c.plan.deps {
		if d.Kind == token.FUNC {
			again = append(again, d.Name)
		}
	}
	c.record()
	for _, v := range c.topVars() {
		var o types.Object = v
		if stand := c.plan.stands[v.Name()]; stand != nil {
			o = stand
		}
		s.Define(&Def{Name: v.Name(), Kind: token.VAR, Obj: o})
	}
	if len(again) > 0 {
		s.note("recompiled: %s", strings.Join(again, ", "))
	}
}

// Function is a function that the check's own text declares.
func (c *Check) Function(name string) *types.Func {
	for id, o := range c.Info.Defs {
		if f, ok := o.(*types.Func); ok && id.Name == name && f.Signature().Recv() == nil {
			return f
		}
	}
	return nil
}

// VarDecls is the declarations of variables outside the cell's statements.
func (c *Check) VarDecls() (list []*ast.GenDecl) {
	for _, f := range c.Decls {
		if c.dependent(f.Package) != nil {
			continue
		}
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				list = append(list, g)
			}
		}
	}
	return list
}

// Empty reports whether there is nothing to run: nothing but imports and comments.
func (c *Check) Empty() bool {
	declares := slices.ContainsFunc(c.Decls, func(f *ast.File) bool { return len(f.Decls) > 0 })
	return len(c.TopStmts()) == 0 && !declares
}

// Value is the type of the expression that the cell is, nil if it is something else.
func (c *Check) Value() types.Type {
	if e, ok := c.TopStmts()[0].(*ast.ExprStmt); ok {
		return c.Info.TypeOf(e.X)
	}
	return nil
}
