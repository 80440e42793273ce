package product

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Epilogue is a Func that makes rows × cols of C, at most, of their accumulators. Its parameters are the kernel's,
// with tensors moved to the first element, and behind them: the accumulators, how many rows and columns there are,
// then row and column strides (in elements) of the accumulators and C, and of each load a tensor and its strides. If
// unit, columns lie side by side in all of them.
func (m *Match) Epilogue(rows, cols int, unit bool) *ir.Func {
	b := m.builder()
	b.unit = unit
	sums := b.f.AddParam(dtype.PointerTo(m.D))
	i64 := dtype.Int64
	limitRows, limitCols := b.f.AddParam(i64), b.f.AddParam(i64)
	b.shape = ir.ShapeOf(rows, cols)
	b.i, b.j = b.index(rows, ir.ShapeOf(rows, 1), limitRows), b.index(cols, ir.ShapeOf(1, cols), limitCols)
	mask := b.f.Append(op.And, ir.Type{D: dtype.Bool, Shape: b.shape}, b.spread(b.i.below), b.spread(b.j.below))
	acc := b.f.Append(op.Load, ir.Type{D: m.D, Shape: b.shape}, b.pointers(b.shape, sums, b.f.AddParam(i64), one))
	// Steps of zeros that were not carried out make +0 of -0: they add zeros(+0 or -0).
	zero := b.f.AddParam(m.D)
	acc = b.f.Append(op.Add, acc.Type, acc, b.spread(zero))
	b.made[m.acc] = acc
	out := b.pointers(b.shape, b.made[m.f.Params[m.Out.Base]], b.f.AddParam(i64), b.colStride(m.Out.Coef[1]))
	for _, x := range m.Extras {
		b.made[x.load] = b.extra(x, mask)
	}
	v := b.value(m.store.Memory().Val)
	s := b.f.Append(op.Store, ir.Type{}, out, v, mask)
	s.Flags = ir.Masked
	b.f.Append(ir.Return, ir.Type{})
	return b.f
}

// builder builds a Func whose first parameters are those of the kernel.
func (m *Match) builder() *epilogueBuilder {
	f := &ir.Func{Name: m.f.Name, File: m.f.File, Body: &ir.Block{}}
	b := &epilogueBuilder{m: m, f: f, made: map[*ir.Value]*ir.Value{}}
	for _, p := range m.f.Params {
		q := b.f.NewValue(ir.Param, p.Type, p.Pos)
		q.Index, q.Text = p.Index, p.Text
		b.f.Params = append(b.f.Params, q)
		b.made[p] = q
	}
	return b
}

// extra is a load of what differs among rows and columns, and no more of it.
func (b *epilogueBuilder) extra(x Extra, mask *ir.Value) *ir.Value {
	from := b.f.AddParam(b.m.f.Params[x.Form.Base].Type.D)
	shape, col := b.shape, none
	var row *ir.Value
	if x.CoefOf(0) == nil {
		shape.D[0], mask = 1, b.j.below
	} else {
		row = b.f.AddParam(dtype.Int64)
	}
	if x.CoefOf(1) == nil {
		shape.D[1], mask = 1, b.i.below
	} else {
		col = b.colStride(x.CoefOf(1))
	}
	d := x.load.Type.D
	if shape.Len() == 1 {
		return b.spread(b.f.Append(op.Load, ir.Scalar(d), from))
	}
	load := b.f.Append(op.Load, ir.Type{D: d, Shape: shape}, b.pointers(shape, from, row, col), mask)
	load.Flags = ir.Masked
	return b.spread(load)
}

type columnStride int

const (
	one   columnStride = iota // columns lie side by side
	none                      // all columns are the same element
	param                     // a parameter says
)

// CoefOf is the coefficient of an epilogue's load along the result's rows (0) or
// columns (1).
func (x Extra) CoefOf(dim int8) *affine.Sym {
	for i, c := range x.Form.Coef {
		if c != nil && x.m[i] == dim {
			return c
		}
	}
	return nil
}

type epilogueBuilder struct {
	m     *Match
	unit  bool // all columns lie side by side
	f     *ir.Func
	made  map[*ir.Value]*ir.Value
	shape ir.Shape
	i, j  indices // a column and a row
}

// Indices of a dimension of C: int64, and whether they lie below what there is.
type indices struct{ at, below *ir.Value }

func (b *epilogueBuilder) spread(v *ir.Value) *ir.Value { return b.to(b.shape, v) }

func (b *epilogueBuilder) to(shape ir.Shape, v *ir.Value) *ir.Value {
	if v.Type.IsTile() && v.Type.Shape == shape {
		return v
	}
	return b.f.Append(op.Broadcast, ir.Type{D: v.Type.D, Shape: shape}, v)
}

func (b *epilogueBuilder) index(n int, shape ir.Shape, limit *ir.Value) indices {
	r := b.number(n, shape)
	return indices{r, b.f.Append(op.Lt, ir.Type{D: dtype.Bool, Shape: shape}, r, b.to(shape, limit))}
}

func (b *epilogueBuilder) number(n int, shape ir.Shape) *ir.Value {
	a := b.f.Append(op.Arange, ir.Tile(dtype.Int32, n))
	w := b.f.Append(op.Cast, ir.Tile(dtype.Int64, n), a)
	return b.f.Append(op.Reshape, ir.Type{D: dtype.Int64, Shape: shape}, w)
}

// pointers are base + i·row + j·col; a nil row is 0.
func (b *epilogueBuilder) pointers(shape ir.Shape, base, row *ir.Value, col columnStride) *ir.Value {
	p := b.to(shape, base)
	move := func(x indices, by *ir.Value) {
		at := x.at
		if by != nil {
			at = b.f.Append(op.Mul, at.Type, at, b.to(at.Type.Shape, by))
		}
		p = b.f.Append(ir.PtrAdd, p.Type, p, b.to(shape, at))
	}
	if row != nil {
		move(b.i, row)
	}
	switch col {
	case one:
		move(b.j, nil)
	case param:
		move(b.j, b.f.AddParam(dtype.Int64))
	}
	return p
}

func (b *epilogueBuilder) colStride(c *affine.Sym) columnStride {
	if b.unit || c != nil && c.IsConst(1) {
		return one
	}
	return param
}

// value copies what is stored into the Func.
func (b *epilogueBuilder) value(v *ir.Value) *ir.Value {
	if w := b.made[v]; w != nil {
		return w
	}
	var w *ir.Value
	switch {
	case v.Type.IsTile() && ir.Family(v.Op) == op.Shape:
		x := b.value(v.Args[0])
		w = x
		if !x.Type.IsTile() {
			w = b.spread(x)
		}
	default:
		in := make([]*ir.Value, len(v.Args))
		for i, a := range v.Args {
			in[i] = b.value(a)
		}
		t := v.Type
		tile := func(a *ir.Value) bool { return a.Type.IsTile() }
		if t.IsTile() || slices.ContainsFunc(in, tile) { // of a scalar that is loaded, too
			t.Shape = b.shape
			for i, a := range in {
				if !a.Type.IsTile() {
					in[i] = b.spread(a)
				}
			}
		}
		w = b.f.Append(v.Op, t, in...)
		w.Attr = v.Attr
	}
	b.made[v] = w
	return w
}
