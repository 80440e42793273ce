package host

import (
	"sync"

	"github.com/tiler-go/tiler/repl/cell/builtin"
)

// A defers is the deferred calls that are being run, by goroutine.
type defers struct {
	mu      sync.Mutex
	running map[*int]*Deferred
}

// Deferred is the deferred calls of one call of a function.
type Deferred struct {
	of        *defers
	line      *int
	entry     int
	calls     []func()
	panicking bool
	value     any
	outer     *Deferred
}

// NewDefers begins a function that defers.
func (ds *defers) NewDefers(line *int) *Deferred {
	return &Deferred{of: ds, line: line, entry: *line}
}

// Push defers a call.
func (d *Deferred) Push(f func()) { d.calls = append(d.calls, f) }

// Run runs the function's body, and then what it deferred. Panics are as in Go: a
// deferred function may recover, and may panic itself.
func (d *Deferred) Run(body func()) {
	d.try(body)
	for len(d.calls) > 0 {
		f := d.calls[len(d.calls)-1]
		d.calls = d.calls[:len(d.calls)-1]
		d.of.enter(d)
		d.try(f)
		d.of.leave(d)
	}
	if d.panicking {
		panic(d.value)
	}
	*d.line = d.entry
}

// try runs f; a panic is noted.
func (d *Deferred) try(f func()) {
	defer func() {
		if v := recover(); v != nil {
			d.panicking, d.value = true, v
		}
	}()
	f()
}

func (ds *defers) enter(d *Deferred) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	d.outer = ds.running[d.line]
	ds.running[d.line] = d
}

func (ds *defers) leave(d *Deferred) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if d.outer == nil {
		delete(ds.running, d.line)
	} else {
		ds.running[d.line] = d.outer
	}
}

// Recover is the program's recover: the goroutine is known by where its lines go.
func (ds *defers) Recover(line *int) any {
	ds.mu.Lock()
	d := ds.running[line]
	ds.mu.Unlock()
	if d == nil || !d.panicking {
		return nil
	}
	d.panicking = false
	return builtin.PanicValue(d.value)
}
