package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/tiler-go/tiler/exec/frontend/flow"
	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// shortCircuit is x && y or x || y: y is evaluated only if x does not decide.
func (l *lowering) shortCircuit(e *ast.BinaryExpr) value.Value {
	n := len(l.Frame.Reads)
	x := l.expr(e.X)
	l.Frame.Reads = l.Frame.Reads[:n] // it is certainly evaluated ahead of y
	if x.Kind != value.ScalarKind {
		l.expr(e.Y) // for its messages
		return value.Bad
	}
	decides := value.Bool(e.Op == token.LOR)
	if x.Known {
		if x.Bits == decides.Bits {
			return x
		}
		return l.expr(e.Y)
	}
	// If y only computes, it may as well be computed always.
	s, outer, seq := l.Snapshot(), l.Block, l.Seq
	l.Block = &ir.Block{}
	y := l.expr(e.Y)
	inner := l.Block
	l.Block = outer
	switch {
	case y.Kind != value.ScalarKind:
		l.Forget(len(s.MemoLog))
		return value.Bad
	case !pure(inner) || len(l.Since(len(s.Journal), seq)) > 0:
		l.Restore(s)
		l.Flow = flow.Flow{}
		return l.evaluateIf(e, x, decides)
	}
	l.At(e.OpPos)
	l.Block.Values = append(l.Block.Values, inner.Values...)
	o := op.And
	if e.Op == token.LOR {
		o = op.Or
	}
	return l.Apply(o, types.Bool, x, y)
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
func (l *lowering) evaluateIf(e *ast.BinaryExpr, x, decides value.Value) value.Value {
	z := l.Declare(nil, "the condition", decides, e.Pos())
	right := func(bool) { l.Set(z, l.expr(e.Y), e.Y.Pos()) }
	left := func(bool) { l.Set(z, decides, e.X.Pos()) }
	if e.Op == token.LAND {
		l.Branch(e.OpPos, x.IR, right, left, nil, false)
	} else {
		l.Branch(e.OpPos, x.IR, left, right, nil, false)
	}
	return z.Val
}
