//go:build unix

package cut

import "golang.org/x/sys/unix"

// alloc is zeros, of which pages that nothing is written to take no memory: so columns of a matrix can lie as far apart
// as in the whole of it.
func (m *memory) alloc(n int) ([]byte, error) {
	b, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	m.maps = append(m.maps, b)
	return b, nil
}

// free gives memory back: nothing may use it any more.
func (m *memory) free() {
	for _, b := range m.maps {
		_ = unix.Munmap(b) // of a mapping that there is
	}
	m.maps = nil
}
