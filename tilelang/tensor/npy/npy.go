// Package npy reads and writes NumPy's files: .npy, which is one array, and .npz, a zip file of them. An array is its
// dtype, its shape and its elements in memory; the package knows no Tensor.
package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// An Array is what an .npy file holds.
type Array struct {
	Elems   dtype.Buf
	Shape   []int
	Fortran bool // the first dimension varies fastest, not the last
}

// bigEndian is the byte order of this machine.
var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

const (
	magic     = "\x93NUMPY"
	maxHeader = 1 << 16 // NumPy's own are about 100 bytes long
)

// Read reads one array, and not more, from r: versions 1, 2 and 3, either byte order, all
// integer types, bool, and floats of 16, 32 and 64 bits. Memory is allocated only as the
// data arrives, so a header that lies costs nothing.
func Read(r io.Reader) (Array, error) {
	a, err := read(r)
	if err != nil {
		return Array{}, fmt.Errorf("npy: %w", err)
	}
	return a, nil
}

func read(r io.Reader) (a Array, err error) {
	h, err := readHeader(r)
	if err != nil {
		return a, err
	}
	b, err := readElements(r, h.d, h.n)
	if err != nil {
		return a, err
	}
	if h.big != bigEndian {
		swapBytes(b)
	}
	if h.d == dtype.Bool {
		for i, v := range b.Bytes() {
			b.Bytes()[i] = min(v, 1)
		}
	}
	return Array{b, h.shape, h.fortran}, nil
}

func readHeader(r io.Reader) (h header, err error) {
	start := make([]byte, 8)
	if _, err := io.ReadFull(r, start); err != nil || string(start[:6]) != magic {
		return h, errors.New("this is not an .npy file")
	}
	size := make([]byte, 2)
	switch major := start[6]; major {
	case 1:
	case 2, 3:
		size = make([]byte, 4)
	default:
		return h, fmt.Errorf("version %d.%d is unknown", major, start[7])
	}
	if _, err := io.ReadFull(r, size); err != nil {
		return h, errors.New("the file ends within its header")
	}
	n := binary.LittleEndian.Uint32(append(size, 0, 0, 0, 0))
	if n > maxHeader {
		return h, fmt.Errorf("a header of %d bytes: at most %d are read", n, maxHeader)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return h, errors.New("the file ends within its header")
	}
	if h, err = parseHeader(string(text)); err != nil {
		return h, fmt.Errorf("header: %w", err)
	}
	return h, nil
}

// readElements reads n elements into memory that grows with what is there: at most
// twice as large, but for the first block.
func readElements(r io.Reader, d dtype.DType, n int) (dtype.Buf, error) {
	const block = 1 << 16
	b := dtype.Alloc("a tensor read from a file", d, min(n, block))
	have := 0
	for {
		got, err := io.ReadFull(r, b.Slice(have, b.Len()).Bytes())
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return b, fmt.Errorf("the data ends after %d of %d elements", have+got/d.Size(), n)
		}
		if err != nil {
			return b, err
		}
		if have = b.Len(); have == n {
			return b, nil
		}
		more := dtype.Alloc("a tensor read from a file", d, min(n, 2*have))
		copy(more.Bytes(), b.Bytes())
		b = more
	}
}

func swapBytes(b dtype.Buf) {
	size := b.DType().Size()
	if size == 1 {
		return
	}
	for p := b.Bytes(); len(p) > 0; p = p[size:] {
		slices.Reverse(p[:size])
	}
}

// Load reads the file at a path.
func Load(path string) (Array, error) {
	f, err := os.Open(path)
	if err != nil {
		return Array{}, err
	}
	defer f.Close()
	a, err := Read(f)
	if err != nil {
		return Array{}, fmt.Errorf("%s: %w", path, err)
	}
	return a, nil
}

// Write writes an array as NumPy itself would byte for byte: version 1, little-endian.
// bfloat16 and the 8-bit floats, which NumPy does not have, are written as unsigned
// integers of their bits.
func Write(w io.Writer, a Array) error {
	text := spelled(a)
	pad := 64 - (len(magic)+4+len(text)+1)%64 // NumPy too never pads by 0
	text += strings.Repeat(" ", pad) + "\n"
	head := append([]byte(magic), 1, 0)
	head = binary.LittleEndian.AppendUint16(head, uint16(len(text)))
	if _, err := w.Write(append(head, text...)); err != nil {
		return err
	}
	b := a.Elems
	if bigEndian {
		b = dtype.NewBuf(b.DType(), b.Len())
		copy(b.Bytes(), a.Elems.Bytes())
		swapBytes(b)
	}
	_, err := w.Write(b.Bytes())
	return err
}
