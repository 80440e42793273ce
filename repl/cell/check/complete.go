package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/repl/cell/sugar"
	"github.com/tiler-go/tiler/repl/symbols"
)

// A Candidate is a name that could stand at a place of a text.
type Candidate struct {
	Text   string
	Kind   string // func, method, var, field, type, const, package or keyword
	Detail string // its type, or how it is declared
}

// Complete is what the name that ends at a byte of an unfinished cell could become:
// the byte that the name begins at, and the names, sorted. auto says that packages need not be imported.
func (s *Scope) Complete(src string, pos int, auto bool) (start int, list []Candidate) {
	pos = min(max(pos, 0), len(src))
	start = pos
	for start > 0 && (src[start-1] >= 0x80 || isWord(src[start-1])) {
		start--
	}
	prefix := src[start:pos]
	if scan.InText(src[:start]) || prefix != "" && prefix[0] >= '0' && prefix[0] <= '9' {
		return start, nil
	}
	c, at := s.unfinished(src[:start])
	c.plan.Imports = auto
	if sel := c.selectorAt(at); sel != nil || strings.HasSuffix(strings.TrimRight(src[:start], " \t"), ".") {
		list = c.members(sel)
	} else {
		list = c.names(at)
	}
	list = matching(list, prefix)
	slices.SortFunc(list, func(a, b Candidate) int { return strings.Compare(a.Text, b.Text) })
	return start, slices.CompactFunc(list, func(a, b Candidate) bool { return a.Text == b.Text })
}

func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// matching is the candidates that begin with prefix, whatever its case if none does in
// its own.
func matching(list []Candidate, prefix string) []Candidate {
	var exact, folded []Candidate
	for _, c := range list {
		if strings.HasPrefix(c.Text, prefix) {
			exact = append(exact, c)
		} else if len(c.Text) >= len(prefix) && strings.EqualFold(c.Text[:len(prefix)], prefix) {
			folded = append(folded, c)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return folded
}

// placeholder stands for the name that is being typed.
const placeholder = "ſcomplete"

// unfinished checks a text that a name is to follow, with all that is open closed.
func (s *Scope) unfinished(before string) (*Check, token.Pos) {
	text := before + placeholder + scan.Closers(before)
	cell := s.Add(Source{Name: Argument, Text: text, Line: 1})
	defer s.Drop()
	c := newCheck(s.Plan(cell, scan.Stage{}))
	var decls, stmts []span
	for _, it := range scan.Items(text) {
		sp := span{cell, it.Start, it.End}
		if it.Decl {
			decls = append(decls, sp)
		} else {
			stmts = append(stmts, sp)
		}
	}
	if f := c.parse(cell, decls, declPrefix, nil); f != nil && f.Name != nil {
		f.Imports = nil
		f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool { g, ok := d.(*ast.GenDecl); return ok && g.Tok == token.IMPORT })
		c.Decls = append(c.Decls, f)
	}
	if len(stmts) > 0 {
		c.body = c.parse(cell, stmts, bodyPrefix, nil)
	}
	c.types()
	return c, c.posOf(len(before))
}

// posOf is the position of a byte of the cell's text in the file that holds it.
func (c *Check) posOf(off int) token.Pos {
	for _, f := range c.files() {
		tf := c.fset.File(f.FileStart)
		p := tf.Pos(min(off+c.parts[tf].prefix, tf.Size()))
		found := false
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Pos() <= p && p <= id.End() && strings.Contains(id.Name, placeholder) {
				found = true
			}
			return !found
		})
		if found {
			return p
		}
	}
	return token.NoPos
}

// selectorAt is the selector whose name is being typed.
func (c *Check) selectorAt(pos token.Pos) *ast.SelectorExpr {
	if !pos.IsValid() {
		return nil
	}
	sel, ok := inner[*ast.SelectorExpr](c.pathTo(pos))
	if !ok || sel.Sel.Name != placeholder {
		return nil
	}
	return sel
}

