package primitive

import "github.com/tiler-go/tiler/tilelang/dtype"

// Which loop serves which element type, for the operation that a function is named
// after. Wrapping ones do not care about signedness, so both signs of a width share a
// loop; Bool is arithmetic modulo 2.

// ints2 puts a loop per width into the cells of both signs.
func ints2(l Loops, f8 func(z, x, y []uint8), f16 func(z, x, y []uint16), f32 func(z, x, y []uint32), f64 func(z, x, y []uint64)) Loops {
	for i, f := range []Loop{loop2(f8), loop2(f16), loop2(f32), loop2(f64)} {
		l[dtype.Int8+dtype.DType(i)], l[dtype.Uint8+dtype.DType(i)] = f, f
	}
	return l
}

func floats2(l Loops, f32 func(z, x, y []float32), f64 func(z, x, y []float64)) Loops {
	l[dtype.Float32], l[dtype.Float64] = loop2(f32), loop2(f64)
	return l
}

func Add() (l Loops) {
	l[dtype.Bool] = loop2(xor[uint8])
	return floats2(ints2(l, add[uint8], add[uint16], add[uint32], add[uint64]), add[float32], add[float64])
}

func Sub() (l Loops) {
	l[dtype.Bool] = loop2(xor[uint8])
	return floats2(ints2(l, sub[uint8], sub[uint16], sub[uint32], sub[uint64]), sub[float32], sub[float64])
}

func Mul() (l Loops) {
	l[dtype.Bool] = loop2(and[uint8])
	return floats2(ints2(l, mul[uint8], mul[uint16], mul[uint32], mul[uint64]), mul[float32], mul[float64])
}

func Div() (l Loops) { return floats2(l, divFloat[float32], divFloat[float64]) }

// The bits of integers; on Bool the operation is logical.

func And() Loops { return bitLoops(and[uint8], and[uint16], and[uint32], and[uint64]) }
func Or() Loops  { return bitLoops(or[uint8], or[uint16], or[uint32], or[uint64]) }
func Xor() Loops { return bitLoops(xor[uint8], xor[uint16], xor[uint32], xor[uint64]) }

func bitLoops(f8 func(z, x, y []uint8), f16 func(z, x, y []uint16), f32 func(z, x, y []uint32), f64 func(z, x, y []uint64)) (l Loops) {
	l[dtype.Bool] = loop2(f8)
	return ints2(l, f8, f16, f32, f64)
}

func FloorDiv() Loops {
	return Loops{
		dtype.Bool: loop2(divInt[uint8]),
		dtype.Int8: loop2(divInt[int8]), dtype.Int16: loop2(divInt[int16]), dtype.Int32: loop2(divInt[int32]), dtype.Int64: loop2(divInt[int64]),
		dtype.Uint8: loop2(divInt[uint8]), dtype.Uint16: loop2(divInt[uint16]), dtype.Uint32: loop2(divInt[uint32]), dtype.Uint64: loop2(divInt[uint64]),
	}
}

func Mod() Loops {
	return floats2(Loops{
		dtype.Bool: loop2(modInt[uint8]),
		dtype.Int8: loop2(modInt[int8]), dtype.Int16: loop2(modInt[int16]), dtype.Int32: loop2(modInt[int32]), dtype.Int64: loop2(modInt[int64]),
		dtype.Uint8: loop2(modInt[uint8]), dtype.Uint16: loop2(modInt[uint16]), dtype.Uint32: loop2(modInt[uint32]), dtype.Uint64: loop2(modInt[uint64]),
	}, modFloat[float32], modFloat[float64])
}

func Shl() Loops {
	return Loops{
		dtype.Bool: loop2(shiftBool),
		dtype.Int8: loop2(shl[int8]), dtype.Int16: loop2(shl[int16]), dtype.Int32: loop2(shl[int32]), dtype.Int64: loop2(shl[int64]),
		dtype.Uint8: loop2(shl[uint8]), dtype.Uint16: loop2(shl[uint16]), dtype.Uint32: loop2(shl[uint32]), dtype.Uint64: loop2(shl[uint64]),
	}
}

func Shr() Loops {
	return Loops{
		dtype.Bool: loop2(shiftBool),
		dtype.Int8: loop2(shr[int8]), dtype.Int16: loop2(shr[int16]), dtype.Int32: loop2(shr[int32]), dtype.Int64: loop2(shr[int64]),
		dtype.Uint8: loop2(shr[uint8]), dtype.Uint16: loop2(shr[uint16]), dtype.Uint32: loop2(shr[uint32]), dtype.Uint64: loop2(shr[uint64]),
	}
}

