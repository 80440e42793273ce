package cell

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/tilelang/diag"
)

// A plan is the checks of one cell: the first finds out what of earlier cells must be
// compiled anew, the next includes that, until nothing is added.
type plan struct {
	s            *Session
	cell         int
	decls, stmts []span
	deps         []*def
	broken       map[*def]error        // what does not compile with this cell
	stands       map[string]*types.Var // variables that get another type
	again        map[string]bool       // types that must be declared anew
	alone        bool                  // what depends on the cell stays as it is
	imports      bool                  // packages that the cell uses are imported
}

func (p *plan) check() (*check, error) {
	for range 50 {
		c := newCheck(p)
		if c.program() {
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
		c.types()
		if !p.alone && p.grow(c) {
			continue
		}
		own, retry := p.sortErrors(c)
		if retry {
			continue
		}
		if len(own) > 0 && p.imports && !c.program() && c.importUsed(own) {
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
func (p *plan) declareAgain(name string) {
	if p.again == nil {
		p.again = map[string]bool{}
	}
	p.again[name] = true
}

// grow adds to the plan what depends on what the cell replaces; it reports whether
// there was anything to add.
func (p *plan) grow(c *check) bool {
	replaced, here := map[types.Object]bool{}, map[string]bool{}
	if len(p.decls) > 0 {
		names := declared(c.decls[:1])
		for name := range names {
			here[name] = true
			if d := p.s.live[name]; d != nil {
				replaced[d.obj] = true
			}
		}
		for _, d := range c.decls[0].Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				name := methodName(fn)
				here[name] = true
				if m := p.s.methods[name]; m != nil {
					replaced[m.obj] = true
				}
			}
		}
	}
	for name := range p.again {
		replaced[p.s.live[name].obj] = true
	}
	stands := len(p.stands)
	for _, v := range c.topVars() {
		here[v.Name()] = true
		d := p.s.live[v.Name()]
		if d == nil || d.kind == token.VAR && types.Identical(d.obj.Type(), v.Type()) {
			continue
		}
		replaced[d.obj] = true
		if p.stands[v.Name()] == nil && v.Type() != types.Typ[types.Invalid] && len(p.s.dependents(map[types.Object]bool{d.obj: true}, func(*def) bool { return false })) > 0 {
			p.stands[v.Name()] = types.NewVar(v.Pos(), c.pkg, v.Name(), v.Type())
		}
	}
	deps := p.s.dependents(replaced, func(d *def) bool { return here[d.name] || p.broken[d] != nil })
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
func (p *plan) withType(deps []*def, name string, here map[string]bool) []*def {
	for _, d := range p.s.sorted() {
		if (d.name == name || d.typeName() == name) && !here[d.name] && !slices.Contains(deps, d) && p.broken[d] == nil {
			deps = append(deps, d)
		}
	}
	slices.SortFunc(deps, func(a, b *def) int { return a.seq - b.seq })
	return deps
}

// withBroken adds what did not compile so far and uses a name that the cell declares.
func (p *plan) withBroken(deps []*def, here map[string]bool) []*def {
	for _, d := range p.s.sorted() {
		if d.broken == nil || slices.Contains(deps, d) || here[d.name] || p.broken[d] != nil {
			continue
		}
		for o := range d.uses {
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
func (p *plan) sortErrors(c *check) (own []types.Error, retry bool) {
	top := map[token.Pos]bool{}
	for _, v := range c.topVars() {
		top[v.Pos()] = true
	}
	exprs := map[token.Pos]bool{}
	for _, s := range c.topStmts() {
		if e, ok := s.(*ast.ExprStmt); ok {
			exprs[e.Pos()] = true
			exprs[e.X.Pos()] = true
		}
	}
	for _, e := range c.errs {
		switch {
		case e.Soft && top[e.Pos] && strings.HasPrefix(e.Msg, "declared and not used"):
		case strings.HasSuffix(e.Msg, "is not used") && c.topExpr(e.Pos):
		case e.Soft && strings.Contains(e.Msg, "imported and not used") && !c.program():
		case c.parts[c.fset.File(e.Pos)].dep != nil:
			d := c.parts[c.fset.File(e.Pos)].dep
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
		p.deps = slices.DeleteFunc(slices.Clone(p.deps), func(d *def) bool { return p.broken[d] != nil })
	}
	return nil, retry
}
