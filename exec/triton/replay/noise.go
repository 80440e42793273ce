package replay

import (
	"math/rand/v2"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// noisy is a Func in which the result of each float operation is moved by a unit of its
// rounding, up or down at random: what fused multiply-adds and other ways of rounding may do.
func noisy(f *ir.Func, rng *rand.Rand) *ir.Func {
	moved := map[*ir.Value]*ir.Value{}
	var block func(b *ir.Block)
	block = func(b *ir.Block) {
		values := b.Values
		b.Values = nil
		for _, v := range values {
			b.Values = append(b.Values, v)
			if v.IsControl() {
				for _, inner := range v.Blocks {
					block(inner)
				}
			}
			if rounds(v) {
				moved[v] = factor(f, b, v, rng)
			}
		}
	}
	block(f.Body)
	f.Values(func(v *ir.Value) {
		for i, a := range v.Args {
			if m := moved[a]; m != nil && m != v {
				v.Args[i] = m
			}
		}
	})
	return f
}

// rounds reports whether a value is a float that an operation has rounded.
func rounds(v *ir.Value) bool {
	if v.Op >= op.NumOps || !v.Type.D.IsFloat() {
		return false
	}
	switch v.Op {
	case op.Neg, op.Abs, op.Where, op.Maximum, op.Minimum, op.MaximumNaN, op.MinimumNaN, op.Floor, op.Ceil, op.Rand:
		return false
	}
	return v.Op.Row().Family == op.Elementwise || v.Op == op.Sum || v.Op == op.CumSum || v.Op == op.Dot
}

// factor appends v times a number next to 1, or 1, to a block.
func factor(f *ir.Func, b *ir.Block, v *ir.Value, rng *rand.Rand) *ir.Value {
	c := f.NewValue(op.Const, ir.Scalar(v.Type.D), v.Pos)
	c.Bits = dtype.FromFloat(v.Type.D, 1+2*unit(v.Type.D)*float64(rng.IntN(3)-1))
	b.Values = append(b.Values, c)
	if v.Type.IsTile() {
		c = f.NewValue(op.Broadcast, v.Type, v.Pos, c)
		b.Values = append(b.Values, c)
	}
	m := f.NewValue(op.Mul, v.Type, v.Pos, v, c)
	b.Values = append(b.Values, m)
	return m
}

// move moves the floats among arguments by a unit of their rounding.
func move(args []any, rng *rand.Rand, tf32 bool) {
	for _, a := range args {
		x, ok := a.(*tensor.Tensor)
		if !ok || !x.DType().IsFloat() {
			continue
		}
		b, d := x.Buf(), x.DType()
		u := 2 * unit(d)
		if tf32 && d == dtype.Float32 {
			u = 0x1p-11
		}
		for i := range b.Len() {
			x := dtype.ToFloat(d, b.Bits(i))
			b.SetBits(i, dtype.FromFloat(d, x+x*u*float64(rng.IntN(3)-1)))
		}
	}
}

// multiplies reports whether a Func has products of float32.
func multiplies(f *ir.Func) (found bool) {
	f.Values(func(v *ir.Value) { found = found || v.Op == op.Dot && v.Args[0].Type.D == dtype.Float32 })
	return found
}
