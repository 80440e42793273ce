// Package amd64 turns tile IR into machine code for AVX2 or AVX-512: loops over tiles, and what surrounds them.
//
//	ir.Func ─ fuse ─ gen: nests ─ lane ─ lir ─▶ Code ─ Worker ─▶ instances
//	       └ product ─ gemm: pieces ─ lane ─ lir ────▶ Job ─▶ the grid as one product
//
// The generator has layers, of which each embeds the one below: package scalar, the scalars of the blocks that are
// being written, and what addresses and masks make of these; package tiles, the memory of tiles; package nest, the
// loops that compute them; operations on tiles; and gen (gen.go), the order of values, control flow and instances. A
// fuse.Schedule says which tiles lie in memory; all others are computed lane by lane in the loops of what needs them.
// What moves elements about reads tiles in memory in another order (rearrange.go, gather.go); what sorts them is in
// its own room. A nest is such loops, over blocks of lanes in registers; where a mask is an affine.Box it is the
// loops' bounds, and what lies outside is computed once per row (nest/domain.go). Addresses are affine.Forms, checked
// once per access (nest/access.go); or rows that begin anywhere (nest/rowwise.go); or any (bylane/places.go).
//
// What machine code does not do itself it calls out to Go for: it returns with the number of a helper and is entered
// again behind it. Loops leave in the same way every 100 µs or so, for the garbage collector and for whoever wants to
// stop the launch. A kernel whose instances are the blocks of one matrix product is done as that product where a
// launch's arguments allow it. A launch makes what it needs of all this code (code.go).
//
// # Rooms
//
//   - scalar: scalars, the registers of addresses, the conditions that forms and boxes need, and loops over elements.
//   - tiles: where tiles lie, and what code leaves to Go.
//   - cursor: the place in such loops where code is written, and what lies there in memory.
//   - nest: loops over the elements of tiles, and what is computed, loaded and kept in them.
//   - bylane: loads whose addresses are not affine; scatter: such stores.
//   - fold: reductions and scans of tiles.
//   - elementwise: an operation on a block of lanes becomes instructions; lane: such blocks in registers and memory.
//   - gemm: matrix products over a whole grid: plans, and the workers that run them; gemm/micro: micro-kernels, packing.
//   - multiply: products of two tiles of one instance.
//   - order: rows of elements are sorted by networks over keys.
//   - instance: the instance that runs, as its code sees it, and what that leaves to Go.
//   - lir: instructions over virtual registers; tiers. trait: which bytes and flags an instruction reads.
//   - frame: the memory that code works on, and code that is called with it.
//   - asm: rows of instructions, and their bytes.
//
// # Glossary
//
//   - accumulator: a register, or memory, in which products along K are added up; also "sums".
//   - bail out: to give an instance up before anything of it has happened; the portable engine runs it.
//   - block of lanes: as many elements as a vector has lanes of 32 bits: 16 with AVX-512, 8 with AVX2.
//   - call out: to return to Go for what it does better, and come back behind the call.
//   - K: the inner dimension of C = A × B; "the chain" of an element of C is its additions along K, in their order.
//   - micro-kernel: code that computes MR × NR elements of C, MR rows by NR columns, in registers.
//   - non-temporal store: one that bypasses the caches; also "streamed".
//   - panel: NR columns of B, packed so that the steps of K follow each other; strip: MR rows of A.
//   - prefetch: an instruction that starts to load a line which will be needed.
//   - software pipelining: the head of the next instance is computed while this one stores.
//   - tile: of the language, a value with a shape; in gemm/tiles.go, an AMX tile register.
//   - transpose, or turn: to make rows columns.
package amd64
