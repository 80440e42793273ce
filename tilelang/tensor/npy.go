package tensor

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/overwrite"
)

// bigEndian is the byte order of this machine.
var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

const (
	npyMagic     = "\x93NUMPY"
	maxNpyHeader = 1 << 16 // NumPy's own are about 100 bytes long
)

// ReadNpy reads one array in NumPy's .npy format, and not more, from r. It reads
// versions 1, 2 and 3, either byte order, and all integer types, bool, and floats of
// 16, 32 and 64 bits. An array in Fortran order becomes a view with such strides.
// Memory is allocated only as the data arrives, so a header that lies costs nothing.
func ReadNpy(r io.Reader) (*Tensor, error) {
	x, err := readNpy(r)
	if err != nil {
		return nil, fmt.Errorf("npy: %w", err)
	}
	return x, nil
}

func readNpy(r io.Reader) (*Tensor, error) {
	h, err := readNpyHeader(r)
	if err != nil {
		return nil, err
	}
	b, err := readElements(r, h.d, h.n)
	if err != nil {
		return nil, err
	}
	if h.big != bigEndian {
		swapBytes(b)
	}
	if h.d == dtype.Bool {
		for i, v := range b.Bytes() {
			b.Bytes()[i] = min(v, 1)
		}
	}
	if !h.fortran {
		return wrap(b, h.shape), nil
	}
	slices.Reverse(h.shape)
	x := wrap(b, h.shape)
	slices.Reverse(x.shape)
	slices.Reverse(x.strides)
	return x, nil
}

func readNpyHeader(r io.Reader) (h npyHeader, err error) {
	start := make([]byte, 8)
	if _, err := io.ReadFull(r, start); err != nil || string(start[:6]) != npyMagic {
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
	if n > maxNpyHeader {
		return h, fmt.Errorf("a header of %d bytes: at most %d are read", n, maxNpyHeader)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return h, errors.New("the file ends within its header")
	}
	if h, err = parseNpyHeader(string(text)); err != nil {
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
func LoadNpy(path string) (*Tensor, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	x, err := ReadNpy(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return x, nil
}

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
func WriteNpy(w io.Writer, x *Tensor) error {
	x.must("WriteNpy")
	reversed := make([]int, len(x.shape))
	for k := range reversed {
		reversed[k] = len(x.shape) - 1 - k
	}
	y, fortran := x, false
	if t := x.Permute(reversed...); !x.IsContiguous() && t.IsContiguous() {
		y, fortran = t, true
	}
	text := x.header(fortran)
	pad := 64 - (len(npyMagic)+4+len(text)+1)%64 // NumPy too never pads by 0
	text += strings.Repeat(" ", pad) + "\n"
	head := append([]byte(npyMagic), 1, 0)
	head = binary.LittleEndian.AppendUint16(head, uint16(len(text)))
	if _, err := w.Write(append(head, text...)); err != nil {
		return err
	}
	b := y.Contiguous().span()
	if bigEndian {
		swapped := dtype.NewBuf(b.DType(), b.Len())
		copy(swapped.Bytes(), b.Bytes())
		swapBytes(swapped)
		b = swapped
	}
	_, err := w.Write(b.Bytes())
	return err
}

// SaveNpy writes x to an .npy file. If that fails, a file that was there is what it was.
func SaveNpy(path string, x *Tensor) error {
	return overwrite.File(path, 0o666, func(w io.Writer) error { return WriteNpy(w, x) })
}
