// Package pool spreads the tasks of a launch over goroutines that wait for work, which the launches of a process share.
// It knows no kernel: a Schedule has numbered tasks, and a Runner does some of them.
package pool

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tiler-go/tiler/exec/codemem"
)

// workers are the goroutines that help launches. A launch runs on the goroutine that
// asked for it, and invites as many of these as it may use and find idle.
var workers pool

// A pool is goroutines that wait for work: spinning at first, because waking a thread
// can take longer than a launch, then parked.
type pool struct {
	mu      sync.Mutex
	helpers []*helper
	last    atomic.Pointer[[]*helper] // helpers, to read without the lock
}

// A helper is one goroutine of the pool.
type helper struct {
	invited atomic.Pointer[invitation] // nil: idle
	parked  atomic.Bool
	wake    chan struct{}
}

// An invitation is to do a part of a launch. Until it is taken up it can be withdrawn.
type invitation struct {
	to   inviting
	part int
}

// inviting is what there are invitations to. When a helper is done with its part it calls
// left, and has nothing to do with the launch any more.
type inviting interface {
	help(part int)
	left()
}

// busy stands for an invitation that has been taken up.
var busy = new(invitation)

// maxHelpers bounds the pool.
const maxHelpers = 1024

// spinTime is how long a helper waits for more work before it parks.
const spinTime = 100 * time.Microsecond

