// Package overwrite writes files so that a failure loses nothing: the new text goes into a
// temporary file beside the old one and takes its place when all of it is there. It
// writes through no symbolic link, so that a link which somebody else left does not lead
// it elsewhere.
package overwrite

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// File puts what write writes into a file. After an error the file is what it was. What is
// no file of its own, such as a terminal or a pipe, is written to as it is.
func File(path string, perm fs.FileMode, write func(w io.Writer) error) error {
	info, err := os.Lstat(path)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case err != nil:
	case info.IsDir():
		return fmt.Errorf("%s is a folder", path)
	case info.Mode()&fs.ModeSymlink != 0 && !system(path):
		to, err := os.Readlink(path)
		if err != nil {
			return err
		}
		return fmt.Errorf("%s is a symbolic link to %s, and links are not written through\n\tfix: give the file itself, or remove the link", path, to)
	case !info.Mode().IsRegular():
		return direct(path, write)
	default:
		if perm = info.Mode().Perm(); perm&0o200 == 0 {
			return &fs.PathError{Op: "write", Path: path, Err: fs.ErrPermission}
		}
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	err = fill(f, perm, write)
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("%s is not written: %w", path, cause(err))
	}
	return nil
}

// Bytes puts a text into a file, as File does.
func Bytes(path string, perm fs.FileMode, text []byte) error {
	return File(path, perm, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// fill writes a temporary file.
func fill(f *os.File, perm fs.FileMode, write func(w io.Writer) error) error {
	w := bufio.NewWriterSize(f, 1<<16)
	err := write(w)
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.Chmod(perm)
	}
	return errors.Join(err, f.Close())
}

// cause is an error without the name of the temporary file.
func cause(err error) error {
	if list, ok := err.(interface{ Unwrap() []error }); ok {
		err = list.Unwrap()[0]
	}
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	return err
}

// system reports whether a path is one of the system's links, such as /dev/stdout.
func system(path string) bool {
	abs, err := filepath.Abs(path)
	return err == nil && (strings.HasPrefix(abs, "/dev/") || strings.HasPrefix(abs, "/proc/"))
}

// direct writes to what is there.
func direct(path string, write func(w io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<16)
	err = write(w)
	if err == nil {
		err = w.Flush()
	}
	return errors.Join(err, f.Close())
}
