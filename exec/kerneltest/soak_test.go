package kerneltest_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/kerneltest/corpus"
	"github.com/tiler-go/tiler/exec/kerneltest/random"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// TestSoak runs cases of the corpus, random products and random kernels in every engine, several at a
// time, for as long as TILER_SOAK says (15m), with a collector that runs all the time: without fences,
// with fences at the end of buffers and with fences at their beginning, by turns. It says what it did, and TILER_SOAK_SEED repeats it. With -race
// the race detector watches.
func TestSoak(t *testing.T) {
	text := os.Getenv("TILER_SOAK")
	if text == "" {
		t.Skip("TILER_SOAK=15m go test -race -timeout 20m -run TestSoak ./exec/kerneltest")
	}
	duration, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	s := &soak{seed: uint64(time.Now().UnixNano())}
	if text := os.Getenv("TILER_SOAK_SEED"); text != "" {
		if s.seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	fmt.Printf("soak: seed %d, %v, %d at a time, engines %v\n", s.seed, duration, soakers(), exec.Engines())
	start, said := time.Now(), time.Now()
	modes := []dtype.Fence{dtype.NoFence, dtype.FenceEnd, dtype.FenceBegin}
	for turn := 0; time.Since(start) < duration && !t.Failed(); turn++ {
		if err := dtype.SetFence(modes[turn%len(modes)]); err != nil {
			t.Fatal(err)
		}
		s.turn(t, time.Second)
		if time.Since(said) > time.Minute {
			said = time.Now()
			fmt.Printf("soak: %v: %v\n", time.Since(start).Round(time.Second), s)
		}
	}
	dtype.SetFence(dtype.NoFence)
	fmt.Printf("soak: ended after %v: %v\n", time.Since(start).Round(time.Second), s)
}

// soakers is how many goroutines launch kernels.
func soakers() int { return 2 * runtime.GOMAXPROCS(0) }

type soak struct {
	seed                       uint64
	next                       atomic.Uint64
	corpus, products, compiled atomic.Int64
}

func (s *soak) String() string {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return fmt.Sprintf("%d cases of the corpus, %d random products, %d random kernels, in each engine; %d collections",
		s.corpus.Load(), s.products.Load(), s.compiled.Load(), m.NumGC)
}

// turn launches kernels for a while.
func (s *soak) turn(t *testing.T, d time.Duration) {
	end := time.Now().Add(d)
	var wg sync.WaitGroup
	for range soakers() {
		wg.Go(func() {
			for time.Now().Before(end) && !t.Failed() {
				s.one(t)
			}
		})
	}
	wg.Wait()
}

// one does one thing.
func (s *soak) one(t *testing.T) {
	r := rand.New(rand.NewPCG(s.seed, s.next.Add(1)))
	switch r.IntN(4) {
	case 0:
		seed := r.Uint64()
		if err := sameIR(t, random.Kernel(seed), [3]int{2, 1, 1}, random.Args(seed), map[string]int{}); err != nil {
			t.Errorf("random kernel %d: %v", seed, err)
		}
		s.compiled.Add(1)
	case 1, 2:
		c := corpus.RandomProduct(r.Uint64())
		compareCase(t, exec.New(c.Row.Fn), c)
		s.products.Add(1)
	default:
		rows := corpus.Rows()
		row := rows[r.IntN(len(rows))]
		cases := row.Cases()
		compareCase(t, exec.New(row.Fn), cases[r.IntN(len(cases))])
		s.corpus.Add(1)
	}
}
