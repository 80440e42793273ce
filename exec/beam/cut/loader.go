package cut

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
)

// A Loader reads the tensors of one piece after the other. What a piece needs the same of as the one before it, and no
// program stores to, is read once if that one is still being worked on: so that a loader holds no memory of its own. A
// loader is of one goroutine; its tasks may be of others.
type Loader struct {
	p      *Program
	stores map[int]bool
	last   []*shared // by argument: what the last piece had, which may be gone
}

// Loader is a loader that has read nothing.
func (p *Program) Loader() *Loader { return &Loader{p: p, stores: p.Stores()} }

// shared is memory with a region in it, which several tasks have together.
type shared struct {
	region Region
	bytes  []byte
	tasks  atomic.Int32 // how many have it; none: it is gone
}

// share has one more task use the memory, unless it is gone.
func (x *shared) share() bool {
	for {
		n := x.tasks.Load()
		if n == 0 || x.tasks.CompareAndSwap(n, n+1) {
			return n != 0
		}
	}
}

// drop says that one task of those that share memory needs it no longer.
func (m *memory) drop(x *shared) {
	if x != nil && x.tasks.Add(-1) == 0 {
		m.free(x.bytes, x.region.Rows == 1)
	}
}

// Load reads the tensors of a piece.
func (l *Loader) Load(ctx context.Context, q Piece, s Store) (*Task, error) {
	t := &Task{l.p, q, make([]*shared, len(q.Need))}
	for i, x := range l.last { // before anything is read, while the last piece is there
		if x != nil && !l.stores[i] && x.region == q.Need[i] && x.share() {
			t.bufs[i] = x
		}
	}
	for i, r := range q.Need {
		if l.p.Launch.Args[i].Tensor == nil || r.Empty() || t.bufs[i] != nil {
			continue
		}
		if err := t.read(ctx, i, s); err != nil {
			t.Free()
			return nil, err
		}
	}
	l.last = slices.Clone(t.bufs)
	return t, nil
}

// read reads what a task needs of an argument.
func (t *Task) read(ctx context.Context, arg int, s Store) error {
	r := t.piece.Need[arg]
	bytes, err := t.p.memory.alloc(r.Span()*t.p.Launch.Args[arg].Tensor.Type().Size(), r.Rows == 1)
	if err != nil {
		return fmt.Errorf("memory for %s of %s: %w", r, t.p.ArgName(arg), err)
	}
	t.bufs[arg] = &shared{region: r, bytes: bytes}
	t.bufs[arg].tasks.Store(1)
	return s.Read(ctx, arg, r, bytes)
}
