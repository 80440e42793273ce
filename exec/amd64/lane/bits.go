package lane

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Bits of lanes.

// Logic is a bitwise instruction.
func (g *Vectors) Logic(o op.Op, d dtype.DType) asm.Op {
	if g.EVEX {
		return table[o].evex.of(d)
	}
	return table[o].vex
}

// BitsOf is some bits of 32-bit lanes.
func (g *Vectors) BitsOf(x Lanes, bits uint64) Lanes {
	u := dtype.Uint32
	return g.Op2(g.Logic(op.And, u), u, x.As(u), Const(u, bits))
}

// Magnitude is floats of type d without their signs.
func (g *Vectors) Magnitude(d dtype.DType, x Lanes) Lanes {
	bits := uint64(1)<<31 - 1
	if Wide(d) {
		bits = 1<<63 - 1
	}
	if x.Known {
		x.D, x.Bits = d, x.Bits&bits
		return x
	}
	z := g.Op2(g.Logic(op.And, d), d, x, Lanes{D: d, Known: true, Bits: bits})
	z.Quiet = x.IsQuiet()
	return z
}
