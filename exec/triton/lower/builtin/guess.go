package builtin

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/lower/value"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Wanted is panicked with where an integer parameter should be a pointer.
type Wanted struct{ Param *ir.Value }

// want ends a lowering that guesses if v, where a pointer should be, is an integer parameter or
// one with something added to it.
func want(l *value.Emitter, v *ir.Value) {
	if !l.Guessing || v.Type.D.IsPointer() {
		return
	}
	if p := addend(v, map[*ir.Value]bool{}); p != nil {
		panic(Wanted{p})
	}
}

// addend is the first parameter of which v is a sum, nil if there is none.
func addend(v *ir.Value, seen map[*ir.Value]bool) *ir.Value {
	if seen[v] {
		return nil
	}
	seen[v] = true
	switch v.Op {
	case ir.Param:
		return v
	case op.Add, op.Sub, op.Cast, op.Broadcast, op.Reshape, ir.Fits:
		for _, a := range v.Args {
			if p := addend(a, seen); p != nil {
				return p
			}
		}
	}
	return nil
}
