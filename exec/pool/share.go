package pool

import (
	"sync"
	"time"
)

// stuck is how long no task may end before those that are begun are thought to wait for others.
var stuck = 500 * time.Millisecond

// mostRelief bounds the workers that are added.
const mostRelief = 256

// Share runs work on n goroutines, until all have returned. Tasks may wait for one another in a loop, as
// those of a kernel with locks do: while no task is done and some wait, workers are added. progress says
// how many tasks are done, and whether there are others that nobody has begun.
func Share(n int, work func(), progress func() (done int64, waiting bool)) {
	var wg sync.WaitGroup
	over, last := make(chan struct{}), sync.Once{}
	wg.Add(n)
	for range n {
		go func() {
			defer wg.Done()
			defer last.Do(func() { close(over) }) // there is nothing left to begin
			work()
		}()
	}
	if n > 0 {
		wg.Go(func() { relieve(&wg, over, work, progress) })
	}
	wg.Wait()
}

// relieve adds workers, until one has found nothing to do.
func relieve(wg *sync.WaitGroup, over chan struct{}, work func(), progress func() (int64, bool)) {
	t := time.NewTicker(stuck)
	defer t.Stop()
	before, _ := progress()
	for range mostRelief {
		select {
		case <-over:
			return
		case <-t.C:
		}
		if done, waiting := progress(); waiting && done == before {
			wg.Go(work)
		} else {
			before = done
		}
	}
}
