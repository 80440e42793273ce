// Package asm encodes and prints x86-64 instructions: the integer subset that
// addresses and loops need, and SIMD in its VEX (AVX2 tier) and EVEX (AVX-512
// tier) encodings. It knows nothing of tiles or of IR.
//
// The idea: an instruction set is data. Every instruction form is one row of
// a table (table_*.go): which operands it takes, how they map to the encoding,
// and which decorations it allows. Matching, encoding, printing and the test
// sweeps all read the same row, so a new instruction is one line, and the
// names of the ops (z_op.go) are generated from the rows.
//
// An [Inst] is an op with up to four [Operand] values, destination first as in
// Intel's manuals, plus decorations: write mask, zeroing, rounding, lock. Broadcast
// belongs to the memory operand. An [Assembler] appends instructions to a buffer,
// resolves labels and places constants:
//
//	var a asm.Assembler
//	loop := a.NewLabel()
//	one := a.Const32(math.Float32bits(1)).Bcast()
//	a.Bind(loop)
//	a.Emit(asm.VMOVUPS, asm.Z(0), asm.Idx(asm.RSI, asm.RCX, 4, 0))
//	a.Emit(asm.VADDPS, asm.Z(0), asm.Z(0), one)
//	a.EmitMasked(asm.VMOVUPS, asm.K(1), false, asm.Idx(asm.RDI, asm.RCX, 4, 0), asm.Z(0))
//	a.Emit(asm.ADD, asm.RCX, asm.Imm(16))
//	a.Emit(asm.CMP, asm.RCX, asm.RDX)
//	a.Emit(asm.JL, asm.To(loop))
//	a.Emit(asm.RET)
//	code, err := a.Finish()
//
// Choice of form. Operands select the row; the first row that takes them wins,
// in the order GNU as has them. The vector length comes from the registers, or from
// the size of the memory operand where registers do not tell. VEX is chosen over EVEX
// wherever it can express the instruction (no register above 15, no mask, no
// broadcast, no 512-bit operand); [Inst.Encoding] overrides that.
//
// Errors are sticky: the first instruction that no row takes is remembered, named
// by Err and Finish, and nothing panics, whatever the operands are.
package asm

//go:generate go run gen.go
