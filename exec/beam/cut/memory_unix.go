//go:build unix

package cut

import "golang.org/x/sys/unix"

func newPages(n int) ([]byte, error) {
	return unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
}

func dropPages(b []byte) {
	_ = unix.Munmap(b) // of a mapping that there is
}
