package complete

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/check"
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

// A place is where a name is typed, in a cell that was checked as far as it goes.
type place struct {
	*check.Check
	scope *check.Scope
	pos   token.Pos
	auto  bool // packages need not be imported
}

// At is what the name that ends at a byte of an unfinished cell could become:
// the byte that the name begins at, and the names, sorted. auto says that packages need not be imported.
func At(s *check.Scope, src string, pos int, auto bool) (start int, list []Candidate) {
	pos = min(max(pos, 0), len(src))
	start = pos
	for start > 0 && (src[start-1] >= 0x80 || isWord(src[start-1])) {
		start--
	}
	prefix := src[start:pos]
	if scan.InText(src[:start]) || prefix != "" && prefix[0] >= '0' && prefix[0] <= '9' {
		return start, nil
	}
	c := unfinished(s, src[:start])
	p := place{Check: c, scope: s, pos: placeholderIn(c.Files()), auto: auto}
	if sel := p.selector(); sel != nil || strings.HasSuffix(strings.TrimRight(src[:start], " \t"), ".") {
		list = p.members(sel)
	} else {
		list = p.names()
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
func unfinished(s *check.Scope, before string) *check.Check {
	text := before + placeholder + scan.Closers(before)
	cell := s.Add(check.Source{Name: check.Argument, Text: text, Line: 1})
	defer s.Drop()
	var st scan.Stage
	for _, it := range scan.Items(text) {
		if it.Decl {
			st.Decls = append(st.Decls, it)
		} else {
			st.Stmts = append(st.Stmts, it)
		}
	}
	c, _ := s.Read(cell, st) // what is unfinished is hardly ever right
	c.Resolve()
	return c
}

// placeholderIn is where files have the name that is being typed.
func placeholderIn(files []*ast.File) (at token.Pos) {
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Name == placeholder && !at.IsValid() {
				at = id.Pos()
			}
			return !at.IsValid()
		})
	}
	return at
}

// selector is the selector whose name is being typed.
func (p place) selector() *ast.SelectorExpr {
	if !p.pos.IsValid() {
		return nil
	}
	sel, ok := check.Inner[*ast.SelectorExpr](p.PathTo(p.pos))
	if !ok || sel.Sel.Name != placeholder {
		return nil
	}
	return sel
}

// members is what can follow the dot of a selector.
func (p place) members(sel *ast.SelectorExpr) []Candidate {
	if sel == nil {
		return nil
	}
	if id, ok := ast.Unparen(sel.X).(*ast.Ident); ok {
		if name, ok := p.Info.Uses[id].(*types.PkgName); ok {
			return p.packageMembers(name.Imported())
		}
	}
	if id, ok := ast.Unparen(sel.X).(*ast.Ident); ok && p.Info.Uses[id] == nil && p.auto {
		if path := p.scope.PackagePath(id.Name); path != "" {
			if pkg, err := p.scope.Types.Import(path); err == nil {
				return p.packageMembers(pkg)
			}
		}
	}
	t := p.Info.TypeOf(sel.X)
	if (t == nil || t == types.Typ[types.Invalid]) && p.Sugar.IsTile(sel.X) {
		t = p.tileType()
	}
	if t == nil || t == types.Typ[types.Invalid] {
		return nil
	}
	var list []Candidate
	for _, name := range check.Members(t) {
		o, _, _ := types.LookupFieldOrMethod(t, true, p.Pkg, name)
		if o == nil {
			continue
		}
		x := p.candidate(o, name)
		if n := sugar.NamedType(t); n != nil && n.Obj().Pkg() != nil {
			if doc, ok := symbols.DocOf(n.Obj().Pkg().Path(), n.Obj().Name()+"."+name); ok {
				x.Detail = doc.Decl
			}
		}
		list = append(list, x)
	}
	return list
}

func (p place) tileType() types.Type {
	pkg, err := p.scope.Types.Import(sugar.PathTilelang)
	if err != nil {
		return nil
	}
	return pkg.Scope().Lookup("Tile").Type()
}

func (p place) packageMembers(pkg *types.Package) []Candidate {
	var list []Candidate
	for _, name := range pkg.Scope().Names() {
		if !token.IsExported(name) {
			continue
		}
		x := p.candidate(pkg.Scope().Lookup(name), name)
		if doc, ok := symbols.DocOf(pkg.Path(), name); ok {
			x.Detail = doc.Decl
		}
		list = append(list, x)
	}
	return list
}

// candidate is an object under a name.
func (p place) candidate(o types.Object, name string) Candidate {
	x := Candidate{Text: name}
	if t := o.Type(); t != nil && t != types.Typ[types.Invalid] {
		x.Detail = p.scope.TypeText(t)
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
func (p place) names() []Candidate {
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
			if seen[name] || strings.Contains(name, "ſ") || strings.Contains(name, check.MethodSep) || name == "_" || before.IsValid() && o.Pos() > before {
				continue
			}
			seen[name] = true
			list = append(list, p.candidate(o, name))
		}
	}
	if p.pos.IsValid() {
		for scope := p.innermost(); scope != nil && scope != p.Pkg.Scope() && scope != types.Universe; scope = scope.Parent() {
			add(scope, p.pos)
		}
	}
	add(p.Pkg.Scope(), token.NoPos)
	add(types.Universe, token.NoPos)
	return list
}

// innermost is the scope around a place.
func (p place) innermost() *types.Scope {
	var best *types.Scope
	for _, scope := range p.Info.Scopes {
		if scope.Contains(p.pos) && (best == nil || best.Contains(scope.Pos())) {
			best = scope
		}
	}
	return best
}
