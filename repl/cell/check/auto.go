package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/repl/symbols"
)

// importUsed imports the packages of the standard library that a cell uses without
// having imported them, where nothing else has that name; it reports whether there were
// any.
func (c *Check) importUsed(errs []types.Error) bool {
	var found []string
	for _, e := range errs {
		name, ok := strings.CutPrefix(e.Msg, "undefined: ")
		if !ok || c.s.Live[name] != nil {
			continue
		}
		sel, ok := Inner[*ast.SelectorExpr](c.PathTo(e.Pos))
		if !ok {
			continue
		}
		if id, ok := sel.X.(*ast.Ident); !ok || id.Name != name {
			continue
		}
		if path := c.s.standard(name, sel.Sel.Name); path != "" {
			pkg, _ := c.s.Types.Import(path)
			c.s.Define(&Def{Name: name, Kind: token.IMPORT, Path: path, Obj: types.NewPkgName(token.NoPos, nil, name, pkg)})
			found = append(found, fmt.Sprintf("%q", path))
		}
	}
	if len(found) > 0 {
		c.s.note("imported %s", strings.Join(found, ", "))
	}
	return len(found) > 0
}

// standard is the path of the package of the standard library with a name that has
// something exported of another name; "" if there is none.
func (s *Scope) standard(name, member string) string {
	for _, path := range symbols.Named(name) {
		if strings.HasPrefix(path, "github.com/") {
			continue
		}
		if pkg, err := s.Types.Import(path); err == nil && token.IsExported(member) && pkg.Scope().Lookup(member) != nil {
			return path
		}
	}
	return ""
}

// PackagePath is the path of the package that a name stands for: one that is imported, or
// of the standard library; "" if there is none.
func (s *Scope) PackagePath(name string) string {
	if d := s.Live[name]; d != nil {
		return d.Path
	}
	for _, path := range symbols.Named(name) {
		if !strings.HasPrefix(path, "github.com/") {
			return path
		}
	}
	return ""
}
