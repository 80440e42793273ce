package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/repl/cell/sugar"
	"github.com/tiler-go/tiler/repl/lower"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A Source is the text of a cell, and where it comes from.
type Source struct {
	Name string // "cell 3", or a file
	Text string
	Line int // the number of its first line

	Program bool // a whole Go file
	Done    bool // it ran to its end
}

// A span is part of a cell.
type span struct{ Cell, Start, End int }

// A Check is one run of the type checker: a cell, with the definitions of earlier
// cells that must follow it.
type Check struct {
	reader
	Decls []*ast.File // the cell's declarations, then those of earlier cells
	body  *ast.File   // the cell's statements, nil if there are none

	Pkg     *types.Package
	Info    *types.Info
	Errs    []types.Error
	Sugar   *sugar.Desugarer
	plan    *Plan
	methods map[*ast.FuncDecl]*types.Named // methods of types of earlier cells
}

// newCheck is a check that has read nothing yet.
func newCheck(p *Plan) *Check {
	return &Check{reader: newReader(p), plan: p, methods: map[*ast.FuncDecl]*types.Named{}, Sugar: sugar.New("", "", nil)}
}

// At is the place of a byte of a source.
func (s Source) At(off int) diag.Pos {
	before := s.Text[:off]
	return diag.Pos{File: s.Name, Line: s.Line + strings.Count(before, "\n"), Col: off - strings.LastIndexByte(before, '\n')}
}

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

// Resolve runs the type checker until no operator is left to rewrite. What it finds is in Errs.
func (c *Check) Resolve() {
	c.Sugar = sugar.New(c.s.importName(sugar.PathTilelang), c.s.importName(sugar.PathExec), c.grids)
	for range 100 {
		c.once()
		if c.Program() {
			return
		}
		if c.Sugar.Done(c.Info, c.Files()) {
			break
		}
	}
	c.noKernel()
}

// Files is what the type checker reads.
func (c *Check) Files() []*ast.File {
	files := slices.Clone(c.Decls)
	if c.body != nil {
		files = append(files, c.body)
	}
	return files
}

// once runs the type checker. The scope of the package holds what earlier cells
// defined and this one does not.
func (c *Check) once() {
	// The scope is emptied: what earlier cells declared stays of this package, and of its
	// scope, where the checker looks for types that are local to generic functions.
	*c.s.Pkg.Scope() = *newPackage().Scope()
	c.Pkg = c.s.Pkg
	c.Errs = nil
	here := declared(c.Decls)
	for name, d := range c.s.Live {
		if here[name] || d.Broken != nil || c.Program() {
			continue
		}
		o := d.Obj
		if p, ok := o.(*types.PkgName); ok {
			o = types.NewPkgName(token.NoPos, c.Pkg, name, p.Imported())
		}
		if v := c.plan.stands[name]; v != nil {
			o = v
		}
		c.Pkg.Scope().Insert(o)
	}
	c.Info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{},
	}
	conf := types.Config{Importer: c.s.Types, Sizes: types.SizesFor("gc", "amd64"), Error: func(err error) {
		if e, ok := err.(types.Error); ok {
			c.Errs = append(c.Errs, e)
		}
	}}
	checker := types.NewChecker(&conf, c.fset, c.Pkg, c.Info)
	checker.Files(c.Files())
}

func newPackage() *types.Package { return types.NewPackage(lower.Package, "main") }

// TopStmts is the statements of the cell.
func (c *Check) TopStmts() []ast.Stmt {
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
func (c *Check) topVars() []*types.Var {
	var vars []*types.Var
	add := func(id *ast.Ident) {
		if v, ok := c.Info.Defs[id].(*types.Var); ok && id.Name != "_" {
			vars = append(vars, v)
		}
	}
	for _, s := range c.TopStmts() {
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
func (s *Scope) generics(src string) func(name string) bool {
	own := scan.Generics(src)
	return func(name string) bool {
		if own[name] {
			return true
		}
		d := s.Live[name]
		if d == nil {
			return false
		}
		switch t := types.Unalias(d.Obj.Type()).(type) {
		case *types.Signature:
			return t.TypeParams() != nil
		case *types.Named:
			return d.Kind == token.TYPE && t.TypeParams() != nil
		}
		return false
	}
}
