package kerneltest

import (
	"fmt"

	"github.com/tiler-go/tiler/exec/ir"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// eager executes IR with the interpreter's own tiles: the oracle. Elementwise ops are op.Apply on whole tiles, everything else is tilelang's
// function.
type eager struct {
	p       *tl.Program
	env     map[*ir.Value]tl.Tile
	results map[*ir.Value][]tl.Tile
	now     *ir.Value // being executed
	printed []string
	steps   int
}

// maxSteps bounds an instance: more is a loop without an end, which a shrunken kernel
// may have.
const maxSteps = 1 << 17

// An Endless is what RunEager panics with after maxSteps.
type Endless struct{}

// A failed is why an instance ended, where the interpreter does not say it itself.
type failed struct{ lane int }

// how a block ends.
type ending struct {
	op     op.Op
	depth  int // of Break and Continue: loops to pass
	values []tl.Tile
}

// instance runs one instance. It returns the value that failed, if one did.
func (e *eager) instance(f *ir.Func, args []any) (bad *ir.Value, why any) {
	e.env, e.results = map[*ir.Value]tl.Tile{}, map[*ir.Value][]tl.Tile{}
	for i, p := range f.Params {
		if x, ok := args[i].(*tensor.Tensor); ok {
			e.env[p] = tl.PointerTo(x, p.Text, nil)
		} else {
			e.env[p] = tileOf(p.Type.D, nil, []uint64{args[i].(uint64)})
		}
	}
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *tl.Fault, failed:
			bad, why = e.now, v
		default:
			panic(v)
		}
	}()
	e.block(f.Body)
	return nil, nil
}

// tileOf is a tile of given bits.
func tileOf(d dtype.DType, shape []int, bits []uint64) tl.Tile {
	x := tensor.Zeros(d, len(bits))
	for i, b := range bits {
		x.Buf().SetBits(i, b)
	}
	if shape == nil {
		return tl.Load(tl.PointerTo(x, "x", nil))
	}
	return tl.Load(tl.PointerTo(x, "x", nil).Add(tl.Arange(0, len(bits)))).Reshape(shape...)
}

func (e *eager) block(b *ir.Block) ending {
	for _, v := range b.Values {
		e.now = v
		if e.steps++; e.steps > maxSteps {
			panic(Endless{})
		}
		if v.IsTerm() {
			return ending{v.Op, v.Index, e.args(v)}
		}
		if v.IsControl() {
			if end := e.control(v); end.op != op.None {
				return end
			}
			continue
		}
		if zs := e.value(v); len(v.Results) > 0 {
			e.results[v] = zs
		} else if len(zs) > 0 {
			e.env[v] = zs[0]
		}
	}
	panic("a block without a terminator")
}

func (e *eager) args(v *ir.Value) []tl.Tile {
	xs := make([]tl.Tile, len(v.Args))
	for i, a := range v.Args {
		xs[i] = e.env[a]
	}
	return xs
}

// control runs an If, For or Loop; the ending is that of a block around it, if it
// has come to that.
func (e *eager) control(v *ir.Value) ending {
	xs := e.args(v)
	switch v.Op {
	case ir.If:
		b := v.Blocks[0]
		if !xs[0].Bool() {
			b = v.Blocks[1]
		}
		end := e.block(b)
		if end.op != ir.Yield {
			return end
		}
		e.results[v] = end.values
	case ir.For:
		carried := xs[2:]
		for i, hi := xs[0].Int(), xs[1].Int(); i < hi && v.Index > 0 || i > hi && v.Index < 0; i += v.Index {
			e.env[v.Blocks[0].Args[0]] = tl.Full(tl.Int64, i)
			for k, a := range v.Blocks[0].Args[1:] {
				e.env[a] = carried[k]
			}
			carried = e.block(v.Blocks[0]).values
		}
		e.results[v] = carried
	case ir.Loop:
		for carried := xs; ; {
			for k, a := range v.Blocks[0].Args {
				e.env[a] = carried[k]
			}
			end := e.block(v.Blocks[0])
			switch {
			case end.op == ir.Return:
				return end
			case end.depth > 0:
				end.depth--
				return end
			case end.op == ir.Break:
				e.results[v] = end.values
				return ending{}
			}
			carried = end.values
		}
	}
	return ending{}
}

// elementwise is op.Apply.
func elementwise(v *ir.Value, xs []tl.Tile) tl.Tile {
	bufs := make([]dtype.Buf, len(xs))
	for i, x := range xs {
		if v.Type.IsTile() {
			x = x.BroadcastTo(v.Type.Shape.Dims()...) // a scalar in a function of lanes
		}
		b := x.Bits()
		bufs[i] = dtype.NewBuf(x.DType(), len(b))
		for k, bits := range b {
			bufs[i].SetBits(k, bits)
		}
	}
	d := xs[len(xs)-1].DType()
	if v.CanFail() {
		if at := op.ZeroDivisor(bufs[1]); at >= 0 {
			panic(failed{at})
		}
	}
	z := dtype.NewBuf(v.Type.D, bufs[0].Len())
	op.Apply(v.Op, d, z, bufs...)
	bits := make([]uint64, z.Len())
	for i := range bits {
		bits[i] = z.Bits(i)
	}
	var shape []int
	if v.Type.IsTile() {
		shape = v.Type.Shape.Dims()
	}
	return tileOf(v.Type.D, shape, bits)
}

