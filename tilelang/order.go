package tilelang

import (
	"cmp"
	"slices"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// sortKey maps an element's bits to an unsigned number in the order of its values,
// the same for -0 and +0; NaNs come last and are equal.
func sortKey(d dtype.DType, bits uint64) uint64 {
	if !d.IsFloat() {
		if d.IsSigned() {
			return bits ^ 1<<(d.Bits()-1)
		}
		return bits
	}
	v := dtype.ToFloat(d, bits)
	if v != v {
		return ^uint64(0)
	}
	b := dtype.FromFloat(Float64, v+0) // -0 + 0 is +0
	if b>>63 == 1 {
		return ^b
	}
	return b | 1<<63
}

// sorted is x's last axis in order and where each element came from. The sort is
// stable, also descending, where NaNs come first.
func sorted(name string, x Tile, o []SortOption) (v, i *node) {
	t := x.node(name)
	must(name, t.typ().Sortable())
	compare := func(a, b uint64) int { return cmp.Compare(a, b) }
	for _, o := range o {
		if _, ok := o.(descending); ok {
			compare = func(a, b uint64) int { return cmp.Compare(b, a) }
		}
	}
	src, m := t.borrow(t.dt)
	defer m.free()
	v, i = newNode(name, t.dt, t.shape), newNode(name, Int32, t.shape)
	n := t.shape.D[t.shape.N-1]
	keys, order := make([]uint64, n), make([]int32, n)
	for lo := 0; lo < src.Len(); lo += n {
		for k := range n {
			keys[k], order[k] = sortKey(t.dt, src.Bits(lo+k)), int32(k)
		}
		slices.SortStableFunc(order, func(a, b int32) int { return compare(keys[a], keys[b]) })
		for k, from := range order {
			v.buf.SetBits(lo+k, src.Bits(lo+int(from)))
			i.buf.SetBits(lo+k, uint64(uint32(from)))
		}
	}
	if m := t.watched(); m != nil {
		for _, z := range []*node{v, i} {
			alongAll(z, []*node{t}, func(bits *node) *node {
				a := reduceArgs{axis: t.shape.N - 1, keep: true}
				return reduceBy(name, op.Or, Uint8, Uint8, bits, a).t.broadcastTo(z.shape)
			})
		}
	}
	return v, i
}

// Sort is the last axis in ascending order; NaN come last. Descending turns it
// around.
func Sort(x Tile, o ...SortOption) Tile {
	v, _ := sorted("tl.Sort", x, o)
	return tile(v)
}

// ArgSort is Sort with the int32 index that each element came from.
func ArgSort(x Tile, o ...SortOption) (v, i Tile) {
	a, b := sorted("tl.ArgSort", x, o)
	return tile(a), tile(b)
}

// TopK is the k greatest elements of the last axis, descending, and their indices.
func TopK(x Tile, k int) (v, i Tile) {
	const name = "tl.TopK"
	a, b := sorted(name, x, []SortOption{Descending})
	z, d := a.typ().TopK(k)
	must(name, d)
	shape := z.Shape
	top := func(n *node) Tile {
		first := func(m Tile) Tile { return tile(m.t.viewFrom(0, shape, m.t.strides)) }
		return rearranged(tile(n.view(shape, n.strides)), tile(n), first)
	}
	return top(a), top(b)
}

// Histogram counts the values 0 ... bins-1 of an integer tile into int32; other
// values, and lanes that a Mask excludes, are not counted.
func Histogram(x Tile, bins int, o ...LoadOption) Tile {
	const name = "tl.Histogram"
	t := x.node(name)
	must(name, t.typ().Countable())
	must(name, t.typ().Bins(bins))
	mask := newScalar(Bool, 1).broadcastTo(t.shape)
	for _, o := range o {
		m, ok := o.(MaskOption)
		if !ok {
			must(name, rule.OnlyMask())
		}
		mask = maskNode(name, m.m, t)
	}
	z := newNode(name, Int32, shape.Of(bins))
	counts := dtype.View[int32](z.buf)
	src, srcTemp := t.borrow(t.dt)
	defer srcTemp.free()
	lanes, maskTemp := mask.borrow(Bool)
	defer maskTemp.free()
	on := dtype.View[uint8](lanes)
	for k := range src.Len() {
		v := dtype.ToInt(t.dt, src.Bits(k))
		if on[k] != 0 && v >= 0 && v < int64(bins) {
			counts[v]++
		}
	}
	if watching.Load() > 0 {
		anywhere(z, t.where(mask), mask)
	}
	return tile(z)
}

// Gather picks elements of x along an axis: out[i][j] = x[index[i][j]][j] for axis 0.
// The other dimensions of x and index must agree.
func Gather(x, index Tile, axis int) Tile {
	const name = "tl.Gather"
	t, ix := x.node(name), index.node(name)
	a := t.axis(name, axis)
	_, d := t.typ().Gather(ix.typ(), a)
	must(name, d)
	z := newNode(name, t.dt, ix.shape)
	z.base = t.base
	src, srcTemp := t.borrow(t.dt)
	defer srcTemp.free()
	at, atTemp := ix.borrow(ix.dt)
	defer atTemp.free()
	inner, n, m := t.strideOf(a), t.shape.D[a], ix.shape.D[a]
	for k := range at.Len() {
		i := dtype.ToInt(ix.dt, at.Bits(k))
		if i < 0 || i >= int64(n) {
			fault(name, "%s by %s: index %v is outside axis %d, which has %d elements", t, ix, goValue(ix.dt, at.Bits(k)), a, n).
				Note("it is element %s of the index", shape.Index(ix.shape.Place(k).Dims())).
				Fix("limit the index: tl.Clamp(i, 0, %d)", n-1).raise()
		}
		outer, rest := k/(m*inner), k%inner
		z.buf.SetBits(k, src.Bits((outer*n+int(i))*inner+rest))
	}
	if watching.Load() > 0 {
		watchGather(z, t, index, a)
	}
	return tile(z)
}
