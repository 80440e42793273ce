package cell_test

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
)

func int32Wraps() string    { x := int32(math.MaxInt32); x++; return fmt.Sprint(x, x*x, -x) }
func uint8Wraps() string    { x := uint8(250); x += 10; y := uint8(0); y--; return fmt.Sprint(x, y) }
func int8Negate() string    { x := int8(-128); return fmt.Sprint(-x, x/-1) }
func uint32Sub() string     { a, b := uint32(1), uint32(2); return fmt.Sprint(a-b, b-a) }
func uint64Big() string     { x := uint64(math.MaxUint64); return fmt.Sprint(x, x/3, x%10, x>>63) }
func float32Rounds() string { a, b := float32(1<<24), float32(1); return fmt.Sprint(a+b, a*1.1, a/3) }
func float32Sum() string {
	var s float32
	for range 1000 {
		s += 0.1
	}
	return fmt.Sprint(s)
}
func float32Const() string { const a = 7; const b = 2; var f float32 = a / b; return fmt.Sprint(f) }
func typedConst() string   { const a float32 = 7; return fmt.Sprint(a/2, a/3) }
func untypedConst() string { const big = 1 << 100; return fmt.Sprint(big>>98, big/(1<<99), 7/2, 7/2.0) }
func iotaConsts() string {
	const (
		a = iota * 10
		b
		_
		c = 1 << iota
	)
	return fmt.Sprint(a, b, c)
}
func floatSpecials() string {
	z := 0.0
	n := math.NaN()
	//lint:ignore SA4012 comparing NaN is what is tested
	return fmt.Sprint(1/z, -1/z, n == n, n != n, n < 1, math.Signbit(-z), math.Copysign(0, -1))
}
func divisions() string     { a, b := -7, 2; return fmt.Sprint(a/b, a%b, 7/-b, -7%3) }
func intMinDivided() string { a, b := math.MinInt64, -1; return fmt.Sprint(a/b, a%b) }
func shifts() string        { a, s := uint32(1), 31; return fmt.Sprint(a<<s, a<<s>>3, int32(-8)>>1, 1<<s) }
func shiftsTooFar() string  { s := uint(70); a := -5; return fmt.Sprint(1<<s, a>>s, uint8(255)<<s) }
func shiftNegative() string { s := -1; return fmt.Sprint(1 << s) }
func shiftUntyped() string {
	s := uint(3)
	var f = float64(int(1) << s)
	var b byte = 1 << s
	return fmt.Sprint(f, b)
}
func bitwise() string { a, b := 0b1100, 0b1010; return fmt.Sprint(a&b, a|b, a^b, a&^b, ^a) }
func opAssigns() string {
	x := 10
	x <<= 2
	x |= 1
	x ^= 3
	x &^= 8
	x %= 17
	x /= 2
	x -= 4
	x *= -3
	return fmt.Sprint(x)
}
func conversions() string {
	f, n := 3.99, 1<<40+5
	return fmt.Sprint(int(f), int(-f), int32(n), uint8(n), float32(f), int64(f*1e9), uint16(65535+n))
}
func conversionsOutside() string {
	type small int16
	s := ""
	for _, e := range []float64{0, 1 << 7, 1 << 8, 1 << 15, 1 << 16, 1 << 31, 1 << 32, 1 << 53, 1 << 63, 1 << 64, 1e10, 1e30, math.Inf(1), math.NaN()} {
		for _, f := range []float64{e, -e, e - 0.5, e + 1, -e - 1, e * 1.7, e * -1.7} {
			h := float32(f)
			s += fmt.Sprintln(int(f), int8(f), int16(f), int32(f), int64(f), uint(f), uint8(f), uint16(f), uint32(f), uint64(f), uintptr(f))
			s += fmt.Sprintln(int(h), int8(h), int16(h), int32(h), int64(h), uint(h), uint8(h), uint16(h), uint32(h), uint64(h), small(h))
		}
	}
	return s
}
func negConversions() string { x := -1; return fmt.Sprint(uint8(x), uint16(x), uint64(x)) }
func divideByZero() string   { x := 0; return fmt.Sprint(1 / x) }
func moduloByZero() string   { x := int8(0); return fmt.Sprint(int8(1) % x) }
func complexNumbers() string {
	c := complex(1, 2)
	d := c * c
	d += 1
	return fmt.Sprint(c, d, real(d), imag(d), c == complex(1, 2), 3i*c)
}
func minMax() string {
	a, b, n := 3, 7, math.NaN()
	return fmt.Sprint(min(a, b), max(a, b, 5), min(2.5, float64(a)), max("a", "b"), min(n, 1), max(uint8(3), 4))
}
func literals() string       { return fmt.Sprint(0x1p-2, 1e3, 0b11, 0o17, 1_000, 'a', '\n', 0xFF) }
func runeArithmetic() string { r := 'a'; r += 2; return fmt.Sprint(string(r), r-'a', r) }
func bitsPackage() string {
	hi, lo := bits.Mul64(1<<63, 6)
	return fmt.Sprint(hi, lo, bits.OnesCount(255), bits.Len(1000))
}
func parsing() string {
	n, err := strconv.Atoi("12x")
	f, err2 := strconv.ParseFloat("2.5", 64)
	return fmt.Sprint(n, err, f, err2, strconv.Quote("a\n"), strconv.FormatInt(-255, 16))
}
func horner() string {
	cs := []float64{1, -0.5, 1.0 / 3, -0.25}
	y := 0.0
	for i := len(cs) - 1; i >= 0; i-- {
		y = y*0.3 + cs[i]
	}
	return fmt.Sprint(y)
}
func negativeResult() string {
	neg := func(n int) any { return -n }
	not := func(b bool) any { return !b }
	sh := func(n uint) any { return 1 << n }
	cmp := func(a, b int) any { return a < b }
	return fmt.Sprint(neg(3), not(true), sh(4), cmp(1, 2))
}
func negativeAssigned() string {
	var a any
	n := 5
	a = -n
	var b any = ^n
	return fmt.Sprint(a, b)
}
func comparisonChain() string {
	a, b, c := true, false, true
	return fmt.Sprint(a && (b || !c) || (a != b) == c)
}
func mathFunctions() string {
	return fmt.Sprint(math.Sqrt(2), math.Floor(-1.5), math.Mod(7, 3), math.Inf(-1), math.MaxInt64, math.Pi)
}
func bigLoop() string {
	s := 0
	for i := 0; i < 1000; i++ {
		if i%7 == 3 {
			s += i * i
		} else {
			s ^= i
		}
	}
	return fmt.Sprint(s)
}

var numberPrograms = []func() string{
	int32Wraps, uint8Wraps, int8Negate, uint32Sub, uint64Big, float32Rounds, float32Sum, float32Const, typedConst,
	untypedConst, iotaConsts, floatSpecials, divisions, intMinDivided, shifts, shiftsTooFar, shiftNegative, shiftUntyped, bitwise,
	opAssigns, conversions, negConversions, conversionsOutside, divideByZero, moduloByZero, complexNumbers, minMax, literals, runeArithmetic,
	bitsPackage, parsing, horner, negativeResult, negativeAssigned, comparisonChain, mathFunctions, bigLoop,
}
