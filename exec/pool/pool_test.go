package pool

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A counting runner notes each task that it does.
type counting struct {
	seen     []atomic.Int32
	released atomic.Int32
	begun    atomic.Int32
	each     func(task int)
}

func (c *counting) Run(lo, hi int) {
	for i := lo; i < hi; i++ {
		c.seen[i].Add(1)
		if c.each != nil {
			c.each(i)
		}
	}
}

func (c *counting) Release() { c.released.Add(1) }

func (c *counting) begin(int) Runner {
	c.begun.Add(1)
	return c
}

func (c *counting) schedule(width int) *Schedule {
	s := &Schedule{Tasks: len(c.seen), Width: width, Begin: c.begin, Stop: new(atomic.Bool), Limit: new(atomic.Int64), Pace: new(atomic.Int64)}
	s.Limit.Store(math.MaxInt64)
	return s
}

// Every task is done once, whatever the number of workers and what is known of its
// pace, and every runner is released.
func TestScheduleDoesEverythingOnce(t *testing.T) {
	for _, tasks := range []int{0, 1, 2, 7, 64, 1000, 100_000} {
		for _, width := range []int{1, 2, 3, 16, 500} {
			for _, pace := range []int64{0, 1, 1_000_000, 1 << 40} {
				t.Run(fmt.Sprintf("%d on %d at %d", tasks, width, pace), func(t *testing.T) {
					c := &counting{seen: make([]atomic.Int32, tasks)}
					s := c.schedule(width)
					s.Pace.Store(pace)
					s.Run()
					for i := range c.seen {
						if n := c.seen[i].Load(); n != 1 {
							t.Fatalf("task %d was done %d times", i, n)
						}
					}
					if s.Done() != tasks || c.begun.Load() != c.released.Load() {
						t.Errorf("done %d, %d runners begun, %d released", s.Done(), c.begun.Load(), c.released.Load())
					}
				})
			}
		}
	}
}

// A schedule runs again, with other tasks and workers, as if it were new.
func TestScheduleRunsAgain(t *testing.T) {
	s := (&counting{}).schedule(1)
	for i := range 200 {
		c := &counting{seen: make([]atomic.Int32, i*37%500)}
		s.Tasks, s.Width, s.Begin = len(c.seen), 1+i*7%9, c.begin
		s.Pace.Store([]int64{0, 1, 1_000_000, 1 << 40}[i%4])
		s.Run()
		for task := range c.seen {
			if n := c.seen[task].Load(); n != 1 {
				t.Fatalf("run %d: task %d was done %d times", i, task, n)
			}
		}
		if s.Done() != len(c.seen) || c.begun.Load() != c.released.Load() {
			t.Fatalf("run %d: done %d of %d, %d runners begun, %d released", i, s.Done(), len(c.seen), c.begun.Load(), c.released.Load())
		}
	}
}

// Tasks of very different length: those who are done take from those who are not.
func TestScheduleSteals(t *testing.T) {
	first := make(chan int, 1)
	release := make(chan bool)
	c := &counting{seen: make([]atomic.Int32, 64)}
	c.each = func(i int) {
		if i == 0 { // its worker is held until all others are done
			first <- i
			<-release
		}
	}
	s := c.schedule(2)
	s.Pace.Store(100_000_000) // 100 µs, so that helpers are asked and portions are single tasks
	done := make(chan bool)
	go func() { s.Run(); close(done) }()
	<-first
	for s.Done() < 63 {
		runtime.Gosched()
	}
	close(release)
	<-done
}

// A schedule that is stopped begins no other portion.
func TestScheduleStops(t *testing.T) {
	c := &counting{seen: make([]atomic.Int32, 1000)}
	s := c.schedule(4)
	s.Pace.Store(1_000_000_000)
	c.each = func(i int) { s.Stop.Store(true) }
	s.Run()
	if n := s.Done(); n == 0 || n > 4 {
		t.Errorf("%d tasks done, want those that were begun", n)
	}
}

// Schedules of many goroutines, and schedules within tasks of others, share the
// helpers and never wait for one that waits for them.
func TestSchedulesNest(t *testing.T) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			outer := &counting{seen: make([]atomic.Int32, 40)}
			outer.each = func(int) {
				inner := &counting{seen: make([]atomic.Int32, 40)}
				s := inner.schedule(4)
				s.Pace.Store(1_000_000_000)
				s.Run()
				if s.Done() != 40 {
					t.Error("inner tasks left out")
				}
			}
			s := outer.schedule(4)
			s.Pace.Store(1_000_000_000)
			s.Run()
			if s.Done() != 40 {
				t.Error("outer tasks left out")
			}
		})
	}
	wg.Wait()
}

// Helpers that found nothing to do for a while are parked, and wake for more.
func TestHelpersPark(t *testing.T) {
	for range 5 {
		c := &counting{seen: make([]atomic.Int32, 100)}
		s := c.schedule(4)
		s.Pace.Store(1_000_000_000)
		s.Run()
		time.Sleep(3 * spinTime)
		if s.Done() != 100 {
			t.Fatal("tasks left out")
		}
	}
}

// idleness is nothing to help with.
type idleness struct{ latch }

func (*idleness) help(int) {}
func (l *idleness) left()  { l.Done() }

// An invitation that comes while a helper goes to sleep is not lost, and the helper does not
// wake a second time for it.
func TestInvitationsWhileParking(t *testing.T) {
	var p pool
	for i := range 300 {
		var done idleness
		done.Add(1)
		h := p.invite(&invitation{to: &done}, 1)
		if h == nil {
			t.Fatal("the helper is busy with nothing")
		}
		done.Wait()
		time.Sleep(spinTime * time.Duration(i%20) / 10)
	}
	h := p.helpers[0]
	for !h.parked.Load() {
		time.Sleep(spinTime)
	}
	if n := len(h.wake); n != 0 {
		t.Errorf("a helper that is parked will be woken %d times for nothing", n)
	}
}
