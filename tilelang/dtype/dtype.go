// Package dtype defines the element types of tiles and tensors: their names and
// sizes, how two of them combine (promotion), and how a value of one becomes a
// value of another (rounding, saturation, bit patterns).
//
// Everything here is exact and decided in one place: every cast rounds once, to
// nearest even unless asked otherwise; a float that does not fit an integer
// saturates and NaN becomes 0; subnormals are kept. The narrow floats (float16,
// bfloat16 and the two fp8 formats) have no arithmetic of their own: they are
// storage, widened to float32 for an operation and rounded back after it.
package dtype

import "fmt"

// DType is an element type. The zero value is Invalid.
type DType uint8

// The element types, in Triton's order of kinds: bool, integers, floats.
const (
	Invalid    DType = iota
	Bool             // Triton's int1: unsigned, width 1, stored as one byte 0 or 1
	Int8             //
	Int16            //
	Int32            //
	Int64            //
	Uint8            //
	Uint16           //
	Uint32           //
	Uint64           //
	Float8E5         // 1-5-2, IEEE-like: has infinities
	Float8E4NV       // 1-4-3, e4m3fn: no infinities, one NaN pattern, max 448
	Float16          //
	BFloat16         //
	Float32          //
	Float64          //
	Count            // number of element types, for tables indexed by DType
)

// pointer marks "pointer to element type d".
const pointer DType = 0x40

// Kind orders element types for promotion: bool < integer < float.
type Kind uint8

// The kinds.
const (
	KindBool Kind = iota
	KindInt
	KindFloat
)

type facts struct {
	name   string // Triton's name, as golden files and messages spell it
	short  string // as in f32[16,64]
	size   int    // bytes of one element in memory
	bits   int    // width that arithmetic wraps at
	kind   Kind
	signed bool
}

var table = [Count]facts{
	Invalid:    {"invalid", "?", 0, 0, KindBool, false},
	Bool:       {"bool", "bool", 1, 1, KindBool, false},
	Int8:       {"int8", "i8", 1, 8, KindInt, true},
	Int16:      {"int16", "i16", 2, 16, KindInt, true},
	Int32:      {"int32", "i32", 4, 32, KindInt, true},
	Int64:      {"int64", "i64", 8, 64, KindInt, true},
	Uint8:      {"uint8", "u8", 1, 8, KindInt, false},
	Uint16:     {"uint16", "u16", 2, 16, KindInt, false},
	Uint32:     {"uint32", "u32", 4, 32, KindInt, false},
	Uint64:     {"uint64", "u64", 8, 64, KindInt, false},
	Float8E5:   {"float8e5", "f8e5", 1, 8, KindFloat, true},
	Float8E4NV: {"float8e4nv", "f8e4nv", 1, 8, KindFloat, true},
	Float16:    {"float16", "f16", 2, 16, KindFloat, true},
	BFloat16:   {"bfloat16", "bf16", 2, 16, KindFloat, true},
	Float32:    {"float32", "f32", 4, 32, KindFloat, true},
	Float64:    {"float64", "f64", 8, 64, KindFloat, true},
}

// All lists the element types in order.
func All() []DType {
	all := make([]DType, 0, Count-1)
	for d := Bool; d < Count; d++ {
		all = append(all, d)
	}
	return all
}

// Parse returns the element type with the given name, long (float32) or short (f32).
func Parse(name string) (DType, error) {
	if len(name) > 1 && name[0] == '*' {
		d, err := Parse(name[1:])
		return PointerTo(d), err
	}
	for d := Bool; d < Count; d++ {
		if table[d].name == name || table[d].short == name {
			return d, nil
		}
	}
	return Invalid, fmt.Errorf("unknown dtype %q", name)
}

// PointerTo is the type of a pointer to elements of type d.
func PointerTo(d DType) DType { return d | pointer }

// IsPointer reports whether d is a pointer type.
func (d DType) IsPointer() bool { return d&pointer != 0 }

// Elem is what a pointer type points to; an element type is its own Elem.
func (d DType) Elem() DType { return d &^ pointer }

// Valid reports whether d is an element type or a pointer to one.
func (d DType) Valid() bool { return d.Elem() > Invalid && d.Elem() < Count }

func (d DType) facts() *facts {
	if d.Elem() < Count {
		return &table[d.Elem()]
	}
	return &table[Invalid]
}

// String is the long name: float32, or *float32 for a pointer.
func (d DType) String() string {
	if d.IsPointer() {
		return "*" + d.facts().name
	}
	return d.facts().name
}

// Short is the name used in shapes: f32[16,64].
func (d DType) Short() string {
	if d.IsPointer() {
		return "*" + d.facts().short
	}
	return d.facts().short
}

// Size is the bytes of one element; a pointer is held as an 8-byte element offset.
func (d DType) Size() int {
	if d.IsPointer() {
		return 8
	}
	return d.facts().size
}

// Bits is the width at which integer arithmetic wraps: 1 for Bool.
func (d DType) Bits() int {
	if d.IsPointer() {
		return 64
	}
	return d.facts().bits
}

// Kind is d's place in bool < integer < float.
func (d DType) Kind() Kind { return d.facts().kind }

// IsFloat reports whether d is a floating-point type, narrow ones included.
func (d DType) IsFloat() bool { return !d.IsPointer() && d.facts().kind == KindFloat }

// IsInt reports whether d is an integer type or Bool, which counts as unsigned.
func (d DType) IsInt() bool { return !d.IsPointer() && d.Valid() && d.facts().kind != KindFloat }

// IsSigned reports whether d is a signed integer or a float.
func (d DType) IsSigned() bool { return d.facts().signed }

// IsFP8 reports whether d is one of the 8-bit floats.
func (d DType) IsFP8() bool { return d == Float8E5 || d == Float8E4NV }

// IsNarrow reports whether d is a float without arithmetic of its own: it is
// widened to float32 for an operation and rounded back after it.
func (d DType) IsNarrow() bool { return d >= Float8E5 && d <= BFloat16 }

// Compute is the type in which arithmetic on d is carried out.
func (d DType) Compute() DType {
	if d.IsNarrow() {
		return Float32
	}
	return d
}

// WithSign is the integer type of d's width with the given signedness.
func (d DType) WithSign(signed bool) DType {
	switch {
	case d >= Int8 && d <= Int64 && !signed:
		return d - Int8 + Uint8
	case d >= Uint8 && d <= Uint64 && signed:
		return d - Uint8 + Int8
	}
	return d
}

// IntBits is the signed integer type of the given width.
func IntBits(bits int) DType {
	for d := Int8; d <= Int64; d++ {
		if table[d].bits == bits {
			return d
		}
	}
	return Invalid
}

// MinInt and MaxInt are the range of an integer type; MaxInt of uint64 is given
// as a uint64 because it does not fit an int64.
func (d DType) MinInt() int64 {
	if d.IsInt() && d.IsSigned() {
		return -1 << (d.Bits() - 1)
	}
	return 0
}

// MaxInt is the largest value of an integer type.
func (d DType) MaxInt() uint64 {
	if !d.IsInt() {
		return 0
	}
	if d.IsSigned() {
		return 1<<(d.Bits()-1) - 1
	}
	return 1<<d.Bits() - 1
}

// FitsInt reports whether v is a value of the integer type d.
func (d DType) FitsInt(v int64) bool {
	return d.IsInt() && v >= d.MinInt() && (v < 0 || uint64(v) <= d.MaxInt())
}
