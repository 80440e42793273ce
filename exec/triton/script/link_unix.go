//go:build unix

package script

import (
	"fmt"
	"net"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// pair is the two ends of a connection; a child may have one of them.
func pair() (ours, theirs *os.File, err error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return nil, nil, err
	}
	for _, fd := range fds {
		syscall.CloseOnExec(fd)
	}
	return os.NewFile(uintptr(fds[0]), "tiler"), os.NewFile(uintptr(fds[1]), "python"), nil
}

// A link is a connection over which files come, too.
type link struct {
	*net.UnixConn
	files []int // that came and nobody has taken
	oob   [256]byte
}

func newLink(f *os.File) (*link, error) {
	defer f.Close()
	c, err := net.FileConn(f)
	if err != nil {
		return nil, err
	}
	u, ok := c.(*net.UnixConn)
	if !ok {
		c.Close()
		return nil, fmt.Errorf("%s is no socket of this machine", f.Name())
	}
	return &link{UnixConn: u}, nil
}

// Read implements io.Reader, and keeps the files that come with what is read.
func (l *link) Read(b []byte) (int, error) {
	n, oobn, _, _, err := l.ReadMsgUnix(b, l.oob[:])
	if oobn > 0 {
		messages, err := syscall.ParseSocketControlMessage(l.oob[:oobn])
		if err != nil {
			return n, err
		}
		for _, m := range messages {
			fds, err := syscall.ParseUnixRights(&m)
			if err != nil {
				return n, err
			}
			l.files = append(l.files, fds...)
		}
	}
	if n <= 0 && err == nil {
		err = net.ErrClosed
	}
	return max(n, 0), err
}

// mapFile maps n bytes of the file that came first, and closes it.
func (l *link) mapFile(n int) ([]byte, error) {
	if len(l.files) == 0 {
		return nil, fmt.Errorf("a region came without its file")
	}
	fd := l.files[0]
	l.files = l.files[1:]
	defer unix.Close(fd)
	return unix.Mmap(fd, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
}

func unmap(b []byte) { _ = unix.Munmap(b) } // an address that Mmap gave

// statusOf is a process's exit status as shells give it.
func statusOf(s *os.ProcessState) int {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return s.ExitCode()
}
