// Package amd64 turns tile IR into machine code for AVX2 or AVX-512.
//
//	ir.Func ─ fuse ─ gen: nests ─ lir ─▶ Code ─ Worker ─▶ instances
//	       └ product ─ pieces ─ lir ──▶ Product ─ Job ─▶ the grid as one product
//
// A fuse.Schedule says which tiles lie in memory; all others are computed lane by lane
// in the loops of what needs them. What moves elements about reads tiles in memory in
// another order (rearrange.go, gather.go). A nest (nest.go) is such loops, over blocks of lanes
// in registers; where a mask is an affine.Box it is the loops' bounds, and what lies
// outside is computed once per row (domain.go). Addresses are affine.Forms:
// affine in the lanes, checked once per access (check.go), or else left to Go lane by lane
// (access.go). Package lir holds instructions over
// virtual registers.
//
// What machine code does not do itself it leaves to Go: it returns with the number of
// a helper and is entered again behind it. Loops leave in the same way every 100 µs or
// so, for the garbage collector and for whoever wants to stop the launch.
//
// A kernel whose instances are the blocks of one matrix product is done as that product
// where a launch's arguments allow it (product, gemm*.go): operands packed into panels, sums in
// registers, what the kernel does with them as code of its own. A launch makes what it
// needs of all this code (code.go); pieces that depend on types alone are made once in a
// process (piece.go).
package amd64
