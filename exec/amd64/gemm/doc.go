// Package gemm multiplies matrices: it picks the code of a grid that is one matrix product, and runs it.
// It knows what product says of a launch, and no IR but for the epilogue, which it is given as code. Code is of micro.
//
// Matrix products are C = A × B, with K the inner dimension. A Product has the code (run.go); a Plan says
// for a launch which code is used, and into which tasks C is cut (plan.go); a Worker carries out tasks (part.go,
// strip.go).
//
//   - pack.go and transpose.go pack panels of B; rows.go and across.go find or copy strips of A.
//   - thin.go is for few rows, slices.go cuts K, spans.go chooses between wide and narrow panels, ends.go ends chains.
//   - bytes.go is int8, pairs.go bfloat16 by pairs, tiles.go both in tile registers (AMX).
//   - made.go has blocks of B made that are computed.
//   - room.go is the memory that a worker takes.
package gemm