// invite asks an idle helper to call work(part). It returns nil if there is none and
// there are enough already.
func (p *pool) invite(in *invitation, limit int) *helper {
	if hs := p.last.Load(); hs != nil {
		for _, h := range *hs {
			if h.offer(in) {
				return h
			}
		}
		if len(*hs) >= min(limit, maxHelpers) {
			return nil
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.helpers) >= min(limit, maxHelpers) {
		return nil
	}
	h := &helper{wake: make(chan struct{}, 1)}
	h.invited.Store(in)
	p.helpers = append(p.helpers, h)
	hs := append([]*helper(nil), p.helpers...)
	p.last.Store(&hs)
	go h.loop()
	return h
}

// offer gives an idle helper an invitation.
func (h *helper) offer(in *invitation) bool {
	if h.invited.Load() != nil || !h.invited.CompareAndSwap(nil, in) {
		return false
	}
	if h.parked.CompareAndSwap(true, false) {
		h.wake <- struct{}{}
	}
	return true
}

// withdraw takes an invitation back; false if the helper is at it.
func (h *helper) withdraw(in *invitation) bool { return h.invited.CompareAndSwap(in, nil) }

func (h *helper) loop() {
	for {
		in := h.wait()
		if !h.invited.CompareAndSwap(in, busy) {
			continue
		}
		to := in.to
		to.help(in.part)
		h.invited.Store(nil)
		to.left()
	}
}

// wait returns the next invitation.
func (h *helper) wait() *invitation {
	for {
		for start := time.Now(); ; codemem.Pause(20) {
			if in := h.invited.Load(); in != nil {
				return in
			}
			if time.Since(start) > spinTime {
				break
			}
		}
		h.parked.Store(true)
		if h.invited.Load() == nil || !h.parked.CompareAndSwap(true, false) {
			<-h.wake
		}
	}
}

// A Runner does tasks of a launch on one goroutine.
type Runner interface {
	// Run does tasks lo to hi-1.
	Run(lo, hi int)
	// Release gives back what the runner took. It is called once.
	Release()
}

// A Schedule spreads tasks over workers: each has a range of its own, so that what
// neighbouring tasks share stays in one cache, and takes half of another's when it
// has done its own. It can run again when it has ended, and then allocates nothing.
type Schedule struct {
	Tasks  int
	Width  int // workers, at most
	Begin  func(part int) Runner
	Stop   *atomic.Bool
	Limit  *atomic.Int64  // the first task that need not be done any more
	Pace   *atomic.Int64  // picoseconds that a task takes, as far as known; 0: unknown
	Report func(done int) // told how many are done, if it is not nil

	unit   int // tasks that are handed out together: ranges count these
	ranges []taskRange
	done   atomic.Int64
	team   team
}

// A taskRange is the units that are a worker's own: low and high half are the first
// and the end.
type taskRange struct {
	bounds atomic.Uint64
	_      [56]byte // of one cache line each
}

// WakeWorth is work for which helpers are invited.
const WakeWorth = 8 * time.Microsecond

const (
	grabTime  = 120 * time.Microsecond // work that is taken at a time
	grabParts = 16                     // of which one at least is taken near the end
)

// Done is how many tasks are done.
func (s *Schedule) Done() int { return int(s.done.Load()) }

// Run does all tasks, unless Stop is set; it returns when no worker is at one.
func (s *Schedule) Run() {
	s.unit = s.Tasks>>30 + 1
	units := (s.Tasks + s.unit - 1) / s.unit
	s.Width = max(1, min(s.Width, units))
	s.ranges = sized(s.ranges, s.Width)
	s.done.Store(0)
	if pace := s.Pace.Load(); s.Width > 1 && pace > 0 && time.Duration(pace*int64(s.Tasks)/1000) >= WakeWorth {
		s.share(0, units)
		s.invite()
		s.work(0, false)
	} else {
		s.share(0, 0)
		s.set(0, 0, units)
		s.work(0, s.Width > 1)
	}
	s.disband()
}

// sized is n elements, in s's memory if that is enough.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// A team is the helpers of a schedule, and what they were sent.
type team struct {
	helpers     []*helper
	invitations []invitation
	busy        latch
}

// invite asks for helpers, as many as may help.
func (s *Schedule) invite() {
	t := &s.team
	t.invitations = sized(t.invitations, s.Width-1)
	limit := max(s.Width, runtime.GOMAXPROCS(0)) - 1
	for i := range t.invitations {
		in := &t.invitations[i]
		in.to, in.part = s, i+1
		t.busy.Add(1)
		h := workers.invite(in, limit)
		if h == nil {
			t.busy.Done()
			return
		}
		t.helpers = append(t.helpers, h)
	}
}

// disband withdraws what was not taken up and waits for the others, who are at their
// last tasks.
func (s *Schedule) disband() {
	t := &s.team
	for i, h := range t.helpers {
		if h.withdraw(&t.invitations[i]) {
			t.busy.Done()
		}
	}
	t.busy.Wait()
	t.helpers = t.helpers[:0]
}

func (s *Schedule) help(part int) { s.work(part, false) }
func (s *Schedule) left()         { s.team.busy.Done() }

func (s *Schedule) set(part, lo, hi int) { s.ranges[part].bounds.Store(uint64(lo) | uint64(hi)<<32) }

// share gives each worker its part of units lo to hi-1.
func (s *Schedule) share(lo, hi int) {
	n := hi - lo
	for part := range s.Width {
		s.set(part, lo+n*part/s.Width, lo+n*(part+1)/s.Width)
	}
}

// take takes up to n units from the front of a range: near the end half of what is left, but at
// least so many, so that others find something to take over and all end at the same time.
func (s *Schedule) take(part, n, least int) (lo, hi int) {
	r := &s.ranges[part].bounds
	for {
		old := r.Load()
		first, end := int(uint32(old)), int(old>>32)
		if first >= end {
			return 0, 0
		}
		next := min(first+min(n, max((end-first+1)/2, least)), end)
		if r.CompareAndSwap(old, uint64(next)|uint64(end)<<32) {
			return first, next
		}
	}
}

// steal moves the second half of the largest other range to part's own, which is
// empty.
func (s *Schedule) steal(part int) bool {
	for {
		victim, most := -1, 0
		var seen uint64
		for i := range s.ranges {
			b := s.ranges[i].bounds.Load()
			if n := int(b>>32) - int(uint32(b)); n > most {
				victim, most, seen = i, n, b
			}
		}
		if victim < 0 {
			return false
		}
		first, end := int(uint32(seen)), int(seen>>32)
		middle := end - (most+1)/2
		if s.ranges[victim].bounds.CompareAndSwap(seen, uint64(first)|uint64(middle)<<32) {
			s.set(part, middle, end)
			return true
		}
	}
}

// work does tasks until there are none. A worker that may invite others does so when
// it sees that there is enough to do.
func (s *Schedule) work(part int, alone bool) {
	var r Runner
	defer func() {
		if r != nil {
			r.Release()
		}
	}()
	grab := 1
	if pace := s.Pace.Load(); pace > 0 {
		grab = int(min(max(int64(grabTime)*1000/(pace*int64(s.unit)), 1), 1<<20))
	}
	for !s.Stop.Load() {
		least := grab
		if s.Width > 1 {
			least /= grabParts
		}
		lo, hi := s.take(part, grab, least)
		if lo == hi {
			if s.steal(part) {
				continue
			}
			return
		}
		if int64(lo)*int64(s.unit) >= s.Limit.Load() {
			continue
		}
		if r == nil {
			r = s.Begin(part)
		}
		start := time.Now()
		n := s.do(r, lo, hi)
		grab = s.next(grab, hi-lo, n, time.Since(start))
		alone = alone && !s.callTeam()
	}
}

// do does units lo to hi-1 and returns how many tasks those are.
func (s *Schedule) do(r Runner, lo, hi int) int {
	first, end := lo*s.unit, min(hi*s.unit, s.Tasks)
	r.Run(first, end)
	done := s.done.Add(int64(end - first))
	if s.Report != nil {
		s.Report(int(done))
	}
	return end - first
}

// next is how many units to take next, given how long some took.
func (s *Schedule) next(grab, units, tasks int, took time.Duration) int {
	pace := max(1, took.Nanoseconds()*1000/int64(tasks))
	s.Pace.Store(pace)
	want := int(min(max(int64(grabTime)*1000/(pace*int64(s.unit)), 1), 1<<20))
	return min(want, 4*max(grab, units))
}

// callTeam invites the team if what is left is worth it.
func (s *Schedule) callTeam() bool {
	b := s.ranges[0].bounds.Load()
	first, end := int(uint32(b)), int(b>>32)
	left := time.Duration(s.Pace.Load() * int64(end-first) * int64(s.unit) / 1000)
	if left < WakeWorth {
		return false
	}
	if lo, hi := s.take(0, end-first, end-first); lo < hi {
		s.share(lo, hi)
	}
	s.invite()
	return true
}
