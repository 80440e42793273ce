package variant

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tiler-go/tiler/exec/function"
)

// A Set is the variants of a kernel that are kept: those used last.
type Set struct {
	Most int // how many are kept; 0: keeps

	mu       sync.Mutex
	variants atomic.Pointer[[]*Variant] // changed under mu
	clock    atomic.Int64               // advanced by each variant that is made
	freed    atomic.Int64               // variants that are not kept any more
}

// keeps is how many variants of a kernel are kept. An int that decides a shape makes one
// of each of its values, of which a process that serves may meet any number.
const keeps = 256

// All is the variants that are kept, the one that was made last at the end.
func (s *Set) All() []*Variant {
	if p := s.variants.Load(); p != nil {
		return *p
	}
	return nil
}

// Freed is how many are not kept any more.
func (s *Set) Freed() int { return int(s.freed.Load()) }

// Of finds or compiles a kernel's function for arguments. That it cannot be compiled is
// remembered, too.
func (s *Set) Of(kernel *function.Function, args []any) (*Variant, error) {
	if v := s.compiled(args); v != nil {
		return v, v.Err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if v := s.compiled(args); v != nil {
		return v, v.Err
	}
	v := compile(kernel, function.Args(args))
	v.used.Store(s.clock.Add(1))
	all := append(s.room(), v)
	s.variants.Store(&all)
	return v, v.Err
}

// room is a copy of the variants, without the one that was used longest ago if they are
// as many as are kept. Launches that run it have it still: its code is freed when they have
// ended, and nothing refers to it any more.
func (s *Set) room() []*Variant {
	all := slices.Clone(s.All())
	if len(all) < cmp.Or(s.Most, keeps) {
		return all
	}
	oldest := 0
	for i, v := range all {
		if v.used.Load() < all[oldest].used.Load() {
			oldest = i
		}
	}
	s.freed.Add(1)
	return slices.Delete(all, oldest, oldest+1)
}

// compiled is a variant that is there already.
func (s *Set) compiled(args []any) *Variant {
	for _, v := range s.All() {
		if v.serves(args) {
			if now := s.clock.Load(); v.used.Load() != now { // to store takes longer than to look
				v.used.Store(now)
			}
			return v
		}
	}
	return nil
}
