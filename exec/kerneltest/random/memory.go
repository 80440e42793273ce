package random

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Loads, stores and atomics.

// somePointers is pointers into a tensor, most of them inside.
func (g *generator) somePointers(shape ir.Shape) *ir.Value {
	p := g.pick(func(v *ir.Value) bool {
		return v.Type.D.IsPointer() && (!v.Type.IsTile() || v.Type.Shape == shape)
	})
	if p == nil {
		p = g.F.Params[g.r.IntN(2*len(g.types))]
	}
	t := ir.Type{D: p.Type.D, Shape: shape}
	p = g.Broadcast(p, shape)
	if shape.N == 0 {
		return g.Emit(ir.PtrAdd, t, p, g.Emit(op.And, ir.Scalar(dtype.Int64), g.scalarInt(), g.Int(memory/4-1)))
	}
	off := g.index(shape, g.intType())
	off = g.to(off, t.As(dtype.Int64))
	if shape.N > 1 && g.r.IntN(4) == 0 {
		off = g.rows(shape)
	}
	if g.r.IntN(3) > 0 { // somewhere inside, most of the time
		off = g.Emit(op.And, off.Type, off, g.to(g.Int(memory/4-1), off.Type))
	}
	return g.Emit(ir.PtrAdd, t, p, off)
}

// rows is places of rows that begin where a tensor of integers says, a multiple of a step.
func (g *generator) rows(shape ir.Shape) *ir.Value {
	rows := shape.With(shape.N-1, 1)
	ptr := g.pick(func(v *ir.Value) bool { return v.Op == ir.Param && v.Type.D.IsPointer() && v.Type.D.Elem().IsInt() })
	if ptr == nil {
		ptr = g.F.Params[1] // integers in all of tensorTypes
	}
	at := ir.Type{D: dtype.Int64, Shape: rows}
	p := g.Emit(ir.PtrAdd, at.As(ptr.Type.D), g.Broadcast(ptr, rows), g.Offsets(rows))
	i := g.to(g.Emit(op.Load, at.As(ptr.Type.D.Elem()), p), at)
	i = g.Emit(op.And, at, i, g.to(g.Int(31), at))
	i = g.Emit(op.Mul, at, i, g.to(g.Int(1+g.r.IntN(12)), at))
	n := shape.D[shape.N-1]
	row := ir.Tile(dtype.Int64, n)
	j := g.Emit(op.Cast, row, g.Emit(op.Arange, row.As(dtype.Int32)))
	z := ir.Type{D: dtype.Int64, Shape: shape}
	return g.Emit(op.Add, z, g.Broadcast(i, shape), g.Broadcast(j, shape))
}

func (g *generator) loadSomething() *ir.Value {
	shape := g.shape()
	if g.r.IntN(4) == 0 {
		shape = ir.Shape{}
	}
	p := g.somePointers(shape)
	elem := p.Type.As(p.Type.D.Elem())
	args, flags := []*ir.Value{p}, ir.Flags(0)
	if g.r.IntN(3) > 0 {
		flags |= ir.Masked
		args = append(args, g.as(elem.As(dtype.Bool)))
		if shape.N > 0 {
			args[1] = g.mask(shape)
		}
		if g.r.IntN(2) == 0 {
			flags |= ir.HasOther
			args = append(args, g.as(elem))
		}
	}
	v := g.Emit(op.Load, elem, args...)
	v.Flags = flags
	return v
}

func (g *generator) storeSomething() {
	x := g.any()
	if x == nil || !x.Type.IsTile() {
		return
	}
	p := g.somePointers(x.Type.Shape)
	x = g.to(x, p.Type.As(p.Type.D.Elem()))
	args, flags := []*ir.Value{p, x}, ir.Flags(0)
	if g.r.IntN(3) > 0 {
		flags = ir.Masked
		args = append(args, g.mask(x.Type.Shape))
	}
	o, t := op.Store, ir.Type{}
	a := op.AtomicAdd + op.Op(g.r.IntN(int(op.AtomicXchg-op.AtomicAdd)+1))
	if g.r.IntN(4) == 0 && a.Row().In.Has(x.Type.D) {
		o, t = a, x.Type
	}
	v := g.Emit(o, t, args...)
	v.Flags = flags
	if o != op.Store {
		g.keep(v)
	}
}
