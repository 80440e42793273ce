package launch

import (
	"slices"
	"time"

	"github.com/tiler-go/tiler/exec/check/sanitizer"
)

// Programs run one at a time. One that waits for another gives up its turn: first to
// those that have not begun, then to those that wait, too.

// fewTurns is how often each program that waits has a turn before one is blamed.
const fewTurns = 100

// parked is a program that waits for its turn.
type parked struct {
	state  sanitizer.Paused
	resume chan struct{}
}

// wait gives up the running program's turn.
func (w *watched) wait() {
	p := &parked{w.c.Pause(), make(chan struct{})}
	w.began.Store(0)
	w.turns <- p
	<-p.resume
	w.c.Resume(p.state)
	w.began.Store(time.Now().UnixNano())
}

// takeTurns runs programs until all have ended, or it is over, or those that are left
// wait for each other.
func (w *watched) takeTurns(o order, budget time.Duration, over func() bool) {
	w.turns = make(chan *parked)
	moves, moved, since := 0, time.Now(), 0
	for {
		switch {
		case w.next < o.count && !over():
			go w.some(o, over)
		case len(w.waiting) == 0:
			return
		default:
			since++
			if w.c.Moves() == moves && w.idle(since, time.Since(moved), budget, over()) {
				w.stalled.Store(true)
				w.blameFirst()
			}
			if w.stalled.Load() || over() {
				w.cancelled.Store(true)
			}
			w.continues()
		}
		if p := <-w.turns; p != nil {
			w.waiting = append(w.waiting, p)
		} else if len(w.waiting) > 0 { // something has ended that others may wait for
			w.continues()
			if p := <-w.turns; p != nil {
				w.waiting = append(w.waiting, p)
			}
		}
		if n := w.c.Moves(); n != moves {
			moves, moved, since = n, time.Now(), 0
		}
	}
}

// blameFirst has the program that began first be the one that does not end.
func (w *watched) blameFirst() {
	slices.SortFunc(w.waiting, func(a, b *parked) int {
		if a.state.Before(b.state) {
			return -1
		}
		return 1
	})
}

// continues gives a turn to the program that has waited longest.
func (w *watched) continues() {
	p := w.waiting[0]
	w.waiting = w.waiting[1:]
	close(p.resume)
}

// some runs programs as long as none waits.
func (w *watched) some(o order, over func() bool) {
	defer func() { w.turns <- nil }()
	w.k.Host.Enter()
	for w.next < o.count && !over() {
		i := o.at(w.next)
		w.next++
		w.program(i)
		if len(w.waiting) > 0 {
			return
		}
	}
}

// idle reports whether those that wait have had turns enough, and time enough, to go on: until they have, a slow
// machine must not make a loop that ends one that does not. When it is over, fewer must do.
func (w *watched) idle(turns int, took, budget time.Duration, over bool) bool {
	enough := fewTurns
	if over {
		enough = fewTurns / 10
	}
	return turns > enough*(len(w.waiting)+1) && took > min(patience, budget/2)
}
