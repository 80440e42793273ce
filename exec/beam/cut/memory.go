package cut

import (
	"context"
	"slices"
	"sync"
)

// memory is what the tensors of pieces are in. Memory of contiguous rows is used again for the next piece, since a page
// that is touched for the first time costs as much as what it is read or computed for.
type memory struct {
	mu    sync.Mutex
	limit int           // bytes that tasks may have together; 0: as many as they want
	used  int           // bytes that they have
	freed chan struct{} // closed when they have fewer; nil if nobody waits for that
	kept  [][]byte
}

// mostKept is how many pieces of memory are kept: those of the pieces that are being worked on.
const mostKept = 12

// Limit has loaders wait, before they read what does not fit into so many bytes with the tasks that there are, until
// some of these are freed. A task that is alone never waits.
func (p *Program) Limit(bytes int) { p.memory.limit = bytes }

// alloc is n bytes, which take so many bytes of memory when they are filled. Such as are not kept are zeros, whose pages
// take none until they are written to, so that columns of a matrix can lie as far apart as in the whole of it.
func (m *memory) alloc(ctx context.Context, n, takes int, keep bool) ([]byte, error) {
	if err := m.reserve(ctx, takes); err != nil {
		return nil, err
	}
	if keep {
		if b := m.take(n); b != nil {
			return b, nil
		}
	}
	m.trim()
	b, err := newPages(n)
	if err != nil {
		m.release(takes)
	}
	return b, err
}

// reserve waits until there is room.
func (m *memory) reserve(ctx context.Context, n int) error {
	for {
		m.mu.Lock()
		if m.limit == 0 || m.used == 0 || m.used+n <= m.limit {
			m.used += n
			m.mu.Unlock()
			return nil
		}
		if m.freed == nil {
			m.freed = make(chan struct{})
		}
		freed := m.freed
		m.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (m *memory) release(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used -= n
	if m.freed != nil {
		close(m.freed)
		m.freed = nil
	}
}

// take is memory of a size that was kept.
func (m *memory) take(n int) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, b := range m.kept {
		if len(b) == n {
			m.kept = slices.Delete(m.kept, i, i+1)
			return b
		}
	}
	return nil
}

// trim gives back what is kept for nobody, where that is too much with what tasks have.
func (m *memory) trim() {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := m.used
	for _, b := range m.kept {
		all += len(b)
	}
	for len(m.kept) > 0 && (len(m.kept) > mostKept || m.limit > 0 && all > m.limit) {
		all -= len(m.kept[0])
		dropPages(m.kept[0])
		m.kept = m.kept[1:]
	}
}

// free gives memory back: nothing may use it any more.
func (m *memory) free(b []byte, takes int, keep bool) {
	if keep {
		m.mu.Lock()
		m.kept = append(m.kept, b)
		m.mu.Unlock()
	} else {
		dropPages(b)
	}
	m.release(takes)
	m.trim()
}

// empty gives back what is kept.
func (m *memory) empty() {
	for _, b := range m.kept {
		dropPages(b)
	}
	m.kept = nil
}
