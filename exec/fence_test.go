package exec

import (
	"errors"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/engine"
	"github.com/tiler-go/tiler/exec/ir"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// fencedKernel uses every kind of memory of the engines: sums that are carried, lanes that are masked and
// shuffled, operations that machine code leaves to Go.
func fencedKernel(p *tl.Program, x, out tl.Ptr, n int) {
	o := tl.Arange(0, 64)
	v := tl.Load(x.Add(o), tl.Mask(o.Lt(n)), tl.Other(0))
	v = v.Add(tl.Sort(v.Gt(0)).To(tl.Float32)) // bools are sorted in Go
	for range n {
		v = v.Add(tl.Sin(v))
	}
	tl.Store(out.Add(o), tl.CumSum(v.Reshape(8, 8), tl.Axis(0)).T().Reshape(64), tl.Mask(o.Lt(n)))
}

// fencedProduct is one product over the grid, with sums of type D, which are rounded.
func fencedProduct(p *tl.Program, x, y, out tl.Ptr, M, N, K int, D tl.DType, BM, BN, BK tl.Const, CHAIN string) {
	rows, cols, k := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, BN).Add(p.ID(1)*BN), tl.Arange(0, BK)
	xs, ys := x.Add(rows.Mul(K).Col().Add(k.Row())), y.Add(k.Mul(N).Col().Add(cols.Row()))
	acc := tl.Zeros(D, BM, BN)
	for i := range tl.Cdiv(K, BK) {
		a := tl.Load(xs, tl.Mask(rows.Col().Lt(M).And(k.Row().Lt(K-i*BK))), tl.Other(0))
		b := tl.Load(ys, tl.Mask(k.Col().Lt(K-i*BK).And(cols.Row().Lt(N))), tl.Other(0))
		if CHAIN == "tiles" {
			acc = acc.Add(tl.Dot(a, b, tl.BF16Tiles))
		} else if CHAIN == "pairs" {
			acc = acc.Add(tl.Dot(a, b, tl.BF16Pairs))
		} else {
			acc = acc.Add(tl.Dot(a, b))
		}
		xs, ys = xs.Add(BK), ys.Add(BK*N)
	}
	tl.Store(out.Add(rows.Mul(N).Col().Add(cols.Row())), acc.Mul(2), tl.Mask(rows.Col().Lt(M).And(cols.Row().Lt(N))))
}

// fencedLaunches runs both kernels in every engine.
func fencedLaunches(t *testing.T) {
	t.Helper()
	launch := func(fn any, grid Grid, args ...any) {
		k := New(fn)
		for _, engine := range Engines() {
			if err := k.With(Options{Engine: engine, Workers: 1}).Launch(grid, args...); err != nil {
				t.Fatalf("%s: %v", engine, err)
			}
		}
	}
	launch(fencedKernel, Grid{1}, tensor.Rand(1, tl.Float32, 64), tensor.Zeros(tl.Float32, 64), 40)
	for _, c := range []struct {
		in, sum tl.DType
		chain   string
		m, n, k int
	}{
		{tl.Float32, tl.Float32, "", 70, 90, 80}, {tl.Float32, tl.Float32, "", 3, 200, 40},
		{tl.Int8, tl.Int32, "", 40, 48, 1100}, {tl.BFloat16, tl.Float32, "pairs", 40, 48, 80}, {tl.BFloat16, tl.Float32, "tiles", 40, 48, 1100},
	} {
		x, y := tensor.RandInt(1, c.in, -9, 9, c.m*c.k), tensor.RandInt(2, c.in, -9, 9, c.k*c.n)
		out := tensor.Zeros(c.sum, c.m*c.n)
		launch(fencedProduct, Grid{tl.Cdiv(c.m, 32), tl.Cdiv(c.n, 32)}, x, y, out, c.m, c.n, c.k, c.sum, 32, 32, 64, c.chain)
	}
}

