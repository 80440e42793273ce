package files

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/exec/beam/cut"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// npyTypes is the dtype of each type code in the header of an .npy file, without its byte order.
var npyTypes = map[string]dtype.DType{
	"b1": dtype.Bool, "i1": dtype.Int8, "i2": dtype.Int16, "i4": dtype.Int32, "i8": dtype.Int64,
	"u1": dtype.Uint8, "u2": dtype.Uint16, "u4": dtype.Uint32, "u8": dtype.Uint64,
	"f2": dtype.Float16, "f4": dtype.Float32, "f8": dtype.Float64,
}

// The dict of a header, whose keys NumPy writes in this order, and others may in any.
var (
	npyDescr   = regexp.MustCompile(`'descr': *'([<>|=])([a-z][0-9])'`)
	npyFortran = regexp.MustCompile(`'fortran_order': *(True|False)`)
	npyShape   = regexp.MustCompile(`'shape': *\(((?:\s*[0-9]+\s*,?)*)\)`)
)

// parseNpy is what the header of an .npy file says, and how many bytes it has.
func parseNpy(r io.Reader) (t cut.Tensor, big bool, size int64, err error) {
	start := make([]byte, 12)
	if _, err := io.ReadFull(r, start[:10]); err != nil || string(start[:6]) != "\x93NUMPY" {
		return t, false, 0, errors.New("this is not an .npy file")
	}
	n, size := int64(binary.LittleEndian.Uint16(start[8:])), int64(10)
	if start[6] > 1 {
		if _, err := io.ReadFull(r, start[10:]); err != nil {
			return t, false, 0, errors.New("the file ends within its header")
		}
		n, size = int64(binary.LittleEndian.Uint32(start[8:])), 12
	}
	if n > 1<<16 {
		return t, false, 0, fmt.Errorf("a header of %d bytes: this is not an .npy file", n)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return t, false, 0, errors.New("the file ends within its header")
	}
	t, big, err = npyDict(string(text))
	return t, big, size + n, err
}

// npyDict reads a dict.
func npyDict(text string) (t cut.Tensor, big bool, err error) {
	descr, fortran := npyDescr.FindStringSubmatch(text), npyFortran.FindStringSubmatch(text)
	shape := npyShape.FindStringSubmatch(text)
	if descr == nil || fortran == nil || shape == nil {
		return t, false, fmt.Errorf("a header that is not supported: %.200q", text)
	}
	d, ok := npyTypes[descr[2]]
	if !ok {
		return t, false, fmt.Errorf("dtype %q is not supported", descr[1]+descr[2])
	}
	t.DType, t.Shape = d.String(), []int{}
	total := 1
	for n := range strings.FieldsFuncSeq(shape[1], func(r rune) bool { return r == ',' || r == ' ' }) {
		v, err := strconv.Atoi(n)
		if err != nil || v > 0 && total > (1<<48)/v {
			return t, false, fmt.Errorf("the shape (%s) is too large", shape[1])
		}
		t.Shape, total = append(t.Shape, v), total*max(v, 1)
	}
	if fortran[1] == "True" && len(t.Shape) > 1 {
		return t, false, errors.New("its columns are contiguous, not its rows\n\tfix: save numpy.ascontiguousarray of it")
	}
	return t, descr[1] == ">", nil
}

// npyHead is the header of a tensor as NumPy writes it, with more spaces for a large one. Of bfloat16 and floats of 8
// bits, which it does not have, it says that they are unsigned integers.
func npyHead(t cut.Tensor) ([]byte, error) {
	code, d := "", t.Type()
	for c, x := range npyTypes {
		if x == d {
			code = c
		}
	}
	order := "<"
	switch {
	case code == "" && d.Size() > 0 && d.IsFloat():
		code = fmt.Sprint("u", d.Size())
	case code == "":
		return nil, fmt.Errorf("an .npy file has no %s", t.DType)
	}
	if d.Size() == 1 {
		order = "|"
	}
	sizes := make([]string, len(t.Shape))
	for i, n := range t.Shape {
		sizes[i] = strconv.Itoa(n)
	}
	shape := strings.Join(sizes, ", ")
	if len(sizes) == 1 {
		shape += ","
	}
	text := fmt.Sprintf("{'descr': '%s%s', 'fortran_order': False, 'shape': (%s), }", order, code, shape)
	if len(sizes) > 0 {
		text += strings.Repeat(" ", 21-len(sizes[0])) // where the first size may grow
	}
	text += strings.Repeat(" ", 64-(11+len(text))%64)
	text += strings.Repeat(" ", padding(11+len(text), t)) + "\n"
	head := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(text)))
	return append(head, text...), nil
}
