package frame

import (
	"runtime"
	"sync"
	"testing"
	"time"
	"weak"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// What was used within a second is still there after many collections; later it is let go.
func TestSparesOutlastCollections(t *testing.T) {
	if dtype.Fenced() != dtype.NoFence {
		t.Skip("against fences nothing waits for use")
	}
	type megabyte [1 << 20]byte
	var s Spares[megabyte]
	var x *megabyte
	var slot int
	for x == nil {
		start := time.Now()
		s.Give(new(megabyte), 0)
		for range 3 { // a sync.Pool's is gone after two
			runtime.GC()
		}
		if x, slot = s.Take(); x == nil && time.Since(start) < spareTime {
			t.Fatal("collections took what waits")
		}
	}
	gone := weak.Make(x)
	s.Give(x, slot)
	x = nil
	for end := time.Now().Add(30 * spareTime); gone.Value() != nil; time.Sleep(spareTime / 20) {
		if time.Now().After(end) {
			t.Fatal("what waits is never let go")
		}
		runtime.GC()
	}
	runtime.KeepAlive(&s)
}

// Many take and give at once, and nobody has what another has.
func TestSparesAreTakenOnce(t *testing.T) {
	var s Spares[int]
	var wg sync.WaitGroup
	for range 3 * len(s.slots) {
		wg.Go(func() {
			for range 1000 {
				x, slot := s.Take()
				if x == nil {
					x = new(int)
				}
				if *x++; *x != 1 {
					t.Error("two have the same")
				}
				*x--
				s.Give(x, slot)
			}
		})
	}
	wg.Wait()
}

// Spares do not keep whom they belong to.
func TestSparesDoNotKeepTheirOwner(t *testing.T) {
	type owner struct {
		name string
		s    Spares[int]
	}
	o := &owner{name: "o"}
	o.s.Give(new(int), 0)
	gone := weak.Make(o)
	o = nil
	for range 10 {
		if runtime.GC(); gone.Value() == nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("the owner is still there")
}
