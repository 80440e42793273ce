package tilelang

import (
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// Atomics read, combine and write one element at a time, lanes in row-major order;
// instances on other cores come before or after, never between. Each returns what
// was in memory; masked-off lanes return 0.

// AtomicAdd adds v in memory and returns the old values.
func AtomicAdd(ptr Ptr, v any, o ...AtomicOption) Tile {
	return atomicBy("tl.AtomicAdd", op.AtomicAdd, ptr, v, o)
}

// AtomicMax keeps the greater in memory, as Maximum does, and returns the old values.
func AtomicMax(ptr Ptr, v any, o ...AtomicOption) Tile {
	return atomicBy("tl.AtomicMax", op.AtomicMax, ptr, v, o)
}

// AtomicMin keeps the lesser in memory, as Minimum does, and returns the old values.
func AtomicMin(ptr Ptr, v any, o ...AtomicOption) Tile {
	return atomicBy("tl.AtomicMin", op.AtomicMin, ptr, v, o)
}

// AtomicAnd ands v into memory and returns the old values.
func AtomicAnd(ptr Ptr, v any, o ...AtomicOption) Tile {
	return atomicBy("tl.AtomicAnd", op.AtomicAnd, ptr, v, o)
}

// AtomicOr ors v into memory and returns the old values.
func AtomicOr(ptr Ptr, v any, o ...AtomicOption) Tile {
	return atomicBy("tl.AtomicOr", op.AtomicOr, ptr, v, o)
}

// AtomicXor xors v into memory and returns the old values.
func AtomicXor(ptr Ptr, v any, o ...AtomicOption) Tile {
	return atomicBy("tl.AtomicXor", op.AtomicXor, ptr, v, o)
}

// AtomicXchg puts v into memory and returns the old values.
func AtomicXchg(ptr Ptr, v any, o ...AtomicOption) Tile {
	return atomicBy("tl.AtomicXchg", op.AtomicXchg, ptr, v, o)
}

// AtomicCAS puts v into memory where the bits there equal cmp's, all NaNs being equal, and
// returns the old values.
func AtomicCAS(ptr Ptr, cmp, v any) Tile {
	const name = "tl.AtomicCAS"
	a := atomicAccess(name, op.AtomicCAS, ptr, nil)
	d := a.ptr.dt.Elem()
	expected := valueFor(a.name, d, cmp)
	expected.decides(name)
	want, m := a.spread(expected)
	defer m.free()
	return a.atomic(v, func(lane int, old, v uint64) uint64 {
		if dtype.SameBits(d, old, want.Bits(lane)) {
			return v
		}
		return old
	})
}

func atomicBy(name string, o op.Op, ptr Ptr, v any, opts []AtomicOption) Tile {
	a := atomicAccess(name, o, ptr, opts)
	d := a.ptr.dt.Elem()
	combine := o.Row().Combine
	if combine == op.None {
		return a.atomic(v, func(_ int, _, v uint64) uint64 { return v })
	}
	x, y := dtype.NewBuf(d, 1), dtype.NewBuf(d, 1)
	return a.atomic(v, func(_ int, old, v uint64) uint64 {
		x.SetBits(0, old)
		y.SetBits(0, v)
		op.Apply(combine, d, x, x, y)
		return x.Bits(0)
	})
}

func atomicAccess(name string, o op.Op, ptr Ptr, opts []AtomicOption) *access {
	p := pointer(name, ptr)
	must(name, rule.AtomicOn(o, p.typ()))
	a := &access{name: name, ptr: p, shape: p.shape, writes: true}
	for _, opt := range opts {
		if m, ok := opt.(MaskOption); ok {
			a.mask = maskNode(name, m.m, p)
		}
	}
	return a
}

// atomic replaces each active element by combine(lane, element, v[lane]).
func (a *access) atomic(value any, combine func(lane int, old, v uint64) uint64) Tile {
	x := valueFor(a.name, a.ptr.dt.Elem(), value)
	v, m := a.spread(x)
	defer m.free()
	z := newNode(a.name, a.ptr.dt.Elem(), a.shape)
	b := a.ptr.base
	dtype.BeginExchange()
	defer dtype.EndExchange()
	if b.watch != nil {
		a.watchedUpdate(z, x, v, combine)
		return tile(z)
	}
	a.each(func(offs []int64, on []uint8, lo, hi int) int {
		if bad := b.firstInGap(offs, on); bad >= 0 {
			return bad
		}
		for i, o := range offs {
			if on != nil && on[i] == 0 {
				continue
			}
			if uint64(o) >= uint64(b.buf.Len()) {
				return i
			}
			lane := lo + i
			old := swap(b.buf, int(o), func(old uint64) uint64 { return combine(lane, old, v.Bits(lane)) })
			z.buf.SetBits(lane, old)
			b.wrote(int(o), 1, 0)
		}
		return -1
	})
	return tile(z)
}
