// Package aside makes Funcs of single operations, from memory to memory, which another engine
// runs: for those that machine code leaves out.
package aside

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Of is a Func that does what one op does: its parameters are the op's operands, then its
// results. A pointer is a tensor and offsets into it.
func Of(v *ir.Value) *ir.Func {
	f := &ir.Func{Name: ir.OpName(v.Op), Body: &ir.Block{}}
	var in []*ir.Value
	for _, x := range v.Args {
		if x.Type.D.IsPointer() {
			p := f.AddParam(x.Type.D)
			offs := load(f, x.Type.As(dtype.Int64))
			in = append(in, f.Append(ir.PtrAdd, x.Type, spread(f, p, x.Type), offs))
			continue
		}
		in = append(in, load(f, x.Type))
	}
	w := f.Append(v.Op, v.Type, in...)
	w.Pos, w.Attr, w.Results = v.Pos, v.Attr, v.Results
	if v.Type.D != dtype.Invalid {
		store(f, w)
	}
	for i, t := range v.Results {
		r := f.Append(ir.Result, t, w)
		r.Index = i
		store(f, r)
	}
	f.Append(ir.Return, ir.Type{})
	return f
}

// spread is a scalar, in all elements if a type is a tile's.
func spread(f *ir.Func, v *ir.Value, t ir.Type) *ir.Value {
	if !t.IsTile() {
		return v
	}
	return f.Append(op.Broadcast, ir.Type{D: v.Type.D, Shape: t.Shape}, v)
}

// pointers are those of the elements, in row-major order, of memory that holds a value
// of type t.
func pointers(f *ir.Func, t ir.Type) *ir.Value {
	p := f.AddParam(dtype.PointerTo(t.D))
	if !t.IsTile() {
		return p
	}
	n := t.Shape.Len()
	flat := f.Append(op.Arange, ir.Tile(dtype.Int32, n))
	offs := f.Append(op.Cast, ir.Tile(dtype.Int64, n), flat)
	shaped := f.Append(op.Reshape, t.As(dtype.Int64), offs)
	return f.Append(ir.PtrAdd, t.As(p.Type.D), spread(f, p, t), shaped)
}

func load(f *ir.Func, t ir.Type) *ir.Value { return f.Append(op.Load, t, pointers(f, t)) }

func store(f *ir.Func, v *ir.Value) { f.Append(op.Store, ir.Type{}, pointers(f, v.Type), v) }
