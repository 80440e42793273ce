package pass

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// leastStep is the step of a loop that counts down, beyond which it stays as it is: with it, a range that overflows an
// int64 takes 2^43 rounds, which nobody sees the end of.
const leastStep = -1 << 20

// upward makes loops that count down count up, and their index start - i: what is known of masks, addresses and products
// is known of such loops.
func upward(f *ir.Func) {
	var loops []*ir.Value
	f.Values(func(v *ir.Value) {
		if v.Op == ir.For && v.Index < 0 && v.Index >= leastStep && neverWraps(v.Args[0], v.Args[1]) {
			loops = append(loops, v)
		}
	})
	for _, v := range loops {
		start, end, b := v.Args[0], v.Args[1], v.Blocks[0]
		zero := f.NewValue(op.Const, start.Type, v.Pos)
		span := f.NewValue(op.Sub, start.Type, v.Pos, start, end)
		insert(f, v, 0, zero, span)
		down, up := b.Args[0], f.NewValue(op.None, start.Type, b.Args[0].Pos)
		replaceIndex(f, b, down, start, up)
		v.Args[0], v.Args[1], v.Index, b.Args[0] = zero, span, -v.Index, up
	}
}

// replaceIndex makes an index start - up, also where it is used as an int32.
func replaceIndex(f *ir.Func, b *ir.Block, index, start, up *ir.Value) {
	i32 := ir.Scalar(dtype.Int32)
	wide := f.NewValue(op.Sub, start.Type, index.Pos, start, up)
	first, here := f.NewValue(op.Cast, i32, index.Pos, start), f.NewValue(op.Cast, i32, index.Pos, up)
	narrow := f.NewValue(op.Sub, i32, index.Pos, first, here)
	with := map[*ir.Value]*ir.Value{index: wide}
	f.Values(func(v *ir.Value) {
		if v.Op == op.Cast && v.Args[0] == index && v.Type == i32 {
			with[v] = narrow
		}
	})
	f.Replace(with)
	b.Values = append([]*ir.Value{wide, first, here, narrow}, b.Values...)
}

// neverWraps reports whether start - end is negative only where start is less than end.
func neverWraps(start, end *ir.Value) bool {
	return end.Op == op.Const && int64(end.Bits) <= 0 || small(start) && small(end)
}

// small reports whether an int64 is known to be one of half the bits.
func small(v *ir.Value) bool {
	switch v.Op {
	case op.Const:
		return int64(v.Bits) == int64(int32(v.Bits))
	case op.Cast:
		return v.Args[0].Type.D.IsInt() && v.Args[0].Type.D.Bits() <= 32
	}
	return false
}
