package gofile

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// prune takes the bodies from functions that no kernel depends on, so that they are
// not checked: a program's own work is mostly elsewhere. Names decide, and so keep too
// much rather than too little. It gives the number of expressions in the others.
func (f *File) prune() (size int) {
	byName := map[string][]*ast.FuncDecl{}
	keep := map[*ast.FuncDecl]bool{}
	var open []ast.Node
	globals := map[string][]*ast.ValueSpec{} // and what makes variables of the package
	for _, file := range f.files {
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				variables(globals, g)
			}
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				byName[fn.Name.Name] = append(byName[fn.Name.Name], fn)
				if slices.Contains(f.parts.own().files, file) && holdsKernel(fn) {
					keep[fn] = true
					open = append(open, fn)
				}
			}
		}
	}
	for len(open) > 0 {
		node := open[0]
		open = open[1:]
		ast.Inspect(node, func(n ast.Node) bool {
			if _, ok := n.(ast.Expr); ok {
				size++
			}
			if id, ok := n.(*ast.Ident); ok {
				for _, s := range globals[id.Name] {
					for _, v := range s.Values {
						open = append(open, v)
					}
				}
				delete(globals, id.Name)
				for _, called := range byName[id.Name] {
					if !keep[called] {
						keep[called] = true
						open = append(open, called)
					}
				}
			}
			return true
		})
	}
	for name, fns := range byName {
		for _, fn := range fns {
			switch {
			case keep[fn]:
			case name == "main" || name == "init": // must have one
				fn.Body.List = nil
			default:
				fn.Body = nil
			}
		}
	}
	return size
}

// variables adds a declaration's variables to others, by name.
func variables(specs map[string][]*ast.ValueSpec, g *ast.GenDecl) {
	for _, s := range g.Specs {
		if s, ok := s.(*ast.ValueSpec); ok {
			for _, id := range s.Names {
				specs[id.Name] = append(specs[id.Name], s)
			}
		}
	}
}

// holdsKernel reports whether a function is a kernel, or one is in it.
func holdsKernel(fn *ast.FuncDecl) (yes bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		if t, ok := n.(*ast.FuncType); ok {
			yes = yes || takesProgram(t)
		}
		return !yes
	})
	return yes
}

// takesProgram reports whether a function type may be a kernel's, by whatever name it
// calls *tl.Program.
func takesProgram(t *ast.FuncType) bool {
	if len(t.Params.List) == 0 || t.Results != nil && len(t.Results.List) > 0 {
		return false
	}
	switch x := t.Params.List[0].Type.(type) {
	case *ast.StarExpr:
		return true
	case *ast.Ident:
		return types.Universe.Lookup(x.Name) == nil
	}
	return false
}
