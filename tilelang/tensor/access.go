package tensor

import (
	"math"
	"reflect"

	"github.com/tiler-go/tiler/tilelang/cast"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor/stride"
)

// index is the storage index of the element that idx names.
func (x *Tensor) index(op string, idx []int) int {
	x.real(op)
	if len(idx) != len(x.shape) {
		fail("%s: index %s for %s, which has %d dimensions", op, dims(idx), x.desc(), len(x.shape))
	}
	off := x.off
	for k, i := range idx {
		if i < 0 || i >= x.shape[k] {
			fail("%s: index %s is outside %s", op, dims(idx), x.desc())
		}
		off += i * x.strides[k]
	}
	return off
}

// At is one element as a Go value: bool, int8 to uint64, float64, or float32, which
// also stands for the narrow floats. There is one index per dimension.
func (x *Tensor) At(idx ...int) any { return goValue(x.d, x.st.buf.Bits(x.index("At", idx))) }

// Float is one element as a float64; a bool is 0 or 1.
func (x *Tensor) Float(idx ...int) float64 {
	return toFloat(x.d, x.st.buf.Bits(x.index("Float", idx)))
}

// Int is one element as an int; a float must hold a whole number.
func (x *Tensor) Int(idx ...int) int {
	bits := x.st.buf.Bits(x.index("Int", idx))
	v, ok := toInt(x.d, bits)
	if !ok {
		fail("Int: element %s of %s is %v", dims(idx), x.desc(), goValue(x.d, bits))
	}
	return v
}

// toInt is the value of any bit pattern as an int, if it is one.
func toInt(d dtype.DType, bits uint64) (int, bool) {
	if d.IsFloat() {
		v := dtype.ToFloat(d, bits)
		if v != math.Trunc(v) || v < math.MinInt || v >= -float64(math.MinInt) {
			return 0, false
		}
		return int(v), true
	}
	v := dtype.ToInt(d, bits)
	return int(v), int64(int(v)) == v && (d.IsSigned() || v >= 0)
}

// Bool is whether one element is not zero.
func (x *Tensor) Bool(idx ...int) bool { return toFloat(x.d, x.st.buf.Bits(x.index("Bool", idx))) != 0 }

// Set stores v, a Go integer, float or bool, into one element, with the rules of
// Full.
func (x *Tensor) Set(v any, idx ...int) {
	i := x.index("Set", idx)
	x.st.buf.SetBits(i, scalar("Set", x.d, v))
	x.st.define(i, i+1)
}

// Floats is the elements in row-major order as float64: a copy.
func (x *Tensor) Floats() []float64 {
	b := x.must("Floats").Contiguous().span()
	out := make([]float64, b.Len())
	cast.Convert(dtype.BufOf(dtype.Float64, out), b)
	return out
}

// Ints is the elements in row-major order as int: a copy. Each must be a whole
// number that an int holds.
func (x *Tensor) Ints() []int {
	y := x.must("Ints").Contiguous()
	b := y.span()
	out := make([]int, b.Len())
	for i := range out {
		v, ok := toInt(y.d, b.Bits(i))
		if !ok {
			fail("Ints: element %s of %s is %v", dims(stride.Index(x.shape, i)), x.desc(), goValue(y.d, b.Bits(i)))
		}
		out[i] = v
	}
	return out
}

// Data is the memory of a contiguous tensor as a Go slice, not a copy. T must be
// x's type: float32 for Float32, bool for Bool, int64 or int for Int64, and uint16
// or uint8 for the bit patterns of narrow floats. Since it hands the memory out, it
// marks x as defined.
func Data[T Elem](x *Tensor) []T { return x.data("Data", reflect.TypeFor[T]()).Interface().([]T) }

// Raw is Data for where type parameters are not at hand: []bool, []int8 to
// []uint64, []float32, []float64, and []uint16 or []uint8 for narrow floats.
func (x *Tensor) Raw() any { return x.data("Raw", rawTypes[x.must("Raw").d]).Interface() }

var rawTypes = [dtype.Count]reflect.Type{
	dtype.Bool:       reflect.TypeFor[bool](),
	dtype.Int8:       reflect.TypeFor[int8](),
	dtype.Int16:      reflect.TypeFor[int16](),
	dtype.Int32:      reflect.TypeFor[int32](),
	dtype.Int64:      reflect.TypeFor[int64](),
	dtype.Uint8:      reflect.TypeFor[uint8](),
	dtype.Uint16:     reflect.TypeFor[uint16](),
	dtype.Uint32:     reflect.TypeFor[uint32](),
	dtype.Uint64:     reflect.TypeFor[uint64](),
	dtype.Float8E5:   reflect.TypeFor[uint8](),
	dtype.Float8E4NV: reflect.TypeFor[uint8](),
	dtype.Float16:    reflect.TypeFor[uint16](),
	dtype.BFloat16:   reflect.TypeFor[uint16](),
	dtype.Float32:    reflect.TypeFor[float32](),
	dtype.Float64:    reflect.TypeFor[float64](),
}

// data is x's memory as a slice of type []elem.
func (x *Tensor) data(op string, elem reflect.Type) reflect.Value {
	x.must(op)
	if kindDType(elem.Kind()) != x.d && elem.Kind() != rawTypes[x.d].Kind() {
		fail("%s: elements of %s are %s in Go, not %s", op, x.desc(), rawTypes[x.d], elem)
	}
	if !x.IsContiguous() {
		fail("%s: %s with strides %s is not contiguous: call Contiguous() first, which copies", op, x.desc(), dims(x.strides))
	}
	x.MarkDefined()
	return reflect.SliceAt(elem, x.span().Pointer(), x.n)
}
