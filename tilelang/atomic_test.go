package tilelang_test

import (
	"math"
	"sync"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func TestAtomics(t *testing.T) {
	nan, zero := math.NaN(), math.Copysign(0, -1)
	type tileOp func(ptr tl.Ptr, v any, o ...tl.AtomicOption) tl.Tile
	cases := []struct {
		name                string
		op                  tileOp
		before, v, old, now tl.Tile
	}{
		{"add int32 wraps", tl.AtomicAdd, ints(tl.Int32, math.MaxInt32, 5), ints(tl.Int32, 1, -7), ints(tl.Int32, math.MaxInt32, 5), ints(tl.Int32, math.MinInt32, -2)},
		{"add uint64", tl.AtomicAdd, bitsTile(tl.Uint64, ^uint64(0)), bitsTile(tl.Uint64, 2), bitsTile(tl.Uint64, ^uint64(0)), bitsTile(tl.Uint64, 1)},
		{"add float32", tl.AtomicAdd, floats(tl.Float32, 1.5), floats(tl.Float32, 0.25), floats(tl.Float32, 1.5), floats(tl.Float32, 1.75)},
		{"add float16", tl.AtomicAdd, floats(tl.Float16, 2048, 1), floats(tl.Float16, 1, 1), floats(tl.Float16, 2048, 1), floats(tl.Float16, 2048, 2)},
		{"add bfloat16", tl.AtomicAdd, floats(tl.BFloat16, 256), floats(tl.BFloat16, 1), floats(tl.BFloat16, 256), floats(tl.BFloat16, 256)},
		{"add casts its value", tl.AtomicAdd, ints(tl.Int32, 1), floats(tl.Float32, 2.9), ints(tl.Int32, 1), ints(tl.Int32, 3)},
		{"max", tl.AtomicMax, floats(tl.Float32, 1, nan, 3, zero), floats(tl.Float32, 2, 1, nan, 0), floats(tl.Float32, 1, nan, 3, zero), floats(tl.Float32, 2, 1, 3, 0)},
		{"min", tl.AtomicMin, floats(tl.Float64, 1, nan, 3, 0), floats(tl.Float64, 2, 1, nan, zero), floats(tl.Float64, 1, nan, 3, 0), floats(tl.Float64, 1, 1, 3, zero)},
		{"max of unsigned", tl.AtomicMax, ints(tl.Uint32, 1), bitsTile(tl.Uint32, 1<<31), ints(tl.Uint32, 1), bitsTile(tl.Uint32, 1<<31)},
		{"min of signed", tl.AtomicMin, ints(tl.Int64, 1), ints(tl.Int64, -1), ints(tl.Int64, 1), ints(tl.Int64, -1)},
		{"and", tl.AtomicAnd, ints(tl.Int32, 12), ints(tl.Int32, 10), ints(tl.Int32, 12), ints(tl.Int32, 8)},
		{"or", tl.AtomicOr, ints(tl.Uint64, 12), ints(tl.Uint64, 10), ints(tl.Uint64, 12), ints(tl.Uint64, 14)},
		{"xor", tl.AtomicXor, ints(tl.Int64, 12), ints(tl.Int64, 10), ints(tl.Int64, 12), ints(tl.Int64, 6)},
		{"xchg", tl.AtomicXchg, floats(tl.Float32, 1, 2), floats(tl.Float32, 3, nan), floats(tl.Float32, 1, 2), floats(tl.Float32, 3, nan)},
	}
	for _, c := range cases {
		x := tensor.Zeros(c.before.DType(), c.before.Shape()...)
		tl.Store(index(x), c.before)
		same(t, c.name+": the old value", c.op(index(x), c.v, tl.Sem("relaxed"), tl.Scope("gpu")), c.old)
		same(t, c.name+": memory", tileOf(x), c.now)
	}
}

func TestAtomicLanes(t *testing.T) {
	x := tensor.Zeros(tl.Int32, 4)
	o := tl.Arange(0, 8)
	old := tl.AtomicAdd(ptr(x).Add(o.Mod(2)), 1)
	same(t, "lanes go in order", old, ints(tl.Int32, 0, 0, 1, 1, 2, 2, 3, 3))
	old = tl.AtomicAdd(ptr(x).Add(o), 10, tl.Mask(o.Lt(2)))
	same(t, "masked off lanes return 0", old, ints(tl.Int32, 4, 4, 0, 0, 0, 0, 0, 0))
	same(t, "and change nothing", tileOf(x), ints(tl.Int32, 14, 14, 0, 0))
	same(t, "scalar", tl.AtomicXchg(ptr(x), 3), ints(tl.Int32, 14).Reshape())
}

func TestAtomicCAS(t *testing.T) {
	zero := math.Copysign(0, -1)
	x := tensor.From([]float32{1, float32(zero), 0, float32(math.NaN())})
	old := tl.AtomicCAS(index(x), floats(tl.Float32, 1, 0, 0, math.NaN()), 9)
	same(t, "old", old, floats(tl.Float32, 1, zero, 0, math.NaN()))
	same(t, "bits are compared", tileOf(x), floats(tl.Float32, 9, zero, 9, 9))
}

// TestAtomicsTogether adds from many goroutines to neighbouring elements of every
// size.
func TestAtomicsTogether(t *testing.T) {
	const workers, rounds = 8, 50
	for _, d := range []tl.DType{tl.Int32, tl.Uint64, tl.Float32, tl.Float64, tl.Float16, tl.BFloat16} {
		x := tensor.Zeros(d, 3)
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				for range rounds {
					tl.AtomicAdd(ptr(x).Add(tl.Arange(0, 6).Mod(3)), tl.Full(d, 1, 6), tl.Mask(tl.Arange(0, 6).Lt(3)))
				}
			})
		}
		wg.Wait()
		want := tl.Full(d, workers*rounds, 3)
		if d == tl.BFloat16 { // 256 + 1 is 256 there
			want = tl.Full(d, 256, 3)
		}
		same(t, d.String(), tileOf(x), bitsTile(d, want.Bits()...))
	}
}
