package tensor

import (
	"archive/zip"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/tilelang/overwrite"
)

// ReadNpz reads the arrays of an .npz file: a zip file of .npy files, stored or
// deflated. The names are without .npy; other files in it are left out.
func ReadNpz(r io.ReaderAt, size int64) (map[string]*Tensor, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("npz: %w", err)
	}
	out := map[string]*Tensor{}
	left := max(leastInflated, size*mostInflated)
	for _, f := range z.File {
		name, ok := strings.CutSuffix(f.Name, ".npy")
		if !ok {
			continue
		}
		if out[name] != nil {
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
func readEntry(f *zip.File, left *int64) (*Tensor, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	x, err := ReadNpy(inflating{r, left})
	if err != nil {
		return nil, err
	}
	// Reading to the end checks the sum.
	if n, err := io.Copy(io.Discard, io.LimitReader(r, 1)); err != nil {
		return nil, err
	} else if n > 0 {
		return nil, fmt.Errorf("npy: there is more than %s", x.desc())
	}
	return x, nil
}

// LoadNpz reads the arrays of an .npz file, as ReadNpz does.
func LoadNpz(path string) (map[string]*Tensor, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	out, err := ReadNpz(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return out, nil
}

// Open is the array of an .npy file; of an .npz file the one of that name, which may be
// left out if it is the only one. It panics if the file cannot be read, as the other
// functions that make tensors do when they cannot; LoadNpy and LoadNpz return an error.
func Open(path string, name ...string) *Tensor {
	if len(name) > 1 {
		fail("Open: got %d names, want at most one", len(name))
	}
	if !strings.HasSuffix(path, ".npz") {
		x, err := LoadNpy(path)
		if err != nil {
			fail("Open: %v", err)
		}
		if len(name) > 0 {
			fail("Open: %s holds one array, which has no name", path)
		}
		return x
	}
	arrays, err := LoadNpz(path)
	if err != nil {
		fail("Open: %v", err)
	}
	names := slices.Sorted(maps.Keys(arrays))
	switch {
	case len(name) == 1 && arrays[name[0]] == nil:
		fail("Open: %s holds no %s; it holds %s", path, name[0], strings.Join(names, ", "))
	case len(name) == 0 && len(names) != 1:
		fail("Open: %s holds %d arrays: say which, one of %s", path, len(names), strings.Join(names, ", "))
	case len(name) == 0:
		name = names
	}
	return arrays[name[0]]
}

// WriteNpz writes arrays as an .npz file, in the order of their names and without a
// date: the same arrays give the same bytes. They are deflated if compress is set, else
// stored.
func WriteNpz(w io.Writer, arrays map[string]*Tensor, compress bool) error {
	z := zip.NewWriter(w)
	method := zip.Store
	if compress {
		method = zip.Deflate
	}
	for _, name := range slices.Sorted(maps.Keys(arrays)) {
		f, err := z.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: method})
		if err != nil {
			return err
		}
		if err := WriteNpy(f, arrays[name]); err != nil {
			return err
		}
	}
	return z.Close()
}

// SaveNpz writes arrays to an .npz file, stored.
func SaveNpz(path string, arrays map[string]*Tensor) error {
	return overwrite.File(path, 0o666, func(w io.Writer) error { return WriteNpz(w, arrays, false) })
}

// SaveNpzCompressed writes arrays to an .npz file, deflated.
func SaveNpzCompressed(path string, arrays map[string]*Tensor) error {
	return overwrite.File(path, 0o666, func(w io.Writer) error { return WriteNpz(w, arrays, true) })
}
