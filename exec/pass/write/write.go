// Package write appends values to what is going to be a block.
package write

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A Writer appends values at a position.
type Writer struct {
	Fn  *ir.Func
	Out []*ir.Value
	Pos diag.Pos
}

// Add appends a value.
func (w *Writer) Add(o op.Op, t ir.Type, args ...*ir.Value) *ir.Value {
	v := w.Fn.NewValue(o, t, w.Pos, args...)
	w.Out = append(w.Out, v)
	return v
}

// Clone appends v with other operands and maybe another shape.
func (w *Writer) Clone(v *ir.Value, t ir.Type, args ...*ir.Value) *ir.Value {
	z := w.Add(v.Op, t, args...)
	z.Attr, z.Pos = v.Attr, v.Pos
	return z
}
