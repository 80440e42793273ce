package tensor

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// TestNpyAsNumPy reads and writes files that NumPy wrote.
func TestNpyAsNumPy(t *testing.T) {
	index, err := os.ReadFile("testdata/npy/index.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(index), "\n"), "\n")
	if len(lines) < 80 {
		t.Fatalf("%d lines", len(lines))
	}
	for i := 0; i < len(lines); i += 2 {
		f := strings.Fields(lines[i])
		d, err := dtype.Parse(f[1])
		if err != nil {
			t.Fatal(err)
		}
		want := tensorOf(t, d, parseShape(t, f[2]), lines[i+1])
		path := "testdata/npy/" + f[0] + ".npy"
		x, err := LoadNpy(path)
		if err != nil {
			t.Error(err)
			continue
		}
		if !Equal(x, want) {
			t.Errorf("%s: got %v, want %v", path, x, want)
		}
		if f[3] != "same" {
			continue
		}
		file, _ := os.ReadFile(path)
		var out bytes.Buffer
		if err := WriteNpy(&out, x); err != nil || !bytes.Equal(out.Bytes(), file) {
			t.Errorf("%s: written as\n%q\nwant\n%q (%v)", path, out.Bytes(), file, err)
		}
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
	for _, path := range []string{"testdata/npy/arrays.npz", "testdata/npy/deflated.npz", filepath.Join(dir, "stored.npz"), filepath.Join(dir, "small.npz")} {
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

func TestNpzErrors(t *testing.T) {
	var good bytes.Buffer
	if err := WriteNpz(&good, map[string]*Tensor{"a": Arange(dtype.Int8, 0, 100)}, false); err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(good.Bytes())
	flipped[200] ^= 1 // within the elements: the sum is wrong
	longer := bytes.Replace(good.Bytes(), []byte("(100,)"), []byte("(99,) "), 1)
	notArray := bytes.Replace(good.Bytes(), []byte("NUMPY"), []byte("NUMPI"), 1)
	for name, file := range map[string][]byte{"truncated": good.Bytes()[:150], "empty": nil, "sum": flipped, "longer": longer, "magic": notArray} {
		if x, err := ReadNpz(bytes.NewReader(file), int64(len(file))); err == nil {
			t.Errorf("%s: read as %v", name, x)
		} else if !strings.Contains(err.Error(), "npz: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := LoadNpz(filepath.Join(t.TempDir(), "none.npz")); err == nil {
		t.Error("a file that is not there loads")
	}
}

// npyFile is a file with the given header text.
func npyFile(version byte, header string, data ...byte) []byte {
	b := append([]byte("\x93NUMPY"), version, 0)
	if version == 1 {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(header)))
	} else {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(header)))
	}
	return append(append(b, header...), data...)
}

var hostileNpy = []struct{ header, want string }{
	{``, `no "{"`},
	{`{`, `no string`},
	{`{}`, `it needs the keys`},
	{`[]`, `no "{"`},
	{`{'descr': '<f4', 'fortran_order': False}`, `it needs the keys`},
	{`{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'descr': '<f4'}`, `twice`},
	{`{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'more': 1}`, `unknown key "more"`},
	{`{'descr': '<f4', 'fortran_order': False, 'shape': (3,)} import os`, `text after the end`},
	{`{'descr': '<f4', 'fortran_order': False 'shape': (3,)}`, `no comma`},
	{`{'descr': '<f4', 'fortran_order': 0, 'shape': (3,)}`, `no "False"`},
	{`{'descr': '<c8', 'fortran_order': False, 'shape': (3,)}`, `dtype "<c8" is not supported`},
	{`{'descr': '|O', 'fortran_order': False, 'shape': (3,)}`, `dtype "|O" is not supported`},
	{`{'descr': '', 'fortran_order': False, 'shape': (3,)}`, `dtype "" is not supported`},
	{`{'descr': '<<f4', 'fortran_order': False, 'shape': (3,)}`, `is not supported`},
	{`{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,)}`, `structured dtypes`},
	{`{'descr': '<f\x34', 'fortran_order': False, 'shape': (3,)}`, `no plain string`},
	{`{'descr': __import__('os').system('id'), 'fortran_order': False, 'shape': (3,)}`, `no string at "__import__('os').sys"`},
	{`{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}`, `negative`},
	{`{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4)}`, `too many elements`},
	{`{'descr': '<f4', 'fortran_order': False, 'shape': (0, 4611686018427387904, 4)}`, `too many elements`},
	{`{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904,)}`, `too many elements`},
	{`{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}`, `too large`},
	{`{'descr': '<f4', 'fortran_order': False, 'shape': (1099511627776,)}`, `the data ends after 1 of 1099511627776`},
	{`{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1)}`, `more than 8`},
	{`{'descr': '<f4', 'fortran_order': False, 'shape': (3 3)}`, `no comma`},
	{`{'descr': '<f4', 'fortran_order': False, 'shape': (1.5,)}`, `no `},
	{`{'descr': '<f4', 'fortran_order': False, 'shape': 3}`, `no "("`},
	{`{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}`, `the data ends after 1 of 2 elements`},
	{strings.Repeat(" ", maxNpyHeader+1), `a header of 65537 bytes`},
}

func TestNpyHostile(t *testing.T) {
	for _, c := range hostileNpy {
		x, err := ReadNpy(bytes.NewReader(npyFile(2, c.header, 1, 2, 3, 4, 5)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80s\ngot %v, %v, want %q", c.header, x, err, c.want)
		}
	}
	good := npyFile(1, `{"shape":(2L,),"fortran_order":True,"descr":"|b1"}`, 7, 0)
	if x, err := ReadNpy(bytes.NewReader(good)); err != nil || x.String() != "tensor([ True, False])" {
		t.Errorf("got %v, %v", x, err)
	}
	for n := range good {
		if x, err := ReadNpy(bytes.NewReader(good[:n])); err == nil {
			t.Errorf("%d bytes of it read as %v", n, x)
		}
	}
	good[6] = 4
	if _, err := ReadNpy(bytes.NewReader(good)); err == nil || err.Error() != "npy: version 4.0 is unknown" {
		t.Errorf("got %v", err)
	}
	if _, err := LoadNpy(filepath.Join(t.TempDir(), "none.npy")); err == nil {
		t.Error("a file that is not there loads")
	}
}

// TestNpyAllocation is that a header which promises a terabyte costs nothing.
func TestNpyAllocation(t *testing.T) {
	file := npyFile(1, `{'descr': '<f8', 'fortran_order': False, 'shape': (137438953472,), }`, make([]byte, 1<<20)...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := ReadNpy(bytes.NewReader(file)); err == nil {
		t.Fatal("no error")
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 8<<20 {
		t.Errorf("%d bytes allocated for a file of 1 MiB", n)
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
		if strings.HasPrefix(npyCodes[d], "|") == (d.Size() > 1) {
			t.Errorf("%s is written as %s", d, npyCodes[d])
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

// TestNpzBomb: an archive that inflates far beyond its size is an error before memory is
// used up.
func TestNpzBomb(t *testing.T) {
	var b bytes.Buffer
	if err := WriteNpz(&b, map[string]*Tensor{"zeros": Zeros(dtype.Uint8, 4<<20)}, true); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	left := int64(1 << 20)
	if _, err := readEntry(z.File[0], &left); err == nil || !strings.Contains(err.Error(), "inflates to over 1 GiB and 200 times its size") {
		t.Errorf("got %v", err)
	}
	if out, err := ReadNpz(bytes.NewReader(b.Bytes()), int64(b.Len())); err != nil || out["zeros"].Len() != 4<<20 {
		t.Errorf("4 MiB of zeros: %v", err)
	}
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
	if err := SaveNpy(filepath.Join(t.TempDir(), "none", "x.npy"), x); err == nil {
		t.Error("saved into a folder that is not there")
	}
}

func TestSwapBytes(t *testing.T) {
	b := dtype.BufOf(dtype.Uint32, []uint32{0x01020304, 0xa0b0c0d0})
	swapBytes(b)
	if b.Bits(0) != 0x04030201 || b.Bits(1) != 0xd0c0b0a0 {
		t.Errorf("%x %x", b.Bits(0), b.Bits(1))
	}
}

func FuzzReadNpy(f *testing.F) {
	files, err := filepath.Glob("testdata/npy/*.npy")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, name := range files {
		file, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(file)
	}
	for _, c := range hostileNpy {
		f.Add(npyFile(1, c.header[:min(len(c.header), math.MaxUint16)], 1, 2, 3, 4))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		x, err := ReadNpy(bytes.NewReader(file))
		if err != nil {
			if x != nil || !strings.HasPrefix(err.Error(), "npy: ") {
				t.Fatalf("got %v, %v", x, err)
			}
			return
		}
		if n := x.Len() * x.DType().Size(); n > len(file) {
			t.Fatalf("%d bytes of elements in a file of %d", n, len(file))
		}
		var out bytes.Buffer
		if err := WriteNpy(&out, x); err != nil {
			t.Fatal(err)
		}
		if y, err := ReadNpy(&out); err != nil || !Equal(x, y) {
			t.Fatalf("%v came back as %v, %v", x, y, err)
		}
	})
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
