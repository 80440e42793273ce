package cut

import (
	"context"
	"fmt"
	"sync/atomic"
)

// A Loader reads the tensors of one piece after the other. What two pieces in a row need the same of, and no program
// stores to, is read once. A loader is of one goroutine; its tasks may be of others.
type Loader struct {
	p      *Program
	stores map[int]bool
	last   []*shared // by argument: what the last piece has read
}

// Loader is a loader that has read nothing.
func (p *Program) Loader() *Loader {
	return &Loader{p, p.Stores(), make([]*shared, len(p.Launch.Args))}
}

// shared is memory with a region in it, which tasks and a loader have together.
type shared struct {
	region Region
	bytes  []byte
	by     atomic.Int32 // how many have it
}

func (x *shared) share() *shared {
	x.by.Add(1)
	return x
}

// drop says that one of those who share memory needs it no longer.
func (m *memory) drop(x *shared) {
	if x != nil && x.by.Add(-1) == 0 {
		m.free(x.bytes, x.region.Rows == 1)
	}
}

// Load reads the tensors of a piece.
func (l *Loader) Load(ctx context.Context, q Piece, s Store) (*Task, error) {
	t := &Task{l.p, q, make([]*shared, len(q.Need))}
	for i, r := range q.Need {
		if l.p.Launch.Args[i].Tensor == nil || r.Empty() {
			continue
		}
		if err := l.load(ctx, t, i, s); err != nil {
			t.Free()
			return nil, err
		}
	}
	return t, nil
}

// load reads what a task needs of an argument, unless the last one had it.
func (l *Loader) load(ctx context.Context, t *Task, arg int, s Store) error {
	r := t.piece.Need[arg]
	if x := l.last[arg]; x != nil && x.region == r {
		t.bufs[arg] = x.share()
		return nil
	}
	l.forget(arg)
	bytes, err := l.p.memory.alloc(r.Span()*l.p.Launch.Args[arg].Tensor.Type().Size(), r.Rows == 1)
	if err != nil {
		return fmt.Errorf("memory for %s of %s: %w", r, l.p.ArgName(arg), err)
	}
	x := &shared{region: r, bytes: bytes}
	t.bufs[arg] = x.share()
	if err := s.Read(ctx, arg, r, bytes); err != nil {
		return err
	}
	if !l.stores[arg] {
		l.last[arg] = x.share()
	}
	return nil
}

func (l *Loader) forget(arg int) {
	l.p.memory.drop(l.last[arg])
	l.last[arg] = nil
}

// Close gives back what is held for the next piece.
func (l *Loader) Close() {
	for i := range l.last {
		l.forget(i)
	}
}
