package cell

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/check"
	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/repl/cell/sugar"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A kernelBuilder makes a kernel of statements that were tried one by one.
type kernelBuilder struct {
	s      *Session
	name   string
	stmts  []string
	params []kernelParam
}

type kernelParam struct{ name, typ string }

// build checks the kernel until there is nothing to put right: what is free becomes a
// parameter, what was only looked at goes.
func (b *kernelBuilder) build() (string, error) {
	for range 20 + len(b.stmts) {
		changed, err := b.round()
		if err != nil {
			return "", err
		}
		if !changed {
			return b.text(), nil
		}
	}
	return b.text(), nil
}

// text is the kernel as it would be typed.
func (b *kernelBuilder) text() string {
	var t strings.Builder
	t.WriteString("func " + b.name + "(p *tl.Program")
	for i, p := range b.ordered() {
		t.WriteString(", " + p.name)
		if o := b.ordered(); i+1 == len(o) || o[i+1].typ != p.typ {
			t.WriteString(" " + p.typ)
		}
	}
	t.WriteString(") {\n")
	for _, s := range b.stmts {
		t.WriteString("\t" + strings.ReplaceAll(s, "\n", "\n\t") + "\n")
	}
	return t.String() + "}"
}

// ordered is the parameters: pointers, then numbers, then constants.
func (b *kernelBuilder) ordered() []kernelParam {
	rank := func(p kernelParam) int {
		switch p.typ {
		case "tl.Ptr":
			return 0
		case "tl.Const":
			return 2
		}
		return 1
	}
	list := slices.Clone(b.params)
	slices.SortStableFunc(list, func(x, y kernelParam) int { return rank(x) - rank(y) })
	return list
}

// round checks the kernel as it is now, and puts one kind of thing right.
func (b *kernelBuilder) round() (changed bool, err error) {
	s := b.s
	s.lock()
	defer s.unlock()
	text := b.text()
	cell := s.scope.Add(check.Source{Name: check.Argument, Text: text, Line: 1})
	defer s.scope.Drop()
	c, err := s.scope.Read(cell, scan.Stage{Decls: []scan.Item{{End: len(text)}}})
	if err != nil {
		return false, err
	}
	c.Resolve()
	body := c.Decls[0].Decls[0].(*ast.FuncDecl).Body.List
	if len(body) != len(b.stmts) {
		return false, nil
	}
	if err := b.addParams(c, body); err != nil || text != b.text() {
		return err == nil, err
	}
	return b.dropIdle(c, body) || b.redefine(c, body), nil
}

// addParams makes parameters of the session's variables that the kernel uses.
func (b *kernelBuilder) addParams(c *check.Check, body []ast.Stmt) error {
	for _, stmt := range body {
		var bad error
		ast.Inspect(stmt, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			v, ok := c.Info.Uses[id].(*types.Var)
			if !ok || c.Pkg.Scope().Lookup(v.Name()) != v || v.IsField() {
				return true
			}
			if slices.ContainsFunc(b.params, func(p kernelParam) bool { return p.name == v.Name() }) {
				return true
			}
			typ := paramType(v)
			if typ == "" {
				bad = diag.List{diag.At(diag.Pos{}, "%s was defined before the kernel and cannot be one of its parameters: it is a %s", v.Name(), b.s.scope.TypeText(v.Type())).
					Fix("define it after :begin")}
				return false
			}
			b.params = append(b.params, kernelParam{v.Name(), typ})
			return true
		})
		if bad != nil {
			return bad
		}
	}
	return nil
}

// paramType is the type of the parameter that stands for a variable; "" if there is
// none.
func paramType(v *types.Var) string {
	t := types.Unalias(v.Type())
	switch {
	case sugar.IsTensor(t):
		return "tl.Ptr"
	case types.Identical(t, types.Typ[types.Int]) && v.Name() == strings.ToUpper(v.Name()):
		return "tl.Const"
	case sugar.IsNamed(t, sugar.PathTilelang, "DType"), sugar.IsNamed(t, "github.com/tiler-go/tiler/tilelang/dtype", "DType"):
		return "tl.DType"
	}
	if b, ok := t.(*types.Basic); ok {
		switch b.Kind() {
		case types.Int, types.Float64, types.Bool, types.String:
			return b.Name()
		}
	}
	return ""
}

// dropIdle leaves out statements that do nothing: expressions whose value was looked
// at, and variables that nothing uses.
func (b *kernelBuilder) dropIdle(c *check.Check, body []ast.Stmt) bool {
	unused := map[token.Pos]bool{}
	for _, e := range c.Errs {
		if strings.HasPrefix(e.Msg, "declared and not used") {
			unused[e.Pos] = true
		}
	}
	drop := func(s ast.Stmt) bool {
		switch s := s.(type) {
		case *ast.ExprStmt:
			call, ok := ast.Unparen(s.X).(*ast.CallExpr)
			if !ok {
				return true
			}
			t, void := c.Info.TypeOf(call).(*types.Tuple)
			return !check.Quiet(c.Info, call) && !(void && t.Len() == 0) && !strings.HasPrefix(check.MemberName(call), "Atomic")
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				return false
			}
			for _, e := range s.Lhs {
				if !unused[e.Pos()] {
					return false
				}
			}
			return true
		}
		return false
	}
	var kept []string
	for i, s := range body {
		if !drop(s) {
			kept = append(kept, b.stmts[i])
		}
	}
	changed := len(kept) < len(b.stmts)
	b.stmts = kept
	return changed
}

// redefine makes assignments of definitions of what is defined already.
func (b *kernelBuilder) redefine(c *check.Check, body []ast.Stmt) (changed bool) {
	for _, e := range c.Errs {
		if !strings.HasPrefix(e.Msg, "no new variables on left side of :=") {
			continue
		}
		for i, s := range body {
			if a, ok := s.(*ast.AssignStmt); ok && s.Pos() <= e.Pos && e.Pos <= s.End() && a.Tok == token.DEFINE {
				b.stmts[i] = strings.Replace(b.stmts[i], ":=", "=", 1)
				changed = true
			}
		}
	}
	return changed
}
