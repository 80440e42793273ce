//go:build linux || darwin

package nb

import (
	"os"

	"golang.org/x/sys/unix"
)

// unread is how many bytes of what was written to a pipe its reader has not read; 0 for
// what is no pipe.
func unread(f *os.File) int {
	n, err := unix.IoctlGetInt(int(f.Fd()), fionread)
	if err != nil {
		return 0
	}
	return n
}
