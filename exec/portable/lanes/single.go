package lanes

import (
	"math"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A Single is room for elementwise ops on single lanes.
type Single struct {
	one  [5]dtype.Buf // operands, and the last a result
	args [4]dtype.Buf
}

func NewSingle() (s Single) {
	for i := range s.one {
		s.one[i] = dtype.Alloc("a lane of the portable engine", dtype.Uint64, 1)
	}
	return s
}

// Set puts a value of type d into the i-th lane, where apply finds it.
func (s *Single) Set(i int, d dtype.DType, bits uint64) { s.At(i, d).SetBits(0, bits) }

// At is the i-th lane as type d.
func (s *Single) At(i int, d dtype.DType) dtype.Buf {
	return dtype.RawBuf(d, s.one[i].Pointer(), 1)
}

// Apply is an elementwise op on the first n lanes, which have type d.
func (s *Single) Apply(o op.Op, d dtype.DType, n int) uint64 {
	row := o.Row()
	if !row.Has(d) { // a narrow float
		for i := range n {
			s.Set(i, dtype.Float32, dtype.Convert(dtype.Float32, d, s.At(i, d).Bits(0), false))
		}
		z := s.Apply(o, dtype.Float32, n)
		if o.IsCompare() {
			return z
		}
		return dtype.Convert(d, dtype.Float32, z, false)
	}
	z := s.At(4, o.Result(d))
	if p := row.Progs[d]; p != nil {
		for i := range n {
			s.args[i] = s.At(i, d)
		}
		p.Run(z, s.args[:n]...)
		return z.Bits(0)
	}
	row.Loops[d](z, s.At(0, d), s.At(1, d), s.At(2, d))
	return z.Bits(0)
}

// Common is an op on two bit patterns of type d, if it is one of those that Go's
// scalars are made of: the meaning is op's, and tested against it.
func Common(o op.Op, d dtype.DType) func(x, y uint64) uint64 {
	switch d {
	case dtype.Int64:
		return commonInt[o]
	case dtype.Float64:
		return commonFloat[o]
	}
	return nil
}

var commonInt = map[op.Op]func(x, y uint64) uint64{
	op.Add: func(x, y uint64) uint64 { return x + y },
	op.Sub: func(x, y uint64) uint64 { return x - y },
	op.Mul: func(x, y uint64) uint64 { return x * y },
	op.And: func(x, y uint64) uint64 { return x & y },
	op.Or:  func(x, y uint64) uint64 { return x | y },
	op.Xor: func(x, y uint64) uint64 { return x ^ y },
	op.Lt:  func(x, y uint64) uint64 { return Truth(int64(x) < int64(y)) },
	op.Le:  func(x, y uint64) uint64 { return Truth(int64(x) <= int64(y)) },
	op.Gt:  func(x, y uint64) uint64 { return Truth(int64(x) > int64(y)) },
	op.Ge:  func(x, y uint64) uint64 { return Truth(int64(x) >= int64(y)) },
	op.Eq:  func(x, y uint64) uint64 { return Truth(x == y) },
	op.Ne:  func(x, y uint64) uint64 { return Truth(x != y) },
	op.FloorDiv: func(x, y uint64) uint64 { // y is not 0
		return uint64(int64(x) / int64(y))
	},
	op.Mod:     func(x, y uint64) uint64 { return uint64(int64(x) % int64(y)) },
	op.Maximum: func(x, y uint64) uint64 { return uint64(max(int64(x), int64(y))) },
	op.Minimum: func(x, y uint64) uint64 { return uint64(min(int64(x), int64(y))) },
}

var commonFloat = map[op.Op]func(x, y uint64) uint64{
	op.Add: func(x, y uint64) uint64 { return bits64(float64of(x) + float64of(y)) },
	op.Sub: func(x, y uint64) uint64 { return bits64(float64of(x) - float64of(y)) },
	op.Mul: func(x, y uint64) uint64 { return bits64(float64of(x) * float64of(y)) },
	op.Div: func(x, y uint64) uint64 { return bits64(float64of(x) / float64of(y)) },
	op.Lt:  func(x, y uint64) uint64 { return Truth(float64of(x) < float64of(y)) },
	op.Le:  func(x, y uint64) uint64 { return Truth(float64of(x) <= float64of(y)) },
	op.Gt:  func(x, y uint64) uint64 { return Truth(float64of(x) > float64of(y)) },
	op.Ge:  func(x, y uint64) uint64 { return Truth(float64of(x) >= float64of(y)) },
	op.Eq:  func(x, y uint64) uint64 { return Truth(float64of(x) == float64of(y)) },
	op.Ne:  func(x, y uint64) uint64 { return Truth(float64of(x) != float64of(y)) },
}

func float64of(bits uint64) float64 { return math.Float64frombits(bits) }

func bits64(v float64) uint64 { return math.Float64bits(v) }

func Truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