// members is what can follow the dot of a selector.
func (c *Check) members(sel *ast.SelectorExpr) []Candidate {
	if sel == nil {
		return nil
	}
	if id, ok := ast.Unparen(sel.X).(*ast.Ident); ok {
		if p, ok := c.Info.Uses[id].(*types.PkgName); ok {
			return c.packageMembers(p.Imported())
		}
	}
	if id, ok := ast.Unparen(sel.X).(*ast.Ident); ok && c.Info.Uses[id] == nil && c.plan.Imports {
		if path := c.s.PackagePath(id.Name); path != "" {
			if pkg, err := c.s.Types.Import(path); err == nil {
				return c.packageMembers(pkg)
			}
		}
	}
	t := c.Info.TypeOf(sel.X)
	if (t == nil || t == types.Typ[types.Invalid]) && c.Sugar.IsTile(sel.X) {
		t = c.tileType()
	}
	if t == nil || t == types.Typ[types.Invalid] {
		return nil
	}
	var list []Candidate
	for _, name := range members(t) {
		o, _, _ := types.LookupFieldOrMethod(t, true, c.Pkg, name)
		if o == nil {
			continue
		}
		x := c.candidate(o, name)
		if n := sugar.NamedType(t); n != nil && n.Obj().Pkg() != nil {
			if doc, ok := symbols.DocOf(n.Obj().Pkg().Path(), n.Obj().Name()+"."+name); ok {
				x.Detail = doc.Decl
			}
		}
		list = append(list, x)
	}
	return list
}

func (c *Check) tileType() types.Type {
	p, err := c.s.Types.Import(sugar.PathTilelang)
	if err != nil {
		return nil
	}
	return p.Scope().Lookup("Tile").Type()
}

func (c *Check) packageMembers(p *types.Package) []Candidate {
	var list []Candidate
	for _, name := range p.Scope().Names() {
		if !token.IsExported(name) {
			continue
		}
		x := c.candidate(p.Scope().Lookup(name), name)
		if doc, ok := symbols.DocOf(p.Path(), name); ok {
			x.Detail = doc.Decl
		}
		list = append(list, x)
	}
	return list
}

// candidate is an object under a name.
func (c *Check) candidate(o types.Object, name string) Candidate {
	x := Candidate{Text: name}
	if t := o.Type(); t != nil && t != types.Typ[types.Invalid] {
		x.Detail = c.s.TypeText(t)
	}
	switch o := o.(type) {
	case *types.Func:
		x.Kind = "func"
		if o.Signature().Recv() != nil {
			x.Kind = "method"
		}
	case *types.Builtin:
		x.Kind, x.Detail = "func", ""
	case *types.Var:
		x.Kind = "var"
		if o.IsField() {
			x.Kind = "field"
		}
	case *types.Const, *types.Nil:
		x.Kind = "const"
	case *types.TypeName:
		x.Kind, x.Detail = "type", ""
	case *types.PkgName:
		x.Kind, x.Detail = "package", o.Imported().Path()
	}
	return x
}

// names is the names that are in scope at a place, and the keywords.
func (c *Check) names(pos token.Pos) []Candidate {
	var list []Candidate
	for t := token.BREAK; t <= token.VAR; t++ {
		if t.IsKeyword() {
			list = append(list, Candidate{Text: t.String(), Kind: "keyword"})
		}
	}
	seen := map[string]bool{}
	add := func(scope *types.Scope, before token.Pos) {
		for _, name := range scope.Names() {
			o := scope.Lookup(name)
			if seen[name] || strings.Contains(name, "ſ") || strings.Contains(name, methodSep) || name == "_" || before.IsValid() && o.Pos() > before {
				continue
			}
			seen[name] = true
			list = append(list, c.candidate(o, name))
		}
	}
	if pos.IsValid() {
		for scope := c.innermost(pos); scope != nil && scope != c.Pkg.Scope() && scope != types.Universe; scope = scope.Parent() {
			add(scope, pos)
		}
	}
	add(c.Pkg.Scope(), token.NoPos)
	add(types.Universe, token.NoPos)
	return list
}

// innermost is the scope around a place.
func (c *Check) innermost(pos token.Pos) *types.Scope {
	var best *types.Scope
	for _, scope := range c.Info.Scopes {
		if scope.Contains(pos) && (best == nil || best.Contains(scope.Pos())) {
			best = scope
		}
	}
	return best
}