// value computes everything but control flow.
func (e *eager) value(v *ir.Value) []tl.Tile {
	one := func(x tl.Tile) []tl.Tile { return []tl.Tile{x} }
	two := func(x, y tl.Tile) []tl.Tile { return []tl.Tile{x, y} }
	xs := e.args(v)
	dims := v.Type.Shape.Dims()
	axis := tl.Axis(v.Axis)
	switch v.Op {
	case op.Const:
		return one(tileOf(v.Type.D, nil, []uint64{v.Bits}))
	case op.Cast:
		return one(xs[0].To(v.Type.D))
	case op.CastRTZ:
		return one(xs[0].To(v.Type.D, tl.TowardZero))
	case op.Bitcast:
		return one(xs[0].Bitcast(v.Type.D))
	case op.Where:
		if v.Type.D.IsPointer() {
			return one(tl.Where(xs[0], xs[1], xs[2]))
		}
	case ir.PtrAdd:
		return one(xs[0].Add(xs[1]))
	case ir.Fits:
		if n := xs[0].Int(); !v.Type.D.FitsInt(int64(n)) {
			panic(failed{})
		} else {
			return one(tileOf(v.Type.D, nil, []uint64{dtype.FromInt(v.Type.D, int64(n), false)}))
		}
	case ir.Result:
		return one(e.results[v.Args[0]][v.Index])
	case op.Arange:
		return one(tl.Arange(v.Index, v.Index+dims[0]))
	case op.Broadcast:
		return one(xs[0].BroadcastTo(dims...))
	case op.Reshape:
		return one(xs[0].Reshape(dims...))
	case op.Permute:
		return one(xs[0].Permute(v.Axes...))
	case op.Join:
		return one(tl.Join(xs[0], xs[1]))
	case op.Split:
		x, y := tl.Split(xs[0])
		return one([]tl.Tile{x, y}[v.Index])
	case op.Cat:
		return one(tl.Cat(v.Axis, xs...))
	case op.Flip:
		return one(tl.Flip(xs[0], v.Axis))
	case op.Sum:
		return one(tl.Sum(xs[0], axis, tl.As(v.Type.D)))
	case op.Max:
		return one(tl.Max(xs[0], axis).To(v.Type.D))
	case op.Min:
		return one(tl.Min(xs[0], axis).To(v.Type.D))
	case op.ArgMax:
		return one(tl.ArgMax(xs[0], axis))
	case op.ArgMin:
		return one(tl.ArgMin(xs[0], axis))
	case op.MaxIndex:
		x, y := tl.MaxIndex(xs[0], axis)
		return two(x.To(v.Results[0].D), y)
	case op.MinIndex:
		x, y := tl.MinIndex(xs[0], axis)
		return two(x.To(v.Results[0].D), y)
	case op.XorSum:
		return one(tl.XorSum(xs[0], axis))
	case op.OrSum:
		return one(tl.OrSum(xs[0], axis))
	case op.Reduce:
		return e.reduce(v, xs, axis)
	case op.Scan:
		return e.scan(v, xs, axis)
	case op.CumSum, op.CumProd:
		return one(cumulate(v, xs[0]))
	case op.Sort:
		return one(tl.Sort(xs[0], descending(v)...))
	case op.ArgSort:
		return two(tl.ArgSort(xs[0], descending(v)...))
	case op.TopK:
		return two(tl.TopK(xs[0], v.Index))
	case op.Histogram:
		if v.Flags&ir.Masked != 0 {
			return one(tl.Histogram(xs[0], dims[0], tl.Mask(xs[1])))
		}
		return one(tl.Histogram(xs[0], dims[0]))
	case op.Gather:
		return one(tl.Gather(xs[0], xs[1], v.Axis))
	case op.Dot:
		o := []tl.DotOption{tl.As(v.Type.D)}
		if v.Flags&ir.HasAcc != 0 {
			o = append(o, tl.Acc(xs[2]))
		}
		switch v.Chain {
		case op.Pairs:
			o = append(o, tl.BF16Pairs)
		case op.Tiles:
			o = append(o, tl.BF16Tiles)
		}
		return one(tl.Dot(xs[0], xs[1], o...).Reshape(dims...)) // a view is no product that an Add could fuse
	case op.ProgramID:
		return one(tl.Full(tl.Int64, e.p.ID(v.Index)))
	case op.NumPrograms:
		return one(tl.Full(tl.Int64, e.p.Num(v.Index)))
	case op.Assert:
		e.p.Assert(xs[0], v.Text)
		return nil
	case op.Print:
		for i, x := range xs {
			e.printed = append(e.printed, fmt.Sprint(v.Text, i, x.DType(), x.Shape(), x.Bits(), i < len(v.Axes) && v.Axes[i] == 1))
		}
		return nil
	}
	if v.IsMemory() {
		return e.memory(v)
	}
	return one(elementwise(v, xs))
}

