package tensor

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/overwrite"
	"github.com/tiler-go/tiler/tilelang/tensor/npy"
)

// ReadNpy reads one array in NumPy's .npy format, and not more, from r. It reads
// versions 1, 2 and 3, either byte order, and all integer types, bool, and floats of
// 16, 32 and 64 bits. An array in Fortran order becomes a view with such strides.
// Memory is allocated only as the data arrives, so a header that lies costs nothing.
func ReadNpy(r io.Reader) (*Tensor, error) { return made(npy.Read(r)) }

// made is an array that was read as a tensor.
func made(a npy.Array, err error) (*Tensor, error) {
	if err != nil {
		return nil, err
	}
	if !a.Fortran {
		return wrap(a.Elems, a.Shape), nil
	}
	slices.Reverse(a.Shape)
	x := wrap(a.Elems, a.Shape)
	slices.Reverse(x.shape)
	slices.Reverse(x.strides)
	return x, nil
}

// ReadNpyAs is ReadNpy for bit patterns: the elements are read as type d of the same
// width, as bfloat16 and the 8-bit floats are stored.
func ReadNpyAs(r io.Reader, d dtype.DType) (*Tensor, error) {
	x, err := ReadNpy(r)
	if err != nil {
		return nil, err
	}
	return castBits(x, d)
}

func castBits(x *Tensor, d dtype.DType) (*Tensor, error) {
	if d.IsPointer() || d.Size() != x.d.Size() || d == dtype.Bool && x.d != dtype.Bool {
		return nil, fmt.Errorf("npy: elements of %s are not bits of %s", x.d, d)
	}
	return x.Bitcast(d), nil
}

// LoadNpy reads an .npy file.
func LoadNpy(path string) (*Tensor, error) { return made(npy.Load(path)) }

// LoadNpyAs reads an .npy file of bit patterns, as ReadNpyAs does.
func LoadNpyAs(path string, d dtype.DType) (*Tensor, error) {
	x, err := LoadNpy(path)
	if err != nil {
		return nil, err
	}
	if x, err = castBits(x, d); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return x, nil
}

// WriteNpy writes x in NumPy's .npy format, as NumPy itself would byte for byte: version
// 1, little-endian, in Fortran order if x's transpose is contiguous and x is not.
// bfloat16 and the 8-bit floats, which NumPy does not have, are written as unsigned
// integers of their bits; ReadNpyAs gets them back.
func WriteNpy(w io.Writer, x *Tensor) error { return npy.Write(w, arrayOf(x)) }

// arrayOf is x as it is written.
func arrayOf(x *Tensor) npy.Array {
	x.must("WriteNpy")
	reversed := make([]int, len(x.shape))
	for k := range reversed {
		reversed[k] = len(x.shape) - 1 - k
	}
	if y := x.Permute(reversed...); !x.IsContiguous() && y.IsContiguous() {
		return npy.Array{Elems: y.span(), Shape: x.shape, Fortran: true}
	}
	return npy.Array{Elems: x.Contiguous().span(), Shape: x.shape}
}

// SaveNpy writes x to an .npy file. If that fails, a file that was there is what it was.
func SaveNpy(path string, x *Tensor) error {
	return overwrite.File(path, 0o666, func(w io.Writer) error { return WriteNpy(w, x) })
}

// ReadNpz reads the arrays of an .npz file: a zip file of .npy files, stored or
// deflated. The names are without .npy; other files in it are left out.
func ReadNpz(r io.ReaderAt, size int64) (map[string]*Tensor, error) {
	return madeAll(npy.ReadZip(r, size))
}

func madeAll(arrays map[string]npy.Array, err error) (map[string]*Tensor, error) {
	if err != nil {
		return nil, err
	}
	out := map[string]*Tensor{}
	for name, a := range arrays {
		out[name], _ = made(a, nil)
	}
	return out, nil
}

// LoadNpz reads the arrays of an .npz file, as ReadNpz does.
func LoadNpz(path string) (map[string]*Tensor, error) { return madeAll(npy.LoadZip(path)) }

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
	inOrder := func(yield func(string, npy.Array) bool) {
		for _, name := range slices.Sorted(maps.Keys(arrays)) {
			if !yield(name, arrayOf(arrays[name])) {
				return
			}
		}
	}
	return npy.WriteZip(w, inOrder, compress)
}

// SaveNpz writes arrays to an .npz file, stored.
func SaveNpz(path string, arrays map[string]*Tensor) error {
	return overwrite.File(path, 0o666, func(w io.Writer) error { return WriteNpz(w, arrays, false) })
}

// SaveNpzCompressed writes arrays to an .npz file, deflated.
func SaveNpzCompressed(path string, arrays map[string]*Tensor) error {
	return overwrite.File(path, 0o666, func(w io.Writer) error { return WriteNpz(w, arrays, true) })
}
