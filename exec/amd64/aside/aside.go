// Package aside makes Funcs of single operations, from memory to memory, which another engine
// runs: for those that machine code leaves out.
package aside

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Of is a Func that does what one op does: its parameters are the op's operands, then its
// results. A pointer is a tensor and offsets into it.
func Of(v *ir.Value) *ir.Func {
	a := &builder{f: &ir.Func{Name: ir.OpName(v.Op)}, body: &ir.Block{}}
	a.f.Body = a.body
	var in []*ir.Value
	for _, x := range v.Args {
		if x.Type.D.IsPointer() {
			p := a.param(x.Type.D)
			offs := a.load(x.Type.As(dtype.Int64))
			in = append(in, a.add(ir.PtrAdd, x.Type, a.spread(p, x.Type), offs))
			continue
		}
		in = append(in, a.load(x.Type))
	}
	w := a.f.NewValue(v.Op, v.Type, v.Pos, in...)
	w.Attr, w.Results = v.Attr, v.Results
	a.body.Values = append(a.body.Values, w)
	if v.Type.D != dtype.Invalid {
		a.store(w)
	}
	for i, t := range v.Results {
		r := a.add(ir.Result, t, w)
		r.Index = i
		a.store(r)
	}
	a.add(ir.Return, ir.Type{})
	return a.f
}

type builder struct {
	f    *ir.Func
	body *ir.Block
}

func (a *builder) add(o op.Op, t ir.Type, args ...*ir.Value) *ir.Value {
	v := a.f.NewValue(o, t, diag.Pos{}, args...)
	a.body.Values = append(a.body.Values, v)
	return v
}

func (a *builder) param(d dtype.DType) *ir.Value {
	p := a.f.NewValue(ir.Param, ir.Scalar(d), diag.Pos{})
	p.Index = len(a.f.Params)
	a.f.Params = append(a.f.Params, p)
	return p
}

func (a *builder) spread(v *ir.Value, t ir.Type) *ir.Value {
	if !t.IsTile() {
		return v
	}
	return a.add(op.Broadcast, ir.Type{D: v.Type.D, Shape: t.Shape}, v)
}

// pointers are those of the elements, in row-major order, of memory that holds a value
// of type t.
func (a *builder) pointers(t ir.Type) *ir.Value {
	p := a.param(dtype.PointerTo(t.D))
	if !t.IsTile() {
		return p
	}
	n := t.Shape.Len()
	flat := a.add(op.Arange, ir.Tile(dtype.Int32, n))
	offs := a.add(op.Cast, ir.Tile(dtype.Int64, n), flat)
	shaped := a.add(op.Reshape, t.As(dtype.Int64), offs)
	return a.add(ir.PtrAdd, t.As(p.Type.D), a.spread(p, t), shaped)
}

func (a *builder) load(t ir.Type) *ir.Value { return a.add(op.Load, t, a.pointers(t)) }

func (a *builder) store(v *ir.Value) { a.add(op.Store, ir.Type{}, a.pointers(v.Type), v) }
