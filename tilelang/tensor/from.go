package tensor

import (
	"reflect"
	"strconv"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Elem is the Go types whose slices can be the memory of a tensor.
type Elem interface {
	dtype.Elem | ~int | ~uint | ~bool
}

// From is the memory of data, not a copy, as a tensor: []float32 is Float32, []bool
// is Bool, []int is Int64 (Int32 where Go's int has 32 bits), and so on. Without a
// shape it has one dimension; -1 in the shape is inferred.
func From[T Elem](data []T, shape ...int) *Tensor { return of("From", reflect.ValueOf(data), shape) }

// Of is From for any value: a flat slice is used as it is, a nested one such as
// [][]float32 is copied, its lengths are the shape, and a number or bool makes rank
// 0. It is also what there is where type parameters are not at hand.
func Of(data any, shape ...int) *Tensor { return of("Of", reflect.ValueOf(data), shape) }

func of(op string, v reflect.Value, shape []int) *Tensor {
	if !v.IsValid() {
		fail("%s: no data: nil", op)
	}
	elem := v.Type()
	depth := 0
	for ; elem.Kind() == reflect.Slice || elem.Kind() == reflect.Array; elem = elem.Elem() {
		depth++
	}
	d := kindDType(elem.Kind())
	if d == dtype.Invalid || depth > MaxRank {
		fail("%s: a %s is not numbers or bools", op, v.Type())
	}
	if depth == 1 && v.Kind() == reflect.Slice {
		return reshaped(op, dtype.RawBuf(d, v.UnsafePointer(), v.Len()), shape)
	}
	x := alloc(op, d, nested(v, depth))
	x.nest(op, v, 0, 0)
	if len(shape) > 0 {
		return x.Reshape(shape...)
	}
	return x
}

// nested is the lengths of v's slices, along the first of each.
func nested(v reflect.Value, depth int) []int {
	shape := make([]int, depth)
	for k := range shape {
		shape[k] = v.Len()
		if shape[k] == 0 {
			break
		}
		v = v.Index(0)
	}
	return shape
}

// nest stores the numbers in v, which is dimensions k and on, from element i; it is
// the number of the element after them.
func (x *Tensor) nest(op string, v reflect.Value, k, i int) int {
	if k == len(x.shape) {
		x.st.buf.SetBits(i, scalar(op, x.d, v.Interface()))
		return i + 1
	}
	if v.Len() != x.shape[k] {
		fail("%s: the lengths of the %s differ within dimension %d: %d and %d", op, v.Type(), k, x.shape[k], v.Len())
	}
	for e := range v.Len() {
		i = x.nest(op, v.Index(e), k+1, i)
	}
	return i
}

// reshaped is a tensor over b.
func reshaped(op string, b dtype.Buf, shape []int) *Tensor {
	if len(shape) == 0 {
		return wrap(b, []int{b.Len()})
	}
	return wrap(b, infer(op, b.Len(), shape, func() string {
		return "the slice of " + strconv.Itoa(b.Len()) + " elements"
	}))
}

// kindDType is the dtype with the memory of a Go type.
func kindDType(k reflect.Kind) dtype.DType {
	switch {
	case k == reflect.Int && strconv.IntSize == 32:
		return dtype.Int32
	case k == reflect.Uint && strconv.IntSize == 32:
		return dtype.Uint32
	}
	return kinds[k]
}

var kinds = [reflect.UnsafePointer + 1]dtype.DType{
	reflect.Bool:    dtype.Bool,
	reflect.Int:     dtype.Int64,
	reflect.Int8:    dtype.Int8,
	reflect.Int16:   dtype.Int16,
	reflect.Int32:   dtype.Int32,
	reflect.Int64:   dtype.Int64,
	reflect.Uint:    dtype.Uint64,
	reflect.Uint8:   dtype.Uint8,
	reflect.Uint16:  dtype.Uint16,
	reflect.Uint32:  dtype.Uint32,
	reflect.Uint64:  dtype.Uint64,
	reflect.Float32: dtype.Float32,
	reflect.Float64: dtype.Float64,
}

// FromBits is the memory of bits, not a copy, as bit patterns of type d: []uint16
// for Float16 and BFloat16, []uint8 for the 8-bit floats, any unsigned slice of the
// right width for the other types but Bool.
func FromBits(d dtype.DType, bits any, shape ...int) *Tensor {
	v := reflect.ValueOf(bits)
	if !v.IsValid() || v.Kind() != reflect.Slice {
		fail("FromBits: a %T is not a slice of unsigned integers", bits)
	}
	from := kindDType(v.Type().Elem().Kind())
	if d.IsPointer() || !d.Valid() || d == dtype.Bool {
		fail("FromBits: %s is not a type made from bits", d)
	}
	if from == dtype.Invalid || from.IsFloat() || from.IsSigned() || from == dtype.Bool || from.Size() != d.Size() {
		fail("FromBits: a %T does not hold bits of %s", bits, d)
	}
	return reshaped("FromBits", dtype.RawBuf(d, v.UnsafePointer(), v.Len()), shape)
}

// FromBytes is memory, not copied, as a tensor of one dimension. b holds a whole number of elements
// in the machine's byte order, and begins at a multiple of their size.
func FromBytes(d dtype.DType, b []byte) *Tensor {
	size := d.Size()
	if !d.Valid() || d.IsPointer() || len(b)%size != 0 {
		fail("FromBytes: %d bytes are no elements of %s", len(b), d)
	}
	return wrap(dtype.BytesBuf(d, b), []int{len(b) / size})
}

// Bitcast is x with its bit patterns read as another type of the same width: a view.
func (x *Tensor) Bitcast(d dtype.DType) *Tensor {
	x.must("Bitcast")
	if d.IsPointer() || d.Size() != x.d.Size() || d == dtype.Bool && x.d != dtype.Bool {
		fail("Bitcast: the bits of %s are not those of %s", x.desc(), d)
	}
	y := x.view(x.shape, x.strides, x.off)
	y.d = d
	return y
}

// Float16s rounds values to float16 and gives their bit patterns.
func Float16s(v []float32) []uint16 { return mapSlice(v, dtype.ToFloat16) }

// FromFloat16s is the values of float16 bit patterns.
func FromFloat16s(bits []uint16) []float32 { return mapSlice(bits, dtype.FromFloat16) }

// BFloat16s rounds values to bfloat16 and gives their bit patterns.
func BFloat16s(v []float32) []uint16 { return mapSlice(v, dtype.ToBFloat16) }

// FromBFloat16s is the values of bfloat16 bit patterns.
func FromBFloat16s(bits []uint16) []float32 { return mapSlice(bits, dtype.FromBFloat16) }

func mapSlice[S, D any](v []S, fn func(S) D) []D {
	out := make([]D, len(v))
	for i, e := range v {
		out[i] = fn(e)
	}
	return out
}
