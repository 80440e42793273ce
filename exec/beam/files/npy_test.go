package files

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	"github.com/tiler-go/tiler/exec/beam/cut"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// TestNpyHead: headers are those that package tensor writes, which are NumPy's, and are read back.
func TestNpyHead(t *testing.T) {
	for _, d := range dtype.All() {
		for _, shape := range [][]int{{}, {0}, {3}, {12, 5}, {2, 3, 4}} {
			var b bytes.Buffer
			if err := tensor.WriteNpy(&b, tensor.Zeros(d, shape...)); err != nil {
				t.Fatal(err)
			}
			x := cut.Tensor{DType: d.String(), Shape: shape}
			head, err := npyHead(x)
			if err != nil || !bytes.HasPrefix(b.Bytes(), head) || b.Len() != len(head)+x.Len()*d.Size() {
				t.Errorf("%s %v: got %q, %v, want %q", d, shape, head, err, b.Bytes()[:min(b.Len(), 128)])
			}
			got, big, size, err := parseNpy(&b)
			if err != nil || big || int(size) != len(head) || !slices.Equal(got.Shape, shape) || got.Type().Size() != d.Size() {
				t.Errorf("%s %v: read as %+v, %v, %v, %v", d, shape, got, big, size, err)
			}
		}
	}
}

// TestPages: large tensors begin with a page of their file.
func TestPages(t *testing.T) {
	large := cut.Tensor{DType: "float32", Shape: []int{256, 1024}}
	head, err := npyHead(large)
	if err != nil || len(head)%page != 0 {
		t.Errorf("the header has %d bytes, %v", len(head), err)
	}
	got, _, size, err := parseNpy(bytes.NewReader(head))
	if err != nil || int(size) != len(head) || !slices.Equal(got.Shape, large.Shape) {
		t.Errorf("read as %+v, %d bytes, %v", got, size, err)
	}
	path := filepath.Join(t.TempDir(), "x.safetensors")
	s, err := NewSink(path, large, "id", nil)
	if err != nil || len(s.Head)%page != 0 {
		t.Fatalf("the header has %d bytes, %v", len(s.Head), err)
	}
	if err := errors.Join(s.Begin(t.Context()), s.Finish(t.Context(), nil)); err != nil {
		t.Fatal(err)
	}
	x, err := Open(t.Context(), path+"#out", "")
	if err != nil || int(x.Begin) != len(s.Head) || !slices.Equal(x.Tensor.Shape, large.Shape) {
		t.Errorf("read as %+v, %v", x, err)
	}
}

// TestNpyRefused: what is no header, or is too large, is refused.
func TestNpyRefused(t *testing.T) {
	head := func(text string) string { return "\x93NUMPY\x01\x00" + string([]byte{byte(len(text)), 0}) + text }
	for _, text := range []string{
		"", "PK", "\x93NUMPY\x01\x00", "\x93NUMPY\x02\x00\xff\xff\xff\xff", head("{}"),
		head("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }"),
		head("{'descr': '<c8', 'fortran_order': False, 'shape': (2, 3), }"),
		head("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999, 99999999999), }"),
		head("{'descr': '<f4', 'fortran_order': False, 'shape': (-2, 3), }"),
		head("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }"),
	} {
		if x, _, _, err := parseNpy(bytes.NewReader([]byte(text))); err == nil {
			t.Errorf("%q is read as %+v", text, x)
		}
	}
}