// fencedKinds are the names of all buffers, and on what processors there are such.
func fencedKinds() map[string]bool {
	amd, wide := cpu.AVX2.Available(), cpu.AVX512.Available()
	bytes, tiles := wide && cpu.Detected().Has(cpu.HasAVX512VNNI), wide && cpu.Tiles(cpu.HasAMXINT8)
	kinds := map[string]bool{
		"a tensor": true, "a tile of the interpreter": true, "a temporary of the interpreter": true, "lanes of the interpreter": true,
		"values of a function of lanes": true, "a tile of the portable engine": true, "lanes of the portable engine": true,
		"a constant of the portable engine": true, "a lane of the portable engine": true,
		"a frame of machine code": amd, "an operand of Go beside machine code": amd, "a result of Go beside machine code": amd,
		"sums of rows of a product of bytes": bytes && !tiles,
	}
	for how, here := range map[string]bool{"of float32": amd, "of bytes": bytes && !tiles, "of bytes in tiles": tiles} {
		for _, what := range []string{"packed a", "packed b", "sums"} {
			kinds[what+" of a product "+how] = here
		}
	}
	for _, what := range []string{"queued strips", "partial sums"} {
		kinds[what+" of a product of bytes in tiles"] = tiles
	}
	return kinds
}

// TestFencesKnowEveryBuffer plants an overflow by one byte in a buffer of every kind, by a read and by
// a write, and at both ends.
func TestFencesKnowEveryBuffer(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // buffers stay
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	before := dtype.Fenced()
	defer dtype.SetFence(before)
	for _, mode := range []dtype.Fence{dtype.FenceEnd, dtype.FenceBegin} {
		if err := dtype.SetFence(mode); err != nil {
			t.Skip(err)
		}
		fencedLaunches(t)
		_, outside := dtype.FencedBuffers()
		for kind, here := range fencedKinds() {
			at, ok := outside[kind]
			switch {
			case !here:
				t.Logf("not on this processor: %s", kind)
				continue
			case !ok:
				t.Errorf("mode %d: there is no %q among %v", mode, kind, names(outside))
				continue
			}
			for _, access := range []func(p *byte){func(p *byte) { *p = 1 }, func(p *byte) { fenceSink = *p }} {
				got := breachBy(func() { access(*(**byte)(unsafe.Pointer(&at))) })
				if got == nil || got.What != kind || got.Beyond != 0 && got.Beyond != -1 {
					t.Errorf("mode %d: %s: got %v", mode, kind, got)
				}
			}
		}
	}
}

var fenceSink byte

func names(m map[string]uintptr) (list []string) {
	for name := range m {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

func breachBy(f func()) (b *dtype.Breach) {
	defer func() { b = dtype.BreachOf(recover()) }()
	f()
	return nil
}

// TestBreach: a launch that touches a fence ends with an error that names engine, kernel, buffer and
// distance, promoted or not, and no other engine makes up for it.
func TestBreach(t *testing.T) {
	before := dtype.Fenced()
	defer dtype.SetFence(before)
	if err := dtype.SetFence(dtype.FenceEnd); err != nil {
		t.Skip(err)
	}
	past := func(l *engine.Launch, lo, _ int) *ir.Failure {
		m := l.Args[1].Mem
		*(*byte)(unsafe.Add(m.Pointer(), m.Len()*m.DType().Size()+3)) = 1
		return nil
	}
	outside := func(p *tl.Program, x, out tl.Ptr, n int) {
		m := fencedOut.Buf()
		fenceSink = *(*byte)(unsafe.Add(m.Pointer(), 4*m.Len()+3))
	}
	fencedOut = tensor.Zeros(tl.Float32, 64)
	promoted := alone(double, Options{Memory: "off"}).promoteUnchecked()
	promoted.use.Table = fake(past)
	forced := alone(double, Options{Memory: "off", Engine: "fake"})
	forced.use.Table = fake(past)
	forced.use.Forced = &forced.use.Table[1]
	for _, c := range []struct {
		k            *Kernel
		engine, what string
	}{
		{promoted, "engine fake", "a copy of a tensor"}, // in its trial
		{forced, "engine fake", "a tensor"},
		{New(outside).With(Options{Engine: interpreted}), "engine interpreted", "a tensor"},
	} {
		err := c.k.Launch(Grid{4}, tensor.Arange(tl.Float32, 0, 64), fencedOut, 64)
		var b *dtype.Breach
		if !errors.As(err, &b) || b.What != c.what || b.Bytes != 256 || b.Beyond != 3 {
			t.Errorf("%s: got %v", c.engine, err)
			continue
		}
		for _, s := range []string{c.k.Name(), c.engine, "byte 3 behind the end of " + c.what + ", 256 bytes"} {
			if !strings.Contains(err.Error(), s) {
				t.Errorf("got %q, want %q in it", err, s)
			}
		}
	}
}

var fencedOut *tensor.Tensor
