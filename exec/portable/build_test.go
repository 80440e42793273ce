package portable_test

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// builder makes a Func. Values go to the block that is open.
type builder struct {
	f *ir.Func
	b *ir.Block
}

func newBuilder() *builder {
	f := &ir.Func{Name: "k", File: "k.go", Body: &ir.Block{}}
	return &builder{f: f, b: f.Body}
}

func (b *builder) param(t ir.Type) *ir.Value {
	p := b.f.NewValue(ir.Param, t, diag.Pos{})
	p.Index, p.Text = len(b.f.Params), "p"
	b.f.Params = append(b.f.Params, p)
	return p
}

func (b *builder) ptr(d dtype.DType) *ir.Value { return b.param(ir.Scalar(dtype.PointerTo(d))) }
func (b *builder) scalar() *ir.Value           { return b.param(ir.Scalar(dtype.Int64)) }

func (b *builder) emit(o op.Op, t ir.Type, args ...*ir.Value) *ir.Value {
	v := b.f.NewValue(o, t, diag.Pos{Line: len(b.b.Values) + 1, Col: 1}, args...)
	b.b.Values = append(b.b.Values, v)
	return v
}

// many emits a value with several results, and returns those.
func (b *builder) many(o op.Op, types []ir.Type, set func(v *ir.Value), args ...*ir.Value) []*ir.Value {
	v := b.emit(o, ir.Type{}, args...)
	v.Results = types
	if set != nil {
		set(v)
	}
	out := make([]*ir.Value, len(types))
	for i, t := range types {
		out[i] = b.emit(ir.Result, t, v)
		out[i].Index = i
	}
	return out
}

func (b *builder) constant(d dtype.DType, bits uint64) *ir.Value {
	v := b.emit(op.Const, ir.Scalar(d))
	v.Bits = bits
	return v
}

func (b *builder) int(n int) *ir.Value { return b.constant(dtype.Int64, uint64(int64(n))) }

func (b *builder) broadcast(x *ir.Value, shape ir.Shape) *ir.Value {
	if x.Type.Shape == shape {
		return x
	}
	return b.emit(op.Broadcast, ir.Type{D: x.Type.D, Shape: shape}, x)
}

func (b *builder) reshape(x *ir.Value, shape ir.Shape) *ir.Value {
	return b.emit(op.Reshape, ir.Type{D: x.Type.D, Shape: shape}, x)
}

// offsets is 0, 1, 2 ... in row-major order of a shape.
func (b *builder) offsets(shape ir.Shape) *ir.Value {
	x := b.emit(op.Arange, ir.Tile(dtype.Int32, shape.Len()))
	x = b.emit(op.Cast, x.Type.As(dtype.Int64), x)
	if shape.N == 1 {
		return x
	}
	return b.reshape(x, shape)
}

// pointers is the pointers to elements in row-major order of a shape.
func (b *builder) pointers(p *ir.Value, shape ir.Shape) *ir.Value {
	q := b.broadcast(p, shape)
	if shape.N == 0 {
		return q
	}
	return b.emit(ir.PtrAdd, q.Type, q, b.offsets(shape))
}

func (b *builder) load(p *ir.Value, shape ir.Shape) *ir.Value {
	q := b.pointers(p, shape)
	return b.emit(op.Load, q.Type.As(q.Type.D.Elem()), q)
}

func (b *builder) store(p, x *ir.Value) {
	b.emit(op.Store, ir.Type{}, b.pointers(p, x.Type.Shape), x)
}

func (b *builder) done() *ir.Func {
	b.emit(ir.Return, ir.Type{})
	return b.f
}

// block runs fn with a new block open, and returns it.
func (b *builder) block(args []ir.Type, fn func(args []*ir.Value)) *ir.Block {
	outer := b.b
	b.b = &ir.Block{}
	inner := b.b
	for _, t := range args {
		inner.Args = append(inner.Args, b.f.NewValue(op.None, t, diag.Pos{}))
	}
	fn(inner.Args)
	b.b = outer
	return inner
}
