package overwrite

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func is(t *testing.T, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s holds %q, %v; want %q", path, got, err, want)
	}
}

func TestFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	for _, text := range []string{"one", "two"} {
		if err := Bytes(path, 0o644, []byte(text)); err != nil {
			t.Fatal(err)
		}
		is(t, path, text)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Bytes(path, 0o644, []byte("three")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file's rights are %v, %v", info.Mode(), err)
	}
}

// TestKeeps: what cannot be written is an error, and leaves the file and the folder as
// they were.
func TestKeeps(t *testing.T) {
	dir := t.TempDir()
	path, elsewhere := filepath.Join(dir, "a.txt"), filepath.Join(t.TempDir(), "b.txt")
	for _, p := range []string{path, elsewhere} {
		if err := os.WriteFile(p, []byte("old"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"link": elsewhere, "dangling": elsewhere + "x", "folder": filepath.Dir(elsewhere)} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	read := filepath.Join(dir, "readonly")
	if err := os.WriteFile(read, []byte("old"), 0o444); err != nil {
		t.Fatal(err)
	}
	full := func(w io.Writer) error {
		if _, err := w.Write(make([]byte, 1<<20)); err != nil {
			return err
		}
		return &os.PathError{Op: "write", Path: "temporary", Err: syscall.ENOSPC}
	}
	fine := func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }
	for _, x := range []struct {
		path, want string
		write      func(io.Writer) error
	}{
		{path, path + " is not written: no space left on device", full},
		{path, path + " is not written: no", func(io.Writer) error { return errors.New("no") }},
		{dir, dir + " is a folder", fine},
		{filepath.Join(dir, "link"), "is a symbolic link to " + elsewhere, fine},
		{filepath.Join(dir, "dangling"), "is a symbolic link to " + elsewhere, fine},
		{filepath.Join(dir, "folder"), "is a symbolic link to ", fine},
		{filepath.Join(dir, "folder", "none", "c"), "no such file", fine},
		{read, "permission denied", fine},
	} {
		if err := File(x.path, 0o644, x.write); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: got %v, want %s", x.path, err, x.want)
		}
	}
	is(t, path, "old")
	is(t, elsewhere, "old")
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != 5 {
		t.Errorf("the folder holds %v, %v", list, err)
	}
	if list, err := os.ReadDir(filepath.Dir(elsewhere)); err != nil || len(list) != 1 {
		t.Errorf("the other folder holds %v, %v", list, err)
	}
}

// TestDevice: what is no file is written to.
func TestDevice(t *testing.T) {
	if _, err := os.Stat(os.DevNull); err != nil {
		t.Skip(err)
	}
	if err := Bytes(os.DevNull, 0o644, []byte("x")); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s is %v, %v", os.DevNull, info, err)
	}
}
