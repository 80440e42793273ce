package dot

import (
	"golang.org/x/sys/cpu"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// hasBlocks reports whether the processor has what the blocks of dot_amd64.s are made of.
var hasBlocks = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// The blocks: see dot_amd64.s. They trust their arguments, which blocked checks.

//go:noescape
func block32(z *float32, zStep int, a *float32, aStep int, b *float32, bStep, k int)

//go:noescape
func block64(z *float64, zStep int, a *float64, aStep int, b *float64, bStep, k int)

//go:noescape
func blockInt(z *uint32, zStep int, a *uint32, aStep int, b *uint32, bStep, k int)

// vector carries out the chain in vector registers, where there is a block for the dtype. An element's
// steps are those of the loops in Go, in their order and rounded once each: only elements differ in when
// they are computed.
func (d *Adder) vector(z, a, b dtype.Buf, m, n, k int) bool {
	if !hasBlocks {
		return false
	}
	switch z.DType() {
	case dtype.Float32:
		blocked(block32, 16, &d.edge32, dtype.View[float32](z), dtype.View[float32](a), dtype.View[float32](b), m, n, k)
	case dtype.Float64:
		blocked(block64, 8, &d.edge64, dtype.View[float64](z), dtype.View[float64](a), dtype.View[float64](b), m, n, k)
	case dtype.Int32, dtype.Uint32:
		blocked(blockInt, 16, &d.edgeInt, dtype.View[uint32](z), dtype.View[uint32](a), dtype.View[uint32](b), m, n, k)
	default:
		return false
	}
	return true
}
