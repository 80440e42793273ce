package lane

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A row is what an op is on lanes where that is one instruction: by element type, and by tier where these differ. What an
// op has no entry for is code of its own, or left to Go.
type row struct {
	float bothOps
	int   bothOps
	vex   asm.Op  // a bitwise op of AVX2
	evex  bothOps // and of AVX-512, whose instructions say how wide a lane is
	mask  asm.Op  // on bools in mask registers; in vectors it is vex

	round                    int64 // to an integer: the immediate of VROUNDPS and VRNDSCALEPS
	floatCompare, intCompare int64 // predicates of VCMPPS and VPCMP
}

var table = [op.NumOps]row{
	op.Add: {float: bothOps{asm.VADDPS, asm.VADDPD}, int: bothOps{asm.VPADDD, asm.VPADDQ}, mask: asm.KXORW, vex: asm.VPXOR},
	op.Sub: {float: bothOps{asm.VSUBPS, asm.VSUBPD}, int: bothOps{asm.VPSUBD, asm.VPSUBQ}, mask: asm.KXORW, vex: asm.VPXOR},
	op.Mul: {float: bothOps{asm.VMULPS, asm.VMULPD}, mask: asm.KANDW, vex: asm.VPAND},
	op.Div: {float: bothOps{asm.VDIVPS, asm.VDIVPD}},
	op.And: {mask: asm.KANDW, vex: asm.VPAND, evex: bothOps{asm.VPANDD, asm.VPANDQ}},
	op.Or:  {mask: asm.KORW, vex: asm.VPOR, evex: bothOps{asm.VPORD, asm.VPORQ}},
	op.Xor: {mask: asm.KXORW, vex: asm.VPXOR, evex: bothOps{asm.VPXORD, asm.VPXORQ}},

	op.Minimum: {mask: asm.KANDW, vex: asm.VPAND}, op.MinimumNaN: {mask: asm.KANDW, vex: asm.VPAND},
	op.Maximum: {mask: asm.KORW, vex: asm.VPOR}, op.MaximumNaN: {mask: asm.KORW, vex: asm.VPOR},
	op.Shl: {mask: asm.KANDNW, vex: asm.VPANDN}, op.Shr: {mask: asm.KANDNW, vex: asm.VPANDN}, // x &^ y, swapped

	op.Rint: {round: 8}, op.Floor: {round: 9}, op.Ceil: {round: 10}, op.Trunc: {round: 11},

	op.Eq: {floatCompare: eq, intCompare: 0}, op.Ne: {floatCompare: ne, intCompare: 4},
	op.Lt: {floatCompare: lt, intCompare: 1}, op.Le: {floatCompare: le, intCompare: 2},
	op.Gt: {floatCompare: gt, intCompare: 6}, op.Ge: {floatCompare: ge, intCompare: 5},
}