func descending(v *ir.Value) []tl.SortOption {
	if v.Flags&ir.Descending != 0 {
		return []tl.SortOption{tl.Descending}
	}
	return nil
}

func cumulate(v *ir.Value, x tl.Tile) tl.Tile {
	o := []tl.ScanOption{tl.Axis(v.Axis), tl.As(v.Type.D)}
	if v.Flags&ir.Reverse != 0 {
		o = append(o, tl.Reverse)
	}
	if v.Op == op.CumSum {
		return tl.CumSum(x, o...)
	}
	return tl.CumProd(x, o...)
}

// function is v's block as a function of tiles.
func (e *eager) function(v *ir.Value) func(xs ...tl.Tile) []tl.Tile {
	return func(xs ...tl.Tile) []tl.Tile {
		for i, a := range v.Blocks[0].Args {
			e.env[a] = xs[i]
		}
		var end ending
		laneVectors(v.Blocks[0], xs[0].Dim(0), func() { end = e.block(v.Blocks[0]) })
		for i, z := range end.values {
			end.values[i] = z.BroadcastTo(xs[0].Dim(0))
		}
		e.now = v
		return end.values
	}
}

// laneVectors runs fn with the values of a block of lanes typed as vectors of n lanes.
func laneVectors(b *ir.Block, n int, fn func()) {
	lanes := map[*ir.Value]bool{}
	for _, a := range b.Args {
		lanes[a] = true
	}
	for _, u := range b.Values {
		for _, a := range u.Args {
			lanes[u] = lanes[u] || lanes[a]
		}
		if lanes[u] && !u.IsTerm() {
			u.Type.Shape = ir.ShapeOf(n)
		}
	}
	fn()
	for _, u := range b.Values {
		u.Type.Shape = ir.Shape{}
	}
}

func (e *eager) reduce(v *ir.Value, xs []tl.Tile, axis tl.AxisOption) []tl.Tile {
	fn := e.function(v)
	switch len(xs) {
	case 1:
		return []tl.Tile{tl.Reduce(xs[0], func(a, b tl.Tile) tl.Tile { return fn(a, b)[0] }, axis)}
	case 2:
		x, y := tl.Reduce2(xs[0], xs[1], func(a, b, c, d tl.Tile) (tl.Tile, tl.Tile) {
			z := fn(a, b, c, d)
			return z[0], z[1]
		}, axis)
		return []tl.Tile{x, y}
	}
	x, y, z := tl.Reduce3(xs[0], xs[1], xs[2], func(a, b, c, d, e, f tl.Tile) (tl.Tile, tl.Tile, tl.Tile) {
		z := fn(a, b, c, d, e, f)
		return z[0], z[1], z[2]
	}, axis)
	return []tl.Tile{x, y, z}
}

func (e *eager) scan(v *ir.Value, xs []tl.Tile, axis tl.AxisOption) []tl.Tile {
	fn, o := e.function(v), []tl.ScanOption{axis}
	if v.Flags&ir.Reverse != 0 {
		o = append(o, tl.Reverse)
	}
	if len(xs) == 1 {
		return []tl.Tile{tl.Scan(xs[0], func(a, b tl.Tile) tl.Tile { return fn(a, b)[0] }, o...)}
	}
	x, y := tl.Scan2(xs[0], xs[1], func(a, b, c, d tl.Tile) (tl.Tile, tl.Tile) {
		z := fn(a, b, c, d)
		return z[0], z[1]
	}, o...)
	return []tl.Tile{x, y}
}

func (e *eager) memory(v *ir.Value) []tl.Tile {
	m := v.Memory()
	var load []tl.LoadOption
	var store []tl.StoreOption
	var atomic []tl.AtomicOption
	if m.Mask != nil {
		on := tl.Mask(e.env[m.Mask])
		load, store, atomic = append(load, on), append(store, on), append(atomic, on)
	}
	if m.Other != nil {
		load = append(load, tl.Other(e.env[m.Other]))
	}
	ptr, val := e.env[m.Ptr], e.env[m.Val]
	switch v.Op {
	case op.Load:
		return []tl.Tile{tl.Load(ptr, load...)}
	case op.Store:
		tl.Store(ptr, val, store...)
		return nil
	case op.AtomicCAS:
		return []tl.Tile{tl.AtomicCAS(ptr, e.env[m.Cmp], val)}
	}
	fn := map[op.Op]func(tl.Ptr, any, ...tl.AtomicOption) tl.Tile{
		op.AtomicAdd: tl.AtomicAdd, op.AtomicMax: tl.AtomicMax, op.AtomicMin: tl.AtomicMin, op.AtomicAnd: tl.AtomicAnd,
		op.AtomicOr: tl.AtomicOr, op.AtomicXor: tl.AtomicXor, op.AtomicXchg: tl.AtomicXchg,
	}[v.Op]
	return []tl.Tile{fn(ptr, val, atomic...)}
}
