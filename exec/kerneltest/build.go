package kerneltest

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A Builder makes a Func. Values go to the block that is open.
type Builder struct {
	F *ir.Func
	B *ir.Block
}

// NewBuilder is a Builder with the body of a new Func open.
func NewBuilder() *Builder {
	f := &ir.Func{Name: "k", File: "k.go", Body: &ir.Block{}}
	return &Builder{F: f, B: f.Body}
}

// Param adds a parameter.
func (b *Builder) Param(t ir.Type) *ir.Value {
	p := b.F.NewValue(ir.Param, t, diag.Pos{})
	p.Index, p.Text = len(b.F.Params), "p"
	b.F.Params = append(b.F.Params, p)
	return p
}

// Ptr adds a parameter that points to elements of d; Scalar one that is an int.
func (b *Builder) Ptr(d dtype.DType) *ir.Value { return b.Param(ir.Scalar(dtype.PointerTo(d))) }
func (b *Builder) Scalar() *ir.Value           { return b.Param(ir.Scalar(dtype.Int64)) }

// Emit appends a value to the open block.
func (b *Builder) Emit(o op.Op, t ir.Type, args ...*ir.Value) *ir.Value {
	v := b.F.NewValue(o, t, diag.Pos{File: b.F.File, Line: b.F.NumIDs(), Col: 1}, args...)
	b.B.Values = append(b.B.Values, v)
	return v
}

// Many emits a value with several results, and returns those.
func (b *Builder) Many(o op.Op, types []ir.Type, set func(v *ir.Value), args ...*ir.Value) []*ir.Value {
	v := b.Emit(o, ir.Type{}, args...)
	v.Results = types
	if set != nil {
		set(v)
	}
	out := make([]*ir.Value, len(types))
	for i, t := range types {
		out[i] = b.Emit(ir.Result, t, v)
		out[i].Index = i
	}
	return out
}

// Constant emits a scalar constant; Int one of type int64.
func (b *Builder) Constant(d dtype.DType, bits uint64) *ir.Value {
	v := b.Emit(op.Const, ir.Scalar(d))
	v.Bits = bits
	return v
}

func (b *Builder) Int(n int) *ir.Value { return b.Constant(dtype.Int64, uint64(int64(n))) }

// Broadcast emits a broadcast, if x has another shape; Reshape a reshape.
func (b *Builder) Broadcast(x *ir.Value, shape ir.Shape) *ir.Value {
	if x.Type.Shape == shape {
		return x
	}
	return b.Emit(op.Broadcast, ir.Type{D: x.Type.D, Shape: shape}, x)
}

func (b *Builder) Reshape(x *ir.Value, shape ir.Shape) *ir.Value {
	return b.Emit(op.Reshape, ir.Type{D: x.Type.D, Shape: shape}, x)
}

// Offsets is 0, 1, 2 ... in row-major order of a shape.
func (b *Builder) Offsets(shape ir.Shape) *ir.Value {
	x := b.Emit(op.Arange, ir.Tile(dtype.Int32, shape.Len()))
	x = b.Emit(op.Cast, x.Type.As(dtype.Int64), x)
	if shape.N == 1 {
		return x
	}
	return b.Reshape(x, shape)
}

// Pointers is the pointers to elements in row-major order of a shape.
func (b *Builder) Pointers(p *ir.Value, shape ir.Shape) *ir.Value {
	q := b.Broadcast(p, shape)
	if shape.N == 0 {
		return q
	}
	return b.Emit(ir.PtrAdd, q.Type, q, b.Offsets(shape))
}

// Load emits a load of elements in row-major order; Store a store of them.
func (b *Builder) Load(p *ir.Value, shape ir.Shape) *ir.Value {
	q := b.Pointers(p, shape)
	return b.Emit(op.Load, q.Type.As(q.Type.D.Elem()), q)
}

func (b *Builder) Store(p, x *ir.Value) {
	b.Emit(op.Store, ir.Type{}, b.Pointers(p, x.Type.Shape), x)
}

// Done ends the Func.
func (b *Builder) Done() *ir.Func {
	b.Emit(ir.Return, ir.Type{})
	return b.F
}

// Block runs fn with a new block open, and returns it.
func (b *Builder) Block(args []ir.Type, fn func(args []*ir.Value)) *ir.Block {
	outer := b.B
	b.B = &ir.Block{}
	inner := b.B
	for _, t := range args {
		inner.Args = append(inner.Args, b.F.NewValue(op.None, t, diag.Pos{}))
	}
	fn(inner.Args)
	b.B = outer
	return inner
}

// HasMeaning reports whether lanes of type d can be operated on.
func HasMeaning(o op.Op, d dtype.DType) bool {
	row := o.Row()
	return row.In.Has(d) && (row.Has(d) || d.IsNarrow() && row.Has(dtype.Float32))
}

// ShapesOf is shapes with n elements.
func ShapesOf(n int) []ir.Shape {
	out := []ir.Shape{ir.ShapeOf(n), ir.ShapeOf(n, 1), ir.ShapeOf(1, n)}
	for _, k := range []int{2, 3, 5, 8} {
		if n%k == 0 {
			out = append(out, ir.ShapeOf(k, n/k), ir.ShapeOf(n/k, 1, k))
		}
		if n%(k*k) == 0 {
			out = append(out, ir.ShapeOf(k, n/k/k, k))
		}
	}
	return out
}
