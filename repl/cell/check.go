package cell

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/repl/cell/sugar"
	"github.com/tiler-go/tiler/repl/lower"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A source is the text of a cell, and where it comes from.
type source struct {
	name string // "cell 3", or a file
	text string
	line int // the number of its first line

	program bool // a whole Go file
	done    bool // it ran to its end
}

// A span is part of a cell.
type span struct{ cell, start, end int }

// A part is a file for the type checker that was made of a cell: the same text with
// all but some spans blanked, after a prefix.
type part struct {
	cell   int
	prefix int // bytes before the cell's text
	dep    *def
}

// A check is one run of the type checker: a cell, with the definitions of earlier
// cells that must follow it.
type check struct {
	s     *Session
	cell  int
	fset  *token.FileSet
	parts map[*token.File]part
	grids map[token.Pos]bool // calls that stand for grids, by their opening brackets
	decls []*ast.File        // the cell's declarations, then those of earlier cells
	body  *ast.File          // the cell's statements, nil if there are none

	pkg     *types.Package
	info    *types.Info
	errs    []types.Error
	sugar   *sugar.Desugarer
	plan    *plan
	methods map[*ast.FuncDecl]*types.Named // methods of types of earlier cells
	errors  diag.List
	unread  *diag.Diagnostic // the first thing that the parser could not read
}

// newCheck is a check that has read nothing yet.
func newCheck(p *plan) *check {
	return &check{
		s: p.s, cell: p.cell, plan: p, fset: token.NewFileSet(), parts: map[*token.File]part{}, grids: map[token.Pos]bool{},
		methods: map[*ast.FuncDecl]*types.Named{}, sugar: sugar.New("", "", nil),
	}
}

// declPrefix and bodyPrefix make a Go file of declarations, or of statements.
const (
	declPrefix = "package main\n"
	bodyPrefix = "package main\nfunc _() {\n"
)

// parse makes a file of some spans of a cell.
func (c *check) parse(cell int, spans []span, prefix string, dep *def) *ast.File {
	text := c.s.sources[cell].text
	blank := []byte(strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return ' '
	}, text))
	if len(blank) != len(text) { // there are runes of several bytes
		blank = []byte(text)
		for i, b := range blank {
			if b != '\n' {
				blank[i] = ' '
			}
		}
	}
	deep := c.s.sources[cell].nesting()
	if deep != nil {
		spans = nil
	}
	plain, grids := sugar.PlainIndex(text), []int(nil)
	if !c.program() && deep == nil {
		plain, grids = sugar.PlainBrackets(plain, c.s.generics(text))
	}
	for _, sp := range spans {
		copy(blank[sp.start:sp.end], plain[sp.start:sp.end])
	}
	src := prefix + string(blank)
	if prefix == bodyPrefix {
		src += "\n}"
	}
	before := c.fset.Base()
	f, err := parser.ParseFile(c.fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	tf := c.fset.File(token.Pos(before))
	c.parts[tf] = part{cell, len(prefix), dep}
	for _, at := range grids {
		c.grids[tf.Pos(len(prefix)+at)] = true
	}
	switch {
	case deep != nil && len(c.errors) == 0:
		c.errors = append(c.errors, deep)
	case deep == nil && err != nil:
		c.syntax(err, tf)
	case deep == nil:
		c.chains(f)
	}
	return f
}

// syntax reports the first thing that the parser found: what comes after it often follows from it.
func (c *check) syntax(err error, tf *token.File) {
	list, ok := err.(scanner.ErrorList)
	if !ok || len(list) == 0 {
		c.errors = append(c.errors, diag.At(diag.Pos{}, "%v", err))
		return
	}
	first := slices.MinFunc(list, func(a, b *scanner.Error) int { return a.Pos.Offset - b.Pos.Offset })
	pos := c.position(tf.Pos(min(first.Pos.Offset, tf.Size())))
	d := c.syntaxHint(pos, first.Msg)
	if first.Msg == "exceeded max nesting depth" {
		d = tooLong(pos)
	}
	c.errors = append(c.errors, d)
	if c.unread == nil || d.Pos.Line < c.unread.Pos.Line || d.Pos.Line == c.unread.Pos.Line && d.Pos.Col < c.unread.Pos.Col {
		c.unread = d
	}
}

// offset is a position as a cell and a byte of its text.
func (c *check) offset(pos token.Pos) (cell, off int) {
	tf := c.fset.File(pos)
	if tf == nil {
		return c.cell, 0
	}
	p := c.parts[tf]
	off = tf.Offset(pos) - p.prefix
	return p.cell, min(max(off, 0), len(c.s.sources[p.cell].text))
}

