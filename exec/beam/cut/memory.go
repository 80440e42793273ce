package cut

import "sync"

// memory is what the tensors of pieces are in. Memory of contiguous rows is used again for the next piece, since a page
// that is touched for the first time costs as much as what it is read or computed for.
type memory struct {
	mu   sync.Mutex
	kept [][]byte
}

// mostKept is how many pieces of memory are kept: those of the pieces that are being worked on.
const mostKept = 12

// alloc is n bytes of zeros. Pages of such as are not kept take no memory until they are written to, so that columns of
// a matrix can lie as far apart as in the whole of it.
func (m *memory) alloc(n int, keep bool) ([]byte, error) {
	if keep {
		if b := m.take(n); b != nil {
			clear(b)
			return b, nil
		}
	}
	return newPages(n)
}

// take is memory of a size that was kept.
func (m *memory) take(n int) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, b := range m.kept {
		if len(b) == n {
			m.kept = append(m.kept[:i], m.kept[i+1:]...)
			return b
		}
	}
	return nil
}

// free gives memory back: nothing may use it any more.
func (m *memory) free(b []byte, keep bool) {
	if keep {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.kept = append(m.kept, b)
		if len(m.kept) <= mostKept {
			return
		}
		b, m.kept = m.kept[0], m.kept[1:]
	}
	dropPages(b)
}
