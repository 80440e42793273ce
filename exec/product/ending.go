package product

import (
	"encoding/binary"

	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// An Ending is what becomes of a finished accumulator: it is rounded to a type and stored as another. The zero value
// leaves it to the epilogue.
type Ending struct{ Round, As dtype.DType }

// Some reports whether anything is to be done.
func (e Ending) Some() bool { return e != Ending{} }

// Plain reports whether C is the accumulators as they are.
func (m *Match) Plain() bool { return m.store.Memory().Val == m.acc }

// Ending is what a micro-kernel does with accumulators, if that can be all: it stores them as they are, or rounded to a
// narrow type, which may then be widened again.
func (m *Match) Ending() Ending {
	v := m.store.Memory().Val
	e := Ending{v.Type.D, v.Type.D}
	switch {
	case m.Chain == dot.Tiles:
		return Ending{}
	case v == m.acc:
		return e
	case v.Op == op.Cast && e.As == m.D:
		v = v.Args[0]
		e.Round = v.Type.D
	}
	if v.Op != op.Cast || v.Args[0] != m.acc || m.D != dtype.Float32 || e.Round != dtype.Float16 && e.Round != dtype.BFloat16 {
		return Ending{}
	}
	return e
}

// Bytes reports whether a product is one of int8, summed in int32.
func (m *Match) Bytes() bool { return m.D == dtype.Int32 }

// ZeroBits is what is added to finished accumulators: -0, which changes none, or +0, which steps of zeros would have
// added.
func ZeroBits(d dtype.DType, zeros bool) uint64 {
	if zeros || !d.IsFloat() {
		return 0
	}
	var b [8]byte
	b[d.Size()-1] = 0x80
	return binary.LittleEndian.Uint64(b[:])
}
