package gofile

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// Quotients is what a kernel's parameters are divided by, as its source says, also where it does not compile:
// by parameter, the constants, and the parameters.
func (f *File) Quotients(kernel string) (constants, params [][]int) {
	k := f.kernels[kernel]
	if k == nil {
		return nil, nil
	}
	places := map[types.Object]int{}
	n := -1 // the program
	for _, field := range k.Params.List {
		for _, id := range field.Names {
			if n >= 0 {
				places[f.Info.Defs[id]] = n
			}
			n++
		}
	}
	constants, params = make([][]int, max(n, 0)), make([][]int, max(n, 0))
	param := func(e ast.Expr) (int, bool) {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok || f.Info.Uses[id] == nil {
			return 0, false
		}
		i, ok := places[f.Info.Uses[id]]
		return i, ok
	}
	ast.Inspect(k.Body, func(n ast.Node) bool {
		q, ok := n.(*ast.BinaryExpr)
		if !ok || q.Op != token.QUO {
			return true
		}
		i, ok := param(q.X)
		if !ok {
			return true
		}
		if j, ok := param(q.Y); ok {
			params[i] = append(params[i], j)
		} else if v := f.Info.Types[q.Y].Value; v != nil && v.Kind() == constant.Int {
			if d, exact := constant.Int64Val(v); exact && d > 1 && d < 1<<16 {
				constants[i] = append(constants[i], int(d))
			}
		}
		return true
	})
	return constants, params
}
