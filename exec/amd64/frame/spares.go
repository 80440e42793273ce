package frame

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"weak"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Spares are values that wait for use, often megabytes of memory each. What waits in a
// sync.Pool is gone once two collections have passed. A program that collects all the time would
// make it anew for every launch: clear it, and fault it in a page at a time, while a
// collection waits for the thread that does so. Spares are let go when none has been
// used for spareTime.
type Spares[T any] struct {
	slots [32]atomic.Pointer[T]
	more  sync.Pool   // of *T: those without a slot
	aging atomic.Bool // age runs after each collection
	used  atomic.Bool // since it last did
	since time.Time   // that it last saw a use
}

const spareTime = time.Second

// Take is a value that waits, or nil, and its slot. Those who come in the same order
// each time get the same values, which their core's caches know.
func (s *Spares[T]) Take() (*T, int) {
	if dtype.Fenced() != dtype.NoFence { // what waits may be larger than what is asked for
		return nil, 0
	}
	for i := range s.slots {
		if x := s.slots[i].Load(); x != nil && s.slots[i].CompareAndSwap(x, nil) {
			return x, i
		}
	}
	x, _ := s.more.Get().(*T)
	return x, 0
}

// Give makes x wait, in the slot it came from if that is free.
func (s *Spares[T]) Give(x *T, slot int) {
	if !s.used.Load() {
		s.used.Store(true)
	}
	if !s.aging.Load() && s.aging.CompareAndSwap(false, true) {
		s.since = time.Now()
		s.watch()
	}
	if s.slots[slot].CompareAndSwap(nil, x) {
		return
	}
	for i := range s.slots {
		if s.slots[i].CompareAndSwap(nil, x) {
			return
		}
	}
	s.more.Put(x)
}

// watch has age called when the next collection has ended; it does not keep s.
func (s *Spares[T]) watch() {
	runtime.AddCleanup(new(*T), func(p weak.Pointer[Spares[T]]) {
		if s := p.Value(); s != nil {
			s.age()
		}
	}, weak.Make(s))
}

// age lets the values go that have waited long enough.
func (s *Spares[T]) age() {
	if s.used.Swap(false) {
		s.since = time.Now()
	}
	if time.Since(s.since) < spareTime {
		s.watch()
		return
	}
	s.aging.Store(false)
	for i := range s.slots {
		s.slots[i].Store(nil)
	}
}
