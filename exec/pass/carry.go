package pass

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// carry finds tiles that a For carries and that each round moves on by the same
// amount in every element (ptrs = ptrs + BLOCK): in every round such a tile is the one
// before the loop plus a scalar, and that scalar is carried instead. Addresses then
// stay affine inside the loop.
func carry(f *ir.Func) {
	var loops []*ir.Value
	f.Walk(func(b *ir.Block) {
		for _, v := range b.Values {
			if v.Op == ir.For {
				loops = append(loops, v)
			}
		}
	})
	for _, v := range loops {
		for k := range v.Results {
			carryOne(f, v, k)
		}
	}
}

// carryOne rewrites carried value k of a For if it is such a tile.
func carryOne(f *ir.Func, v *ir.Value, k int) {
	t := v.Results[k]
	if !t.IsTile() || !t.D.IsPointer() && t.D != dtype.Int32 && t.D != dtype.Int64 {
		return
	}
	b := v.Blocks[0]
	term := b.Term()
	init, arg := v.Args[2+k], b.Args[1+k]
	steps, ok := stepsFrom(term.Args[k], arg)
	if !ok || len(steps) == 0 {
		return
	}
	d := t.D
	if d.IsPointer() {
		d = dtype.Int64
	}
	st := ir.Scalar(d)
	zero := f.NewValue(op.Const, st, v.Pos)
	insert(f, v, 0, zero)
	moved := f.NewValue(op.None, st, arg.Pos)
	v.Args[2+k], v.Results[k], b.Args[1+k] = zero, st, moved

	// Inside, the tile is init + moved, and the sum of the steps is carried on.
	splat := f.NewValue(op.Broadcast, t.As(d), v.Pos, moved)
	tile := f.NewValue(addOp(t.D), t, v.Pos, init, splat)
	f.Replace(map[*ir.Value]*ir.Value{arg: tile})
	values := append([]*ir.Value{splat, tile}, b.Values[:len(b.Values)-1]...)
	sum := moved
	for _, s := range steps {
		sum = f.NewValue(op.Add, st, s.Pos, sum, s)
		values = append(values, sum)
	}
	b.Values = append(values, term)
	term.Args[k] = sum

	// Behind the loop, the tile is init plus what was carried last.
	for _, r := range resultsOf(f, v, k) {
		last := f.NewValue(addOp(t.D), t, r.Pos, init, nil)
		f.Replace(map[*ir.Value]*ir.Value{r: last})
		r.Type = st
		last.Args[1] = f.NewValue(op.Broadcast, t.As(d), r.Pos, r)
		insert(f, r, 1, last.Args[1], last)
	}
}

func resultsOf(f *ir.Func, v *ir.Value, k int) (rs []*ir.Value) {
	f.Values(func(w *ir.Value) {
		if w.Op == ir.Result && w.Args[0] == v && w.Index == k {
			rs = append(rs, w)
		}
	})
	return rs
}

func addOp(d dtype.DType) op.Op {
	if d.IsPointer() {
		return ir.PtrAdd
	}
	return op.Add
}

// stepsFrom is the scalars that are added to arg, one after the other, to make v.
func stepsFrom(v, arg *ir.Value) (steps []*ir.Value, ok bool) {
	if v == arg {
		return nil, true
	}
	if v.Op != ir.PtrAdd && v.Op != op.Add {
		return nil, false
	}
	for i, a := range v.Args {
		s := behind(v.Args[1-i])
		if s == nil || v.Op == ir.PtrAdd && i == 1 {
			continue
		}
		if steps, ok := stepsFrom(a, arg); ok {
			return append(steps, s), true
		}
	}
	return nil, false
}

// insert puts values next to another, in its block: ahead of it for off 0, behind it
// for off 1.
func insert(f *ir.Func, at *ir.Value, off int, vs ...*ir.Value) {
	f.Walk(func(b *ir.Block) {
		for i, v := range b.Values {
			if v == at {
				b.Values = append(b.Values[:i+off:i+off], append(vs, b.Values[i+off:]...)...)
				return
			}
		}
	})
}
