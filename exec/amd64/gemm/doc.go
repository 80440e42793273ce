// Package gemm multiplies matrices: the code of a grid that is one matrix product, and the workers that run it.
// It knows what product says of a launch, and no IR but for the epilogue, which it is given as code.
//
// Matrix products are C = A × B, with K the inner dimension. A Product has the code (run.go, piece.go); a Plan says
// for a launch which code is used, and into which tasks C is cut (plan.go); a Worker carries out tasks (part.go,
// strip.go).
//
//   - kernel.go is the micro-kernel, a strip of A times panels of B; ahead.go prefetches meanwhile, ends.go stores C.
//   - copy.go, pack.go, transpose.go pack panels of B; rows.go and across.go find or copy strips of A.
//   - thin.go is for few rows, slices.go cuts K, spans.go chooses between wide and narrow panels.
//   - bytes.go is int8, pairs.go bfloat16 by pairs, tiles.go both in tile registers (AMX).
//   - calls.go says what each kind of code reads from the frame.
//   - room.go is the memory that a worker takes.
package gemm
