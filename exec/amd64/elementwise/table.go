package elementwise

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A row is what an op is on numbers where that is one instruction. What an op has no entry for is code of its own, or
// left to Go.
type row struct {
	float, int bothOps
	round      int64 // to an integer: the immediate of VROUNDPS and VRNDSCALEPS
}

// bothOps is an instruction for 32-bit and one for 64-bit lanes.
type bothOps struct{ w32, w64 asm.Op }

func (b bothOps) of(d dtype.DType) asm.Op { return lane.ByWidth(d, b.w32, b.w64) }

var table = [op.NumOps]row{
	op.Add: {float: bothOps{asm.VADDPS, asm.VADDPD}, int: bothOps{asm.VPADDD, asm.VPADDQ}},
	op.Sub: {float: bothOps{asm.VSUBPS, asm.VSUBPD}, int: bothOps{asm.VPSUBD, asm.VPSUBQ}},
	op.Mul: {float: bothOps{asm.VMULPS, asm.VMULPD}},
	op.Div: {float: bothOps{asm.VDIVPS, asm.VDIVPD}},

	op.Rint: {round: 8}, op.Floor: {round: 9}, op.Ceil: {round: 10}, op.Trunc: {round: 11},
}
