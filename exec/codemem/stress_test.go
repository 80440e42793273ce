package codemem

import (
	"io"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/cpu"
)

// clobber is a program that overwrites every register that it may, and computes something.
type clobber struct {
	code *Code
	regs int // vector registers
	row  int // 32-bit lanes in one
}

type clobberArgs struct {
	n         int64
	data, out unsafe.Pointer
}

func clobbers(t testing.TB) []clobber {
	t.Helper()
	var s []clobber
	if !Supported {
		t.Skip(errNotSupported)
	}
	if cpu.X86.HasAVX2 {
		s = append(s, clobber{sealed(t, "clobber256"), 16, 8})
	}
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW {
		s = append(s, clobber{sealed(t, "clobber512"), 32, 16})
	}
	if s == nil {
		t.Skip("programs need AVX2")
	}
	return s
}

// run calls the program with n rounds and reports whether the result is right. Data and result live on the stack or the heap
// as the compiler likes.
func (c clobber) run(e Entry, n, seed int) bool {
	data, out := make([]uint32, 4*c.row), make([]uint32, c.row)
	for i := range data {
		data[i] = uint32(i*i + seed)
	}
	args := clobberArgs{int64(n), unsafe.Pointer(&data[0]), unsafe.Pointer(&out[0])}
	e.Call(unsafe.Pointer(&args))
	runtime.KeepAlive(data)
	for lane, got := range out {
		last := data[(c.regs-1)%4*c.row+lane]
		want := uint32(n) * uint32(c.regs-1) * last
		for i := range c.regs - 1 {
			want += data[i%4*c.row+lane]
		}
		if got != want {
			return false
		}
	}
	return true
}

// deep uses stack, and finds out whether the stack it left behind is still intact.
//
//go:noinline
func deep(n int, p *[16]int) int {
	var b [256]byte
	b[n&255] = byte(n)
	if n == 0 {
		return p[3]
	}
	return deep(n-1, p) + int(b[n&255]) - n&255
}

// TestStress calls code that owns all registers from many goroutines, with garbage collection, a CPU profile
// and growing stacks.
func TestStress(t *testing.T) {
	programs := clobbers(t)
	duration := 300 * time.Millisecond
	if long() {
		duration = 20 * time.Second
	}
	if err := pprof.StartCPUProfile(io.Discard); err == nil {
		defer pprof.StopCPUProfile()
	}
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	before := collections()
	var stop atomic.Bool
	var calls atomic.Int64
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			c := programs[g%len(programs)]
			e, err := c.code.Acquire()
			if err != nil {
				t.Error(err)
				return
			}
			defer e.Release()
			for i := 0; !stop.Load(); i++ {
				n := 100
				if i%50 == 0 {
					n = 500_000 // about a millisecond
				}
				p := [16]int{3: i}
				f := float64(i) * 1.5
				if !c.run(e, n, i) || deep(50+g*20+i%100, &p) != i || f != float64(i)*1.5 {
					t.Errorf("goroutine %d, call %d: wrong result", g, i)
					return
				}
				calls.Add(1)
			}
		})
	}
	wg.Go(func() {
		var keep [][]byte
		for !stop.Load() {
			keep = append(keep[:len(keep)%100], make([]byte, 1000+len(keep)))
			runtime.GC()
		}
	})
	time.Sleep(duration)
	stop.Store(true)
	wg.Wait()
	t.Logf("%d calls, %d collections", calls.Load(), collections()-before)
}

// collections is the number of garbage collections so far.
func collections() uint32 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.NumGC
}

// TestPreemption: a loop of calls, and a loop of Pause, stop for the collector after one call at the latest. The
// bound is loose; without the stack check in the trampoline the times are seconds.
func TestPreemption(t *testing.T) {
	c := clobbers(t)[0]
	e, err := c.code.Acquire()
	if err != nil {
		t.Fatal(err)
	}
	defer e.Release()
	var data [64]uint32
	for name, loop := range map[string]func(stop *atomic.Bool){
		"calls": func(stop *atomic.Bool) {
			var out [16]uint32
			args := clobberArgs{60_000, unsafe.Pointer(&data), unsafe.Pointer(&out)} // about 100 us
			for !stop.Load() {
				e.Call(unsafe.Pointer(&args))
			}
		},
		"pauses": func(stop *atomic.Bool) {
			for !stop.Load() {
				Pause(1000)
			}
		},
	} {
		var stop atomic.Bool
		var wg sync.WaitGroup
		for range max(1, runtime.GOMAXPROCS(0)-1) {
			wg.Go(func() { loop(&stop) })
		}
		times := stopTheWorld()
		stop.Store(true)
		wg.Wait()
		t.Logf("%s: the world stops in %v median, %v at most", name, times[len(times)/2], times[len(times)-1])
		if times[len(times)/2] > time.Second/4 {
			t.Errorf("%s: stopping the world takes %v", name, times[len(times)/2])
		}
	}
}

// stopTheWorld measures how long that takes, sorted.
func stopTheWorld() []time.Duration {
	times := make([]time.Duration, 20)
	if long() {
		times = make([]time.Duration, 500)
	}
	for i := range times {
		var m runtime.MemStats
		start := time.Now()
		runtime.ReadMemStats(&m)
		times[i] = time.Since(start)
		time.Sleep(time.Duration(1+i%5) * time.Millisecond)
	}
	slices.Sort(times)
	return times
}

func BenchmarkCall(b *testing.B) {
	c := sealed(b, "ret")
	e, err := c.Acquire()
	if err != nil {
		b.Fatal(err)
	}
	defer e.Release()
	b.Run("entry", func(b *testing.B) {
		for b.Loop() {
			e.Call(nil)
		}
	})
	b.Run("code", func(b *testing.B) {
		for b.Loop() {
			c.Call(nil)
		}
	})
	b.Run("protected", func(b *testing.B) {
		f := func() { e.Call(nil) }
		for b.Loop() {
			if err := Protect(f); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkFault(b *testing.B) {
	needFaults(b)
	c := sealed(b, "load")
	args := faultArgs{1 << 63, plainMXCSR}
	for b.Loop() {
		if err := Protect(func() { c.Call(unsafe.Pointer(&args)) }); err == nil {
			b.Fatal("no fault")
		}
	}
}

func BenchmarkWriteSealFree(b *testing.B) {
	code := slices.Repeat(load(b, "ret"), 16<<10)
	for b.Loop() {
		c, err := Write(code)
		if err != nil {
			b.Fatal(err)
		}
		if err := c.Seal(); err != nil {
			b.Fatal(err)
		}
		c.Free()
	}
}
