package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// shortCircuit is x && y or x || y: y is evaluated only if x does not decide.
func (l *lowering) shortCircuit(e *ast.BinaryExpr) value {
	x := l.expr(e.X)
	if x.kind != scalarKind {
		l.expr(e.Y) // for its messages
		return bad
	}
	decides := boolValue(e.Op == token.LOR)
	if x.known {
		if x.bits == decides.bits {
			return x
		}
		return l.expr(e.Y)
	}
	// If y only computes, it may as well be computed always.
	s, outer, seq := l.snapshot(), l.block, l.seq
	l.block = &ir.Block{}
	y := l.expr(e.Y)
	inner := l.block
	l.block = outer
	switch {
	case y.kind != scalarKind:
		l.forget(len(s.memoLog))
		return bad
	case !pure(inner) || len(l.since(len(s.journal), seq)) > 0:
		l.restore(s)
		l.flow = flow{}
		return l.evaluateIf(e, x, decides)
	}
	l.at(e.OpPos)
	l.block.Values = append(l.block.Values, inner.Values...)
	o := op.And
	if e.Op == token.LOR {
		o = op.Or
	}
	return l.apply(o, types.Bool, x, y)
}

func pure(b *ir.Block) bool {
	for _, v := range b.Values {
		if !v.Pure() {
			return false
		}
	}
	return true
}

// evaluateIf is a short circuit whose right side fails or acts, and so must not be
// evaluated in vain.
func (l *lowering) evaluateIf(e *ast.BinaryExpr, x, decides value) value {
	z := l.declare(nil, "the condition", decides, e.Pos())
	right := func(bool) { l.set(z, l.expr(e.Y), e.Y.Pos()) }
	left := func(bool) { l.set(z, decides, e.X.Pos()) }
	if e.Op == token.LAND {
		l.branch(e.OpPos, x.v, right, left, nil, false)
	} else {
		l.branch(e.OpPos, x.v, left, right, nil, false)
	}
	return z.val
}
