package cut

import (
	"context"
	"fmt"
	"sync/atomic"
)

// A Loader reads the tensors of one piece after the other. What a piece needs the same of as the one before it, and no
// program stores to, is read once: the loader holds it until the next piece is read, or Release is called. A loader is of
// one goroutine; its tasks may be of others.
type Loader struct {
	p      *Program
	stores map[int]bool
	held   []*shared // by argument: what the last piece had
}

// Loader is a loader that has read nothing.
func (p *Program) Loader() *Loader { return &Loader{p: p, stores: p.Stores()} }

// Release gives back what the loader holds.
func (l *Loader) Release() {
	for _, x := range l.held {
		l.p.memory.drop(x)
	}
	l.held = nil
}

// shared is memory with a region in it, which several tasks have together.
type shared struct {
	region Region
	bytes  []byte
	takes  int          // bytes of memory
	users  atomic.Int32 // tasks, and the loader; none: it is gone
}

// drop says that one user of those that share memory needs it no longer.
func (m *memory) drop(x *shared) {
	if x != nil && x.users.Add(-1) == 0 {
		m.free(x.bytes, x.takes, x.region.Rows == 1)
	}
}

// Load reads the tensors of a piece.
func (l *Loader) Load(ctx context.Context, q Piece, s Store) (*Task, error) {
	t := &Task{l.p, q, make([]*shared, len(q.Need))}
	for i, x := range l.held {
		if x != nil && x.region == q.Need[i] {
			t.bufs[i] = x // which is the task's now
			l.held[i] = nil
		}
	}
	l.Release() // before anything is read, for which there may be no room otherwise
	for i, r := range q.Need {
		if l.p.Launch.Args[i].Tensor == nil || r.Empty() || t.bufs[i] != nil {
			continue
		}
		if err := t.read(ctx, i, s); err != nil {
			t.Free()
			return nil, err
		}
	}
	l.held = make([]*shared, len(t.bufs))
	for i, x := range t.bufs {
		if x != nil && !l.stores[i] {
			x.users.Add(1)
			l.held[i] = x
		}
	}
	return t, nil
}

// read reads what a task needs of an argument.
func (t *Task) read(ctx context.Context, arg int, s Store) error {
	r, size := t.piece.Need[arg], t.p.Launch.Args[arg].Tensor.Type().Size()
	takes := r.Bytes(size)
	bytes, err := t.p.memory.alloc(ctx, r.Span()*size, takes, r.Rows == 1)
	if err != nil {
		return fmt.Errorf("memory for %s of %s: %w", r, t.p.ArgName(arg), err)
	}
	t.bufs[arg] = &shared{region: r, bytes: bytes, takes: takes}
	t.bufs[arg].users.Store(1)
	return s.Read(ctx, arg, r, bytes)
}
