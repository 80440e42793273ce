// Package micro writes the code of matrix products: micro-kernels, and what packs and copies their operands. It knows
// no launch. What BLIS calls a kernel is here, and its framework in gemm.
//
// Code is called with a frame, in whose words it finds its operands: kernel.go lists these words, calls.go says which
// of them each kind of code reads. piece.go is the table of all kinds; what it has made is shared in the process.
//
//   - kernel.go is the micro-kernel, a strip of A times panels of B; ahead.go prefetches meanwhile, ends.go stores C.
//   - copy.go and transpose.go pack panels of B and copy strips of A, across.go strips whose rows lie side by side.
//   - thin.go is for few rows.
//   - bytes.go is int8, pairs.go bfloat16 by pairs, tiles.go both in tile registers (AMX).
//   - pairtrial.go and tiletrial.go compare the instructions for bfloat16 with their definition on this machine.
package micro
