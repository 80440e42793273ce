package tensor

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// TestFortran: an array in Fortran order is a view, and written as it was.
func TestFortran(t *testing.T) {
	const path = "npy/testdata/rank3_fortran.npy"
	x, err := LoadNpy(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := Arange(dtype.Int32, 0, 24).Reshape(2, 3, 4); !Equal(x, want) || fmt.Sprint(x.Strides()) != "[1 2 6]" {
		t.Errorf("got %v, strides %v", x, x.Strides())
	}
	file, _ := os.ReadFile(path)
	var out bytes.Buffer
	if err := WriteNpy(&out, x); err != nil || !bytes.Equal(out.Bytes(), file) {
		t.Errorf("written as\n%q\nwant\n%q (%v)", out.Bytes(), file, err)
	}
}

func TestNpzAsNumPy(t *testing.T) {
	want := map[string]*Tensor{"a": Arange(dtype.Float32, 0, 6).Reshape(2, 3), "b": From([]bool{true, false})}
	dir := t.TempDir()
	if err := SaveNpz(filepath.Join(dir, "stored.npz"), want); err != nil {
		t.Fatal(err)
	}
	if err := SaveNpzCompressed(filepath.Join(dir, "small.npz"), want); err != nil {
		t.Fatal(err)
	}
	const numpys = "npy/testdata/"
	for _, path := range []string{numpys + "arrays.npz", numpys + "deflated.npz", dir + "/stored.npz", dir + "/small.npz"} {
		got, err := LoadNpz(path)
		if err != nil || len(got) != 2 || !Equal(got["a"], want["a"]) || !Equal(got["b"], want["b"]) {
			t.Errorf("%s: %v, %v", path, got, err)
		}
	}
	var one, two bytes.Buffer
	for _, w := range []*bytes.Buffer{&one, &two} {
		if err := WriteNpz(w, want, true); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(one.Bytes(), two.Bytes()) {
		t.Error("the same arrays give different files")
	}
}

func TestNpyAs(t *testing.T) {
	dir := t.TempDir()
	for _, d := range dtype.All() {
		x := Generate(3, d, 3, 5)
		path := filepath.Join(dir, d.String()+".npy")
		if err := SaveNpy(path, x.T()); err != nil {
			t.Fatal(err)
		}
		y, err := LoadNpyAs(path, d)
		if err != nil || !Equal(x.T(), y) {
			t.Errorf("%s: got %v, %v, want %v", d, y, err, x.T())
		}
		if _, err := LoadNpyAs(path, dtype.PointerTo(d)); err == nil {
			t.Errorf("%s loads as a pointer", d)
		}
	}
	if _, err := LoadNpyAs(filepath.Join(dir, "float16.npy"), dtype.Float32); err == nil || !strings.Contains(err.Error(), "elements of float16 are not bits of float32") {
		t.Errorf("got %v", err)
	}
	if _, err := ReadNpyAs(bytes.NewReader(nil), dtype.Float32); err == nil {
		t.Error("nothing reads as an array")
	}
	var b bytes.Buffer
	if err := WriteNpy(&b, Arange(dtype.Int32, 0, 20).SliceStep(0, 1, 20, 6)); err != nil {
		t.Fatal(err)
	}
	if x, err := ReadNpy(&b); err != nil || fmt.Sprint(x.Ints()) != "[1 7 13 19]" {
		t.Errorf("a view with gaps comes back as %v, %v", x, err)
	}
}

type failingWriter struct{ left int }

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, fmt.Errorf("full")
	}
	return len(p), nil
}

// TestSaveKeeps: what cannot be saved leaves the old file, and writes through no link.
func TestSaveKeeps(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "x.npy"), filepath.Join(dir, "link.npy")
	x := Arange(dtype.Int32, 0, 4)
	if err := SaveNpy(path, x); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := SaveNpy(link, Zeros(dtype.Int32, 4)); err == nil || !strings.Contains(err.Error(), "is a symbolic link to "+path) {
		t.Errorf("through a link: %v", err)
	}
	if err := SaveNpz(dir, nil); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("to a folder: %v", err)
	}
	if y, err := LoadNpy(path); err != nil || y.String() != x.String() {
		t.Errorf("the file holds %v, %v", y, err)
	}
}

func TestWriteErrors(t *testing.T) {
	x := Zeros(dtype.Float64, 100)
	for _, room := range []int{0, 200} {
		if err := WriteNpy(&failingWriter{room}, x); err == nil {
			t.Errorf("no error with room for %d bytes", room)
		}
		if err := WriteNpz(&failingWriter{room}, map[string]*Tensor{"x": x}, false); err == nil {
			t.Errorf("npz: no error with room for %d bytes", room)
		}
	}
	if _, err := LoadNpy(filepath.Join(t.TempDir(), "none.npy")); err == nil {
		t.Error("a file that is not there loads")
	}
	if _, err := LoadNpz(filepath.Join(t.TempDir(), "none.npz")); err == nil {
		t.Error("an archive that is not there loads")
	}
	if err := SaveNpy(filepath.Join(t.TempDir(), "none", "x.npy"), x); err == nil {
		t.Error("saved into a folder that is not there")
	}
}

// TestOpen: an array of a file in one call.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one.npz"), filepath.Join(dir, "two.npz")
	npy := filepath.Join(dir, "x.npy")
	x, y := Arange(dtype.Int32, 0, 4), Ones(dtype.Float32, 2)
	for _, err := range []error{SaveNpy(npy, x), SaveNpz(one, map[string]*Tensor{"w": y}), SaveNpz(two, map[string]*Tensor{"a": x, "b": y})} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if !Equal(Open(npy), x) || !Equal(Open(one), y) || !Equal(Open(one, "w"), y) || !Equal(Open(two, "a"), x) {
		t.Error("what is read is not what was written")
	}
	runFails(t, []failCase{
		{"tensor.Open: open " + npy + "x: no such file or directory", func() { Open(npy + "x") }},
		{"tensor.Open: " + npy + " holds one array, which has no name", func() { Open(npy, "a") }},
		{"tensor.Open: " + two + " holds 2 arrays: say which, one of a, b", func() { Open(two) }},
		{"tensor.Open: " + two + " holds no c; it holds a, b", func() { Open(two, "c") }},
		{"tensor.Open: got 2 names, want at most one", func() { Open(two, "a", "b") }},
	})
}