// position is where the user sees a position.
func (c *check) position(pos token.Pos) diag.Pos {
	cell, off := c.offset(pos)
	return c.s.sources[cell].at(off)
}

// at is the place of a byte of a source.
func (s source) at(off int) diag.Pos {
	before := s.text[:off]
	return diag.Pos{File: s.name, Line: s.line + strings.Count(before, "\n"), Col: off - strings.LastIndexByte(before, '\n')}
}

// lineMark is a position as lowered code notes it.
func (c *check) lineMark(pos token.Pos) int {
	cell, off := c.offset(pos)
	return (cell+1)<<lineBits + c.s.sources[cell].at(off).Line
}

// lineBits is how many bits of a mark are the line; the others are the cell, counted
// from 1, so that a mark is no line.
const lineBits = 24

// declared is the names that files declare, imports and methods aside.
func declared(files []*ast.File) map[string]bool {
	names := map[string]bool{}
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					names[d.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						names[spec.Name.Name] = true
					case *ast.ValueSpec:
						for _, id := range spec.Names {
							names[id.Name] = true
						}
					}
				}
			}
		}
	}
	return names
}

// types runs the type checker until no operator is left to rewrite.
func (c *check) types() {
	c.sugar = sugar.New(c.s.importName(sugar.PathTilelang), c.s.importName(sugar.PathExec), c.grids)
	for range 100 {
		c.once()
		if c.program() {
			return
		}
		if c.sugar.Done(c.info, c.files()) {
			break
		}
	}
	c.noKernel()
}

func (c *check) files() []*ast.File {
	files := slices.Clone(c.decls)
	if c.body != nil {
		files = append(files, c.body)
	}
	return files
}

// once runs the type checker. The scope of the package holds what earlier cells
// defined and this one does not.
func (c *check) once() {
	// The scope is emptied: what earlier cells declared stays of this package, and of its
	// scope, where the checker looks for types that are local to generic functions.
	*c.s.pkg.Scope() = *newPackage().Scope()
	c.pkg = c.s.pkg
	c.errs = nil
	here := declared(c.decls)
	for name, d := range c.s.live {
		if here[name] || d.broken != nil || c.program() {
			continue
		}
		o := d.obj
		if p, ok := o.(*types.PkgName); ok {
			o = types.NewPkgName(token.NoPos, c.pkg, name, p.Imported())
		}
		if v := c.plan.stands[name]; v != nil {
			o = v
		}
		c.pkg.Scope().Insert(o)
	}
	c.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{},
	}
	conf := types.Config{Importer: c.s.types, Sizes: types.SizesFor("gc", "amd64"), Error: func(err error) {
		if e, ok := err.(types.Error); ok {
			c.errs = append(c.errs, e)
		}
	}}
	checker := types.NewChecker(&conf, c.fset, c.pkg, c.info)
	checker.Files(c.files())
}

func newPackage() *types.Package { return types.NewPackage(lower.Package, "main") }

// topStmts is the statements of the cell.
func (c *check) topStmts() []ast.Stmt {
	if c.body == nil {
		return nil
	}
	for _, d := range c.body.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			return f.Body.List
		}
	}
	return nil
}

// topVars is the variables that the cell's statements define, in order.
func (c *check) topVars() []*types.Var {
	var vars []*types.Var
	add := func(id *ast.Ident) {
		if v, ok := c.info.Defs[id].(*types.Var); ok && id.Name != "_" {
			vars = append(vars, v)
		}
	}
	for _, s := range c.topStmts() {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				for _, e := range s.Lhs {
					if id, ok := e.(*ast.Ident); ok {
						add(id)
					}
				}
			}
		case *ast.DeclStmt:
			if g, ok := s.Decl.(*ast.GenDecl); ok && g.Tok == token.VAR {
				for _, spec := range g.Specs {
					for _, id := range spec.(*ast.ValueSpec).Names {
						add(id)
					}
				}
			}
		}
	}
	return vars
}

// generics is the generic functions and types that a cell may mean: its own, and those of
// earlier cells.
func (s *Session) generics(src string) func(name string) bool {
	own := map[string]bool{}
	list, _ := scan.Tokens(src)
	for i := 2; i < len(list); i++ {
		if list[i].Kind == token.LBRACK && list[i-1].Kind == token.IDENT && (list[i-2].Kind == token.FUNC || list[i-2].Kind == token.TYPE) {
			own[list[i-1].Lit] = true
		}
	}
	return func(name string) bool {
		if own[name] {
			return true
		}
		d := s.live[name]
		if d == nil {
			return false
		}
		switch t := types.Unalias(d.obj.Type()).(type) {
		case *types.Signature:
			return t.TypeParams() != nil
		case *types.Named:
			return d.kind == token.TYPE && t.TypeParams() != nil
		}
		return false
	}
}
