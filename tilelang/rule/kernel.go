package rule

import (
	"math"

	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// Rules about what a kernel passes besides tiles: numbers, lists of numbers, bases. What
// only who asks can name is described by him: "the int 3".

// GridAxis is the rule of an axis of the grid.
func GridAxis(axis int) *diag.Diagnostic {
	if axis < 0 || axis > 2 {
		return wrong("axis %d: a grid has axes 0, 1 and 2", axis).Fix("count axes from 0")
	}
	return nil
}

// BlockOf is what is wrong with a block size of less than 1.
func BlockOf(x, size string) *diag.Diagnostic {
	return wrong("division of %s by %s", x, size).Fix("the block size must be at least 1")
}

// Pow2 is the least power of two that is at least n.
func Pow2(n int) (p int, d *diag.Diagnostic) {
	for p = 1; p < n; p *= 2 {
		if p > math.MaxInt/2 {
			return 0, wrong("%d has no next power of two", n).Fix("use a smaller size")
		}
	}
	return p, nil
}

// Range is the type of lo ... hi-1.
func Range(lo, hi int) (Type, *diag.Diagnostic) {
	if hi <= lo {
		return Type{}, wrong("Arange(%d, %d) is empty: the end must be above the start", lo, hi).
			Fix("pass the start first: tl.Arange(0, n)")
	}
	if lo < math.MinInt32 || hi-1 > math.MaxInt32 {
		return Type{}, wrong("Arange(%d, %d) does not fit int32", lo, hi).Fix("use a smaller range and add an int64 tile")
	}
	t := Type{D: dtype.Int32, Shape: shape.Of(hi - lo)}
	return t, t.Check()
}

// Repeated is the rule of a tile as the value that fills another.
func (t Type) Repeated() *diag.Diagnostic {
	if t.IsTile() {
		return wrong("%s as the value", t).Fix("use BroadcastTo to repeat a tile")
	}
	return t.NoPointer()
}

// NoOperand is what is wrong with a Go value as an operand, as its type is described.
func NoOperand(described, typ string) *diag.Diagnostic {
	d := wrong("%s as an operand, want Tile, int, float64 or bool", described)
	switch typ {
	case "float32":
		return d.Fix("write float64(x)")
	case "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr":
		return d.Fix("write int(x)")
	}
	return d.Fix("pass a tile or a number")
}

// NoCondition is what is wrong with a condition that is not bool; what says what it is for.
func NoCondition(what, described string) *diag.Diagnostic {
	return wrong("the %s is %s, want bool", what, described).Fix("compare first, for example x.Ne(0)")
}

// NoIntegers is what is wrong with a value that must be of integers.
func NoIntegers(what, described string) *diag.Diagnostic {
	return wrong("the %s is %s, want integers", what, described).Fix("convert it first: x.To(tl.Int32)")
}

// NoPlace is what is wrong with a value that is no pointer.
func NoPlace(described string) *diag.Diagnostic { return wrong("%s is no pointer", described) }

// NoMove is what is wrong with what a pointer is moved by.
func NoMove(ptr, off string) *diag.Diagnostic {
	return wrong("%s and %s: pointers can only move by integers", ptr, off).Fix("add int offsets or integer tiles")
}

// TwoTensors is what is wrong with two pointers to be one tile, and the tensors that they point into.
func TwoTensors(a, b, into, and string) *diag.Diagnostic {
	return wrong("%s and %s: pointers into different tensors, %s and %s", a, b, into, and).
		Fix("load from both, masked, and choose between the values")
}

// ByZero is what is wrong with an integer division.
func ByZero(x, y string) *diag.Diagnostic {
	return wrong("division by zero: %s by %s", x, y).
		Fix("keep zeros out of the divisor, even in lanes that are masked off later: tl.Where(y.Eq(0), 1, y)")
}

// Bins is the rule of how many values a histogram has.
func (t Type) Bins(n int) *diag.Diagnostic {
	if n < 1 {
		return wrong("%s into %d bins", t, n).Fix("use at least one")
	}
	return nil
}

// OtherAlone is what is wrong with Other where nothing is masked off.
func OtherAlone(ptr Type) *diag.Diagnostic {
	return wrong("Other without Mask: no lane of %s is masked off", ptr).Fix("pass a Mask, or remove Other")
}

// Combined is the rule of what a combining function returns: same says whether that is shaped as what
// it was given.
func Combined(got, want Type, same bool) *diag.Diagnostic {
	switch {
	case !same:
		return wrong("the function returned %s, want an element of %s", got, want).
			Fix("combine what the function is given; do not change shapes in it")
	case got.D != want.D:
		return wrong("the function returned %s, want %s", got.D.Short(), want.D.Short()).Fix("convert what it returns with To")
	}
	return nil
}

// NoSingleBase is what is wrong with pointers as the base of a descriptor.
func NoSingleBase(described string) *diag.Diagnostic {
	return wrong("the base is %s, want a single pointer", described).Fix("pass the tensor parameter itself")
}

// DescParts is the rule of how many numbers describe a tensor, with its block.
func DescParts(sizes, strides, block int) *diag.Diagnostic {
	switch {
	case sizes != strides || sizes != block:
		return wrong("%d sizes, %d strides and a block of %d dimensions", sizes, strides, block).Fix("pass one number per dimension in each")
	case sizes == 0:
		return wrong("no dimensions").Fix("describe a single element with shape []int{1}")
	}
	return nil
}

// BlockParts is the rule of how many numbers describe a block pointer.
func BlockParts(sizes, strides, offsets, block, order int) *diag.Diagnostic {
	n := sizes
	if n == 0 || strides != n || offsets != n || block != n || order != n {
		return wrong("shape, strides, offsets, block and order have %d, %d, %d, %d and %d numbers", n, strides, offsets, block, order).
			Fix("pass one number per dimension in each")
	}
	return nil
}

// Coordinates is the rule of how many numbers say where a block is.
func Coordinates(n, dims int) *diag.Diagnostic {
	if n != dims {
		return wrong("%d coordinates for a tensor of %d dimensions", n, dims).Fix("pass the block's first index along each dimension")
	}
	return nil
}

// Offsets is the rule of how many numbers move a block pointer.
func Offsets(n, dims int) *diag.Diagnostic {
	if n != dims {
		return wrong("%d offsets for %d dimensions", n, dims).Fix("pass one per dimension, 0 for no move")
	}
	return nil
}

// CheckedAxis is the rule of an axis whose bounds are checked.
func CheckedAxis(axis, dims int) *diag.Diagnostic {
	if axis < 0 || axis >= dims {
		return wrong("BoundaryCheck of axis %d of %d", axis, dims).Fix("count axes from 0")
	}
	return nil
}
