//go:build linux || darwin || freebsd

package codemem

import "golang.org/x/sys/unix"

const (
	memSupported = true
	protRX       = unix.PROT_READ | unix.PROT_EXEC
	protNone     = unix.PROT_NONE
)

// mapPages maps n bytes, a multiple of the page size, readable and writable.
func mapPages(n int) ([]byte, error) {
	return unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
}

func protect(mem []byte, prot int) error { return unix.Mprotect(mem, prot) }

func unmapPages(mem []byte) error { return unix.Munmap(mem) }
