package under

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// single is a tile of the element that all lanes of a load read, which is loaded once if any lane is on; nil if v is
// no such load. Where lanes are off, this pays if the tile becomes part of addresses, which have the same mask.
func (w *writer) single(v *ir.Value) *ir.Value {
	if v.Op != op.Load || v.Type.D.IsPointer() {
		return nil
	}
	m, before := v.Memory(), len(w.Out)
	some := m.Mask != nil && affine.Repeated(m.Mask) == nil
	if some && !w.numbers[v] {
		return nil
	}
	args := []*ir.Value{w.one(m.Ptr)}
	if args[0] != nil && m.Mask != nil {
		args = append(args, w.any(m.Mask))
	}
	if args[len(args)-1] == nil {
		w.Out = w.Out[:before]
		return nil
	}
	z := w.Clone(v, v.Type.Elem(), args...)
	z.Flags &^= ir.HasOther
	z = w.Add(op.Broadcast, v.Type, z)
	if !some && m.Other == nil {
		return z
	}
	if m.Other == nil {
		m.Other = w.Add(op.Broadcast, v.Type, w.Add(op.Const, v.Type.Elem()))
	}
	return w.Add(op.Where, v.Type, m.Mask, z, m.Other)
}

// one is the pointer that a tile repeats, nil if it does not.
func (w *writer) one(v *ir.Value) *ir.Value {
	if s := affine.Repeated(v); s != nil || v.Op != ir.PtrAdd {
		return s
	}
	base, by := w.one(v.Args[0]), affine.Repeated(v.Args[1])
	if base == nil || by == nil {
		return nil
	}
	return w.Clone(v, v.Type.Elem(), base, by)
}

// any is whether a mask lets any lane through, nil if that takes more than a look at its first one: for numbers that
// ascend and are to be less than a limit.
func (w *writer) any(m *ir.Value) *ir.Value {
	if s := affine.Repeated(m); s != nil {
		return s
	}
	switch {
	case m.Op == op.Broadcast || m.Op == op.Reshape:
		return w.any(m.Args[0])
	case m.Op == op.Lt:
		return w.less(m)
	case m.Op != op.And:
		return nil
	}
	for i, a := range m.Args {
		if s := affine.Repeated(a); s != nil {
			if rest := w.any(m.Args[1-i]); rest != nil {
				return w.Add(op.And, s.Type, s, rest)
			}
		}
	}
	return nil
}

// less is whether any of numbers that ascend is less than a limit: the first one, or, if they wrap, the least there is.
func (w *writer) less(m *ir.Value) *ir.Value {
	limit, d := affine.Repeated(m.Args[1]), m.Args[0].Type.D
	if limit == nil || d != dtype.Int32 && d != dtype.Int64 {
		return nil
	}
	start, n := w.start(m.Args[0])
	if start == nil {
		return nil
	}
	test := func(o op.Op, x *ir.Value, y int64) *ir.Value {
		k := w.Add(op.Const, ir.Scalar(d))
		k.Bits = dtype.FromInt(d, y, false)
		return w.Add(o, ir.Scalar(dtype.Bool), x, k)
	}
	wraps := test(op.Gt, start, int64(d.MaxInt())-int64(n-1))
	least := w.Add(op.And, wraps.Type, wraps, test(op.Gt, limit, d.MinInt()))
	return w.Add(op.Or, least.Type, w.Add(op.Lt, least.Type, start, limit), least)
}

// start is the first of n numbers that ascend by one, whose shape may have changed; nil if they do not.
func (w *writer) start(v *ir.Value) (first *ir.Value, n int) {
	if !v.Type.IsTile() {
		return nil, 0
	}
	switch v.Op {
	case op.Arange:
		first = w.Add(op.Const, v.Type.Elem())
		first.Bits = dtype.FromInt(v.Type.D, int64(v.Index), false)
		return first, v.Type.Shape.Len()
	case op.Broadcast, op.Reshape:
		return w.start(v.Args[0])
	case op.Add:
		for i, a := range v.Args {
			if s := affine.Repeated(a); s != nil {
				if first, n = w.start(v.Args[1-i]); first != nil {
					return w.Add(op.Add, s.Type, first, s), n
				}
			}
		}
	}
	return nil, 0
}
