package dtype

import (
	"sync"
	"sync/atomic"
)

// Who exchanges elements of memory atomically says so here, so that one who is alone can do without the processor's
// locks: they take ten times as long as the exchange itself. Who comes meanwhile waits until the other has
// ended being alone, which must not take long or depend on anybody.
var exchanging struct {
	users atomic.Int32
	alone atomic.Bool
	turn  sync.Mutex // held while somebody is alone
}

// BeginExchange is called before elements are exchanged; EndExchange behind it.
func BeginExchange() {
	e := &exchanging
	e.users.Add(1)
	if e.alone.Load() { // else who wants to be alone sees this user
		e.turn.Lock()
		//lint:ignore SA2001 the lock is waited for, not held: who is alone holds it until his end
		e.turn.Unlock()
	}
}

func EndExchange() { exchanging.users.Add(-1) }

// BeginAlone reports whether the caller, who has begun to exchange, is the only one until EndAlone.
func BeginAlone() bool {
	e := &exchanging
	if e.users.Load() != 1 || !e.turn.TryLock() {
		return false
	}
	e.alone.Store(true)
	if e.users.Load() == 1 {
		return true
	}
	EndAlone()
	return false
}

func EndAlone() {
	exchanging.alone.Store(false)
	exchanging.turn.Unlock()
}
