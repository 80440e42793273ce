package amd64

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/tiler-go/tiler/exec/amd64/gemm"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"golang.org/x/sys/unix"
)

// guarded is a copy of a tensor that ends, or begins, where there is no memory.
func guarded(tb testing.TB, x dtype.Buf, atEnd bool) dtype.Buf {
	tb.Helper()
	page := os.Getpagesize()
	room := (len(x.Bytes()) + page - 1) / page * page
	mem, err := unix.Mmap(-1, 0, room+2*page, unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { unix.Munmap(mem) })
	if err := unix.Mprotect(mem[page:page+room], unix.PROT_READ|unix.PROT_WRITE); err != nil {
		tb.Fatal(err)
	}
	off := page
	if atEnd {
		off += room - len(x.Bytes())
	}
	z := dtype.RawBuf(x.DType(), unsafe.Pointer(&mem[off]), x.Len())
	copy(z.Bytes(), x.Bytes())
	return z
}

// TestTurned has products of operands of every type that lie in every way, between pages
// that nobody may touch: the bits are those of instances one by one.
func TestTurned(t *testing.T) {
	defer func(f func() int) { gemm.MostUnsliced = f }(gemm.MostUnsliced)
	unsliced := gemm.MostUnsliced
	sizes := [][3]int{{1, 1, 1}, {16, 16, 16}, {7, 33, 17}, {33, 17, 15}, {70, 75, 33}, {8, 32, 1030}, {9, 70, 537}, {130, 50, 20}, {50, 350, 520}, {13, 40, 1100}}
	for _, k := range turnedKinds() {
		f := productOf(t, k.d, k.chain)
		codes := map[string]*Code{}
		for way, o := range waysOf(t, k.chain) {
			code, err := Compile(f, o)
			if err != nil {
				t.Fatal(err)
			}
			codes[way] = code
		}
		for i, s := range sizes {
			for j, l := range layouts(s[0], s[1], s[2]) {
				if !everySecond(i + j/2) {
					continue
				}
				c := productTyped(k.d, s[0], s[1], s[2], l)
				for arg := range c.args[:3] {
					c.args[arg].Mem = guarded(t, c.args[arg].Mem, (i+j)%2 == 0)
				}
				gemm.MostUnsliced = unsliced
				want := c.run(t, codes["avx2"], 1, true)
				for way, code := range codes {
					for _, slice := range []bool{false, true} {
						if slice {
							gemm.MostUnsliced = func() int { return 0 }
						}
						if got := c.run(t, code, 1+2*(i%2), false); !bytes.Equal(got, want) {
							t.Errorf("%s of %s %s, %s, sliced %v: byte %d differs", c, k.d, k.chain, way, slice, firstDifference(got, want))
						}
					}
				}
			}
		}
	}
}

// TestTurnedBytes has the same of bytes.
func TestTurnedBytes(t *testing.T) {
	inEachWay(t, func(t *testing.T, o Options) {
		code, err := Compile(kernel(t, "product_int8_apart"), o)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range [][3]int{{16, 40, 64}, {31, 33, 70}, {70, 75, 133}, {24, 40, 2070}} {
			m, n, k := s[0], s[1], s[2]
			for j, strides := range [][6]int{{k, 1, 1, k, n, 1}, {1, m, n, 1, n, 1}, {1, m, 1, k, n, 1}} {
				c := productApart(m, n, k, strides)
				for arg := range c.args[:3] {
					c.args[arg].Mem = guarded(t, c.args[arg].Mem, (i+j)%2 == 0)
				}
				c.run(t, code, 1, false)
				checkBytes(t, "turned", c, s, strides)
			}
		}
	})
}

// turnedKind is what products are made of.
type turnedKind struct {
	d     dtype.DType
	chain dot.Chain
}

func turnedKinds() []turnedKind {
	kinds := []turnedKind{{d: dtype.Float32}, {d: dtype.Float64}, {d: dtype.Float16}, {d: dtype.BFloat16}}
	for _, c := range dot.Chains() {
		kinds = append(kinds, turnedKind{dtype.BFloat16, c})
	}
	return kinds
}

// BenchmarkTurned is how fast products are of operands that lie the other way round, as
// parts of the speed of those that do not: processors' time, taken in turns.
func BenchmarkTurned(b *testing.B) {
	for _, tier := range runnable(b) {
		for _, k := range turnedKinds() {
			for _, s := range [][3]int{{512, 512, 512}, {1024, 1024, 1024}, {100, 300, 200}} {
				for workers := 1; workers <= 2; workers++ {
					name := fmt.Sprintf("%v/%s/%s/%dx%dx%d/%d", tier, k.d, k.chain, s[0], s[1], s[2], workers)
					b.Run(name, func(b *testing.B) { benchmarkTurned(b, productOf(b, k.d, k.chain), k.d, tier, s, workers) })
				}
			}
		}
	}
}

func benchmarkTurned(b *testing.B, f *ir.Func, d dtype.DType, tier cpu.Tier, size [3]int, workers int) {
	m, n, k := size[0], size[1], size[2]
	code := compile(b, f, tier)
	names := []string{"straight", "b", "a", "both"}
	var times [4][]float64
	var calls [4]problem
	for i, l := range []layout{{k, 1, n, 1}, {k, 1, 1, k}, {1, m, n, 1}, {1, m, 1, k}} {
		calls[i] = productTyped(d, m, n, k, l)
	}
	rounds := max(1, 40_000_000/(m*n*k))
	for b.Loop() {
		for i, c := range calls {
			l := &Launch{Args: c.args, Grid: c.grid}
			var total time.Duration
			var mu sync.Mutex
			var wg sync.WaitGroup
			j := code.Job(l, workers)
			for w := range workers {
				wg.Go(func() {
					runtime.LockOSThread()
					defer runtime.UnlockOSThread()
					start := processorTime()
					for range rounds {
						worker := j.Worker()
						worker.Run(j.Tasks()*w/workers, j.Tasks()*(w+1)/workers)
						worker.Release()
					}
					took := processorTime() - start
					mu.Lock()
					total += took
					mu.Unlock()
				})
			}
			wg.Wait()
			times[i] = append(times[i], total.Seconds()/float64(rounds))
		}
	}
	// Processors change their speed: what is compared is done one after the other.
	median := func(x []float64) float64 { slices.Sort(x); return x[len(x)/2] }
	for i := 1; i < len(times); i++ {
		ratios := make([]float64, len(times[i]))
		for round, took := range times[i] {
			ratios[round] = times[0][round] / took
		}
		b.ReportMetric(median(ratios), names[i])
	}
	b.ReportMetric(2e-9*float64(m*n*k)/median(times[0]), "GF/s")
	b.ReportMetric(0, "ns/op")
}
