package lower

import (
	"strconv"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/syntax"
)

// note says that a statement has been done, which gave values to targets. What the prelude does, and
// what is computed before the kernel runs or lane by lane, is not told of.
func (l *emitter) note(at syntax.Pos, targets ...syntax.Expr) {
	if l.fn == nil || l.lanes != nil || l.frame.plain || l.frame.file.isPrelude() || l.block.Term() != nil {
		return
	}
	n := ir.Note{Block: l.block, Pos: l.frame.file.syntax.At(at)}
	if k := len(l.block.Values); k > 0 {
		n.After = l.block.Values[k-1]
	}
	for _, t := range targets {
		n.Vars = l.noted(n.Vars, t)
	}
	l.fn.Notes = append(l.fn.Notes, n)
}

// noted is vars with those that a target names.
func (l *place) noted(vars []ir.Var, target syntax.Expr) []ir.Var {
	switch t := target.(type) {
	case *syntax.Name:
		if t.Name != "_" {
			vars = holding(vars, t.Name, l.frame.vars[t.Name])
		}
	case *syntax.Tuple:
		for _, e := range t.Elems {
			vars = l.noted(vars, e)
		}
	case *syntax.List:
		for _, e := range t.Elems {
			vars = l.noted(vars, e)
		}
	}
	return vars
}

// holding is vars with a variable that holds v: one for each element of a tuple, and for where a block
// pointer is.
func holding(vars []ir.Var, name string, v value) []ir.Var {
	switch v := v.(type) {
	case tensor:
		return append(vars, ir.Var{Name: name, Value: v.v})
	case tuple:
		for i, e := range v {
			vars = holding(vars, name+"["+strconv.Itoa(i)+"]", e)
		}
		return vars
	case *region:
		return holding(vars, name+".offsets", tuple(v.offsets))
	}
	if c, ok := exported(v); ok {
		vars = append(vars, ir.Var{Name: name, Const: c})
	}
	return vars
}

// noteBehind has notes at the beginning of a block stand behind the first values of it, which have been
// put there.
func (l *emitter) noteBehind(b *ir.Block, n int) {
	if n == 0 {
		return
	}
	for i := range l.fn.Notes {
		if z := &l.fn.Notes[i]; z.Block == b && z.After == nil {
			z.After = b.Values[n-1]
		}
	}
}
