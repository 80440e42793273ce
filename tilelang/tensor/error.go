package tensor

import (
	"fmt"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// Error is what this package panics with when it is called wrongly. Its text says
// which function, which tensor and which argument.
type Error string

// Error is the text.
func (e Error) Error() string { return "tensor." + string(e) }

// fail panics with an Error; the text starts with the function's name.
func fail(format string, a ...any) { panic(Error(fmt.Sprintf(format, a...))) }

// Describe is the dtype and shape as messages spell them: f32[16,64].
func Describe(d dtype.DType, shape []int) string { return d.Short() + dims(shape) }

// dims spells a shape or an index: [16,64].
func dims(v []int) string { return shape.Index(v) }

// tuple spells a shape as Python does: (0, 3).
func tuple(v []int) string { return shape.Tuple(v) }

// desc is x for a message.
func (x *Tensor) desc() string { return Describe(x.d, x.shape) }
