package sanitizer

import tl "github.com/tiler-go/tiler/tilelang"

// A program may wait for another one: it loads an element, or updates it, until that is
// what it waits for. The checker sees it come to the same few places again and again, and
// lets others run.

// running is what is known of the running instance alone.
type running struct {
	instance uint32 // number of the running instance, from 1
	program  *tl.Program
	idle     bool       // it has let no lane through so far
	came     bool       // it has come to an access, whatever lanes that let through
	decided  tl.Sources // what went into its decisions
	stored   []stored   // its stores since the last barrier
	barriers int64
	recent   [4]visited // where it came last
	again    int        // how often it came to one of these since
}

// visited is an access at a place.
type visited struct {
	s   *site
	off int64
}

// patient is how often an instance comes to the same places before others have a turn.
const patient = 64

// turn lets other instances run if the running one seems to wait for them.
func (w *visitor) turn() {
	c := w.c
	if len(w.a.Offsets) == 0 {
		return
	}
	v := visited{w.s, w.a.Offsets[0]}
	for _, r := range c.recent {
		if r == v && w.a.Kind != tl.Stores {
			if c.again++; c.again >= patient && c.Wait != nil {
				c.again = 0
				c.Wait()
			}
			return
		}
	}
	c.moves++
	copy(c.recent[1:], c.recent[:])
	c.recent[0], c.again = v, 0
}

// Moves counts what instances do besides waiting.
func (c *Checker) Moves() int { return c.moves }

// A Paused is an instance that has been interrupted within an access.
type Paused struct {
	running
	segment uint32
}

// Before reports whether p began before q.
func (p Paused) Before(q Paused) bool { return p.instance < q.instance }

// Pause is the running instance, to be resumed later.
func (c *Checker) Pause() Paused { return Paused{c.running, c.past.Segment()} }

// Resume makes p the running instance.
func (c *Checker) Resume(p Paused) {
	c.running = p.running
	c.past.Resume(p.segment)
}
