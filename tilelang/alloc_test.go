package tilelang_test

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// bytesPerOp is what a call of f allocates, on average over a few: the least of
// several tries, because what operations keep for the next time is kept per processor.
func bytesPerOp(f func()) int {
	const rounds = 5
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection would drop what is kept
	best := math.MaxInt
	for range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range rounds {
			f()
		}
		runtime.ReadMemStats(&after)
		best = min(best, int(after.TotalAlloc-before.TotalAlloc)/rounds)
	}
	return best
}

var sink tl.Tile

// TestAllocation: what an operation allocates is its result and a little more, however
// its operands lie in memory and whatever it converts on the way. Index arithmetic and
// views allocate no elements at all.
func TestAllocation(t *testing.T) {
	if dtype.Fenced() != dtype.NoFence {
		t.Skip("buffers against fences take whole pages")
	}
	if raceEnabled {
		t.Skip("pools drop what they hold under the race detector")
	}
	const n = 128 // elements are n·n
	x, y := tileOf(tensor.Randn(1, tl.Float32, n, n)), tileOf(tensor.Randn(2, tl.Float32, n, n))
	h, g := tileOf(tensor.Randn(1, tl.Float16, n, n)), tileOf(tensor.Randn(2, tl.Float16, n, n))
	i := tl.Arange(0, n)
	m := i.Col().Lt(i.Row())
	f32out, f16out := tensor.Zeros(tl.Float32, n, n), tensor.Zeros(tl.Float16, n, n)
	p, q := index(f32out), index(f16out)
	ix := tileOf(tensor.RandInt(3, tl.Int32, 0, n, n, n))
	scattered := ptr(f32out).Add(tileOf(tensor.RandInt(4, tl.Int32, 0, n*n, n, n)))
	const el = n * n
	for _, c := range []struct {
		name   string
		result int // bytes of the result's elements
		f      func()
	}{
		{"index arithmetic", 0, func() { sink = i.Mul(n).Add(3).Col().Add(i.Row()) }},
		{"pointers", 0, func() { sink = ptr(f32out).Add(i.Mul(n).Col().Add(i.Row())).Add(1) }},
		{"views", 0, func() { sink = x.T().ExpandDims(1).Permute(2, 1, 0).BroadcastTo(n, 4, n) }},
		{"zeros", 0, func() { sink = tl.Zeros(tl.Float32, n, n) }},
		{"a comparison that always holds", 0, func() { sink = i.Col().Lt(n) }},
		{"compare", el, func() { sink = i.Col().Lt(i.Row()) }},
		{"add", 4 * el, func() { sink = x.Add(y) }},
		{"add transposed", 4 * el, func() { sink = x.Add(y.T()) }},
		{"add a scalar", 4 * el, func() { sink = x.Add(1.5) }},
		{"add with conversion", 4 * el, func() { sink = x.Add(h) }},
		{"add float16", 2 * el, func() { sink = h.Add(g) }},
		{"compare float16", el, func() { sink = h.Lt(g) }},
		{"where", 4 * el, func() { sink = tl.Where(m, x, 0.0) }},
		{"fma", 4 * el, func() { sink = tl.FMA(x, y, x) }},
		{"exp", 4 * el, func() { sink = tl.Exp(x) }},
		{"exp of float16", 2 * el, func() { sink = tl.Exp(h) }},
		{"cast", 2 * el, func() { sink = x.To(tl.Float16) }},
		{"cast transposed", 2 * el, func() { sink = x.T().To(tl.Float16) }},
		{"reshape of a transpose", 4 * el, func() { sink = x.T().Ravel() }},
		{"sum", 4 * n, func() { sink = tl.Sum(x, tl.Axis(1)) }},
		{"sum of columns", 4 * n, func() { sink = tl.Sum(x, tl.Axis(0)) }},
		{"sum of float16", 4 * n, func() { sink = tl.Sum(h, tl.Axis(1)) }},
		{"sum of a transpose", 4, func() { sink = tl.Sum(x.T()) }},
		{"argmax", 8 * n, func() { sink = tl.ArgMax(x, tl.Axis(1)) }},
		{"cumsum", 4 * el, func() { sink = tl.CumSum(x, tl.Axis(1)) }},
		{"cumsum of float16", 2 * el, func() { sink = tl.CumSum(h, tl.Axis(0)) }},
		{"sort", 8 * el, func() { sink = tl.Sort(x) }}, // the indices too
		{"gather", 4 * el, func() { sink = tl.Gather(x.T(), ix, 0) }},
		{"histogram", 4 * n, func() { sink = tl.Histogram(ix, n) }},
		{"flip", 4 * el, func() { sink = tl.Flip(x.T(), 0) }},
		{"cat", 8 * el, func() { sink = tl.Cat(0, x, y.T()) }},
		{"join", 8 * el, func() { sink = tl.Join(x, y.T()) }},
		{"dot", 4 * el, func() { sink = tl.Dot(x, y); sink.At(0, 0) }},
		{"dot of float16", 4 * el, func() { sink = tl.Dot(h, g.T()); sink.At(0, 0) }},
		{"dot added", 4 * el, func() { sink = x.Add(tl.Dot(h, g)) }},
		{"load", 4 * el, func() { sink = tl.Load(p) }},
		{"load masked", 4 * el, func() { sink = tl.Load(p, tl.Mask(m), tl.Other(1.0)) }},
		{"load scattered", 4 * el, func() { sink = tl.Load(scattered, tl.Mask(m)) }},
		{"store", 0, func() { tl.Store(p, x) }},
		{"store with a cast", 0, func() { tl.Store(q, x, tl.Mask(m)) }},
		{"store scattered", 0, func() { tl.Store(scattered, x.T()) }},
		{"atomic add", 4 * el, func() { sink = tl.AtomicAdd(p, 1.0) }},
		{"descriptor", 4 * el, func() { sink = tl.MakeDesc(ptr(f32out), []int{n, n}, []int{n, 1}, []int{n, n}).Load(0, 0) }},
		{"random", 4 * el, func() { sink = tl.Rand(1, i.Mul(n).Col().Add(i.Row())) }},
	} {
		const little = 4096
		if got := bytesPerOp(c.f); got > c.result+c.result/8+little {
			t.Errorf("%s: %d bytes for a result of %d", c.name, got, c.result)
		}
	}
}
