package tensor

import (
	"slices"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor/stride"
)

// Virtual is a tensor of a dtype and shape without memory, however large. It has no
// elements to read or write: it is for checking a kernel at a size that the machine
// cannot hold.
func Virtual(d dtype.DType, shape ...int) *Tensor {
	if e := stride.Check(shape); e != "" || d.IsPointer() || !d.Valid() {
		checkShape("Virtual", d, shape)
	}
	x := wrap(dtype.NewBuf(d, 0), slices.Clone(shape))
	x.st.virtual, x.n = true, stride.Len(shape)
	return x
}

// IsVirtual reports whether x has no memory.
func (x *Tensor) IsVirtual() bool { return x.must("IsVirtual").st.virtual }

// real is x, or a failure of the named function if x has no elements to work on.
func (x *Tensor) real(op string) *Tensor {
	if x.must(op).st.virtual {
		fail("%s: %s is virtual: it has a shape and no elements", op, x.desc())
	}
	return x
}
