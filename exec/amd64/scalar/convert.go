package scalar

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// converts reports whether a scalar is an integer as a float that one instruction makes of a general register, and
// there is none for vectors: AVX2 converts lanes of signed 32 bits only.
func converts(g *Scalars, v *ir.Value) bool {
	if v.Op != op.Cast || g.EVEX || v.Type.D != dtype.Float32 && v.Type.D != dtype.Float64 {
		return false
	}
	from := v.Args[0].Type.D
	return v.Args[0].Op != op.Const && (from == dtype.Int64 || from == dtype.Uint32)
}

// converted is such a scalar. The register has all 64 bits of its value, which are rounded once.
func converted(g *Scalars, v *ir.Value) lane.Lanes {
	o, all := asm.VCVTSI2SS, asm.VBROADCASTSS
	if v.Type.D == dtype.Float64 {
		o, all = asm.VCVTSI2SD, asm.VBROADCASTSD
	}
	x, one, r := g.IntReg(v.Args[0]), g.NewVec(), g.NewVec()
	zero := g.NewVec()
	g.ZeroVec(zero) // what is above the float comes from here
	g.Def(o, g.VW(one, 16), g.VW(zero, 16), g.R64(x))
	g.Def(all, g.V(r), g.VW(one, 16))
	return lane.Lanes{D: v.Type.D, R: [2]lir.Reg{r, r}}
}
