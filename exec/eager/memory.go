package eager

import (
	"github.com/tiler-go/tiler/exec/ir"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/op"
)

var atomics = map[op.Op]func(tl.Ptr, any, ...tl.AtomicOption) tl.Tile{
	op.AtomicAdd: tl.AtomicAdd, op.AtomicMax: tl.AtomicMax, op.AtomicMin: tl.AtomicMin, op.AtomicAnd: tl.AtomicAnd,
	op.AtomicOr: tl.AtomicOr, op.AtomicXor: tl.AtomicXor, op.AtomicXchg: tl.AtomicXchg,
}

// tile is an operand that may be absent.
func (r *run) tile(v *ir.Value) (x tl.Tile) {
	if v != nil {
		x = r.env[v.ID]
	}
	return x
}

func (r *run) memory(v *ir.Value) []tl.Tile {
	m := v.Memory()
	ptr, val := r.tile(m.Ptr), r.tile(m.Val)
	switch v.Op {
	case op.Load:
		var o []tl.LoadOption
		if m.Mask != nil {
			o = append(o, tl.Mask(r.tile(m.Mask)))
		}
		if m.Other != nil {
			o = append(o, tl.Other(r.tile(m.Other)))
		}
		return []tl.Tile{tl.Load(ptr, o...)}
	case op.Store:
		var o []tl.StoreOption
		if m.Mask != nil {
			o = append(o, tl.Mask(r.tile(m.Mask)))
		}
		tl.Store(ptr, val, o...)
		return nil
	case op.AtomicCAS:
		return []tl.Tile{tl.AtomicCAS(ptr, r.tile(m.Cmp), val)}
	}
	var o []tl.AtomicOption
	if m.Mask != nil {
		o = append(o, tl.Mask(r.tile(m.Mask)))
	}
	return []tl.Tile{atomics[v.Op](ptr, val, o...)}
}

// combining is v's block as a function of lanes, which are vectors of many.
func (r *run) combining(v *ir.Value) func(xs ...tl.Tile) []tl.Tile {
	return func(xs ...tl.Tile) []tl.Tile {
		for i, a := range v.Blocks[0].Args {
			r.env[a.ID] = xs[i]
		}
		zs := r.block(v.Blocks[0]).values
		for i, z := range zs {
			zs[i] = z.BroadcastTo(xs[0].Shape()...)
		}
		if r.each != nil {
			r.each(v, nil)
		}
		return zs
	}
}

func (r *run) reduce(v *ir.Value, xs []tl.Tile) []tl.Tile {
	fn, axis := r.combining(v), tl.Axis(v.Axis)
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

func (r *run) scan(v *ir.Value, xs []tl.Tile) []tl.Tile {
	fn, o := r.combining(v), scanOptions(v)
	if len(xs) == 1 {
		return []tl.Tile{tl.Scan(xs[0], func(a, b tl.Tile) tl.Tile { return fn(a, b)[0] }, o...)}
	}
	x, y := tl.Scan2(xs[0], xs[1], func(a, b, c, d tl.Tile) (tl.Tile, tl.Tile) {
		z := fn(a, b, c, d)
		return z[0], z[1]
	}, o...)
	return []tl.Tile{x, y}
}
