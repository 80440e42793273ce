package lane

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A row is the instructions that an op is on bits, by tier, or the predicates by which it compares.
type row struct {
	vex  asm.Op  // a bitwise op of AVX2
	evex bothOps // and of AVX-512, whose instructions say how wide a lane is
	mask asm.Op  // on bools in mask registers; in vectors it is vex

	floatCompare, intCompare int64 // predicates of VCMPPS and VPCMP
}

var table = [op.NumOps]row{
	op.Add: {mask: asm.KXORW, vex: asm.VPXOR}, op.Sub: {mask: asm.KXORW, vex: asm.VPXOR}, op.Mul: {mask: asm.KANDW, vex: asm.VPAND},
	op.And: {mask: asm.KANDW, vex: asm.VPAND, evex: bothOps{asm.VPANDD, asm.VPANDQ}},
	op.Or:  {mask: asm.KORW, vex: asm.VPOR, evex: bothOps{asm.VPORD, asm.VPORQ}},
	op.Xor: {mask: asm.KXORW, vex: asm.VPXOR, evex: bothOps{asm.VPXORD, asm.VPXORQ}},

	op.Minimum: {mask: asm.KANDW, vex: asm.VPAND}, op.MinimumNaN: {mask: asm.KANDW, vex: asm.VPAND},
	op.Maximum: {mask: asm.KORW, vex: asm.VPOR}, op.MaximumNaN: {mask: asm.KORW, vex: asm.VPOR},
	op.Shl: {mask: asm.KANDNW, vex: asm.VPANDN}, op.Shr: {mask: asm.KANDNW, vex: asm.VPANDN}, // x &^ y, swapped

	op.Eq: {floatCompare: Equal, intCompare: 0}, op.Ne: {floatCompare: ne, intCompare: 4},
	op.Lt: {floatCompare: lt, intCompare: 1}, op.Le: {floatCompare: le, intCompare: 2},
	op.Gt: {floatCompare: gt, intCompare: 6}, op.Ge: {floatCompare: ge, intCompare: 5},
}
