package npy

import (
	"bytes"
	"encoding/binary"
	"iter"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/shape"
	"github.com/tiler-go/tiler/tilelang/tensor/stride"
)

// TestAsNumPy reads and writes files that NumPy wrote.
func TestAsNumPy(t *testing.T) {
	index, err := os.ReadFile("testdata/index.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(index), "\n"), "\n")
	if len(lines) < 80 {
		t.Fatalf("%d lines", len(lines))
	}
	for i := 0; i < len(lines); i += 2 {
		f := strings.Fields(lines[i])
		path := "testdata/" + f[0] + ".npy"
		a, err := Load(path)
		if err != nil {
			t.Error(err)
			continue
		}
		if d := a.Elems.DType().String(); d != f[1] || shape.Index(a.Shape) != f[2] {
			t.Errorf("%s: got %s%v, want %s%s", path, d, a.Shape, f[1], f[2])
			continue
		}
		checkValues(t, path, a, strings.Fields(lines[i+1]))
		if f[3] != "same" {
			continue
		}
		text, _ := os.ReadFile(path)
		var out bytes.Buffer
		if err := Write(&out, a); err != nil || !bytes.Equal(out.Bytes(), text) {
			t.Errorf("%s: written as\n%q\nwant\n%q (%v)", path, out.Bytes(), text, err)
		}
	}
}

// checkValues compares elements with their values in row-major order.
func checkValues(t *testing.T, path string, a Array, values []string) {
	t.Helper()
	if len(values) != a.Elems.Len() {
		t.Fatalf("%s: %d elements, want %d", path, a.Elems.Len(), len(values))
	}
	d, strides := a.Elems.DType(), stride.RowMajor(a.Shape)
	if a.Fortran {
		step := 1
		for k, n := range a.Shape {
			strides[k] = step
			step *= n
		}
	}
	for i, text := range values {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		for k, n := range stride.Index(a.Shape, i) {
			at += n * strides[k]
		}
		if got, want := a.Elems.Bits(at), dtype.FromFloat(d, v); !dtype.SameBits(d, got, want) {
			t.Errorf("%s: element %d is %x, want %x", path, i, got, want)
		}
	}
}

// same reports whether two arrays are the same, bit for bit.
func same(x, y Array) bool {
	ok := x.Fortran == y.Fortran && slices.Equal(x.Shape, y.Shape) && x.Elems.DType() == y.Elems.DType()
	return ok && bytes.Equal(x.Elems.Bytes(), y.Elems.Bytes())
}

// one is an archive of one array, of one dimension.
func one(name string, b dtype.Buf) iter.Seq2[string, Array] {
	return func(yield func(string, Array) bool) { yield(name, Array{Elems: b, Shape: []int{b.Len()}}) }
}

// TestCodes: every dtype has one, and elements of more than a byte have a byte order.
func TestCodes(t *testing.T) {
	for _, d := range dtype.All() {
		if codes[d] == "" || strings.HasPrefix(codes[d], "|") == (d.Size() > 1) {
			t.Errorf("%s is written as %s", d, codes[d])
		}
	}
}

// file is a file with the given header text.
func file(version byte, header string, data ...byte) []byte {
	b := append([]byte("\x93NUMPY"), version, 0)
	if version == 1 {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(header)))
	} else {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(header)))
	}
	return append(append(b, header...), data...)
}

var hostile = []struct{ header, want string }{
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
	{strings.Repeat(" ", maxHeader+1), `a header of 65537 bytes`},
}

func TestHostile(t *testing.T) {
	for _, c := range hostile {
		x, err := Read(bytes.NewReader(file(2, c.header, 1, 2, 3, 4, 5)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80s\ngot %v, %v, want %q", c.header, x, err, c.want)
		}
	}
	good := file(1, `{"shape":(2L,),"fortran_order":True,"descr":"|b1"}`, 7, 0)
	if x, err := Read(bytes.NewReader(good)); err != nil || x.Elems.DType() != dtype.Bool || !bytes.Equal(x.Elems.Bytes(), []byte{1, 0}) {
		t.Errorf("got %v, %v", x, err)
	}
	for n := range good {
		if x, err := Read(bytes.NewReader(good[:n])); err == nil {
			t.Errorf("%d bytes of it read as %v", n, x)
		}
	}
	good[6] = 4
	if _, err := Read(bytes.NewReader(good)); err == nil || err.Error() != "npy: version 4.0 is unknown" {
		t.Errorf("got %v", err)
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none.npy")); err == nil {
		t.Error("a file that is not there loads")
	}
}

// TestAllocation is that a header which promises a terabyte costs nothing.
func TestAllocation(t *testing.T) {
	text := file(1, `{'descr': '<f8', 'fortran_order': False, 'shape': (137438953472,), }`, make([]byte, 1<<20)...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := Read(bytes.NewReader(text)); err == nil {
		t.Fatal("no error")
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 8<<20 {
		t.Errorf("%d bytes allocated for a file of 1 MiB", n)
	}
}

func TestSwapBytes(t *testing.T) {
	b := dtype.BufOf(dtype.Uint32, []uint32{0x01020304, 0xa0b0c0d0})
	swapBytes(b)
	if b.Bits(0) != 0x04030201 || b.Bits(1) != 0xd0c0b0a0 {
		t.Errorf("%x %x", b.Bits(0), b.Bits(1))
	}
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.npy")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, c := range hostile {
		f.Add(file(1, c.header[:min(len(c.header), math.MaxUint16)], 1, 2, 3, 4))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		x, err := Read(bytes.NewReader(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "npy: ") {
				t.Fatalf("got %v, %v", x, err)
			}
			return
		}
		if n := len(x.Elems.Bytes()); n > len(text) {
			t.Fatalf("%d bytes of elements in a file of %d", n, len(text))
		}
		var out bytes.Buffer
		if err := Write(&out, x); err != nil {
			t.Fatal(err)
		}
		if y, err := Read(&out); err != nil || !same(x, y) {
			t.Fatalf("%v came back as %v, %v", x, y, err)
		}
	})
}
