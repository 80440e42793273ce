package lower

import (
	"strconv"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/lower/value"
	"github.com/tiler-go/tiler/exec/triton/syntax"
)

// note says that a statement has been done, which gave values to targets. What the prelude does, and
// what is computed before the kernel runs or lane by lane, is not told of.
func (l *lowering) note(at syntax.Pos, targets ...syntax.Expr) {
	if l.Func == nil || l.Lanes != nil || l.Frame.Plain || l.Frame.InPrelude() || l.Block.Term() != nil {
		return
	}
	n := ir.Note{Block: l.Block, Pos: l.Frame.Pos(at)}
	if k := len(l.Block.Values); k > 0 {
		n.After = l.Block.Values[k-1]
	}
	for _, t := range targets {
		n.Vars = noted(l.Frame, n.Vars, t)
	}
	l.Func.Notes = append(l.Func.Notes, n)
}

// noted is vars with those that a target names.
func noted(f *value.Frame, vars []ir.Var, target syntax.Expr) []ir.Var {
	switch t := target.(type) {
	case *syntax.Name:
		if t.Name != "_" {
			vars = holding(vars, t.Name, f.Vars[t.Name])
		}
	case *syntax.Tuple:
		for _, e := range t.Elems {
			vars = noted(f, vars, e)
		}
	case *syntax.List:
		for _, e := range t.Elems {
			vars = noted(f, vars, e)
		}
	}
	return vars
}

// holding is vars with a variable that holds v: one for each element of a tuple, and for where a block
// pointer is.
func holding(vars []ir.Var, name string, v value.Value) []ir.Var {
	switch v := v.(type) {
	case value.Tensor:
		return append(vars, ir.Var{Name: name, Value: v.IR})
	case value.Tuple:
		for i, e := range v {
			vars = holding(vars, name+"["+strconv.Itoa(i)+"]", e)
		}
		return vars
	case *value.Region:
		return holding(vars, name+".offsets", value.Tuple(v.Offsets))
	}
	if c, ok := exported(v); ok {
		vars = append(vars, ir.Var{Name: name, Const: c})
	}
	return vars
}
