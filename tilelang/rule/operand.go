package rule

import (
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Operands of elementwise ops may be Go scalars, which have no type before they are
// promoted; the rules about them get operands as messages describe them: "f32[4] and the
// int 3".

// NotDefined is what is wrong with operands that are promoted to d, for which an op has
// no meaning.
func NotDefined(o op.Op, d dtype.DType, operands string) *diag.Diagnostic {
	in := o.Row().In
	f := wrong("%s: not defined for %s, in which it would be computed", operands, d)
	switch {
	case in&op.IntsB == 0:
		f.Fix("convert first: x.To(tl.Float32)")
	case in&op.Floats == 0:
		f.Fix("it takes integers: convert first, for example x.To(tl.Int32)")
	}
	return f
}

// NotPromoted is what is wrong with operands that have no common dtype in a class of ops.
func NotPromoted(class dtype.Class, operands string, err error) *diag.Diagnostic {
	f := wrong("%s: %v", operands, err)
	switch class {
	case dtype.Divide, dtype.FloorDiv, dtype.Modulo:
		return f.Fix("convert one of them with To, so that both are signed or both unsigned integers, or both floats")
	case dtype.Bitwise:
		return f.Fix("bitwise operators take integers and bools: compare first, or convert with To or Bitcast")
	}
	return f.Fix("convert one of them with To")
}

// PointerOperand is what is wrong with a pointer beside other operands.
func PointerOperand(operands string) *diag.Diagnostic {
	return wrong("%s: a pointer", operands).Fix("pointers move with Add and Sub of integers; compute on the offsets before adding them")
}

// NoTile is what is wrong with an op on Go scalars alone.
func NoTile(operands string) *diag.Diagnostic {
	return wrong("%s: no tile", operands).Fix("use Go's own operators, or make a tile with tl.Full")
}

// NotAnElement is what is wrong with a Go scalar that becomes an element of type d.
func NotAnElement(operand string, d dtype.DType) *diag.Diagnostic {
	f := wrong("%s does not fit %s", operand, d)
	if d.IsInt() {
		f.Note("%s holds %d ... %d", d, d.MinInt(), d.MaxInt())
	}
	return f.Fix("use a wider dtype, or a value that fits")
}

// NotBeside is what is wrong with a Go scalar that does not fit the tile beside it.
func NotBeside(operands, value string, d dtype.DType) *diag.Diagnostic {
	return wrong("%s: %s does not fit %s", operands, value, d).
		Fix("convert the tile to a wider dtype first, or the value to one that fits")
}
