package amd64

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tiler-go/tiler/exec/amd64/gemm"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// inEachWay runs f for products of bytes in vectors, and in tiles where there are some.
func inEachWay(t *testing.T, f func(t *testing.T, o Options)) {
	t.Helper()
	if !cpu.AVX512.Available() {
		t.Skip("needs AVX-512")
	}
	for _, o := range []Options{{Tier: cpu.AVX512, NoTiles: true}, {Tier: cpu.AVX512}} {
		name := "vectors"
		if !o.NoTiles {
			name = "tiles"
		}
		t.Run(name, func(t *testing.T) {
			if !o.NoTiles && !cpu.Tiles(cpu.HasAMXINT8) {
				t.Skip("no tiles here")
			}
			f(t, o)
		})
	}
}

// TestProductsOfBytes compares with sums computed here: every edge of register blocks,
// tiles, blocks of sums and of the chain; operands and results in every order.
func TestProductsOfBytes(t *testing.T) {
	type layout func(m, n, k int) [6]int
	layouts := map[string]layout{
		"as written":     func(m, n, k int) [6]int { return [6]int{k, 1, n, 1, n, 1} },
		"turned":         func(m, n, k int) [6]int { return [6]int{1, m, 1, k, 1, m} },
		"a turned":       func(m, n, k int) [6]int { return [6]int{1, m, n, 1, n, 1} },
		"apart":          func(m, n, k int) [6]int { return [6]int{3*k + 1, 3, 2 * n, 2, 2 * n, 2} },
		"rows of a page": func(m, n, k int) [6]int { return [6]int{4096, 1, n + 7, 1, n + 5, 1} },
	}
	sizes := [][3]int{
		{1, 1, 1}, {32, 32, 64}, {31, 33, 63}, {64, 64, 128}, {33, 65, 70}, {16, 48, 1024}, {40, 70, 1030}, {32, 32, 2050}, {130, 300, 70}, {7, 33, 1030},
		{129, 1060, 66}, {16, 1060, 70}, {24, 40, 2070},
	}
	inEachWay(t, func(t *testing.T, o Options) {
		code, err := Compile(kernel(t, "product_int8_apart"), o)
		if err != nil {
			t.Fatal(err)
		}
		for name, strides := range layouts {
			for i, s := range sizes {
				if !everySecond(i + len(name)) {
					continue
				}
				c := productApart(s[0], s[1], s[2], strides(s[0], s[1], s[2]))
				for _, workers := range []int{1, 3} {
					if !code.Job(&Launch{Args: c.args, Grid: c.grid}, workers).Whole() {
						t.Fatalf("%s, %s: not one product", name, c)
					}
					c.run(t, code, workers, false)
					checkBytes(t, name, c, s, strides(s[0], s[1], s[2]))
				}
			}
		}
	})
}

// TestTilesKernels runs each kernel of tiles for itself, of which the clock would choose
// one.
func TestTilesKernels(t *testing.T) {
	if !cpu.Tiles(cpu.HasAMXINT8) {
		t.Skip("no tiles here")
	}
	code, err := Compile(kernel(t, "product_int8_apart"), Options{Tier: cpu.AVX512})
	if err != nil {
		t.Fatal(err)
	}
	for k := range gemm.NumTilesKernels {
		for _, s := range [][3]int{{32, 32, 64}, {96, 130, 130}, {70, 64, 1024}, {64, 100, 1700}, {33, 1030, 2050}} {
			strides := [6]int{s[2], 1, s[1], 1, s[1] + 3, 1}
			c := productApart(s[0], s[1], s[2], strides)
			for i := range c.out().Bytes() {
				c.out().Bytes()[i] = 0xa5
			}
			j := code.Job(&Launch{Args: c.args, Grid: c.grid}, 1)
			j.product.Only(k)
			w := j.Worker()
			w.Run(0, j.Tasks())
			w.Release()
			checkBytes(t, []string{"near", "past"}[k], c, s, strides)
		}
	}
}

func checkBytes(t *testing.T, name string, c problem, size [3]int, strides [6]int) {
	t.Helper()
	x, y, z := dtype.View[int8](c.args[0].Mem), dtype.View[int8](c.args[1].Mem), dtype.View[int32](c.args[2].Mem)
	for i := range size[0] {
		for j := range size[1] {
			want := int32(0)
			for k := range size[2] {
				want += int32(x[i*strides[0]+k*strides[1]]) * int32(y[k*strides[2]+j*strides[3]])
			}
			at := i*strides[4] + j*strides[5]
			if z[at] != want {
				t.Fatalf("%s, %s: element %d, %d is %d, want %d", name, c, i, j, z[at], want)
			}
			z[at] = int32(-1515870811) // what memory that nobody writes still holds
		}
	}
	for i, v := range z {
		if v != -1515870811 {
			t.Fatalf("%s, %s: element %d of the memory was written", name, c, i)
		}
	}
}

// TestBytesWrap: sums wrap modulo 2^32, and the extremes of bytes are nothing special.
func TestBytesWrap(t *testing.T) {
	const m, n, k = 33, 34, 140000
	inEachWay(t, func(t *testing.T, o Options) {
		code, err := Compile(kernel(t, "product_int8"), o)
		if err != nil {
			t.Fatal(err)
		}
		c := productBytes(m, n, k)
		for i, a := range c.args[:2] {
			for j := range a.Mem.Len() {
				a.Mem.SetBits(j, uint64(uint8(0x80-i*(j%n&1)))) // -128, and for b's odd columns 127
			}
		}
		c.run(t, code, 1, false)
		for i, got := range dtype.View[int32](c.out()) {
			sum := int64(k) * 128 * 128
			if i%n&1 == 1 {
				sum = -int64(k) * 128 * 127
			}
			if got != int32(sum) {
				t.Fatalf("element %d is %d, want %d", i, got, int32(sum))
			}
		}
	})
}

// TestTilesUnderSignals multiplies in more goroutines than processors while garbage is
// collected, goroutines are preempted and profiles are taken: signals arrive while
// tiles are live, and no bit is ever wrong. With TILER_LONG it takes two minutes.
func TestTilesUnderSignals(t *testing.T) {
	duration := 250 * time.Millisecond
	if os.Getenv("TILER_LONG") != "" {
		duration = 2 * time.Minute
	}
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	if err := pprof.StartCPUProfile(io.Discard); err == nil {
		defer pprof.StopCPUProfile()
	}
	inEachWay(t, func(t *testing.T, o Options) {
		code, err := Compile(kernel(t, "product_int8"), o)
		if err != nil {
			t.Fatal(err)
		}
		var stop atomic.Bool
		var launches atomic.Int64
		var wg sync.WaitGroup
		for i := range 2*runtime.GOMAXPROCS(0) + 2 {
			p := productBytes(256+i, 320, 1024+i%2*30)
			want := p.run(t, code, 1, false)
			wg.Go(func() {
				for !stop.Load() {
					if got := p.run(t, code, 1+i%2, false); !bytes.Equal(got, want) {
						t.Errorf("%s: byte %d differs", p, firstDifference(got, want))
						return
					}
					launches.Add(1)
				}
			})
		}
		wg.Go(func() {
			for !stop.Load() {
				runtime.GC()
			}
		})
		var worst time.Duration
		for start := time.Now(); time.Since(start) < duration; time.Sleep(time.Millisecond) {
			var m runtime.MemStats
			before := time.Now()
			runtime.ReadMemStats(&m) // stops the world
			worst = max(worst, time.Since(before))
		}
		stop.Store(true)
		wg.Wait()
		t.Logf("%d launches; the world took %v at most to stop", launches.Load(), worst)
	})
}
