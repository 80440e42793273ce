package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A Plan is the checks of one cell: the first finds out what of earlier cells must be
// compiled anew, the next includes that, until nothing is added.
type Plan struct {
	s            *Scope
	cell         int
	decls, stmts []span
	deps         []*Def
	broken       map[*Def]error        // what does not compile with this cell
	stands       map[string]*types.Var // variables that get another type
	again        map[string]bool       // types that must be declared anew
	alone        bool                  // what depends on the cell stays as it is
	Imports      bool                  // packages that the cell uses are imported
}

// Check is the cell when it is right; the error is a diag.List.
func (p *Plan) Check() (*Check, error) {
	for range 50 {
		c := newCheck(p)
		if c.Program() {
			c.programFile()
		} else {
			c.declarations(p.decls)
		}
		if len(p.stmts) > 0 {
			c.body = c.parse(p.cell, p.stmts, bodyPrefix, nil)
		}
		if c.unread != nil {
			return nil, diag.List{c.unread}
		}
		c.unmeant()
		if len(c.errors) > 0 {
			return nil, c.errors
		}
		if again := c.addMethods(); again != "" {
			p.declareAgain(again)
			continue
		}
		c.Resolve()
		if !p.alone && p.grow(c) {
			continue
		}
		own, retry := p.sortErrors(c)
		if retry {
			continue
		}
		if len(own) > 0 && p.Imports && !c.Program() && c.importUsed(own) {
			continue
		}
		if len(own) > 0 {
			return nil, c.messages(own)
		}
		c.unlikely()
		if len(c.errors) > 0 {
			return nil, c.errors
		}
		return c, nil
	}
	panic("the definitions that depend on a cell do not settle")
}

// declareAgain adds a type of an earlier cell, with its methods, to the cell.
func (p *Plan) declareAgain(name string) {
	if p.again == nil {
		p.again = map[string]bool{}
	}
	p.again[name] = true
}

// grow adds to the plan what depends on what the cell replaces; it reports whether
// there was anything to add.
func (p *Plan) grow(c *Check) bool {
	replaced, here := map[types.Object]bool{}, map[string]bool{}
	if len(p.decls) > 0 {
		names := declared(c.Decls[:1])
		for name := range names {
			here[name] = true
			if d := p.s.Live[name]; d != nil {
				replaced[d.Obj] = true
			}
		}
		for _, d := range c.Decls[0].Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				name := methodName(fn)
				here[name] = true
				if m := p.s.methods[name]; m != nil {
					replaced[m.Obj] = true
				}
			}
		}
	}
	for name := range p.again {
		replaced[p.s.Live[name].Obj] = true
	}
	stands := len(p.stands)
	for _, v := range c.topVars() {
		here[v.Name()] = true
		d := p.s.Live[v.Name()]
		if d == nil || d.Kind == token.VAR && types.Identical(d.Obj.Type(), v.Type()) {
			continue
		}
		replaced[d.Obj] = true
		if p.stands[v.Name()] == nil && v.Type() != types.Typ[types.Invalid] && len(p.s.Dependents(map[types.Object]bool{d.Obj: true}, func(*Def) bool { return false })) > 0 {
			p.stands[v.Name()] = types.NewVar(v.Pos(), c.Pkg, v.Name(), v.Type())
		}
	}
	deps := p.s.Dependents(replaced, func(d *Def) bool { return here[d.Name] || p.broken[d] != nil })
	for name := range p.again {
		deps = p.withType(deps, name, here)
	}
	deps = p.withBroken(deps, here)
	grown := len(deps) > len(p.deps) || len(p.stands) > stands
	if grown {
		p.deps = deps
	}
	return grown
}

// withType adds a type and its methods to the dependents.
func (p *Plan) withType(deps []*Def, name string, here map[string]bool) []*Def {
	for _, d := range p.s.Sorted() {
		if (d.Name == name || d.TypeName() == name) && !here[d.Name] && !slices.Contains(deps, d) && p.broken[d] == nil {
			deps = append(deps, d)
		}
	}
	slices.SortFunc(deps, func(a, b *Def) int { return a.Seq - b.Seq })
	return deps
}

// withBroken adds what did not compile so far and uses a name that the cell declares.
func (p *Plan) withBroken(deps []*Def, here map[string]bool) []*Def {
	for _, d := range p.s.Sorted() {
		if d.Broken == nil || slices.Contains(deps, d) || here[d.Name] || p.broken[d] != nil {
			continue
		}
		for o := range d.Uses {
			if here[o.Name()] {
				deps = append(deps, d)
				break
			}
		}
	}
	return deps
}

// sortErrors separates the cell's own errors from those of dependents, which are
// taken out of the plan.
func (p *Plan) sortErrors(c *Check) (own []types.Error, retry bool) {
	top := map[token.Pos]bool{}
	for _, v := range c.topVars() {
		top[v.Pos()] = true
	}
	exprs := map[token.Pos]bool{}
	for _, s := range c.TopStmts() {
		if e, ok := s.(*ast.ExprStmt); ok {
			exprs[e.Pos()] = true
			exprs[e.X.Pos()] = true
		}
	}
	for _, e := range c.Errs {
		switch {
		case e.Soft && top[e.Pos] && strings.HasPrefix(e.Msg, "declared and not used"):
		case strings.HasSuffix(e.Msg, "is not used") && c.topExpr(e.Pos):
		case e.Soft && strings.Contains(e.Msg, "imported and not used") && !c.Program():
		case c.dependent(e.Pos) != nil:
			d := c.dependent(e.Pos)
			if p.broken[d] == nil {
				p.broken[d] = c.message(e)
			}
			retry = true
		default:
			own = append(own, e)
		}
	}
	if len(own) > 0 {
		return own, false
	}
	if retry {
		p.deps = slices.DeleteFunc(slices.Clone(p.deps), func(d *Def) bool { return p.broken[d] != nil })
	}
	return nil, retry
}

// Plan is the checks of a stage of a cell.
func (s *Scope) Plan(cell int, st scan.Stage) *Plan {
	spans := func(items []scan.Item) (list []span) {
		for _, it := range items {
			list = append(list, span{cell, it.Start, it.End})
		}
		return list
	}
	return &Plan{s: s, cell: cell, decls: spans(st.Decls), stmts: spans(st.Stmts), broken: map[*Def]error{}, stands: map[string]*types.Var{}}
}

// Alone is the plan of a definition as it is: what depends on it stays as it is, too.
func (s *Scope) Alone(d *Def) *Plan {
	p := s.Plan(d.At.Cell, scan.Stage{})
	p.decls, p.alone = []span{d.At}, true
	return p
}

// Read reads a stage of a cell of which nothing comes into force. There is a check also if there are errors: Resolve goes
// on with what was read.
func (s *Scope) Read(cell int, st scan.Stage) (*Check, error) {
	p := s.Plan(cell, st)
	c := newCheck(p)
	if f := c.parse(cell, p.decls, declPrefix, nil); f != nil && f.Name != nil {
		takeImports(f, func(*ast.ImportSpec) {})
		c.Decls = append(c.Decls, f)
	}
	if len(p.stmts) > 0 {
		c.body = c.parse(cell, p.stmts, bodyPrefix, nil)
	}
	c.adoptMethods()
	if len(c.errors) > 0 {
		return c, c.errors
	}
	return c, nil
}
