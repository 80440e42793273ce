package dtype

import "fmt"

// Class is the promotion rule an operator follows.
type Class uint8

// The classes.
const (
	Arith    Class = iota // + - * where, and what has no rule of its own
	Bitwise               // & | ^ << >>: integers only
	Compare               // promoted as Arith; the result is Bool
	Divide                // / : integers become float32
	FloorDiv              // integers only
	Modulo                // as Divide for floats, as Arith for integers
	Extremum              // minimum maximum: bfloat16 becomes float32 before promotion
)

// signSensitive reports whether operands of different signedness are refused.
func (c Class) signSensitive() bool { return c == Divide || c == FloorDiv || c == Modulo }

// Promote is the type in which an operator of class c works on operands of types
// x and y, and an error that says which rule they break.
func Promote(c Class, x, y DType) (DType, error) {
	if !x.Valid() || !y.Valid() || x.IsPointer() || y.IsPointer() {
		return Invalid, fmt.Errorf("%s and %s do not combine", x, y)
	}
	if c == Extremum {
		x, y = extremumOperand(x), extremumOperand(y)
	}
	if x.IsFloat() || y.IsFloat() {
		return promoteFloat(c, x, y)
	}
	if c.signSensitive() && x.IsSigned() != y.IsSigned() {
		return Invalid, fmt.Errorf("%s and %s differ in signedness", x, y)
	}
	d := promoteInt(x, y)
	if c == Divide {
		return Float32, nil
	}
	return d, nil
}

func extremumOperand(d DType) DType {
	if d == BFloat16 {
		return Float32
	}
	return d
}

func promoteFloat(c Class, x, y DType) (DType, error) {
	if c == Bitwise || c == FloorDiv {
		return Invalid, fmt.Errorf("%s and %s: integers only", x, y)
	}
	if (x.IsFP8() && y.IsInt()) || (y.IsFP8() && x.IsInt()) {
		return Invalid, fmt.Errorf("%s and %s do not combine; cast one of them", x, y)
	}
	switch {
	case x == Float64 || y == Float64:
		return Float64, nil
	case c == Divide || c == Modulo:
		return Float32, nil
	case x == Float32 || y == Float32:
		return Float32, nil
	case x == Float16 || y == Float16:
		return Float16, nil
	case x == BFloat16 && y == BFloat16:
		return BFloat16, nil
	case x == BFloat16 || y == BFloat16:
		return Float32, nil
	case x == y: // the same fp8
		return x, nil
	}
	return Float16, nil // two different fp8
}

// promoteInt is C's usual arithmetic conversion: the wider one; of mixed sign the
// unsigned one if it is at least as wide, else the signed one.
func promoteInt(x, y DType) DType {
	if x.IsSigned() == y.IsSigned() {
		if x.Bits() >= y.Bits() {
			return x
		}
		return y
	}
	signed, unsigned := x, y
	if y.IsSigned() {
		signed, unsigned = y, x
	}
	if unsigned.Bits() >= signed.Bits() {
		return unsigned
	}
	return signed
}

// PromoteLiteral is the type in which an operator of class c works on a tile of
// type d and a Go scalar of kind k, and the type the scalar itself takes first.
// A scalar of lower or equal kind takes the tile's type. One of higher kind, or
// any that is compared, takes a type of its own, which never depends on its value:
// int32, or int64 beside 64 bits; float32, or float64 beside float64.
func PromoteLiteral(c Class, d DType, k Kind) (result, scalar DType, err error) {
	if c == Extremum {
		d = extremumOperand(d)
	}
	if k <= d.Kind() && (c != Compare || k == KindBool) {
		result, err = Promote(c, d, d)
		if d.IsInt() {
			return result, d, err // it must fit d, also where / goes on in float32
		}
		return result, result, err
	}
	scalar = literalType(d, k)
	result, err = Promote(c, d, scalar)
	return result, scalar, err
}

func literalType(d DType, k Kind) DType {
	switch k {
	case KindBool:
		return Bool
	case KindInt:
		if d.Bits() == 64 {
			return Int64
		}
		return Int32
	}
	if d == Float64 {
		return Float64
	}
	return Float32
}
