package eager

import (
	"github.com/tiler-go/tiler/exec/ir"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// An action is what the language does for a value.
type action func(r *run, v *ir.Value, xs []tl.Tile) []tl.Tile

// value computes everything but control flow.
func (r *run) value(v *ir.Value) []tl.Tile {
	xs := r.args(v)
	if act := actions[v.Op]; act != nil {
		return act(r, v, xs)
	}
	if v.IsMemory() {
		return r.memory(v)
	}
	return []tl.Tile{applied(v, xs)}
}

// one is an action with one result. Inlined, each row of a table would have code of its own, as with the next three.
//
//go:noinline
func one(f func(v *ir.Value, xs []tl.Tile) tl.Tile) action {
	return func(_ *run, v *ir.Value, xs []tl.Tile) []tl.Tile { return []tl.Tile{f(v, xs)} }
}

// two is an action with two.
//
//go:noinline
func two(f func(v *ir.Value, xs []tl.Tile) (tl.Tile, tl.Tile)) action {
	return func(_ *run, v *ir.Value, xs []tl.Tile) []tl.Tile {
		x, y := f(v, xs)
		return []tl.Tile{x, y}
	}
}

//go:noinline
func unary(f func(x tl.Tile) tl.Tile) action {
	return one(func(_ *ir.Value, xs []tl.Tile) tl.Tile { return f(xs[0]) })
}

//go:noinline
func binary(f func(x tl.Tile, y any) tl.Tile) action {
	return one(func(_ *ir.Value, xs []tl.Tile) tl.Tile { return f(xs[0], xs[1]) })
}

// actions has a row for each op that the language has a function for.
var actions map[op.Op]action

func init() {
	actions = map[op.Op]action{}
	for _, table := range []map[op.Op]action{elementwise, changes, moves, alongAxis, others} {
		for o, a := range table {
			actions[o] = a
		}
	}
}

var elementwise = map[op.Op]action{
	op.Add: binary(tl.Tile.Add), op.Sub: binary(tl.Tile.Sub), op.Mul: binary(tl.Tile.Mul), op.Div: binary(tl.Tile.Div),
	op.FloorDiv: binary(tl.Tile.FloorDiv), op.Mod: binary(tl.Tile.Mod), op.And: binary(tl.Tile.And), op.Or: binary(tl.Tile.Or),
	op.Xor: binary(tl.Tile.Xor), op.Shl: binary(tl.Tile.Shl), op.Shr: binary(tl.Tile.Shr), op.Lt: binary(tl.Tile.Lt),
	op.Le: binary(tl.Tile.Le), op.Gt: binary(tl.Tile.Gt), op.Ge: binary(tl.Tile.Ge), op.Eq: binary(tl.Tile.Eq), op.Ne: binary(tl.Tile.Ne),
	op.Maximum:    binary(func(x tl.Tile, y any) tl.Tile { return tl.Maximum(x, y) }),
	op.Minimum:    binary(func(x tl.Tile, y any) tl.Tile { return tl.Minimum(x, y) }),
	op.MaximumNaN: binary(func(x tl.Tile, y any) tl.Tile { return tl.Maximum(x, y, tl.PropagateNaN) }),
	op.MinimumNaN: binary(func(x tl.Tile, y any) tl.Tile { return tl.Minimum(x, y, tl.PropagateNaN) }),
	op.UMulHi:     one(func(_ *ir.Value, xs []tl.Tile) tl.Tile { return tl.UMulHi(xs[0], xs[1]) }),
	op.Where:      one(func(_ *ir.Value, xs []tl.Tile) tl.Tile { return tl.Where(xs[0], xs[1], xs[2]) }),
	op.FMA:        one(func(_ *ir.Value, xs []tl.Tile) tl.Tile { return tl.FMA(xs[0], xs[1], xs[2]) }),
	op.Pow:        one(func(_ *ir.Value, xs []tl.Tile) tl.Tile { return tl.Pow(xs[0], xs[1]) }),
	op.Atan2:      one(func(_ *ir.Value, xs []tl.Tile) tl.Tile { return tl.Atan2(xs[0], xs[1]) }),
	op.Neg:        unary(tl.Tile.Neg), op.Not: unary(tl.Tile.Not), op.Abs: unary(tl.Abs), op.Floor: unary(tl.Floor), op.Ceil: unary(tl.Ceil),
	op.Sqrt: unary(tl.Sqrt), op.Rsqrt: unary(tl.Rsqrt), op.Exp: unary(tl.Exp), op.Exp2: unary(tl.Exp2), op.Expm1: unary(tl.Expm1),
	op.Log: unary(tl.Log), op.Log2: unary(tl.Log2), op.Log1p: unary(tl.Log1p), op.Sin: unary(tl.Sin), op.Cos: unary(tl.Cos),
	op.Tan: unary(tl.Tan), op.Asin: unary(tl.Asin), op.Acos: unary(tl.Acos), op.Atan: unary(tl.Atan), op.Tanh: unary(tl.Tanh),
	op.Erf: unary(tl.Erf), op.Sigmoid: unary(tl.Sigmoid), op.Rint: unary(tl.Rint), op.Trunc: unary(tl.Trunc), op.Round: unary(tl.Round),
	ir.PtrAdd: binary(tl.Tile.Add),
}

var changes = map[op.Op]action{
	op.Const:   one(func(v *ir.Value, _ []tl.Tile) tl.Tile { return Scalar(v.Type.D, v.Bits) }),
	op.Cast:    one(func(v *ir.Value, xs []tl.Tile) tl.Tile { return xs[0].To(v.Type.D) }),
	op.CastRTZ: one(func(v *ir.Value, xs []tl.Tile) tl.Tile { return xs[0].To(v.Type.D, tl.TowardZero) }),
	op.Bitcast: one(func(v *ir.Value, xs []tl.Tile) tl.Tile { return xs[0].Bitcast(v.Type.D) }),
	ir.GoMath: one(func(v *ir.Value, xs []tl.Tile) tl.Tile {
		return Scalar(v.Type.D, ir.MathNamed(v.Text).Result(v.Index, xs[0].Bits()[0], xs[len(xs)-1].Bits()[0]))
	}),
	ir.Fits: one(func(v *ir.Value, xs []tl.Tile) tl.Tile { return tl.Full(v.Type.D, xs[0].Int()) }),
}

var moves = map[op.Op]action{
	op.Arange:    one(func(v *ir.Value, _ []tl.Tile) tl.Tile { return tl.Arange(v.Index, v.Index+v.Type.Shape.D[0]) }),
	op.Broadcast: one(func(v *ir.Value, xs []tl.Tile) tl.Tile { return xs[0].BroadcastTo(v.Type.Shape.Dims()...) }),
	op.Reshape:   one(func(v *ir.Value, xs []tl.Tile) tl.Tile { return xs[0].Reshape(v.Type.Shape.Dims()...) }),
	op.Permute:   one(func(v *ir.Value, xs []tl.Tile) tl.Tile { return xs[0].Permute(v.Axes...) }),
	op.Join:      one(func(_ *ir.Value, xs []tl.Tile) tl.Tile { return tl.Join(xs[0], xs[1]) }),
	op.Cat:       one(func(v *ir.Value, xs []tl.Tile) tl.Tile { return tl.Cat(v.Axis, xs...) }),
	op.Flip:      one(func(v *ir.Value, xs []tl.Tile) tl.Tile { return tl.Flip(xs[0], v.Axis) }),
	op.Split: one(func(v *ir.Value, xs []tl.Tile) tl.Tile {
		x, y := tl.Split(xs[0])
		return [2]tl.Tile{x, y}[v.Index]
	}),
}

var alongAxis = map[op.Op]action{
	op.Sum:    one(func(v *ir.Value, xs []tl.Tile) tl.Tile { return tl.Sum(xs[0], tl.Axis(v.Axis), tl.As(v.Type.D)) }),
	op.Max:    one(func(v *ir.Value, xs []tl.Tile) tl.Tile { return tl.Max(xs[0], tl.Axis(v.Axis)).To(v.Type.D) }),
	op.Min:    one(func(v *ir.Value, xs []tl.Tile) tl.Tile { return tl.Min(xs[0], tl.Axis(v.Axis)).To(v.Type.D) }),
	op.ArgMax: one(func(v *ir.Value, xs []tl.Tile) tl.Tile { return tl.ArgMax(xs[0], tl.Axis(v.Axis)) }),
	op.ArgMin: one(func(v *ir.Value, xs []tl.Tile) tl.Tile { return tl.ArgMin(xs[0], tl.Axis(v.Axis)) }),
	op.XorSum: one(func(v *ir.Value, xs []tl.Tile) tl.Tile { return tl.XorSum(xs[0], tl.Axis(v.Axis)) }),
	op.OrSum:  one(func(v *ir.Value, xs []tl.Tile) tl.Tile { return tl.OrSum(xs[0], tl.Axis(v.Axis)) }),
	op.MaxIndex: two(func(v *ir.Value, xs []tl.Tile) (x, i tl.Tile) {
		x, i = tl.MaxIndex(xs[0], tl.Axis(v.Axis))
		return x.To(v.Results[0].D), i
	}),
	op.MinIndex: two(func(v *ir.Value, xs []tl.Tile) (x, i tl.Tile) {
		x, i = tl.MinIndex(xs[0], tl.Axis(v.Axis))
		return x.To(v.Results[0].D), i
	}),
	op.CumSum: one(func(v *ir.Value, xs []tl.Tile) tl.Tile {
		return tl.CumSum(xs[0], append(scanOptions(v), tl.As(v.Type.D))...)
	}),
	op.CumProd: one(func(v *ir.Value, xs []tl.Tile) tl.Tile {
		return tl.CumProd(xs[0], append(scanOptions(v), tl.As(v.Type.D))...)
	}),
	op.Sort:    one(func(v *ir.Value, xs []tl.Tile) tl.Tile { return tl.Sort(xs[0], descending(v)...) }),
	op.ArgSort: two(func(v *ir.Value, xs []tl.Tile) (tl.Tile, tl.Tile) { return tl.ArgSort(xs[0], descending(v)...) }),
	op.TopK:    two(func(v *ir.Value, xs []tl.Tile) (tl.Tile, tl.Tile) { return tl.TopK(xs[0], v.Index) }),
	op.Gather:  one(func(v *ir.Value, xs []tl.Tile) tl.Tile { return tl.Gather(xs[0], xs[1], v.Axis) }),
	op.Histogram: one(func(v *ir.Value, xs []tl.Tile) tl.Tile {
		if v.Flags&ir.Masked != 0 {
			return tl.Histogram(xs[0], v.Type.Shape.D[0], tl.Mask(xs[1]))
		}
		return tl.Histogram(xs[0], v.Type.Shape.D[0])
	}),
	op.Reduce: (*run).reduce,
	op.Scan:   (*run).scan,
}

var others = map[op.Op]action{
	op.Dot:       one(product),
	op.ProgramID: func(r *run, v *ir.Value, _ []tl.Tile) []tl.Tile { return []tl.Tile{tl.Full(tl.Int64, r.p.ID(v.Index))} },
	op.NumPrograms: func(r *run, v *ir.Value, _ []tl.Tile) []tl.Tile {
		return []tl.Tile{tl.Full(tl.Int64, r.p.Num(v.Index))}
	},
	op.Assert: func(r *run, v *ir.Value, xs []tl.Tile) []tl.Tile {
		r.p.Assert(xs[0], v.Text, values(v, xs[1:], 1)...)
		return nil
	},
	op.Print: func(r *run, v *ir.Value, xs []tl.Tile) []tl.Tile {
		r.p.Print(v.Text, values(v, xs, 0)...)
		return nil
	},
}

// values is what a Print or Assert shows: tiles, and Go scalars where they are marked as
// such; first is the place of the first among the operands.
func values(v *ir.Value, xs []tl.Tile, first int) []any {
	out := make([]any, len(xs))
	for i, x := range xs {
		out[i] = x
		if k := i + first; k < len(v.Axes) && v.Axes[k] == 1 {
			out[i] = x.At()
		}
	}
	return out
}

func descending(v *ir.Value) []tl.SortOption {
	if v.Flags&ir.Descending != 0 {
		return []tl.SortOption{tl.Descending}
	}
	return nil
}

func scanOptions(v *ir.Value) []tl.ScanOption {
	o := []tl.ScanOption{tl.Axis(v.Axis)}
	if v.Flags&ir.Reverse != 0 {
		o = append(o, tl.Reverse)
	}
	return o
}

func product(v *ir.Value, xs []tl.Tile) tl.Tile {
	o := []tl.DotOption{tl.As(v.Type.D)}
	if v.Flags&ir.HasAcc != 0 {
		o = append(o, tl.Acc(xs[2]))
	}
	switch v.Chain {
	case dot.Pairs:
		o = append(o, tl.BF16Pairs)
	case dot.Tiles:
		o = append(o, tl.BF16Tiles)
	}
	return tl.Dot(xs[0], xs[1], o...).Reshape(v.Type.Shape.Dims()...) // a view: no product that an Add would take into its chain
}

// applied is an elementwise op that the language has no function for: its meaning, op.Apply.
func applied(v *ir.Value, xs []tl.Tile) tl.Tile {
	shape := v.Type.Shape
	for _, x := range xs {
		if lanes := ir.ShapeOf(x.Shape()...); lanes.N > shape.N {
			shape = lanes // lanes of a combining function, which are vectors here
		}
	}
	bufs := make([]dtype.Buf, len(xs))
	for i, x := range xs {
		bits := x.BroadcastTo(shape.Dims()...).Bits()
		bufs[i] = dtype.NewBuf(x.DType(), len(bits))
		for k, b := range bits {
			bufs[i].SetBits(k, b)
		}
	}
	z := tensor.Zeros(v.Type.D, shape.Len())
	op.Apply(v.Op, xs[len(xs)-1].DType(), z.Buf(), bufs...)
	return tl.Load(tl.PointerTo(z, "", nil).Add(tl.Arange(0, shape.Len()))).Reshape(shape.Dims()...)
}
