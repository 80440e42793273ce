package dtype

import (
	"sync"
	"sync/atomic"
	"testing"
)

// TestExchange: nothing is lost between who adds alone, without a lock, and who adds with others.
func TestExchange(t *testing.T) {
	const users, rounds = 4, 2000
	var sum atomic.Int64
	alone := 0
	var all sync.WaitGroup
	for range users {
		all.Go(func() {
			for range rounds {
				BeginExchange()
				if BeginAlone() {
					alone++ // the race detector would see two
					sum.Store(sum.Load() + 1)
					EndAlone()
				} else {
					sum.Add(1)
				}
				EndExchange()
			}
		})
	}
	all.Wait()
	if sum.Load() != users*rounds {
		t.Errorf("%d additions of %d are there, %d of them alone", sum.Load(), users*rounds, alone)
	}
	BeginExchange()
	if !BeginAlone() {
		t.Error("the only one is not alone")
	}
	EndAlone()
	BeginExchange()
	if BeginAlone() {
		t.Error("one of two is alone")
	}
	EndExchange()
	EndExchange()
}
