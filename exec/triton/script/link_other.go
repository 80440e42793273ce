//go:build !unix

package script

import (
	"errors"
	"io"
	"os"
	"runtime"
)

var errNoLink = errors.New("Python scripts cannot be served on " + runtime.GOOS + ": no memory that two processes share here")

func pair() (ours, theirs *os.File, err error) { return nil, nil, errNoLink }

type link struct{ io.ReadWriteCloser }

func newLink(*os.File) (*link, error) { return nil, errNoLink }

func (l *link) mapFile(int) ([]byte, error) { return nil, errNoLink }

func unmap([]byte) {}

func statusOf(s *os.ProcessState) int { return s.ExitCode() }
