package exprs

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/repl/lower/source"
)

// composite lowers a composite literal. Every type is spelled out, every conversion
// done.
func composite(c *Compiler, e *ast.CompositeLit) string {
	t := c.TypeOf(e)
	if p, ok := t.Underlying().(*types.Pointer); ok { // {…} for &T{…}
		inner := *e
		c.Info.Types[&inner] = types.TypeAndValue{Type: p.Elem()}
		return c.address(&inner)
	}
	var elems []string
	switch u := t.Underlying().(type) {
	case *types.Struct:
		elems = structElems(c, e, t, u)
	case *types.Map:
		for _, elt := range e.Elts {
			kv := elt.(*ast.KeyValueExpr)
			elems = append(elems, c.Convert(kv.Key, u.Key())+": "+c.Convert(kv.Value, u.Elem()))
		}
	case *types.Slice:
		elems = listElems(c, e, u.Elem())
	case *types.Array:
		elems = listElems(c, e, u.Elem())
	default:
		source.Refuse("a composite literal of %s cannot be used here", t)
	}
	return c.Spell(t) + "{" + strings.Join(elems, ", ") + "}"
}

func structElems(c *Compiler, e *ast.CompositeLit, t types.Type, u *types.Struct) (elems []string) {
	for i, elt := range e.Elts {
		value := elt
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			value = kv.Value
			for k := range u.NumFields() {
				if u.Field(k).Name() == kv.Key.(*ast.Ident).Name {
					i = k
				}
			}
		}
		elems = append(elems, c.Field(u, i)+": "+c.Convert(value, u.Field(i).Type()))
	}
	return elems
}

func listElems(c *Compiler, e *ast.CompositeLit, elem types.Type) (elems []string) {
	for _, elt := range e.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			elems = append(elems, fmt.Sprintf("%s: %s", c.Info.Types[kv.Key].Value.ExactString(), c.Convert(kv.Value, elem)))
			continue
		}
		elems = append(elems, c.Convert(elt, elem))
	}
	return elems
}
