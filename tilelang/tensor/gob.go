package tensor

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// GobEncode is the tensor for package encoding/gob: the dtype's name and an .npy file,
// so that a value that has tensors in it can be kept or sent.
func (x *Tensor) GobEncode() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(x.DType().String() + "\n")
	err := WriteNpy(&b, x)
	return b.Bytes(), err
}

// GobDecode makes x what GobEncode wrote: a tensor of its own, in row-major order.
func (x *Tensor) GobDecode(text []byte) error {
	name, file, ok := strings.Cut(string(text), "\n")
	d, err := dtype.Parse(name)
	if !ok || err != nil {
		return fmt.Errorf("tensor: no encoded tensor: it begins with %.20q", text)
	}
	y, err := ReadNpyAs(strings.NewReader(file), d)
	if err != nil {
		return err
	}
	*x = *y.Contiguous()
	return nil
}