// shiftBool shifts one bit: any count but 0 shifts it out.
func shiftBool(z, x, y []uint8) {
	for i := range z {
		z[i] = x[i] &^ y[i]
	}
}

func Lt() Loops {
	return Loops{
		dtype.Bool: loop2(lt[uint8]),
		dtype.Int8: loop2(lt[int8]), dtype.Int16: loop2(lt[int16]), dtype.Int32: loop2(lt[int32]), dtype.Int64: loop2(lt[int64]),
		dtype.Uint8: loop2(lt[uint8]), dtype.Uint16: loop2(lt[uint16]), dtype.Uint32: loop2(lt[uint32]), dtype.Uint64: loop2(lt[uint64]),
		dtype.Float32: loop2(lt[float32]), dtype.Float64: loop2(lt[float64]),
	}
}

func Le() Loops {
	return Loops{
		dtype.Bool: loop2(le[uint8]),
		dtype.Int8: loop2(le[int8]), dtype.Int16: loop2(le[int16]), dtype.Int32: loop2(le[int32]), dtype.Int64: loop2(le[int64]),
		dtype.Uint8: loop2(le[uint8]), dtype.Uint16: loop2(le[uint16]), dtype.Uint32: loop2(le[uint32]), dtype.Uint64: loop2(le[uint64]),
		dtype.Float32: loop2(le[float32]), dtype.Float64: loop2(le[float64]),
	}
}

func Gt() Loops { return swapped(Lt()) }
func Ge() Loops { return swapped(Le()) }

// swapped exchanges the two operands.
func swapped(l Loops) Loops {
	for d, f := range l {
		if f != nil {
			l[d] = func(z, x, y, _ dtype.Buf) { f(z, y, x, dtype.Buf{}) }
		}
	}
	return l
}

func Eq() Loops {
	return Loops{
		dtype.Bool: loop2(eq[uint8]),
		dtype.Int8: loop2(eq[uint8]), dtype.Int16: loop2(eq[uint16]), dtype.Int32: loop2(eq[uint32]), dtype.Int64: loop2(eq[uint64]),
		dtype.Uint8: loop2(eq[uint8]), dtype.Uint16: loop2(eq[uint16]), dtype.Uint32: loop2(eq[uint32]), dtype.Uint64: loop2(eq[uint64]),
		dtype.Float32: loop2(eq[float32]), dtype.Float64: loop2(eq[float64]),
	}
}

func Ne() Loops {
	return Loops{
		dtype.Bool: loop2(ne[uint8]),
		dtype.Int8: loop2(ne[uint8]), dtype.Int16: loop2(ne[uint16]), dtype.Int32: loop2(ne[uint32]), dtype.Int64: loop2(ne[uint64]),
		dtype.Uint8: loop2(ne[uint8]), dtype.Uint16: loop2(ne[uint16]), dtype.Uint32: loop2(ne[uint32]), dtype.Uint64: loop2(ne[uint64]),
		dtype.Float32: loop2(ne[float32]), dtype.Float64: loop2(ne[float64]),
	}
}

func Maximum() Loops {
	return floats2(Loops{
		dtype.Bool: loop2(maxInt[uint8]),
		dtype.Int8: loop2(maxInt[int8]), dtype.Int16: loop2(maxInt[int16]), dtype.Int32: loop2(maxInt[int32]), dtype.Int64: loop2(maxInt[int64]),
		dtype.Uint8: loop2(maxInt[uint8]), dtype.Uint16: loop2(maxInt[uint16]), dtype.Uint32: loop2(maxInt[uint32]), dtype.Uint64: loop2(maxInt[uint64]),
	}, max32, max64)
}

func Minimum() Loops {
	return floats2(Loops{
		dtype.Bool: loop2(minInt[uint8]),
		dtype.Int8: loop2(minInt[int8]), dtype.Int16: loop2(minInt[int16]), dtype.Int32: loop2(minInt[int32]), dtype.Int64: loop2(minInt[int64]),
		dtype.Uint8: loop2(minInt[uint8]), dtype.Uint16: loop2(minInt[uint16]), dtype.Uint32: loop2(minInt[uint32]), dtype.Uint64: loop2(minInt[uint64]),
	}, min32, min64)
}

