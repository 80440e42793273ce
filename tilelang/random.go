package tilelang

import (
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// Random numbers are functions of a seed and an offset: the same offset under the
// same seed gives the same number, in any instance and order. The bits are Triton's.

// RandInt is 32 random bits per offset, as uint32.
func RandInt(seed, offset any) Tile { return philox("tl.RandInt", op.RandInt, seed, offset) }

// RandInt4x is four independent RandInts for little more than the price of one.
func RandInt4x(seed, offset any) (a, b, c, d Tile) {
	const name = "tl.RandInt4x"
	return philox(name, op.RandInt, seed, offset), philox(name, op.RandInt1, seed, offset),
		philox(name, op.RandInt2, seed, offset), philox(name, op.RandInt3, seed, offset)
}

// Rand is uniform in [0, 1), as float32.
func Rand(seed, offset any) Tile { return philox("tl.Rand", op.Rand, seed, offset) }

// Randn is standard normal, as float32.
func Randn(seed, offset any) Tile { return philox("tl.Randn", op.Randn, seed, offset) }

// philox runs a random op: the counter is the offset's low and high words (the high
// one 0 for offsets of up to 32 bits), the key the seed's, sign-extended.
func philox(name string, o op.Op, seed, offset any) Tile {
	off, s := randOperand(name, "offset", offset), randOperand(name, "seed", seed)
	c1 := newScalar(Uint32, 0) // c0 and k0 are the low words: what a conversion to uint32 leaves
	if off.dt.Bits() == 64 {
		c1 = highWord(off)
	}
	shape := shapeOf(name, off, s)
	z := elementwise(name, o, Uint32, shape, off, c1, s, highWord(s.converted(Int64)))
	return tile(z)
}

func highWord(t *node) *node {
	return binary("tl", op.Shr, tile(t.converted(Uint64)), 32).t.converted(Uint32)
}

// randOperand is a seed or offset: an integer tile, or a Go int as int32 if it fits.
func randOperand(name, what string, v any) *node {
	checkOperand(name, v)
	switch v := v.(type) {
	case int:
		d := Int64
		if Int32.FitsInt(int64(v)) {
			d = Int32
		}
		return newScalar(d, dtype.FromInt(d, int64(v), false))
	case Tile:
		if v.t.dt.IsInt() && !v.t.dt.IsPointer() {
			return v.t
		}
	}
	must(name, rule.NoIntegers(what, describe(v)))
	return nil
}
