package npy

import (
	"archive/zip"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/tiler-go/tiler/tilelang/shape"
)

// ReadZip reads the arrays of an .npz file: a zip file of .npy files, stored or
// deflated. The names are without .npy; other files in it are left out.
func ReadZip(r io.ReaderAt, size int64) (map[string]Array, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("npz: %w", err)
	}
	out := map[string]Array{}
	left := max(leastInflated, size*mostInflated)
	for _, f := range z.File {
		name, ok := strings.CutSuffix(f.Name, ".npy")
		if !ok {
			continue
		}
		if _, twice := out[name]; twice {
			return nil, fmt.Errorf("npz: two arrays are called %q", name)
		}
		if out[name], err = readEntry(f, &left); err != nil {
			return nil, fmt.Errorf("npz: %q: %w", name, err)
		}
	}
	return out, nil
}

// An archive may inflate to a thousand times its size, and its files may overlap. So there
// is a limit to what all of them give.
const (
	mostInflated  = 200     // times the size of the archive
	leastInflated = 1 << 30 // bytes that every archive may inflate to
)

// inflating reads until no bytes are left.
type inflating struct {
	r    io.Reader
	left *int64
}

func (r inflating) Read(b []byte) (int, error) {
	if *r.left <= 0 {
		return 0, fmt.Errorf("the archive inflates to over 1 GiB and %d times its size\n\tfix: store its arrays without compression", mostInflated)
	}
	n, err := r.r.Read(b[:min(int64(len(b)), *r.left)])
	*r.left -= int64(n)
	return n, err
}

// readEntry reads an array. left is how many bytes may be read.
func readEntry(f *zip.File, left *int64) (a Array, err error) {
	r, err := f.Open()
	if err != nil {
		return a, err
	}
	defer r.Close()
	if a, err = Read(inflating{r, left}); err != nil {
		return a, err
	}
	// Reading to the end checks the sum.
	if n, err := io.Copy(io.Discard, io.LimitReader(r, 1)); err != nil {
		return a, err
	} else if n > 0 {
		return a, fmt.Errorf("npy: there is more than %s%s", a.Elems.DType().Short(), shape.Index(a.Shape))
	}
	return a, nil
}

// LoadZip reads the arrays of the .npz file at a path.
func LoadZip(path string) (map[string]Array, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	out, err := ReadZip(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return out, nil
}

// WriteZip writes named arrays as an .npz file, without a date: the same arrays give the
// same bytes. They are deflated if compress is set, else stored.
func WriteZip(w io.Writer, arrays iter.Seq2[string, Array], compress bool) error {
	z := zip.NewWriter(w)
	method := zip.Store
	if compress {
		method = zip.Deflate
	}
	for name, a := range arrays {
		f, err := z.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: method})
		if err != nil {
			return err
		}
		if err := Write(f, a); err != nil {
			return err
		}
	}
	return z.Close()
}