func MaximumNaN() Loops { return floats2(Maximum(), maxNaN32, maxNaN64) }
func MinimumNaN() Loops { return floats2(Minimum(), minNaN32, minNaN64) }

func UMulHi() Loops {
	return Loops{
		dtype.Int32: loop2(umulhi32[int32]), dtype.Uint32: loop2(umulhi32[uint32]),
		dtype.Int64: loop2(umulhi64[int64]), dtype.Uint64: loop2(umulhi64[uint64]),
	}
}

func Where() (l Loops) {
	bySize := map[int]Loop{1: where[uint8], 2: where[uint16], 4: where[uint32], 8: where[uint64]}
	for d := dtype.Bool; d < dtype.Count; d++ {
		l[d] = bySize[d.Size()]
	}
	return l
}

func FMA() (l Loops) {
	for d := dtype.Float8E5; d <= dtype.BFloat16; d++ {
		l[d] = fmaNarrow(d)
	}
	l[dtype.Float32], l[dtype.Float64] = loop3(fma32), loop3(fma64)
	return l
}

func Neg() Loops {
	return Loops{
		dtype.Bool: loop1(copyLanes[uint8]),
		dtype.Int8: loop1(neg[int8]), dtype.Int16: loop1(neg[int16]), dtype.Int32: loop1(neg[int32]), dtype.Int64: loop1(neg[int64]),
		dtype.Uint8: loop1(neg[uint8]), dtype.Uint16: loop1(neg[uint16]), dtype.Uint32: loop1(neg[uint32]), dtype.Uint64: loop1(neg[uint64]),
		dtype.Float8E5: flipSign[uint8](0x80), dtype.Float8E4NV: flipSign[uint8](0x80),
		dtype.Float16: flipSign[uint16](0x8000), dtype.BFloat16: flipSign[uint16](0x8000),
		dtype.Float32: loop1(neg[float32]), dtype.Float64: loop1(neg[float64]),
	}
}

func flipSign[T unsigned](sign T) Loop {
	return loop1(func(z, x []T) {
		x = x[:len(z)]
		for i := range z {
			z[i] = x[i] ^ sign
		}
	})
}

func dropSign[T unsigned](sign T) Loop {
	return loop1(func(z, x []T) {
		x = x[:len(z)]
		for i := range z {
			z[i] = x[i] &^ sign
		}
	})
}

func Not() (l Loops) {
	l[dtype.Bool] = flipSign[uint8](1)
	for i, f := range []Loop{loop1(not[uint8]), loop1(not[uint16]), loop1(not[uint32]), loop1(not[uint64])} {
		l[dtype.Int8+dtype.DType(i)], l[dtype.Uint8+dtype.DType(i)] = f, f
	}
	return l
}

func Abs() Loops {
	return Loops{
		dtype.Bool: loop1(copyLanes[uint8]),
		dtype.Int8: loop1(absInt[int8]), dtype.Int16: loop1(absInt[int16]), dtype.Int32: loop1(absInt[int32]), dtype.Int64: loop1(absInt[int64]),
		dtype.Uint8: loop1(copyLanes[uint8]), dtype.Uint16: loop1(copyLanes[uint16]), dtype.Uint32: loop1(copyLanes[uint32]), dtype.Uint64: loop1(copyLanes[uint64]),
		dtype.Float8E5: dropSign[uint8](0x80), dtype.Float8E4NV: dropSign[uint8](0x80),
		dtype.Float16: dropSign[uint16](0x8000), dtype.BFloat16: dropSign[uint16](0x8000),
		dtype.Float32: dropSign[uint32](1 << 31), dtype.Float64: dropSign[uint64](1 << 63),
	}
}

func floats1(f32 func(z, x []float32), f64 func(z, x []float64)) (l Loops) {
	l[dtype.Float32], l[dtype.Float64] = loop1(f32), loop1(f64)
	return l
}

func Floor() Loops { return floats1(floor32, floor64) }
func Ceil() Loops  { return floats1(ceil32, ceil64) }
func Trunc() Loops { return floats1(trunc32, trunc64) }
func Rint() Loops  { return floats1(rint32, rint64) }
func Sqrt() Loops  { return floats1(sqrt32, sqrt64) }
func Scale() Loops { return floats2(Loops{}, scale32, scale64) }
