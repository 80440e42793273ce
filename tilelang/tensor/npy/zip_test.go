package npy

import (
	"archive/zip"
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

func TestZipErrors(t *testing.T) {
	var good bytes.Buffer
	if err := WriteZip(&good, one("a", dtype.NewBuf(dtype.Int8, 100)), false); err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(good.Bytes())
	flipped[200] ^= 1 // within the elements: the sum is wrong
	longer := bytes.Replace(good.Bytes(), []byte("(100,)"), []byte("(99,) "), 1)
	notArray := bytes.Replace(good.Bytes(), []byte("NUMPY"), []byte("NUMPI"), 1)
	for name, file := range map[string][]byte{"truncated": good.Bytes()[:150], "empty": nil, "sum": flipped, "longer": longer, "magic": notArray} {
		if x, err := ReadZip(bytes.NewReader(file), int64(len(file))); err == nil {
			t.Errorf("%s: read as %v", name, x)
		} else if !strings.Contains(err.Error(), "npz: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := LoadZip(filepath.Join(t.TempDir(), "none.npz")); err == nil {
		t.Error("a file that is not there loads")
	}
}

// TestBomb: an archive that inflates far beyond its size is an error before memory is
// used up.
func TestBomb(t *testing.T) {
	var b bytes.Buffer
	if err := WriteZip(&b, one("zeros", dtype.NewBuf(dtype.Uint8, 4<<20)), true); err != nil {
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
	if out, err := ReadZip(bytes.NewReader(b.Bytes()), int64(b.Len())); err != nil || out["zeros"].Elems.Len() != 4<<20 {
		t.Errorf("4 MiB of zeros: %v", err)
	}
}
